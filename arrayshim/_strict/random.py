"""``cupy.random`` for strict arrays: CuPy's names and parameters, NumPy's streams."""

from __future__ import annotations

import functools
import hashlib
from typing import Any, ClassVar

import numpy

from .generator import BitGenerator, CurandBits, GeneratorBase, drawn
from .memory import unwrap
from .rules import signature, table

np: Any = numpy


def _seed(seed: Any) -> int | None:
    if seed is None:
        return None
    if isinstance(seed, np.ndarray):
        return int(hashlib.md5(seed.tobytes(), usedforsecurity=False).hexdigest()[:16], 16)
    array = np.asarray(seed)
    if array.dtype.kind not in "biu":
        raise TypeError("Seed must be an integer.")
    if not 0 <= int(array) < 2**64:
        raise ValueError("Seed must be an integer between 0 and 2**64 - 1")
    return int(array)


#: Methods of RandomState that look at no value of a parameter.
_UNCHECKED = frozenset(
    ("beta", "binomial", "chisquare", "f", "gamma", "geometric", "gumbel", "laplace", "logistic", "lognormal", "normal")
    + ("pareto", "poisson", "standard_gamma", "standard_t", "uniform", "vonmises", "wald")
)
#: Parameters that CuPy names otherwise, by method.
_NUMPYS_WORD = {("permutation", "a"): "x", ("shuffle", "a"): "x"}


class _Source:
    """Draws of a NumPy generator, on the device of `_kind`."""

    _TABLE: ClassVar[str]
    _kind: ClassVar[Any]
    _source: Any

    def __getattr__(self, name: str) -> Any:
        words = None if name.startswith("_") else table()["random"][self._TABLE].get(name)
        if words is None or not hasattr(self._source, name):
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}")
        bind = signature(words)
        draw = getattr(self._source, name)

        def method(*args: Any, **kwargs: Any) -> Any:
            given = dict(bind.bind(*args, **kwargs).arguments)
            dtype, out = given.pop("dtype", None), given.pop("out", None)
            extra = {"dtype": dtype} if name == "randint" and dtype is not None else {}
            varargs = given.pop("size", ()) if "*size" in words.split() else ()
            given = {_NUMPYS_WORD.get((name, k), k): unwrap(self._kind, v) for k, v in given.items()}
            if name in _UNCHECKED:
                made = drawn(self._source, name, given, given.pop("size", None))
            else:
                made = np.asarray(draw(*varargs, **given, **extra))
            made = made if dtype is None or extra else made.astype(dtype)
            if out is None:
                return self._kind._wrap(made)
            np.copyto(out._host, made, casting="unsafe")
            return out

        return method

    def __reduce__(self) -> Any:
        return _restore, (type(self), self._source)


def _restore(cls: Any, source: Any) -> Any:
    restored = cls.__new__(cls)
    restored._source = source
    return restored


class RandomStateBase(_Source):
    """``cupy.random.RandomState``: `seed` is None, an integer below 2**64, or an integer array."""

    _TABLE = "RandomState"

    def __init__(self, seed: Any = None, method: Any = None) -> None:
        self.seed(seed)

    def seed(self, seed: Any = None) -> None:
        """Start the stream anew."""
        self._source = np.random.RandomState(np.random.MT19937(_seed(seed)))


class RandomNamespace:
    """``cupy.random``: `RandomState`, `Generator`, `default_rng`, and functions on one shared state."""

    def __init__(self, random_state: Any, generator: Any, bits: tuple[Any, ...]) -> None:
        self.RandomState, self.Generator = random_state, generator
        self.BitGenerator, self.XORWOW, self.MRG32k3a, self.Philox4x3210 = bits
        self._shared = random_state()

    def default_rng(self, seed: Any = None) -> Any:
        """A `Generator` over XORWOW."""
        if isinstance(seed, self.Generator):
            return seed
        return self.Generator(seed if isinstance(seed, BitGenerator) else self.XORWOW(seed))

    def seed(self, seed: Any = None) -> None:
        """Seed the shared state."""
        self._shared.seed(seed)

    def get_random_state(self) -> Any:
        """The shared state."""
        return self._shared

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or name not in table()["random"][""]:
            raise AttributeError(f"module 'cupy.random' has no attribute {name!r}")
        return getattr(self._shared, {"random": "random_sample", "ranf": "random_sample"}.get(name, name))


_classes: dict[Any, tuple[Any, Any, tuple[Any, ...]]] = {}


def register(kind: Any, random_state: Any, generator: Any, bits: tuple[Any, ...]) -> None:
    """Name the importable classes of a kind, which pickle by name; other kinds get classes of their own.

    `bits`: BitGenerator, XORWOW, MRG32k3a and Philox4x3210.
    """
    _classes[kind] = random_state, generator, bits


@functools.cache
def random_namespace(kind: Any) -> RandomNamespace:
    """``cupy.random`` of one kind; made once, so that its classes are the same at every use."""
    if kind not in _classes:
        state, generator = (
            type(c.__name__.removesuffix("Base"), (c,), {"_kind": kind}) for c in (RandomStateBase, GeneratorBase)
        )
        base = type("BitGenerator", (BitGenerator,), {"_kind": kind})
        names = ("XORWOW", "MRG32k3a", "Philox4x3210")
        register(kind, state, generator, (base, *(type(n, (CurandBits, base), {"_kind": kind}) for n in names)))
    return RandomNamespace(*_classes[kind])
