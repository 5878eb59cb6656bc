"""A case of the catalogue: one call, declared in one line, and what its result must be."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol

Result = Literal["chunk", "numpy", "scalar", "other"]
Compare = Literal["value", "shape", "unordered"]


class Inputs(Protocol):
    """What a case draws its operands from.

    The same call runs three times: on the backend (dask arrays of its chunks), on NumPy-backed dask (the oracle), and
    with the namespace `numpy` and plain ndarrays (NumPy itself). `Inputs` hides which one it is. Every array is the
    same in all three; draws are seeded by name.
    """

    x: Any
    """2-d float64, shape (13, 8), uneven chunks; the operand that is crossed where the case allows it."""
    y: Any
    """Like `x`, other values and other chunks."""
    v: Any
    """1-d float64, length 23."""
    w: Any
    """1-d float64, length 23, other values and chunks."""
    cube: Any
    """3-d float64, shape (6, 5, 4)."""
    square: Any
    """2-d float64, shape (8, 8), well conditioned, chunks (4, 4)."""
    spd: Any
    """Like `square`, symmetric positive definite."""
    tall: Any
    """2-d float64, shape (40, 5), chunks (10, 5)."""
    ints: Any
    """2-d int64, shape (13, 8), values -5 .. 20 with repetitions."""
    bools: Any
    """2-d bool, shape (13, 8)."""
    complexes: Any
    """2-d complex128, shape (13, 8)."""
    nans: Any
    """2-d float64, shape (13, 8), some NaN, one row without a finite value excepted: none is all NaN."""
    index: Any
    """1-d int64, length 7, values valid for axis 0 of `x`, negative ones among them."""
    mask: Any
    """1-d bool, length 13: rows of `x`."""

    def array(self, host: Any, chunks: Any = ...) -> Any:
        """A dask array of host data with chunks of the backend (the ndarray itself where NumPy runs)."""

    def device(self, host: Any) -> Any:
        """A bare array of the backend (an ndarray for the oracle and for NumPy)."""

    def host(self, host: Any) -> Any:
        """An ndarray, on the host whatever the backend."""

    @property
    def namespace(self) -> Any:
        """The backend's namespace (numpy for the oracle and for NumPy)."""

    @property
    def backend(self) -> str:
        """The backend's name, as in dask's setting `array.backend`; for cases that require ``backend``."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Case:
    """One call.

    Parameters
    ----------
    name : str
        Readable and stable, without the family: ``mean[axis=0,keepdims]``.
    family : str
        Set by the module that holds the case, where the case does not name it.
    names : tuple of str
        What of the catalogue it covers: ``mean``, ``Array.mean``, ``linalg.qr``, ``random.Generator.normal``,
        ``np.mean``.
    call : callable
        ``call(da, b)`` with `da` the dask.array module (or numpy) and `b` an `Inputs`.
    result : {"chunk", "numpy", "scalar", "other"}
        What each computed chunk must be: the backend's type, host memory, a Python or NumPy scalar, anything
        (then only the value counts).
    rtol, atol : float, optional
        Of the value, per case and with a reason beside it; None takes the backend's for the dtype.
    requires : tuple of str
        Skipped, with that reason, where missing: a module (``scipy``, ``dask>=2026.3``), ``dtype:c16``, ``random`` and
        ``masked`` and ``fft`` of the backend, ``backend`` (dask's setting `array.backend` knows it).
    raises : exception class or tuple of them, optional
        The call is a user's mistake: it must raise one of these or a subclass, and no later than NumPy-backed dask does
        (while the graph is built, or only when it is computed). See `refusals`.
    unsupported : bool
        Where the backend lacks what `requires` asks of it, the call is not skipped: it must raise
        `arrayshim.errors.UnsupportedError` while the graph is built, with the name of the function in its message.
    accepts : str
        Dtype kinds (of ``biufc``) with which `b.x` may be crossed with other inputs; empty: not crossed.
    shapes : str
        Kinds of shape and chunks that crossing may give `b.x`: any of ``0d 1d 2d 3d empty unknown``.
    numpy : bool
        Whether NumPy itself takes the very same call, and is the oracle too.
    compare : {"value", "shape", "unordered"}
        ``shape`` for random draws: shape, dtype, chunk type and meta count, the values do not.
    builds_on : tuple of str
        Full names of cases without which this one says nothing; if one fails, this is ``blocked``.
    equals : callable, optional
        Where NumPy does not take the very same call: ``equals(np, b)`` calls what gives the same. Set from the table of
        the module `equals`.
    """

    name: str
    family: str = ""
    names: tuple[str, ...] = ()
    call: Callable[[Any, Inputs], Any]
    result: Result = "chunk"
    rtol: float | None = None
    atol: float | None = None
    requires: tuple[str, ...] = ()
    raises: type[Exception] | tuple[type[Exception], ...] = ()
    unsupported: bool = False
    accepts: str = ""
    shapes: str = "2d"
    numpy: bool = True
    compare: Compare = "value"
    builds_on: tuple[str, ...] = ()
    equals: Callable[[Any, Inputs], Any] | None = None

    @property
    def asked(self) -> Callable[[Any, Inputs], Any] | None:
        """What NumPy is asked; None where it has nothing to say."""
        return self.call if self.numpy else self.equals

    @property
    def full_name(self) -> str:
        """``family/name``."""
        return f"{self.family}/{self.name}"


def assign(x: Any, key: Any, value: Any) -> Any:
    """A copy of `x` after ``x[key] = value``; a case is an expression, and its operands are shared."""
    x = x.copy()
    x[key] = value
    return x


def rechunked(x: Any, chunks: Any) -> Any:
    """`x` in these chunks; an ndarray, which has none, as it is, so that NumPy can be asked the very same."""
    return x.rechunk(chunks) if hasattr(x, "rechunk") else x
