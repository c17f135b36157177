#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Frames of a pipeline as CuPy arrays, without a copy and without a wait.

    ./zc shell -- python3 examples/appsink-cupy.py [PIPELINE THAT ENDS IN zcupload]

Prints how bright each frame is, and how many pixels are nearly white. It runs in
a Python without PyGObject; with it, say "from gi.repository import GstZc as zc"
and take samples from a Gst.parse_launch() pipeline: map() is the same.
"""

import sys

import cupy
import gstzc as zc

SOURCE = ('videotestsrc num-buffers=30 pattern=ball ! '
          'video/x-raw,format=NV12,width=640,height=480 ! zcupload')
SINK = ('appsink name=sink sync=false max-buffers=3 '
        'caps=video/x-raw(memory:CUDAMemory),format=NV12')


def describe(luma: cupy.ndarray) -> cupy.ndarray:
    """Two numbers, in device memory: nothing waits for them here."""
    return cupy.stack([luma.mean(dtype=cupy.float64),
                       (luma > 230).sum(dtype=cupy.float64)])


def main(source: str) -> None:
    stream = cupy.cuda.Stream(non_blocking=True)
    results = []
    with zc.Pipeline(f'{source} ! {SINK}') as pipeline, stream:
        while (sample := pipeline.pull()) is not None:
            # the GPU makes our stream wait for the frame, and whoever writes
            # this memory next wait for our stream
            with zc.map(sample.buffer, sample.caps, stream=stream) as frame:
                luma = cupy.asarray(frame.planes[0])
                results.append(describe(luma))
                del luma  # an array that lives on would keep the buffer
    for number, (mean, white) in enumerate(cupy.stack(results).get()):
        print(f'frame {number}: mean {mean:.1f}, {white:.0f} nearly white')


if __name__ == '__main__':
    main(sys.argv[1] if len(sys.argv) > 1 else SOURCE)
