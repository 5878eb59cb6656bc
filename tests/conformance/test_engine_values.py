"""What counts as equal, and how a difference is told."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from arrayshim.conformance.values import difference, in_order, tolerance

NAN, INF = np.nan, np.inf


@pytest.mark.parametrize(
    ("got", "wanted"),
    [
        (np.array([1.0, NAN, INF]), np.array([1.0, NAN, INF])),
        (np.array([1.0 + 1e-12]), np.array([1.0])),
        (np.array([1e-14, 100.0]), np.array([0.0, 100.0])),  # small beside the largest
        (np.array([complex(NAN, 1)]), np.array([complex(NAN, 1 + 1e-12)])),
        (np.ma.array([1.0, 2.0], mask=[0, 1]), np.ma.array([1.0, 9.0], mask=[0, 1])),
        (np.array([True, False]), np.array([True, False])),
        (np.array(["a"]), np.array(["a"])),
        (3, np.int64(3)),
        (float("nan"), float("nan")),
        ("text", "text"),
        (np.zeros((0, 3)), np.zeros((0, 3))),
    ],
)
def test_equal(got: Any, wanted: Any) -> None:
    assert difference(got, wanted, rtol=1e-10) is None


@pytest.mark.parametrize(
    ("got", "wanted", "told"),
    [
        (np.array([[1.0, 2.0], [3.0, 4.0]]), np.array([[1.0, 2.0], [3.5, 4.0]]), "value[1, 0]=3.0, expected 3.5"),
        (np.array([1.001]), np.array([1.0]), "value[0]=1.001, expected 1.0"),
        (np.array([NAN]), np.array([1.0]), "value[0]=nan, expected 1.0"),
        (np.array([INF]), np.array([-INF]), "value[0]=inf, expected -inf"),
        (np.array([1, 2]), np.array([1, 3]), "value[1]=2, expected 3"),
        (np.array([True]), np.array([False]), "value[0]=True, expected False"),
        (np.array(2.0), np.array(3.0), "value=2.0, expected 3.0"),
        (np.ma.array([1.0], mask=[1]), np.ma.array([1.0], mask=[0]), "mask=[ True], expected [False]"),
        ("a", "b", "value='a', expected 'b'"),
        (np.array(["a"]), np.array(["b"]), "value=['a'], expected ['b']"),
    ],
)
def test_different(got: Any, wanted: Any, told: str) -> None:
    assert difference(got, wanted, rtol=1e-10) == told


def test_integers_are_exact_whatever_the_tolerance() -> None:
    assert difference(np.array([10**6]), np.array([10**6 + 1]), rtol=1e-2) is not None


def test_atol_is_added() -> None:
    assert difference(np.array([0.1]), np.array([0.0]), rtol=0.0, atol=0.2) is None


def test_tolerance_is_that_of_the_least_precise() -> None:
    assert tolerance(["f8", "f2"], {}) == tolerance(["f2"], {})
    assert tolerance(["f8"], {"f8": 0.5}) == 0.5
    assert tolerance(["f8"], {}) < 1e-9


def test_order_does_not_count_where_it_is_not_promised() -> None:
    assert difference(in_order(np.array([3, 1, 2])), in_order(np.array([[1], [2], [3]])), rtol=0.0) is None
    assert in_order(np.array([2j, 1 + 1j, 1j])).tolist() == [1j, 2j, 1 + 1j]
