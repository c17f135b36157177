# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""One of the two front ends, by the first argument of a test program.

zc has the functions, the rest makes buffers and pipelines for it.
"""

import functools
import sys
import time

import tap

NAME = sys.argv[1] if len(sys.argv) > 1 else 'ctypes'


def need_numpy():
    try:
        import numpy
    except ImportError:
        print('1..0 # SKIP NumPy is not installed')
        sys.exit(0)
    return numpy


def caps(fmt: str, width: int, height: int) -> str:
    return (f'video/x-raw(memory:CUDAMemory),format={fmt},width={width},'
            f'height={height},framerate=30/1')


def _need_gi():
    try:
        import gi
    except ImportError:
        print('1..0 # SKIP python3-gi is not installed')
        sys.exit(0)
    for name in ('Gst', 'GstApp', 'GstVideo', 'GstCuda', 'GstZc'):
        gi.require_version(name, '1.0')
    from gi.repository import Gst
    Gst.init(None)


class _Gi:
    """PyGObject."""

    def __init__(self):
        _need_gi()
        from gi.repository import Gst, GstApp, GstVideo, GstZc
        self.zc = GstZc
        self.gst = Gst
        self.app = GstApp
        self.video = GstVideo
        self.read, self.write = Gst.MapFlags.READ, Gst.MapFlags.WRITE

    def pool(self, text: str, device: int = 0, packed: bool = False):
        pool = self.zc.device_pool_new(self.zc.context_new(device))
        config = pool.get_config()
        found = self.gst.Caps.from_string(text)
        info = self.video.VideoInfo.new_from_caps(found)
        self.gst.BufferPool.config_set_params(config, found, info.size, 0, 0)
        self.zc.device_pool_config_set_packed(config, packed)
        assert pool.set_config(config) and pool.set_active(True)
        return pool

    def acquire(self, pool):
        _, buffer = pool.acquire_buffer(None)
        return buffer

    def references(self, buffer) -> int:
        import ctypes
        return ctypes.c_int.from_address(hash(buffer) + 8).value

    def pipeline(self, description: str):
        return _GiPipeline(self.gst, description)


class _GiPipeline:
    """As gstzc.Pipeline."""

    def __init__(self, gst, description: str):
        self._gst = gst
        self._pipeline = gst.parse_launch(description)

    def __enter__(self):
        self._pipeline.set_state(self._gst.State.PLAYING)
        return self

    def __exit__(self, *_):
        self._pipeline.set_state(self._gst.State.NULL)

    def pull(self, name='sink'):
        sample = self._pipeline.get_by_name(name).emit('try-pull-sample',
                                                       10 * 10 ** 9)
        return sample and _GiSample(sample)

    def push(self, buffer, name='src'):
        self._pipeline.get_by_name(name).emit('push-buffer', buffer)

    def end(self, name='src'):
        self._pipeline.get_by_name(name).emit('end-of-stream')


class _GiSample:
    def __init__(self, sample):
        self.buffer = sample.get_buffer()
        self.caps = sample.get_caps()


class _Ctypes:
    """gstzc."""

    def __init__(self):
        import gstzc
        self.zc = gstzc
        self.read, self.write = gstzc.READ, gstzc.WRITE

    def pool(self, text: str, device: int = 0, packed: bool = False):
        return self.zc.DevicePool(text, device, packed)

    def acquire(self, pool):
        return pool.acquire()

    def references(self, buffer) -> int:
        import ctypes
        return ctypes.c_int.from_address(buffer.pointer + 8).value

    def pipeline(self, description: str):
        return self.zc.Pipeline(description)


NO_GPU = ('libcuda', 'no CUDA device', 'stub')
FRONT = _Gi() if NAME == 'gi' else _Ctypes()
zc = FRONT.zc
READ, WRITE = FRONT.read, FRONT.write
READWRITE = READ | WRITE


def pool(text: str, device: int = 0, packed: bool = False):
    try:
        return FRONT.pool(text, device, packed)
    except Exception as error:
        if any(text in str(error) for text in NO_GPU):
            raise tap.Skip(str(error)) from error
        raise


def buffer(text: str, device: int = 0, packed: bool = False):
    return FRONT.acquire(pool(text, device, packed))


def run(prefix: str, module: dict) -> int:
    """A module's functions called test_..., and rows of its tables.

    TABLE_NAME is a function and a dictionary of its arguments by name.
    """
    tests = [(name[5:], call) for name, call in module.items()
             if name.startswith('test_')]
    for name, pair in module.items():
        if name.startswith('TABLE_'):
            call, rows = pair
            tests += [(f'{name[6:].lower()}/{key}', functools.partial(
                call, *row)) for key, row in rows.items()]
    return tap.run(f'{prefix}-{NAME}', [(name.replace('_', '-'), call)
                                        for name, call in tests])


def expect(kind, words: str, call, *arguments, **options) -> str:
    """call raises kind, with each of words in its text."""
    try:
        call(*arguments, **options)
    except kind as error:
        assert isinstance(error, zc.ZcError), type(error)
        for word in words.split():
            assert word in str(error), f'{word!r} is not in {error}'
        return str(error)
    raise AssertionError(f'no {kind.__name__}')


def until(condition, seconds=10.0):
    """Given back by a thread of the library."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, 'nothing was given back'
        time.sleep(0.001)
