# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What every array library must be able to do, next to a running pipeline.

A library is a class with the methods of Neighbour; run() takes it through all
of the tests. Each picture is known, each access is held up by 2 ms, and memory
goes round in small pools, so that a missing wait shows.
"""

import contextlib
import ctypes
import os
import sys
import threading
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]),
                str(Path(__file__).parents[2] / 'api')]

try:
    import numpy as np
except ImportError:
    print('1..0 # SKIP NumPy is not installed')
    sys.exit(0)

import gstzc as zc  # noqa: E402
import tap  # noqa: E402
from driver import Driver  # noqa: E402
from gstzc import keep  # noqa: E402



def _frames():
    """softcuda is slow, and needs no luck to see a missing wait."""
    try:
        return 20 if Driver().is_softcuda else 100
    except tap.Skip:
        return 100


FRAMES = int(os.environ.get('ZC_FRAMES', _frames()))
DELAY_US = 2000
WIDTH, HEIGHT = 320, 240
CAPS = (f'video/x-raw(memory:CUDAMemory),format=NV12,width={WIDTH},'
        f'height={HEIGHT},framerate=30/1')
FLIP = (f'appsrc name=src caps="{CAPS}" format=time max-buffers=2 block=true ! '
        f'zcflip video-direction=180 %s ! '
        f'appsink name=sink sync=false max-buffers=2 enable-last-sample=false')
DOWN = FLIP % '! zcdownload'


class Neighbour:
    """An array library, in one context, with a stream that is not the default.

    All work goes on that stream, inside current().
    """

    packed = False  # it takes no rows that are padded
    can_write = True
    can_name_stream = True  # it works on one that is said
    has_kernels = False  # its invert() and derive() make no copies

    def __init__(self):
        self.driver = Driver()

    @property
    def stream(self):
        """As zc.map() takes it."""
        raise NotImplementedError

    @property
    def handle(self) -> int:
        raise NotImplementedError

    @contextlib.contextmanager
    def current(self):
        yield

    def view(self, plane):
        """The plane as an array, without a copy."""
        raise NotImplementedError

    def address(self, array) -> int:
        raise NotImplementedError

    def clone(self, array):
        """Queued; returns at once."""
        raise NotImplementedError

    def to_host(self, array):
        """A NumPy array, once all that is queued is done."""
        raise NotImplementedError

    def invert(self, array) -> None:
        """Queues array ^= 255."""
        raise NotImplementedError

    def from_host(self, array):
        """An array of its own; may wait."""
        raise NotImplementedError

    def upload(self, planes):
        """Arrays that say a picture."""
        return [self.from_host(plane) for plane in planes]

    def copy_into(self, target, source) -> None:
        """Queued."""
        raise NotImplementedError

    def look_at(self, frame):
        return frame.planes

    def derive(self, array):
        """Queues the making of a new array out of another one."""
        return self.clone(array)

    def derived(self, planes):
        """What that makes of planes on the host."""
        return planes

    def lend(self, arrays):
        """Queues their change, and returns what goes into a buffer."""
        if self.has_kernels and self.can_write:
            for array in arrays:
                self.invert(array)
        return arrays

    def lent(self, planes):
        """What that makes of planes on the host."""
        return inverted(planes) if (
            self.has_kernels and self.can_write) else planes

    def produce(self, planes, sources):
        """Queues the writing of planes; returns them, or others."""
        for target, source in zip(planes, sources):
            self.copy_into(target, source)
        return planes

    def delay(self) -> None:
        """Holds the stream up."""
        self.driver.delay(self.handle, DELAY_US // 1000)

    def synchronize(self) -> None:
        self.driver.synchronize()


def picture(number):
    """The planes of a picture that no other number has."""
    y, x = np.mgrid[:HEIGHT, :WIDTH]
    luma = (3 * y + 5 * x + 7 * number) % 251
    y, x, c = np.mgrid[:HEIGHT // 2, :WIDTH // 2, :2]
    chroma = (5 * y + 3 * x + 11 * c + 13 * number) % 251
    return [luma.astype(np.uint8)[..., None], chroma.astype(np.uint8)]


def turned(planes):
    return [plane[::-1, ::-1] for plane in planes]


def inverted(planes):
    return [plane ^ 255 for plane in planes]


class Feed:
    """A pipeline that turns pictures by 180 degrees, while others work."""

    def __init__(self, packed=False, description=None, ready=False):
        self.pipeline = zc.Pipeline(description or FLIP % (
            'packed=true' if packed else ''))
        self.pool = zc.DevicePool(CAPS, packed=packed)
        self.ready = [self._draw(number)
                      for number in range(FRAMES)] if ready else None
        self.failure = None
        self.thread = threading.Thread(target=self._push)

    def _draw(self, number):
        buffer = self.pool.acquire()
        with zc.map(buffer, CAPS, zc.WRITE) as frame:
            frame.upload(picture(number))
        buffer.pts = number * 33_000_000
        return buffer

    def _push(self):
        try:
            for number in range(FRAMES):
                self.pipeline.push(self.ready[number] if self.ready
                                   else self._draw(number))
            self.pipeline.end()
        except Exception as error:
            self.failure = error

    def __enter__(self):
        self.pipeline.start()
        self.thread.start()
        return self

    def __exit__(self, *_):
        self.pipeline.stop()
        self.thread.join()
        assert self.failure is None, self.failure

    def __iter__(self):
        count = 0
        while (sample := self.pipeline.pull()) is not None:
            yield sample
            count += 1
            del sample
        assert count == FRAMES, count


class Taker:
    """The end of a pipeline in host memory."""

    def __init__(self):
        self.pipeline = zc.Pipeline(DOWN)
        self.seen = []
        self.thread = threading.Thread(target=self._pull)

    def _pull(self):
        while (sample := self.pipeline.pull()) is not None:
            self.seen.append(host_planes(sample.buffer))

    def __enter__(self):
        self.pipeline.start()
        self.thread.start()
        return self

    def push(self, buffer, number):
        buffer.pts = number * 33_000_000
        self.pipeline.push(buffer)

    def finish(self):
        self.pipeline.end()
        self.thread.join()

    def __exit__(self, *_):
        self.pipeline.stop()
        self.thread.join()


def host_bytes(buffer, size):
    pixels = np.empty(size, np.uint8)
    gst = ctypes.CDLL('libgstreamer-1.0.so.0')
    gst.gst_buffer_extract.argtypes = (ctypes.c_void_p, ctypes.c_size_t,
                                       ctypes.c_void_p, ctypes.c_size_t)
    assert gst.gst_buffer_extract(buffer.pointer, 0, pixels.ctypes.data,
                                  size) == size
    return pixels


def host_planes(buffer):
    pixels = host_bytes(buffer, WIDTH * HEIGHT * 3 // 2)
    return [pixels[:WIDTH * HEIGHT].reshape(HEIGHT, WIDTH, 1),
            pixels[WIDTH * HEIGHT:].reshape(HEIGHT // 2, WIDTH // 2, 2)]


def check(got, wanted, number):
    for index, (one, other) in enumerate(zip(got, wanted)):
        assert one.shape == other.shape, (one.shape, other.shape)
        assert (one == other).all(), f'plane {index} of picture {number}'


def check_all(neighbour, clones):
    neighbour.synchronize()
    assert len(clones) == FRAMES
    for number, planes in enumerate(clones):
        check([neighbour.to_host(plane).reshape(shape.shape) for plane, shape
               in zip(planes, picture(0))], turned(picture(number)), number)


def look(neighbour, planes):
    """Views at the planes' own addresses, and late copies of them."""
    views = [neighbour.view(plane) for plane in planes]
    for plane, view in zip(planes, views):
        assert neighbour.address(view) == plane.ptr
    neighbour.delay()
    return [neighbour.clone(view) for view in views]


def test_out(neighbour, stream):
    """The memory goes back at once, and is written again."""
    clones = []
    with Feed(neighbour.packed) as feed, neighbour.current():
        for sample in feed:
            with zc.map(sample.buffer, sample.caps, stream=stream) as frame:
                clones.append(look(neighbour, frame.planes))
            del frame
    check_all(neighbour, clones)


def test_out_late(neighbour):
    """Views that are read after the end of the with."""
    clones = []
    with Feed(neighbour.packed) as feed, neighbour.current():
        for sample in feed:
            with zc.map(sample.buffer, sample.caps) as frame:
                views = [neighbour.view(plane) for plane in frame.planes]
            neighbour.delay()
            clones.append([neighbour.clone(view) for view in views])
            del views, frame
    check_all(neighbour, clones)


def test_stacked(neighbour):
    with Feed(neighbour.packed) as feed, neighbour.current():
        for number, sample in enumerate(feed):
            with zc.map(sample.buffer, sample.caps,
                        stream=neighbour.stream) as frame:
                both = neighbour.clone(neighbour.view(frame.stacked))
            if number % 10 == 0:
                neighbour.synchronize()
                rows = neighbour.to_host(both).reshape(HEIGHT * 3 // 2, WIDTH)
                check([rows[:HEIGHT, :, None],
                       rows[HEIGHT:].reshape(HEIGHT // 2, WIDTH // 2, 2)],
                      turned(picture(number)), number)
            del frame, both


def writable(feed):
    """An appsink keeps what it gave last, until it gives the next."""
    last = None
    for sample in feed:
        if last is not None:
            yield last
        last = sample
        del sample
    feed.pipeline.stop()
    yield last


def test_in_place(neighbour, stream):
    """It changes the pixels of a frame, which goes on to a second pipeline."""
    with Feed(neighbour.packed) as feed, Taker() as taker, (
            neighbour.current()):
        for number, sample in enumerate(writable(feed)):
            buffer = sample.buffer
            with zc.map(buffer, sample.caps, zc.READ | zc.WRITE,
                        stream=stream) as frame:
                views = [neighbour.view(plane) for plane in frame.planes]
                neighbour.delay()
                for view in views:
                    neighbour.invert(view)
                del views
            del frame
            sample.buffer = None
            taker.push(buffer, number)
            del buffer
        taker.finish()
    for number, planes in enumerate(taker.seen):
        check(planes, inverted(picture(number)), number)
    assert len(taker.seen) == FRAMES


def test_into(neighbour, stream):
    """A ring of four pictures of its own; each comes back before it is used
    again."""
    sources = [[neighbour.from_host(plane) for plane in picture(number)]
               for number in range(FRAMES)]
    ring = [[neighbour.from_host(plane) for plane in picture(0)]
            for _ in range(4)]
    lent = [threading.Event() for _ in ring]
    for event in lent:
        event.set()
    with Taker() as taker, neighbour.current():
        for number in range(FRAMES):
            planes, back = ring[number % 4], lent[number % 4]
            assert back.wait(10), 'a picture does not come back'
            back.clear()
            neighbour.delay()
            planes = neighbour.produce(planes, sources[number])
            buffer = zc.wrap(planes, CAPS, stream=stream, owner=Owner(back))
            with zc.map(buffer, CAPS, stream=neighbour.handle) as frame:
                assert [plane.ptr for plane in frame.planes] == [
                    neighbour.address(plane) for plane in planes]
            del frame, planes
            taker.push(buffer, number)
            del buffer
        taker.finish()
    for number, planes in enumerate(taker.seen):
        check(planes, turned(picture(number)), number)
    assert len(taker.seen) == FRAMES and keep.count() == 0


class Owner:
    """Says when it is dropped."""

    def __init__(self, event):
        self.event = event

    def __del__(self):
        self.event.set()


def run(name, make):
    """make is a class, or raises tap.Skip or ImportError."""
    try:
        neighbour = make()
    except ImportError as error:
        print(f'1..0 # SKIP {error}')
        return 0
    except tap.Skip as skip:
        print(f'1..0 # SKIP {skip}')
        return 0
    tests = [('out/default', lambda: test_out(neighbour, None)),
             ('out/late', lambda: test_out_late(neighbour)),
             ('stacked', lambda: test_stacked(neighbour)),
             ('into/told', lambda: test_into(neighbour, None))]
    if neighbour.can_name_stream:
        tests += [('out/named', lambda: test_out(neighbour, neighbour.stream)),
                  ('into/named',
                   lambda: test_into(neighbour, neighbour.stream))]
    if neighbour.can_write:
        tests += [('in-place/named',
                   lambda: test_in_place(neighbour, neighbour.stream)),
                  ('in-place/default', lambda: test_in_place(neighbour, None))]
    more = getattr(neighbour, 'more_tests', list)()
    return tap.run(name, tests + more)


def need_gpu():
    """Libraries on the CUDA runtime do not run on softcuda."""
    if Driver().is_softcuda:
        raise tap.Skip('does not run on softcuda, the driver on the CPU')
