"""The calls of registration: enable, disable, scope, original, attach; and what they promise about dask."""

from __future__ import annotations

import os

import dask.array as da
import pytest
import snapshot

import arrayshim
from arrayshim import applying, registration
from arrayshim.fix import original


def test_enable_twice_is_enable_once():
    with arrayshim.scope():
        before = snapshot.take()
        ledgers = dict(applying.applied)
        arrayshim.enable()
        assert snapshot.differences(before, snapshot.take()) == []
        assert applying.applied == ledgers


def test_original_is_the_stock_object():
    with arrayshim.scope(only=()):
        stock = da.reductions.mean_chunk
        arrayshim.enable(only=["numel"])
        assert da.reductions.mean_chunk is not stock
        assert original("dask.array.reductions.mean_chunk") is stock
        assert arrayshim.original("dask.array.reductions.mean_combine") is da.reductions.mean_combine


@pytest.mark.parametrize(
    "name", ["dask.array.nothing", "dask.array.core.Array.nothing", "dask.nothing.at_all", "nothing", "dask"]
)
def test_original_of_nothing(name):
    with pytest.raises(arrayshim.errors.UnknownTargetError) as error:
        original(name)
    assert "\n" not in str(error.value)
    assert name in str(error.value)


def test_replacements_keep_signature_and_documentation_but_not_their_name():
    import inspect

    with arrayshim.scope(only=()):
        stock = {name: getattr(da, name) for name in ("eye", "percentile")}
        arrayshim.enable()
        for name, function in stock.items():
            ours = getattr(da, name)
            assert inspect.signature(ours) == inspect.signature(function)
            assert ours.__doc__ == function.__doc__
            assert ours.__module__.startswith("arrayshim.fixes.")


def test_no_two_fixes_replace_the_same_target():
    from arrayshim import compat

    targets = [r.target for fix in arrayshim.fixes.collect().values() for r in compat.meant_for_here(fix)]
    assert sorted(targets) == sorted(set(targets))


def test_what_backends_add_comes_and_goes_with_the_repairs():
    items: list[str] = []

    def install(ledger):
        ledger.append(items, "added")
        ledger.append(items, "added")

    with arrayshim.scope(only=()):
        try:
            arrayshim.attach(install)
            assert items == []
            arrayshim.enable(only=["numel"])
            assert items == ["added"]
            arrayshim.enable()
            assert items == ["added"]
            arrayshim.disable()
            assert items == []
        finally:
            registration._additions[:] = [held for held in registration._additions if held.install is not install]


def test_an_addition_that_fails_is_undone_and_not_attached():
    items: list[str] = []

    def install(ledger):
        ledger.append(items, "added")
        raise RuntimeError("half-way")

    with arrayshim.scope():
        before = list(registration._additions)
        with pytest.raises(RuntimeError, match="half-way"):
            arrayshim.attach(install)
        assert items == []
        assert registration._additions == before


def test_an_addition_that_fails_later_costs_a_warning():
    working = [True]

    def install(ledger):
        if not working:
            raise RuntimeError("no longer")

    with arrayshim.scope(only=()):
        try:
            arrayshim.attach(install)
            working.clear()
            with pytest.warns(arrayshim.errors.ArrayshimWarning, match="RuntimeError: no longer"):
                arrayshim.enable(only=["numel"])
            assert list(applying.applied) == ["numel"]
        finally:
            registration._additions[:] = [held for held in registration._additions if held.install is not install]


def test_a_warning_that_is_an_error_comes_when_all_is_in_order():
    with arrayshim.scope():
        stock = original("dask.array.slicing.concatenate_array_chunks")
        theirs = lambda x: x  # noqa: E731
        module = da.slicing
        module.concatenate_array_chunks = theirs
        try:
            with pytest.raises(arrayshim.errors.ForeignPatchWarning):
                arrayshim.disable()  # warnings are errors here
            assert not applying.applied
            assert module.concatenate_array_chunks is theirs
        finally:
            module.concatenate_array_chunks = stock


def test_every_probe_leaves_no_trace_in_either_state():
    for selection in ((), None):
        with arrayshim.scope(only=selection):
            for fix in arrayshim.fixes.collect().values():
                fix.diagnose()  # whatever it imports stays
                before = snapshot.take()
                assert (fix.diagnose() is None) is (selection is None), fix.id
                assert snapshot.differences(before, snapshot.take()) == [], fix.id


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system cannot fork")
def test_a_child_forked_while_another_thread_holds_the_lock_can_go_on(bare):
    code = """
        import os, threading, arrayshim
        held, enough = threading.Event(), threading.Event()
        def hold():
            with arrayshim.registration.LOCK:
                held.set()
                enough.wait(0.2)
        thread = threading.Thread(target=hold)
        thread.start()
        held.wait()
        child = os.fork()
        if not child:
            import signal
            signal.alarm(30)  # a child that waits for the lock would wait for ever
            arrayshim.disable()
            os._exit(0)
        enough.set()
        thread.join()
        answer(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
    """
    assert bare(code) == 0
