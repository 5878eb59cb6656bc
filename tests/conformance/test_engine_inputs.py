"""Operands are the same values everywhere, laid out as they say."""

from __future__ import annotations

from typing import Any

import dask.array as da
import numpy as np
import pytest

from arrayshim import strict
from arrayshim.conformance import inputs
from arrayshim.conformance.case import assign
from arrayshim.conformance.layouts import DTYPES, LAYOUTS, Variation

SHAPES = {
    "x": ((13, 8), "f8"),
    "y": ((13, 8), "f8"),
    "v": ((23,), "f8"),
    "w": ((23,), "f8"),
    "cube": ((6, 5, 4), "f8"),
    "square": ((8, 8), "f8"),
    "spd": ((8, 8), "f8"),
    "tall": ((40, 5), "f8"),
    "ints": ((13, 8), "i8"),
    "bools": ((13, 8), "b1"),
    "complexes": ((13, 8), "c16"),
    "nans": ((13, 8), "f8"),
    "index": ((7,), "i8"),
    "mask": ((13,), "b1"),
}


def operands(**options: Any) -> inputs.Operands:
    """Of strict chunks."""
    return inputs.Operands(strict.to_device, strict.namespace, label="strict", **options)


def first_chunk(lazy: Any) -> Any:
    """As a task would get it; `compute` hands out copies."""
    return np.asarray(lazy.to_delayed(), dtype=object).ravel()[0].compute(scheduler="sync")


@pytest.mark.parametrize("name", SHAPES)
def test_operand_is_as_promised(name: str) -> None:
    shape, dtype = SHAPES[name]
    lazy = getattr(operands(), name)
    assert (lazy.shape, lazy.dtype) == (shape, np.dtype(dtype))
    assert type(lazy._meta) is strict.StrictArray
    np.testing.assert_array_equal(lazy.compute().get(), inputs.host_array(name))
    plain = getattr(operands(plain=True), name)
    np.testing.assert_array_equal(plain.get(), inputs.host_array(name))


def test_every_operand_of_the_contract_is_there() -> None:
    assert set(inputs.NAMES) == set(SHAPES)
    with pytest.raises(AttributeError, match="there is no operand 'z'"):
        _ = operands().z


def test_properties_of_values() -> None:
    spd, nans = inputs.host_array("spd"), inputs.host_array("nans")
    assert (spd == spd.T).all()
    assert (np.linalg.eigvalsh(spd) > 0).all()
    assert np.linalg.cond(inputs.host_array("square")) < 10
    assert np.isnan(nans).any()
    assert not np.isnan(nans).all(axis=0).any()
    assert not np.isnan(nans).all(axis=1).any()
    index = inputs.host_array("index")
    assert (index < 0).any()
    assert ((index >= -13) & (index < 13)).all()


@pytest.mark.parametrize("layout", [name for name in LAYOUTS if name != "read-only"])  # which strict arrays cannot be
@pytest.mark.parametrize("dtype", ["f4", "u2", "c8"])
def test_layout_is_as_it_says(layout: str, dtype: str) -> None:
    variation = Variation(dtype, layout)
    b = operands(variation=variation)
    place = variation.place
    assert b.x.dtype == np.dtype(dtype)
    computed = b.x.compute()
    np.testing.assert_array_equal(strict.to_host(computed), inputs.host_array("x", variation))
    if place.known:
        assert b.x.chunks == place.chunks
    else:
        assert np.isnan(b.x.chunks[0]).all()
    assert b.mask.shape == (place.shape[0] if place.shape else 0,)
    chunk = first_chunk(b.x)
    if place.memory == "strided":
        assert not chunk.flags.c_contiguous
        assert not chunk.flags.f_contiguous
        assert not chunk.flags.owndata
    if place.memory == "transposed":
        assert chunk.flags.f_contiguous
        assert not chunk.flags.c_contiguous


def test_read_only_chunks_of_numpy() -> None:
    b = inputs.Operands(np.asarray, np, variation=Variation("f8", "read-only"))
    assert not first_chunk(b.x).flags.writeable


@pytest.mark.parametrize("dtype", DTYPES)
def test_expression_draws_the_dtype(dtype: str) -> None:
    for values in ("plain", "nan", "inf") if np.dtype(dtype).kind in "fc" else ("plain",):
        drawn = inputs.host_array("x", Variation(dtype, "regular", values))
        assert drawn.dtype == np.dtype(dtype)
        assert np.isnan(drawn).any() == (values == "nan")
        assert np.isinf(drawn).any() == (values == "inf")


def test_variation_is_written_as_it_is_read() -> None:
    for text in ("f4,uneven", "c16,3d,nan"):
        assert str(Variation.parse(text)) == text


def test_operand_changed_in_place_is_whole_the_next_time() -> None:
    b = operands()
    x = b.x
    x[0] = 7.0
    assert strict.to_host(b.x.compute())[0, 0] == inputs.host_array("x")[0, 0]


def test_names_do_not_change_from_one_build_to_the_next() -> None:
    assert operands().x.name == operands().x.name
    assert operands().array(np.ones(3)).name == operands().array(np.ones(3)).name
    assert operands().array(np.ones(3)).name != operands().array(np.zeros(3)).name
    assert operands().x.name != operands(variation=Variation("f4")).x.name


def test_array_cuts_every_axis_in_two_or_as_told() -> None:
    b = operands()
    assert b.array(np.zeros((5, 4))).chunks == ((3, 2), (2, 2))
    assert b.array(np.zeros(5), 2).chunks == ((2, 2, 1),)
    assert type(b.device(np.zeros(2))) is strict.StrictArray
    assert type(b.host(np.zeros(2))) is np.ndarray


def test_what_a_backend_cannot_hold_is_told_apart() -> None:
    def to_device(host: Any) -> Any:
        raise TypeError("two axes only")

    with pytest.raises(inputs.Unheld, match=r"the backend holds no float64 of shape \(0,\): TypeError: two axes only"):
        _ = inputs.Operands(to_device, np).v


def test_assign_leaves_its_operand_alone() -> None:
    x = da.zeros(3, chunks=2)
    np.testing.assert_array_equal(assign(x, 1, 5.0).compute(), [0, 5, 0])
    np.testing.assert_array_equal(x.compute(), [0, 0, 0])
