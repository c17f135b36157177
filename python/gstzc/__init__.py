# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""GStreamer buffers in CUDA memory as arrays, and arrays as buffers.

For Pythons without PyGObject; those with it use gi.repository.GstZc, which has
the same functions. docs/interop/python.md is the manual.
"""

from __future__ import annotations

from . import frontend as _frontend
from .capi import READ, WRITE
from .errors import ZcBufferError, ZcDriverError, ZcError, ZcMemoryError, \
    ZcTypeError, ZcValueError

__all__ = ['Buffer', 'Caps', 'DevicePool', 'Pipeline', 'READ', 'Sample',
           'Stream', 'WRITE', 'ZcBufferError', 'ZcDriverError', 'ZcError',
           'ZcMemoryError', 'ZcTypeError', 'ZcValueError', 'download', 'map',
           'reading', 'upload', 'wrap', 'writing']
_OBJECTS = ('Buffer', 'Caps', 'DevicePool', 'Pipeline', 'Sample', 'Stream')


class _Ctypes(_frontend.FrontEnd):
    """Buffers are gstzc.Buffer."""

    def buffer_pointer(self, buffer) -> int:
        if not isinstance(buffer, _objects().Buffer):
            raise ZcTypeError(f'buffer: {type(buffer).__name__} is no '
                              f'gstzc.Buffer')
        return buffer.pointer

    def info(self, caps):
        objects = _objects()
        if isinstance(caps, str):
            return _frontend.info_from_text(caps)
        if isinstance(caps, objects.Caps):
            return _frontend.info_from_caps(caps.pointer)
        raise ZcTypeError(f'caps: {type(caps).__name__} is neither gstzc.Caps '
                          f'nor text')

    def stream(self, stream):
        _objects()
        return stream

    def take_buffer(self, pointer: int):
        return _objects().Buffer(pointer)


def _objects():
    # starts GStreamer, which a program with PyGObject does itself
    from . import objects  # pylint: disable=import-outside-toplevel
    return objects


def __getattr__(name: str):
    if name in _OBJECTS:
        return getattr(_objects(), name)
    raise AttributeError(f'module gstzc has no attribute {name!r}')


_front_end = _Ctypes()
map = _front_end.map  # pylint: disable=redefined-builtin
wrap = _front_end.wrap
reading = _front_end.reading
writing = _front_end.writing
upload = _front_end.upload
download = _front_end.download
