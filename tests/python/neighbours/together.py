# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Those that are installed, in one process and on one pipeline: each frame goes
to all of them."""

import contextlib
import sys

import neighbour
import tap
from withcupy import CuPy
from withnumba import Numba
from withtorch import Torch


def installed():
    found = []
    for make in (Torch, CuPy, lambda: CuPy('dlpack'), Numba):
        with contextlib.suppress(ImportError, tap.Skip):
            found.append(make())
    if len(found) < 2:
        raise tap.Skip('not even two array libraries are installed')
    return found


def test_together(libraries):
    clones = [[] for _ in libraries]
    with neighbour.Feed() as feed:
        for sample in feed:
            with contextlib.ExitStack() as stack:
                for library, seen in zip(libraries, clones):
                    frame = stack.enter_context(neighbour.zc.map(
                        sample.buffer, sample.caps, stream=library.stream))
                    with library.current():
                        seen.append(neighbour.look(library, frame.planes))
                del frame
    for library, seen in zip(libraries, clones):
        neighbour.check_all(library, seen)


def test_chain(libraries):
    """The first one's array goes on to the next, and so on."""
    first, *others = libraries
    with neighbour.Feed() as feed:
        for number, sample in enumerate(feed):
            with neighbour.zc.map(sample.buffer, sample.caps,
                                  stream=first.stream) as frame:
                with first.current():
                    planes = neighbour.look(first, frame.planes)
            del frame
            for library in others:
                buffer = neighbour.zc.wrap(planes, neighbour.CAPS,
                                           stream=first.stream)
                with neighbour.zc.map(buffer, neighbour.CAPS,
                                      stream=library.stream) as frame:
                    with library.current():
                        planes = neighbour.look(library, frame.planes)
                del frame, buffer
                first = library
            first.synchronize()
            if number % 10 == 0:
                neighbour.check(
                    [first.to_host(plane) for plane in planes],
                    neighbour.turned(neighbour.picture(number)), number)
            first = libraries[0]


def main():
    try:
        neighbour.need_gpu()
        libraries = installed()
    except (ImportError, tap.Skip) as error:
        print(f'1..0 # SKIP {error}')
        return 0
    names = ', '.join(type(each).__name__ for each in libraries)
    print(f'# {names}')
    return tap.run('together', [
        ('same-frame', lambda: test_together(libraries)),
        ('chain', lambda: test_chain(libraries))])


if __name__ == '__main__':
    sys.exit(main())
