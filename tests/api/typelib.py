# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The library from Python, through its typelib."""

import contextlib
import io
import re
import sys
from pathlib import Path

import tap

try:
    import gi
except ImportError:
    print('1..0 # SKIP python3-gi is not installed')
    sys.exit(0)

for name in ('Gst', 'GstVideo', 'GstCuda', 'GstZc'):
    gi.require_version(name, '1.0')
from gi.repository import GLib, Gst, GstCuda, GstVideo, GstZc  # noqa: E402

NO_GPU = (GstZc.Error.NO_DRIVER, GstZc.Error.STUB_DRIVER,
          GstZc.Error.NO_DEVICE)
SIZE = (33, 17)  # odd: chroma is rounded up


def is_error(error: GLib.Error, code: GstZc.Error) -> bool:
    return error.matches(GstZc.error_quark(), code)


def context() -> GstCuda.CudaContext:
    try:
        return GstZc.context_new(0)
    except GLib.Error as error:
        if any(is_error(error, code) for code in NO_GPU):
            raise tap.Skip(error.message) from error
        raise


def video_info() -> GstVideo.VideoInfo:
    info = GstVideo.VideoInfo()
    assert info.set_format(GstVideo.VideoFormat.NV12, *SIZE)
    return info


def device_buffer(info: GstVideo.VideoInfo) -> Gst.Buffer:
    pool = GstZc.device_pool_new(context())
    config = pool.get_config()
    Gst.BufferPool.config_set_params(config, info.to_caps(), info.size, 0, 0)
    assert pool.set_config(config)
    assert pool.set_active(True)
    flow, buffer = pool.acquire_buffer(None)
    assert flow == Gst.FlowReturn.OK
    return buffer


def test_context():
    first, second = context(), context()
    assert isinstance(first, GstCuda.CudaContext)
    assert GstZc.context_same(first, second)
    assert first.get_property('cuda-device-id') == 0


def test_stream():
    ours = context()
    stream = GstZc.Stream.new(ours)
    assert stream.get_context() == ours
    borrowed = GstZc.Stream.new_borrowed(ours, stream.get_handle())
    assert borrowed.get_handle() == stream.get_handle() != 0
    assert stream.synchronize()


def test_frame():
    info = video_info()
    buffer = device_buffer(info)
    stream = GstZc.Stream.new(context())
    done, frame = GstZc.Frame.map(buffer, info, Gst.MapFlags.READ, stream)
    assert done and frame.flags == Gst.MapFlags.READ
    image = frame.image
    assert (image.width, image.height) == SIZE
    assert image.format == GstVideo.VideoFormat.NV12 and image.n_planes == 2
    luma, chroma = image.get_plane(0), image.get_plane(1)
    assert (luma.width, luma.height, luma.n_channels) == (33, 17, 1)
    assert (chroma.width, chroma.height, chroma.n_channels) == (17, 9, 2)
    assert luma.row_stride >= 33 and luma.row_bytes() == 33
    assert chroma.data >= luma.data + luma.extent() > 0
    assert frame.unmap()


def test_pixels():
    info = video_info()
    host = Gst.Buffer.new_wrapped(bytes(i % 251 for i in range(info.size)))
    back = Gst.Buffer.new_allocate(None, info.size, None)
    buffer = device_buffer(info)
    stream = GstZc.Stream.new(context())
    _, frame = GstZc.Frame.map(buffer, info, Gst.MapFlags.WRITE, stream)
    assert frame.upload(host, info)
    assert frame.unmap()
    _, frame = GstZc.Frame.map(buffer, info, Gst.MapFlags.READ, stream)
    assert frame.download(back, info)
    assert frame.unmap()
    width, height = SIZE
    stride = info.stride[0]
    sent, got = (buffer.extract_dup(0, info.size) for buffer in (host, back))
    assert all(got[y * stride:y * stride + width]
               == sent[y * stride:y * stride + width] for y in range(height))


def test_errors():
    context()
    try:
        GstZc.context_new(999)
    except GLib.Error as error:
        assert is_error(error, GstZc.Error.WRONG_DEVICE)
        assert '999' in error.message
    else:
        raise AssertionError('there is no device 999')


def test_formats():
    formats = GstZc.Format.list()
    assert GstVideo.VideoFormat.NV12 in formats
    assert all(GstZc.Format.get(each).n_planes > 0 for each in formats)
    assert GstZc.Format.get(GstVideo.VideoFormat.ENCODED) is None
    assert (GstZc.orientation_from_flip_code(0)
            == GstVideo.VideoOrientationMethod.VERT)


def test_kernel():
    """An image that is none: text, so no driver can make code of it."""
    try:
        GstZc.Kernel.new(context(), b'// a comment is no PTX', 'none')
    except GLib.Error as error:
        assert is_error(error, GstZc.Error.UNSUPPORTED), error.message
    else:
        raise AssertionError('a kernel without code')


def test_image():
    made, image = GstZc.Image.init(
        GstVideo.VideoFormat.NV12, 32, 16, 0, [4096, 8192, 0, 0],
        [64, 128, 0, 0])
    assert made and image.get_plane(1).row_stride == 128
    made, image, size = GstZc.Image.init_packed(
        GstVideo.VideoFormat.NV12, 32, 16, 0, 4096)
    assert made and size == 32 * 16 * 3 // 2
    assert image.get_plane(1).data == 4096 + 32 * 16


def test_array():
    info = video_info()
    buffer = device_buffer(info)
    array = GstZc.buffer_get_array(buffer, info, 1, Gst.MapFlags.READ,
                                   GstZc.ArraySync.NONE)
    assert array.get_shape() == [9, 17, 2] and array.get_typestr() == '|u1'
    assert array.get_strides()[1:] == [2, 1] and array.read_only
    assert array.cai_stream == array.stream.get_handle()
    made = GstZc.Array.new(array.data, '|u1', [9, 17, 2],
                           array.get_strides(), -1)
    assert made.data == array.data and made.get_shape() == array.get_shape()
    try:
        GstZc.Array.new(0, '|u1', [9, 17, 2], None, -1)
    except GLib.Error as error:
        assert error.message.startswith('data')
    else:
        raise AssertionError('an array without memory')


def run_page(page: str):
    """The Python of the documentation runs."""
    context()
    text = Path(page).read_text(encoding='utf-8')
    block = re.search(r'```python\n(.*?)```', text, re.S)[1]
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        exec(compile(block, page, 'exec'), {})
    assert printed.getvalue().startswith('320x240 at 0x')


def main(page: str) -> int:
    Gst.init(None)
    tests = [(name[5:], call) for name, call in globals().items()
             if name.startswith('test_')]
    return tap.run('typelib', [*tests, ('page', lambda: run_page(page))])


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
