"""The calls that are compared between ``arrayshim.strict`` and CuPy, one expression each.

An expression sees ``np`` (NumPy), ``xp`` (the device library's namespace), ``d`` (host to device) and the operands of
`OPERANDS`, made anew for every expression. Statements may come before it, separated by ``;``. What depends on chance,
on NumPy's version, or on the order in which a GPU adds is left out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

NAN = float("nan")

# Device operands: lower case. Host operands: `h...`.
OPERANDS: dict[str, Callable[[Any], Any]] = {
    "x": lambda d: d([1.5, -2.0, 0.25, 4.0]),
    "y": lambda d: d([0.5, 3.0, -1.0, 2.0]),
    "m": lambda d: d(np.arange(12.0).reshape(3, 4)),
    "t": lambda d: d(np.arange(24).reshape(2, 3, 4)),
    "i": lambda d: d([3, 1, 2, 0]),
    "u": lambda d: d(np.array([1, 2, 250], np.uint8)),
    "j": lambda d: d(np.array([1, -2, 3], np.int8)),
    "w": lambda d: d(np.array([1.5, 2.5, 3.5, 0.5], np.float32)),
    "p": lambda d: d(np.array([1.5, 2.5, 3.5, 0.5], np.float16)),
    "c": lambda d: d([1 + 2j, 3 - 1j, 0.5j, -2 + 0j]),
    "b": lambda d: d([True, False, True, False]),
    "q": lambda d: d([[4.0, 1.0], [1.0, 3.0]]),
    "z": lambda d: d(2.5),
    "k": lambda d: d(2),
    "e": lambda d: d(np.zeros(0)),
    "n": lambda d: d([1.0, NAN, 3.0, 2.0]),
    "r": lambda d: d([[1.0, NAN, 3.0], [NAN, NAN, NAN]]),
    "v": lambda d: d(np.array([(1, 2.5), (3, 4.5)], dtype=[("a", np.int32, ()), ("f", np.float32, ())])),
    "hx": lambda d: np.array([1.0, 2.0, 3.0, 4.0]),
    "hm": lambda d: np.arange(12.0).reshape(3, 4),
    "h0": lambda d: np.array(2.0),
    "hk": lambda d: np.array(2),
    "hs": lambda d: np.float64(2.0),
    "hi": lambda d: np.array([0, 2]),
    "hb": lambda d: np.array([True, False, True, False]),
}

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

OPERATORS = """
x + y
x - y
x * y
x / y
x // y
x % y
divmod(x, y)
x ** 2
x ** 2.0
x ** 0.5
x ** -1.0
x ** 3
i ** 2
i ** 0.5
i ** -1
i ** -1.0
b ** 2
u ** 2
2 ** i
2.0 ** i
i ** i
-x
+x
+b
-b
-u
abs(j)
~i
~b
~x
i << 1
i >> 1
i & 1
i | 4
i ^ 3
b & b
b | True
b ^ b
x & 1
x < y
x <= y
x == y
x != y
x > y
x >= y
x == None
x != None
x == ...
x == 'a'
x < None
x == [1, 2, 3, 4]
x == hx
x == h0
x < h0
h0 < x
hx < x
hx == x
i / i
i // 2
i // 0
i % 0
i / 0
x // 0
x % 0
j // 2
j % 2
i + 1
i + 1.5
i + 1j
i + True
u + 1
u + 300
u + -1
u + 1.5
u + 1j
u == 300
u < -1
u > 256
i == 1.5
w + 1.5
w + 1
w + hs
w + np.float32(2)
w + np.float64(2)
w + np.int64(2)
w + np.complex64(1j)
w + np.longdouble(1)
u + np.int64(300)
u + np.uint8(250)
u + j
j + 1
w + x
p + 1
p + w
p * 1e6
b + b
b * b
b - b
b + 1
b + 1.5
b / b
b / 2
c + x[:4]
c * 2
c / 2
c // 2
c < c
abs(c)
x + hx
hx + x
x + h0
h0 + x
x * hk
hk * x
x + hs
hs + x
hs * i
np.int8(3) * i
x + [1, 2, 3, 4]
[1, 2, 3, 4] + x
x + (1, 2, 3, 4)
x + 'a'
x + None
x + np.datetime64('2020-01-01')
x + z
z + z
z + 1
x + e
m + x
m + x[:3]
m + d([1.0])
x @ y
m @ x
x @ m
m @ m.T
q @ q
t @ t.transpose(0, 2, 1)
x @ hx
hx @ x
x @ 2
x @ z
i @ i
b @ b
x += 1; x
x += y; x
x += hx
x += h0
x += [1, 2, 3, 4]
i += 1.5
i += 1; i
i /= 2
i //= 2; i
u += 1; u
u += 300
u += i[:3]
w += x; w
x *= 2; x
x -= z; x
x **= 2; x
i <<= 1; i
b &= True; b
b |= i
x @= q
x += m
hx += x
z += 1; z
c += 1j; c
x += 1j
"""

UFUNCS = """
np.add(x, y)
np.add(x, 1)
np.add(x, hx)
np.add(hx, x)
np.add(x, h0)
np.add(x, [1, 2, 3, 4])
np.add(x, y, out=x) is x
np.add(x, y, x) is x
np.add(x, y, out=hx)
np.add(hx, hx, out=x)
np.add(x, y, out=xp.empty(3))
np.add(x[:1], y[:1], out=xp.zeros(4))
np.add(x, y, out=xp.empty(4, 'f4'))
np.add(x, y, out=xp.empty(4, 'i4'))
np.add(x, y, out=xp.zeros(4, 'i8'), casting='unsafe')
np.add(x, y, where=b)
np.add(x, y, where=True)
np.add(x, y, where=hb)
np.add(x, y, dtype='f4')
np.add(x, y, dtype='i8')
np.add(i, i, dtype='f8')
np.add(i, 1, dtype='c16')
np.add(x, y, dtype='O')
np.add(x, y, casting='unsafe')
np.add(x, y, casting='no')
np.add(x, y, order='F')
np.add(x, y, subok=True)
np.add(x, y, signature='dd->d')
np.add(x, y, axis=0)
np.sqrt(x * x)
np.sqrt(i)
np.sqrt(j)
np.sqrt(u)
np.sqrt(b)
np.sqrt(-x)
np.sqrt(c * c)
np.exp(d([0.0, 1.0]))
np.log(d([1.0, 0.0]))
np.log1p(d([0.0, 1.0]))
np.sin(d([0.0]))
np.arctan2(x, y)
np.hypot(x, y)
np.cbrt(d([8.0, 27.0]))
np.exp2(i)
np.expm1(d([0.0]))
np.floor(x)
np.ceil(x)
np.trunc(x)
np.rint(x)
np.floor(i)
np.ceil(b)
np.fix(x)
np.sign(x)
np.sign(u)
np.sign(b)
np.signbit(x)
np.isnan(n)
np.isnan(i)
np.isnan(b)
np.isinf(x / 0)
np.isfinite(n)
np.maximum(x, y)
np.minimum(x, 0)
np.maximum(n, 2)
np.fmax(n, 2)
np.fmin(n, hx)
np.fmod(x, 2)
np.mod(x, 2)
np.remainder(j, 2)
np.divide(i, 2)
np.true_divide(i, 2)
np.floor_divide(x, 2)
np.power(x, 2)
np.power(i, -1)
np.power(b, b)
np.float_power(i, 2)
np.square(x)
np.square(b)
np.reciprocal(x)
np.reciprocal(i)
np.negative(b)
np.positive(b)
np.positive(x)
np.absolute(x)
np.abs(c)
np.fabs(x)
np.conjugate(c)
np.conj(b)
np.degrees(x)
np.deg2rad(x)
np.logical_and(x, y)
np.logical_or(b, False)
np.logical_not(x)
np.logical_not(c)
np.logical_xor(b, True)
np.logical_and(c, c)
np.bitwise_and(i, 1)
np.bitwise_count(i)
np.invert(b)
np.left_shift(i, 1)
np.gcd(i, 2)
np.gcd(b, b)
np.lcm(i, 2)
np.copysign(x, -1)
np.nextafter(x, 10) > x
np.ldexp(x, i)
np.frexp(x)
np.modf(x)
np.divmod(i, 2)
np.divmod(x, y, out=(xp.empty(4), xp.empty(4)))
np.heaviside(x, 0.5)
np.logaddexp(x, y)
np.greater(x, h0)
np.greater(x, hx)
np.equal(x, h0)
np.less(u, 300)
np.equal(x, None)
np.matmul(m, x)
np.matmul(m, x, out=xp.empty(3))
np.matmul(m, hx)
np.matmul(m, 2)
np.matmul(m, m)
np.matmul(m, m.T, dtype='f4')
np.vecdot(x, y)
np.matvec(m, x)
np.spacing(x)
np.isnat(x)
np.add.reduce(m)
np.add.reduce(m, axis=1)
np.add.reduce(m, axis=None)
np.add.reduce(m, axis=(0, 1))
np.add.reduce(m, axis=0, keepdims=True)
np.add.reduce(m, axis=0, dtype='f4')
np.add.reduce(x, initial=1)
np.add.reduce(x, where=b)
np.add.reduce(m, out=xp.empty(4))
np.multiply.reduce(x)
np.maximum.reduce(x)
np.logical_or.reduce(b)
np.logical_and.reduce(b)
np.subtract.reduce(x)
np.add.accumulate(x)
np.multiply.accumulate(x)
np.maximum.accumulate(x)
np.add.reduceat(x, [0, 2])
np.add.reduceat(x, i[1:3])
np.multiply.reduceat(x, d([0, 2]))
np.add.outer(x, y)
np.add.outer(x, 1)
np.add.outer(x, hx)
np.add.outer(x, [1, 2])
np.multiply.outer(i, i)
np.less.outer(x, y)
np.add.at(x, i[:2], 10); x
np.add.at(x, d([0, 0]), 1); x
np.add.at(x, d([5]), 1); x
np.add.at(x, [0, 0], 1)
np.add.at(x, d([0, 0]), d([1.0, 2.0])); x
np.add.at(x, d([0, 1]), hx[:2])
np.add.at(x, 1, 1); x
np.add.at(m, d([0, 1]), 1.0); m
np.add.at(x, hi, 1); x
np.add.at(x, b, 1); x
np.add.at(x, slice(1, 3), 1)
np.add.at(i, i[:1], 1); i
np.add.at(u, i[1:2], 1)
np.add.at(c, i[:1], 1)
np.add.at(hx, d([0]), z)
np.subtract.at(x, d([0]), 1)
np.subtract.at(i.astype('i4'), d([0]), 1)
np.maximum.at(x, d([0, 1]), 3); x
np.minimum.at(i, d([0, 1]), 0); i
np.multiply.at(x, d([0]), 2)
np.bitwise_or.at(i, d([0]), 4); i
np.logical_or.at(b, d([0]), True)
np.negative.at(x, d([0]))
xp.add(x, 1)
xp.add(x, hx)
xp.add(x, where=b)
xp.add(x)
xp.add(1, 2)
xp.sqrt(4.0)
xp.add(x, y, out=x) is x
xp.add.reduce(x)
xp.maximum(x, 0).dtype
xp.add.nin
"""

REDUCTIONS = """
x.sum()
m.sum(axis=0)
m.sum(axis=-1, keepdims=True)
t.sum(axis=(0, 2))
m.sum(axis=(0, 0))
m.sum(axis=2)
m.sum(axis=[0])
m.sum(0, 'f4')
b.sum()
u.sum()
j.sum()
w.sum()
p.sum()
c.sum()
e.sum()
z.sum()
i.sum(dtype='i4')
i.sum(dtype=bool)
x.sum(out=xp.zeros(()))
m.sum(axis=0, out=xp.zeros(3))
m.sum(axis=0, out=np.zeros(4))
m.sum(axis=0, out=xp.zeros(4, 'i8'))
x.sum(where=b)
x.sum(initial=1)
np.sum(x)
np.sum(m, axis=0)
np.sum(m, 0, None, None, True)
np.sum(m, axis=0, keepdims=True)
np.sum(x, where=b)
np.sum(x, initial=1)
np.sum(x, dtype='f4')
np.sum(hx, out=z)
np.prod(x)
np.prod(u)
np.prod(e)
np.prod(m, axis=1)
np.max(x)
np.max(m, axis=0)
np.max(m, axis=(0, 1))
np.max(n)
np.max(e)
np.max(xp.zeros((0, 3)), axis=1)
np.max(xp.zeros((0, 3)), axis=0)
np.max(x, initial=9)
np.max(x, where=b)
np.max(b)
np.max(c)
np.amax(x, keepdims=True)
np.min(m, axis=1)
np.min(u)
np.amin(x)
np.ptp(x)
np.ptp(m, axis=0)
np.ptp(b)
np.mean(x)
np.mean(i)
np.mean(b)
np.mean(w)
np.mean(p)
np.mean(c)
np.mean(m, axis=0, keepdims=True)
np.mean(m, axis=(0, 1))
np.mean(e)
np.mean(xp.zeros((0, 3)), axis=0)
np.mean(xp.zeros((0, 3)), axis=1)
np.mean(i, dtype='f4')
np.mean(x, dtype='i8')
np.mean(x, where=b)
np.mean(x, out=xp.zeros(()))
np.var(x)
np.var(i)
np.var(w)
np.var(p).dtype
np.var(c)
np.var(m, axis=0)
np.var(m, axis=1, ddof=1)
np.var(x, ddof=4)
np.var(x, ddof=9)
np.var(e)
np.var(x, dtype='f4')
np.var(i, dtype='f8')
np.var(d([1, 2, 4]), dtype='f8')
np.var(x, correction=1)
np.var(x, mean=z)
np.var(x, where=b)
np.std(x)
np.std(i, ddof=1)
np.std(m, axis=0, keepdims=True)
np.std(w).dtype
np.std(b)
np.std(d([1, 2, 4]), dtype='f4')
np.all(x)
np.all(b)
np.all(m, axis=0)
np.all(e)
np.all(x, where=b)
np.any(x)
np.any(b, keepdims=True)
np.any(e)
np.any(c)
np.argmax(x)
np.argmax(m, axis=0)
np.argmax(m, axis=1, keepdims=True)
np.argmax(n)
np.argmax(b)
np.argmax(e)
np.argmax(x).dtype
np.argmin(x)
np.argmin(m, axis=1)
np.argmin(x, out=xp.zeros((), int))
np.argmax(m, axis=(0, 1))
np.count_nonzero(x)
np.count_nonzero(m, axis=0)
np.count_nonzero(m, axis=0, keepdims=True)
np.nansum(n)
np.nansum(r, axis=1)
np.nansum(i)
np.nansum(d([complex(NAN, 1), 1j]))
np.nanprod(n)
np.nanmean(n)
np.nanmean(r, axis=0)
np.nanmean(r, axis=1)
np.nanmean(i)
np.nanmean(n, where=b)
np.nanvar(n)
np.nanvar(r, axis=0)
np.nanvar(n, ddof=1)
np.nanstd(n)
np.nanstd(r, axis=1)
np.nanmax(n)
np.nanmax(r, axis=1)
np.nanmin(n)
np.nanmin(r, axis=0)
np.nanmin(i)
np.nanargmax(n)
np.nanargmin(n)
np.nanargmax(r, axis=1)
np.nanargmin(r, axis=0)
np.nancumsum(n)
np.nancumprod(n)
np.nanmedian(n)
np.nanmedian(r, axis=1)
np.nanmedian(r, axis=0, keepdims=True)
np.nanmedian(i)
np.nanpercentile(n, 50)
np.nanquantile(n, 0.5)
np.median(x)
np.median(x[:3])
np.median(m, axis=0)
np.median(m, axis=(0, 1))
np.median(m, axis=1, keepdims=True)
np.median(n)
np.median(i)
np.median(w).dtype
np.median(e)
np.percentile(x, 50)
np.percentile(x, [25, 75])
np.percentile(x, hx)
np.percentile(x, d([25.0, 75.0]))
np.percentile(m, 30, axis=0)
np.percentile(m, [10, 90], axis=1, keepdims=True)
np.percentile(n, 50)
np.percentile(i, 50)
np.percentile(w, 50).dtype
np.percentile(w, [50]).dtype
np.percentile(x, 50, method='lower')
np.percentile(x, 50, method='higher')
np.percentile(x, 40, method='nearest')
np.percentile(x, 50, method='midpoint')
np.percentile(x, 50, method='hazen')
np.percentile(x, 50, method='inverted_cdf')
np.percentile(x, 50, method='nonsense')
np.percentile(x, 150)
np.percentile(x, 50, weights=y)
np.quantile(x, 0.25)
np.quantile(x, [0.1, 0.9])
np.quantile(m, 0.5, axis=(0, 1))
np.quantile(x, -0.5)
np.cumsum(x)
np.cumsum(m)
np.cumsum(m, axis=1)
np.cumsum(b)
np.cumsum(u)
np.cumsum(u, dtype='u1')
np.cumsum(z)
np.cumsum(x, out=xp.zeros(4))
np.cumprod(i)
np.cumprod(m, axis=0)
np.cumulative_sum(x)
np.cumulative_sum(x, include_initial=True)
np.cumulative_sum(m)
np.average(x)
np.average(x, weights=y)
np.average(x, weights=hx)
np.average(x, weights=[1, 2, 3, 4])
np.average(m, axis=0, weights=[1, 1, 2])
np.average(x, weights=y, returned=True)
np.average(i, returned=True)
np.average(x, weights=x * 0)
np.trace(m)
np.trace(t, axis1=1, axis2=2)
m.trace()
m.mean(axis=1)
m.var()
m.std(axis=0)
m.max(axis=0)
m.min()
m.argmax()
m.argmin(axis=1)
m.cumsum()
b.all()
b.any()
x.ptp()
x.prod()
x.mean(where=b)
"""

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

SHAPES = """
x.reshape(2, 2)
x.reshape((2, -1))
x.reshape([2, 2])
x.reshape(3)
x.reshape(2, 2, order='F')
m.T.reshape(12)
np.reshape(x, (2, 2))
np.reshape(x, -1)
np.reshape(x, shape=(2, 2))
np.reshape(x, (2, 2), copy=True)
np.reshape(m.T, (12,), copy=False)
np.reshape(x, (2, 2), order='F')
x.shape = (2, 2); x
m.T.shape = 12
np.ravel(m)
np.ravel(m, 'F')
m.T.ravel()
m.ravel().base is m
m.flatten()
np.squeeze(x[None])
np.squeeze(m, axis=0)
np.expand_dims(x, 0)
np.expand_dims(x, (0, 2))
np.expand_dims(x, 5)
np.transpose(m)
np.transpose(t, (2, 0, 1)).shape
np.permute_dims(m, (1, 0))
m.transpose(1, 0)
m.transpose((1, 0))
m.transpose(0)
m.T
x.T is x
t.mT.shape
x.mT
np.matrix_transpose(t).shape
np.swapaxes(m, 0, 1)
np.swapaxes(m, 0, 2)
m.swapaxes(0, 1)
np.moveaxis(t, 0, -1).shape
np.moveaxis(t, 5, 0)
np.rollaxis(t, 2).shape
np.rollaxis(t, 9)
np.atleast_1d(z)
np.atleast_2d(x)
np.atleast_3d(x).shape
np.atleast_1d(z, x)
xp.atleast_1d(hx)
np.broadcast_to(x, (2, 4))
np.broadcast_to(x, 4)
np.broadcast_to(x, (4, 2))
np.broadcast_to(z, (2,))
np.broadcast_to(x, (2, 4), subok=True)
xp.broadcast_to(hx, (2, 4))
np.broadcast_arrays(x, z)
np.broadcast_arrays(x, hx)
np.broadcast_arrays(m, x[:3])
np.broadcast_arrays(x, 1)
np.concatenate([x, y])
np.concatenate([m, m], axis=1)
np.concatenate([m, m], axis=None)
np.concatenate([x, i])
np.concatenate([u, j])
np.concatenate([x, hx])
np.concatenate([hx, x])
np.concatenate([x, [1.0]])
np.concatenate([x, m])
np.concatenate([z, z])
np.concatenate((x,))
np.concatenate([x, y], axis=1)
np.concatenate([x, y], out=xp.empty(8))
np.concatenate([x, y], out=np.empty(8))
np.concatenate([x, y], out=xp.empty(7))
np.concatenate([x, y], dtype='f4')
np.concatenate([x, y], dtype='i8')
np.concatenate([x, y], dtype='i8', casting='unsafe')
np.concatenate([e, x])
xp.concatenate([])
np.concat([x, y])
np.stack([x, y])
np.stack([x, y], axis=1)
np.stack([x, hx])
np.stack([z, z])
np.stack([x, m])
np.hstack([x, y])
np.hstack([x, hx])
np.hstack([m, m])
np.vstack([x, y])
np.vstack([x, hx])
np.dstack([x, y]).shape
np.column_stack([x, y])
np.column_stack([x, hx])
np.block([x, y])
np.split(x, 2)
np.split(x, 3)
np.split(x, [1, 3])
np.array_split(x, 3)
np.array_split(x, hi)
np.hsplit(m, 2)
np.vsplit(m, 3)
np.dsplit(t, 2)[0].shape
np.unstack(m)
np.tile(x, 2)
np.tile(x, (2, 1))
np.tile(m, 0).shape
np.repeat(x, 2)
np.repeat(m, 2, axis=0)
np.repeat(x, [1, 2, 0, 1])
np.repeat(x, i)
np.repeat(x, hi.repeat(2))
np.repeat(x, 1.5)
np.repeat(x, -1)
np.roll(x, 1)
np.roll(m, (1, 2), axis=(0, 1))
np.roll(x, k)
np.flip(m)
np.flip(m, 0)
np.fliplr(m)
np.flipud(x)
np.rot90(m)
np.resize(x, (2, 3))
np.pad(x, 1)
np.pad(m, ((1, 0), (0, 1)))
np.pad(x, 2, mode='edge')
np.pad(x, 2, mode='reflect')
np.pad(x, 2, mode='symmetric')
np.pad(x, 2, mode='wrap')
np.pad(x, 2, mode='mean')
np.pad(x, 2, mode='maximum')
np.pad(x, 2, mode='median')
np.pad(x, 2, mode='linear_ramp', end_values=0)
np.pad(x, 1, constant_values=7)
np.pad(x, 1, constant_values=z)
np.pad(x, i)
np.pad(x, (1.5, 1))
np.pad(x, 1, mode='nonsense')
np.pad(x, 1, mode='edge', constant_values=3)
np.pad(x, hi)
np.shape(m)
np.size(m)
np.ndim(m)
np.size(m, 0)
x.astype('i4')
x.astype('f8', copy=False) is x
x.astype(int, casting='unsafe')
x.astype(int, subok=True)
x.astype('O')
x.astype('U3')
c.astype(float)
n.astype(bool)
m.astype('f4', order='F').flags.f_contiguous
np.astype(x, int)
np.astype(hx, int)
x.copy().base is None
m.T.copy().flags.c_contiguous
m.T.copy('K').flags.f_contiguous
np.copy(x)
x.view('i8').dtype
x.view('f4').shape
z.view('f4')
x.view().base is x
x.fill(3); x
x.fill(h0); x
x.fill(hx)
x.fill(y)
x.fill(z); x
c.real
c.imag
x.real is x
x.imag
c.real = 0; c
x.imag = 1
np.real(c)
np.imag(x)
c.conj()
x.conj() is x
np.iscomplexobj(c)
np.isrealobj(x)
np.iscomplex(c)
np.isreal(x)
np.isfortran(m.T)
np.isscalar(z)
np.result_type(x, i)
np.result_type(w, 1.0)
np.result_type(u, z)
np.can_cast(x, 'f4')
np.can_cast(u, 'i2')
np.common_type(i, w)
np.common_type(b)
np.min_scalar_type(x)
np.may_share_memory(x, x[1:])
np.may_share_memory(x, y)
np.shares_memory(x, x[1:])
x.nbytes
x.itemsize
m.strides
m.T.strides
x.dtype
x.ndim
x.size
x.device.id
x.__array_priority__
hasattr(x, '__array_interface__')
hasattr(x, '__array__')
hasattr(x, '__array_struct__')
hasattr(x, '__array_namespace__')
hasattr(x, '__index__')
hasattr(x, '__contains__')
hasattr(x, 'itemset')
hasattr(x, 'resize')
hasattr(x, 'setflags')
hasattr(x, 'ctypes')
hasattr(x, 'to_device')
"""

FUNCTIONS = """
np.clip(x, 0, 1)
np.clip(x, 0, None)
np.clip(x, None, 1)
np.clip(x, y, 3)
np.clip(x, hx, 5)
np.clip(x, 0)
np.clip(x, min=0, max=1)
np.clip(i, 1, 2.5)
np.clip(i, 1, None)
np.clip(u, 0, 300)
np.clip(c, 0, 1)
np.clip(b, 0, 1)
x.clip(0, 1)
x.clip(min=0)
x.clip(0, 1, out=x) is x
np.round(x)
np.round(x, 1)
np.round(d([0.125, 2.5, 3.5]), 2)
np.round(i)
np.round(d([15, 25, 149]), -1)
np.round(b)
np.around(x, 1)
x.round(1)
np.nan_to_num(n)
np.nan_to_num(n, nan=7.0)
np.nan_to_num(x / 0)
np.nan_to_num(i)
np.nan_to_num(n, copy=False) is n
np.angle(c)
np.angle(x)
np.angle(c, deg=True)
np.i0(d([0.0, 1.0]))
np.sinc(d([0.0, 0.5]))
np.isclose(x, y)
np.isclose(x, x + 1e-10)
np.isclose(n, n, equal_nan=True)
np.isclose(x, hx)
np.isclose(x, [1.5, -2.0, 0.25, 4.0])
np.isclose(c, c)
np.allclose(x, x)
np.allclose(x, hx)
np.array_equal(x, x)
np.array_equal(x, m)
np.array_equal(x, hx)
np.array_equal(n, n, equal_nan=True)
np.array_equal(x, [1, 2])
np.array_equiv(x, x[None])
np.array_equiv(x, y)
np.isneginf(-x / 0)
np.isposinf(x)
np.isposinf(c)
np.real_if_close(c * 0)
np.sort(x)
np.sort(m, axis=0)
np.sort(-m, axis=None)
np.sort(n)
np.sort(c)
np.sort(b)
np.sort(p)
np.sort(z)
np.sort(x, kind='stable')
np.sort(x, kind='quicksort')
np.sort(x, stable=True)
np.sort(e)
x.sort(); x
m.T.sort()
x.sort(kind='heapsort')
np.argsort(x)
np.argsort(-m, axis=0)
np.argsort(n)
np.argsort(z)
np.argsort(x, kind='mergesort')
np.argsort(m, axis=None)
np.lexsort((x, y))
np.lexsort(m)
np.partition(x, 1)
np.partition(x, 9)
np.partition(x, [0, 2])
np.partition(z, 0)
np.argpartition(x, 1)
np.argpartition(x, 9)
np.sort_complex(x)
np.searchsorted(d([1.0, 2.0, 3.0]), 2.5)
np.searchsorted(d([1.0, 2.0, 3.0]), x)
np.searchsorted(d([1.0, 2.0, 3.0]), d([2.0]), side='right')
np.searchsorted(d([1.0, 2.0, 3.0]), [2.5])
np.searchsorted(d([1.0, 2.0, 3.0]), hx)
np.searchsorted(hx, x)
np.searchsorted([1.0, 2.0], x)
np.searchsorted(d([1.0, 2.0, 3.0]), hs)
np.searchsorted(d([1.0, 2.0, 3.0]), np.int64(2))
np.searchsorted(e, x)
np.searchsorted(x, y, sorter=xp.argsort(x))
x.searchsorted(1.0)
np.digitize(x, d([0.0, 1.0, 2.0]))
np.digitize(x, d([0.0, 1.0, 2.0]), right=True)
np.digitize(x, hx)
np.digitize(x, [0.0, 1.0])
np.digitize(hx, d([0.0, 1.0]))
np.unique(d([3, 1, 3, 2]))
np.unique(d([3, 1, 3, 2]), return_counts=True)
np.unique(d([3, 1, 3, 2]), return_index=True, return_inverse=True)
np.unique(d([[3, 1], [3, 2]]))
np.unique(d([[3, 1], [3, 2]]), return_inverse=True)
np.unique(d([[3, 1], [3, 1], [0, 2]]), axis=0)
np.unique(n)
np.unique(d([NAN, NAN, 1.0]))
np.unique(d([NAN, NAN, 1.0]), equal_nan=False)
np.unique(x, sorted=False)
np.unique(e)
np.unique(z)
np.unique_values(d([2, 1, 2]))
np.unique_counts(d([2, 1, 2]))
np.unique_inverse(d([2, 1, 2]))
np.isin(i, d([1, 2]))
np.isin(i, [1, 2])
np.isin(i, hi)
np.isin(i, 1)
np.isin(i, d([1]), invert=True)
np.isin(i, d([1]), kind='sort')
np.isin(i, d(np.zeros(0, int)))
np.isin(i, e)
np.intersect1d(i, d([1, 2, 9]))
np.intersect1d(i, [1, 2])
np.intersect1d(i, d([1, 2, 9]), return_indices=True)
np.union1d(i, d([9]))
np.union1d(i, [9])
np.setdiff1d(i, d([1]))
np.setxor1d(i, d([1, 9]))
np.interp(d([1.5, 9.0, -1.0]), d([1.0, 2.0]), d([10.0, 20.0]))
np.interp(d([1.5]), [1.0, 2.0], d([10.0, 20.0]))
np.interp(d([1.5]), hx[:2], hx[:2])
np.interp(d([1.5]), d([1.0, 2.0]), hx[:2])
np.interp(d([1.5]), d([1.0, 2.0]), [1.0, 2.0])
np.interp(1.5, d([1.0, 2.0]), d([10.0, 20.0]))
np.interp(z, d([1.0, 3.0]), d([10.0, 30.0]))
np.interp(d([0.0, 5.0]), d([1.0, 2.0]), d([10.0, 20.0]), left=-1, right=-2)
np.interp(d([0.0, 5.0]), d([1.0, 2.0]), d([10.0, 20.0]), left=z)
np.interp(m.T[0], d([1.0, 2.0]), d([1.0, 2.0]))
np.histogram(d([1.0, 2.0, 2.5, 4.0]))
np.histogram(x, bins=3)
np.histogram(x, bins=3, range=(0, 3))
np.histogram(x, bins=d([0.0, 1.0, 2.0]))
np.histogram(x, bins=[0.0, 1.0, 2.0])
np.histogram(x, bins=hx)
np.histogram(x, bins='auto')
np.histogram(x, bins=3, density=True)
np.histogram(x, bins=3, weights=y)
np.histogram(x, bins=3, weights=hx)
np.histogram(x, bins=3, weights=[1, 2, 3, 4])
np.histogram(x, bins=3, weights=i)
np.histogram(x, bins=3, weights=w)[0].dtype
np.histogram(i, bins=2)
np.histogram(w, bins=2)[1].dtype
np.histogram(c)
np.histogram(n)
np.histogram(e, bins=2)
np.histogram(x, bins=0)
np.histogram(x, bins=d([2.0, 1.0]))
np.histogram_bin_edges(x, 3)
np.histogram2d(x, y, bins=2)
np.histogram2d(x, y, bins=[2, 3])[0].shape
np.histogramdd(m[:, :2], bins=2)
np.histogramdd((x, y), bins=2)[0].shape
np.bincount(i)
np.bincount(d([1, 1, 3]), minlength=6)
np.bincount(d([1, 1, 3]), weights=d([0.5, 0.5, 2.0]))
np.bincount(d([1, 1, 3]), weights=hx[:3])
np.bincount(x)
np.bincount(j)
np.bincount(d(np.zeros(0, int)))
np.bincount(m.astype(int))
np.diff(x)
np.diff(x, n=2)
np.diff(x, n=0) is x
np.diff(m, axis=0)
np.diff(x, prepend=0)
np.diff(x, append=[1.0])
np.diff(x, prepend=hx)
np.diff(b)
np.diff(u)
np.ediff1d(x)
np.ediff1d(x, to_begin=0)
np.ediff1d(x, to_end=y[:1])
np.ediff1d(x, to_end=hx)
np.gradient(x)
np.gradient(x, 2.0)
np.gradient(x, d([0.0, 1.0, 3.0, 4.0]))
np.gradient(x, hx)
np.gradient(x, [0.0, 1.0, 2.0, 3.0])
np.gradient(m)
np.gradient(m, axis=0)
np.gradient(i)
np.gradient(w).dtype
np.gradient(x, edge_order=2)
np.gradient(x[:1])
np.trapezoid(x)
np.trapezoid(x, y)
np.trapezoid(x, hx)
np.trapezoid(x, dx=2.0)
np.unwrap(d([0.0, 3.0, 7.0, 0.0]))
np.convolve(i, d([1, 2]))
np.convolve(x, d([1.0, 2.0]), mode='same')
np.convolve(x, [1.0, 2.0])
np.convolve(x, hx)
np.convolve(m, x)
np.correlate(i, d([1, 2]), mode='full')
np.cov(m)
np.cov(x)
np.cov(x, y)
np.cov(x, hx)
np.cov(m, rowvar=False, ddof=0)
np.cov(m, fweights=[1, 1, 1, 2])
np.cov(m, fweights=i)
np.cov(m, aweights=hx)
np.cov(m, aweights=d([1.0, 2.0, 3.0, 4.0]))
np.cov(w).dtype
np.corrcoef(m[:2])
np.corrcoef(x, y)
np.cross(x[:3], y[:3])
np.cross(x[:3], hx[:3])
np.cross(x[:3], [1.0, 2.0, 3.0])
np.trim_zeros(d([0, 1, 0]))
np.trim_zeros(m)
np.packbits(b)
np.unpackbits(u)
np.unpackbits(u, axis=0)
np.packbits(x)
np.piecewise(x, [b, ~b], [1.0, 2.0])
np.piecewise(x, [b], [lambda a: a])
np.piecewise(x, [hb], [1.0])
np.apply_along_axis(lambda a: a.sum(), 0, m)
np.apply_along_axis(lambda a: a * 2, 1, m)
np.apply_along_axis(lambda a: 1, 0, m)
np.apply_over_axes(np.sum, t, [0, 2])
np.vectorize(lambda a: a + 1)(x)
np.polyval(d([1.0, 2.0]), x)
np.polyval(d([1.0, 2.0]), 2.0)
np.polyder(x)
np.polyfit(d([0.0, 1.0, 2.0]), d([0.0, 2.0, 4.0]), 1).shape
np.roots(d([1.0, -3.0, 2.0])).shape
np.geomspace(x, y)
np.einsum_path('i,i', x, y)
np.save(None, x)
np.busday_count(x, y)
np.frompyfunc(lambda a: a, 1, 1)(x)
np.isnan(np.nan * z)
np.lib.stride_tricks.sliding_window_view(x, 2)
np.lib.stride_tricks.sliding_window_view(m, (2, 2)).shape
np.lib.stride_tricks.sliding_window_view(x, 9)
np.lib.stride_tricks.as_strided(x, (2, 2), (8, 8))
np.may_share_memory(x, hx)
np.broadcast_shapes((2, 1), (1, 3))
np.iterable(x)
np.nditer(x)
np.ndenumerate(x)
next(iter(np.ndindex(2)))
np.ma.masked_array(x)
np.testing.assert_array_equal(x, x)
xp.linalg.LinAlgError is np.linalg.LinAlgError
xp.float32 is np.float32
xp.pi
xp.newaxis
"""

LINEAR = """
np.dot(x, y)
np.dot(m, x)
np.dot(m, m.T)
np.dot(m, m)
np.dot(x, 2)
np.dot(x, z)
np.dot(x, hx)
np.dot(hx, x)
np.dot(i, i)
np.dot(x, i)
np.dot(b, b)
np.dot(x, y, out=xp.zeros(()))
np.dot(x, [1, 2, 3, 4])
x.dot(y)
x.dot(hx)
np.vdot(x, y)
np.vdot(c, c)
np.vdot(x, hx)
np.inner(x, y)
np.inner(m, m)
np.inner(x, hx)
np.inner(x, m)
np.outer(x, y)
np.outer(x, hx)
np.outer(x, [1, 2])
np.kron(x, y)
np.kron(x, 2)
np.kron(q, q)
np.kron(x, hx)
np.tensordot(m, m)
np.tensordot(m, m, axes=([0], [0]))
np.tensordot(m, m, axes=1)
np.tensordot(m, hm)
np.tensordot(t, m, axes=([1, 2], [0, 1]))
np.tensordot(x, y, axes=0).shape
np.einsum('i,i', x, y)
np.einsum('ij->ji', m)
np.einsum('ii', q)
np.einsum('ij,j->i', m, x)
np.einsum('ij,jk', q, q)
np.einsum('i,i', x, hx)
np.einsum('...i->...', t)
np.einsum('i,i->i', i, x)
np.einsum('i,i', x, y, optimize=True)
np.einsum('i,i', x, y, dtype='f4')
np.einsum('i,i', x, y, out=xp.zeros(()))
np.einsum('i,i', x, y, casting='unsafe')
np.einsum('i,j', x)
np.einsum(x, [0], y, [0])
np.linalg.norm(x)
np.linalg.norm(x, 1)
np.linalg.norm(x, np.inf)
np.linalg.norm(x, 0)
np.linalg.norm(x, 3)
np.linalg.norm(m)
np.linalg.norm(m, axis=0)
np.linalg.norm(m, 'fro')
np.linalg.norm(m, 'nuc')
np.linalg.norm(m, 2)
np.linalg.norm(m, 'bad')
np.linalg.norm(i)
np.linalg.norm(w).dtype
np.linalg.norm(c)
np.linalg.norm(m, axis=1, keepdims=True)
np.linalg.inv(q)
np.linalg.inv(m)
np.linalg.inv(x)
np.linalg.inv(q.astype(int))
np.linalg.inv(q.astype('f2'))
np.linalg.inv(q.astype('f4')).dtype
np.linalg.inv(xp.stack([q, q]))
np.linalg.pinv(q)
np.linalg.solve(q, d([1.0, 2.0]))
np.linalg.solve(q, q)
np.linalg.solve(q, hx[:2])
np.linalg.solve(q, d([1.0, 2.0, 3.0]))
np.linalg.det(q)
np.linalg.det(m)
np.linalg.slogdet(q)
np.linalg.cholesky(q)
np.linalg.cholesky(x)
np.linalg.cholesky(q, upper=True)
np.linalg.svd(q, compute_uv=False)
np.linalg.svd(m, full_matrices=False)[0].shape
np.linalg.svd(m)[2].shape
np.linalg.svd(q, hermitian=True)
np.linalg.svd(x)
np.linalg.qr(q)[1].shape
np.linalg.qr(m, mode='complete')[0].shape
np.linalg.qr(q, mode='full')
np.linalg.eigvalsh(q)
np.linalg.eigh(q)[0]
np.linalg.eigvalsh(m)
np.linalg.matrix_rank(q)
np.linalg.matrix_rank(m)
np.linalg.matrix_power(q, 2)
np.linalg.matrix_power(q, 0)
np.linalg.lstsq(q, d([1.0, 2.0]))
np.linalg.lstsq(m.T, x, rcond=None)[0].shape
np.linalg.lstsq(q, hx[:2])
np.linalg.cond(q)
np.linalg.multi_dot([q, q])
np.linalg.matrix_norm(q)
np.linalg.vector_norm(x)
np.linalg.trace(q)
np.linalg.outer(x, y)
np.linalg.cross(x[:3], y[:3])
np.linalg.tensordot(m, m)
np.linalg.matmul(q, q)
np.linalg.matrix_transpose(t).shape
np.linalg.diagonal(q)
np.linalg.vecdot(x, y)
np.linalg.svdvals(q)
np.linalg.tensorsolve(q, d([1.0, 2.0]))
np.linalg.tensorinv(d(np.eye(4).reshape(2, 2, 2, 2))).shape
np.fft.fft(x)
np.fft.fft(i)
np.fft.fft(w).dtype
np.fft.fft(p).dtype
np.fft.fft(c)
np.fft.fft(x, n=2)
np.fft.fft(x, n=6)
np.fft.fft(x, n=0)
np.fft.fft(m, axis=0)
np.fft.fft(e)
np.fft.fft(x, norm='ortho')
np.fft.fft(x, norm='bad')
np.fft.fft(x, out=c)
np.fft.ifft(x)
np.fft.rfft(x)
np.fft.rfft(w).dtype
np.fft.rfft(c)
np.fft.irfft(c)
np.fft.irfft(c, n=5)
np.fft.hfft(c)
np.fft.ihfft(x)
np.fft.fft2(m)
np.fft.ifft2(m)
np.fft.rfft2(m)
np.fft.irfft2(m)
np.fft.fftn(t).shape
np.fft.fftn(m, axes=(0,))
np.fft.fftn(m, s=(2, 2), axes=(0, 1))
np.fft.fftn(m, axes=(0, 5))
np.fft.rfftn(m)
np.fft.fftshift(x)
np.fft.ifftshift(i)
np.fft.fftshift(m, axes=0)
xp.fft.fftfreq(4)
xp.fft.rfftfreq(4, d=0.5)
xp.fft.fft(hx)
"""

SECTIONS = {
    "creation": CREATION,
    "like": LIKE,
    "conversion": CONVERSION,
    "operators": OPERATORS,
    "ufuncs": UFUNCS,
    "reductions": REDUCTIONS,
    "indexing": INDEXING,
    "shapes": SHAPES,
    "functions": FUNCTIONS,
    "linear": LINEAR,
}


def calls() -> dict[str, str]:
    """{expression: section}; an expression that stands twice is an error."""
    found: dict[str, str] = {}
    for section, text in SECTIONS.items():
        for line in filter(None, text.splitlines()):
            if line in found:
                raise ValueError(f"{line!r} found in {found[line]} and {section}: once was expected -> delete one")
            found[line] = section
    return found
