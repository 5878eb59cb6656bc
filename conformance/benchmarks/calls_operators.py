"""Operators, with every kind of other operand.

For `fidelity_calls`, which says what an expression sees.
"""

from __future__ import annotations

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
