"""Shapes, axes, joining, splitting and padding.

For `fidelity_calls`, which says what an expression sees.
"""

from __future__ import annotations

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
