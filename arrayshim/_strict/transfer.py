"""From a strict array to the host: every way is explicit, and counted."""

from __future__ import annotations

import pickle
import warnings
from typing import Any

import numpy

from .layout import Layout
from .memory import count_copy

np: Any = numpy


class Transfer(Layout):
    """What copies values to the host, and the refusal of the implicit way."""

    __slots__ = ()

    def get(self, stream: Any = None, order: str = "C", out: Any = None, blocking: bool = True) -> Any:
        """Copy to the host.

        Parameters
        ----------
        stream, blocking
            Accepted, without effect.
        order : {"C", "F", "A"}
            Layout of the result.
        out : numpy.ndarray, optional
            Of the same dtype and shape; filled and returned.

        Returns
        -------
        numpy.ndarray
            A copy, counted by `arrayshim.strict.conversions`.
        """
        if out is None:
            if order.upper() not in ("C", "F", "A"):
                raise ValueError(f"unsupported order: {order}")
            count_copy(self.nbytes)
            return self._host.copy(order=order.upper())
        if not isinstance(out, np.ndarray):
            raise TypeError("Only numpy.ndarray can be obtained from cupy.ndarray")
        if out.dtype != self.dtype:
            raise TypeError(f"{out.dtype} array cannot be obtained from {self.dtype} array")
        if out.shape != self.shape:
            raise ValueError(f"Shape mismatch. Expected shape: {self.shape}, actual shape: {out.shape}")
        if not out.flags.forc:
            raise RuntimeError("`out` cannot be specified when copying to non-contiguous ndarray")
        count_copy(self.nbytes)
        np.copyto(out, self._host)
        return out

    def set(self, arr: Any, stream: Any = None) -> None:
        """Copy from a host array of the same dtype and shape."""
        if not isinstance(arr, np.ndarray):
            raise TypeError("Only numpy.ndarray can be set to cupy.ndarray")
        if arr.dtype != self.dtype:
            raise TypeError(f"{arr.dtype} array cannot be set to {self.dtype} array")
        if arr.shape != self.shape:
            raise ValueError(f"Shape mismatch. Old shape: {self.shape}, new shape: {arr.shape}")
        if not self._host.flags.forc:
            raise RuntimeError("Cannot set to non-contiguous array")
        np.copyto(self._host, arr)

    def item(self) -> Any:
        """The only element as a Python scalar."""
        if self.size != 1:
            raise ValueError("can only convert an array of size 1 to a Python scalar")
        return self._to_host().item()

    def tolist(self) -> Any:
        """Nested lists of Python scalars."""
        return self._to_host().tolist()

    def tobytes(self, order: str = "C") -> bytes:
        """The elements as bytes."""
        found: bytes = self._to_host().tobytes(order)
        return found

    def tofile(self, fid: Any, sep: str = "", format: str = "%s") -> None:
        """Write the elements to a file."""
        self._to_host().tofile(fid, sep, format)

    def dump(self, file: Any) -> None:
        """Pickle into an open file."""
        pickle.dump(self, file, -1)

    def dumps(self) -> bytes:
        """Pickle into bytes."""
        return pickle.dumps(self, -1)

    def __array__(self, dtype: Any = None, copy: Any = None) -> Any:
        raise TypeError(
            "Implicit conversion to a NumPy array is not allowed. "
            "Please use `.get()` to construct a NumPy array explicitly."
        )

    def __bool__(self) -> bool:
        if self.size == 0:
            warnings.warn(
                "The truth value of an empty array is ambiguous. Returning False, but in future this will result in "
                "an error. Use `array.size > 0` to check that an array is not empty.",
                DeprecationWarning,
                stacklevel=2,
            )
            return False
        if self.size > 1:
            raise ValueError(
                "The truth value of an array with more than one element is ambiguous. Use a.any() or a.all()"
            )
        return bool(self._to_host())

    def __int__(self) -> int:
        return int(self._to_host())

    def __float__(self) -> float:
        return float(self._to_host())

    def __complex__(self) -> complex:
        return complex(self._to_host())

    def __bytes__(self) -> bytes:
        return bytes(self._to_host())

    def __str__(self) -> str:
        return str(self._to_host())

    def __repr__(self) -> str:
        return repr(self._to_host()).replace("array(", f"{type(self).__name__}(", 1)

    def __format__(self, format_spec: str) -> str:
        return format(self._to_host(), format_spec)
