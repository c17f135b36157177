# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What arrays go with the planes of a format."""

from __future__ import annotations

from ctypes import byref

from . import capi, host
from .errors import ZcValueError
from .plane import shape_of, typestr_of


def usual_planes(info: capi.VideoInfo, address: int = 1) -> list[capi.Plane]:
    """The planes of a picture without any padding, from an address on."""
    image = capi.Image()
    capi.call(capi.zc.gst_zc_image_init_packed, byref(image),
              info.finfo[0], info.width, info.height, 0, address, None)
    return [capi.Plane.from_buffer_copy(image.plane[i])
            for i in range(image.n_planes)]


def is_420(planes: list[capi.Plane]) -> bool:
    """Chroma of half the width and height, and none of it for an odd pixel."""
    luma, *chroma = planes
    return (luma.n_channels == 1
            and sum(plane.n_channels for plane in chroma) == 2
            and all(plane.width * 2 == luma.width
                    and plane.height * 2 == luma.height for plane in chroma))


def stack(image: capi.Image) -> capi.Plane:
    """All planes as one of one channel."""
    array = capi.call(capi.zc.gst_zc_image_get_array, byref(image),
                      capi.STACKED)
    both = capi.Plane.from_buffer_copy(image.plane[0])
    both.height = array.contents.shape[0]
    both.row_stride = array.contents.strides[0]
    capi.zc.gst_zc_array_free(array)
    return both


def stacked_shape(planes: list[capi.Plane]) -> tuple[int, int, int] | None:
    if not is_420(planes):
        return None
    return planes[0].height * 3 // 2, planes[0].width, 1


def is_many(value) -> bool:
    return isinstance(value, (list, tuple))


def with_channels(shape: tuple[int, ...]) -> tuple[int, ...]:
    """(rows, elements) is one channel."""
    return (*shape, 1) if len(shape) == 2 else shape


def check_shape(shape: tuple[int, ...], plane: capi.Plane, index: int) -> None:
    if with_channels(shape) != shape_of(plane):
        raise ZcValueError(f'shape: plane {index} is {shape}, its format and '
                           f'size make it {shape_of(plane)}')


def check_count(count: int) -> None:
    if not 1 <= count <= capi.MAX_PLANES:
        raise ZcValueError(f'planes: {count} arrays are given, a picture has 1 '
                           f'to {capi.MAX_PLANES} planes')


def match_host(arrays, planes: list[capi.Plane]):
    """Pairs of a plane and its rows in a host array."""
    typestr = typestr_of(planes[0])
    if not is_many(arrays):
        whole = host.source(arrays, typestr, 'arrays')
        if with_channels(whole.shape) == stacked_shape(planes):
            arrays = _unstack(whole, planes)
        else:
            arrays = [whole]
    if len(arrays) != len(planes):
        raise ZcValueError(f'planes: {len(arrays)} arrays are given, the format '
                           f'has {len(planes)} planes')
    rows = [host.source(array, typestr, f'array {i}')
            for i, array in enumerate(arrays)]
    for index, (array, plane) in enumerate(zip(rows, planes)):
        check_shape(array.shape, plane, index)
    return list(zip(planes, rows))


def _unstack(whole, planes: list[capi.Plane]):
    luma, *chroma = planes
    rest = whole[luma.height:]
    if len(chroma) > 1:  # two rows of chroma are one of the array
        rest = rest.reshape(-1)
    parts = [rest[len(rest) * i // len(chroma):
                  len(rest) * (i + 1) // len(chroma)]
             for i in range(len(chroma))]
    return [whole[:luma.height].reshape(shape_of(luma)),
            *(part.reshape(shape_of(plane))
              for part, plane in zip(parts, chroma))]
