# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The library's C calls, by ctypes: what both front ends are made of."""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, byref, c_char_p, c_int, c_int64, \
    c_size_t, c_uint, c_uint32, c_uint64, c_void_p

from . import errors

MAX_PLANES = 4
READ, WRITE = 1, 2
CAI_NO_STREAM = -2 ** 63
CAI_NONE = -1
PRODUCER_NONE, PRODUCER_STREAM, PRODUCER_EVENT, PRODUCER_CAI = range(4)
DLPACK_VERSIONED = 1
STACKED = -1
LEGACY_STREAM = 1


class Plane(Structure):
    """GstZcPlane."""
    _fields_ = [('data', c_uint64), ('row_stride', c_int64),
                ('pixel_stride', c_int), ('width', c_int), ('height', c_int),
                ('n_channels', c_int), ('channel_bytes', c_int)]


class Image(Structure):
    """GstZcImage."""
    _fields_ = [('format', c_int), ('width', c_int), ('height', c_int),
                ('n_planes', c_uint), ('device', c_int),
                ('plane', Plane * MAX_PLANES)]


class MapInfo(Structure):
    """GstMapInfo."""
    _fields_ = [('memory', c_void_p), ('flags', c_int), ('data', c_void_p),
                ('size', c_size_t), ('maxsize', c_size_t),
                ('user_data', c_void_p * 4), ('reserved', c_void_p * 4)]


class Frame(Structure):
    """GstZcFrame."""
    _fields_ = [('image', Image), ('buffer', c_void_p), ('stream', c_void_p),
                ('flags', c_int), ('n_memory', c_uint),
                ('map', MapInfo * MAX_PLANES), ('loan', c_void_p),
                ('reserved', c_void_p * 3)]


class Producer(Structure):
    """GstZcProducer."""
    _fields_ = [('kind', c_int), ('handle', c_void_p), ('cai_stream', c_int64),
                ('read_only', c_int), ('reserved', c_void_p * 4)]


class Array(Structure):
    """The part of GstZcArray that is read and written here."""
    _fields_ = [('data', c_uint64), ('typestr', ctypes.c_char * 8),
                ('n_dims', c_uint), ('shape', c_int64 * 4),
                ('strides', c_int64 * 4), ('read_only', c_int)]


class VideoInfo(Structure):
    """The part of GstVideoInfo that is read here."""
    _fields_ = [('finfo', POINTER(c_int)), ('interlace_mode', c_int),
                ('flags', c_int), ('width', c_int), ('height', c_int),
                ('size', c_size_t)]


class GError(Structure):
    _fields_ = [('domain', c_uint32), ('code', c_int), ('message', c_char_p)]


def load(name: str) -> ctypes.CDLL:
    try:
        return ctypes.CDLL(name)
    except OSError as error:
        raise ImportError(
            f'{error}; install gst-zc, or set LD_LIBRARY_PATH to where it '
            f'was built, or start Python in ./zc shell') from error


glib = load('libglib-2.0.so.0')
gobject = load('libgobject-2.0.so.0')
gst = load('libgstreamer-1.0.so.0')
video = load('libgstvideo-1.0.so.0')
zc = load('libgstzc-1.0.so.0')

_ERROR = POINTER(POINTER(GError))


def declare(library: ctypes.CDLL, name: str, result, *arguments) -> None:
    function = getattr(library, name)
    function.restype = result
    function.argtypes = arguments


for _row in (
        (glib, 'g_error_free', None, POINTER(GError)),
        (gobject, 'g_object_ref', c_void_p, c_void_p),
        (gobject, 'g_object_unref', None, c_void_p),
        (gobject, 'g_object_new_with_properties', c_void_p, c_size_t, c_uint,
         c_void_p, c_void_p),
        (gobject, 'g_object_weak_ref', None, c_void_p, c_void_p, c_void_p),
        (gst, 'gst_mini_object_ref', c_void_p, c_void_p),
        (gst, 'gst_mini_object_unref', None, c_void_p),
        (gst, 'gst_caps_from_string', c_void_p, c_char_p),
        (gst, 'gst_buffer_list_insert', None, c_void_p, c_int, c_void_p),
        (video, 'gst_video_info_new', c_void_p),
        (video, 'gst_video_info_copy', c_void_p, c_void_p),
        (video, 'gst_video_info_free', None, c_void_p),
        (video, 'gst_video_info_from_caps', c_int, c_void_p, c_void_p),
        (video, 'gst_video_format_to_string', c_char_p, c_int),
        (zc, 'gst_zc_error_quark', c_uint32),
        (zc, 'gst_zc_context_new', c_void_p, c_uint, _ERROR),
        (zc, 'gst_zc_address_get_device', c_int, c_uint64, POINTER(c_int),
         _ERROR),
        (zc, 'gst_zc_stream_new', c_void_p, c_void_p, _ERROR),
        (zc, 'gst_zc_stream_new_borrowed', c_void_p, c_void_p, c_void_p,
         _ERROR),
        (zc, 'gst_zc_stream_ref', c_void_p, c_void_p),
        (zc, 'gst_zc_stream_unref', None, c_void_p),
        (zc, 'gst_zc_stream_get_handle', c_void_p, c_void_p),
        (zc, 'gst_zc_stream_synchronize', c_int, c_void_p, _ERROR),
        (zc, 'gst_zc_stream_wait_producer', c_int, c_void_p,
         POINTER(Producer), _ERROR),
        (zc, 'gst_zc_image_init_packed', c_int, POINTER(Image), c_int, c_int,
         c_int, c_int, c_uint64, POINTER(c_size_t), _ERROR),
        (zc, 'gst_zc_image_get_array', POINTER(Array), POINTER(Image), c_int,
         _ERROR),
        (zc, 'gst_zc_array_new', POINTER(Array), c_uint64, c_char_p, c_uint,
         POINTER(c_int64), POINTER(c_int64), c_int64, _ERROR),
        (zc, 'gst_zc_array_free', None, POINTER(Array)),
        (zc, 'gst_zc_plane_extent', c_size_t, POINTER(Plane)),
        (zc, 'gst_zc_plane_upload', c_int, POINTER(Plane), c_void_p, c_size_t,
         c_void_p, _ERROR),
        (zc, 'gst_zc_plane_download', c_int, POINTER(Plane), c_void_p,
         c_size_t, c_void_p, _ERROR),
        (zc, 'gst_zc_frame_map', c_int, POINTER(Frame), c_void_p, c_void_p,
         c_int, c_void_p, _ERROR),
        (zc, 'gst_zc_frame_unmap', c_int, POINTER(Frame), _ERROR),
        (zc, 'gst_zc_frame_lend', c_void_p, POINTER(Frame), c_int, _ERROR),
        (zc, 'gst_zc_loan_unref', None, c_void_p),
        (zc, 'gst_zc_capsule_init', None, c_void_p),
        (zc, 'gst_zc_frame_export_dlpack', c_void_p, POINTER(Frame),
         POINTER(Plane), c_int, c_int64, _ERROR),
        (zc, 'gst_zc_buffer_get_device', c_int, c_void_p, POINTER(c_int),
         _ERROR),
        (zc, 'gst_zc_buffer_new_from_arrays', c_void_p, c_void_p, c_void_p,
         POINTER(POINTER(Array)), c_uint, c_void_p, c_void_p, _ERROR),
        (zc, 'gst_zc_buffer_wait', c_int, c_void_p, c_int, c_void_p, _ERROR),
        (zc, 'gst_zc_buffer_mark_read', c_int, c_void_p, c_void_p, _ERROR),
        (zc, 'gst_zc_buffer_mark_written', c_int, c_void_p, c_void_p,
         _ERROR)):
    declare(*_row)


def call(function, *arguments):
    """Calls a function whose last parameter is a GError **; raises it."""
    error = POINTER(GError)()
    result = function(*arguments, byref(error))
    if error:
        raise take_error(error)
    return result


def take_error(error) -> errors.ZcError:
    """The exception that says what a GError says; frees that."""
    what = error.contents
    message = what.message.decode(errors='replace')
    code = what.code if what.domain == zc.gst_zc_error_quark() else -1
    glib.g_error_free(error)
    return errors.from_code(code, message)
