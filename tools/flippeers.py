# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Times the flips of PyTorch, CuPy, NPP and CV-CUDA as ./zc bench flip times
ours: flippeers.py --json FILE. What is not installed is not there; PyTorch
lends the memory and the clock. Pictures lie in a ring that is larger than the
L2 cache; all work is queued behind one long kernel, so that the time of the
calls does not count where it can be hidden.
"""

import argparse
import ctypes
import json
import statistics
from typing import Callable, Iterator, NamedTuple, Optional

import torch

SIZES = ((1920, 1080), (3840, 2160), (7680, 4320))
RING_BYTES = 512 << 20
REPEATS = 5
CALLS = 60  # between two events
HOLD_CYCLES = 40_000_000  # some 20 ms
JOBS = {'horiz': (1,), 'vert': (0,), '180': (0, 1), '90r': None}
# shape of each plane: rows and columns divided by, channels, bytes of a channel
FORMATS = {'NV12': ((1, 1, 1), (2, 2, 2)), 'RGBA': ((1, 1, 4),),
           'RGB': ((1, 1, 3),)}
Planes = list[torch.Tensor]
Flip = Callable[[str, torch.Tensor, torch.Tensor], None]


class NotThere(Exception):
    """A library, or its answer to this job, is missing."""


class Frame(NamedTuple):
    """One slot of the ring."""
    source: Planes
    turned: Planes  # rows and columns swapped
    target: Planes


def new_planes(form: str, width: int, height: int) -> Planes:
    return [torch.empty((height // rows, width // columns, channels),
                        dtype=torch.uint8, device='cuda')
            for rows, columns, channels in FORMATS[form]]


def new_ring(form: str, width: int, height: int) -> list[Frame]:
    size = sum(plane.numel() for plane in new_planes(form, width, height))
    ring = [Frame(new_planes(form, width, height),
                  new_planes(form, height, width),
                  new_planes(form, width, height))
            for _ in range(max(RING_BYTES // size, 1))]
    for frame in ring:
        for plane in frame.source:
            plane.random_(256)
    return ring


def once(ring: list[Frame], work: Callable[[Frame], None]) -> float:
    """Microseconds a frame."""
    start, end = (torch.cuda.Event(enable_timing=True) for _ in range(2))
    torch.cuda.synchronize()
    torch.cuda._sleep(HOLD_CYCLES)  # pylint: disable=protected-access
    start.record()
    for i in range(CALLS):
        work(ring[i % len(ring)])
    end.record()
    end.synchronize()
    return start.elapsed_time(end) * 1000 / CALLS


def measure(ring: list[Frame], work: Callable[[Frame], None]) -> float:
    work(ring[0])
    return statistics.median(once(ring, work) for _ in range(REPEATS))


def copy(frame: Frame) -> None:
    for source, target in zip(frame.source, frame.target):
        target.copy_(source)


def expected(job: str, source: torch.Tensor) -> torch.Tensor:
    axes = JOBS[job]
    return torch.flip(source, axes) if axes else torch.rot90(source, -1)


def by_torch() -> Flip:
    def flip(job: str, source: torch.Tensor, target: torch.Tensor) -> None:
        if JOBS[job]:
            torch.flip(source, JOBS[job])  # has no form that writes to target
        else:
            target.copy_(torch.rot90(source, -1))
    flip.checked = False
    return flip


def by_cupy() -> Flip:
    import cupy  # pylint: disable=import-outside-toplevel
    stream = cupy.cuda.ExternalStream(torch.cuda.current_stream().cuda_stream)
    arrays: dict[int, cupy.ndarray] = {}

    def array(tensor: torch.Tensor) -> 'cupy.ndarray':
        if tensor.data_ptr() not in arrays:
            arrays[tensor.data_ptr()] = cupy.asarray(tensor)
        return arrays[tensor.data_ptr()]

    def flip(job: str, source: torch.Tensor, target: torch.Tensor) -> None:
        with stream:
            axes = JOBS[job]
            array(target)[...] = (cupy.flip(array(source), axes) if axes
                                  else cupy.rot90(array(source), -1))
    return flip


class NppSize(ctypes.Structure):
    """NppiSize"""
    _fields_ = [('width', ctypes.c_int), ('height', ctypes.c_int)]


class NppContext(ctypes.Structure):
    """NppStreamContext"""
    _fields_ = [('stream', ctypes.c_void_p), ('device', ctypes.c_int),
                ('multiprocessors', ctypes.c_int),
                ('threads_multiprocessor', ctypes.c_int),
                ('threads_block', ctypes.c_int),
                ('shared_block', ctypes.c_size_t),
                ('major', ctypes.c_int), ('minor', ctypes.c_int),
                ('stream_flags', ctypes.c_uint), ('reserved', ctypes.c_int)]


def npp_context() -> NppContext:
    device = torch.cuda.get_device_properties(0)
    return NppContext(torch.cuda.current_stream().cuda_stream, 0,
                      device.multi_processor_count,
                      device.max_threads_per_multi_processor, 1024, 48 << 10,
                      device.major, device.minor, 0, 0)


def by_npp() -> Flip:
    library = next((found for name in ('13', '12') for found in
                    [try_library(f'libnppig.so.{name}')] if found), None)
    if library is None:
        raise NotThere('libnppig')
    context = npp_context()
    # by channels; two of one byte are one of two
    functions = {1: '8u_C1R', 2: '16u_C1R', 3: '8u_C3R', 4: '8u_C4R'}
    axes = {'vert': 0, 'horiz': 1, '180': 2}

    def flip(job: str, source: torch.Tensor, target: torch.Tensor) -> None:
        if job not in axes:
            raise NotThere('NPP mirrors only')
        rows, columns, channels = source.shape
        function = library[f'nppiMirror_{functions[channels]}_Ctx']
        step = columns * channels
        error = function(
            ctypes.c_void_p(source.data_ptr()), step,
            ctypes.c_void_p(target.data_ptr()), step, NppSize(columns, rows),
            axes[job], context)
        if error:
            raise RuntimeError(f'NPP failed: {error}')
    return flip


def try_library(name: str) -> Optional[ctypes.CDLL]:
    try:
        return ctypes.CDLL(name)
    except OSError:
        return None


def by_cvcuda() -> Flip:
    import cvcuda  # pylint: disable=import-outside-toplevel
    stream = cvcuda.as_stream(torch.cuda.current_stream())
    codes = {'vert': 0, 'horiz': 1, '180': -1}
    tensors: dict[int, 'cvcuda.Tensor'] = {}

    def wrap(tensor: torch.Tensor) -> 'cvcuda.Tensor':
        if tensor.data_ptr() not in tensors:
            tensors[tensor.data_ptr()] = cvcuda.as_tensor(tensor, 'HWC')
        return tensors[tensor.data_ptr()]

    def flip(job: str, source: torch.Tensor, target: torch.Tensor) -> None:
        if job not in codes or source.shape[2] == 2:
            raise NotThere('CV-CUDA mirrors only, 1, 3 or 4 channels')
        cvcuda.flip_into(wrap(target), wrap(source), codes[job], stream=stream)
    return flip


PEERS = {'NPP': by_npp, 'CV-CUDA': by_cvcuda, 'torch.flip': by_torch,
         'CuPy': by_cupy}


def load_peers() -> Iterator[tuple[str, Optional[Flip]]]:
    for name, load in PEERS.items():
        try:
            yield name, load()
        except (ImportError, NotThere, OSError) as missing:
            print(f'{name} is not there: {missing}')
            yield name, None


def targets(job: str, frame: Frame) -> Planes:
    return frame.target if JOBS[job] else frame.turned


def check(flip: Flip, job: str, frame: Frame) -> None:
    """That a peer does this very job."""
    if not getattr(flip, 'checked', True):
        return
    for source, target in zip(frame.source, targets(job, frame)):
        flip(job, source, target)
        torch.cuda.synchronize()
        if not torch.equal(target, expected(job, source)):
            raise RuntimeError(f'the result of {job} is wrong')


def time_peer(flip: Optional[Flip], job: str,
              ring: list[Frame]) -> Optional[float]:
    def work(frame: Frame) -> None:
        for source, target in zip(frame.source, targets(job, frame)):
            flip(job, source, target)

    if flip is None:
        return None
    try:
        check(flip, job, ring[0])
        return measure(ring, work)
    except NotThere:
        return None


def rows() -> Iterator[dict]:
    peers = list(load_peers())
    for width, height in SIZES:
        for form in FORMATS:
            ring = new_ring(form, width, height)
            limit = measure(ring, copy)
            for job in JOBS:
                for name, flip in peers:
                    us = time_peer(flip, job, ring)
                    yield {'job': job, 'who': name, 'format': form,
                           'width': width, 'height': height,
                           'us': us and round(us, 3),
                           'limit': {'who': 'linear copy',
                                     'us': round(limit, 3)}}
            del ring
            torch.cuda.empty_cache()


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument('--json', help='where to write the figures')
    args = parser.parse_args()
    found = []
    # a stream of its own, since the libraries disagree on what stream 0 is
    with torch.cuda.stream(torch.cuda.Stream()):
        for row in rows():
            found.append(row)
            print(f'{row["job"]:8} {row["who"]:12} {row["format"]:6} '
                  f'{row["width"]}x{row["height"]:<5} '
                  f'{row["us"] or "not there"}', flush=True)
    if args.json:
        machine = {'gpu': torch.cuda.get_device_name(0), 'driver': '',
                   'cuda': torch.version.cuda, 'gstreamer': ''}
        with open(args.json, 'w', encoding='utf-8') as file:
            json.dump({'bench': 'flip peers', 'machine': machine,
                       'rows': found}, file, indent=1)
            file.write('\n')


if __name__ == '__main__':
    main()
