# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""One plane of a mapped frame, as other libraries want to see it."""

from __future__ import annotations

from . import capi, dlpack, host, streams
from .errors import ZcBufferError, ZcTypeError, ZcValueError


def shape_of(plane: capi.Plane) -> tuple[int, int, int]:
    return plane.height, plane.width, plane.n_channels


def typestr_of(plane: capi.Plane) -> str:
    return {1: '|u1', 2: '<u2', 4: '<u4'}[plane.channel_bytes]


class Plane:
    """Rows of elements in device memory.

    Whoever keeps this object keeps the buffer: see docs/interop/python.md.
    """

    def __init__(self, mapping, plane: capi.Plane):
        self._mapping = mapping
        self._plane = plane
        self._loan = None

    @property
    def shape(self) -> tuple[int, int, int]:
        """Rows, elements of a row, channels of an element."""
        return shape_of(self._plane)

    @property
    def strides(self) -> tuple[int, int, int]:
        """Bytes between rows, elements and channels."""
        return (self._plane.row_stride, self._plane.pixel_stride,
                self._plane.channel_bytes)

    @property
    def ndim(self) -> int:
        return 3

    @property
    def typestr(self) -> str:
        return typestr_of(self._plane)

    @property
    def dtype(self):
        """NumPy's."""
        return host.numpy().dtype(self.typestr)

    @property
    def nbytes(self) -> int:
        """From the first sample to the end of the last."""
        return capi.zc.gst_zc_plane_extent(self._plane)

    @property
    def readonly(self) -> bool:
        return not self._mapping.writable

    @property
    def device(self) -> int:
        return self._mapping.device

    @property
    def ptr(self) -> int:
        """The address, which is lent with the same rules as an array."""
        self._lend()
        return self._plane.data

    def _lend(self) -> None:
        if self._loan is None:
            self._loan = self._mapping.lend()

    @property
    def __cuda_array_interface__(self) -> dict:
        self._lend()
        return {'version': 3, 'shape': self.shape, 'typestr': self.typestr,
                'data': (self._plane.data, self.readonly),
                'strides': self.strides,
                'stream': self._mapping.advertised_stream}

    def __cuda_stream__(self) -> tuple[int, int]:
        return self._mapping.stream.__cuda_stream__()

    def __dlpack_device__(self) -> tuple[int, int]:
        return dlpack.CUDA, self.device

    def __dlpack__(self, stream=None, max_version=None, dl_device=None,
                   copy=None):
        if dl_device is not None and tuple(dl_device) == (dlpack.CPU, 0):
            return self._on_host(copy).__dlpack__(max_version=max_version)
        self._check_export(dl_device, copy)
        versioned = max_version is not None and max_version[0] >= 1
        pointer = self._mapping.export(
            self._plane, capi.DLPACK_VERSIONED if versioned else 0,
            _dlpack_stream(stream))
        return dlpack.capsule(pointer, versioned)

    def _check_export(self, dl_device, copy) -> None:
        if (dl_device is not None
                and tuple(dl_device) != self.__dlpack_device__()):
            raise ZcBufferError(f'dl_device: the plane is on {(2, self.device)}'
                                f' and is not copied to {tuple(dl_device)}')
        if copy:
            raise ZcBufferError('copy: the plane is lent, not copied; copy it '
                                'with the library that takes it')

    def _on_host(self, copy):
        if copy is False:
            raise ZcBufferError('copy: host memory means a copy')
        return self.__array__()

    def __array__(self, dtype=None, copy=None):
        """A download into a new NumPy array."""
        if copy is False:
            raise ZcValueError('copy: host memory means a copy')
        array = host.empty(self.shape, self.typestr)
        self._mapping.download(self._plane, array)
        return array if dtype is None else array.astype(dtype, copy=False)

    def __repr__(self) -> str:
        return (f'<plane {self.shape} {self.typestr}, {self.strides[0]} bytes '
                f'a row, device {self.device}>')


def _dlpack_stream(stream) -> int:
    """By DLPack's rules; None is the legacy stream there."""
    if stream is None:
        return capi.LEGACY_STREAM
    if isinstance(stream, int) and not isinstance(stream, bool):
        return stream  # the library knows which numbers say something
    if hasattr(stream, '__cuda_stream__'):
        return streams.handle_of(stream)
    raise ZcTypeError(f'stream: DLPack takes a number or None, not '
                      f'{type(stream).__name__}')
