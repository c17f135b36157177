# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Adds to the introspection data of the library what Python wants: arrays.

docs/interop/python.md is the manual.
"""

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.module import get_introspection_module  # noqa: E402
from gi.repository import Gst, GstVideo  # noqa: E402

from gstzc import capi, errors, frontend, streams  # noqa: E402

_GstZc = get_introspection_module('GstZc')
__all__ = ['READ', 'WRITE', 'download', 'map', 'reading', 'upload', 'wrap',
           'writing']
READ, WRITE = Gst.MapFlags.READ, Gst.MapFlags.WRITE


# PyGObject's hash of a structure or an object is its address.
class _PyGObject(frontend.FrontEnd):
    """Buffers are Gst.Buffer."""

    def buffer_pointer(self, buffer) -> int:
        if not isinstance(buffer, Gst.Buffer):
            raise errors.ZcTypeError(f'buffer: {type(buffer).__name__} is no '
                                     f'Gst.Buffer')
        return hash(buffer)

    def info(self, caps):
        if isinstance(caps, str):
            return frontend.info_from_text(caps)
        if isinstance(caps, Gst.Caps):
            return frontend.info_from_caps(hash(caps))
        if isinstance(caps, GstVideo.VideoInfo):
            return frontend.info_copy(hash(caps))
        raise errors.ZcTypeError(f'caps: {type(caps).__name__} is neither '
                                 f'Gst.Caps nor GstVideo.VideoInfo nor text')

    def stream(self, stream):
        if isinstance(stream, _GstZc.Stream):
            return streams.Stream.take(
                capi.zc.gst_zc_stream_ref(hash(stream)))
        return stream

    def take_buffer(self, pointer: int) -> Gst.Buffer:
        # PyGObject makes no object of an address, but of what a list holds
        holder = Gst.BufferList.new()
        capi.gst.gst_buffer_list_insert(hash(holder), -1, pointer)
        return holder.get(0)


_front_end = _PyGObject()
map = _front_end.map
wrap = _front_end.wrap
reading = _front_end.reading
writing = _front_end.writing
upload = _front_end.upload
download = _front_end.download
for _name in ('ZcBufferError', 'ZcDriverError', 'ZcError', 'ZcMemoryError',
              'ZcTypeError', 'ZcValueError'):
    globals()[_name] = getattr(errors, _name)
    __all__.append(_name)
