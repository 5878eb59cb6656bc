"""Run a case and note what is seen: while the graph is built, of its meta, and of every chunk that is computed."""

from __future__ import annotations

import re
from typing import Any

import cloudpickle  # type: ignore[import-untyped]
import dask
import dask.threaded
import numpy as np
from dask.base import is_dask_collection

from .case import Case
from .seen import Computes, Eyes, Observation, Part, leaves
from .values import difference

#: The folder of an absolute path, as far as the package that it leads to.
_FOLDER = re.compile(r"(?:/[\w.+-]+)+/(?=(?:dask|arrayshim|numpy|cupy|scipy|sparse|distributed)/)")
#: Where an object lies in memory: another place in each run.
_ADDRESS = re.compile(r" at 0x[0-9a-fA-F]+")


def observe(case: Case, da: Any, operands: Any, eyes: Eyes, *, blocks: bool = True, client: Any = None) -> Observation:
    """Run a case on dask.array.

    An exception is noted with the stage it came in, not raised.

    Parameters
    ----------
    case : Case
    da : module
    operands : Inputs
    eyes : Eyes
    blocks : bool
        Compute chunk by chunk too, with threads.
    client : distributed.Client, optional
        To run it there too.
    """
    found = Observation()
    try:
        with eyes.transfers() as moved:
            found.stage = "build"
            with Computes() as computes:
                try:
                    result = case.call(da, operands)
                finally:
                    found.computes = computes.count
            parts = list(leaves(result))
            found.stage = "compute"
            wholes = [x.compute(scheduler="sync") if is_dask_collection(x) else x for _, x in parts]
        found.transfers = getattr(moved, "count", None)
        found.stage = "read"
        for (path, x), whole in zip(parts, wholes, strict=True):
            found.parts.append(_part(path, x, whole, eyes))
        found.stage = "check"
        arrays = [(part, x) for part, (_, x) in zip(found.parts, parts, strict=True) if _is_array(x)]
        if arrays:
            loaded = _repeat(found, arrays, list(leaves(case.call(da, operands))))
            if blocks:
                _block_by_block(found, arrays, loaded, eyes)
            if client is not None and found.threads is not None:
                _on_cluster(found, [x for _, x in arrays], [part for part, _ in arrays], eyes, client)
    except Exception as error:
        if isinstance(error, MemoryError):
            raise
        found.error = f"{type(error).__name__}: {one_line(error)}"
        found.raised = type(error)
    return found


def one_line(error: BaseException) -> str:
    """What an error says, without line breaks and without what is another in each run."""
    # dask quotes tracebacks in some messages; where this machine keeps its libraries is nobody's business.
    text = _ADDRESS.sub("", _FOLDER.sub("", " ".join(str(error).split())))
    return text if len(text) <= 300 else text[:297] + "..."


def _is_array(x: Any) -> bool:
    return is_dask_collection(x) and hasattr(x, "chunks") and hasattr(x, "_meta")


def _part(path: str, x: Any, whole: Any, eyes: Eyes) -> Part:
    part = Part(path, is_dask_collection(x), eyes.seen(whole), eyes.home(whole))
    if _is_array(x):
        part.meta = eyes.seen(x._meta)
        part.chunks = x.chunks
    return part


def _repeat(found: Observation, arrays: list[tuple[Part, Any]], again: Any) -> list[Any]:
    """Compare with a second build, and send it through a pickle; gives what came out of that."""
    there = dict(again)
    originals = [x for _, x in arrays]
    found.token = all(x.name == getattr(there.get(part.path), "name", None) for part, x in arrays)
    try:
        loaded: list[Any] = cloudpickle.loads(cloudpickle.dumps(originals))
    except Exception as error:
        found.pickle = False
        found.notes["pickle"] = f"{type(error).__name__}: {one_line(error)}"
        return originals
    found.pickle = [x.name for x in loaded] == [x.name for x in originals]
    return loaded


def _block_by_block(found: Observation, pairs: list[tuple[Part, Any]], loaded: list[Any], eyes: Eyes) -> None:
    found.threads = True
    originals = {part.path: x for part, x in pairs}
    for (part, _), x in zip(pairs, loaded, strict=True):
        blocks = _blocks(x)
        part.blocks = [eyes.seen(block) for (block,) in blocks.ravel()]
        joined = _joined(blocks, eyes)
        if not _equal(joined, part.value):
            # memory that nobody wrote to, or numbers drawn anew, are another result each time
            again = eyes.home(originals[part.path].compute(scheduler="sync"))
            if not _equal(again, part.value):
                found.threads = None
            else:
                # a pickle keeps no strides, on which the last bits of a sum may depend
                repeated = eyes.home(x.compute(scheduler="sync"))
                found.threads = _equal(joined, repeated) and _close(joined, part.value)


def _blocks(x: Any) -> Any:
    if hasattr(x, "to_delayed"):
        delayed = np.asarray(x.to_delayed(), dtype=object)
        computed = dask.compute(*delayed.ravel(), scheduler="threads", num_workers=2)
    else:  # expression mode
        keys = list(dask.core.flatten(x.__dask_keys__()))
        computed = dask.threaded.get(dict(x.__dask_graph__()), keys)
    found = np.empty(len(computed), dtype=object)
    for i, block in enumerate(computed):
        found[i] = (block,)  # NumPy would take a 0-d array for what is in it
    return found.reshape([len(sizes) for sizes in x.chunks])


def _joined(blocks: Any, eyes: Eyes) -> Any:
    """The host array of all chunks; None where they do not fit together."""
    try:
        return _join(blocks.tolist(), 0, eyes)
    except ValueError:
        return None


def _join(nested: Any, axis: int, eyes: Eyes) -> Any:
    if not isinstance(nested, list):
        return eyes.home(nested[0])
    arrays = [_join(item, axis + 1, eyes) for item in nested]
    masked = any(isinstance(a, np.ma.MaskedArray) for a in arrays)
    return (np.ma if masked else np).concatenate(arrays, axis=axis)


def _close(a: Any, b: Any) -> bool:
    """Whether two results may be those of one sum in two orders."""
    precise = np.asarray(b).dtype.kind in "fc"
    return precise and difference(a, b, rtol=64 * float(np.finfo(np.asarray(b).dtype).eps)) is None


def _equal(a: Any, b: Any) -> bool:
    return np.shape(a) == np.shape(b) and difference(a, b, rtol=0.0) is None


def _on_cluster(found: Observation, arrays: list[Any], parts: list[Part], eyes: Eyes, client: Any) -> None:
    try:
        computed = client.gather(client.compute(arrays))
    except Exception as error:
        found.distributed = False
        found.notes["distributed"] = f"{type(error).__name__}: {one_line(error)}"
        return
    seen = [eyes.seen(x) for x in computed]
    found.distributed = all(
        here.kind == part.whole.kind and _equal(eyes.home(x), part.value)
        for x, here, part in zip(computed, seen, parts, strict=True)
    )
