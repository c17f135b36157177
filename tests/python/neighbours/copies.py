# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Zero copies, counted: calls of the driver's copies by anything in the process,
while frames flow, are looked at and are made.

The arguments name the neighbours that take part. The libcuda.so.1 that counts
must stand first in LD_LIBRARY_PATH.
"""

import functools
import sys

import neighbour
import tap
from bare import Bare
from neighbour import CAPS, FRAMES, zc
from withcudapython import CudaPython
from withcupy import CuPy
from withcvcuda import CvCuda
from withjax import Jax
from withnumba import Numba
from withtorch import Torch

MAKERS = {'bare': Bare, 'cuda-python': CudaPython, 'cupy': CuPy,
          'cupy-dlpack': functools.partial(CuPy, 'dlpack'), 'cvcuda': CvCuda,
          'jax': Jax, 'numba': Numba, 'torch': Torch}


def check_seen(library):
    """What a library does by other ways than the driver's can't be counted."""
    array, = library.upload(neighbour.picture(0))[:1]
    before = library.driver.copies()
    library.to_host(array)
    if library.driver.copies() == before:
        raise tap.Skip(f'copies of {type(library).__name__} do not pass the '
                       f'library that counts')


def warm_up(library):
    """Kernels are compiled, memory pools are filled."""
    check_seen(library)
    with library.current():
        arrays = library.upload(neighbour.picture(0))
        if library.has_kernels:
            for array in arrays:
                library.derive(array)
        library.lend(arrays)
    library.synchronize()


def look(library, sample, seen):
    stream = library.stream if library.can_name_stream else None
    with zc.map(sample.buffer, CAPS, stream=stream) as frame, (
            library.current()):
        planes = library.look_at(frame)
        views = [library.view(plane) for plane in planes]
        for plane, view in zip(planes, views):
            assert library.address(view) == plane.ptr
        library.delay()
        seen.append([library.derive(view) for view in views])
        del planes, views


def test_out(libraries):
    """Each frame goes to all; each makes new arrays of it by kernels, or, where
    it has none, by as many copies as there are arrays."""
    for library in libraries:
        warm_up(library)
    seen = [[] for _ in libraries]
    driver = libraries[0].driver
    with neighbour.Feed(any(each.packed for each in libraries),
                        ready=True) as feed:
        before = driver.copies()
        for sample in feed:
            for library, arrays in zip(libraries, seen):
                look(library, sample, arrays)
        copied = driver.copies() - before
    for library, arrays in zip(libraries, seen):
        check_seen_pixels(library, arrays)
    expected = sum(len(arrays[0]) * FRAMES
                   for library, arrays in zip(libraries, seen)
                   if not library.has_kernels)
    print(f'# {FRAMES} frames: {copied} copies, {expected} of them by '
          f'neighbours without kernels')
    assert copied == expected, (copied, expected)


def check_seen_pixels(library, arrays):
    library.synchronize()
    assert len(arrays) == FRAMES
    for number, each in enumerate(arrays):
        wanted = library.derived(neighbour.turned(neighbour.picture(number)))
        neighbour.check([library.to_host(array).reshape(plane.shape)
                         for array, plane in zip(each, wanted)], wanted, number)


def push(library, pipeline, arrays, number):
    library.delay()
    planes = library.lend(arrays)
    stream = library.stream if library.can_name_stream else None
    buffer = zc.wrap(planes, CAPS, stream=stream, owner=arrays)
    buffer.pts = number * 33_000_000
    pipeline.push(buffer)


def test_into(library):
    """Its arrays flow; what comes out is kept, and looked at afterwards."""
    warm_up(library)
    pictures = [library.upload(neighbour.picture(number))
                for number in range(FRAMES)]
    seen = []
    with zc.Pipeline(neighbour.FLIP % '') as pipeline, library.current():
        before = library.driver.copies()
        for number, arrays in enumerate(pictures):
            push(library, pipeline, arrays, number)
            seen.append(pipeline.pull())
        copied = library.driver.copies() - before
    print(f'# {FRAMES} frames: {copied} copies')
    for number, sample in enumerate(seen):
        with zc.map(sample.buffer, CAPS) as frame:
            neighbour.check(frame.array(), neighbour.turned(library.lent(
                neighbour.picture(number))), number)
    assert copied == 0, copied


def make_all(names):
    neighbour.Driver().copies()  # or there is nothing to count with
    return [MAKERS[name]() for name in names]


def main(names):
    try:
        libraries = make_all(names)
    except (ImportError, tap.Skip) as error:
        print(f'1..0 # SKIP {error}')
        return 0
    tests = [('out', lambda: test_out(libraries))]
    for library in libraries:
        tests.append((f'into/{type(library).__name__.lower()}',
                      functools.partial(test_into, library)))
    return tap.run('copies-' + '-'.join(names), tests)


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:] or ['bare']))
