"""NumPy's functions that dask lacks and calls on computed arrays: on a device with all operands there, or refused."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from arrayshim import config
from arrayshim._nested import is_sequence, leaves
from arrayshim.errors import ResidenceError
from arrayshim.residency import home, is_device, moved, to_host, together

#: How a library says that it does not know a function, or not with these operands.
REFUSALS = (TypeError, AttributeError, NotImplementedError)


def lacks(func: Any) -> bool:
    """Whether dask has no function of its own for one of NumPy's."""
    import dask.array as da
    from dask.array.core import _HANDLED_FUNCTIONS

    module: Any = da
    for name in func.__module__.split(".")[1:]:
        module = getattr(module, name, None)
    # What dask takes over as it is would call itself.
    return module is None or (not hasattr(module, func.__name__) and func not in _HANDLED_FUNCTIONS)


def operands(args: Any, kwargs: Any) -> list[Any]:
    """All that is given, in lists too."""
    return list(leaves([*args, *kwargs.values()]))


class OnDevice:
    """A function of NumPy, called with what dask has computed."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        # dask names the function by both in its warning.
        self.__name__, self.__module__ = function.__name__, function.__module__

    @property
    def operation(self) -> str:
        """As a user writes it."""
        return f"np.{'.'.join([*self.function.__module__.split('.')[1:], self.function.__name__])}"

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        device = next(filter(is_device, operands(args, kwargs)), None)
        if device is None:
            return self.function(*args, **kwargs)
        if config.implicit_to_host():
            return self._called(lambda x: to_host(x, self.operation) if is_device(x) else x, args, kwargs)
        try:
            return self.function(*args, **kwargs)
        except REFUSALS as error:
            refusal = error
        try:
            if any(isinstance(x, np.ndarray) for x in operands(args, kwargs)):
                return self._called(lambda x: self._beside(x, device), args, kwargs)
        except ResidenceError:
            raise
        except REFUSALS as error:
            refusal = error
        raise ResidenceError(
            f"{self.operation}: dask has no such function, and that of {home(device).__name__} chunks refused "
            f"({str(refusal).partition(chr(10))[0]}); compute it from functions that dask has, by x.map_blocks, or on "
            "the host: arrayshim.to_numpy(x), or set arrayshim.implicit_to_host to true"
        ) from refusal

    def _beside(self, x: Any, device: Any) -> Any:
        if not isinstance(x, np.ndarray):
            return x
        together([device, x], self.operation)  # refuses as the setting says
        return moved(x, device, self.operation)

    def _called(self, place: Callable[[Any], Any], args: Any, kwargs: Any) -> Any:
        return self.function(*_mapped(place, args), **{name: _mapped(place, x) for name, x in kwargs.items()})


def _mapped(place: Callable[[Any], Any], x: Any) -> Any:
    return type(x)(_mapped(place, item) for item in x) if is_sequence(x) else place(x)
