# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Copies between host and device, for what is no frame."""

from __future__ import annotations

from ctypes import byref

from . import capi, device, host, streams
from .errors import ZcTypeError, ZcValueError


def upload(dst, src, stream) -> None:
    """From a host array to device memory; returns when it is there."""
    to = _view(dst, 'dst', lambda: host.numpy().asarray(src))
    device.check_writable(to, 'dst')
    rows = host.source(src, to.typestr, 'src')
    plane = _plane(to, rows.shape, 'dst')
    capi.call(capi.zc.gst_zc_plane_upload, byref(plane), host.address(rows),
              _row_stride(rows), _stream(to, stream))


def download(src, out, stream):
    """From device memory to a host array, which is returned."""
    from_ = _view(src, 'src', lambda: _needed(out))
    if out is None:
        out = host.empty(from_.shape, from_.typestr)
    else:
        host.target(out, from_.typestr, 'out')
    plane = _plane(from_, out.shape, 'src')
    capi.call(capi.zc.gst_zc_plane_download, byref(plane), host.address(out),
              _row_stride(out), _stream(from_, stream))
    return out


def _needed(out):
    if out is None:
        raise ZcTypeError('out: an address says no shape; give an array to '
                          'copy to')
    return out


def _view(value, name: str, model) -> device.Array:
    """The device side; a bare address has the shape of the host side."""
    if not device.is_address(value):
        return device.view(value)
    like = model()
    if not hasattr(like, 'dtype') or like.dtype.hasobject:
        raise ZcTypeError(f'dtype: nothing says what is at the address {name}')
    return device.Array(device.check_address(value), like.shape, None,
                        like.dtype.str, False, capi.CAI_NO_STREAM)


def _plane(array: device.Array, shape, name: str) -> capi.Plane:
    if _squeezed(array.shape) != _squeezed(shape):
        raise ZcValueError(f'shape: {name} is {array.shape}, the host array '
                           f'{tuple(shape)}')
    rows, size, stride = device.rows_of(array, name)
    return capi.Plane(array.data, stride, size, 1, rows, size, 1)


def _squeezed(shape) -> tuple[int, ...]:
    """One channel may be said, or not."""
    shape = tuple(shape)
    return shape[:-1] if len(shape) == 3 and shape[-1] == 1 else shape


def _row_stride(rows) -> int:
    return rows.nbytes if rows.ndim == 1 else host.row_stride(rows)


def _stream(array: device.Array, stream) -> streams.Stream:
    """One on which the array may be used."""
    ordinal = device.device_of(array.data)
    if stream is not None:
        return streams.named(stream, ordinal)
    ours = streams.own(ordinal)
    capi.call(capi.zc.gst_zc_stream_wait_producer, ours,
              byref(capi.Producer(capi.PRODUCER_CAI, None, array.cai_stream)))
    return ours
