# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Buffers made of memory that somebody else owns."""

from __future__ import annotations

from ctypes import POINTER, byref, c_int64

from . import capi, device, keep, layout, streams

_Arrays = POINTER(capi.Array) * capi.MAX_PLANES


def wrap(planes, info, stream, owner) -> int:
    """A GstBuffer, whose reference the caller owns."""
    arrays = _views(planes, info.fields)
    named = None if stream is None else _cai_stream(stream, arrays)
    made = []
    try:
        for array in arrays:
            made.append(_new(array, named))
        owners = (owner, [array.owner for array in arrays])
        return capi.call(capi.zc.gst_zc_buffer_new_from_arrays, None, info,
                         _Arrays(*made), len(made), keep.keep(owners),
                         keep.NOTIFY)
    finally:
        for each in made:
            capi.zc.gst_zc_array_free(each)


def _views(planes, fields: capi.VideoInfo) -> list[device.Array]:
    if device.is_address(planes):
        return _at_addresses(_packed_addresses(planes, fields), fields)
    if not layout.is_many(planes):
        return [device.view(planes)]
    layout.check_count(len(planes))
    if all(device.is_address(each) for each in planes):
        return _at_addresses(planes, fields)
    return [device.view(each) for each in planes]


def _packed_addresses(first: int, fields: capi.VideoInfo) -> list[int]:
    return [plane.data for plane in layout.usual_planes(
        fields, device.check_address(first))]


def _at_addresses(addresses, fields: capi.VideoInfo) -> list[device.Array]:
    """A bare address has the shape of its plane, without padding."""
    usual = layout.usual_planes(fields)
    return [device.Array(device.check_address(address),
                         layout.shape_of(plane), None,
                         layout.typestr_of(plane), False, capi.CAI_NO_STREAM)
            for address, plane in zip(addresses, usual)]


def _new(array: device.Array, named: int | None):
    """A GstZcArray."""
    dims = c_int64 * len(array.shape)
    made = capi.call(
        capi.zc.gst_zc_array_new, array.data, array.typestr.encode(),
        len(array.shape), dims(*array.shape),
        None if array.strides is None else dims(*array.strides),
        array.cai_stream if named is None else named)
    made.contents.read_only = array.readonly
    return made


def _cai_stream(stream, arrays: list[device.Array]) -> int:
    """What a caller named, where 1 and 2 mean just these streams."""
    if device.is_address(stream) and stream == -1:
        return capi.CAI_NONE
    handle = streams.handle_of(stream)
    if handle > 2:
        return handle
    ours = streams.own(device.device_of(arrays[0].data))
    capi.call(capi.zc.gst_zc_stream_wait_producer, ours,
              byref(capi.Producer(capi.PRODUCER_STREAM, handle)))
    return ours.handle
