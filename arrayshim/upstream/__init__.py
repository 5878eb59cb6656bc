"""The upstream kit: every repair as a patch that dask can take, with the facts, and the proof that it is the repair."""
