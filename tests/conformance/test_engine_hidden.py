"""Masked operands: some elements are masked, NumPy on masked arrays is the oracle, and a lost mask is a wrong value."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from arrayshim.conformance import catalogue, equals, hidden, inputs, known, loading, reproducer, runner, sources
from arrayshim.conformance.case import Case
from arrayshim.conformance.layouts import BASE, Variation

HERE = str(Path(__file__).parent)


def operands(**options: Any) -> inputs.Operands:
    backend = loading.load("masked")
    return inputs.Operands(backend.to_device, backend.namespace, label="masked", hide=backend.hide, **options)


@pytest.mark.parametrize("name", ["x", "y", "v", "w", "cube", "ints", "complexes", "nans"])
def test_every_sixth_element_is_hidden(name: str) -> None:
    lazy, plain = getattr(operands(), name), getattr(operands(plain=True), name)
    for found in (lazy.compute(scheduler="sync"), plain):
        mask = np.ma.getmaskarray(found)
        assert mask.ravel().nonzero()[0].tolist() == list(range({"y": 1, "w": 1}.get(name, 4), mask.size, 6))
        np.testing.assert_array_equal(np.ma.getdata(found), inputs.host_array(name))


@pytest.mark.parametrize("name", ["square", "spd", "tall", "bools", "index", "mask"])
def test_matrices_masks_and_indices_are_whole(name: str) -> None:
    assert not np.ma.is_masked(getattr(operands(), name).compute(scheduler="sync"))


def test_some_chunks_have_no_mask_at_all() -> None:
    masks = [np.ma.getmask(chunk.compute(scheduler="sync")) for chunk in operands().v.rechunk(3).to_delayed()]
    assert any(mask is np.ma.nomask for mask in masks)
    assert any(mask is not np.ma.nomask for mask in masks)


@pytest.mark.parametrize("layout", ["uneven", "transposed", "strided", "zero", "unknown", "3d", "strided-1d"])
def test_in_a_crossing_the_nans_are_hidden_and_nothing_else(layout: str) -> None:
    crossed = Variation("f4", layout, "nan")
    found = operands(variation=crossed).x.compute(scheduler="sync")
    host = inputs.host_array("x", crossed)
    np.testing.assert_array_equal(np.ma.getmaskarray(found), np.isnan(host))
    assert np.isnan(host).any()
    assert not np.ma.is_masked(operands(variation=Variation("f4", layout)).x.compute(scheduler="sync"))


def test_hiding_leaves_the_layout_of_a_chunk_alone() -> None:
    b = operands(variation=Variation("f8", "strided", "nan"))
    chunk = np.asarray(b.x.to_delayed(), dtype=object).ravel()[0].compute(scheduler="sync")
    assert not chunk.flags.c_contiguous
    assert not chunk.flags.owndata


def test_a_backend_that_hides_nothing_gets_what_it_got() -> None:
    assert hidden.places("square", Variation(), (8, 8), "") is None
    plain = inputs.Operands(np.asarray, np).x
    np.testing.assert_array_equal(plain.compute(scheduler="sync"), inputs.host_array("x"))


@pytest.mark.parametrize(
    ("code", "fillers"),
    [
        ("da.concatenate([b.x, b.y])", [np.nan]),
        ("np.fft.fftshift(b.x)", [np.nan]),
        ("da.linalg.norm(b.v) + da.pad(b.v, 1)", [0.0, np.nan]),
        ("b.x.sum() + my.pad(b.x, 2)", []),
    ],
)
def test_what_stands_in_for_a_hidden_element(code: str, fillers: list[float]) -> None:
    host, away = np.array([1.0, 2.0]), np.array([False, True])
    filled = [fill(host, away)[1] for fill, _ in hidden.stand_ins(code)]
    np.testing.assert_array_equal(filled, fillers)
    for fill, hide in hidden.stand_ins(code):
        value = fill(host, away)[1]
        assert np.ma.getmaskarray(hide(fill(host, away))).tolist() == [False, bool(np.isnan(value))]


def test_no_nan_stands_in_for_an_integer() -> None:
    (fill, _), *_ = hidden.stand_ins("da.roll(da.stack([b.ints, b.ints]))")
    with pytest.raises(TypeError, match="int64 has no NaN"):
        fill(np.array([1]), np.array([True]))


@pytest.fixture(scope="module")
def records() -> Iterator[dict[str, dict[str, Any]]]:
    sys.path.insert(0, HERE)
    found = runner.run("masked", stock=True, timeout=60.0, package="planted_masks")
    yield {record["case"].partition("/")[2]: record for record in found}
    sys.path.remove(HERE)


@pytest.mark.parametrize(
    ("name", "outcome", "message"),
    [
        ("double", "pass", ""),
        ("nans", "pass", ""),
        ("mask itself", "pass", ""),
        ("where", "pass", ""),  # np.where drops the mask
        ("one masked element", "pass", ""),
        ("refused by NumPy", "pass", ""),
        ("dask only", "pass", ""),
        ("told", "pass", ""),  # NumPy is asked for something else that gives the same
        ("told, unmasked", "wrong value", "mask=[[False False ... False False]"),
        ("unmasked", "wrong value", "mask=[[False False ... False False]"),
        ("shifted", "wrong value", "mask=[["),
        ("joined", "pass", ""),  # np.concatenate forgets the masks, dask keeps them
        ("joined, half forgotten", "wrong value", "mask=[["),
        ("norm", "pass", ""),  # np.linalg.norm counts what is masked, dask leaves it out
        ("norm of twice as much", "wrong value", "value["),
    ],
)
def test_a_mask_that_is_lost_or_moved_is_found(records: Any, name: str, outcome: str, message: str) -> None:
    assert (records[name]["outcome"], records[name]["message"][: len(message)]) == (outcome, message)


def test_script_of_a_lost_mask_shows_it(records: Any, tmp_path: Path) -> None:
    script = records["unmasked"]["reproducer"] + "\nprint('HIDDEN', x.compute().mask.sum(), part.mask.sum())\n"
    options: dict[str, Any] = {"text": True, "capture_output": True, "cwd": tmp_path, "timeout": 120}
    done = subprocess.run([sys.executable, "-"], input=script, **options)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split("HIDDEN")[1].split() == ["17", "0"]


@pytest.mark.parametrize("variation", ["f8,uneven,nan", "f4,unknown,nan", "c8,strided,nan"])
def test_script_of_a_crossing_hides_the_nans(variation: str, tmp_path: Path) -> None:
    case = Case(name="n", family="f", call=lambda da, b: b.x + 1)
    preamble = loading.preamble(loading.load("masked"), "masked")
    crossed = Variation.parse(variation)
    script = reproducer.script(case, crossed, preamble, title="t", stock=True, backend="masked", hidden=True)
    script += "\nprint('HIDDEN', part.mask.sum())\n"
    options: dict[str, Any] = {"text": True, "capture_output": True, "cwd": tmp_path, "timeout": 120}
    done = subprocess.run([sys.executable, "-"], input=script, **options)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout.split("HIDDEN")[1]) == np.isnan(inputs.host_array("x", crossed)).sum()


def test_an_operand_that_comes_out_in_another_shape_or_dtype_is_not_held() -> None:
    with pytest.raises(inputs.Unheld, match=r"no float64 of shape \(0,\): it makes \(1, 0\) of it"):
        _ = inputs.Operands(np.atleast_2d, np).v
    with pytest.raises(inputs.Unheld, match=r"no float64 of shape \(0,\): it makes float32 of it"):
        _ = inputs.Operands(np.float32, np).v


def test_every_case_with_hidden_operands_has_an_oracle_or_a_reason() -> None:
    draws = [
        case.full_name
        for case in catalogue.cases()
        if not (case.numpy or case.raises or case.compare == "shape")
        and any(hidden.places(name, BASE, (2, 3), "") for name in sources.operands(case.call))
    ]
    excused = {
        name: [glob for glob in equals.WITHOUT if known.pattern([glob]).fullmatch(name)]
        for name in draws
        if name not in equals.EQUALS
    }
    assert [name for name, reasons in excused.items() if not reasons] == []
    assert {glob for reasons in excused.values() for glob in reasons} == set(equals.WITHOUT)
    assert set(equals.EQUALS) <= set(draws)
