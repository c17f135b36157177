# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Buffers as arrays: what planes say, and copies from and to NumPy."""

import gc
import sys

import front
from front import READ, READWRITE, WRITE, caps, expect, zc

np = front.need_numpy()

# By format, for 33x17: shape and type of each plane.
FORMATS = {
    'NV12': ([(17, 33, 1), (9, 17, 2)], '|u1'),
    'P010_10LE': ([(17, 33, 1), (9, 17, 2)], '<u2'),
    'I420': ([(17, 33, 1), (9, 17, 1), (9, 17, 1)], '|u1'),
    'I420_12LE': ([(17, 33, 1), (9, 17, 1), (9, 17, 1)], '<u2'),
    'Y444': ([(17, 33, 1)] * 3, '|u1'),
    'GBRA': ([(17, 33, 1)] * 4, '|u1'),
    'RGBA': ([(17, 33, 4)], '|u1'),
    'RGB': ([(17, 33, 3)], '|u1'),
    'RGB10A2_LE': ([(17, 33, 1)], '<u4'),
    'YUY2': ([(17, 17, 4)], '|u1'),
}
SMALL = caps('NV12', 64, 48)


def random_planes(shapes, typestr):
    generator = np.random.default_rng(7)
    top = np.iinfo(np.dtype(typestr)).max
    return [generator.integers(0, top, shape, np.dtype(typestr), endpoint=True)
            for shape in shapes]


def filled(text, planes):
    buffer = front.buffer(text)
    with zc.map(buffer, text, WRITE) as frame:
        frame.upload(planes)
    return buffer


def check_format(name, shapes, typestr):
    text = caps(name, 33, 17)
    planes = random_planes(shapes, typestr)
    buffer = filled(text, planes)
    with zc.map(buffer, text) as frame:
        assert (frame.format, frame.width, frame.height) == (name, 33, 17)
        assert [plane.shape for plane in frame.planes] == shapes
        for plane, wanted in zip(frame.planes, planes):
            check_plane(plane, wanted, typestr)
        got = frame.array()
        assert isinstance(got, list) == (len(shapes) > 1)
        for one, wanted in zip(got if len(shapes) > 1 else [got], planes):
            assert (one == wanted).all() and one.dtype == wanted.dtype


def check_plane(plane, wanted, typestr):
    interface = plane.__cuda_array_interface__
    rows, elements, channels = plane.shape
    itemsize = plane.dtype.itemsize
    assert plane.typestr == interface['typestr'] == typestr
    assert interface['version'] == 3 and interface['shape'] == plane.shape
    assert interface['data'] == (plane.ptr, True) and plane.ptr > 0
    assert interface['strides'] == plane.strides
    assert plane.strides[1:] == (channels * itemsize, itemsize)
    assert plane.strides[0] >= elements * channels * itemsize
    assert plane.nbytes == (plane.strides[0] * (rows - 1)
                            + elements * channels * itemsize)
    assert plane.device == 0 and plane.__dlpack_device__() == (2, 0)
    assert (np.asarray(plane) == wanted).all()


TABLE_FORMAT = (check_format,
                {name: (name, *row) for name, row in FORMATS.items()})


def test_array_protocol():
    planes = random_planes([(48, 64, 1), (24, 32, 2)], '|u1')
    buffer = filled(SMALL, planes)
    with zc.map(buffer, SMALL) as frame:
        plane = frame.planes[0]
        assert np.asarray(plane, np.uint16).dtype == np.uint16
        assert np.array(plane, copy=True).flags.owndata
        expect(ValueError, 'copy', plane.__array__, copy=False)
        assert '(48, 64, 1)' in repr(plane)


def test_stacked():
    whole = random_planes([(72, 64)], '|u1')[0]
    buffer = filled(SMALL, whole)
    with zc.map(buffer, SMALL) as frame:
        stacked = frame.stacked
        assert stacked.shape == (72, 64, 1)
        assert stacked.ptr == frame.planes[0].ptr
        assert stacked.strides == frame.planes[0].strides
        assert (np.asarray(stacked)[..., 0] == whole).all()
        assert (np.asarray(frame.planes[1]).reshape(24, 64)
                == whole[48:]).all()


def test_not_stacked():
    for name, width, height in (('NV12', 64, 47), ('NV12', 63, 48),
                                ('I420', 64, 48), ('RGBA', 64, 48)):
        text = caps(name, width, height)
        with zc.map(front.buffer(text), text) as frame:
            expect(ValueError, 'one array', lambda: frame.stacked)


def test_stacked_planar():
    """Without any padding rows of chroma follow each other, two by two."""
    text = caps('I420', 64, 48)
    planes = random_planes([(48, 64), (24, 32), (24, 32)], '|u1')
    buffer = front.buffer(text, packed=True)
    with zc.map(buffer, text, WRITE) as frame:
        frame.upload(planes)
    with zc.map(buffer, text) as frame:
        stacked = np.asarray(frame.stacked)
    assert stacked.shape == (72, 64, 1)
    again = filled(text, stacked)
    with zc.map(again, text) as frame:
        for got, plane in zip(frame.array(), planes):
            assert (got[..., 0] == plane).all()
    assert (stacked.ravel() == np.concatenate(
        [plane.ravel() for plane in planes])).all()


def test_packed():
    text = caps('NV12', 50, 38)
    buffer = front.buffer(text, packed=True)
    with zc.map(buffer, text) as frame:
        assert [plane.strides[0] for plane in frame.planes] == [50, 50]
        assert frame.stacked.nbytes == 50 * 57


def test_host_strides():
    """Views of larger arrays, and rows from the last to the first."""
    whole = random_planes([(100, 200)], '|u1')[0]
    text = caps('Y444', 64, 48)
    views = [whole[:48, :64], whole[1:97:2, 3:67], whole[95:47:-1, ::2][:, :64]]
    buffer = filled(text, views)
    with zc.map(buffer, text) as frame:
        for got, view in zip(frame.array(), views):
            assert (got[..., 0] == view).all()


def test_writable():
    buffer = front.buffer(SMALL)
    for flags, readonly in ((READ, True), (WRITE, False), (READWRITE, False)):
        with zc.map(buffer, SMALL, flags) as frame:
            plane = frame.planes[0]
            assert plane.readonly is readonly
            assert plane.__cuda_array_interface__['data'][1] is readonly
            del plane


def test_unmapped():
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        plane = frame.planes[0]
        lent = frame.planes[1]
        address = lent.ptr
    for use in (lambda: frame.planes, lambda: frame.stacked, frame.array,
                lambda: frame.upload([]), frame.unmap, lambda: plane.ptr,
                lambda: plane.__cuda_array_interface__, plane.__dlpack__,
                plane.__array__):
        expect(BufferError, 'unmapped', use)
    assert lent.ptr == address and not frame.is_mapped


def test_exception_unmaps():
    buffer = front.buffer(SMALL)
    try:
        with zc.map(buffer, SMALL, WRITE):
            raise KeyError('mine')
    except KeyError:
        pass
    with zc.map(buffer, SMALL, WRITE):
        pass


def test_forgotten():
    """A frame that is dropped is unmapped."""
    buffer = front.buffer(SMALL)
    frame = zc.map(buffer, SMALL, WRITE)
    assert frame.is_mapped
    del frame
    gc.collect()
    with zc.map(buffer, SMALL, WRITE):
        pass
    assert front.FRONT.references(buffer) == 1


def test_views_keep_the_buffer():
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        plane = frame.planes[0]
        assert front.FRONT.references(buffer) == 2
        assert plane.ptr
    del frame
    assert front.FRONT.references(buffer) == 2
    del plane
    assert front.FRONT.references(buffer) == 1


def test_kept_by_nobody():
    """A plane whose address nobody asked for keeps nothing."""
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        plane = frame.planes[0]
    assert plane.shape and front.FRONT.references(buffer) == 1


def test_not_writable():
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL) as frame:
        address = frame.planes[0].ptr
        expect(BufferError, 'shared', zc.map, buffer, SMALL, WRITE)
        expect(BufferError, 'flags READ', frame.upload,
               random_planes([(48, 64), (24, 32, 2)], '|u1'))
        assert address == frame.planes[0].ptr


def check_upload(kind, words, arrays):
    buffer = front.buffer(SMALL)
    with zc.map(buffer, SMALL, WRITE) as frame:
        expect(kind, words, frame.upload, arrays)


LUMA, CHROMA = np.zeros((48, 64), np.uint8), np.zeros((24, 32, 2), np.uint8)
TABLE_BAD_UPLOAD = (check_upload, {
    'too-few': (ValueError, 'planes 1 2', [LUMA]),
    'too-many': (ValueError, 'planes 3', [LUMA, CHROMA, CHROMA]),
    'single': (ValueError, 'planes', LUMA),
    'shape': (ValueError, 'shape plane 0', [LUMA[1:], CHROMA]),
    'channels': (ValueError, 'shape plane 1', [LUMA, CHROMA[..., 0]]),
    'dtype': (TypeError, 'dtype array 1', [LUMA, CHROMA.astype(np.int16)]),
    'float': (TypeError, 'dtype', LUMA.astype(float)),
    'empty': (ValueError, 'shape', [LUMA[:0], CHROMA]),
    'text': (TypeError, 'dtype', ['x', CHROMA]),
    'device': (TypeError, 'device', [type('Gpu', (), {
        '__cuda_array_interface__': {}})(), CHROMA]),
})


def check_map(kind, words, arguments, options=None):
    buffer = front.buffer(SMALL)
    expect(kind, words, zc.map, *arguments(buffer), **(options or {}))


TABLE_BAD_MAP = (check_map, {
    'no-buffer': (TypeError, 'buffer NoneType', lambda _: (None, SMALL)),
    'text-for-buffer': (TypeError, 'buffer str', lambda _: ('x', SMALL)),
    'no-caps': (TypeError, 'caps NoneType', lambda buffer: (buffer, None)),
    'bad-caps': (ValueError, 'caps', lambda buffer: (buffer, 'audio/x-raw')),
    'no-caps-text': (ValueError, 'caps', lambda buffer: (buffer, '(((')),
    'larger': (ValueError, '128x96', lambda buffer: (
        buffer, caps('NV12', 128, 96))),
    'format': (ValueError, '', lambda buffer: (
        buffer, caps('RGBA', 64, 48))),
    'unserved': (ValueError, 'GRAY8', lambda buffer: (
        buffer, caps('GRAY8', 64, 48))),
    'no-flags': (ValueError, 'flags', lambda buffer: (buffer, SMALL, 0)),
    'text-flags': (TypeError, 'flags', lambda buffer: (buffer, SMALL, 'r')),
})


def test_system_memory():
    if front.NAME == 'gi':
        buffer = front.FRONT.gst.Buffer.new_allocate(None, 4608, None)
        expect(TypeError, 'CUDA memory', zc.map, buffer, SMALL)
        expect(TypeError, 'CUDA memory', zc.reading(buffer, 1).__enter__)
        expect(TypeError, 'CUDA memory', zc.writing(buffer, 1).__enter__)


def test_device_1():
    buffer = front.buffer(SMALL, device=1)
    with zc.map(buffer, SMALL) as frame:
        assert frame.device == frame.planes[0].device == 1
        assert frame.planes[0].__dlpack_device__() == (2, 1)


def test_kinds_of_caps():
    buffer = front.buffer(SMALL)
    if front.NAME == 'gi':
        found = front.FRONT.gst.Caps.from_string(SMALL)
        kinds = [found, front.FRONT.video.VideoInfo.new_from_caps(found)]
    else:
        kinds = [zc.Caps(SMALL)]
        assert kinds[0] == zc.Caps(str(kinds[0]))
    for kind in [SMALL, *kinds, *kinds]:
        with zc.map(buffer, kind) as frame:
            assert frame.width == 64


if __name__ == '__main__':
    sys.exit(front.run('map', globals()))
