# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""On which stream a frame may be used, and who waits for whom."""

import ctypes
import sys

import front
from driver import Driver
from front import READ, READWRITE, WRITE, caps, expect, zc

np = front.need_numpy()
SMALL = caps('NV12', 64, 48)


class Cuda:
    """CUDA's own protocol."""

    def __init__(self, handle):
        self.handle_ = handle

    def __cuda_stream__(self):
        return 0, self.handle_


class CuPy:
    def __init__(self, handle):
        self.ptr = handle


class PyTorch:
    def __init__(self, handle):
        self.cuda_stream = handle


class Numba:
    def __init__(self, handle):
        self.handle = ctypes.c_void_p(handle)

    def __int__(self):
        return self.handle.value or 0


def check_kind(kind):
    """Each says its handle; that stream is used and advertised as done."""
    driver = Driver()
    buffer = front.buffer(SMALL)
    handle = driver.stream()
    for number, is_used in ((handle, handle), (0, 1)):
        stream = kind(number)
        if isinstance(stream, int) and number == 0:
            continue
        with zc.map(buffer, SMALL, stream=stream) as frame:
            plane = frame.planes[0]
            assert frame.__cuda_stream__() == (0, is_used)
            assert plane.__cuda_stream__() == (0, is_used)
            assert plane.__cuda_array_interface__['stream'] is None
            del plane


TABLE_KIND = (check_kind, {
    'protocol': (Cuda,), 'cupy': (CuPy,), 'pytorch': (PyTorch,),
    'numba': (Numba,), 'number': (int,), 'c_void_p': (ctypes.c_void_p,)})


def test_our_stream():
    buffer = front.buffer(SMALL)
    if front.NAME == 'gi':
        stream = zc.Stream.new(zc.context_new(0))
        handle = stream.get_handle()
    else:
        stream = zc.Stream()
        handle = stream.handle
    with zc.map(buffer, SMALL, stream=stream) as frame:
        assert frame.__cuda_stream__() == (0, handle)


def check_refused(kind, words, stream):
    expect(kind, words, zc.map, front.buffer(SMALL), SMALL, stream=stream)


class Later:
    def __cuda_stream__(self):
        return 1, 2


TABLE_REFUSED = (check_refused, {
    'zero': (ValueError, 'stream 0', 0),
    'negative': (ValueError, 'stream -1', -1),
    'too-large': (ValueError, 'stream', 2 ** 64),
    'bool': (TypeError, 'stream bool', True),
    'float': (TypeError, 'stream float', 1.0),
    'text': (TypeError, 'stream str', 'x'),
    'object': (TypeError, 'stream object', object()),
    'later-protocol': (TypeError, 'stream version', Later()),
})


def test_default_stream():
    """The interface names one that is in the right context and not 0."""
    driver = Driver()
    with zc.map(front.buffer(SMALL), SMALL) as frame:
        handle = frame.planes[0].__cuda_array_interface__['stream']
        assert handle > 2
        driver.synchronize(handle)
        assert frame.__cuda_stream__() == (0, handle)


def write(driver, buffer, value, stream, delay=True):
    with zc.map(buffer, SMALL, WRITE, stream=stream) as frame:
        if delay:
            driver.delay(stream)
        for plane in frame.planes:
            rows, elements, channels = plane.shape
            driver.fill(plane.ptr, plane.strides[0], elements * channels, rows,
                        value, stream)


def read(driver, frame, stream):
    return driver.read_rows(frame.planes[1].__cuda_array_interface__, stream)


def test_consumer_waits_by_interface():
    """As CuPy does: by the stream that the interface names."""
    driver = Driver()
    writer, reader = driver.stream(), driver.stream()
    buffer = front.buffer(SMALL)
    for value in range(1, 6):
        write(driver, buffer, value, writer)
        with zc.map(buffer, SMALL) as frame:
            named = frame.planes[1].__cuda_array_interface__['stream']
            driver.synchronize(named)
            driver.delay(reader)
            seen = read(driver, frame, reader)
        write(driver, buffer, 0, writer, delay=False)
        driver.synchronize()
        assert set(seen) == {value}


def check_named(flags):
    """On the stream of the map nobody has to wait."""
    driver = Driver()
    writer, reader = driver.stream(), driver.stream(flags)
    buffer = front.buffer(SMALL)
    waits = driver.counters().host_waits if driver.is_softcuda else 0
    seen = []
    for value in range(1, 6):
        write(driver, buffer, value, writer)
        with zc.map(buffer, SMALL, stream=reader) as frame:
            driver.delay(reader)
            seen.append(read(driver, frame, reader))
    if driver.is_softcuda:
        assert driver.counters().host_waits == waits
    driver.synchronize()
    assert [set(each) for each in seen] == [{each} for each in range(1, 6)]


TABLE_NAMED = (check_named, {'non-blocking': (1,), 'blocking': (0,)})


def test_view_after_the_end():
    """It may be read on any stream; the next writer waits when it is gone."""
    driver = Driver()
    writer, reader = driver.stream(), driver.stream()
    buffer = front.buffer(SMALL)
    write(driver, buffer, 3, writer)
    with zc.map(buffer, SMALL, stream=reader) as frame:
        plane = frame.planes[1]
        interface = plane.__cuda_array_interface__
    expect(BufferError, 'shared', zc.map, buffer, SMALL, WRITE)
    driver.delay(reader)
    seen = driver.read_rows(interface, reader)
    del plane
    write(driver, buffer, 4, writer, delay=False)
    driver.synchronize()
    assert set(seen) == {3}


def test_recycled():
    """The pool gives the memory to the next writer, who waits as well."""
    driver = Driver()
    writer, reader = driver.stream(), driver.stream()
    pool = front.pool(SMALL)
    addresses, seen = set(), []
    for value in range(1, 9):
        buffer = front.FRONT.acquire(pool)
        write(driver, buffer, value, writer)
        with zc.map(buffer, SMALL) as frame:
            driver.wait_for(reader, frame.__cuda_stream__()[1])
            driver.delay(reader, 10)
            seen.append(read(driver, frame, reader))
            addresses.add(frame.planes[0].ptr)
        del frame, buffer
    driver.synchronize()
    assert [set(each) for each in seen] == [{each} for each in range(1, 9)]
    assert len(addresses) < 8


def test_borrower_writes():
    """On a stream that nobody is told of, into a frame of the default one."""
    driver = Driver()
    writer, reader = driver.stream(), driver.stream()
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL, READWRITE) as frame:
        plane = frame.planes[1]
        driver.wait_for(writer, plane.__cuda_array_interface__['stream'])
        driver.delay(writer)
        driver.fill(plane.ptr, plane.strides[0], 64, 24, 7, writer)
        del plane
    with zc.map(buffer, SMALL, stream=reader) as frame:
        seen = read(driver, frame, reader)
    driver.synchronize()
    assert set(seen) == {7}


def test_download_after_borrower():
    """Inside the with, a copy comes after what borrowers have queued."""
    driver = Driver()
    writer = driver.stream()
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL, READWRITE) as frame:
        plane = frame.planes[1]
        driver.wait_for(writer, plane.__cuda_array_interface__['stream'])
        driver.delay(writer)
        driver.fill(plane.ptr, plane.strides[0], 64, 24, 7, writer)
        assert (np.asarray(plane) == 7).all()
        driver.delay(writer)
        seen = read(driver, frame, writer)
        frame.upload([np.zeros((48, 64), np.uint8),
                      np.zeros((24, 32, 2), np.uint8)])
        driver.synchronize()
        assert set(seen) == {7}
        del plane


def test_reading_and_writing():
    """A consumer who knows the address, and brings its stream."""
    driver = Driver()
    first, second = driver.stream(), driver.stream()
    buffer = front.buffer(SMALL)
    write(driver, buffer, 1, first, delay=False)
    with zc.map(buffer, SMALL, stream=first) as frame:
        address, pitch = frame.planes[0].ptr, frame.planes[0].strides[0]
    del frame
    seen = []
    for value in range(2, 7):
        with zc.writing(buffer, first):
            driver.delay(first)
            driver.fill(address, pitch, 64, 72, value, first)
        with zc.reading(buffer, Cuda(second)):
            driver.delay(second)
            seen.append(driver.pinned(64))
            driver.read(address, seen[-1], second)
    driver.synchronize()
    assert [set(each) for each in seen] == [{each} for each in range(2, 7)]


def test_reading_marks_after_an_exception():
    driver = Driver()
    reader, writer = driver.stream(), driver.stream()
    buffer = front.buffer(SMALL)
    write(driver, buffer, 1, writer, delay=False)
    seen = driver.pinned(64)
    with zc.map(buffer, SMALL, stream=reader) as frame:
        address = frame.planes[0].ptr
    del frame
    try:
        with zc.reading(buffer, reader):
            driver.delay(reader)
            driver.read(address, seen, reader)
            raise KeyError('mine')
    except KeyError:
        pass
    write(driver, buffer, 2, writer, delay=False)
    driver.synchronize()
    assert set(seen) == {1}


def enter(call, *arguments):
    with call(*arguments):
        pass


def test_marks_refuse():
    buffer = front.buffer(SMALL)
    expect(TypeError, 'stream None', enter, zc.reading, buffer, None)
    expect(TypeError, 'buffer', enter, zc.writing, 'x', 1)
    with zc.map(buffer, SMALL) as frame:
        assert frame.planes[0].ptr
        expect(BufferError, 'shared', enter, zc.writing, buffer, 1)


def test_old_driver():
    """Without an event for a context the host waits, and all is right."""
    driver = Driver()
    driver.fail('cuCtxRecordEvent', 801) if driver.is_softcuda else None
    try:
        test_recycled()
        test_borrower_writes()
        test_view_after_the_end()
    finally:
        driver.fail_clear() if driver.is_softcuda else None


if __name__ == '__main__':
    assert READ
    sys.exit(front.run('streams', globals()))
