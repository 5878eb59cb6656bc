"""A library whose arrays are called `ndarray`, as CuPy's are, is held to what any other is."""

from __future__ import annotations

import numpy as np
import pytest
from planted_faults import CASES

import arrayshim
from arrayshim.conformance import backends, measure
from arrayshim.conformance.catalogue import Item
from arrayshim.conformance.seen import called
from arrayshim.strict import StrictArray

FAULTS = {
    "to_numpy": ("wrong chunk type", "type(chunk[0, 0])=ndarray, expected arrayshim.ndarray"),
    "lying": ("meta lies", "type(_meta)=ndarray, expected arrayshim.ndarray"),
    "honest": ("pass", ""),
}


@pytest.fixture
def renamed():
    name = StrictArray.__name__
    StrictArray.__name__ = "ndarray"
    yield
    StrictArray.__name__ = name


@pytest.mark.usefixtures("renamed")
@pytest.mark.parametrize("name", FAULTS)
def test_its_silent_numpy_arrays_are_found(name):
    item = Item(next(case for case in CASES if case.name == name))
    with arrayshim.scope(only=()):
        expected = measure.oracle(item)
        found = measure.subject(item, backends.get("strict"), expected)
    assert (found["outcome"], found["message"].partition(" [mapped")[0].partition(" [lying")[0]) == FAULTS[name]


def test_types_are_called_by_their_names():
    assert called(np.ndarray) == "ndarray"
    assert called(np.float64) == "float64"
    assert called(StrictArray) == "StrictArray"
    assert called(type("ndarray", (), {"__module__": "cupy._core.core"})) == "cupy.ndarray"
