"""Level `fuzz`: chains of operations against a NumPy mirror. What fails alone is left to the fixed cases."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np

from . import loading
from .case import Case
from .checks import Context, Oracle, judge
from .observe import observe
from .seen import Eyes, Observation, Part, called
from .steps import Step, after

EXAMPLES = 40
_NUMPY = Eyes(lambda cls: cls is np.ndarray, np.asarray, scalars=True)
_FLOAT = ("f4", "f8", "c8", "c16")
#: Dtypes of each case; float16 has cases of its own, where values that drift apart are no surprise.
_DTYPES = (("f8",), ("i8", "i4"), ("f4", "f8"), ("b1", "u1"), ("i1", "i2", "u2"), _FLOAT, ("f8", "i8"), ("u4", "u8"))


class _Found(Exception):
    """A chain that came out wrong."""

    def __init__(self, outcome: str, message: str, script: str) -> None:
        super().__init__(message)
        self.outcome, self.message, self.script = outcome, message, script


@dataclass(frozen=True, slots=True, kw_only=True)
class Fuzz(Case):
    """Some chains, drawn from one seed.

    Parameters
    ----------
    seed : int
    dtypes : tuple of str
    """

    seed: int
    dtypes: tuple[str, ...]

    def run(self, backend: Any) -> dict[str, Any]:
        """Draw the chains and give the record of the first that comes out wrong, shrunk."""
        try:
            import hypothesis
        except ImportError:
            return _record("skip", "hypothesis is not installed")
        from .strategies import chains

        held = getattr(backend, "dtypes", None)
        dtypes = tuple(d for d in self.dtypes if held is None or d in held)
        if not dtypes:
            return _record("skip", f"the backend has none of {', '.join(self.dtypes)}")
        eyes = loading.eyes(backend)
        without = failing_alone(backend, eyes, dtypes)
        settings = hypothesis.settings(
            max_examples=EXAMPLES,
            deadline=None,
            database=None,
            derandomize=False,
            report_multiple_bugs=False,
            suppress_health_check=list(hypothesis.HealthCheck),
            phases=(hypothesis.Phase.generate, hypothesis.Phase.shrink),
        )

        @hypothesis.seed(self.seed)
        @settings
        @hypothesis.given(chains(backend, dtypes=dtypes, without=without))
        def check(chain: Any) -> None:
            outcome, message = _judged(chain.start, chain.steps, chain.expected, backend, eyes)
            if outcome != "pass":
                # what dask does to NumPy as well is no matter of the chunk type
                hypothesis.assume(_passes_on_numpy(chain))
                code = " | ".join(step.code for step in chain.steps)
                start = f"{chain.start.host.dtype}{chain.start.host.shape} in {chain.start.chunks}"
                script = _script(chain, loading.preamble(backend, backend.name))
                raise _Found(outcome, f"{message} [{start}: {code}]", script)

        try:
            check()
        except _Found as found:
            return {**_record(found.outcome, found.message), "reproducer": found.script}
        return _record("pass", f"left out, as failing alone: {', '.join(sorted(without))}" if without else "")


def _record(outcome: str, message: str) -> dict[str, Any]:
    return {"outcome": outcome, "message": message, "transfers": None}


#: By backend and dtype: the same in every case of a worker.
_alone: dict[tuple[str, str], frozenset[str]] = {}


def failing_alone(backend: Any, eyes: Eyes, dtypes: tuple[str, ...]) -> frozenset[str]:
    """Kinds of steps that come out wrong by themselves, so that no chain of them needs to be shrunk.

    Parameters
    ----------
    backend : object
    eyes : Eyes
    dtypes : tuple of str
    """
    from .inputs import Operands
    from .strategies import Chunked

    operands = Operands(backend.to_device, backend.namespace, label=backend.name)
    wrong: set[str] = set()
    for dtype in dict.fromkeys((*dtypes, "b1")):
        if (backend.name, dtype) not in _alone:
            found: set[str] = set()
            for shape, cut in (((), ()), ((4, 3), ((1, 3), (2, 1))), ((5,), ((3, 2),))):
                host = (np.arange(int(np.prod(shape))) % 5 - (dtype[0] not in "bu")).reshape(shape).astype(dtype)
                start = Chunked(host, cut, operands.array(host, cut))
                for step in {step.kind: step for step in after(host, known=True)}.values():
                    with np.errstate(all="ignore"):
                        expected = np.asarray(step.apply(np, host))
                    if _judged(start, (step,), expected, backend, eyes, blocks=False)[0] != "pass":
                        found.add(step.kind)
            _alone[backend.name, dtype] = frozenset(found)
        wrong |= _alone[backend.name, dtype]
    return frozenset(wrong)


def _judged(
    start: Any, steps: tuple[Step, ...], expected: Any, backend: Any, eyes: Eyes, *, blocks: bool = True
) -> tuple[str, str]:
    import dask.array as da

    def call(da: Any, b: Any) -> Any:
        return reduce(lambda x, step: step.apply(da, x), steps, start.lazy)

    case = Case(name="chain", family="fuzz", call=call)
    seen = _NUMPY.seen(expected)
    stock = Observation([Part("", True, seen, expected, meta=seen)], token=True, pickle=True)
    got = observe(case, da, None, eyes, blocks=blocks)
    oracle = Oracle(stock, [("", expected)], _coarsest(start.host.dtype))
    return judge(Context(case, got, oracle, called(backend.chunk_types[0]), getattr(backend, "rtol", {})))


def _passes_on_numpy(chain: Any) -> bool:
    from .inputs import Operands
    from .strategies import Chunked

    host, cut = chain.start.host, chain.start.chunks
    start = Chunked(host, cut, Operands(np.asarray, np, label="numpy").array(host, cut))
    return _judged(start, chain.steps, chain.expected, _Numpy, _NUMPY)[0] == "pass"


class _Numpy:
    """The backend of the mirror."""

    chunk_types = (np.ndarray,)


def _coarsest(dtype: Any) -> str | None:
    return dtype.str[1:] if dtype.kind in "fc" else None


def _script(chain: Any, preamble: str) -> str:
    host = chain.start.host
    lines = [
        "import sys",
        "import numpy as np",
        "import dask.array as da",
        "import arrayshim  # the repairs; leave out for stock dask" if "arrayshim" in sys.modules else "",
        preamble.strip(),
        f"host = np.array({host.tolist()!r}, dtype={host.dtype.str!r}).reshape({host.shape})",
        f"x = da.from_array(host, chunks={chain.start.chunks})",
        "x = x.map_blocks(to_device, dtype=x.dtype, meta=to_device(np.empty((0,) * x.ndim, x.dtype)))",
        *(f"x = {step.code}" for step in chain.steps),
        "print('promised:', type(x._meta), x.dtype, x.shape)",
        "x = x.compute(scheduler='sync')",
        "print('computed:', type(x), x.dtype, x.shape, x, sep='\\n')",
    ]
    return "\n".join(line for line in lines if line) + "\n"


def _never(da: Any, b: Any) -> Any:
    raise NotImplementedError("a case of level fuzz has no one call")


CASES = tuple(
    Fuzz(name=f"chains[{','.join(dtypes)}]", family="fuzz", call=_never, numpy=False, seed=seed, dtypes=dtypes)
    for seed, dtypes in enumerate(_DTYPES)
)
