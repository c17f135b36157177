# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The functions that programs call, for whatever their buffers are made of."""

from __future__ import annotations

import contextlib
import ctypes
import functools
import threading

from . import capi, copies, streams, wrapping
from .errors import ZcTypeError, ZcValueError
from .mapping import Frame

_last = threading.local()


class _Info:
    """A GstVideoInfo, and the caps that it was read from."""

    def __init__(self, pointer: int, caps: int | None):
        self._as_parameter_ = pointer
        self._caps = caps and capi.gst.gst_mini_object_ref(caps)

    @classmethod
    def from_caps(cls, caps: int) -> _Info:
        pointer = capi.video.gst_video_info_new()
        if capi.video.gst_video_info_from_caps(pointer, caps):
            return cls(pointer, caps)
        capi.video.gst_video_info_free(pointer)
        raise ZcValueError('caps: they are not those of video of one format '
                           'and size')

    @property
    def fields(self) -> capi.VideoInfo:
        return capi.VideoInfo.from_address(self._as_parameter_)

    def is_of(self, caps: int) -> bool:
        return self._caps == caps

    def __del__(self, free=capi.video.gst_video_info_free,
                unref=capi.gst.gst_mini_object_unref):
        free(self._as_parameter_)
        if self._caps:
            unref(self._caps)


def info_from_caps(caps: int) -> _Info:
    """Frames of one pipeline mostly have the same caps as those before."""
    info = getattr(_last, 'info', None)
    if info is None or not info.is_of(caps):
        info = _last.info = _Info.from_caps(caps)
    return info


@functools.lru_cache(8)
def info_from_text(text: str) -> _Info:
    caps = capi.gst.gst_caps_from_string(text.encode())
    if not caps:
        raise ZcValueError(f'caps: {text!r} says no caps')
    try:
        return _Info.from_caps(caps)
    finally:
        capi.gst.gst_mini_object_unref(caps)


def info_copy(pointer: int) -> _Info:
    return _Info(capi.video.gst_video_info_copy(pointer), None)


def _device_of(buffer: int) -> int:
    device = ctypes.c_int()
    capi.call(capi.zc.gst_zc_buffer_get_device, buffer, ctypes.byref(device))
    return device.value


class FrontEnd:
    """What depends on the binding is in the four methods that raise here."""

    def buffer_pointer(self, buffer) -> int:
        """The GstBuffer of a buffer object, which the caller keeps."""
        raise NotImplementedError

    def info(self, caps) -> _Info:
        """For what says format and size."""
        raise NotImplementedError

    def stream(self, stream):
        """A stream object of the binding as one of ours; others as they are."""
        raise NotImplementedError

    def take_buffer(self, pointer: int):
        """A buffer object for a reference that the caller gives away."""
        raise NotImplementedError

    def map(self, buffer, caps, flags=capi.READ, stream=None) -> Frame:
        info = self.info(caps)
        return Frame(buffer, self.buffer_pointer(buffer), info, _flags(
            flags), self.stream(stream))

    def wrap(self, planes, caps, stream=None, owner=None):
        return self.take_buffer(wrapping.wrap(
            planes, self.info(caps), self.stream(stream), owner))

    def reading(self, buffer, stream):
        return self._using(buffer, stream, capi.READ,
                           capi.zc.gst_zc_buffer_mark_read)

    def writing(self, buffer, stream):
        return self._using(buffer, stream, capi.WRITE,
                           capi.zc.gst_zc_buffer_mark_written)

    @contextlib.contextmanager
    def _using(self, buffer, stream, flags: int, mark):
        pointer = self.buffer_pointer(buffer)
        if stream is None:
            raise ZcTypeError('stream: None is no stream: name the one that '
                              'you use')
        ours = streams.named(self.stream(stream), _device_of(pointer))
        capi.call(capi.zc.gst_zc_buffer_wait, pointer, flags, ours)
        try:
            yield ours
        finally:
            capi.call(mark, pointer, ours)

    def upload(self, dst, src, stream=None) -> None:
        copies.upload(dst, src, self.stream(stream))

    def download(self, src, out=None, stream=None):
        return copies.download(src, out, self.stream(stream))


def _flags(flags) -> int:
    try:
        return int(flags)
    except (TypeError, ValueError) as error:
        raise ZcTypeError(f'flags: {flags!r} is neither READ nor WRITE'
                          ) from error
