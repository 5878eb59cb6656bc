"""A backend whose chunk type no table has ever seen: `StrictArray` under another class, and nobody registers it."""

from __future__ import annotations

from functools import partial
from typing import Any

from arrayshim import strict

#: Here, so that graphs that hold its arrays can be pickled.
UnknownArray: Any = strict.fresh_type("UnknownArray")
UnknownArray.__module__ = __name__

name = "strict-unregistered"
namespace = strict.namespace_of(UnknownArray)
to_device = partial(strict.to_device, kind=UnknownArray)
to_host = strict.to_host
chunk_types = (UnknownArray,)
variants = ("transposed", "strided")
registered = False
count_transfers = strict.conversions
preamble = """\
from functools import partial
from arrayshim import strict
UnknownArray = strict.fresh_type("UnknownArray")
to_device, to_host = partial(strict.to_device, kind=UnknownArray), strict.to_host
namespace = strict.namespace_of(UnknownArray)
"""
