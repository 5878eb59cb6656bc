"""The tables of kernels: which row wins, how rows enter, and that tables travel."""

from __future__ import annotations

import ast
import itertools
import pickle
import threading
from pathlib import Path

import cloudpickle
import numpy as np
import pytest
from dask.base import tokenize
from hypothesis import given, settings
from hypothesis import strategies as st

from arrayshim import kernels
from arrayshim.errors import UnsupportedError
from arrayshim.kernels import table


class A: ...


class B(A): ...


class C(A): ...


class D(B, C): ...


class E: ...


TYPES = (object, A, B, C, D, E)


def row(name):
    return lambda *args: name


def test_a_single_type_in_a_table_of_two_means_that_type_anywhere():
    two = table.Table("two", arrays=2)
    two.add((object, object), row("any"))
    two.add(A, row("a"))
    assert two(A(), E()) == two(E(), A()) == two(A(), A()) == two(B(), A()) == "a"
    assert two(E(), E()) == two(1, "x") == "any"


def test_numpy_rows_beside_library_rows():
    divide = table.Table("divide", arrays=2)
    divide.add((object, object), row("generic"))
    divide.add((np.ndarray, np.ndarray), row("numpy"))
    divide.add((np.ndarray, object), row("numpy first"))
    divide.add((object, np.ndarray), row("numpy second"))
    divide.add(A, row("library"))
    x, a = np.ones(2), A()
    assert divide(x, x) == "numpy"
    assert divide(x, 1) == "numpy first"
    assert divide(1, x) == "numpy second"
    assert divide(a, x) == divide(x, a) == divide(a, 1) == "library"
    divide.add((np.ndarray, A), row("settled"))
    assert divide(x, a) == "settled"
    assert divide(a, x) == "library"


def test_of_two_libraries_the_leftmost_specific_row_wins():
    two = table.Table("two", arrays=2)
    two.add((object, object), row("generic"))
    two.add(B, row("b"))
    two.add(E, row("e"))
    assert two(B(), E()) == "b"
    assert two(E(), B()) == "e"


def test_alternatives_missing_arguments_and_removal():
    two = table.Table("two", arrays=2, first=1)
    two.add((object, object), row("any"))
    two.add(((A, E), E), row("pair"))
    assert two("ij,j", E(), E()) == two("ij,j", A(), E()) == "pair"
    assert two("ii", E()) == "pair"
    assert set(two.rows()) == {(object, object), (A, E), (E, E)}
    two.remove(((A, E), E))
    assert two("ii", E()) == "any"
    with pytest.raises(KeyError):
        two.remove((A, E))


def test_a_late_row_reaches_types_that_were_dispatched_before():
    one = table.Table("one")
    one.add(object, row("any"))
    assert one(D()) == "any"
    one.add(B, row("b"))
    assert one(D()) == "b"


def test_errors_say_what_to_do():
    one = table.Table("one")
    with pytest.raises(UnsupportedError, match=r"no kernel 'one' for <int>; add one with arrayshim.kernels.one.add"):
        one(3)
    with pytest.raises(TypeError, match="needs an array as positional argument 1"):
        one()
    with pytest.raises(TypeError, match="made of types, got 'x'"):
        one.add("x", print)
    with pytest.raises(TypeError, match="3 types were given"):
        table.Table("two", arrays=2).add((A, B, C), print)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(TYPES), st.sampled_from(TYPES)), max_size=8, unique=True))
def test_dispatch_takes_a_row_that_fits_and_none_that_fits_is_more_specific(signatures):
    two = table.Table("two", arrays=2)
    for signature in [(object, object), *signatures]:
        two.add(signature, row(signature))
    for types in itertools.product(TYPES, repeat=2):
        chosen = two.dispatch(*types)()
        assert all(map(issubclass, types, chosen))
        fitting = [s for s in signatures if all(map(issubclass, types, s))]
        assert not any(s != chosen and all(map(issubclass, s, chosen)) for s in fitting)


def test_tables_pickle_by_reference_and_have_one_token():
    for name, each in kernels.TABLES.items():
        assert pickle.loads(pickle.dumps(each)) is each
        assert cloudpickle.loads(cloudpickle.dumps(each)) is each
        assert getattr(kernels, name) is each
        assert tokenize(each) == tokenize(each)
        assert name in repr(each)
    assert len({tokenize(each) for each in kernels.TABLES.values()}) == len(kernels.TABLES)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        kernels.nothing  # noqa: B018
    assert "nanquantile" in dir(kernels)


def test_kernels_never_import_dask():
    for path in Path(kernels.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            assert not any(name.split(".")[0] == "dask" for name in names), path


def test_library_rows_enter_with_the_first_array(bare):
    got = bare(
        """
        import sys
        import types

        class ndarray:
            __module__ = "cupy"

            def __array_function__(self, func, types, args, kwargs):
                return sorted(kwargs)

        library = types.ModuleType("cupy")
        library.ndarray = ndarray
        import numpy as np
        import arrayshim.kernels as kernels
        from arrayshim.kernels.generic import einsum

        before = "arrayshim.kernels.cupy" in sys.modules
        generic = kernels.einsum.dispatch(ndarray) is einsum  # a type of that name, but the library is not imported
        sys.modules["cupy"] = library
        kernels.mean.dispatch(type("Sub", (ndarray,), {}))
        own = kernels.einsum("ii", ndarray(), optimize=False, order="C", casting="no")
        answer([before, generic, "arrayshim.kernels.cupy" in sys.modules, own])
        """
    )
    assert got == [False, True, True, ["optimize"]]


def test_rows_of_a_library_are_loaded_once_by_many_threads(bare):
    got = bare(
        """
        import threading
        import numpy as np
        import sparse
        import arrayshim.kernels as kernels

        start = threading.Barrier(8)
        kinds = []

        def ask():
            start.wait()
            kinds.append(type(kernels.numel(sparse.COO.from_numpy(np.eye(2)), axis=(0,), keepdims=True)).__name__)

        threads = [threading.Thread(target=ask) for _ in range(8)]
        [t.start() for t in threads]
        [t.join() for t in threads]
        answer(kinds)
        """
    )
    assert got == ["ndarray"] * 8


def test_adding_rows_while_others_dispatch():
    one = table.Table("one")
    one.add(object, row("any"))
    kinds = [type(f"K{i}", (), {}) for i in range(60)]
    wrong = []

    def add():
        for kind in kinds:
            one.add(kind, row(kind))

    def ask():
        for kind in kinds:
            found = one.dispatch(kind)()
            if found not in ("any", kind):
                wrong.append((kind, found))

    threads = [threading.Thread(target=f) for f in (add, ask, ask)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert not wrong
    assert [one.dispatch(kind)() for kind in kinds] == kinds
