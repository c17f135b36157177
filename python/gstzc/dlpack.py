# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""DLPack: the structs, and the capsules that carry them between libraries."""

from __future__ import annotations

import ctypes
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int32, \
    c_int64, c_uint8, c_uint16, c_uint32, c_uint64, c_void_p, py_object

from . import capi
from .errors import ZcTypeError, ZcValueError

CPU, CUDA, CUDA_HOST, CUDA_MANAGED = 1, 2, 3, 13
KINDS = {0: 'i', 1: 'u', 2: 'f'}
READ_ONLY = 1
MAX_VERSION = (1, 0)


class Tensor(Structure):
    """DLTensor."""
    _fields_ = [('data', c_void_p), ('device_type', c_int32),
                ('device_id', c_int32), ('ndim', c_int32), ('code', c_uint8),
                ('bits', c_uint8), ('lanes', c_uint16),
                ('shape', POINTER(c_int64)), ('strides', POINTER(c_int64)),
                ('byte_offset', c_uint64)]


class Managed(Structure):
    """DLManagedTensor."""
    _fields_ = [('tensor', Tensor), ('manager_ctx', c_void_p),
                ('deleter', c_void_p)]


class ManagedVersioned(Structure):
    """DLManagedTensorVersioned."""
    _fields_ = [('major', c_uint32), ('minor', c_uint32),
                ('manager_ctx', c_void_p), ('deleter', c_void_p),
                ('flags', c_uint64), ('tensor', Tensor)]


# A capsule's name while nobody has taken the tensor, the one after that, and
# what it carries.
_KINDS = ((b'dltensor_versioned', b'used_dltensor_versioned',
           ManagedVersioned),
          (b'dltensor', b'used_dltensor', Managed))

_DELETER = CFUNCTYPE(None, c_void_p)
_api = ctypes.pythonapi


def _declare(name: str, result, *arguments):
    # of our own: others declare the same functions with other types
    return ctypes.PYFUNCTYPE(result, *arguments)((name, _api))


_new = _declare('PyCapsule_New', py_object, c_void_p, c_char_p, c_void_p)
_is_valid = _declare('PyCapsule_IsValid', c_int, c_void_p, c_char_p)
_get_pointer = _declare('PyCapsule_GetPointer', c_void_p, c_void_p, c_char_p)
_set_name = _declare('PyCapsule_SetName', c_int, py_object, c_char_p)


def delete(managed: Managed | ManagedVersioned) -> None:
    """Calls the deleter of a tensor, if it has one."""
    if managed.deleter:
        _DELETER(managed.deleter)(ctypes.addressof(managed))


def _unused(address: int):
    """The tensor in a capsule that nobody has consumed, else None."""
    for unused, used, struct in _KINDS:
        if _is_valid(address, unused):
            return struct.from_address(_get_pointer(address, unused)), used
    return None


def _address(function) -> int:
    return ctypes.cast(function, c_void_p).value


# In C: it must not spoil the exception of a consumer that fails, and capsules may
# be the last to go when Python ends.
capi.zc.gst_zc_capsule_init((c_void_p * 4)(
    _address(_api.PyCapsule_IsValid), _address(_api.PyCapsule_GetPointer),
    _address(_api.PyEval_SaveThread), _address(_api.PyEval_RestoreThread)))
_destroy = _address(capi.zc.gst_zc_capsule_destroy)


def capsule(pointer: int, versioned: bool):
    """A capsule for a tensor; if nobody consumes it, it deletes it."""
    return _new(pointer, _KINDS[0 if versioned else 1][0], _destroy)


class Consumed:
    """A tensor taken out of a capsule; deleted with this object."""

    def __init__(self, holder):
        self._managed = None
        if type(holder).__name__ != 'PyCapsule':
            raise ZcTypeError(f'__dlpack__ returned a '
                              f'{type(holder).__name__}, not a capsule')
        found = _unused(id(holder))
        if not found:
            raise ZcTypeError('__dlpack__ returned a capsule that holds no '
                              'tensor, or one that was consumed')
        self._managed, used = found
        _set_name(holder, used)
        self._check_version()

    def _check_version(self) -> None:
        if getattr(self._managed, 'major', 1) != MAX_VERSION[0]:
            raise ZcValueError(
                f'version: a tensor of DLPack {self._managed.major} is not '
                f'known, only of DLPack {MAX_VERSION[0]}')

    @property
    def tensor(self) -> Tensor:
        return self._managed.tensor

    @property
    def readonly(self) -> bool:
        return bool(getattr(self._managed, 'flags', 0) & READ_ONLY)

    def __del__(self, delete=delete):
        if self._managed is not None:
            delete(self._managed)
