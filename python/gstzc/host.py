# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The host's side of copies: NumPy arrays, imported when first needed."""

from __future__ import annotations

from .errors import ZcBufferError, ZcError, ZcTypeError, ZcValueError

_HOST = (1, 3)  # DLPack's CPU and page-locked memory


def numpy():
    try:
        import numpy as module  # pylint: disable=import-outside-toplevel
    except ImportError as error:
        raise ZcError('copies between host and device need NumPy') from error
    return module


def empty(shape, typestr: str):
    return numpy().empty(shape, typestr)


def address(array) -> int:
    return array.__array_interface__['data'][0]


def row_bytes(array) -> int:
    """Of an array whose first dimension is rows."""
    return array.itemsize * array[0].size


def is_on_device(value) -> bool:
    if hasattr(value, '__dlpack_device__'):
        return value.__dlpack_device__()[0] not in _HOST
    return hasattr(value, '__cuda_array_interface__')


def source(value, typestr: str, name: str):
    """An array to copy from, with tight elements in rows that ascend."""
    if is_on_device(value):
        raise ZcTypeError(f'{name}: a host array is needed, and '
                          f'{type(value).__name__} is in device memory: use '
                          f'GstZc.wrap, or a copy of its own library')
    array = numpy().asarray(value)
    _check_type(array, typestr, name)
    return array if _has_rows(array) else numpy().ascontiguousarray(array)


def target(value, typestr: str, name: str):
    """An array to copy to, which must be NumPy's, since it is changed."""
    if not isinstance(value, numpy().ndarray):
        raise ZcTypeError(f'{name}: a NumPy array is needed, not '
                          f'{type(value).__name__}')
    _check_type(value, typestr, name)
    if not value.flags.writeable:
        raise ZcBufferError(f'{name}: the array is read-only')
    if not _has_rows(value):
        raise ZcValueError(f'strides: {value.strides} of {name} can not be '
                           f'written as rows: make it contiguous')
    return value


def _check_type(array, typestr: str, name: str) -> None:
    wanted = numpy().dtype(typestr)
    if array.dtype != wanted:
        raise ZcTypeError(f'dtype: {name} has {array.dtype}, where {wanted} is '
                          f'needed')


def _has_rows(array) -> bool:
    if array.size == 0 or array.ndim == 0:
        return False
    if array.ndim == 1:
        return array.flags.c_contiguous
    return (array[0].flags.c_contiguous
            and (len(array) == 1 or array.strides[0] >= row_bytes(array)))


def row_stride(array) -> int:
    return array.strides[0] if len(array) > 1 else row_bytes(array)
