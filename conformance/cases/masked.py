"""dask.array.ma: the functions of numpy.ma; a chunk type without masks is told so while the graph is built."""

from __future__ import annotations

import numpy as np

from . import within

case = within("ma.", requires=("masked",), unsupported=True, result="other")
own = within("ma.", requires=("masked",), unsupported=True, result="other", numpy=False)

CASES = (
    case("masked_array", lambda da, b: da.ma.masked_array(b.x, b.bools)),
    case("masked_array[nomask]", lambda da, b: da.ma.masked_array(b.x)),
    case(
        "masked_array[mask=host]",
        lambda da, b: da.ma.masked_array(b.x, b.host(np.arange(8) > 3) | np.zeros((13, 1), bool)),
    ),
    case("masked_array[mask=list]", lambda da, b: da.ma.masked_array(b.v[:3], [True, False, True])),
    case("masked_array[fill_value]", lambda da, b: da.ma.masked_array(b.x, b.bools, fill_value=-1.0)),
    case("masked_array[dtype]", lambda da, b: da.ma.masked_array(b.x, b.bools, dtype="f4")),
    case("masked_equal", lambda da, b: da.ma.masked_equal(b.ints, 3)),
    case("masked_not_equal", lambda da, b: da.ma.masked_not_equal(b.ints, 3)),
    case("masked_greater", lambda da, b: da.ma.masked_greater(b.x, 0.5)),
    case("masked_greater[array]", lambda da, b: da.ma.masked_greater(b.x, b.y)),
    case("masked_greater_equal", lambda da, b: da.ma.masked_greater_equal(b.ints, 3)),
    case("masked_less", lambda da, b: da.ma.masked_less(b.x, 0.5)),
    case("masked_less_equal", lambda da, b: da.ma.masked_less_equal(b.ints, 3)),
    case("masked_inside", lambda da, b: da.ma.masked_inside(b.x, -0.5, 0.5)),
    case("masked_outside", lambda da, b: da.ma.masked_outside(b.x, -0.5, 0.5)),
    case("masked_invalid", lambda da, b: da.ma.masked_invalid(b.nans)),
    case("masked_values", lambda da, b: da.ma.masked_values(b.x, 0.5, atol=0.2)),
    case("masked_where", lambda da, b: da.ma.masked_where(b.x > 0, b.x)),
    case("masked_where[host]", lambda da, b: da.ma.masked_where(b.host(np.arange(23) > 5), b.v)),
    case("fix_invalid", lambda da, b: da.ma.fix_invalid(b.nans)),
    case("fix_invalid[fill_value]", lambda da, b: da.ma.fix_invalid(b.nans, fill_value=0.0)),
    case("filled", lambda da, b: da.ma.filled(da.ma.masked_greater(b.x, 0.5), 9.0)),
    case("filled[default]", lambda da, b: da.ma.filled(da.ma.masked_greater(b.x, 0.5))),
    case("getdata", lambda da, b: da.ma.getdata(da.ma.masked_greater(b.x, 0.5))),
    case("getmaskarray", lambda da, b: da.ma.getmaskarray(da.ma.masked_greater(b.x, 0.5))),
    case("getmaskarray[no mask]", lambda da, b: da.ma.getmaskarray(b.x)),
    case("count", lambda da, b: da.ma.count(da.ma.masked_greater(b.x, 0.5))),
    case("count[axis=0]", lambda da, b: da.ma.count(da.ma.masked_greater(b.x, 0.5), axis=0)),
    case("count[axis=1,keepdims]", lambda da, b: da.ma.count(da.ma.masked_greater(b.x, 0.5), axis=1, keepdims=True)),
    case("average", lambda da, b: da.ma.average(da.ma.masked_greater(b.x, 0.5))),
    case("average[axis=0]", lambda da, b: da.ma.average(da.ma.masked_greater(b.x, 0.5), axis=0)),
    case(
        "average[weights]",
        lambda da, b: da.ma.average(da.ma.masked_greater(b.x, 0.5), axis=1, weights=b.array(np.arange(8.0))),
    ),
    case("ones_like", lambda da, b: da.ma.ones_like(da.ma.masked_greater(b.x, 0.5))),
    case("zeros_like", lambda da, b: da.ma.zeros_like(da.ma.masked_greater(b.x, 0.5))),
    case("empty_like", lambda da, b: da.ma.getmaskarray(da.ma.empty_like(da.ma.masked_greater(b.x, 0.5)))),
    case("nonzero", lambda da, b: da.ma.nonzero(da.ma.masked_greater(b.x, 0.5))),
    case("nonzero[1d]", lambda da, b: da.ma.nonzero(da.ma.masked_greater(b.v, 0.5))),
    case("where", lambda da, b: da.ma.where(da.ma.masked_greater(b.x, 0.5) > 0, b.x, b.y)),
    case(
        "set_fill_value",
        lambda da, b: (lambda m: (da.ma.set_fill_value(m, 7.0), m)[1])(da.ma.masked_greater(b.x, 0.5)),
    ),
    within("ma.", result="other", numpy=False)(  # what becomes of an array's name in a graph; no chunk
        "normalize_masked_array",
        lambda da, b: da.ma.normalize_masked_array(np.ma.array([1.0, 2.0], mask=[False, True])) is not None,
    ),
    case("masked_greater[sum]", lambda da, b: da.ma.masked_greater(b.x, 0.5).sum(axis=0)),
    case("masked_greater[mean]", lambda da, b: da.ma.masked_greater(b.x, 0.5).mean(axis=0)),
    case("masked_greater[std]", lambda da, b: da.ma.masked_greater(b.x, 0.5).std(axis=0)),
    case("masked_greater[min]", lambda da, b: da.ma.masked_greater(b.x, 0.5).min(axis=1)),
    case("masked_greater[argmax]", lambda da, b: da.ma.masked_greater(b.x, 0.5).argmax(axis=0)),
    case("masked_greater[cumsum]", lambda da, b: da.ma.masked_greater(b.x, 0.5).cumsum(axis=0)),
    case("masked_greater[arithmetic]", lambda da, b: da.ma.masked_greater(b.x, 0.5) * 2 + b.y),
    case("masked_greater[getitem]", lambda da, b: da.ma.masked_greater(b.x, 0.5)[2:9, ::-1]),
    own(  # np.concatenate forgets the masks, dask keeps them
        "masked_greater[concatenate]",
        lambda da, b: da.concatenate([da.ma.masked_greater(b.x, 0.5), da.ma.masked_less(b.x, -0.5)]),
    ),
    own(  # np.stack forgets the masks, dask keeps them
        "masked_greater[stack]",
        lambda da, b: da.stack([da.ma.masked_greater(b.x, 0.5), da.ma.masked_less(b.x, -0.5)]),
    ),
    case("masked_greater[reshape]", lambda da, b: da.ma.masked_greater(b.x, 0.5).reshape((13, 2, 4))),
    case("masked_greater[transpose]", lambda da, b: da.ma.masked_greater(b.x, 0.5).T),
    # each function by itself, of an array without masks: where there are none, it is the one that must say so
    case("filled[no mask]", lambda da, b: da.ma.filled(b.x, 9.0)),
    case("getdata[no mask]", lambda da, b: da.ma.getdata(b.x)),
    case("count[no mask]", lambda da, b: da.ma.count(b.x, axis=0)),
    case("average[no mask]", lambda da, b: da.ma.average(b.x, axis=0)),
    case("ones_like[no mask]", lambda da, b: da.ma.ones_like(b.x)),
    case("zeros_like[no mask]", lambda da, b: da.ma.zeros_like(b.x)),
    case("empty_like[no mask]", lambda da, b: da.ma.empty_like(b.x), compare="shape"),
    case("nonzero[no mask]", lambda da, b: da.ma.nonzero(b.x)),
    case("where[no mask]", lambda da, b: da.ma.where(b.x > 0, b.x, b.y)),
    case("set_fill_value[no mask]", lambda da, b: da.ma.set_fill_value(b.x, 7.0)),
)
