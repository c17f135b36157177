# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Planes by DLPack: capsules, streams, how long they keep the buffer."""

import gc
import sys

import front
from driver import Driver
from fakes import Consumer
from front import READ, READWRITE, WRITE, caps, expect, zc

np = front.need_numpy()
SMALL = caps('NV12', 64, 48)
LEGACY, PER_THREAD = 1, 2


def filled(value):
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL, WRITE) as frame:
        frame.upload([np.full((48, 64), value, np.uint8),
                      np.full((24, 32, 2), value, np.uint8)])
    return buffer


def check_version(max_version, name, flags):
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL, flags) as frame:
        plane = frame.planes[1]
        capsule = plane.__dlpack__(max_version=max_version)
        assert repr(capsule).split('"')[1] == name
        taken = Consumer(plane, None, max_version=max_version)
        assert taken.address == plane.ptr
        assert taken.shape == plane.shape == (24, 32, 2)
        assert taken.strides == plane.strides
        assert (taken.tensor.device_type, taken.tensor.device_id) == (2, 0)
        assert (taken.tensor.code, taken.tensor.bits) == (1, 8)
        readonly = name == 'dltensor_versioned' and flags == READ
        assert taken.consumed.readonly is readonly


TABLE_VERSION = (check_version, {
    'none': (None, 'dltensor', READ),
    '0': ((0, 8), 'dltensor', READ),
    '1': ((1, 0), 'dltensor_versioned', READ),
    '2': ((2, 1), 'dltensor_versioned', READ),
    'writable': ((1, 0), 'dltensor_versioned', READWRITE),
})


def test_16_bits():
    text = caps('P010_10LE', 64, 48)
    with zc.map(front.buffer(text), text) as frame:
        plane = frame.planes[1]
        taken = Consumer(plane, -1)
        assert (taken.tensor.code, taken.tensor.bits) == (1, 16)
        assert taken.strides == tuple(each // 2 for each in plane.strides)


def test_unconsumed():
    """A capsule that nobody takes lets go of the buffer."""
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        capsule = frame.planes[0].__dlpack__()
    assert front.FRONT.references(buffer) == 2
    del capsule
    assert front.FRONT.references(buffer) == 1


def test_consumer_fails():
    """NumPy takes no device memory: it says so, and keeps nothing."""
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        plane = frame.planes[0]
        for _ in range(3):
            try:
                np.from_dlpack(plane)
            except (BufferError, RuntimeError, TypeError) as error:
                assert 'device' in str(error).lower(), error
            else:
                raise AssertionError('NumPy reads device memory')
        del plane
    del frame
    assert front.FRONT.references(buffer) == 1


def test_consumed():
    """The consumer has the buffer, the capsule does not."""
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        taken = Consumer(frame.planes[0], LEGACY, max_version=(1, 0))
        expect(TypeError, 'consumed', type(taken.consumed), taken.capsule)
    del taken.capsule, frame
    assert front.FRONT.references(buffer) == 2
    del taken
    assert front.FRONT.references(buffer) == 1


def test_to_host():
    buffer = filled(5)
    with zc.map(buffer, SMALL) as frame:
        plane = frame.planes[0]
        for array in (np.from_dlpack(plane, device='cpu'),
                      np.from_dlpack(plane, device='cpu', copy=True)):
            assert array.shape == (48, 64, 1) and (array == 5).all()
        expect(BufferError, 'copy', plane.__dlpack__, dl_device=(1, 0),
               copy=False)


def check_refused(kind, words, options):
    with zc.map(front.buffer(SMALL), SMALL) as frame:
        expect(kind, words, frame.planes[0].__dlpack__, **options)


TABLE_REFUSED = (check_refused, {
    'stream-0': (ValueError, 'stream 0', {'stream': 0}),
    'stream--2': (ValueError, 'stream -2', {'stream': -2}),
    'stream-text': (TypeError, 'stream str', {'stream': 'x'}),
    'stream-bool': (TypeError, 'stream bool', {'stream': True}),
    'other-device': (BufferError, 'dl_device', {'dl_device': (2, 1)}),
    'copy': (BufferError, 'copy', {'copy': True}),
})


def write_and_read(driver, buffer, producer, handle, value, late):
    """A late writer, a consumer that is later still; returns what it saw."""
    with zc.map(buffer, SMALL, WRITE, stream=producer) as frame:
        address = frame.planes[0].ptr
        pitch = frame.planes[0].strides[0]
        driver.delay(producer)
        driver.fill(address, pitch, 64, 72, value, producer)
    seen = driver.pinned(64)
    with zc.map(buffer, SMALL) as frame:
        taken = Consumer(frame.planes[0], handle, max_version=(1, 0))
        if not late:
            driver.delay(handle)
            driver.read(taken.address, seen, handle)
            del taken
    if late:
        driver.delay(handle)
        driver.read(taken.address, seen, handle)
    return seen


def check_stream(handle):
    driver = Driver()
    handle = handle or driver.stream()
    producer = driver.stream()
    buffer = front.buffer(SMALL)
    waits = driver.counters().host_waits if driver.is_softcuda else 0
    seen = [write_and_read(driver, buffer, producer, handle, value, value > 4)
            for value in range(1, 8)]
    if driver.is_softcuda:
        assert driver.counters().host_waits == waits
    driver.synchronize()
    assert [set(each) for each in seen] == [{value} for value in range(1, 8)]


TABLE_STREAM = (check_stream, {
    'legacy': (LEGACY,), 'per-thread': (PER_THREAD,), 'handle': (None,)})


def test_no_wait():
    driver = Driver()
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        before = driver.counters()
        assert frame.planes[0].__dlpack__(stream=-1)
        after = driver.counters()
        assert after.event_waits == before.event_waits
        assert after.events_recorded == before.events_recorded


def test_own_stream_costs_nothing():
    """Who consumes on the stream that the frame was mapped for is known."""
    driver = Driver()
    driver.need_softcuda()
    mine = driver.stream()
    buffer = front.buffer(SMALL)
    events = driver.calls('cuCtxRecordEvent')
    with zc.map(buffer, SMALL, stream=mine) as frame:
        taken = Consumer(frame.planes[0], mine)
        del taken
    assert driver.calls('cuCtxRecordEvent') == events
    with zc.map(buffer, SMALL, stream=mine) as frame:
        taken = Consumer(frame.planes[0], LEGACY)
        del taken
    # when the consumer drops it, and at the unmap
    assert driver.calls('cuCtxRecordEvent') > events


def test_consumer_writes():
    """By DLPack, on a stream that nobody is told of."""
    driver = Driver()
    writer = driver.stream()
    buffer = filled(1)
    with zc.map(buffer, SMALL, READWRITE) as frame:
        taken = Consumer(frame.planes[0], writer)
        driver.delay(writer)
        driver.fill(taken.address, taken.strides[0], 64, 48, 9, writer)
        del taken
        assert (np.asarray(frame.planes[0]) == 9).all()
        driver.delay(writer)
        driver.fill(frame.planes[0].ptr, frame.planes[0].strides[0], 64, 48,
                    8, writer)
    with zc.map(buffer, SMALL) as frame:
        luma, chroma = frame.array()
    assert (luma == 8).all() and (chroma == 1).all()


def test_many():
    """All planes, several times, dropped in any order."""
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        taken = [Consumer(plane, LEGACY, max_version=version)
                 for plane in (*frame.planes, frame.stacked) * 5
                 for version in (None, (1, 0))]
    np.random.default_rng(3).shuffle(taken)
    while taken:
        assert front.FRONT.references(buffer) == 2
        taken.pop()
    gc.collect()
    assert front.FRONT.references(buffer) == 1


if __name__ == '__main__':
    sys.exit(front.run('dlpack-export', globals()))
