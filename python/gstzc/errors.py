# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Exceptions: what the library says, as Python's own kinds of error too."""

from __future__ import annotations


class ZcError(Exception):
    """All that goes wrong here; the text names the field that is wrong."""


class ZcTypeError(ZcError, TypeError):
    """Something of a kind that cannot be taken."""


class ZcValueError(ZcError, ValueError):
    """A value, shape or stride that does not fit."""


class ZcBufferError(ZcError, BufferError):
    """Pixels that may not be used so, or not now."""


class ZcDriverError(ZcError, RuntimeError):
    """A failure of the CUDA driver, or none found."""


class ZcMemoryError(ZcError, MemoryError):
    """No device memory or pinned memory left."""


# By the numbers of GstZcError.
_DRIVER, _NO_DRIVER, _STUB_DRIVER, _NO_DEVICE, _WRONG_DEVICE, _NO_MEMORY, \
    _CONTEXT_LOST, _UNSUPPORTED, _LAYOUT, _NOT_WRITABLE, _NOT_CUDA, _STATE = (
        range(12))
_KINDS = {
    _WRONG_DEVICE: ZcValueError,
    _NO_MEMORY: ZcMemoryError,
    _UNSUPPORTED: ZcValueError,
    _LAYOUT: ZcValueError,
    _NOT_WRITABLE: ZcBufferError,
    _NOT_CUDA: ZcTypeError,
    _STATE: ZcBufferError,
}


def from_code(code: int, message: str) -> ZcError:
    """The exception for an error of the library."""
    return _KINDS.get(code, ZcDriverError)(message)
