"""What the engine says of an error."""

from __future__ import annotations

import threading

import dask.array as da
import numpy as np
import pytest

from arrayshim.conformance.case import Case
from arrayshim.conformance.measure import _refused_by_name
from arrayshim.conformance.observe import _blocks, observe, one_line
from arrayshim.conformance.seen import Eyes


def test_a_message_isone_line_and_names_no_folder_of_this_machine():
    error = TypeError('Traceback:\n  File "/home/me/lib/site-packages/dask/array/core.py", line 5, in f')
    assert one_line(error) == 'Traceback: File "dask/array/core.py", line 5, in f'


def test_a_message_is_the_same_in_every_run():
    assert (
        one_line(TypeError(f"not {object()!r}, but <x.Y object at 0x7f3b>")) == "not <object object>, but <x.Y object>"
    )


def test_a_long_message_is_cut():
    assert one_line(ValueError("x" * 400)) == "x" * 297 + "..."


def test_a_chunk_without_axes_is_seen_as_it_is():
    x = da.from_array(np.ma.array(3.0, mask=True))
    (block,) = _blocks(x).item()
    assert type(block) is np.ma.MaskedArray
    assert block.shape == ()
    assert block.mask


def test_a_function_that_the_library_lacks_is_told_from_others_that_dask_calls():
    case = Case(name="n", names=("Array.cumsum", "np.fft.fft"), call=lambda da, b: b.x, numpy=False)
    for name, lacks in (("cumsum", True), ("fft.fft", True), ("fft.fftn", False), ("sum", False), ("array", False)):
        error = f"TypeError: no implementation found for 'numpy.{name}' on types that implement __array_function__: [T]"
        assert _refused_by_name(case, error) == (error if lacks else "")
    assert _refused_by_name(case, "TypeError: cumsum is missing") == ""


#: For chunks of NumPy.
EYES = Eyes(is_own=lambda kind: issubclass(kind, np.ndarray), to_host=np.asarray, scalars=True)


def _by_layout(chunk):
    return chunk if chunk.flags.c_contiguous else np.nextafter(chunk, np.inf)


def _by_layout_too_much(chunk):
    return chunk if chunk.flags.c_contiguous else chunk + 1e-6


def _by_thread(chunk):
    return chunk if threading.current_thread() is threading.main_thread() else np.nextafter(chunk, np.inf)


@pytest.mark.parametrize(("function", "same"), [(_by_layout, True), (_by_layout_too_much, False), (_by_thread, False)])
def test_last_bits_may_depend_on_strides_which_no_pickle_keeps_but_not_on_threads(function, same):
    strided = da.from_array(np.ones(8), chunks=8).map_blocks(lambda chunk: np.repeat(chunk, 2)[::2]).persist()
    case = Case(name="n", names=("map_blocks",), call=lambda da, b: strided.map_blocks(function, dtype="f8"))
    assert observe(case, da, None, EYES).threads is same
