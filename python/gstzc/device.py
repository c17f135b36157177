# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Arrays of others in device memory: what they say about themselves."""

from __future__ import annotations

from ctypes import byref, c_int
from dataclasses import dataclass, field
from numbers import Integral

from . import capi, dlpack, streams
from .errors import ZcBufferError, ZcTypeError, ZcValueError


@dataclass
class Array:
    """A view of somebody's device memory."""
    data: int
    shape: tuple[int, ...]
    strides: tuple[int, ...] | None  # bytes; None: no gaps
    typestr: str
    readonly: bool
    cai_stream: int  # as GstZcArray's
    owner: object = field(repr=False, default=None)

    @property
    def itemsize(self) -> int:
        return int(self.typestr[2:])


def device_of(address: int) -> int:
    """The ordinal of the device that an address belongs to."""
    device = c_int()
    capi.call(capi.zc.gst_zc_address_get_device, address, byref(device))
    return device.value


def is_address(value) -> bool:
    return isinstance(value, Integral) and not isinstance(value, bool)


def check_address(value: int) -> int:
    if not 0 < value < 2 ** 64:
        raise ZcValueError(f'data: {value:#x} is no device address')
    return int(value)  # which may be one of NumPy's


def view(value) -> Array:
    """What an object or a dictionary says. DLPack only if that tells more."""
    if isinstance(value, dict):
        return from_interface(value, value)
    interface = _interface(value)
    exports = (hasattr(value, '__dlpack__')
               and hasattr(value, '__dlpack_device__'))
    if interface is not None and (not exports or 'stream' in interface):
        return from_interface(interface, value)
    if exports:
        return from_dlpack(value)
    raise ZcTypeError(f'{type(value).__name__} has neither '
                      f'__cuda_array_interface__ nor __dlpack__, and is no '
                      f'address')


def _interface(value) -> dict | None:
    try:
        return value.__cuda_array_interface__
    except Exception:  # PyTorch has many reasons; DLPack may do
        return None


def from_interface(interface: dict, owner) -> Array:
    if not isinstance(interface, dict):
        raise ZcTypeError('__cuda_array_interface__ is no dictionary')
    if interface.get('mask') is not None:
        raise ZcValueError('mask: masked arrays have no place in a buffer')
    address, readonly = _data(interface)
    shape = _dimensions(interface, 'shape')
    strides = _dimensions(interface, 'strides')
    if shape is None:
        raise ZcValueError("shape: the dictionary has no 'shape'")
    if strides is not None and len(strides) != len(shape):
        raise ZcValueError(f'strides: {strides} are not as many as the '
                           f'dimensions of {shape}')
    return Array(address, shape, strides, _typestr(interface), readonly,
                 _stream(interface), owner)


def _data(interface: dict) -> tuple[int, bool]:
    if 'data' not in interface:
        raise ZcValueError("data: the dictionary has no 'data'")
    data = interface['data']
    if not isinstance(data, tuple) or len(data) != 2 or not is_address(data[0]):
        raise ZcTypeError(f'data: {data!r} is not (address, read-only)')
    return check_address(data[0]), bool(data[1])


def _dimensions(interface: dict, name: str) -> tuple[int, ...] | None:
    value = interface.get(name)
    if value is None:
        return None
    if not isinstance(value, (tuple, list)) or not all(
            is_address(each) for each in value):
        raise ZcTypeError(f'{name}: {value!r} is no tuple of numbers')
    return tuple(int(each) for each in value)


def _typestr(interface: dict) -> str:
    typestr = interface.get('typestr')
    if not isinstance(typestr, str) or len(typestr) < 3 or not (
            typestr[2:].isdigit()):
        raise ZcTypeError(f'typestr: {typestr!r} says no type')
    return typestr


def _stream(interface: dict) -> int:
    if 'stream' not in interface:
        return capi.CAI_NO_STREAM
    stream = interface['stream']
    if stream is None:
        return capi.CAI_NONE
    if not is_address(stream) or not -1 <= stream < 2 ** 63:
        raise ZcValueError(f'stream: {stream!r} of the dictionary is no stream')
    return int(stream)


def from_dlpack(value) -> Array:
    """Asks for a tensor that a stream of ours has been made to wait for."""
    device = _dlpack_device(value)
    stream = streams.own(device)
    try:
        capsule = value.__dlpack__(stream=stream.handle,
                                   max_version=dlpack.MAX_VERSION)
    except TypeError:  # from before max_version
        capsule = value.__dlpack__(stream=stream.handle)
    consumed = dlpack.Consumed(capsule)
    tensor = consumed.tensor
    _check_tensor(tensor)
    itemsize = tensor.bits // 8
    shape = tuple(tensor.shape[:tensor.ndim])
    strides = (tuple(each * itemsize for each in tensor.strides[:tensor.ndim])
               if tensor.strides else None)
    typestr = (f'{"|" if itemsize == 1 else "<"}{dlpack.KINDS[tensor.code]}'
               f'{itemsize}')
    return Array(check_address((tensor.data or 0) + tensor.byte_offset), shape,
                 strides, typestr, consumed.readonly, stream.handle, consumed)


def _dlpack_device(value) -> int:
    kind, number = value.__dlpack_device__()
    if kind == dlpack.CUDA_MANAGED:
        return 0
    if kind != dlpack.CUDA:
        raise ZcTypeError(f'device: {type(value).__name__} is in memory of '
                          f"DLPack's kind {int(kind)}, CUDA's is "
                          f'{dlpack.CUDA}; host arrays can be uploaded')
    return number


def _check_tensor(tensor: dlpack.Tensor) -> None:
    if tensor.device_type not in (dlpack.CUDA, dlpack.CUDA_MANAGED):
        raise ZcTypeError(f"device: the tensor is in memory of DLPack's kind "
                          f"{tensor.device_type}, CUDA's is {dlpack.CUDA}")
    if (tensor.code not in dlpack.KINDS or tensor.lanes != 1
            or tensor.bits % 8):
        raise ZcTypeError(f"dtype: DLPack's code {tensor.code} with "
                          f'{tensor.bits} bits and {tensor.lanes} lanes is no '
                          f'type of pixels')


def rows_of(array: Array, name: str) -> tuple[int, int, int]:
    """Rows, bytes of a row, bytes between rows; the rest must be tight."""
    if not array.shape or any(each < 1 for each in array.shape):
        raise ZcValueError(f'shape: {name} is {array.shape}, there is nothing '
                           f'in it')
    tight = array.itemsize
    for index in range(len(array.shape) - 1, 0, -1):
        if array.strides is not None and array.shape[index] > 1 and (
                array.strides[index] != tight):
            raise ZcValueError(
                f'strides: {array.strides} of {name} leave gaps in its rows; '
                f'dimension {index} should have {tight}')
        tight *= array.shape[index]
    return _outer(array, tight, name)


def _outer(array: Array, tight: int, name: str) -> tuple[int, int, int]:
    if len(array.shape) == 1:
        if array.strides is not None and array.shape[0] > 1 and (
                array.strides[0] != array.itemsize):
            raise ZcValueError(f'strides: {array.strides} of {name} leave gaps')
        size = array.shape[0] * array.itemsize
        return 1, size, size
    stride = tight if array.strides is None or array.shape[0] == 1 else (
        array.strides[0])
    if abs(stride) < tight:
        raise ZcValueError(f'strides: the rows of {name} have {tight} bytes '
                           f'and are {stride} apart: they overlap')
    return array.shape[0], tight, stride


def check_writable(array: Array, name: str) -> None:
    if array.readonly:
        raise ZcBufferError(f'data: {name} is read-only')
