# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Buffers made of memory that somebody else owns."""

from __future__ import annotations

from ctypes import byref

from . import capi, device, keep, layout, streams
from .errors import ZcTypeError, ZcValueError


def wrap(planes, info: capi.VideoInfo, stream, owner) -> int:
    """A GstBuffer, whose reference the caller owns."""
    usual = layout.usual_planes(info)
    arrays = _arrays(planes, usual)
    found = _match(arrays, usual)
    ordinal = device.device_of(found[0].data)
    image = _image(found, info, ordinal)
    producer = _producer(arrays, stream, ordinal)
    producer.read_only = any(array.readonly for array in arrays)
    owners = (owner, [array.owner for array in arrays])
    return capi.call(capi.zc.gst_zc_buffer_new_wrapped,
                     streams.context(ordinal), byref(image), byref(producer),
                     keep.keep(owners), keep.NOTIFY)


def _arrays(planes, usual: list[capi.Plane]) -> list[device.Array]:
    if device.is_address(planes):
        return _from_addresses(_packed_addresses(planes, usual), usual)
    if not layout.is_many(planes):
        return [device.view(planes)]
    if planes and all(device.is_address(each) for each in planes):
        return _from_addresses(planes, usual)
    return [device.view(each) for each in planes]


def _packed_addresses(first: int, usual: list[capi.Plane]) -> list[int]:
    return [device.check_address(first) + plane.data - usual[0].data
            for plane in usual]


def _from_addresses(addresses, usual) -> list[device.Array]:
    layout.check_count(len(addresses), usual)
    return [device.Array(device.check_address(address),
                         layout.shape_of(plane), None,
                         layout.typestr_of(plane), False,
                         (capi.PRODUCER_CAI, capi.CAI_NO_STREAM))
            for address, plane in zip(addresses, usual)]


def _match(arrays, usual: list[capi.Plane]) -> list[capi.Plane]:
    """The format's planes, with the arrays' addresses and strides."""
    if len(arrays) == 1 and layout.with_channels(arrays[0].shape) == (
            layout.stacked_shape(usual)):
        return _unstack(arrays[0], usual)
    layout.check_count(len(arrays), usual)
    found = []
    for index, (array, plane) in enumerate(zip(arrays, usual)):
        layout.check_typestr(array.typestr, plane, index)
        layout.check_shape(array.shape, plane, index)
        found.append(_placed(plane, array.data, _stride(array, index)))
    return found


def _unstack(array, usual: list[capi.Plane]) -> list[capi.Plane]:
    luma, *chroma = usual
    layout.check_typestr(array.typestr, luma, 0)
    stride = _stride(array, 0)
    if len(chroma) == 1:
        return [_placed(luma, array.data, stride),
                _placed(chroma[0], array.data + stride * luma.height, stride)]
    if stride != luma.row_stride:
        raise ZcValueError(f'strides: stacked planes of {len(chroma)} chroma '
                           f'channels have no padding, rows are {stride} bytes '
                           f'apart, not {luma.row_stride}')
    return [_placed(plane, address, plane.row_stride) for plane, address in zip(
        usual, _packed_addresses(array.data, usual))]


def _stride(array, index: int) -> int:
    stride = device.rows_of(array, f'plane {index}')[2]
    if stride % array.itemsize:
        raise ZcValueError(f'strides: rows of plane {index} are {stride} bytes '
                           f'apart, no whole number of elements of '
                           f'{array.itemsize}')
    return stride


def _placed(plane: capi.Plane, address: int, stride: int) -> capi.Plane:
    placed = capi.Plane.from_buffer_copy(plane)
    placed.data = address
    placed.row_stride = stride
    return placed


def _image(planes, info: capi.VideoInfo, ordinal: int) -> capi.Image:
    image = capi.Image(info.finfo[0], info.width, info.height, len(planes),
                       ordinal)
    for index, plane in enumerate(planes):
        image.plane[index] = plane
    return image


def producer_of(kind: int, value: int) -> capi.Producer:
    if kind == capi.PRODUCER_CAI:
        return capi.Producer(kind, None, value)
    return capi.Producer(kind, value, 0)


def _producer(arrays, stream, ordinal: int) -> capi.Producer:
    """One for all planes: several are brought together on a stream of ours."""
    if device.is_address(stream) and stream == -1:
        return capi.Producer(capi.PRODUCER_NONE)
    if stream is not None:
        return producer_of(capi.PRODUCER_STREAM, streams.handle_of(stream))
    told = {array.producer for array in arrays}
    if len(told) == 1:
        return producer_of(*told.pop())
    ours = streams.own(ordinal)
    for each in told:
        capi.call(capi.zc.gst_zc_stream_wait_producer, ours,
                  byref(producer_of(*each)))
    return producer_of(capi.PRODUCER_STREAM, ours.handle)


def check_caps(value) -> None:
    if value is None:
        raise ZcTypeError('caps: None says no format and size')
