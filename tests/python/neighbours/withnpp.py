# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""NPP: what docs/migrating.md says of its calls: each on the planes of a pipeline's
frame makes the bytes that zcflip makes."""

import ctypes
import importlib.util
import sys
from ctypes import (CDLL, RTLD_GLOBAL, Structure, c_double, c_int, c_size_t,
                    c_uint, c_uint64, c_void_p)
from pathlib import Path

import neighbour
import tap
from neighbour import np, zc

WIDTH, HEIGHT = 322, 241
CAPS = (f'video/x-raw(memory:CUDAMemory),format=RGBA,width={WIDTH},'
        f'height={HEIGHT},framerate=30/1')
NEAREST = 1  # NPPI_INTER_NN
AXES = {'vert': 0, 'horiz': 1, '180': 2}  # NppiAxis: horizontal, vertical, both
# angle and shifts of nppiRotate
ROTATIONS = {'90l': (90, 0, WIDTH - 1), '90r': (270, HEIGHT - 1, 0)}


class Size(Structure):
    """NppiSize."""
    _fields_ = [('width', c_int), ('height', c_int)]


class Rect(Structure):
    """NppiRect."""
    _fields_ = [('x', c_int), ('y', c_int), ('width', c_int),
                ('height', c_int)]


class Context(Structure):
    """NppStreamContext."""
    _fields_ = [('stream', c_void_p), ('device', c_int),
                ('multiprocessors', c_int), ('threads_per_multiprocessor', c_int),
                ('threads_per_block', c_int), ('shared_memory', c_size_t),
                ('major', c_int), ('minor', c_int), ('flags', c_uint),
                ('workspace', c_uint)]


# CUdevice_attribute
ATTRIBUTES = {'multiprocessors': 16, 'threads_per_multiprocessor': 39,
              'threads_per_block': 1, 'shared_memory': 8, 'major': 75,
              'minor': 76}


def folders():
    """Where a wheel of NVIDIA's has its libraries, and the system."""
    spec = importlib.util.find_spec('nvidia')
    for folder in spec.submodule_search_locations if spec else []:
        yield from Path(folder).glob('*/lib')
    yield Path()


def library(name: str):
    for folder in folders():
        found = sorted(folder.glob(f'lib{name}.so.*')) or [f'lib{name}.so']
        try:
            return CDLL(str(found[0]), mode=RTLD_GLOBAL)
        except OSError:
            continue
    raise tap.Skip(f'lib{name} of NPP is not installed')


class Npp:
    """Its calls on a stream of its own; they are queued, or raise."""

    def __init__(self):
        neighbour.need_gpu()
        library('nppc')
        self.geometry, self.exchange = library('nppig'), library('nppidei')
        self.driver = neighbour.Driver()
        self.stream = self.driver.stream(0)
        self.context = Context(stream=self.stream)
        for name, number in ATTRIBUTES.items():
            value = c_int()
            self.driver.call('cuDeviceGetAttribute', ctypes.byref(value),
                             number, 0)
            setattr(self.context, name, value.value)

    def call(self, function, *arguments) -> None:
        status = function(*arguments, self.context)
        assert status == 0, f'NppStatus {status}'

    def turn(self, direction: str, source, target) -> None:
        """Planes; queued."""
        size = Size(WIDTH, HEIGHT)
        pair = (*rows(source), *rows(target))
        if direction in AXES:
            self.call(self.geometry.nppiMirror_8u_C4R_Ctx, *pair, size,
                      AXES[direction])
        elif direction == 'ul-lr':
            self.call(self.exchange.nppiTranspose_8u_C4R_Ctx, *pair, size)
        else:
            self.call(self.geometry.nppiRotate_8u_C4R_Ctx,
                      c_void_p(source.ptr), size, c_int(source.strides[0]),
                      Rect(0, 0, WIDTH, HEIGHT), *rows(target),
                      Rect(0, 0, HEIGHT, WIDTH),
                      *map(c_double, ROTATIONS[direction]), NEAREST)


def rows(plane):
    return c_void_p(plane.ptr), c_int(plane.strides[0])


def turned_caps(direction: str) -> str:
    if direction in ('vert', 'horiz', '180'):
        return CAPS
    return CAPS.replace(f'width={WIDTH}', f'width={HEIGHT}').replace(
        f'height={HEIGHT}', f'height={WIDTH}')


def picture(number: int):
    y, x, c = np.mgrid[:HEIGHT, :WIDTH, :4]
    return ((3 * y + 5 * x + 11 * c + 7 * number) % 251).astype(np.uint8)


def test_call(npp: Npp, direction: str) -> None:
    """On the frame that goes into zcflip; next to the one that comes out."""
    caps = turned_caps(direction)
    pools = zc.DevicePool(CAPS), zc.DevicePool(caps)
    description = (f'appsrc name=src caps="{CAPS}" format=time ! zcflip '
                   f'video-direction={direction} ! appsink name=sink sync=false')
    with zc.Pipeline(description) as pipeline:
        for number in range(3):
            buffer, theirs = (pool.acquire() for pool in pools)
            with zc.map(buffer, CAPS, zc.WRITE) as frame:
                frame.upload(picture(number))
            with (zc.map(buffer, CAPS, stream=npp.stream) as source,
                  zc.map(theirs, caps, zc.WRITE, stream=npp.stream) as target):
                npp.turn(direction, source.planes[0], target.planes[0])
            del source, target
            buffer.pts = number * 33_000_000
            pipeline.push(buffer)
            sample = pipeline.pull()
            with (zc.map(theirs, caps) as one,
                  zc.map(sample.buffer, sample.caps) as other):
                assert one.array().shape == other.array().shape
                different = int((one.array() != other.array()).sum())
                assert not different, f'{different} bytes differ'
        pipeline.end()


def main() -> int:
    try:
        npp = Npp()
    except tap.Skip as skip:
        print(f'1..0 # SKIP {skip}')
        return 0
    return tap.run('npp', [
        (direction, lambda direction=direction: test_call(npp, direction))
        for direction in (*AXES, 'ul-lr', *ROTATIONS)])


if __name__ == '__main__':
    sys.exit(main())
