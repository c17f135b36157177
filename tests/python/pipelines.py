# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Running pipelines: frames out of them, arrays into them, threads."""

import sys
import threading

import front
from driver import Driver
from fakes import Picture
from front import READWRITE, WRITE, caps, zc
from gstzc import keep

np = front.need_numpy()
FRAMES = 100
SMALL = caps('NV12', 64, 48)
RAW = 'video/x-raw,format=NV12,width=64,height=48'


def test_out():
    """What zcflip made, next to NumPy's idea of it."""
    text = (f'videotestsrc num-buffers={FRAMES} pattern=snow ! {RAW} ! '
            f'zcupload ! tee name=t ! queue ! appsink name=plain sync=false '
            f't. ! queue ! zcflip video-direction=180 ! '
            f'appsink name=turned sync=false')
    frames = 0
    with front.FRONT.pipeline(text) as pipeline:
        while (plain := pipeline.pull('plain')) is not None:
            turned = pipeline.pull('turned')
            with zc.map(plain.buffer, plain.caps) as frame:
                before = frame.array()
            with zc.map(turned.buffer, turned.caps) as frame:
                after = frame.array()
            for old, new in zip(before, after):
                assert (old[::-1, ::-1] == new).all()
            frames += 1
    assert frames == FRAMES


def test_into():
    """Pictures of the program, from memory that it gets back in time."""
    driver = Driver()
    writer = driver.stream()
    pictures = [Picture(driver) for _ in range(4)]
    text = (f'appsrc name=src format=time caps="{SMALL}" max-buffers=2 '
            f'block=true ! zcflip video-direction=180 ! zcdownload ! '
            f'appsink name=sink sync=false')
    seen = []

    def take(pipeline):
        while (sample := pipeline.pull()) is not None:
            seen.append(first_byte(sample.buffer))

    with front.FRONT.pipeline(text) as pipeline:
        taker = threading.Thread(target=take, args=(pipeline,))
        taker.start()
        for number in range(FRAMES):
            picture = pictures[number % 4]
            front.until(lambda: not picture.is_lent)
            driver.delay(writer, 2)
            picture.fill(number % 251, writer)
            buffer = zc.wrap({**picture.stacked, 'stream': writer}, SMALL,
                             owner=Lent(picture))
            buffer.pts = number * 10 ** 7
            pipeline.push(buffer)
            del buffer
        pipeline.end()
        taker.join()
    assert seen == [number % 251 for number in range(FRAMES)]
    front.until(lambda: keep.count() == 0)


class Lent:
    """Says of a picture that somebody else has it."""

    def __init__(self, picture):
        self.picture = picture
        picture.is_lent = True

    def __del__(self):
        self.picture.is_lent = False


def first_byte(buffer):
    if front.NAME == 'gi':
        return buffer.extract_dup(0, 1)[0]
    import ctypes
    byte = ctypes.create_string_buffer(1)
    gst = ctypes.CDLL('libgstreamer-1.0.so.0')
    gst.gst_buffer_extract.argtypes = (ctypes.c_void_p, ctypes.c_size_t,
                                       ctypes.c_void_p, ctypes.c_size_t)
    assert gst.gst_buffer_extract(buffer.pointer, 0, byte, 1) == 1
    return byte.raw[0]


def test_threads():
    """Each thread has a stream of its own; buffers go round."""
    pool = front.pool(SMALL)
    failures = []

    def work(number):
        try:
            for step in range(50):
                value = (number * 50 + step) % 251
                buffer = front.FRONT.acquire(pool)
                with zc.map(buffer, SMALL, WRITE) as frame:
                    frame.upload(np.full((72, 64), value, np.uint8))
                with zc.map(buffer, SMALL, READWRITE) as frame:
                    assert all((each == value).all()
                               for each in frame.array())
                    assert frame.planes[0].ptr
        except Exception as error:
            failures.append(error)

    threads = [threading.Thread(target=work, args=(number,))
               for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures, failures


def test_error():
    """What an element says comes as an exception."""
    if front.NAME == 'gi':
        return
    with zc.Pipeline('appsrc name=src caps=video/x-raw,format=NV12,width=64,'
                     'height=48 ! zcdownload ! videoconvert ! '
                     'appsink name=sink') as pipeline:
        try:
            pipeline.pull('nobody')
        except zc.ZcError as error:
            assert 'nobody' in str(error)
    try:
        zc.Pipeline('videotestsrc ! nosuchelement')
    except zc.ZcError as error:
        assert 'nosuchelement' in str(error)
    else:
        raise AssertionError('no error')


if __name__ == '__main__':
    sys.exit(front.run('pipelines', globals()))
