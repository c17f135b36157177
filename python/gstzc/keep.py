# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Keeps Python objects for C, and lets each go once.

The library's notify is g_object_unref() of a small GObject; a weak reference of
that calls Python. So what C still has when Python ends can be cut off from
Python, and be given back later without it.
"""

from __future__ import annotations

import atexit
import ctypes
import itertools
import time

from . import capi

_G_TYPE_OBJECT = 20 << 2
_kept: dict[int, tuple[int, object]] = {}
_numbers = itertools.count(1)

_forget_nothing = ctypes.PYFUNCTYPE(None, ctypes.py_object)(
    ('Py_IncRef', ctypes.pythonapi))

NOTIFY = ctypes.cast(capi.gobject.g_object_unref, ctypes.c_void_p).value


@ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_void_p)
def _gone(number, _where):
    _kept.pop(number, None)


_gone_address = ctypes.cast(_gone, ctypes.c_void_p).value


def keep(owner) -> int:
    """What to give to C with NOTIFY: until that is called, owner is kept."""
    number = next(_numbers)
    pointer = capi.gobject.g_object_new_with_properties(_G_TYPE_OBJECT, 0,
                                                        None, None)
    _kept[number] = (pointer, owner)
    capi.gobject.g_object_weak_ref(pointer, _gone, number)
    return pointer


def count() -> int:
    """How many objects C keeps."""
    return len(_kept)


# Nobody comes in between: who waits for the interpreter in _gone() still has the
# GObject of a number that is in _kept.
_weak_unref = ctypes.PYFUNCTYPE(
    None, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_void_p)(
        ('g_object_weak_unref', capi.gobject))


@atexit.register
def _cut_off() -> None:
    """What is still used is not freed any more."""
    if not _kept:
        return
    # for those who wait for the interpreter
    left = None
    while left != len(_kept):
        left = len(_kept)
        time.sleep(0.1)
    for number, (pointer, _owner) in _kept.items():
        _weak_unref(pointer, _gone_address, number)
    _forget_nothing(_kept)
