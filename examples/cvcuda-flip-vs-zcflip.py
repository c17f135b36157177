#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""CV-CUDA and zcflip turn the same frames, and make the same bytes of them.

    ./zc shell -- python3 examples/cvcuda-flip-vs-zcflip.py [FRAMES]

A frame goes two ways: through zcflip, and to CV-CUDA, which reads it where it is
and whose result is a buffer where it is.
"""

import sys

import cvcuda
import gstzc as zc

WIDTH, HEIGHT = 322, 241
CAPS = (f'video/x-raw(memory:CUDAMemory),format=RGBA,width={WIDTH},'
        f'height={HEIGHT},framerate=30/1')
DIRECTIONS = {0: 'vert', 1: 'horiz', -1: '180'}  # by CV-CUDA's flipCode
SINK = 'sync=false max-buffers=2'


def flipped(frame, code: int, stream) -> 'cvcuda.Tensor':
    """Queued on the stream; the planes are read where they are."""
    tensor = cvcuda.as_tensor(frame.planes[0], 'HWC')
    return cvcuda.flip(tensor, code, stream=stream)


def compare(code: int, frames: int) -> int:
    """How many bytes of how many frames differ."""
    stream = cvcuda.Stream()
    pipeline = zc.Pipeline(
        f'videotestsrc num-buffers={frames} pattern=snow ! '
        f'video/x-raw,format=RGBA,width={WIDTH},height={HEIGHT} ! zcupload ! '
        f'tee name=both '
        f'both. ! queue ! appsink name=plain {SINK} '
        f'both. ! queue ! zcflip video-direction={DIRECTIONS[code]} ! '
        f'appsink name=turned {SINK}')
    different = seen = 0
    with pipeline:
        while (plain := pipeline.pull('plain')) is not None:
            turned = pipeline.pull('turned')
            with zc.map(plain.buffer, CAPS, stream=stream) as frame:
                tensor = flipped(frame, code, stream)
            theirs = zc.wrap(tensor.cuda(), CAPS, stream=stream, owner=tensor)
            with (zc.map(theirs, CAPS) as one,
                  zc.map(turned.buffer, CAPS) as other):
                different += int((one.array() != other.array()).sum())
            seen += 1
    if seen != frames:
        raise SystemExit(f'{seen} frames came, not {frames}')
    return different


def main(frames: int) -> int:
    wrong = 0
    for code, direction in DIRECTIONS.items():
        different = compare(code, frames)
        wrong += different
        print(f'flip code {code}, {direction}: {frames} frames, '
              f'{different} bytes differ')
    return 1 if wrong else 0


if __name__ == '__main__':
    sys.exit(main(int(sys.argv[1]) if len(sys.argv) > 1 else 100))
