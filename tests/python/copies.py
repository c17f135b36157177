# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Copies between host and device: an address, a dictionary, an object."""

import sys

import front
from driver import Driver
from fakes import Array, Picture, Tensor, interface
from front import READ, READWRITE, caps, expect, zc

np = front.need_numpy()
SMALL = caps('NV12', 64, 48)


def numbers(shape, dtype=np.uint8):
    return (np.arange(np.prod(shape)) % 251).astype(dtype).reshape(shape)


def sides(driver, address, shape, strides, typestr):
    array = interface(address, shape, strides, typestr)
    return {'dictionary': array, 'object': Array(array),
            'tensor': Tensor(driver, array)}


SHAPES = {
    'line': ((100,), None, '|u1'),
    'rows': ((48, 64), (80, 1), '|u1'),
    'tight': ((48, 64), None, '|u1'),
    'channels': ((20, 10, 3), (32, 3, 1), '|u1'),
    'one-channel': ((20, 10, 1), (16, 1, 1), '|u1'),
    'words': ((20, 10), (40, 2), '<u2'),
    'floats': ((5, 4, 3), None, '<f4'),
    'four-dimensions': ((2, 3, 4, 5), None, '|u1'),
    'one-row': ((1, 7), (1, 1), '|u1'),
}


def check_round_trip(shape, strides, typestr):
    driver = Driver()
    address = driver.allocate(1 << 14)
    sent = numbers(shape, typestr)
    for device in sides(driver, address, shape, strides, typestr).values():
        zc.upload(device, sent)
        got = zc.download(device)
        assert got.dtype == sent.dtype and (got == sent).all()
        out = np.zeros_like(sent)
        assert zc.download(device, out) is out and (out == sent).all()
    if strides is None:
        zc.upload(address, sent + 1)
        assert (zc.download(address, np.empty_like(sent)) == sent + 1).all()
    driver.free(address)


TABLE_ROUND_TRIP = (check_round_trip, SHAPES)


def test_host_views():
    """Any host array is a source; a target has ascending rows."""
    driver = Driver()
    address = driver.allocate(1 << 14)
    device = interface(address, (48, 64), (80, 1))
    whole = numbers((100, 200))
    for view in (whole[:48, :64], whole[::2][:48, ::3][:, :64],
                 whole[47::-1, :64], np.asfortranarray(whole[:48, :64])):
        zc.upload(device, view)
        assert (zc.download(device) == view).all()
    out = np.zeros((48, 100), np.uint8)
    zc.download(device, out[:, :64])
    assert (out[:, :64] == view).all() and not out[:, 64:].any()
    driver.free(address)


def test_padding_stays():
    driver = Driver()
    picture = Picture(driver)
    zc.upload(picture.stacked, numbers((72, 64)))
    whole = np.empty(80 * 72, np.uint8)
    zc.download(picture.address, whole)
    padding = whole.reshape(72, 80)[:, 64:]
    assert (padding == padding[0, 0]).all()
    picture.free()


def test_one_channel():
    """(rows, elements) and (rows, elements, 1) are the same."""
    driver = Driver()
    picture = Picture(driver)
    luma = picture.planes[0]
    zc.upload(luma, numbers((48, 64)))
    assert (zc.download(luma)[..., 0] == numbers((48, 64))).all()
    assert zc.download(luma, np.empty((48, 64), np.uint8)).ndim == 2
    picture.free()


def test_planes_of_frames():
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL, READWRITE) as frame:
        zc.upload(frame.planes[0], numbers((48, 64)))
        assert (zc.download(frame.planes[0])[..., 0]
                == numbers((48, 64))).all()
    with zc.map(buffer, SMALL, READ) as frame:
        expect(BufferError, 'dst read-only', zc.upload, frame.planes[0],
               numbers((48, 64)))
        assert (zc.download(frame.planes[0])[..., 0]
                == numbers((48, 64))).all()


def test_producer_is_late():
    driver = Driver()
    picture = Picture(driver)
    writer = driver.stream()
    for array in (Array(picture.stacked, stream=writer),
                  Tensor(driver, picture.stacked, stream=writer)):
        driver.delay(writer)
        picture.fill(0x44, writer)
        assert (zc.download(array) == 0x44).all()
        picture.fill(0x55, writer)
        driver.synchronize(writer)
    picture.free()


def test_named_stream():
    """What is queued there comes before; no more is waited for."""
    driver = Driver()
    picture = Picture(driver)
    mine = driver.stream()
    driver.delay(mine)
    picture.fill(0x44, mine)
    assert (zc.download(picture.stacked, stream=mine) == 0x44).all()
    picture.free()


def check_refused(kind, words, dst, src):
    driver = Driver()
    picture = Picture(driver)
    expect(kind, words, zc.upload, dst(picture), src)
    picture.free()


WHOLE = np.zeros((72, 64), np.uint8)
TABLE_UPLOAD = (check_refused, {
    'shape': (ValueError, 'shape', lambda p: p.stacked, WHOLE[1:]),
    'rank': (ValueError, 'shape', lambda p: p.stacked, WHOLE.ravel()),
    'dtype': (TypeError, 'dtype', lambda p: p.stacked,
              WHOLE.astype(np.int8)),
    'no-data': (ValueError, 'data', lambda p: {'shape': (72, 64),
                                               'typestr': '|u1'}, WHOLE),
    'gaps': (ValueError, 'strides', lambda p: {
        **p.stacked, 'strides': (160, 2)}, WHOLE),
    'overlap': (ValueError, 'strides', lambda p: {
        **p.stacked, 'strides': (60, 1)}, WHOLE),
    'past-the-end': (ValueError, 'memory ends', lambda p: {
        **p.stacked, 'strides': (81, 1)}, WHOLE),
    'address-past-the-end': (ValueError, 'memory ends', lambda p: p.address,
                             np.zeros((73, 80), np.uint8)),
    'host-address': (ValueError, 'data', lambda p: WHOLE.ctypes.data, WHOLE),
    'address-0': (ValueError, 'data', lambda p: 0, WHOLE),
    'empty': (ValueError, 'shape', lambda p: {**p.stacked, 'shape': (0, 64)},
              WHOLE[:0]),
    'host-for-device': (TypeError, 'device', lambda p: WHOLE, WHOLE),
    'device-for-host': (TypeError, 'src device', lambda p: p.stacked,
                        type('Gpu', (), {'__cuda_array_interface__': {}})()),
    'read-only': (BufferError, 'dst read-only', lambda p: {
        **p.stacked, 'data': (p.address, True)}, WHOLE),
    'objects': (TypeError, 'dtype', lambda p: p.address, None),
})


def check_download(kind, words, src, out):
    driver = Driver()
    picture = Picture(driver)
    expect(kind, words, zc.download, src(picture), out)
    picture.free()


FROZEN = np.zeros((72, 64), np.uint8)
FROZEN.flags.writeable = False
TABLE_DOWNLOAD = (check_download, {
    'address-alone': (TypeError, 'out', lambda p: p.address, None),
    'shape': (ValueError, 'shape', lambda p: p.stacked, WHOLE[1:].copy()),
    'dtype': (TypeError, 'dtype', lambda p: p.stacked, WHOLE.astype('u2')),
    'frozen': (BufferError, 'out read-only', lambda p: p.stacked, FROZEN),
    'no-array': (TypeError, 'out NumPy', lambda p: p.stacked, bytearray(9)),
    'descending': (ValueError, 'strides', lambda p: p.stacked, WHOLE[::-1]),
})


if __name__ == '__main__':
    sys.exit(front.run('copies', globals()))
