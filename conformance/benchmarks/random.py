"""Random numbers by the library, by stock dask and by arrayshim: `arrayshim bench random`.

Each draw fills memory with numbers. On one array the device's own clock times it, a generator opened before; by dask it
is a whole run of the graph over 4 x 4 chunks, whose results stay on the device as chunks. The bandwidth beside which
speeds stand is that of the same run: of a `memset` on a device, of `fill` on the host.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

import dask.array as da
import numpy as np
from dask.core import flatten
from dask.local import get_sync

import arrayshim
from arrayshim.conformance import backends
from arrayshim.conformance.benchmarks import timing
from arrayshim.conformance.benchmarks.bits import Outcome, battery, suspicious
from arrayshim.conformance.benchmarks.timing import Clock, cell, document

BOUND = 1_000_003
"""Integers are drawn from 0 up to this prime."""

DTYPES = ("float32", "float64")
"""Of integers, those of the same size: int32 and int64; of words uint64."""


@dataclass(frozen=True, slots=True)
class Distribution:
    """How a RandomState and a Generator are asked for it: method and arguments; `integral` ones want a dtype, and those
    of a `fixed` dtype have it alone."""

    state: tuple[str, tuple[Any, ...]]
    generator: tuple[str, tuple[Any, ...]]
    integral: bool = False
    fixed: str | None = None

    def dtype(self, asked: str) -> np.dtype[Any] | None:
        """What is drawn for a float dtype: one of the same size; None where there is none."""
        found = np.dtype(self.fixed or (asked.replace("float", "int") if self.integral else asked))
        return found if found.itemsize == np.dtype(asked).itemsize else None


DISTRIBUTIONS: Mapping[str, Distribution] = MappingProxyType(
    {
        # The words of a counted stream alone: no draw of it can be faster.
        "random_raw": Distribution(("random_raw", ()), ("random_raw", ()), fixed="uint64"),
        "random": Distribution(("random_sample", ()), ("random", ())),
        "uniform": Distribution(("uniform", (-1.0, 1.0)), ("uniform", (-1.0, 1.0))),
        "standard_normal": Distribution(("standard_normal", ()), ("standard_normal", ())),
        "normal": Distribution(("normal", (10.0, 2.0)), ("normal", (10.0, 2.0))),
        "lognormal": Distribution(("lognormal", (0.0, 1.0)), ("lognormal", (0.0, 1.0))),
        "standard_exponential": Distribution(("standard_exponential", ()), ("standard_exponential", ())),
        "integers": Distribution(("randint", (0, BOUND)), ("integers", (0, BOUND)), integral=True),
    }
)

WAYS = (
    *("library state", "library generator", "stock dask"),
    *("state", "generator", "dask state", "dask rng"),
    *("element", "element chunk"),
)
"""The columns: the library's two generators on one array, stock dask with them, arrayshim's two generators on one array
(NumPy's Philox on the host), dask with these, and the stream of which an element depends on its place alone: in 4 x 4
chunks, and in one, which is to be compared with a generator on one array."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What to measure.

    Attributes
    ----------
    device : bool
    megabytes : float
        Size of the array that is drawn.
    distributions, dtypes, ways : tuple of str
    seconds : float
        Least time that a cell is measured for.
    """

    device: bool
    megabytes: float
    distributions: tuple[str, ...]
    dtypes: tuple[str, ...]
    ways: tuple[str, ...]
    seconds: float = 0.02


@dataclass(frozen=True, slots=True)
class Row:
    """A distribution in a dtype: seconds by way, None where that way does not exist or raises."""

    distribution: str
    dtype: str
    values: int
    bytes: int
    seconds: Mapping[str, float | None]


def write_bandwidth(namespace: Any, size: int, clock: Clock) -> float:
    """Bytes per second that are written when memory is set to a constant."""
    target = namespace.empty(size // 8)
    if hasattr(target, "data") and hasattr(target.data, "memset"):
        return float(target.nbytes / clock.device(lambda: target.data.memset(0, target.nbytes)))
    return float(target.nbytes / clock.device(lambda: target.fill(1.0)))


def element_rng(like: str) -> Any:
    """arrayshim's generator of the counted stream, or None where this version has none."""
    if "stream" not in inspect.signature(arrayshim.random.default_rng).parameters:
        return None
    options: dict[str, Any] = {"stream": "element"}
    return arrayshim.random.default_rng(7, like=like, **options)


def _makers(device: bool) -> dict[str, Callable[[], Any]]:
    """What opens the generator of each way, as a new chunk does it."""
    words = np.random.RandomState(7).randint(0, 2**32, 624, np.uint32)
    child = np.random.SeedSequence(7).spawn(1)[0]
    if not device:
        return {
            "library state": lambda: np.random.RandomState(words),
            "library generator": lambda: np.random.Generator(np.random.PCG64(child)),
            "stock dask": lambda: da.random.default_rng(7),
            "generator": lambda: np.random.Generator(np.random.Philox(child)),
            "element": lambda: element_rng("numpy"),
            "element chunk": lambda: element_rng("numpy"),
        }
    import cupy

    backend = backends.get("cupy")
    return {
        "library state": lambda: cupy.random.RandomState(words),
        "library generator": lambda: cupy.random.Generator(cupy.random.XORWOW(child)),
        "stock dask": lambda: da.random.RandomState(7, RandomState=cupy.random.RandomState),
        "state": lambda: backend.random_state(words),
        "generator": lambda: arrayshim.random.default_rng(backend.bit_generator(child)),
        "dask state": lambda: arrayshim.random.RandomState(7, like="cupy"),
        "dask rng": lambda: arrayshim.random.default_rng(7, like="cupy"),
        "element": lambda: element_rng("cupy"),
        "element chunk": lambda: element_rng("cupy"),
    }


_STATES = ("library state", "state", "dask state")
_ELEMENT = ("element", "element chunk")
_BY_DASK = ("stock dask", "dask state", "dask rng", *_ELEMENT)


def _asked(way: str, rng: Any, distribution: Distribution, dtype: Any, shape: tuple[int, int]) -> Callable[[], Any]:
    """A call that draws."""
    legacy = way in _STATES or isinstance(rng, da.random.RandomState)
    name, args = distribution.state if legacy else distribution.generator
    options: dict[str, Any] = {"size": shape}
    # NumPy's distributions with parameters are of doubles; so are some of CuPy's.
    narrow = dtype.itemsize < 8
    if distribution.integral or (narrow and not isinstance(rng, np.random.RandomState)):
        options["dtype"] = dtype
    if way not in _BY_DASK:
        return lambda: getattr(rng, name)(*args, **options)
    lazy = getattr(rng, name)(
        *args, **options, chunks=-1 if way == "element chunk" else tuple(-(-n // 4) for n in shape)
    )
    if lazy.dtype != dtype:
        raise TypeError(f"{name} makes {lazy.dtype}")
    graph, keys = dict(lazy.__dask_graph__()), list(flatten(lazy.__dask_keys__()))
    return lambda: get_sync(graph, keys)


def _measure(
    way: str, make: Callable[[], Any], distribution: Distribution, dtype: Any, shape: tuple[int, int], clock: Clock
) -> float | None:
    try:
        if way == "stock dask":
            with arrayshim.scope(only=()):
                return float(clock.host(_asked(way, make(), distribution, dtype, shape)))
        rng = make()
        if rng is None:
            return None
        call = _asked(way, rng, distribution, dtype, shape)
        if way in _BY_DASK:
            return float(clock.host(call))
        return float(clock.device(call)) if call().dtype == dtype else None
    except Exception:  # a library lacks the distribution, or refuses the dtype
        return None


def rows(request: Request, clock: Clock) -> Iterator[Row]:
    """Measure, a row at a time."""
    makers = _makers(request.device)
    for name in request.distributions:
        distribution = DISTRIBUTIONS[name]
        for asked in request.dtypes:
            dtype = distribution.dtype(asked)
            if dtype is None:
                continue
            side = max(4, int(math.sqrt(request.megabytes * 1e6 / dtype.itemsize)) // 4 * 4)
            seconds = {
                way: _measure(way, makers[way], distribution, dtype, (side, side), clock)
                for way in request.ways
                if way in makers
            }
            yield Row(name, dtype.name, side * side, side * side * dtype.itemsize, seconds)


def opening(request: Request) -> dict[str, float]:
    """Seconds to open the generator of a chunk and to have drawn one number with it, by way."""
    clock = Clock(backends.get("cupy" if request.device else "numpy").namespace, request.seconds)
    found = {}
    for way, make in _makers(request.device).items():
        if way not in request.ways or way in _BY_DASK:
            continue
        name = "random_sample" if way in _STATES else "random"
        found[way] = clock.host(make)
        found[f"{way}, first number"] = clock.host(lambda make=make, name=name: getattr(make(), name)(size=1))
    return found


def run(request: Request, show: Callable[[Row, float], None]) -> dict[str, Any]:
    """Measure all of it.

    Parameters
    ----------
    request : Request
    show : callable
        Gets each row when it is measured, and the bandwidth.

    Returns
    -------
    dict
        Plain data for JSON.
    """
    namespace = backends.get("cupy" if request.device else "numpy").namespace
    clock = Clock(namespace, request.seconds)
    bandwidth = write_bandwidth(namespace, int(request.megabytes * 1e6), clock)
    found: dict[str, Any] = document(request, rows(request, clock), ("write_bytes_per_second", bandwidth), show)
    measured = found.pop("rows")
    return {**found, "opening_seconds": opening(request), "rows": measured}


def tested_words(size: int, *, device: bool) -> Iterator[tuple[str, Iterator[Any]]]:
    """Generators whose words are to be tested, by name, each with its words in blocks.

    Parameters
    ----------
    size : int
        Bytes of each.
    device : bool
        On a CUDA device; on the host there is NumPy's Philox, in place of a generator of arrayshim's own.
    """
    block = min(2**26, size // 4)
    counts = [block] * (size // 4 // block)
    bits = backends.get("cupy").bit_generator(2019) if device else np.random.Philox(2019)
    yield type(bits).__name__, (_words(bits, count) for count in counts)
    rng = element_rng("cupy" if device else "numpy")
    if rng is not None:
        lazy = rng.integers(0, 2**32, size=block * len(counts), dtype=np.uint32, chunks=block)
        yield "element", (lazy.blocks[k].compute(scheduler="sync") for k in range(len(counts)))


def _words(bits: Any, count: int) -> Any:
    return bits.random_raw((count + 1) // 2).view(np.uint32)[:count]


def test_bits(size: int, *, device: bool, show: Callable[[str, list[Outcome]], None]) -> dict[str, Any]:
    """Run the battery on the words of the generators.

    Parameters
    ----------
    size : int
        Bytes of each generator.
    device : bool, keyword-only
    show : callable, keyword-only
        Gets each generator's name and outcomes.

    Returns
    -------
    dict
        Plain data for JSON.
    """
    found = {}
    for name, blocks in tested_words(size, device=device):
        outcomes = battery(blocks)
        show(name, outcomes)
        found[name] = {
            "bytes": size,
            "suspicious": [outcome.test for outcome in suspicious(outcomes)],
            "outcomes": [asdict(outcome) for outcome in outcomes],
        }
    return found


test_bits.__test__ = False  # type: ignore[attr-defined]  # pytest: no test of its own


def line(row: Row, bandwidth: float, ways: Sequence[str]) -> str:
    """A row as text: by way 10^9 values per second and the ratio of their bytes to the bandwidth; the ratios of time
    of the element stream to the generator."""
    cells = []
    for way in ways:
        seconds = row.seconds.get(way)
        speed = row.values / seconds / 1e9 if seconds else None
        cells.append(cell(speed, row.bytes / seconds / bandwidth if seconds else 0.0))
    philox = row.seconds.get("generator")
    times = [(_over(way), row.seconds.get(way)) for way in _ELEMENT if {way, "generator"} <= set(ways)]
    cells += [f"{took / philox:>{len(over)}.2f}" if took and philox else " " * len(over) for over, took in times]
    return f"{row.distribution:<20} {row.dtype:<8}" + " ".join(cells).rstrip()


def heading(ways: Sequence[str]) -> str:
    """The line above the rows."""
    times = [_over(way) for way in _ELEMENT if {way, "generator"} <= set(ways)]
    return " ".join([timing.heading(f"{'distribution':<20} {'dtype':<8}", ways), *times])


def _over(way: str) -> str:
    return f"{way} / generator"


def verdict(name: str, outcomes: Sequence[Outcome]) -> str:
    """One line on a generator's bits."""
    least, bad = min(outcomes, key=lambda outcome: outcome.p), suspicious(outcomes)
    words = max(outcome.words for outcome in outcomes)
    text = f"{name}: {len(outcomes)} p-values of {4 * words:.4g} bytes, the least {least.p:.3g} ({least.test})"
    return f"{text}; " + (f"BAD: {', '.join(outcome.test for outcome in bad)}" if bad else "none suspicious")
