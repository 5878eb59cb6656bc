"""The arithmetic of the CUDA kernels' layouts, exhaustively against NumPy, and their source: it compiles and is right.

The walk and the split are plain numbers; the kernels themselves run here where there is g++ (`cuda_on_cpu`), and are
compiled for a device where there is nvcc.
"""

from __future__ import annotations

import itertools
import math
import shutil
import subprocess

import cuda_on_cpu
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from arrayshim.kernels import _layout
from arrayshim.kernels._layout import Axis, magic, settling, split, walk
from arrayshim.kernels.cuda import program as programs
from arrayshim.kernels.cuda.operations import RULES, element, operation

CUTS = {
    "all": lambda a: a,
    "step": lambda a: a[::2],
    "back": lambda a: a[::-1],
    "repeat": lambda a: np.broadcast_to(a[:1], a.shape),
}


def at(axes, number, attribute):
    total = 0
    for axis in axes:
        total += number % axis.size * getattr(axis, attribute)
        number //= axis.size
    return total


def views(ndim):
    """Arrays that hold their own places: every order of axes, every cut of each."""
    base = np.arange(math.prod(range(2, 2 + ndim))).reshape(tuple(range(2, 2 + ndim)))
    for order in itertools.permutations(range(ndim)):
        for cuts in itertools.product(CUTS.values(), repeat=ndim):
            view = base.transpose(order)
            for i, cut in enumerate(cuts):
                view = np.moveaxis(cut(np.moveaxis(view, i, 0)), 0, i)
            yield view


def index_steps(shape, axes):
    steps, step = [0] * len(shape), 1
    for i in reversed(range(len(shape))):
        if i in axes:
            steps[i] = step
            step *= shape[i]
    return steps


def held_by(view, axes):
    """What is to be reduced, a row per result in C order."""
    kept = [i for i in range(view.ndim) if i not in axes]
    return view.transpose(kept + list(axes)).reshape(math.prod(view.shape[i] for i in kept), -1)


def check_walk(view, axes):
    strides = [step // view.itemsize for step in view.strides]
    origin, rows = int(view[(0,) * view.ndim]), held_by(view, axes)
    for index in (None, index_steps(view.shape, axes)):
        way = walk(view.shape, strides, axes, index=index)
        assert rows.shape == (way.outputs, way.reductions)
        assert all(axis.size > 1 and axis.stride >= 0 for axis in way.kept + way.reduced)
        found = np.full(rows.shape, -1)
        places = [at(way.reduced, r, "stride") for r in range(way.reductions)]
        indices = [way.first + at(way.reduced, r, "mate") if index else r for r in range(way.reductions)]
        assert way.monotone <= (indices == sorted(indices))
        for o in range(way.outputs):
            start = origin + way.start + at(way.kept, o, "stride")
            found[way.home + at(way.kept, o, "mate"), indices] = [start + place for place in places]
        expected = rows
        if index is None:
            found, expected = np.sort(found, axis=1), np.sort(rows, axis=1)
        np.testing.assert_array_equal(found, expected)


@pytest.mark.parametrize("ndim", [0, 1, 2, 3])
def test_a_walk_meets_every_element_at_its_place(ndim):
    for view in views(ndim):
        for count in range(ndim + 1):
            for axes in itertools.combinations(range(ndim), count):
                check_walk(view, axes)


@settings(max_examples=60, deadline=None)
@given(st.data())
def test_a_walk_of_many_axes(data):
    ndim = data.draw(st.integers(4, 8))
    shape = data.draw(st.lists(st.integers(1, 3), min_size=ndim, max_size=ndim))
    view = np.arange(math.prod(shape)).reshape(shape).transpose(data.draw(st.permutations(range(ndim))))
    for i in data.draw(st.sets(st.integers(0, ndim - 1))):
        view = np.flip(view, i)
    axes = data.draw(st.sets(st.integers(0, ndim - 1)))
    check_walk(view, tuple(sorted(axes)))


@pytest.mark.parametrize(
    ("shape", "strides", "axes", "kept", "reduced"),
    [
        ((4, 5, 6), (30, 6, 1), (0, 1, 2), (), (Axis(120, 1, 0),)),
        ((4, 5, 6), (1, 4, 20), (0, 1, 2), (), (Axis(120, 1, 0),)),
        ((4, 5, 6), (-30, -6, -1), (0, 1, 2), (), (Axis(120, 1, 0),)),
        ((4, 5, 6), (60, 6, 1), (0, 1, 2), (), (Axis(30, 1, 0), Axis(4, 60, 0))),
        ((4, 5, 6), (30, 6, 1), (0,), (Axis(30, 1, 1),), (Axis(4, 30, 0),)),
        ((4, 5, 6), (30, 6, 1), (1,), (Axis(6, 1, 1), Axis(4, 30, 6)), (Axis(5, 6, 0),)),
        ((4, 5, 6), (30, 6, 1), (2,), (Axis(20, 6, 1),), (Axis(6, 1, 0),)),
        ((4, 1, 6), (6, 99, 1), (), (Axis(24, 1, 1),), ()),
        ((4, 6), (0, 1), (0, 1), (), (Axis(6, 1, 0), Axis(4, 0, 0))),
        ((), (), (), (), ()),
    ],
)
def test_neighbours_become_one_axis(shape, strides, axes, kept, reduced):
    way = walk(shape, strides, axes)
    assert (way.kept, way.reduced) == (kept, reduced)


def visits(way, work, itemsize, address):
    """(result, element) of each load of the kernels' first stage, as `first` of the source takes them."""
    threads, together = _layout.THREADS, 1 << work.lanes
    results = threads >> work.lanes
    for part, block, thread in itertools.product(range(work.parts), range(work.blocks), range(threads)):
        stop = min(way.reductions, (part + 1) * work.length)
        if not work.inner:
            o, r = (block * results + (thread & (results - 1))) * work.width, thread // results
            yield from visits_across(way, work, o, range(part * work.length + r, stop, together), itemsize, address)
            continue
        o, r = block * results + (thread >> work.lanes), thread & (together - 1)
        if o >= way.outputs:
            continue
        for begin in range(part * work.length + r * work.width, stop, together * work.width):
            place = at(way.kept, o, "stride") + at(way.reduced, begin, "stride")
            assert (address + place * itemsize) % (itemsize * work.width) == 0
            for r in range(begin, begin + work.width):
                assert at(way.reduced, r, "stride") - at(way.reduced, begin, "stride") == r - begin or work.width == 1
                yield o, r


def visits_across(way, work, first, elements, itemsize, address):
    """The same of a thread that takes several results, as `across` of the source does."""
    if first >= way.outputs:
        return
    begin = at(way.kept, first, "stride")
    for o in range(first, first + work.width):
        assert at(way.kept, o, "stride") - begin == o - first or work.width == 1
    for r in elements:
        assert (address + (begin + at(way.reduced, r, "stride")) * itemsize) % (itemsize * work.width) == 0
        for o in range(first, first + work.width):
            yield o, r


@settings(max_examples=50, deadline=None)
@given(st.data())
def test_a_split_takes_every_element_once(data):
    shape = data.draw(
        st.sampled_from([(), (1,), (1300,), (1024,), (3, 300), (300, 3), (64, 48), (3, 2048), (31, 33), (5, 6, 70)])
    )
    gap = data.draw(st.integers(0, 4))
    order = data.draw(st.permutations(range(len(shape))))
    strides, step = [0] * len(shape), 1
    for i in order:
        strides[i] = step
        step = step * shape[i] + gap
    axes = tuple(sorted(data.draw(st.sets(st.sampled_from(range(len(shape)))) if shape else st.just(set()))))
    itemsize = data.draw(st.sampled_from([1, 2, 4, 8, 16]))
    address = itemsize * data.draw(st.integers(0, 3))
    way = walk(shape, strides, axes)
    work = split(way, itemsize, address, blocks=data.draw(st.sampled_from([1, 7, 64])))
    assert 0 <= work.lanes <= 8
    assert work.width * itemsize <= 16
    assert (work.parts - 1) * work.length < way.reductions <= work.parts * work.length
    met = sorted(visits(way, work, itemsize, address))
    assert met == [(o, r) for o in range(way.outputs) for r in range(way.reductions)]


def test_work_is_spread_whatever_the_number_of_results():
    for shape, axes in [((10**4, 10**4), (0, 1)), ((10**4, 10**4), (0,)), ((10**4, 10**4), (1,)), ((10**7, 3), (0,))]:
        work = split(walk(shape, (shape[1], 1), axes), 8)
        assert 1000 < work.parts * work.blocks < 20000, (shape, axes)
    assert split(walk((10**8,), (1,), (0,)), 4).width == 4
    assert split(walk((10**8,), (1,), (0,)), 4, address=4).width == 1
    assert settling(1, 4000) == 8
    assert settling(10**6, 2) == 1


def test_division_by_multiplication():
    for size in [*range(1, 300), 641, 2**16, 2**16 + 1, 2**30 - 1, 2**30 + 1, 2**31 - 1]:
        multiplier, shift = magic(size)
        assert multiplier < 2**32
        for n in {0, 1, size - 1, size, size + 1, 2 * size - 1, 2**31 - 1, 2**31 - 2, 10**9 + 7}:
            if n < 2**31:
                assert ((n * multiplier >> 32) + n) >> shift == n // size


def test_layouts_that_are_not_taken():
    assert programs.plan((4,), (12,), 8, 0, (0,)) is None
    assert programs.plan((4,), (8,), 8, 4, (0,)) is None
    way = programs.plan((2**32,), (0,), 8, 0, (0,))
    assert way is not None
    assert way.large


DTYPES = ("?", "b", "h", "i", "q", "B", "H", "I", "Q", "e", "f", "d", "F", "D")


@pytest.mark.parametrize("name", ["sum", "prod", "mean", "var", "min", "max", "any", "argmax", "nansum", "nanmean"])
def test_result_dtypes_are_numpys(name):
    for char in DTYPES:
        x = np.ones(3, char)
        assert operation(name, x.dtype, None).results[0] == getattr(np, name)(x).dtype, char
    assert operation("sum", np.dtype("f4"), np.dtype("f8")).results == (np.dtype("f8"),)
    assert operation("sum", np.dtype("f4"), np.dtype("i8")) is None
    assert operation("sum", np.dtype(object), None) is None
    assert operation("sum", np.dtype(">f8"), None) is None


def test_the_source_compiles_for_a_device(tmp_path):
    """One compilation of all: what a device would get, as far as the language goes."""
    nvcc = shutil.which("nvcc")
    if nvcc is None:
        pytest.skip("no nvcc")
    # Every template of the source once: together a minute's work for a compiler.
    written = [
        *(("sum", "f"), ("nanprod", "F"), ("nanmean_parts", "e"), ("nanmax", "d"), ("ptp", "D"), ("all", "?")),
        *(("nanargmin", "f"), ("argmax", "I"), ("moment_parts4", "h"), ("nanmoment_parts2", "F"), ("norm2", "f")),
        *(("std", "e"), ("token", "D"), ("token", "d")),
    ]
    types = [operation(name, np.dtype(char), None) for name, char in written]
    lines = [
        f"__global__ void first{k}(const P p) {{ first<{found.code}, {found.reads}, 1>(p); }}\n"
        f"__global__ void across{k}(const P p) {{ across<{found.code}, {found.reads}, 2>(p); }}\n"
        f"__global__ void second{k}(const P p) {{ second<{found.code}>(p); }}"
        for k, found in enumerate(types)
    ]
    text = f"#define INDEX u32\n#define UNROLL 2\n{programs.SOURCE}\n" + "\n".join(lines)
    kinds = {operation(name, np.dtype(char), None) for name in RULES for char in DTYPES} - {None}
    assert {found.code.partition("<")[0] for found in types} == {found.code.partition("<")[0] for found in kinds}
    source = tmp_path / "all.cu"
    source.write_text(text)
    command = [nvcc, "-std=c++17", "-arch=sm_90", "-ptx", "-o", tmp_path / "all.ptx", source]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]


CASES = [
    ("sum", "d"),
    ("sum", "h"),
    ("mean", "e"),
    ("prod", "F"),
    ("max", "f"),
    ("nanmin", "d"),
    ("var", "f"),
    ("nanvar", "d"),
    ("argmax", "b"),
    ("nanargmin", "f"),
    ("any", "?"),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    if not cuda_on_cpu.available():
        pytest.skip("no g++")
    return tmp_path_factory.mktemp("kernels")


@pytest.mark.parametrize(("name", "char"), CASES)
def test_kernels_on_the_cpu(folder, name, char):
    rng = np.random.default_rng(5)
    base = rng.integers(-3, 4, (36, 40)).astype(char) if char in "bh?" else rng.normal(1, 0.1, (36, 40)).astype(char)
    if name.startswith("nan"):
        base[rng.random(base.shape) < 0.3] = np.nan
    argument = "arg" in name
    for x in (base, base[:, 3:37].T, base[::-2, ::3], np.asfortranarray(base), base[0], base[:1, 4]):
        for axis in (None, *range(x.ndim)):
            axes = tuple(range(x.ndim)) if axis is None else (axis,)
            index = tuple(index_steps(x.shape, axes)) if argument else None
            got = cuda_on_cpu.reduce(folder, x, name, axes, index=index)[0]
            want = getattr(np, name)(x, axis=axis)
            assert element(got.dtype)
            assert got.dtype == want.dtype
            rtol = 0 if want.dtype.kind in "biu" else 50 * np.finfo(want.dtype).eps
            np.testing.assert_allclose(got, want, rtol=rtol)


@pytest.mark.parametrize("name", ["min", "max", "nanmin", "nanmax", "argmin", "nanargmax"])
def test_complex_numbers_that_are_nan_in_one_part(folder, name):
    rng = np.random.default_rng(3)
    x = (rng.integers(-2, 3, (40, 6)) + 1j * rng.integers(-2, 3, (40, 6))).astype("D")
    x.real[rng.random(x.shape) < 0.1] = np.nan
    x.imag[rng.random(x.shape) < 0.2] = np.nan
    x[:, 0] = 1
    got = cuda_on_cpu.reduce(folder, x, name, (1,), index=(0, 1) if "arg" in name else None)[0]
    np.testing.assert_array_equal(got, getattr(np, name)(x, axis=1))


def test_places_of_64_bits(folder):
    x = np.random.default_rng(5).permutation(36 * 40).reshape(36, 40).astype("i4")[::-1, 3:]
    total = cuda_on_cpu.reduce(folder, x, "sum", (0,), large=True)[0]
    np.testing.assert_array_equal(total, x.sum(axis=0))
    place = cuda_on_cpu.reduce(folder, x, "argmin", (0, 1), index=(37, 1), large=True)[0]
    assert place == x.argmin()


def test_moments_for_a_tree(folder):
    rng = np.random.default_rng(6)
    x = rng.exponential(2, (30, 50)) + 1e6
    total, number, moments = cuda_on_cpu.reduce(folder, x, "moment_parts4", (1,), tails=((), (), (3,)))
    away = x - x.mean(axis=1, keepdims=True)
    np.testing.assert_allclose(total, x.sum(axis=1), rtol=1e-15)
    np.testing.assert_array_equal(number, 50)
    for k in (2, 3, 4):
        np.testing.assert_allclose(moments[:, k - 2], (away**k).sum(axis=1), rtol=1e-9)


def test_a_name_depends_on_the_content_alone(folder):
    x = np.arange(60, dtype="u4").reshape(6, 10)

    def name(a):
        return cuda_on_cpu.reduce(folder, a, "token", (0, 1), index=(a.shape[1], 1), tails=((2,),))[0].tolist()

    wide = np.zeros((6, 23), "u4")
    wide[:, 2:12] = x
    same = [x, np.asfortranarray(x), wide[:, 2:12], x[::-1][::-1], x.view("f4").copy().view("u4")]
    assert all(name(a) == name(x) for a in same)
    other = x.copy()
    other[0, 0], other[5, 9] = x[5, 9], x[0, 0]
    assert len({tuple(name(a)) for a in (x, other, x.T, x + 1, x[::-1])}) == 5
