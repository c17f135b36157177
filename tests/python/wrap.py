# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Arrays of others as buffers: where the planes are, when readers may read, when
the owner gets it back."""

import sys
import threading
import time
import weakref

import front
from driver import Driver
from fakes import Array, Picture, Tensor, interface
from front import READ, WRITE, caps, expect, zc

np = front.need_numpy()
SMALL = caps('NV12', 64, 48)


class Owned:
    """Owns a picture; what is asked of it is made from that."""

    def __init__(self, picture):
        self.picture = picture


def check_planes(picture, buffer, pitch=80):
    """No copy was made."""
    with zc.map(buffer, SMALL) as frame:
        luma, chroma = frame.planes
        assert luma.ptr == picture.address
        assert chroma.ptr == picture.address + pitch * 48
        assert luma.strides == (pitch, 1, 1)
        assert chroma.strides == (pitch, 2, 1)
        assert (np.asarray(luma) == 0x11).all()


def kinds(driver, picture):
    """The picture as libraries say it, and who is kept for it."""
    luma, chroma = picture.planes
    flat = {**luma, 'shape': (48, 64), 'strides': (80, 1)}
    return {
        'dictionaries': [luma, chroma],
        'objects': [Array(luma), Array(chroma)],
        'without-channels': [Array(flat), Array(chroma)],
        'stacked': Array(picture.stacked),
        'stacked-dictionary': picture.stacked,
        'tensors': [Tensor(driver, luma), Tensor(driver, chroma)],
        'stacked-tensor': Tensor(driver, picture.stacked),
        'old-tensor': Tensor(driver, picture.stacked, versioned=False),
        'mixed': [Array(luma), Tensor(driver, chroma)],
        'tuple': (luma, chroma),
    }


def check_kind(name):
    driver = Driver()
    picture = Picture(driver)
    what = kinds(driver, picture)[name]
    buffer = zc.wrap(what, SMALL)
    check_planes(picture, buffer)
    kept = what if isinstance(what, (list, tuple)) else [what]
    tensors = [each for each in kept if isinstance(each, Tensor)]
    assert all(each.live == 1 for each in tensors)
    del buffer
    front.until(lambda: all(each.live == 0 for each in tensors))
    picture.free()


TABLE_KIND = (check_kind, {name: (name,) for name in (
    'dictionaries', 'objects', 'without-channels', 'stacked',
    'stacked-dictionary', 'tensors', 'stacked-tensor', 'old-tensor', 'mixed',
    'tuple')})


def test_address():
    """A number says no strides: there is no padding."""
    driver = Driver()
    picture = Picture(driver, pitch=64)
    owner = Owned(picture)
    gone = weakref.ref(owner)
    chroma = picture.address + 64 * 48
    for planes in (picture.address, [picture.address, chroma]):
        check_planes(picture, zc.wrap(planes, SMALL, owner=owner), 64)
    buffer = zc.wrap(picture.address, SMALL, owner=owner)
    del owner
    assert gone()
    del buffer
    front.until(lambda: gone() is None)
    picture.free()


def test_array_is_kept():
    driver = Driver()
    picture = Picture(driver)
    array = Array(picture.stacked)
    gone = weakref.ref(array)
    buffer = zc.wrap(array, SMALL)
    del array
    assert gone()
    check_planes(picture, buffer)
    del buffer
    front.until(lambda: gone() is None)
    picture.free()


def test_given_back_after_the_gpu():
    """Not before the last read has run, however early the buffer goes."""
    driver = Driver()
    driver.need_softcuda()
    picture = Picture(driver)
    array = Array(picture.stacked)
    gone = weakref.ref(array)
    reader = driver.stream()
    buffer = zc.wrap(array, SMALL)
    with zc.map(buffer, SMALL, stream=reader) as frame:
        driver.delay(reader, 200)
        seen = driver.read_rows(frame.planes[0].__cuda_array_interface__,
                                reader)
    start = time.monotonic()
    del array, buffer, frame
    front.until(lambda: gone() is None)
    assert time.monotonic() - start > 0.1
    assert set(seen) == {0x11}
    picture.free()


def test_on_any_thread():
    """The owner's last reference may go on a thread of the library."""
    driver = Driver()
    picture = Picture(driver)
    threads = []
    array = Array(picture.stacked)
    weakref.finalize(array, lambda: threads.append(threading.get_ident()))
    buffer = zc.wrap(array, SMALL)
    reader = driver.stream()
    with zc.map(buffer, SMALL, stream=reader) as frame:
        driver.delay(reader)
        driver.read_rows(frame.planes[0].__cuda_array_interface__, reader)
    del array, frame, buffer
    front.until(lambda: threads)
    assert len(threads) == 1
    picture.free()


def read_late(driver, buffer):
    reader = driver.stream()
    with zc.map(buffer, SMALL, stream=reader) as frame:
        seen = driver.read_rows(frame.planes[1].__cuda_array_interface__,
                                reader)
    driver.synchronize(reader)
    return set(seen)


def check_stream(key, argument, waits):
    """A late writer, told of by the dictionary's stream or the argument."""
    driver = Driver()
    picture = Picture(driver)
    mine = driver.stream()
    streams = {'mine': mine, 'legacy': 1, 'per-thread': 2}
    writer = streams.get(waits, mine)
    if waits:
        driver.delay(writer)
        picture.fill(0x22, writer)
    else:
        picture.fill(0x22, writer)
        driver.synchronize()
    more = {} if key == 'absent' else {'stream': streams.get(key, key)}
    before = driver.counters().host_waits if driver.is_softcuda else 0
    buffer = zc.wrap(Array(picture.stacked, **more), SMALL,
                     stream=streams.get(argument, argument))
    if driver.is_softcuda:
        assert driver.counters().host_waits == before
    assert read_late(driver, buffer) == {0x22}
    assert read_late(driver, buffer) == {0x22}
    del buffer
    picture.free()


TABLE_STREAM = (check_stream, {
    'absent': ('absent', None, 'legacy'),
    'none': (None, None, ''),
    '-1': (-1, None, ''),
    '0': (0, None, 'mine'),
    '1': (1, None, 'mine'),
    '2': (2, None, 'per-thread'),
    'handle': ('mine', None, 'mine'),
    'named': ('absent', 'mine', 'mine'),
    'named-legacy': ('absent', 'legacy', 'legacy'),
    'named-none': ('mine', -1, ''),
})


def test_tensor_waits():
    """A producer is given a stream of ours, and has it wait."""
    driver = Driver()
    picture = Picture(driver)
    writer = driver.stream()
    driver.delay(writer)
    picture.fill(0x22, writer)
    tensor = Tensor(driver, picture.stacked, stream=writer)
    buffer = zc.wrap(tensor, SMALL)
    assert tensor.asked[0]['stream'] > 2
    assert tensor.asked[0]['max_version'] == (1, 0)
    assert read_late(driver, buffer) == {0x22}
    del buffer
    picture.free()


def test_two_producers():
    """Luma by one stream, chroma by another."""
    driver = Driver()
    picture = Picture(driver)
    streams = driver.stream(), driver.stream()
    planes = []
    for index, (plane, stream) in enumerate(zip(picture.planes, streams)):
        driver.delay(stream, 20 + 20 * index)
        rows, elements, channels = plane['shape']
        driver.fill(plane['data'][0], 80, elements * channels, rows, 0x33,
                    stream)
        planes.append(Array(plane, stream=stream))
    buffer = zc.wrap(planes, SMALL)
    reader = driver.stream()
    with zc.map(buffer, SMALL, stream=reader) as frame:
        seen = [driver.read_rows(plane.__cuda_array_interface__, reader)
                for plane in frame.planes]
    driver.synchronize(reader)
    assert [set(each) for each in seen] == [{0x33}, {0x33}]
    del buffer, frame
    picture.free()


def test_read_only():
    """Its owner said so: nobody may write there."""
    driver = Driver()
    picture = Picture(driver)
    for array in ({**picture.stacked, 'data': (picture.address, True)},
                  Tensor(driver, picture.stacked, readonly=True)):
        buffer = zc.wrap(array, SMALL)
        with zc.map(buffer, SMALL, READ):
            pass
        expect(BufferError, 'read-only', zc.map, buffer, SMALL, WRITE)
        del buffer
        driver.synchronize()
    picture.free()


def test_numbers_of_numpy():
    """Not all numbers are int."""
    driver = Driver()
    picture = Picture(driver)
    array = picture.stacked
    array = {**array, 'data': (np.uint64(picture.address), False),
             'shape': tuple(np.int64(each) for each in array['shape']),
             'strides': tuple(np.int64(each) for each in array['strides']),
             'stream': np.int64(1)}
    check_planes(picture, zc.wrap(array, SMALL))
    tight = Picture(driver, pitch=64)
    check_planes(tight, zc.wrap(np.uint64(tight.address), SMALL), 64)
    picture.free()
    tight.free()


def test_bottom_up():
    """Rows that go up in memory are copied: GStreamer can't say them."""
    driver = Driver()
    address = driver.allocate(48 * 256)
    rows = np.arange(48 * 256, dtype=np.uint8).reshape(48, 64, 4)
    zc.upload(address, rows)
    text = caps('RGBA', 64, 48)
    last = interface(address + 47 * 256, (48, 64, 4), (-256, 4, 1))
    buffer = zc.wrap(last, text)
    with zc.map(buffer, text) as frame:
        assert (frame.array() == rows[::-1]).all()
    del buffer, frame
    driver.synchronize()
    driver.free(address)


def test_planes_of_ours():
    """A frame's planes are arrays as any."""
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL, WRITE) as frame:
        frame.upload(np.full((72, 64), 9, np.uint8))
    with zc.map(buffer, SMALL) as frame:
        again = zc.wrap(frame.planes, SMALL)
        with zc.map(again, SMALL) as inner:
            assert inner.planes[0].ptr == frame.planes[0].ptr
            assert all((each == 9).all() for each in inner.array())
    del inner, frame, again
    front.until(lambda: front.FRONT.references(buffer) == 1)


def test_stacked_planar():
    """I420 as one array has no padding."""
    driver = Driver()
    picture = Picture(driver, pitch=64)
    text = caps('I420', 64, 48)
    buffer = zc.wrap(picture.stacked, text)
    with zc.map(buffer, text) as frame:
        assert [plane.ptr - picture.address for plane in frame.planes] == [
            0, 64 * 48, 64 * 60]
        assert [plane.strides[0] for plane in frame.planes] == [64, 32, 32]
    del buffer, frame
    padded = Picture(driver)
    expect(ValueError, 'strides', zc.wrap, padded.stacked, text)
    picture.free()
    padded.free()


def check_shape(fmt, shape):
    """As libraries have pictures: batches of one, planes in one array."""
    driver = Driver()
    text = caps(fmt, 16, 8)
    pixels = np.arange(np.prod(shape), dtype=np.uint8).reshape(shape)
    address = driver.allocate(pixels.size)
    zc.upload(address, pixels)
    buffer = zc.wrap(interface(address, shape), text)
    with zc.map(buffer, text) as frame:
        got = frame.array()
        got = got if isinstance(got, list) else [got]
        assert frame.planes[0].ptr == address
    assert (np.concatenate([plane.ravel() for plane in got])
            == pixels.ravel()).all()
    del buffer, frame
    driver.synchronize()
    driver.free(address)


TABLE_SHAPE = (check_shape, {
    'batch': ('RGBA', (1, 8, 16, 4)),
    'rows': ('RGB', (8, 48)),
    'planar': ('RGBP', (3, 8, 16)),
    'planar-batch': ('GBR', (1, 3, 8, 16)),
    'stacked': ('NV12', (12, 16)),
    'stacked-channel': ('I420', (12, 16, 1)),
})


def test_planes_apart():
    """Planes that do not touch are no single array."""
    driver = Driver()
    picture = Picture(driver)
    luma, chroma = picture.planes
    luma['shape'], chroma['shape'] = (44, 64, 1), (22, 32, 2)
    text = caps('NV12', 64, 44)
    buffer = zc.wrap([luma, chroma], text)
    with zc.map(buffer, text) as frame:
        expect(ValueError, 'one array', lambda: frame.stacked)
    del buffer, frame
    picture.free()


def test_16_bits():
    driver = Driver()
    address = driver.allocate(64 * 48 * 3)
    text = caps('P010_10LE', 64, 48)
    planes = [interface(address, (48, 64), None, '<u2'),
              interface(address + 64 * 48 * 2, (24, 32, 2), None, '<u2')]
    buffer = zc.wrap(planes, text)
    with zc.map(buffer, text) as frame:
        assert [plane.strides[0] for plane in frame.planes] == [128, 128]
    del buffer, frame
    driver.synchronize()
    driver.free(address)


def test_device_1():
    """The device is that of the address; nobody has to say it."""
    driver = Driver(1)
    picture = Picture(driver)
    buffer = zc.wrap(picture.stacked, SMALL)
    with zc.map(buffer, SMALL) as frame:
        assert frame.device == 1
        assert (np.asarray(frame.planes[0]) == 0x11).all()
    del buffer, frame
    picture.free()
    Driver(0)


if __name__ == '__main__':
    sys.exit(front.run('wrap', globals()))
