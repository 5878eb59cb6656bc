"""Reading and writing elements.

For `fidelity_calls`, which says what an expression sees.
"""

from __future__ import annotations

INDEXING = """
x[0]
x[-1]
x[4]
x[-5]
x[1:3]
x[::-1]
x[10:20]
x[::0]
x[...]
x[None]
x[()]
z[()]
z[...]
z[None]
z[0]
m[0]
m[0, 1]
m[:, 1]
m[1:, ::2]
m[..., 0]
m[0, ..., 1]
m[..., ...]
m[0, 0, 0]
m[None, :, None]
x[1.0]
x[1.7]
x['a']
x[None, 0]
x[np.int64(1)]
x[np.float64(1)]
x[True]
x[False]
x[np.True_]
x[k]
x[z]
x[hk]
x[h0]
x[i]
x[i[::2]]
x[hi]
x[[0, 2]]
x[[0, 9]]
x[[-1, -9]]
x[[]]
x[[0.5]]
x[[True, False, True, False]]
x[[True, False]]
x[(0,)]
x[([0, 1],)]
x[d([4, 5, -5])]
x[np.array([4, 5, -5])]
x[np.array([0.5])]
x[np.array(['a'])]
x[np.array([None])]
x[d(np.array([1, 2], np.uint8))]
x[[[0, 1], [2, 3]]]
x[b]
x[hb]
x[b[:2]]
x[d([True])]
x[d(np.zeros(0, bool))]
x[x > 0]
x[~b]
x[b, None]
m[i[:2]]
m[i[:2] - 1, i[:2]]
m[[0, 1], [2, 3]]
m[[0, 5], [2, 9]]
m[[0, 1], 2]
m[0, [1, 2]]
m[:, [1, 2]]
m[[0, 1], :, None]
m[[[0], [1]], [0, 1]]
m[[0, 1], [0, 1, 2]]
m[m > 5]
m[m[:, 0] > 0]
m[:, b]
m[b[:3], b]
m[b[:3]][:, b]
m[d([True, False, True]), 0]
m[d([True, False, True]), [0, 1]]
m[b]
t[0, [0, 1], [1, 2]]
t[[0, 1], :, [1, 2]]
t[:, [0, 1], [1, 2]]
t[[0, 1]].shape
t[t > 20]
e[[0]]
e[[]]
e[0]
x[[z]]
x[[k, k]]
x[slice(k, None)]
x[k:]
x[:hk]
x[x]
x['f':]
v['a']
v[['a', 'f']]['a']
v['nope']
v[0]['f']
v.dtype.names
x[0] = 9; x
x[-1] = 9; x
x[9] = 1
x[1:3] = 7; x
x[1:3] = y[:2]; x
x[1:3] = hx[:2]
x[1:3] = [7, 8]
x[1:2] = [7]
x[:] = hx
x[...] = hx
x[...] = h0; x
x[:] = hs; x
x[0] = h0; x
x[0] = hx[:1]
x[0] = z; x
x[0] = x[1:2]; x
x[:] = z; x
x[:] = y[:1]; x
x[:] = y[:2]
x[:] = None
x[:] = 'a'
x[:] = 1j
x[:] = c
i[:] = 1.7; i
i[:] = x; i
i[0] = NAN
u[0] = 300
u[0] = -1
u[:] = i[:3]; u
b[0] = 5; b
x[[0, 2]] = 5; x
x[[0, 2]] = [5, 6]; x
x[[0, 2]] = hx[:2]; x
x[[0, 2]] = y[:2]; x
x[[0, 9]] = [5, 6]; x
x[[-9]] = 5; x
x[[0, 2]] = [1, 2, 3]
x[hi] = 5; x
x[i[:2]] = 5; x
x[b] = 5; x
x[hb] = 5; x
x[b] = [5, 6]; x
x[b] = hx[:2]; x
x[b] = y[:2]; x
x[b] = [1, 2, 3]
x[b & ~b] = [1, 2, 3]; x
x[x > 0] = 0; x
x[b[:2]] = 1
x[[True, False, True, False]] = 3; x
m[0] = x; m
m[:, 0] = 1; m
m[[0, 1], [0, 1]] = 99; m
m[[0, 1], [0, 1]] = hx[:2]; m
m[:, b] = 0; m
m[b[:3], 0] = 7; m
m[m > 5] = -1; m
m[1:, [0, 1]] = 3; m
m[None] = 2; m
z[...] = 3; z
z[()] = 3; z
z[True] = 4; z
e[:] = 3; e
v['a'] = 7; v['a']
x.flat[1]
m.flat[1:5]
m.flat[1:3] = 0; m
x.flat[[0, 1]]
list(m[:1].flat)
x[::2].base is x
x[[0]].base is None
m[0].flags.owndata
m.T.flags.c_contiguous
x.flags['C_CONTIGUOUS']
x.flags['WRITEABLE']
x.flags.writeable
np.take(x, [0, 2])
np.take(x, [0, 9])
np.take(x, hi)
np.take(x, i)
np.take(x, 1)
np.take(m, [0, 1], axis=1)
np.take(m, 3, axis=0)
np.take(x, [0.5])
np.take(x, [0], mode='clip')
np.take(hx, i)
np.take(x, [0], axis=1)
np.take(e, [0])
x.take([1, 2])
x.take(k)
np.take_along_axis(m, i[None, :2], 1)
np.take_along_axis(m, hi[None], 1)
np.take_along_axis(m, [[0]], 1)
np.take_along_axis(m, xp.argsort(-m, axis=1), axis=1)
np.put_along_axis(m, d([[0], [1], [2]]), 99.0, 1); m
np.put(x, [0, 5], [7, 8]); x
x.put([0], 5); x
np.putmask(x, b, 0); x
np.putmask(x, hb, 0)
np.place(x, b, [7, 8]); x
np.copyto(x, y); x
np.copyto(x, hx)
np.copyto(x, 3); x
np.copyto(x, h0); x
np.copyto(x, 1j)
np.copyto(i, x)
np.copyto(x, y, where=b); x
np.copyto(x, y, where=hb)
np.choose(d([0, 1, 0]), d([[1, 2, 3], [4, 5, 6]]))
np.choose(d([0, 1]), [d([1, 2]), d([3, 4])])
np.choose(d([0, 7]), d([[1, 2], [3, 4]]))
np.compress([1, 0, 1, 0], x)
np.compress(b, x)
np.compress(b, m, axis=1)
np.compress(hb, x)
np.extract(b, x)
np.extract(hb, x)
np.select([b, ~b], [x, y])
np.select([b], [x], default=7)
np.select([b], [x], default=z)
np.select([b], [hx])
np.select([hb], [x])
np.select([i], [x])
np.where(b, x, y)
np.where(b, x, 0)
np.where(b, 1, 0)
np.where(b, w, 1.5).dtype
np.where(b, i, 1.5)
np.where(b, u[0], 300)
np.where(x, x, y)
np.where(b)
np.where(hb, x, y)
np.where(b, x, hx)
np.where(b, x, h0)
np.where([True, False, True, False], x, y)
np.where(b, x, [1, 2, 3, 4])
np.where(b, x)
np.where(z > 1, x, y)
np.nonzero(x)
np.nonzero(m > 5)
np.nonzero(z)
np.flatnonzero(m > 5)
np.argwhere(m > 9)
np.argwhere(z)
np.diagonal(m)
np.diagonal(m, 1)
np.diagonal(x)
np.fill_diagonal(m, 9); m
np.fill_diagonal(m, [7, 8]); m
np.unravel_index(i, (2, 2))
np.unravel_index(i, shape=(2, 2))
np.unravel_index(k, (2, 2))
np.unravel_index(x, (2, 2))
np.unravel_index(i, dims=(2, 2))
xp.unravel_index(i, dims=(2, 2))
np.ravel_multi_index((i, i), (4, 4))
np.ravel_multi_index((i, i), (2, 2))
np.ravel_multi_index((i, i), (2, 2), mode='raise')
np.ravel_multi_index((i, hi), (2, 2))
np.ix_(i, i)
xp.ix_([0, 1], [0])
np.tril_indices_from(m)
np.insert(x, 0, 1)
np.delete(x, 0)
np.delete(x, [0, 2])
np.delete(x, hi)
np.delete(x, i[:1])
np.delete(x, [9])
np.delete(x, 9)
np.delete(x, b)
np.delete(m, slice(0, 2), axis=1)
np.append(x, y)
np.append(x, 1)
np.append(x, [1, 2])
np.append(x, hx)
np.append(m, m, axis=0)
"""
