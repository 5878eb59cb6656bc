"""The public strategies give what they say, and chains that go wrong are found and shrunk."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

from arrayshim import strict
from arrayshim.conformance import fuzz, loading, strategies
from arrayshim.conformance.steps import Step, after

STRICT = loading.load("strict")
FEW = settings(max_examples=20, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@FEW
@given(strategies.chunked_arrays(STRICT, dtypes=("f4", "i8"), max_dims=2))
def test_chunked_array_is_its_host_array(drawn: strategies.Chunked) -> None:
    assert drawn.lazy.chunks == drawn.chunks
    assert drawn.host.dtype in ("f4", "i8")
    assert drawn.host.ndim <= 2
    computed = drawn.lazy.compute()
    assert type(computed) is strict.StrictArray
    np.testing.assert_array_equal(strict.to_host(computed), drawn.host)


@FEW
@given(st.integers(0, 9).flatmap(lambda n: st.tuples(st.just(n), strategies.splits(n))))
def test_splits_add_up(drawn: Any) -> None:
    length, sizes = drawn
    assert sum(sizes) == length
    assert sizes


def test_no_length_and_one_element_are_among_the_chunks() -> None:
    assert 0 in find(strategies.splits(5), lambda sizes: 0 in sizes)
    assert find(strategies.splits(2), lambda sizes: sizes == (1, 1)) == (1, 1)


@FEW
@given(strategies.chains(STRICT, dtypes=("f8",), min_steps=2, max_steps=4, without=frozenset({"exp"})))
def test_chain_is_what_numpy_makes_of_it(chain: strategies.Chain) -> None:
    x = chain.start.host
    for step in chain.steps:
        assert step.kind != "exp"
        with np.errstate(all="ignore"):
            x = np.asarray(step.apply(np, x))
    np.testing.assert_array_equal(x, chain.expected)
    assert len(chain.steps) <= 4


def test_every_step_is_numpy_too() -> None:
    for dtype in ("b1", "i4", "u1", "f8", "c16"):
        for shape in ((), (3,), (2, 3), (2, 0)):
            x = np.ones(shape, dtype)
            for step in after(x, known=True):
                assert isinstance(np.asarray(step.apply(np, x)), np.ndarray)


def test_unknown_sizes_allow_less() -> None:
    x = np.ones(3)
    assert {step.kind for step in after(x, known=False)} < {step.kind for step in after(x, known=True)}


@pytest.fixture
def wrong_after_two(monkeypatch: pytest.MonkeyPatch) -> None:
    """`-(x + 1)` is off; either alone is right."""

    def apply(self: Step, module: Any, x: Any) -> Any:
        result = eval(self.mirror if module is np and self.mirror else self.code, {"da": module, "np": np, "x": x})
        if module is not np and type(x._meta) is strict.StrictArray and self.kind == "negative":
            return result + (1 if str(x.name).startswith("add-") else 0)
        return result

    monkeypatch.setattr(Step, "apply", apply)
    monkeypatch.setattr(fuzz, "_alone", {})
    monkeypatch.setattr(fuzz, "EXAMPLES", 300)
    kept = {"add", "negative"}
    monkeypatch.setattr(strategies, "after", lambda x, known: [s for s in after(x, known=known) if s.kind in kept])
    monkeypatch.setattr(fuzz, "after", lambda x, known: [s for s in after(x, known=known) if s.kind in kept])


@pytest.mark.usefixtures("wrong_after_two")
def test_a_wrong_chain_is_found_and_shrunk() -> None:
    case = fuzz.Fuzz(name="t", family="fuzz", call=lambda da, b: None, seed=1, dtypes=("f8",))
    found = case.run(STRICT)
    assert found["outcome"] == "wrong value"
    assert found["message"].endswith("x + 1 | -x]")  # two steps, no more
    assert "x = x + 1\nx = -x\n" in found["reproducer"]
    compile(found["reproducer"], "<script>", "exec")
    assert found == case.run(STRICT)  # the same seed, the same chain


def test_what_fails_alone_is_left_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "_alone", {})

    def apply(self: Step, module: Any, x: Any) -> Any:
        if module is not np and self.kind == "add":
            raise ValueError("no addition here")
        return eval(self.mirror if module is np and self.mirror else self.code, {"da": module, "np": np, "x": x})

    monkeypatch.setattr(Step, "apply", apply)
    kept = {"add", "square"}
    monkeypatch.setattr(fuzz, "after", lambda x, known: [s for s in after(x, known=known) if s.kind in kept])
    assert fuzz.failing_alone(STRICT, loading.eyes(STRICT), ("f8",)) == {"add"}
