"""Which parameters of CuPy's functions take host arrays, and what the others raise: data for `functions.call`."""

from __future__ import annotations

import numpy as np

# Parameters whose values CuPy copies to the device itself (it calls asarray on them), or leaves on the host.
# Everything else refuses NumPy arrays with a TypeError.
TAKES_HOST: dict[str, str] = {
    "compress": "condition",
    "corrcoef": "a y",
    "cov": "a y",
    "cross": "a b",
    "delete": "indices",
    "diag": "v",
    "diff": "a prepend append",
    "einsum": "operands",
    "extract": "condition",
    "fft.fftshift": "x axes",
    "fft.ifftshift": "x axes",
    "fill_diagonal": "val",
    "gradient": "f varargs",
    "histogram": "bins range",
    "histogramdd": "weights",
    "ix_": "args",
    "linalg.cond": "x",
    "linspace": "start stop",
    "logspace": "start stop",
    "percentile": "q",
    "place": "mask vals",
    "put": "ind v",
    "put_along_axis": "indices values",
    "quantile": "q",
    "require": "a",
    "resize": "a",
    "roll": "shift axis",
    "take": "indices",
    "take_along_axis": "indices",
    "tile": "A reps",
    "tril": "m",
    "triu": "m",
    "unwrap": "p",
    "vander": "x",
}

# Parameters that CuPy asks for an attribute: a list or a number there is an AttributeError. The first parameter of
# every function that is not in TAKES_HOST counts without being named.
ARRAYS: dict[str, str] = {
    "bincount": "weights",
    "choose": "choices",
    "convolve": "v",
    "correlate": "v",
    "digitize": "bins",
    "inner": "b",
    "interp": "xp fp",
    "intersect1d": "arr2",
    "isin": "test_elements",
    "outer": "b",
    "lexsort": "keys",
    "put_along_axis": "indices",
    "setdiff1d": "ar2",
    "setxor1d": "ar2",
    "take_along_axis": "indices",
    "tensordot": "b",
    "union1d": "arr2",
    "vdot": "b",
}

# (function, parameter) -> what anything but a strict array (or None) raises there.
REFUSES: dict[tuple[str, str], type[Exception]] = {
    ("cov", "aweights"): TypeError,
    ("cov", "fweights"): TypeError,
    ("delete", "arr"): ValueError,
    ("digitize", "bins"): NotImplementedError,
    ("digitize", "x"): NotImplementedError,
    ("dot", "b"): TypeError,
    ("ediff1d", "arr"): TypeError,
    ("ediff1d", "to_begin"): TypeError,
    ("ediff1d", "to_end"): TypeError,
    ("extract", "a"): TypeError,
    ("histogram", "weights"): ValueError,
    ("histogram", "x"): ValueError,
    ("interp", "xp"): NotImplementedError,
    ("linalg.cholesky", "a"): np.linalg.LinAlgError,
    ("linalg.inv", "a"): np.linalg.LinAlgError,
    ("linalg.lstsq", "b"): np.linalg.LinAlgError,
    ("linalg.qr", "a"): np.linalg.LinAlgError,
    ("linalg.solve", "a"): np.linalg.LinAlgError,
    ("linalg.solve", "b"): np.linalg.LinAlgError,
    ("linalg.svd", "a"): np.linalg.LinAlgError,
    ("matmul", "a"): TypeError,
    ("matmul", "b"): TypeError,
    ("putmask", "a"): TypeError,
    ("putmask", "mask"): TypeError,
    ("searchsorted", "a"): NotImplementedError,
    ("trapezoid", "x"): TypeError,
    ("trapezoid", "y"): TypeError,
}
# Functions whose first parameter is not asked for an attribute: numbers, shapes, sequences of arrays.
NO_ARRAY_FIRST = frozenset(
    ("arange", "eye", "identity", "tri", "indices", "kaiser", "bartlett", "blackman", "hamming", "hanning")
    + ("diag_indices", "tril_indices", "triu_indices", "mask_indices", "fft.fftfreq", "fft.rfftfreq")
    + ("ravel_multi_index", "binary_repr", "base_repr", "shape", "size", "ndim", "isscalar", "kron")
    + ("iscomplexobj", "isrealobj", "iscomplex", "isreal", "poly", "polyval", "polyadd", "polysub", "polymul")
    + ("roots", "polyfit", "require", "save", "savez", "savetxt", "searchsorted", "digitize", "histogramdd")
)
