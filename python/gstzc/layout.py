# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What arrays go with the planes of a format."""

from __future__ import annotations

from ctypes import byref

from . import capi, host
from .errors import ZcTypeError, ZcValueError
from .plane import shape_of, typestr_of


def usual_planes(info: capi.VideoInfo, device: int = 0,
                 address: int = 1) -> list[capi.Plane]:
    """The planes of a picture without any padding, from an address on."""
    image = capi.Image()
    capi.call(capi.zc.gst_zc_image_init_packed, byref(image),
              info.finfo[0], info.width, info.height, device, address, None)
    return [capi.Plane.from_buffer_copy(image.plane[i])
            for i in range(image.n_planes)]


def _can_stack(planes: list[capi.Plane]) -> bool:
    """Pairs of chroma as wide as luma, and half as many rows."""
    if len(planes) != 2:
        return False
    luma, chroma = planes
    return (luma.n_channels == 1 and chroma.n_channels == 2
            and chroma.width * 2 == luma.width
            and chroma.height * 2 == luma.height)


def stack(planes: list[capi.Plane]) -> capi.Plane:
    if not _can_stack(planes):
        raise ZcValueError('stacked: only NV12 and its like of even width and '
                           'height can be one array')
    luma, chroma = planes
    if (chroma.row_stride != luma.row_stride
            or chroma.data != luma.data + luma.row_stride * luma.height):
        raise ZcValueError('stacked: the planes of this buffer do not touch; '
                           'use planes')
    both = capi.Plane.from_buffer_copy(luma)
    both.height += chroma.height
    return both


def stacked_shape(planes: list[capi.Plane]) -> tuple[int, int, int] | None:
    if not _can_stack(planes):
        return None
    return planes[0].height + planes[1].height, planes[0].width, 1


def is_many(value) -> bool:
    return isinstance(value, (list, tuple))


def with_channels(shape: tuple[int, ...]) -> tuple[int, ...]:
    """(rows, elements) is one channel."""
    return (*shape, 1) if len(shape) == 2 else shape


def check_shape(shape: tuple[int, ...], plane: capi.Plane, index: int) -> None:
    if with_channels(shape) != shape_of(plane):
        raise ZcValueError(f'shape: plane {index} is {shape}, its format and '
                           f'size make it {shape_of(plane)}')


def check_count(count: int, planes: list[capi.Plane]) -> None:
    if count != len(planes):
        raise ZcValueError(f'planes: {count} arrays are given, the format has '
                           f'{len(planes)} planes')


def match_host(arrays, planes: list[capi.Plane]):
    """Pairs of a plane and its rows in a host array."""
    typestr = typestr_of(planes[0])
    if not is_many(arrays):
        whole = host.source(arrays, typestr, 'arrays')
        if with_channels(whole.shape) == stacked_shape(planes):
            arrays = _unstack(whole, planes)
        else:
            arrays = [whole]
    check_count(len(arrays), planes)
    rows = [host.source(array, typestr, f'array {i}')
            for i, array in enumerate(arrays)]
    for index, (array, plane) in enumerate(zip(rows, planes)):
        check_shape(array.shape, plane, index)
    return list(zip(planes, rows))


def _unstack(whole, planes: list[capi.Plane]):
    luma, chroma = planes
    return [whole[:luma.height].reshape(shape_of(luma)),
            whole[luma.height:].reshape(shape_of(chroma))]


def check_typestr(typestr, plane: capi.Plane, index: int) -> None:
    wanted = typestr_of(plane)
    if not isinstance(typestr, str):
        raise ZcTypeError(f'typestr: {typestr!r} of plane {index} is no text')
    if typestr[1:] != wanted[1:] or (plane.channel_bytes > 1
                                     and typestr[0] not in '<='):
        raise ZcTypeError(f'typestr: plane {index} has {typestr!r}, its format '
                          f'{wanted!r}')
