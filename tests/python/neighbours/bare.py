# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The driver's own calls, with CUDA Array Interfaces."""

import ctypes
import sys
from ctypes import byref

import neighbour
from driver import Copy2D


class Bare(neighbour.Neighbour):
    """Arrays are CUDA Array Interfaces."""

    def __init__(self):
        super().__init__()
        self._stream = self.driver.stream()

    @property
    def stream(self):
        return self._stream

    @property
    def handle(self):
        return self._stream

    def view(self, plane):
        array = plane.__cuda_array_interface__
        if array['stream'] is not None:
            self.driver.wait_for(self._stream, array['stream'])
        return {**array, 'plane': plane}

    def address(self, array):
        return array['data'][0]

    def clone(self, array):
        rows, elements, channels = array['shape']
        clone = self._new(array['shape'])
        self._copy(clone['data'][0], elements * channels, array)
        return clone

    def _new(self, shape):
        size = shape[0] * shape[1] * shape[2]
        return {'version': 3, 'data': (self.driver.allocate(size), False),
                'shape': tuple(shape), 'typestr': '|u1', 'strides': (
                    shape[1] * shape[2], shape[2], 1), 'stream': self._stream}

    def _copy(self, address, pitch, array):
        rows, elements, channels = array['shape']
        copy = Copy2D(src_type=2, src=array['data'][0],
                      src_pitch=array['strides'][0], dst_type=2, dst=address,
                      dst_pitch=pitch, width=elements * channels, height=rows)
        self.driver.call('cuMemcpy2DAsync_v2', byref(copy),
                         ctypes.c_void_p(self._stream))

    def to_host(self, array):
        host = neighbour.zc.download({**array, 'stream': None})
        self.driver.free(array['data'][0])
        return host

    def from_host(self, array):
        clone = self._new(array.shape)
        neighbour.zc.upload({**clone, 'stream': None}, array)
        return clone

    def invert(self, array):
        """There is no kernel here, so on the host."""
        host = neighbour.zc.download(array, stream=self._stream)
        neighbour.zc.upload({**array, 'data': (array['data'][0], False)},
                            host ^ 255, stream=self._stream)

    def copy_into(self, target, source):
        self._copy(target['data'][0], target['strides'][0], source)


if __name__ == '__main__':
    sys.exit(neighbour.run('bare', Bare))
