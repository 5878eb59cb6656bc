"""Names of dask.array that need no case, each with its reason."""

from __future__ import annotations

from collections.abc import Mapping

#: name -> why nothing of it depends on what a chunk is, or why nothing can be compared.
EXEMPT: Mapping[str, str] = {
    "Array.to_tiledb": "writes through tiledb-py, which reads NumPy buffers",
    "Array.visualize": "draws the graph with graphviz and touches no chunk",
    "PerformanceWarning": "a warning class",
    "array_expr_enabled": "says which mode dask is in, and takes no array",
    "from_tiledb": "reads files of tiledb-py, whose arrays are NumPy's",
    "optimize": "rewrites a graph, as every compute of every case does",
    "random.Generator.multivariate_hypergeometric": "dask promises one axis too few and fails with NumPy chunks too",
    "register_chunk_type": "writes to a table of the process; the suite registers each backend with it",
    "to_tiledb": "writes through tiledb-py, which reads NumPy buffers",
}
