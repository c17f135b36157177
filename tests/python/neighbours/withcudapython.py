# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""CUDA Python: its driver calls on addresses, and its memory views."""

import sys

import neighbour
from neighbour import zc


class Memory:
    """Device memory, as an object with a CUDA Array Interface."""

    def __init__(self, address, shape, stream):
        self.__cuda_array_interface__ = {
            'version': 3, 'data': (address, False), 'shape': shape,
            'typestr': '|u1', 'strides': None, 'stream': stream}
        self.address, self.shape = address, shape
        self.pitch = shape[1] * shape[2]


class CudaPython(neighbour.Neighbour):
    """Views by StridedMemoryView, copies by cuMemcpy2DAsync."""

    can_write = False

    def __init__(self):
        from cuda.bindings import driver
        try:
            from cuda.core.utils import StridedMemoryView
        except ImportError:
            from cuda.core.experimental.utils import StridedMemoryView
        super().__init__()
        self.cuda = driver
        self.strided = StridedMemoryView
        self._stream = self._do(driver.cuStreamCreate, 1)
        self._kinds = 0

    @staticmethod
    def _do(call, *arguments):
        error, *results = call(*arguments)
        assert int(error) == 0, (call.__name__, error)
        return results[0] if results else None

    @property
    def stream(self):
        return self._stream

    @property
    def handle(self):
        return int(self._stream)

    def view(self, plane):
        """DLPack's version of a plane, with this stream made to wait."""
        if hasattr(self.strided, 'from_dlpack'):
            view = self.strided.from_dlpack(plane, stream_ptr=self.handle)
        else:
            view = self.strided(plane, stream_ptr=self.handle)
        assert view.device_id == 0 and view.readonly
        assert tuple(view.shape) == plane.shape
        return view

    def address(self, array):
        return getattr(array, 'ptr', None) or array.address

    def _copy(self, target, pitch, source, source_pitch, shape):
        copy = self.cuda.CUDA_MEMCPY2D()
        kind = self.cuda.CUmemorytype.CU_MEMORYTYPE_DEVICE
        copy.srcMemoryType = copy.dstMemoryType = kind
        copy.srcDevice, copy.srcPitch = source, source_pitch
        copy.dstDevice, copy.dstPitch = target, pitch
        copy.WidthInBytes, copy.Height = shape[1] * shape[2], shape[0]
        self._do(self.cuda.cuMemcpy2DAsync, copy, self._stream)

    def _new(self, shape):
        size = shape[0] * shape[1] * shape[2]
        return Memory(int(self._do(self.cuda.cuMemAlloc, size)), shape,
                      self.handle)

    def clone(self, array):
        clone = self._new(tuple(array.shape))
        self._copy(clone.address, clone.pitch, array.ptr, array.strides[0],
                   clone.shape)
        return clone

    def to_host(self, array):
        """An object, a dictionary and an address say the same."""
        host = zc.download(array)
        assert (zc.download(array.__cuda_array_interface__) == host).all()
        assert (zc.download(array.address, host.copy()) == host).all()
        self._do(self.cuda.cuMemFree, array.address)
        return host

    def from_host(self, array):
        made = self._new(array.shape)
        self._kinds += 1
        zc.upload([made, made.__cuda_array_interface__,
                   made.address][self._kinds % 3], array)
        return made

    def copy_into(self, target, source):
        self._copy(target.address, target.pitch, source.address, source.pitch,
                   source.shape)


if __name__ == '__main__':
    sys.exit(neighbour.run('cuda-python', CudaPython))
