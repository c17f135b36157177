#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Pictures that PyTorch makes, played by a pipeline, without a copy.

    ./zc shell -- python3 examples/appsrc-torch.py [END OF A PIPELINE]

Without an argument it writes torch-00.png to torch-29.png: a wave, on its side.
The four tensors go round: each comes back when the GPU is done with it.
"""

import queue
import sys

import gstzc as zc
import torch

WIDTH, HEIGHT, FRAMES = 640, 480, 30
CAPS = (f'video/x-raw(memory:CUDAMemory),format=RGBA,width={WIDTH},'
        f'height={HEIGHT},framerate=30/1')
END = ('zcflip video-direction=90r ! zcdownload ! videoconvert ! pngenc ! '
       'multifilesink location=torch-%02d.png')


class Lent:
    """Gives a tensor back to the queue when the pipeline drops it."""

    def __init__(self, tensor: torch.Tensor, idle: queue.Queue):
        self.tensor, self.idle = tensor, idle

    def __del__(self):
        self.idle.put(self.tensor)


def paint(tensor: torch.Tensor, number: int) -> None:
    """Queues the making of a picture on PyTorch's current stream."""
    x = torch.arange(WIDTH, device='cuda').view(1, WIDTH)
    y = torch.arange(HEIGHT, device='cuda').view(HEIGHT, 1)
    wave = torch.sin(x / 40 + number / 5) * 60 + HEIGHT / 2
    tensor[..., 0] = ((y - wave).abs() < 20) * 255
    tensor[..., 1] = (x * 255) // WIDTH
    tensor[..., 2] = (y * 255) // HEIGHT
    tensor[..., 3] = 255


def main(end: str) -> None:
    idle: queue.Queue[torch.Tensor] = queue.Queue()
    for _ in range(4):
        idle.put(torch.empty((HEIGHT, WIDTH, 4), dtype=torch.uint8,
                             device='cuda'))
    source = f'appsrc name=src format=time block=true caps="{CAPS}"'
    with (zc.Pipeline(f'{source} ! {end}') as pipeline,
          torch.cuda.stream(torch.cuda.Stream()) as _):
        stream = torch.cuda.current_stream()
        for number in range(FRAMES):
            tensor = idle.get(timeout=10)
            paint(tensor, number)
            # readers wait, on the GPU, for what is queued on our stream
            buffer = zc.wrap(tensor, CAPS, stream=stream,
                             owner=Lent(tensor, idle))
            buffer.pts = number * 1_000_000_000 // 30
            pipeline.push(buffer)
            del buffer, tensor
        pipeline.end()
        if not pipeline.wait(30):
            raise SystemExit('the pipeline did not end')
    print(f'{FRAMES} frames')


if __name__ == '__main__':
    main(sys.argv[1] if len(sys.argv) > 1 else END)
