"""Calls that show a fault, for the repairs whose documentation leaves out what would have to stand before its own.

They find what `examples.PREAMBLE` says; `Unknown` is a type like CuPy's that no table of dask has a row for.
"""

from __future__ import annotations

from collections.abc import Mapping

#: By id, the calls in place of those in the docstring.
REPRODUCERS: Mapping[str, tuple[str, ...]] = {
    "assignment_placeholders": (
        "x = da.from_array(cupy.zeros(6), chunks=3)",
        "x[da.from_array(cupy.array([0]), chunks=1)] = 1",
        "x.compute()",
    ),
    "astype_casting": (
        "x = da.from_array(cupy.arange(3), chunks=2)",
        'x.astype("f8", casting="safe").compute()',
    ),
    "cold_tables": (
        "from dask.array import dispatch",
        "tables = {name: table for name, table in vars(dispatch).items() if hasattr(table, '_lazy')}",
        "[name for name, table in tables.items() if 'cupy' not in table._lazy]",
    ),
    "creation_meta_name": ("da.ones(3, meta=cupy.array(1.0)).name == da.ones(3, meta=cupy.array(2.0)).name",),
    "dataframe_residence": (
        "x = da.from_array(cupy.arange(4.0), chunks=2)",
        "x.to_dask_dataframe().compute()",
    ),
    "diagonal_empty": (
        "x = da.diagonal(da.from_array(Unknown([[1.0, 2.0], [3.0, 4.0]]), chunks=1), offset=9)",
        "type(x._meta), type(x.compute())",
    ),
    "einsum_casting": (
        "x = da.from_array(Unknown([[1.0, 2.0], [3.0, 4.0]]), chunks=(1, 2))",
        'da.einsum("ij->i", x, dtype="f4", casting="unsafe").compute()',
    ),
    "fused_chains": (
        "import dask.order",
        "from unittest import mock",
        "x = da.ones(4, chunks=2) + 1",
        "with mock.patch('dask.order.order', wraps=dask.order.order) as order: x.compute(scheduler='sync')",
        "order.call_count",
    ),
    "gradient_coordinates": (
        "x = da.from_array(cupy.arange(6.0), chunks=3)",
        "da.gradient(x, [0, 1, 2, 4, 5, 7])[0].compute()",
    ),
    "lazy_index_offsets": (
        "x = da.from_array(cupy.arange(9), chunks=3, name=False)",
        "i = da.from_array(cupy.array([4]), chunks=1, name=False)",
        "with copies_to_host() as made: y = x[i]",
        "made.count",
    ),
    "linspace_device": (
        "y = da.from_array(cupy.arange(4.0), chunks=2)",
        "x = da.linspace(y.min(), y.max(), 5)",
        "type(x._meta), type(x.compute())",
    ),
    "nanarg_all_nan": (
        "from dask.array import reductions",
        "reductions._nanargmin(cupy.array([numpy.nan, numpy.nan]), axis=0)  # of a chunk",
    ),
    "numel": (
        "x = da.from_array(Unknown([[1.0, 2.0], [3.0, 4.0]]), chunks=1)",
        "x.mean(axis=0).compute()",
    ),
    "percentile_unknown_type": (
        "x = da.from_array(Unknown([1.0, 2.0, 3.0]), chunks=2)",
        "da.percentile(x, 50).compute()",
    ),
    "select_name": (
        "x = da.arange(4, chunks=2)",
        "a, b = da.select([x > 1], [x], 0), da.select([x > 1], [x * 10], 5)",
        "a.compute(), b.compute(), (a + b).compute()",
    ),
    "stats_distributions": (
        "import dask.array.stats",
        "x = da.from_array(cupy.arange(12.0), chunks=4)",
        "dask.compute(*da.stats.ttest_1samp(x, 5.0))",
    ),
    "store_residence": (
        "target = numpy.zeros(4)",
        "da.from_array(cupy.arange(4.0), chunks=2).store(target)",
        "target",
    ),
    "triangle_indices": (
        "x = da.from_array(cupy.ones((3, 3)), chunks=2)",
        "type(da.tril_indices_from(x)[0].compute())",
    ),
    "ufunc_missing": (
        "x = da.from_array(cupy.arange(1.0, 4.0), chunks=2)",
        "da.spacing(x).compute()",
    ),
    "ufunc_where": (
        "x, y = (da.from_array(cupy.arange(3.0), chunks=2) for _ in 'xy')",
        "da.log(x, where=x > 0, out=y).compute()",
    ),
}
