# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The CUDA driver, for what other libraries do in tests; and softcuda's panel."""

import ctypes
from ctypes import POINTER, Structure, byref, c_int, c_size_t, c_uint, \
    c_uint64, c_void_p

import tap

NON_BLOCKING = 1
_LIBC = ctypes.CDLL(None)


_ROOM = 64  # more than the structs have, which may grow


class Counters(Structure):
    """The head of SoftcudaCounters."""
    _fields_ = [(name, c_uint64) for name in (
        'errors', 'races', 'host_waits', 'event_waits', 'events_created',
        'events_recorded', 'streams_created', 'allocations', 'frees',
        'host_allocations', 'host_frees', 'registrations', 'modules_loaded',
        'launches', 'uploads', 'downloads', 'device_copies', 'host_copies',
        'memsets', 'bytes_uploaded', 'bytes_downloaded',
        'bytes_device_copied', 'bytes_host_copied', 'pageable_copies')] + [
            ('rest', c_uint64 * _ROOM)]


class Copy2D(Structure):
    """CUDA_MEMCPY2D."""
    _fields_ = [('src_x', c_size_t), ('src_y', c_size_t), ('src_type', c_int),
                ('src_host', c_void_p), ('src', c_uint64),
                ('src_array', c_void_p), ('src_pitch', c_size_t),
                ('dst_x', c_size_t), ('dst_y', c_size_t), ('dst_type', c_int),
                ('dst_host', c_void_p), ('dst', c_uint64),
                ('dst_array', c_void_p), ('dst_pitch', c_size_t),
                ('width', c_size_t), ('height', c_size_t)]


class Driver:
    """The primary context of a device, current on the thread that made this."""

    def __init__(self, device: int = 0):
        try:
            self.library = ctypes.CDLL('libcuda.so.1')
        except OSError as error:
            raise tap.Skip('there is no libcuda.so.1') from error
        if self.library.cuInit(0):
            raise tap.Skip('the driver does not start')
        count = c_int()
        self.call('cuDeviceGetCount', byref(count))
        if count.value <= device:
            raise tap.Skip(f'there is no CUDA device {device}')
        self.context = c_void_p()
        self.call('cuDevicePrimaryCtxRetain', byref(self.context), device)
        self.call('cuCtxSetCurrent', self.context)

    def call(self, name: str, *arguments) -> None:
        result = getattr(self.library, name)(*arguments)
        assert result == 0, f'{name} returned {result}'

    def allocate(self, size: int) -> int:
        address = c_uint64()
        self.call('cuMemAlloc_v2', byref(address), c_size_t(size))
        return address.value

    def free(self, address: int) -> None:
        self.call('cuMemFree_v2', c_uint64(address))

    def pinned(self, size: int):
        """Page-locked memory, as bytes; lives as long as the process."""
        address = c_void_p()
        self.call('cuMemHostAlloc', byref(address), c_size_t(size), 0)
        return (ctypes.c_uint8 * size).from_address(address.value)

    def stream(self, flags: int = NON_BLOCKING) -> int:
        handle = c_void_p()
        self.call('cuStreamCreate', byref(handle), flags)
        return handle.value

    def fill(self, address: int, pitch: int, width: int, rows: int,
             value: int, stream: int) -> None:
        self.call('cuMemsetD2D8Async', c_uint64(address), c_size_t(pitch),
                  ctypes.c_ubyte(value), c_size_t(width), c_size_t(rows),
                  c_void_p(stream))

    def read(self, address: int, target, stream: int) -> None:
        """Queues a copy to pinned memory."""
        self.call('cuMemcpyDtoHAsync_v2', target, c_uint64(address),
                  c_size_t(len(target)), c_void_p(stream))

    def read_rows(self, array, stream: int):
        """All rows of a CUDA Array Interface, when the stream gets there."""
        rows, elements, channels = array['shape']
        itemsize = int(array['typestr'][2:])
        width = elements * channels * itemsize
        target = self.pinned(rows * width)
        copy = Copy2D(src_type=2, src=array['data'][0],
                      src_pitch=array['strides'][0], dst_type=1,
                      dst_host=ctypes.addressof(target), dst_pitch=width,
                      width=width, height=rows)
        self.call('cuMemcpy2DAsync_v2', byref(copy), c_void_p(stream))
        return target

    def wait_for(self, waiter: int, other: int) -> None:
        event = c_void_p()
        self.call('cuEventCreate', byref(event), 2)
        self.call('cuEventRecord', event, c_void_p(other))
        self.call('cuStreamWaitEvent', c_void_p(waiter), event, 0)
        self.call('cuEventDestroy_v2', event)

    def synchronize(self, stream: int | None = None) -> None:
        if stream is None:
            self.call('cuCtxSynchronize')
        else:
            self.call('cuStreamSynchronize', c_void_p(stream))

    def is_mapped(self, address: int) -> bool:
        """By cuMemMap(), not by cuMemAlloc()."""
        is_allocated = ctypes.c_uint8(1)
        self.call('cuPointerGetAttribute', byref(is_allocated), 10,
                  c_uint64(address))
        return not is_allocated.value

    def copies(self) -> int:
        """Calls of the driver's copies that this process has made by now."""
        try:
            count = self.library.counter_calls_of
        except AttributeError as error:
            raise tap.Skip('the libcuda.so.1 found first is not the one that '
                           'counts') from error
        count.restype = ctypes.c_ulong
        return count(b'cuMemcpy')

    # softcuda

    @property
    def is_softcuda(self) -> bool:
        """The library that counts calls has these names before any driver."""
        return (hasattr(self.library, 'softcuda_set_policy')
                and self.library.softcuda_set_policy(b'') == 0)

    def need_softcuda(self) -> None:
        if not self.is_softcuda:
            raise tap.Skip('needs the control panel of softcuda')

    def delay(self, stream: int, milliseconds: int = 40) -> None:
        """Holds a stream up, so that a missing barrier shows."""
        if self.is_softcuda:
            self.call('softcuda_delay', c_void_p(stream), milliseconds)
        else:
            self.call('cuLaunchHostFunc', c_void_p(stream),
                      ctypes.cast(_LIBC.usleep, c_void_p),
                      c_void_p(milliseconds * 1000))

    def counters(self) -> Counters:
        self.need_softcuda()
        counters = Counters()
        self.library.softcuda_get_counters(byref(counters))
        return counters

    def calls(self, name: str) -> int:
        self.need_softcuda()
        count = self.library.softcuda_call_count
        count.restype = c_uint64
        return count(name.encode())

    def alive(self) -> dict[str, int]:
        """What the process has made in the driver and not given back."""
        self.need_softcuda()
        names = ('contexts', 'streams', 'events', 'modules',
                 'device_allocations', 'device_bytes')
        values = (c_uint64 * _ROOM)()
        self.library.softcuda_get_outstanding(
            ctypes.cast(values, POINTER(c_uint64)))
        return dict(zip(names, values))

    def fail(self, name: str, error: int) -> None:
        self.need_softcuda()
        self.library.softcuda_fail(name.encode(), c_uint(0), error, 0)

    def fail_clear(self) -> None:
        self.library.softcuda_fail_clear()
