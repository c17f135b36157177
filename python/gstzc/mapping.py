# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""A mapped frame."""

from __future__ import annotations

from ctypes import byref

from . import capi, host, streams
from .errors import ZcBufferError, ZcValueError
from .layout import match_host, stack
from .plane import Plane


class _Loan:
    """Keeps the buffer for somebody who has the address of its pixels."""

    def __init__(self, pointer: int):
        self._pointer = pointer

    def __del__(self, unref=capi.zc.gst_zc_loan_unref):
        unref(self._pointer)


class _Mapping:
    """The library's frame. Planes hold it, so they never hold each other."""

    def __init__(self, buffer: int, info: int, flags: int, stream):
        device = capi.c_int()
        capi.call(capi.zc.gst_zc_buffer_get_device, buffer, byref(device))
        self.device = device.value
        self.is_named = stream is not None
        self.stream = (streams.named(stream, self.device) if self.is_named
                       else streams.own(self.device))
        self.writable = bool(flags & capi.WRITE)
        self._is_lent = False
        self._frame = capi.Frame()
        capi.call(capi.zc.gst_zc_frame_map, byref(self._frame), buffer, info,
                  flags, self.stream)
        self.is_open = True

    @property
    def image(self) -> capi.Image:
        return self._frame.image

    @property
    def advertised_stream(self) -> int | None:
        """Work on a named stream needs no wait: that is why it was named."""
        return None if self.is_named else self.stream.handle

    def check_open(self) -> None:
        if not self.is_open:
            raise ZcBufferError('the frame is unmapped: make arrays of its '
                                'planes inside the with')

    def lend(self) -> _Loan:
        self.check_open()
        self._is_lent = True
        return _Loan(capi.call(capi.zc.gst_zc_frame_lend, byref(self._frame),
                               self.is_named))

    def export(self, plane: capi.Plane, flags: int, stream: int) -> int:
        self.check_open()
        self._is_lent = True
        return capi.call(capi.zc.gst_zc_frame_export_dlpack,
                         byref(self._frame), byref(plane), flags, stream)

    def _come_after_borrowers(self) -> None:
        """They tell nobody on which streams they work."""
        if self._is_lent and not self.is_named:
            all_streams = capi.Producer(capi.PRODUCER_CAI, None,
                                        capi.LEGACY_STREAM)
            capi.call(capi.zc.gst_zc_stream_wait_producer,
                      self.stream, byref(all_streams))

    def download(self, plane: capi.Plane, rows) -> None:
        self.check_open()
        self._come_after_borrowers()
        capi.call(capi.zc.gst_zc_plane_download, byref(plane),
                  host.address(rows), host.row_bytes(rows),
                  self.stream)

    def upload(self, plane: capi.Plane, rows) -> None:
        self._come_after_borrowers()
        capi.call(capi.zc.gst_zc_plane_upload, byref(plane),
                  host.address(rows), host.row_stride(rows),
                  self.stream)

    def close(self) -> None:
        self.is_open = False
        capi.call(capi.zc.gst_zc_frame_unmap, byref(self._frame))


class Frame:
    """The pixels of a buffer, from map() to the end of the with."""

    def __init__(self, buffer, pointer: int, info: int, flags: int, stream):
        self._mapping = None
        if not flags & (capi.READ | capi.WRITE):
            raise ZcValueError(f'flags: {flags} has neither READ nor WRITE')
        self._mapping = _Mapping(pointer, info, flags, stream)
        self.buffer = buffer
        image = self._mapping.image
        self.format = capi.video.gst_video_format_to_string(
            image.format).decode()
        self.width = image.width
        self.height = image.height
        self._raw = [capi.Plane.from_buffer_copy(image.plane[i])
                     for i in range(image.n_planes)]
        self._planes = tuple(Plane(self._mapping, raw) for raw in self._raw)

    def __enter__(self) -> Frame:
        return self

    def __exit__(self, *exception) -> None:
        self.unmap()

    def __del__(self):
        if self._mapping is not None and self._mapping.is_open:
            self.unmap()

    def unmap(self) -> None:
        """What the end of the with does. Once."""
        self._mapping.check_open()
        self._planes = None  # those that nobody else has are given back
        self._mapping.close()

    @property
    def is_mapped(self) -> bool:
        return self._mapping.is_open

    @property
    def device(self) -> int:
        return self._mapping.device

    @property
    def planes(self) -> tuple[Plane, ...]:
        self._mapping.check_open()
        return self._planes

    @property
    def stacked(self) -> Plane:
        """Luma and, below it, chroma as one array of one channel."""
        self._mapping.check_open()
        return Plane(self._mapping, stack(self._mapping.image))

    def __cuda_stream__(self) -> tuple[int, int]:
        return self._mapping.stream.__cuda_stream__()

    def array(self):
        """A copy in host memory: an array, or a list of one a plane."""
        arrays = [plane.__array__() for plane in self.planes]
        return arrays[0] if len(arrays) == 1 else arrays

    def upload(self, arrays) -> None:
        """Copies NumPy arrays, one a plane or one stacked, to the device."""
        self._mapping.check_open()
        if not self._mapping.writable:
            raise ZcBufferError('flags: the frame is mapped for READ; map it '
                                'for WRITE to upload')
        for raw, rows in match_host(arrays, self._raw):
            self._mapping.upload(raw, rows)
