# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""PyTorch, and its CUDA graphs next to a pipeline.

With the argument expandable, its memory is mapped piece by piece at reserved
addresses.
"""

import os
import sys
import threading
import time

import neighbour
from neighbour import CAPS, zc

CYCLES = 2_000_000  # of a delaying kernel: a millisecond or more
CAPTURES = 20


class Torch(neighbour.Neighbour):
    """Views by DLPack; by the CUDA Array Interface of what may be written."""

    has_kernels = True

    def __init__(self, expandable=False):
        if expandable:  # PyTorch reads the second name in newer versions
            for name in ('PYTORCH_CUDA_ALLOC_CONF', 'PYTORCH_ALLOC_CONF'):
                os.environ[name] = 'expandable_segments:True'
        neighbour.need_gpu()
        import torch
        if not torch.cuda.is_available():
            raise neighbour.tap.Skip('PyTorch sees no GPU')
        super().__init__()
        torch.cuda.init()
        self.torch = torch
        self._stream = torch.cuda.Stream()
        self._is_expandable = expandable

    @property
    def stream(self):
        return self._stream

    @property
    def handle(self):
        return self._stream.cuda_stream

    def current(self):
        return self.torch.cuda.stream(self._stream)

    def view(self, plane):
        if plane.readonly:
            return self.torch.from_dlpack(plane)
        # which pays no attention to streams, so one must be named or waited for
        named = plane.__cuda_array_interface__['stream']
        if named is not None:
            self._stream.wait_stream(self.torch.cuda.ExternalStream(named))
        return self.torch.as_tensor(plane, device='cuda')

    def address(self, array):
        return array.data_ptr()

    def clone(self, array):
        return array.clone()

    def to_host(self, array):
        return array.cpu().numpy()

    def invert(self, array):
        array.bitwise_not_()

    def derive(self, array):
        return array.bitwise_not()

    def derived(self, planes):
        return neighbour.inverted(planes)

    def from_host(self, array):
        made = self.torch.from_numpy(array.copy()).cuda()
        self.torch.cuda.synchronize()
        return made

    def copy_into(self, target, source):
        target.copy_(source, non_blocking=True)

    def delay(self):
        self.torch.cuda._sleep(2 * CYCLES)

    def more_tests(self):
        if self._is_expandable:
            return [('across-pieces', self.test_across_pieces)]
        return [(f'capture/{mode}/{what}',
                 lambda mode=mode, maps=maps: self.test_capture(mode, maps))
                for mode in ('global', 'thread_local', 'relaxed')
                for what, maps in (('pipeline', False), ('named', True))]

    def test_across_pieces(self):
        """Pictures that are larger than a piece of memory, which has 20 MiB."""
        torch = self.torch
        caps = CAPS.replace('NV12', 'RGBA').replace('320', '3840').replace(
            '240', '2160')
        description = neighbour.DOWN.replace(CAPS, caps)
        with zc.Pipeline(description) as pipeline:
            for number in range(5):
                picture = torch.randint(0, 256, (2160, 3840, 4),
                                        dtype=torch.uint8, device='cuda')
                if not self.driver.is_mapped(picture.data_ptr()):
                    raise neighbour.tap.Skip('this PyTorch maps no memory')
                pipeline.push(zc.wrap(picture, caps))
                wanted = picture.flip(0, 1).cpu().numpy()
                got = neighbour.host_bytes(pipeline.pull().buffer,
                                           wanted.nbytes)
                assert (got.reshape(wanted.shape) == wanted).all(), number

    def test_capture(self, mode, maps):
        """Graphs are captured while frames flow, and others are mapped."""
        torch = self.torch
        numbers = torch.zeros(1000, device='cuda', dtype=torch.int64)
        stop, flown = threading.Event(), []
        thread = threading.Thread(target=self._flow, args=(stop, flown, maps))
        thread.start()
        while len(flown) < 5:
            time.sleep(0.001)
        try:
            for _ in range(CAPTURES):
                before = len(flown)
                graph = torch.cuda.CUDAGraph()
                with torch.cuda.graph(graph, capture_error_mode=mode):
                    numbers += 1
                    end = time.monotonic() + 5
                    while len(flown) < before + 3:
                        assert time.monotonic() < end, 'no frames'
                        time.sleep(0.001)
                    numbers += 1
                graph.replay()
                torch.cuda.synchronize()
        finally:
            stop.set()
            thread.join()
        assert (numbers == 2 * CAPTURES).all()
        assert all(isinstance(each, int) for each in flown), flown[-1]

    def _flow(self, stop, flown, maps):
        text = (f'videotestsrc ! video/x-raw,format=NV12,width=320,height=240 '
                f'! zcupload ! zcflip video-direction=180 ! '
                f'{"" if maps else "zcdownload !"} '
                f'appsink name=sink sync=false max-buffers=2 '
                f'enable-last-sample=false')
        stream = zc.Stream()
        try:
            with zc.Pipeline(text) as pipeline:
                while not stop.is_set():
                    sample = pipeline.pull()
                    if maps:
                        with zc.map(sample.buffer, CAPS,
                                    stream=stream) as frame:
                            assert frame.planes[0].ptr
                        del frame
                    flown.append(len(flown))
        except Exception as error:
            flown.append(error)


if __name__ == '__main__':
    if sys.argv[1:] == ['expandable']:
        sys.exit(neighbour.run('torch-expandable', lambda: Torch(True)))
    sys.exit(neighbour.run('torch', Torch))
