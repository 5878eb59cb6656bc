"""`fft_wrap_sample`: a library's own FFT can be wrapped."""

from __future__ import annotations

import inspect

import dask.array as da
import numpy as np
import pytest
from honest import lazy, same

import arrayshim
from arrayshim import strict
from arrayshim.fixes.fft_wrap_sample import FIX

TABLE = np.arange(48.0).reshape(6, 8)


@pytest.fixture(params=["StrictArray", "Fresh"])
def kind(request):
    with arrayshim.scope(only=["fft_wrap_sample", "inferred_meta"]):
        yield strict.StrictArray if request.param == "StrictArray" else strict.fresh_type("Fresh")


def test_the_smallest_call_failed_before(kind):
    own = strict.namespace_of(kind).fft.fft
    with arrayshim.scope(only=()):
        assert "cannot be wrapped" in FIX.diagnose()
        with pytest.raises(TypeError, match="Unsupported type"):
            da.fft.fft_wrap(own)(lazy(TABLE, kind, (2, 8)))
    assert FIX.diagnose() is None


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_along_an_axis(kind, name):
    wrapped = da.fft.fft_wrap(getattr(strict.namespace_of(kind).fft, name))
    expected = getattr(np.fft, name)
    same(wrapped(lazy(TABLE, kind, (2, 8))), expected(TABLE), kind, rtol=1e-12)
    same(wrapped(lazy(TABLE, kind, (6, 4)), axis=0, n=4), expected(TABLE, axis=0, n=4), kind, rtol=1e-12)


@pytest.mark.parametrize("name", ["fft2", "rfftn"])
def test_along_more_axes(kind, name):
    wrapped = da.fft.fft_wrap(getattr(strict.namespace_of(kind).fft, name))
    same(wrapped(lazy(TABLE, kind, (6, 8))), getattr(np.fft, name)(TABLE), kind, rtol=1e-9)


def test_a_dtype_that_was_given(kind):
    wrapped = da.fft.fft_wrap(strict.namespace_of(kind).fft.fft, dtype="c16")
    same(wrapped(lazy(TABLE, kind, (2, 8))), np.fft.fft(TABLE), kind, rtol=1e-12)


def test_names_and_signatures():
    with arrayshim.scope(only=()):
        stock = [da.fft.fft_wrap(np.fft.fft), da.fft.fft_wrap(np.fft.fft2)]
    with arrayshim.scope(only=["fft_wrap_sample"]):
        for ours, before in zip([da.fft.fft_wrap(np.fft.fft), da.fft.fft_wrap(np.fft.fft2)], stock, strict=True):
            assert (ours.__name__, ours.__doc__) == (before.__name__, before.__doc__)
            assert inspect.signature(ours) == inspect.signature(before)


def test_numpy_chunks_and_lists_as_before():
    with arrayshim.scope(only=["fft_wrap_sample"]):
        wrapped = da.fft.fft_wrap(np.fft.fft)
        x = da.from_array(TABLE, chunks=(2, 8))
        assert wrapped(x).name == da.fft.fft(x).name
        np.testing.assert_array_equal(wrapped(x).compute(), np.fft.fft(TABLE), strict=True)
        np.testing.assert_array_equal(wrapped([1.0, 2.0]).compute(), np.fft.fft([1.0, 2.0]), strict=True)
