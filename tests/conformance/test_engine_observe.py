"""What the engine says of an error."""

from __future__ import annotations

import dask.array as da
import numpy as np

from arrayshim.conformance.observe import _blocks, _one_line


def test_a_message_is_one_line_and_names_no_folder_of_this_machine():
    error = TypeError('Traceback:\n  File "/home/me/lib/site-packages/dask/array/core.py", line 5, in f')
    assert _one_line(error) == 'Traceback: File "dask/array/core.py", line 5, in f'


def test_a_long_message_is_cut():
    assert _one_line(ValueError("x" * 400)) == "x" * 297 + "..."


def test_a_chunk_without_axes_is_seen_as_it_is():
    x = da.from_array(np.ma.array(3.0, mask=True))
    (block,) = _blocks(x).item()
    assert type(block) is np.ma.MaskedArray
    assert block.shape == ()
    assert block.mask
