"""One item in a worker: what the oracle says, what the backend shows, and whose fault it is."""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from importlib import metadata
from typing import Any

import numpy as np

from . import loading, modes, names, refusals, sources
from .alone import Alone
from .case import Case
from .catalogue import Item
from .checks import Context, Oracle, judge
from .inputs import ORACLE, Operands, Unheld
from .layouts import BASE, Variation
from .observe import observe
from .seen import Eyes, Observation, called, leaves

_NUMPY_EYES = Eyes(lambda cls: cls is np.ndarray, np.asarray, scalars=True)


def oracle(item: Item) -> Oracle:
    """Run an item on NumPy-backed dask, and on NumPy itself where the case says that it can.

    An exception is noted, not raised.
    """
    import dask.array as da

    case, variation = item.case, item.variation or BASE
    stock = Observation()
    if hasattr(case, "run") or _missing(case) or _missing_names(case):  # has an oracle of its own, or will be skipped
        return Oracle(stock)
    operands = Operands(_copied, np, variation=variation, label=ORACLE)
    stock = observe(case, da, operands, _NUMPY_EYES, blocks=False)
    if case.raises:
        return Oracle(_refused_by_numpy(case, variation, stock), None, variation.dtype)
    plain = None
    if case.asked and not stock.error:
        operands = Operands(_copied, np, plain=True, variation=variation)
        try:
            plain = [(path, _NUMPY_EYES.home(x)) for path, x in leaves(case.asked(np, operands))]
        except Exception as error:
            if item.like_numpy:
                stock.error, stock.stage = f"{type(error).__name__}: {error}", "numpy"
        else:
            if len(plain) != len(stock.parts):  # a list of one thing is that thing
                stock.error, stock.stage = f"{len(plain)} parts where dask gives {len(stock.parts)}", "numpy"
    return Oracle(stock, plain, variation.dtype)


def _refused_by_numpy(case: Case, variation: Variation, stock: Observation) -> Observation:
    """What stock dask raised, if NumPy raises as much where the call is its own."""
    if case.numpy and refusals.met(case, stock):
        operands = Operands(_copied, np, plain=True, variation=variation)
        try:
            case.call(np, operands)
        except refusals.kinds(case):
            pass
        except Exception as error:
            stock.error, stock.stage = f"{type(error).__name__}: {error}", "numpy"
        else:
            stock.error, stock.stage = "a result", "numpy"
    return stock


def vet(case: Case, variation: Variation) -> tuple[str, str]:
    """What may become of a row of the crossing, for `crossing.write`: run, unlike numpy, or refused; and why."""
    found = oracle(Item(case, variation))
    if found.stock.error:
        return "unlike numpy" if found.stock.stage == "numpy" else "refused", found.stock.error
    outcome, message = judge(Context(case, found.stock, found, "ndarray"))
    return ("run", "") if outcome == "pass" else ("unlike numpy", f"{outcome}: {message}")


def _copied(host: Any) -> Any:
    return host


def subject(item: Item, backend: Any, expected: Oracle, *, client: Any = None) -> dict[str, Any]:
    """Run an item on a backend and judge it.

    Parameters
    ----------
    item : Item
    backend : object
        As `loading.load` gives it.
    expected : Oracle
    client : distributed.Client, optional

    Returns
    -------
    dict
        `outcome`, `message`, `transfers`, `checks`, and whether elements of operands were `hidden`.
    """
    import dask.array as da

    case, variation = item.case, item.variation or BASE
    special = getattr(case, "run", None)
    if special is not None:
        return dict(special(backend))
    reason = _skipped(case, backend, variation.dtype if item.variation else None, variation.place.memory)
    lacking = _lacking(case, backend)
    if reason or (lacking and not case.unsupported):
        return _record("skip", reason or lacking or "")
    if case.raises and (expected.stock.stage == "numpy" or not refusals.met(case, expected.stock)):
        where = "NumPy" if expected.stock.stage == "numpy" else f"NumPy-backed {modes.name()}"
        message = f"{where}={expected.stock.error or 'a result'}, expected {refusals.named(case)}"
        outcome = "error" if expected.stock.stage == "numpy" else "skip"
        return _record(outcome, f"{message} [{sources.shown(case.call)}]")
    if expected.stock.error and not case.raises:
        where = "NumPy" if expected.stock.stage == "numpy" else f"NumPy-backed {modes.name()}"
        outcome = "error" if expected.stock.stage == "numpy" else "skip"
        message = f"{where}={expected.stock.error}, expected a result [{sources.shown(case.call)}]"
        return _record(outcome, message)
    eyes = loading.eyes(backend)
    hide = getattr(backend, "hide", None)
    alone = Alone(case, backend, variation, eyes, hide=hide)
    own = alone.oracles(expected) if hide is not None and item.like_numpy else []
    hide = hide if own else None
    operands = Operands(backend.to_device, backend.namespace, variation=variation, label=backend.name, hide=hide)
    got = observe(case, da, operands, eyes, client=client)
    if got.error.startswith(f"{Unheld.__name__}: "):
        return _record("skip", got.error.partition(": ")[2])
    if case.raises or lacking:
        wanted = refusals.of_backend(case) if lacking else refusals.of_call(case, expected.stock)
        outcome, message = refusals.judge(got, wanted)
        if outcome in ("error", "wrong value") and case.raises and case.numpy and not alone.refuses(wanted.kinds):
            found = alone.error or "no error"
            outcome, message = "not implemented by the backend", f"backend alone={found}, expected {wanted.text}"
        return _record(outcome, f"{message} [{sources.shown(case.call)}]" if message else "", transfers=got.transfers)
    chunk, rtol = called(backend.chunk_types[0]), getattr(backend, "rtol", {})
    context = Context(case, got, expected, chunk, rtol, alone.kinds)
    contexts = [replace(context, oracle=oracle, alone=kinds) for oracle, kinds in own] or [context]
    if not item.like_numpy and expected.plain is not None:
        contexts.append(replace(context, oracle=replace(expected, plain=None)))
    # what any of the oracles takes is right; else what the first says
    outcome, message = min((judge(context) for context in contexts), key=_bad)
    unable = alone.error if case.numpy else _refused_by_name(case, got.error)
    if outcome == "error" and got.error and unable:
        outcome, message = "not implemented by the backend", f"backend alone={unable}, expected a result"
    if not message and got.transfers:
        message = f"transfers={got.transfers}, expected 0"
    checks = {name: getattr(got, name) for name in ("token", "pickle", "threads", "distributed")}
    message += f" [{sources.shown(case.call)}]" if message else ""
    return {**_record(outcome, message, transfers=got.transfers, checks=checks), "hidden": hide is not None}


def _refused_by_name(case: Case, error: str) -> str:
    """An error in which NumPy says that the library has not the very function which the case is about."""
    found = re.search(r"no implementation found for 'numpy\.([\w.]+)'", error)
    return error if found and found[1] in {re.sub(r"^(np|Array)\.", "", name) for name in case.names} else ""


def _bad(finding: tuple[str, str]) -> bool:
    return finding[0] != "pass"


def _record(outcome: str, message: str, *, transfers: int | None = None, checks: Any = None) -> dict[str, Any]:
    empty = dict.fromkeys(("token", "pickle", "threads", "distributed"))
    return {"outcome": outcome, "message": message, "transfers": transfers, "checks": checks or empty}


def _missing_names(case: Case) -> str | None:
    if case.names and not any(names.exists(name) for name in case.names):
        return modes.without(case.names[0])
    return None


def _missing(case: Case) -> str | None:
    """A module or a version that a case requires and that is not here."""
    for need in case.requires:
        if need in _FEATURES or need.startswith("dtype:"):
            continue
        package, *bound = re.split(r">=", need)
        if importlib.util.find_spec(package) is None:
            return f"{package} is not installed"
        if bound and _version(metadata.version(package)) < _version(bound[0]):
            return f"{package} {metadata.version(package)} found, {need} is needed"
    return None


def _version(text: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r"\d+", text)[:3])


def _is_backend_of_dask(backend: Any) -> bool:
    """Whether dask's setting `array.backend` knows it; stock dask knows NumPy and CuPy."""
    from dask.array.backends import array_creation_dispatch

    try:
        array_creation_dispatch.dispatch(backend.name)
    except ValueError:
        return False
    return True


#: What a case may require of a backend: how it is seen, and what is said where it is not.
_FEATURES: Mapping[str, tuple[Callable[[Any], bool], str]] = {
    "random": (
        lambda b: (
            hasattr(getattr(b.namespace, "random", None), "RandomState") or getattr(b, "random_state", None) is not None
        ),
        "the backend draws no random numbers",
    ),
    "masked": (
        lambda b: hasattr(b.namespace, "ma") or issubclass(b.chunk_types[0], np.ma.MaskedArray),
        "the backend has no masked arrays",
    ),
    "fft": (lambda b: hasattr(b.namespace, "fft"), "the backend has no fft"),
    "backend": (_is_backend_of_dask, "dask's setting array.backend does not know the backend"),
}


def _skipped(case: Case, backend: Any, dtype: str | None, memory: str) -> str | None:
    reason = _missing(case) or _missing_names(case)
    if reason:
        return reason
    held = getattr(backend, "dtypes", None)
    wanted = [need.removeprefix("dtype:") for need in case.requires if need.startswith("dtype:")]
    for name in [*wanted, *([dtype] if dtype else [])]:
        if held is not None and name not in held:
            return f"the backend has no {name}"
    if memory != "plain" and memory not in getattr(backend, "variants", ()):
        return f"the backend has no {memory} arrays"
    return None


def _lacking(case: Case, backend: Any) -> str | None:
    """A feature that the case requires and that the backend has not."""
    for need in case.requires:
        if need in _FEATURES and not _FEATURES[need][0](backend):
            return _FEATURES[need][1]
    return None
