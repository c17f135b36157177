# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Buffers, pools and pipelines for Pythons without PyGObject."""

from __future__ import annotations

from ctypes import POINTER, byref, c_char_p, c_int, c_uint, c_uint64, c_void_p

from . import capi, frontend, streams
from .errors import ZcError, ZcTypeError
from .streams import Stream  # pylint: disable=unused-import

_app = None
_NONE = 2 ** 64 - 1  # GST_CLOCK_TIME_NONE
_STATE_NULL, _STATE_PLAYING = 1, 4
_STATE_CHANGE_FAILURE = 0
_MESSAGE_EOS, _MESSAGE_ERROR = 1, 2

for _row in (
        (capi.gst, 'gst_init', None, c_void_p, c_void_p),
        (capi.gst, 'gst_object_unref', None, c_void_p),
        (capi.gst, 'gst_caps_to_string', c_void_p, c_void_p),
        (capi.gst, 'gst_caps_is_equal', c_int, c_void_p, c_void_p),
        (capi.glib, 'g_free', None, c_void_p),
        (capi.gst, 'gst_parse_launch', c_void_p, c_char_p,
         POINTER(POINTER(capi.GError))),
        (capi.gst, 'gst_bin_get_by_name', c_void_p, c_void_p, c_char_p),
        (capi.gst, 'gst_element_set_state', c_int, c_void_p, c_int),
        (capi.gst, 'gst_element_get_bus', c_void_p, c_void_p),
        (capi.gst, 'gst_bus_timed_pop_filtered', c_void_p, c_void_p, c_uint64,
         c_int),
        (capi.gst, 'gst_message_parse_error', None, c_void_p,
         POINTER(POINTER(capi.GError)), c_void_p),
        (capi.gst, 'gst_sample_get_buffer', c_void_p, c_void_p),
        (capi.gst, 'gst_sample_get_caps', c_void_p, c_void_p),
        (capi.gst, 'gst_buffer_pool_get_config', c_void_p, c_void_p),
        (capi.gst, 'gst_buffer_pool_config_set_params', None, c_void_p,
         c_void_p, c_uint, c_uint, c_uint),
        (capi.gst, 'gst_buffer_pool_set_config', c_int, c_void_p, c_void_p),
        (capi.gst, 'gst_buffer_pool_set_active', c_int, c_void_p, c_int),
        (capi.gst, 'gst_buffer_pool_acquire_buffer', c_int, c_void_p,
         POINTER(c_void_p), c_void_p),
        (capi.zc, 'gst_zc_device_pool_new', c_void_p, c_void_p),
        (capi.zc, 'gst_zc_device_pool_config_set_packed', None, c_void_p,
         c_int)):
    capi.declare(*_row)

capi.gst.gst_init(None, None)


def _app_library():
    """libgstapp, for those who have appsinks and appsrcs."""
    global _app
    if _app is None:
        _app = capi.load('libgstapp-1.0.so.0')
        capi.declare(_app, 'gst_app_sink_try_pull_sample', c_void_p, c_void_p,
                     c_uint64)
        capi.declare(_app, 'gst_app_src_push_buffer', c_int, c_void_p,
                     c_void_p)
        capi.declare(_app, 'gst_app_src_end_of_stream', c_int, c_void_p)
    return _app


class Buffer:
    """A GstBuffer."""

    def __init__(self, pointer: int):
        self.pointer = pointer

    @property
    def pts(self) -> int | None:
        """Nanoseconds."""
        value = _times(self.pointer)[0]
        return None if value == _NONE else value

    @pts.setter
    def pts(self, value: int | None) -> None:
        _times(self.pointer)[0] = _NONE if value is None else value

    def __del__(self, unref=capi.gst.gst_mini_object_unref):
        unref(self.pointer)


class _BufferFields(capi.Structure):
    """The head of GstBuffer, after its GstMiniObject."""
    _fields_ = [('mini_object', c_void_p * 8), ('pool', c_void_p),
                ('pts', c_uint64)]


def _times(pointer: int):
    address = pointer + _BufferFields.pts.offset
    return (c_uint64 * 1).from_address(address)


class Caps:
    """GstCaps."""

    def __init__(self, value):
        self.pointer = None
        if isinstance(value, str):
            self.pointer = capi.gst.gst_caps_from_string(value.encode())
        else:
            self.pointer = capi.gst.gst_mini_object_ref(value)
        if not self.pointer:
            raise ZcTypeError(f'caps: {value!r} says no caps')

    def __str__(self) -> str:
        text = capi.gst.gst_caps_to_string(self.pointer)
        try:
            return c_char_p(text).value.decode()
        finally:
            capi.glib.g_free(text)

    def __eq__(self, other) -> bool:
        return isinstance(other, Caps) and bool(
            capi.gst.gst_caps_is_equal(self.pointer, other.pointer))

    __hash__ = None

    def __del__(self, unref=capi.gst.gst_mini_object_unref):
        if self.pointer:
            unref(self.pointer)


class Sample:
    """What an appsink gives: a buffer and its caps."""

    def __init__(self, pointer: int):
        self.buffer = Buffer(capi.gst.gst_mini_object_ref(
            capi.gst.gst_sample_get_buffer(pointer)))
        self.caps = Caps(capi.gst.gst_sample_get_caps(pointer))
        capi.gst.gst_mini_object_unref(pointer)


class DevicePool:
    """Frames in device memory, of the library's own pool."""

    def __init__(self, caps, device: int = 0, packed: bool = False):
        self._pointer = None
        caps = caps if isinstance(caps, Caps) else Caps(caps)
        info = frontend.info_from_caps(caps.pointer)
        size = info.fields.size
        self._pointer = capi.zc.gst_zc_device_pool_new(streams.context(device))
        config = capi.gst.gst_buffer_pool_get_config(self._pointer)
        capi.gst.gst_buffer_pool_config_set_params(config, caps.pointer, size,
                                                   0, 0)
        capi.zc.gst_zc_device_pool_config_set_packed(config, packed)
        if not (capi.gst.gst_buffer_pool_set_config(self._pointer, config)
                and capi.gst.gst_buffer_pool_set_active(self._pointer, True)):
            raise ZcError(f'caps: no device memory for {caps}')

    def acquire(self) -> Buffer:
        pointer = c_void_p()
        if capi.gst.gst_buffer_pool_acquire_buffer(self._pointer,
                                                   byref(pointer), None):
            raise ZcError('the pool gives no buffer')
        return Buffer(pointer.value)

    def __del__(self, gst=capi.gst):
        if self._pointer:
            gst.gst_buffer_pool_set_active(self._pointer, False)
            gst.gst_object_unref(self._pointer)


class Pipeline:
    """A pipeline as gst-launch-1.0 describes it, playing inside a with."""

    def __init__(self, description: str):
        self._pointer = None
        self._elements: dict[str, int] = {}
        self._pointer = capi.call(_parse, description.encode())
        self._bus = capi.gst.gst_element_get_bus(self._pointer)

    def __enter__(self) -> Pipeline:
        self.start()
        return self

    def __exit__(self, *exception) -> None:
        self.stop()

    def start(self) -> None:
        if capi.gst.gst_element_set_state(
                self._pointer, _STATE_PLAYING) == _STATE_CHANGE_FAILURE:
            self.check()
            raise ZcError('the pipeline does not start')

    def stop(self) -> None:
        capi.gst.gst_element_set_state(self._pointer, _STATE_NULL)

    def pull(self, name: str = 'sink', seconds: float = 10) -> Sample | None:
        """The next sample of an appsink; None at the end of the stream."""
        sample = _app_library().gst_app_sink_try_pull_sample(
            self._element(name), int(seconds * 1e9))
        if sample:
            return Sample(sample)
        self.check()
        return None

    def push(self, buffer: Buffer, name: str = 'src') -> None:
        """Gives a buffer to an appsrc."""
        flow = _app_library().gst_app_src_push_buffer(
            self._element(name), capi.gst.gst_mini_object_ref(buffer.pointer))
        if flow:
            self.check()
            raise ZcError(f'{name} takes no buffer (flow {flow})')

    def end(self, name: str = 'src') -> None:
        """No more buffers come from an appsrc."""
        _app_library().gst_app_src_end_of_stream(self._element(name))

    def wait(self, seconds: float = 10) -> bool:
        """Waits for the end of the stream; True if it came."""
        message = self._pop(_MESSAGE_EOS | _MESSAGE_ERROR, int(seconds * 1e9))
        return message is not None

    def check(self) -> None:
        """Raises what an element said went wrong."""
        self._pop(_MESSAGE_ERROR, 0)

    def _pop(self, kinds: int, patience: int) -> int | None:
        message = capi.gst.gst_bus_timed_pop_filtered(self._bus, patience,
                                                      kinds)
        if not message:
            return None
        kind = _message_type(message)
        error = POINTER(capi.GError)()
        if kind == _MESSAGE_ERROR:
            capi.gst.gst_message_parse_error(message, byref(error), None)
        capi.gst.gst_mini_object_unref(message)
        if error:
            raise ZcError(str(capi.take_error(error)))
        return kind

    def _element(self, name: str) -> int:
        if name not in self._elements:
            pointer = capi.gst.gst_bin_get_by_name(self._pointer,
                                                   name.encode())
            if not pointer:
                raise ZcError(f'there is no element {name!r}')
            self._elements[name] = pointer
        return self._elements[name]

    def __del__(self, gst=capi.gst):
        if self._pointer is None:
            return
        gst.gst_element_set_state(self._pointer, _STATE_NULL)
        for pointer in (*self._elements.values(), self._bus, self._pointer):
            gst.gst_object_unref(pointer)


def _parse(description: bytes, error) -> int:
    return capi.gst.gst_parse_launch(description, error)


class _MessageFields(capi.Structure):
    """The head of GstMessage, after its GstMiniObject."""
    _fields_ = [('mini_object', c_void_p * 8), ('type', c_int)]


def _message_type(message: int) -> int:
    return _MessageFields.from_address(message).type
