# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Thousands of views, tensors and wraps, and the process stays as it was.

ZC_LEAK_COUNT is how many, if it is set.
"""

import gc
import os
import sys

import front
from driver import Driver
from fakes import Array, Consumer, Picture, Tensor
from front import READWRITE, caps, zc
from gstzc import keep

np = front.need_numpy()
SMALL = caps('NV12', 64, 48)
COUNT = int(os.environ.get('ZC_LEAK_COUNT', '10000'))
WARM = 1000
GROWTH = 400_000  # bytes: a leak of 40 for each of 10,000


def resident():
    gc.collect()
    with open('/proc/self/statm', encoding='ascii') as statm:
        return int(statm.read().split()[1]) * os.sysconf('SC_PAGESIZE')


def repeat(driver, step, count):
    for number in range(1, count + 1):
        step()
        if number % 20 == 0:  # a queue that grows is no leak
            driver.synchronize()
            front.until(lambda: keep.count() == 0)


def stays(driver, step):
    repeat(driver, step, WARM)
    before, blocks = resident(), sys.getallocatedblocks()
    alive = driver.alive() if driver.is_softcuda else None
    repeat(driver, step, COUNT)
    grown, more = resident() - before, sys.getallocatedblocks() - blocks
    print(f'# {COUNT} times: {grown} bytes, {more} blocks of Python')
    assert grown < GROWTH * max(1, COUNT // 10000), grown
    assert more < 500, more
    if alive:
        now = driver.alive()
        # the library keeps events for as much as was ever in flight
        assert now.pop('events') < alive.pop('events') + COUNT // 10
        assert now == alive, (now, alive)


def test_views():
    driver = Driver()
    buffer = front.buffer(SMALL)

    def step():
        with zc.map(buffer, SMALL, READWRITE) as frame:
            for plane in frame.planes:
                assert plane.__cuda_array_interface__['data'][0] == plane.ptr

    stays(driver, step)
    assert front.FRONT.references(buffer) == 1


def test_tensors():
    """Some are consumed, some are not, some outlive the frame."""
    driver = Driver()
    buffer = front.buffer(SMALL)

    def step():
        with zc.map(buffer, SMALL, stream=1) as frame:
            luma, chroma = frame.planes
            luma.__dlpack__(max_version=(1, 0))
            chroma.__dlpack__()
            taken = Consumer(luma, 1, max_version=(1, 0))
            late = Consumer(chroma, -1)
        del taken, late

    stays(driver, step)
    assert front.FRONT.references(buffer) == 1


def test_wraps():
    driver = Driver()
    picture = Picture(driver)

    def step():
        buffer = zc.wrap(Array(picture.stacked, stream=1), SMALL)
        with zc.map(buffer, SMALL, stream=1):
            pass

    stays(driver, step)
    picture.free()


def test_wrapped_tensors():
    driver = Driver()
    picture = Picture(driver)
    tensor = Tensor(driver, picture.stacked)

    def step():
        zc.wrap(tensor, SMALL)
        tensor.asked.clear()

    stays(driver, step)
    assert tensor.live == 0
    picture.free()


def test_errors():
    driver = Driver()
    picture = Picture(driver)
    tensor = Tensor(driver, {**picture.stacked, 'strides': (8, 1)})
    buffer = front.buffer(SMALL)

    def step():
        for call, arguments in ((zc.wrap, (tensor, SMALL)),
                                (zc.wrap, ({}, SMALL)),
                                (zc.map, (buffer, caps('NV12', 128, 96)))):
            try:
                call(*arguments)
            except ValueError:
                continue
            raise AssertionError('no error')
        tensor.asked.clear()

    stays(driver, step)
    assert tensor.live == 0
    picture.free()


if __name__ == '__main__':
    sys.exit(front.run('leaks', globals()))
