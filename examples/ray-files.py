#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Turns many videos, on all GPUs of all nodes of a Ray cluster.

    ray-files.py OUTDIR FILE...

Each file is a task of Ray's, and a process and a pipeline of its own, on the
GPU that Ray gives it. OUTDIR and the files are on a disk that all nodes see.
Ends with 0 if all files are done, with 1 if some are not, with 130 on Ctrl-C.
"""

import os
import signal
import socket
import sys
import time
from argparse import ArgumentParser, Namespace
from glob import escape
from pathlib import Path

# Ray reads it when it is imported: it sends no figures to its makers.
os.environ.setdefault('RAY_USAGE_STATS_ENABLED', '0')
import ray  # noqa: E402

try:
    from tqdm import tqdm
except ImportError:
    tqdm = None

PIPELINE = ('decodebin ! videoconvert ! zcupload ! zcflip video-direction=90r '
            '! zcdownload ! videoconvert ! jpegenc ! matroskamux')
RESULTS, sys.stdout = sys.stdout, sys.stderr  # where Ray's notes go
PATIENCE = 0.2  # seconds, after which a task sees that it is cancelled


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument('--address', help='of a cluster, or auto; else Ray '
                        'starts on this machine alone')
    parser.add_argument('--gpus', type=int, help='of this machine, where Ray '
                        'does not see them')
    parser.add_argument('--per-gpu', type=int, default=1,
                        help='pipelines at once on a GPU (1)')
    parser.add_argument('--retries', type=int, default=2,
                        help='of a file that fails (2)')
    parser.add_argument('--timeout', type=float, default=3600,
                        help='seconds a file may take (3600)')
    parser.add_argument('--pipeline', default=PIPELINE,
                        help=f'between filesrc and filesink ({PIPELINE})')
    parser.add_argument('--suffix', default='.mkv', help='of results (.mkv)')
    parser.add_argument('outdir', type=Path)
    parser.add_argument('files', type=Path, nargs='+')
    return parser.parse_args()


def targets(options: Namespace) -> list[Path]:
    """Where each result goes; no two to one place."""
    found = [(options.outdir / file.name).resolve().with_suffix(options.suffix)
             for file in options.files]
    twice = [path.name for path in set(found) if found.count(path) > 1]
    if twice:
        raise SystemExit(f'two files would become {twice[0]}')
    return found


def quoted(path: Path) -> str:
    """As gst-launch-1.0 reads it."""
    return '"' + str(path).replace('\\', '\\\\').replace('"', '\\"') + '"'


def turn(source: Path, target: Path, pipeline: str, timeout: float) -> dict:
    """Runs on a node of the cluster, in a process with one GPU."""
    import gstzc as zc  # the process that starts it all needs no GStreamer

    # a node that is given up may still be writing
    part = target.with_name(
        f'{target.name}.{socket.gethostname()}-{os.getpid()}.part')
    start = time.monotonic()
    try:
        with zc.Pipeline(f'filesrc location={quoted(source)} ! {pipeline} ! '
                         f'filesink location={quoted(part)}') as running:
            while not running.wait(PATIENCE):
                if time.monotonic() - start > timeout:
                    raise TimeoutError(f'not done after {timeout:g} s')
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    return {'node': socket.gethostname(), 'gpu': ray.get_gpu_ids()[0],
            'seconds': time.monotonic() - start}


class Job:
    """A file, its result, and the tries that it took."""

    def __init__(self, file: Path, target: Path):
        self.file, self.target = file, target
        self.tries, self.done, self.outcome = 0, False, ''

    def submit(self, options: Namespace):
        """A task, which Ray starts when a slot is free."""
        self.tries += 1
        task = ray.remote(
            num_gpus=1 / options.per_gpu, num_cpus=0,
            max_calls=1,  # what a file does to its process harms no other
            max_retries=0)(turn)
        return task.remote(self.file.resolve(), self.target, options.pipeline,
                           options.timeout)

    def finish(self, task) -> None:
        """Takes the result, or the reason why there is none: an error in the
        pipeline, a process that died, a node that is gone."""
        try:
            result = ray.get(task)
        except ray.exceptions.RayError as error:
            cause = getattr(error, 'cause', None) or error
            self.outcome = str(cause).splitlines()[0]
            for part in self.target.parent.glob(
                    f'{escape(self.target.name)}.*.part'):
                part.unlink(missing_ok=True)  # of a process that was killed
        else:
            self.done = True
            self.outcome = (f'{result["seconds"]:.1f} s on GPU {result["gpu"]}'
                            f' of {result["node"]}')

    def __str__(self) -> str:
        kind = 'done' if self.done else 'FAILED'
        return f'{self.file}: {kind} in try {self.tries}: {self.outcome}'


class PlainBar:
    """What tqdm does, for who has none, or reads it from a file."""

    def __init__(self, total: int):
        self.n, self.total = 0, total

    def update(self) -> None:
        self.n += 1
        print(f'{self.n} of {self.total} files', file=sys.stderr, flush=True)

    def close(self) -> None:
        pass


class Work:
    """All files: says what became of them, in their order."""

    def __init__(self, options: Namespace):
        self.options = options
        self.jobs = [Job(*pair) for pair in zip(options.files,
                                                targets(options))]
        self.pending = {}  # by task
        self.finished = set()
        self.told = 0
        self.bar = (tqdm if tqdm and sys.stderr.isatty() else PlainBar)(
            total=len(self.jobs))

    def step(self) -> None:
        """Waits for one task; the file is tried again, or finished."""
        task = ray.wait(list(self.pending))[0][0]
        job = self.pending.pop(task)
        job.finish(task)
        if not job.done and job.tries <= self.options.retries:
            print(f'{job}; again', file=sys.stderr, flush=True)
            self.pending[job.submit(self.options)] = job
            return
        self.finished.add(job)
        self.bar.update()
        while self.told < len(self.jobs) and (
                self.jobs[self.told] in self.finished):
            print(self.jobs[self.told], file=RESULTS, flush=True)
            self.told += 1

    def run(self) -> int:
        """How many files are done."""
        self.pending = {job.submit(self.options): job for job in self.jobs}
        while self.pending:
            self.step()
        self.bar.close()
        return sum(job.done for job in self.jobs)

    def cancel(self) -> None:
        """Tasks that run stop their pipelines and remove what they began."""
        tasks = list(self.pending)
        for task in tasks:
            ray.cancel(task)
        ray.wait(tasks, num_returns=len(tasks), timeout=10)


def connect(options: Namespace) -> None:
    local = {} if options.address else {
        'num_gpus': options.gpus, 'include_dashboard': False,
        'object_store_memory': 100 << 20}
    ray.init(address=options.address or 'local', logging_level='WARNING',
             log_to_driver=False, **local)
    if not ray.cluster_resources().get('GPU'):
        raise SystemExit('Ray sees no GPU: say how many with --gpus')


def interrupt(*_) -> None:
    raise KeyboardInterrupt


def main() -> int:
    options = arguments()
    targets(options)
    options.outdir.mkdir(parents=True, exist_ok=True)
    connect(options)
    signal.signal(signal.SIGTERM, interrupt)
    work = Work(options)
    try:
        done = work.run()
    except KeyboardInterrupt:
        print('interrupted', file=sys.stderr)
        work.cancel()
        return 130
    finally:
        ray.shutdown()
    print(f'{done} of {len(work.jobs)} files done', file=sys.stderr)
    return 0 if done == len(work.jobs) else 1


if __name__ == '__main__':
    sys.exit(main())
