"""The calls in the documentation of the repairs, run: ``python -m arrayshim.upstream.examples ID ...``.

The dask is that of the process, as it is; `cupy` is the strict stand-in of this library, which dask's tables know as
they know CuPy. Prints JSON: by id, the calls and what each of them showed.
"""

from __future__ import annotations

import ast
import doctest
import importlib
import inspect
import io
import json
import re
import sys
from collections.abc import Iterable
from contextlib import redirect_stdout
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from arrayshim.upstream.reproducers import REPRODUCERS

#: What a call finds besides what the calls before it have made; the first lines of a reproducer.
PREAMBLE = """\
import dask, dask.array as da, numpy, numpy as np
from arrayshim.strict import conversions as copies_to_host, namespace as cupy  # a stand-in on a CPU
from arrayshim.upstream.examples import Unknown, prepare
prepare()  # dask's tables know the stand-in as they know CuPy
"""

#: Functions that a dask backend makes arrays by; the others go through NumPy's in stock dask.
_CREATED_BY_BACKEND = ("empty", "full", "ones", "zeros", "arange")


@dataclass(frozen=True, slots=True)
class Shown:
    """One call and what it showed: its value, as an interpreter prints it, or its error."""

    source: str
    output: str


class _Unknown:
    """Makes arrays of a type that is in no table of dask."""

    @cached_property
    def _type(self) -> type:
        from arrayshim import strict

        return strict.fresh_type("Unknown")

    def __call__(self, values: Any) -> Any:
        from arrayshim import strict

        return strict.asarray(np.array(values), kind=self._type)


Unknown = _Unknown()


def of(fix_id: str) -> list[str]:
    """The calls that show the fault of a repair, in order."""
    if fix_id in REPRODUCERS:
        return list(REPRODUCERS[fix_id])
    text = inspect.cleandoc(importlib.import_module(f"arrayshim.fixes.{fix_id}").__doc__ or "")
    return [example.source for example in doctest.DocTestParser().get_examples(text)]


def show(sources: Iterable[str]) -> list[Shown]:
    """Run calls one after the other in one namespace; an error of one does not end the others."""
    names: dict[str, Any] = {}
    exec(PREAMBLE, names)
    return [Shown(source.rstrip("\n"), _output(source, names)) for source in sources]


def _output(source: str, names: dict[str, Any]) -> str:
    written = io.StringIO()
    with redirect_stdout(written):
        try:
            # doctest's sources may be statements of several lines; "single" prints what an interpreter prints
            for statement in ast.parse(source).body:
                exec(compile(ast.Interactive([statement]), "<example>", "single"), names)
        except Exception as error:
            print(f"{type(error).__name__}: {' '.join(str(error).split())[:300]}")
    # Addresses are of one process.
    return re.sub(r"\b0x[0-9a-f]{6,}\b", "0x...", written.getvalue().rstrip("\n"))


def prepare() -> None:
    """Tell dask of the stand-in what it knows of CuPy, the setting `array.backend: cupy` included."""
    import dask
    import dask.array as da
    from dask.array.backends import ArrayBackendEntrypoint, array_creation_dispatch

    from arrayshim import strict
    from arrayshim.conformance import loading

    loading.load("strict").register()

    def made_by(name: str) -> Any:
        def make(*args: Any, meta: Any = None, **kwargs: Any) -> Any:
            with dask.config.set({"array.backend": "numpy"}):
                return getattr(da, name)(*args, meta=strict.namespace.empty(()) if meta is None else meta, **kwargs)

        return staticmethod(make)

    def to_backend(data: Any, **kwargs: Any) -> Any:
        return data.map_blocks(strict.to_device, **kwargs)

    created = {"to_backend": staticmethod(to_backend), **{name: made_by(name) for name in _CREATED_BY_BACKEND}}
    array_creation_dispatch._lookup["cupy"] = type("StandIn", (ArrayBackendEntrypoint,), created)()


def main(ids: list[str]) -> None:
    """Print what the calls of some repairs show here."""
    import warnings

    warnings.simplefilter("ignore")
    shown = {name: [[it.source, it.output] for it in show(of(name))] for name in ids}
    json.dump(shown, sys.stdout, indent=1)


if __name__ == "__main__":
    main(sys.argv[1:])
