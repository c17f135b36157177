# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Streams: those that callers name, and one of our own a thread."""

from __future__ import annotations

import ctypes
import operator
import threading

from . import capi
from .errors import ZcTypeError, ZcValueError

_contexts: dict[int, int] = {}
_own = threading.local()


def context(device: int) -> int:
    """The primary context of a device: a GstCudaContext, kept for ever."""
    if device not in _contexts:
        _contexts[device] = capi.call(capi.zc.gst_zc_context_new, device)
    return _contexts[device]


class Stream:
    """A GstZcStream: one of ours, or a borrowed handle."""

    def __init__(self, device: int = 0):
        self._pointer = None
        self._pointer = capi.call(capi.zc.gst_zc_stream_new, context(device))

    @classmethod
    def take(cls, pointer: int) -> Stream:
        """For a GstZcStream whose reference the caller gives away."""
        self = cls.__new__(cls)
        self._pointer = pointer
        return self

    @classmethod
    def borrow(cls, handle: int, device: int) -> Stream:
        return cls.take(capi.call(capi.zc.gst_zc_stream_new_borrowed,
                                  context(device), handle))

    @property
    def _as_parameter_(self) -> int:
        """So that a call keeps the object that it is given."""
        return self._pointer

    @property
    def handle(self) -> int:
        """The CUstream; 1 for the legacy stream."""
        return (capi.zc.gst_zc_stream_get_handle(self._pointer)
                or capi.LEGACY_STREAM)

    def __cuda_stream__(self) -> tuple[int, int]:
        return 0, self.handle

    def synchronize(self) -> None:
        """Waits on the CPU until what is queued now is done."""
        capi.call(capi.zc.gst_zc_stream_synchronize, self._pointer)

    def __del__(self, unref=capi.zc.gst_zc_stream_unref):
        if self._pointer:
            unref(self._pointer)


def own(device: int) -> Stream:
    """The calling thread's stream for work that nobody named one for."""
    streams = _own.__dict__.setdefault('streams', {})
    if device not in streams:
        streams[device] = Stream(device)
    return streams[device]


def _number(value) -> int | None:
    """A handle that may be a c_void_p, a CUstream or a number."""
    value = getattr(value, 'value', value)
    if isinstance(value, (bool, float, str)) or value is None:
        return None
    try:
        return operator.index(value)
    except TypeError:
        return int(value) if hasattr(value, '__int__') else None


def handle_of(stream) -> int:
    """The handle of a stream of any library; their 0 is the legacy stream."""
    protocol = getattr(stream, '__cuda_stream__', None)
    if protocol is not None:
        version, handle = protocol() if callable(protocol) else protocol
        if version != 0:
            raise ZcTypeError(f'stream: __cuda_stream__ of version {version} '
                              f'is not known, only 0')
        return int(handle) or capi.LEGACY_STREAM
    for name in ('ptr', 'cuda_stream', 'handle'):  # CuPy, PyTorch, others
        handle = _number(getattr(stream, name, None))
        if handle is not None:
            return handle or capi.LEGACY_STREAM
    if isinstance(stream, ctypes.c_void_p):
        return stream.value or capi.LEGACY_STREAM
    handle = _number(stream)
    if handle is None:
        raise ZcTypeError(f'stream: {type(stream).__name__} is neither a '
                          f'stream nor the handle of one')
    if handle == 0 and not isinstance(stream, int):
        return capi.LEGACY_STREAM
    if handle <= 0 or handle >= 2 ** (8 * ctypes.sizeof(ctypes.c_void_p)):
        raise ZcValueError(f'stream: {handle} is no stream: 1 is the legacy '
                           f"stream, 2 the thread's own")
    return handle


def named(stream, device: int) -> Stream:
    """A stream that a caller named, as one of ours."""
    if isinstance(stream, Stream):
        return stream
    return Stream.borrow(handle_of(stream), device)
