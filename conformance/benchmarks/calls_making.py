"""Making arrays, making them like others, and turning them into something else.

For `fidelity_calls`, which says what an expression sees.
"""

from __future__ import annotations

CREATION = """
xp.empty((0, 3)).shape
xp.zeros((2, 3))
xp.zeros(3, dtype='i4')
xp.ones((2,), dtype=bool)
xp.full((2, 2), 7)
xp.full(2, 1.5)
xp.full(2, z)
xp.full(2, h0)
xp.full(2, hx)
xp.full((2, 4), x)
xp.full(3, True)
xp.eye(3)
xp.eye(2, 3, k=1, dtype='f4')
xp.identity(2, dtype=int)
xp.arange(5)
xp.arange(1, 2, 0.25)
xp.arange(3, dtype='f4')
xp.linspace(0, 1, 5)
xp.linspace(0, 10, 4, dtype=int)
xp.linspace(0, 1, 5, endpoint=False)
xp.linspace(0, 1, 5, retstep=True)
xp.linspace(0, 1, -1)
xp.linspace(z, 4, 3)
xp.logspace(0, 2, 3)
xp.tri(3, k=-1)
xp.tril(m)
xp.triu(m, 1)
xp.diag(x)
xp.diag(m)
xp.diag([1, 2])
xp.diag(t)
xp.indices((2, 2))
xp.meshgrid(x, i)
xp.meshgrid(x, hx)
xp.meshgrid(x, [1, 2])
xp.meshgrid(x, i, indexing='ij', sparse=True)
xp.vander(i, 3)
xp.array([1, 2])
xp.array([1.0, 2])
xp.array(3)
xp.array([[1, 2], [3, 4]], dtype='f4', order='F').flags.f_contiguous
xp.array([1, 2], ndmin=3)
xp.array([x, y])
xp.array([x, y], dtype='f4')
xp.array([z, z])
xp.array([z, 1.0])
xp.array([x, i])
xp.array([x, z])
xp.array([x, hx])
xp.array([hx, hx])
xp.array([h0, 1.0])
xp.array([[z, z], [z, z]])
xp.array(())
xp.array([], dtype=int)
xp.array('a')
xp.array([1, 'a'])
xp.array(None)
xp.array([None])
xp.array(object())
xp.array(np.array(['2020-01-01'], 'M8[D]'))
xp.array(np.array([1, 2], '>i4'))
xp.array(np.array([1.0], np.longdouble))
xp.array(x, subok=True)
xp.array(x) is x
xp.array(x, copy=False) is x
xp.asarray(x) is x
xp.asarray(x, dtype='f4')
xp.asarray(hx)
xp.asarray(hx[::2])
xp.asarray(h0)
xp.asarray(hs)
xp.asarray(2)
xp.asarray(2j)
xp.asarray(True)
xp.asarray([[1], [2, 3]])
xp.asarray(range(3))
xp.ascontiguousarray(m.T).flags.c_contiguous
xp.ascontiguousarray(z)
xp.ascontiguousarray(hx)
xp.asfortranarray(m).flags.f_contiguous
xp.empty_like(m).shape
xp.empty_like(m, shape=(2,)).shape
xp.empty_like(m, shape=()).shape
xp.empty_like(m, shape=0).shape
xp.empty_like(m, shape=5).shape
xp.empty_like(m, dtype='i2').dtype
xp.zeros_like(i)
xp.zeros_like(m.T).flags.f_contiguous
xp.ones_like(w)
xp.ones_like(m, shape=(1, 2), dtype=int)
xp.full_like(i, 2.7)
xp.full_like(i, 300, dtype='u1')
xp.full_like(x, hx)
xp.fromfunction(lambda a, b: a + b, (2, 2))
xp.fromiter([1, 2, 3], dtype='f8')
xp.frombuffer(b'abcd', dtype='u1')
xp.ndarray((2, 3)).shape
xp.ndarray(shape=(0, 0), dtype='f4').dtype
xp.ndarray(3, dtype='O')
xp.ndarray((2,), 'U3')
xp.ndarray((-1,))
"""

LIKE = """
np.asarray([1, 2], like=x)
np.asarray(hx, like=x)
np.asarray(hx, dtype='f4', like=x)
np.asarray(x, like=x) is x
np.asarray(x, like=hx)
np.array([1, 2], like=x)
np.array([[1, 2]], ndmin=3, like=x)
np.array([x, y], like=x)
np.array([1], subok=True, like=x)
np.asanyarray(hm, like=x)
np.ascontiguousarray(hx, like=x)
np.asfortranarray(x, like=x)
np.arange(4, like=x)
np.arange(1, 4, dtype='f4', like=x)
np.zeros((2, 2), like=x)
np.ones(2, dtype=int, like=x)
np.empty((0,), like=x)
np.full((2,), 3, like=x)
np.full((2,), z, like=x)
np.eye(2, like=x)
np.identity(2, like=x)
np.tri(2, like=x)
np.fromfunction(lambda a: a * 2, (3,), like=x)
np.fromiter([1.0, 2.0], float, like=x)
np.frombuffer(b'ab', 'u1', like=x)
np.require(hx, like=x)
np.linspace(0, 1, 3, like=x)
np.indices((2,), like=x)
np.zeros((2,), device='cpu', like=x)
np.empty_like(x, shape=(2, 0))
np.empty_like(x, dtype='i4').dtype
np.zeros_like(m, dtype=bool)
np.ones_like(z)
np.full_like(x, 3)
np.full_like(x, 3, shape=(2,))
np.full_like(x, z)
np.zeros_like(x, subok=False)
np.empty_like(x, order='F').shape
np.zeros_like(x, device='cpu')
"""

CONVERSION = """
np.asarray(x)
np.asanyarray(x)
np.array(x)
np.array([x])
np.array([z, z])
np.array([z, 1.0])
np.asarray(z)
np.ascontiguousarray(x)
np.asarray(x, dtype=float)
np.float64(z)
np.int64(k)
float(z)
float(x)
float(x[:1])
int(z)
int(k)
bool(z)
bool(x)
bool(x[:1])
bool(e)
complex(z)
complex(c[0])
float(c[0])
k.__index__()
list(range(k))
[1, 2, 3][k]
hx[k]
hx[i]
hx[b]
x.item()
z.item()
x[:1].item()
x.item(0)
x.tolist()
z.tolist()
e.tolist()
x.tobytes()
len(x)
len(z)
len(e)
list(x)
list(z)
list(m)[0]
iter(x).__next__()
2.5 in z
4.0 in x
9.0 in x
x.get()
z.get()
m.T.get(order='A').flags.f_contiguous
x.get(out=np.empty(4))
x.get(out=np.empty(3))
x.get(out=np.empty(4, 'f4'))
x.get(out=[0] * 4)
x.set(hx); x
x.set(hx[:2])
x.set(hi)
hash(x)
str(x)
repr(k)[-4:]
format(z, '.1f')
format(x, '')
f'{z}'
xp.asnumpy(x)
xp.asnumpy(hx)
xp.asnumpy([1, 2])
hx + z
hx[:] = x
hx[0] = z; hx
hx[...] = z
np.copyto(hx, x)
np.stack([hx, x])
sum(x)
max(x)
sorted([z, k])
abs(x)
round(z)
np.array_repr(k)
np.array_str(k)
np.array2string(x)
"""
