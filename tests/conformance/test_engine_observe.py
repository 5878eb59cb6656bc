"""What the engine says of an error."""

from __future__ import annotations

import dask.array as da
import numpy as np

from arrayshim.conformance.case import Case
from arrayshim.conformance.measure import _refused_by_name
from arrayshim.conformance.observe import _blocks, one_line


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
