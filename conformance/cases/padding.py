"""Every mode of pad."""

from __future__ import annotations

import numpy as np

from . import within

case = within()
# dask leaves `reflect_type` unread.
own = within(numpy=False)
along = within(accepts="biufc", shapes="1d 2d 3d")

CASES = (
    case("pad[constant]", lambda da, b: da.pad(b.x, 2)),
    case("pad[constant,widths]", lambda da, b: da.pad(b.x, ((1, 2), (0, 3)))),
    case("pad[constant,value]", lambda da, b: da.pad(b.x, ((1, 2), (0, 3)), constant_values=7.0)),
    case("pad[constant,values]", lambda da, b: da.pad(b.x, 2, mode="constant", constant_values=((1, 2), (3, 4)))),
    case("pad[constant,nan]", lambda da, b: da.pad(b.v, 3, constant_values=np.nan)),
    case("pad[constant,0d device]", lambda da, b: da.pad(b.v, 3, constant_values=b.device(np.array(7.0)))),
    along("pad[edge]", lambda da, b: da.pad(b.x, 2, mode="edge")),
    case("pad[edge,widths]", lambda da, b: da.pad(b.x, ((1, 2), (0, 3)), mode="edge")),
    case("pad[edge,3d]", lambda da, b: da.pad(b.cube, 1, mode="edge")),
    case("pad[linear_ramp]", lambda da, b: da.pad(b.x, 3, mode="linear_ramp")),
    case("pad[linear_ramp,ends]", lambda da, b: da.pad(b.x, ((3, 2), (1, 2)), mode="linear_ramp", end_values=5.0)),
    case("pad[linear_ramp,1d]", lambda da, b: da.pad(b.v, 3, mode="linear_ramp", end_values=(1.0, -1.0))),
    case("pad[maximum]", lambda da, b: da.pad(b.x, 2, mode="maximum")),
    case("pad[maximum,stat_length]", lambda da, b: da.pad(b.x, 2, mode="maximum", stat_length=3)),
    case("pad[mean]", lambda da, b: da.pad(b.x, 2, mode="mean")),
    case("pad[mean,stat_length]", lambda da, b: da.pad(b.x, 2, mode="mean", stat_length=((2, 3), (4, 1)))),
    case("pad[minimum]", lambda da, b: da.pad(b.x, 2, mode="minimum")),
    case("pad[minimum,1d]", lambda da, b: da.pad(b.v, 2, mode="minimum", stat_length=4)),
    case("pad[reflect]", lambda da, b: da.pad(b.x, 2, mode="reflect")),
    case("pad[reflect,widths]", lambda da, b: da.pad(b.x, ((1, 2), (0, 3)), mode="reflect")),
    own("pad[reflect,odd]", lambda da, b: da.pad(b.v, 2, mode="reflect", reflect_type="odd")),
    case("pad[symmetric]", lambda da, b: da.pad(b.x, 2, mode="symmetric")),
    own("pad[symmetric,odd]", lambda da, b: da.pad(b.v, 2, mode="symmetric", reflect_type="odd")),
    case("pad[symmetric,3d]", lambda da, b: da.pad(b.cube, 2, mode="symmetric")),
    case("pad[wrap]", lambda da, b: da.pad(b.x, 2, mode="wrap")),
    case("pad[wrap,widths]", lambda da, b: da.pad(b.x, ((1, 2), (0, 3)), mode="wrap")),
    case("pad[empty]", lambda da, b: da.pad(b.x, 2, mode="empty")[2:-2, 2:-2]),
    case("pad[0]", lambda da, b: da.pad(b.x, 0)),
    case(
        "pad[function]",
        lambda da, b: da.pad(b.v, 2, lambda row, width, *_: (row.__setitem__(slice(0, width[0]), 7.0), row)[1]),
    ),
)
