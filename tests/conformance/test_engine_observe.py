"""What the engine says of an error."""

from __future__ import annotations

from arrayshim.conformance.observe import _one_line


def test_a_message_is_one_line_and_names_no_folder_of_this_machine():
    error = TypeError('Traceback:\n  File "/home/me/lib/site-packages/dask/array/core.py", line 5, in f')
    assert _one_line(error) == 'Traceback: File "dask/array/core.py", line 5, in f'


def test_a_long_message_is_cut():
    assert _one_line(ValueError("x" * 400)) == "x" * 297 + "..."
