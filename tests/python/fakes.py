# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Array libraries, as far as buffers are concerned."""

import numpy as np
from gstzc import dlpack


class Picture:
    """NV12 that somebody else owns: all rows pitch bytes apart, one block."""

    def __init__(self, driver, width=64, height=48, pitch=80):
        self.driver = driver
        self.width, self.height, self.pitch = width, height, pitch
        self.is_lent = False
        self.address = driver.allocate(pitch * height * 3 // 2)
        self.fill(0x11)
        driver.synchronize()

    def fill(self, value, stream=None):
        """Queued on the legacy stream, or another."""
        self.driver.fill(self.address, self.pitch, self.width,
                         self.height * 3 // 2, value, stream or 1)

    def free(self):
        self.driver.synchronize()
        self.driver.free(self.address)

    @property
    def planes(self):
        """CUDA Array Interfaces, without a stream."""
        chroma = self.address + self.pitch * self.height
        return [interface(self.address, (self.height, self.width, 1),
                          (self.pitch, 1, 1)),
                interface(chroma, (self.height // 2, self.width // 2, 2),
                          (self.pitch, 2, 1))]

    @property
    def stacked(self):
        return interface(self.address, (self.height * 3 // 2, self.width),
                         (self.pitch, 1))


def interface(address, shape, strides=None, typestr='|u1', **more):
    return {'version': 3, 'data': (address, False), 'shape': shape,
            'strides': strides, 'typestr': typestr, **more}


class Array:
    """An object with a CUDA Array Interface."""

    def __init__(self, array, **more):
        self.__cuda_array_interface__ = {**array, **more}


class Tensor:
    """An object with DLPack, as PyTorch's: it orders the consumer's stream.

    Its memory is that of a CUDA Array Interface, its capsules are made from
    ones of NumPy, whose address and device are changed.
    """

    device = (2, 0)

    def __init__(self, driver, array, stream=1, versioned=True,
                 readonly=False):
        self.driver = driver
        self.array = array
        self.stream = stream
        self.versioned = versioned
        self.readonly = readonly
        self.asked = []
        self.live = 0

    def __dlpack_device__(self):
        return self.device

    def __dlpack__(self, **options):
        if not self.versioned and 'max_version' in options:
            raise TypeError('max_version is not known')
        self.asked.append(options)
        if options['stream'] not in (None, -1):
            self.driver.wait_for(options['stream'], self.stream)
        return self.capsule()

    def capsule(self):
        layout = np.lib.stride_tricks.as_strided(
            Owner.new(self, self.array['typestr']), self.array['shape'],
            self.array['strides'])
        capsule = layout.__dlpack__(
            max_version=(1, 0) if self.versioned else None)
        managed, _ = dlpack._unused(id(capsule))
        managed.tensor.data = self.array['data'][0]
        managed.tensor.device_type, managed.tensor.device_id = self.device
        if self.versioned:
            managed.flags = dlpack.READ_ONLY if self.readonly else 0
        return capsule


class Owner(np.ndarray):
    """Host memory that counts, for its tensor, whether it is alive."""

    @classmethod
    def new(cls, tensor, typestr):
        self = cls((1,), typestr)
        self.tensor = tensor
        tensor.live += 1
        return self

    def __array_finalize__(self, _):
        self.tensor = None

    def __del__(self):
        if self.tensor is not None:
            self.tensor.live -= 1


class Consumer:
    """Takes what __dlpack__ gives, for a stream, and reads it there."""

    def __init__(self, exporter, stream, **options):
        self.capsule = exporter.__dlpack__(stream=stream, **options)
        self.consumed = dlpack.Consumed(self.capsule)
        self.tensor = self.consumed.tensor

    @property
    def shape(self):
        return tuple(self.tensor.shape[:self.tensor.ndim])

    @property
    def strides(self):
        return tuple(self.tensor.strides[:self.tensor.ndim])

    @property
    def address(self):
        return self.tensor.data + self.tensor.byte_offset
