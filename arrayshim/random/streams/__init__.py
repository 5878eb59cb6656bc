"""Element streams: arrays of random numbers in which element *i* depends on the seed, the draw and *i* alone.

Chunks, slices, rechunking and the device change nothing: the words of Philox4x64-10 are counted by the index of the
element in C order. A slice makes what it shows and nothing else.

==================================================  ================================================================
raw words, integers, uniforms, permutations         the same bits on NumPy, CuPy and any other chunks
normals                                             within 4 ulp of max(1, |z|) between devices
what is computed from them by elementary functions  as near as the functions of the libraries are
rejection samplers                                  equal, except where rounding turns one comparison
anything, between chunkings on one device           the same bits
==================================================  ================================================================
"""

from __future__ import annotations

from arrayshim.random.streams._array import ElementArray
from arrayshim.random.streams.generator import ElementGenerator, element_rng

__all__ = ["ElementArray", "ElementGenerator", "element_rng"]
