"""Every state that a fix can be in, on a dask with one more module that has a fault of its own."""

from __future__ import annotations

import sys

import dask.array as da
import pytest

import arrayshim
from arrayshim import applying, compat
from arrayshim.errors import ForeignPatchWarning
from arrayshim.ledger import Ledger

MISSING = "dask.arrayshim_fake.nothing"
#: A row for a table that does not exist: the swap fails after the targets have been swapped.
FAILING = """
FIX.registers("no such table", object)(answer)
"""


def held(module):
    """What every holder of `answer` in the fake module gives for 1."""
    holder = module.Holder()
    return module.answer(1), *module.user(1), type(holder).method(1), holder.other(), module.BY_NAME["answer"](1)


def test_faulty_applied_and_faulty_again(fake_dask, status_of):
    fake_dask.add_fix()
    assert held(fake_dask.module) == (2,) * 6
    assert (status_of("fake").state, status_of("fake").detail) == ("faulty", "answer(1) is 2")
    with arrayshim.scope(only=["fake"]):
        assert held(fake_dask.module) == (3,) * 6
        assert (status_of("fake").state, status_of("fake").detail) == ("applied", "")
    assert held(fake_dask.module) == (2,) * 6
    assert status_of("fake").state == "faulty"


def test_healthy_where_the_range_does_not_hold_this_dask(fake_dask, status_of):
    fake_dask.add_fix(affects="<2025.1")
    exec("def answer(x): return x + 2", vars(fake_dask.module))
    with arrayshim.scope(only=["fake"]):
        assert status_of("fake").state == "healthy"
        assert "fake" not in applying.applied
        assert fake_dask.module.answer(1) == 3


def test_drifted_where_the_target_is_gone(fake_dask, status_of):
    fake_dask.add_fix(end=f"FIX.replaces({MISSING!r})(lambda x: x)")
    with arrayshim.scope(only=["fake"]):
        status = status_of("fake")
        assert status.state == "drifted"
        assert MISSING in status.detail
        assert "\n" not in status.detail
        assert held(fake_dask.module) == (2,) * 6


def test_drifted_where_the_file_leans_on_a_name_that_this_dask_lacks(fake_dask, status_of):
    fake_dask.add_fix(source="from dask.array.backends import no_such_name")
    with arrayshim.scope(only=["fake"]):
        status = status_of("fake")
    assert status.state == "drifted"
    assert "no_such_name" in status.detail
    assert "no_such_name" in arrayshim.explain("fake")


def test_failed_leaves_nothing_behind(fake_dask, status_of):
    fake_dask.add_fix(end=FAILING)
    stock = fake_dask.module.answer
    with arrayshim.scope(only=["fake"]):
        status = status_of("fake")
        assert status.state == "failed"
        assert "no such table" in status.detail
        assert fake_dask.module.answer is stock
        assert held(fake_dask.module) == (2,) * 6


def test_one_that_fails_does_not_cost_the_others(fake_dask, status_of):
    fake_dask.add_fix(end=FAILING)
    with arrayshim.scope():
        assert status_of("fake").state == "failed"
        assert status_of("numel").state == "applied"


def test_what_leans_on_one_that_fails_is_not_applied_either(fake_dask, status_of):
    fake_dask.add_fix(end=FAILING)
    fake_dask.add_fix("second", FAKE_SECOND.replace("__name__,", '__name__, after=("fake",),'))
    with arrayshim.scope(only=["second"]):
        assert (status_of("second").state, status_of("second").detail) == (
            "failed",
            "it leans on fake, which is failed",
        )
        assert not applying.applied


def test_foreign_before(fake_dask, status_of, monkeypatch):
    fake_dask.add_fix()
    theirs = lambda x: 40  # noqa: E731
    monkeypatch.setattr(fake_dask.module, "answer", theirs)
    with arrayshim.scope(only=["fake"]):
        assert status_of("fake").state == "foreign"
        assert fake_dask.module.answer is theirs
    assert fake_dask.module.answer is theirs


def test_foreign_since_is_warned_of_and_survives(fake_dask, status_of):
    fake_dask.add_fix()
    theirs = lambda x: 40  # noqa: E731
    with arrayshim.scope(only=["fake"]):
        fake_dask.module.answer = theirs
        assert status_of("fake").state == "foreign"
        with pytest.warns(ForeignPatchWarning, match=r"fake: .*answer was replaced by somebody else") as caught:
            arrayshim.disable()
        assert [warning.filename for warning in caught] == [__file__]
    assert held(fake_dask.module) == (40, *(2,) * 5)
    with arrayshim.scope(only=["fake"]):
        assert status_of("fake").state == "foreign"
        assert fake_dask.module.answer is theirs


def test_ours_put_back_by_somebody_who_had_saved_it(fake_dask, status_of, recwarn):
    fake_dask.add_fix()
    module = fake_dask.module
    stock = module.answer
    with arrayshim.scope(only=["fake"]):
        saved = module.answer
        module.answer = lambda x: 40
    module.answer = saved
    assert len(recwarn.list) == 1
    with arrayshim.scope(only=["fake"]):
        assert status_of("fake").state == "applied"
        assert held(module) == (3,) * 6
    assert module.answer is stock


def test_stock_put_back_is_foreign_but_no_reason_to_warn(fake_dask, status_of):
    fake_dask.add_fix()
    stock = fake_dask.module.answer
    with arrayshim.scope(only=["fake"]):
        fake_dask.module.answer = stock
        assert status_of("fake").state == "foreign"
    assert held(fake_dask.module) == (2,) * 6


def test_bypassed_in_expression_mode(fake_dask, status_of, monkeypatch):
    fake_dask.add_fix(options=", array_expr=False")
    with arrayshim.scope(only=()), monkeypatch.context() as patched:
        patched.setattr(da, "ARRAY_EXPR_ENABLED", True)
        arrayshim.enable(only=["fake"])
        assert status_of("fake").state == "bypassed"
        assert held(fake_dask.module) == (2,) * 6


def test_unknown_where_the_probe_itself_fails(fake_dask, status_of, monkeypatch):
    fake_dask.add_fix()
    monkeypatch.delattr(fake_dask.module, "answer")
    status = status_of("fake")
    assert (status.state, status.detail) == (
        "unknown",
        "the probe itself failed: AttributeError: module 'dask.arrayshim_fake' has no attribute 'answer'",
    )


def test_every_state_is_printed_with_its_reason(fake_dask):
    fake_dask.add_fix()
    text = arrayshim.explain("fake")
    assert "`answer` is one too small." in text
    assert "state     faulty (answer(1) is 2)" in text
    assert "targets   dask.arrayshim_fake.answer" in text


@pytest.mark.parametrize("before", [True, False])
def test_an_interrupt_at_any_point_rolls_back_what_the_call_did(fake_dask, monkeypatch, before):
    """Ctrl-C before and after each single write of `enable` and of `disable`."""
    fake_dask.add_fix()
    fake_dask.add_fix("second", FAKE_SECOND)
    module = fake_dask.module
    stock = dict(vars(module))
    monkeypatch.setattr(sys.modules["arrayshim.ledger"], "Change", _interrupting(monkeypatch, before))
    with arrayshim.scope(only=()):
        writes = _count(lambda: arrayshim.enable(only=["fake", "second"]))
        assert held(module) == (3,) * 6
        undos = _count(lambda: arrayshim.disable())
        assert writes == undos > 8
        for n in range(writes):
            with pytest.raises(KeyboardInterrupt):
                _interrupt_at(n, lambda: arrayshim.enable(only=["fake", "second"]))
            assert not applying.applied
            assert held(module) == (2,) * 6
            assert {key: value for key, value in vars(module).items() if stock.get(key) is not value} == {}
        arrayshim.enable(only=["fake", "second"])
        for n in range(undos):
            with pytest.raises(KeyboardInterrupt):
                _interrupt_at(n, lambda: arrayshim.disable())
            assert list(applying.applied) == ["fake", "second"]
            assert held(module) == (3,) * 6


FAKE_SECOND = '''
"""`user` gives a pair."""
from arrayshim.fix import Fix, original
FIX = Fix(__name__, title="user is right", affects=">=2025.1")

@FIX.replaces("dask.arrayshim_fake.user")
def user(*args, **kwargs):
    return original("dask.arrayshim_fake.user")(*args, **kwargs)
'''

_writes = {"seen": 0, "stop": None}


def _interrupting(monkeypatch, before):
    from arrayshim.ledger import Change

    class Interrupting(Change):
        __slots__ = ()

        def __init__(self, what, read, write, *rest):
            def counted(value):
                here = _writes["seen"] == _writes["stop"]
                _writes["seen"] += 1
                if here and before:
                    raise KeyboardInterrupt
                write(value)
                if here:
                    raise KeyboardInterrupt

            super().__init__(what, read, counted, *rest)

    return Interrupting


def _interrupt_at(n, call):
    _writes.update(seen=0, stop=n)
    try:
        call()
    finally:
        _writes["stop"] = None


def _count(call):
    _interrupt_at(None, call)
    return _writes["seen"]


def test_a_ledger_forgets_a_change_only_when_it_is_undone():
    class Place:
        value = "stock"

    ledger = Ledger()
    ledger.set_attr(Place, "value", "ours")
    assert (Place.value, len(ledger)) == ("ours", 1)
    assert ledger.undo() == []
    assert (Place.value, len(ledger)) == ("stock", 0)
    assert compat.in_range(">=2025.1,<9999")
