# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""docs/many-files.md: its commands run, and the two examples turn files as the
CPU does, try again what fails, tell of all in order, and stop when they are told.

    manyfilestest.py --build FOLDER --headers FOLDER...

Ray is that of ZC_RAY, a folder made by tools/setup/ray.sh.
"""

import contextlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
import tempfile
import time
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import Callable, Iterator

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / 'tests/api'), str(TOP / 'tests/docs')]
import tap  # noqa: E402
from blocks import blocks  # noqa: E402

PAGE = 'docs/many-files.md'
FRAMES = (3, 9, 4, 6)
TIMEOUT = 150  # seconds a command; Ray takes some to start
CPU = ('filesrc location={} ! decodebin ! videoconvert ! videoflip '
       'video-direction=90r ! videoconvert ! jpegenc ! filesink location={}')
PICTURES = 'filesrc location={} ! matroskademux ! filesink location={}'
SLOW = ('decodebin ! videoconvert ! identity sleep-time=400000 ! zcupload ! '
        'zcdownload ! jpegenc ! matroskamux')


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--headers', type=Path, nargs='*', default=[])
    return parser.parse_args()


def launch(description: str) -> None:
    tap.command('gst-launch-1.0', '-q', *description.split())


def ray_python() -> Path:
    folder = Path(os.environ.get('ZC_RAY', TOP / '.build/ray'))
    if not (folder / 'bin/python3').exists():
        raise tap.Skip('Ray is not installed: tools/setup/ray.sh does it')
    return folder / 'bin/python3'


class Place:
    """A folder with videos, where the commands of the page run."""

    def __init__(self, options: Namespace, folder: Path):
        self.folder, build = folder, options.build
        (folder / 'examples').symlink_to(TOP / 'examples')
        (folder / 'videos').mkdir()
        for number, frames in enumerate(FRAMES):
            launch(f'videotestsrc num-buffers={frames} ! '
                   'video/x-raw,format=I420,width=64,height=48 ! jpegenc ! '
                   f'avimux ! filesink location={folder}/videos/v{number}.avi')
        (folder / 'bad.avi').write_text('no video\n' * 100)

        def path(name: str, *folders: Path) -> str:
            old = os.environ.get(name)
            return ':'.join([*map(str, folders), *([old] if old else [])])
        self.environment = {
            **os.environ,
            'HOME': str(folder),  # Ray writes there
            'RAY_TMPDIR': str(folder),
            'PKG_CONFIG_PATH': path('PKG_CONFIG_PATH',
                                    build / 'meson-uninstalled'),
            'CPATH': path('CPATH', *options.headers),
            'LD_LIBRARY_PATH': path('LD_LIBRARY_PATH', build / 'lib/gst/zc'),
            'PYTHONPATH': path('PYTHONPATH', TOP / 'python')}
        info = tap.command(build / 'tools/gst-zc-info/gst-zc-info', '--json',
                           '--no-test', env=self.environment)
        self.devices = json.loads(info)['devices']
        if not self.devices:
            raise tap.Skip('there is no GPU')

    @property
    def softcuda(self) -> bool:
        return self.devices[0]['name'].startswith('softcuda')

    def videos(self) -> list[str]:
        return [f'videos/v{number}.avi' for number in range(len(FRAMES))]

    @contextlib.contextmanager
    def start(self, words: list, **more: str) -> Iterator[subprocess.Popen]:
        with subprocess.Popen(words, cwd=self.folder, text=True,
                              stdin=subprocess.DEVNULL,
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                              env={**self.environment, **more}) as process:
            try:
                yield process
            finally:
                process.kill()

    def run(self, words: list, wanted: int, **more: str) -> tuple[list, str]:
        """The lines on stdout, and all of stderr."""
        with self.start(words, **more) as process:
            out, err = process.communicate(timeout=TIMEOUT)
        assert process.returncode == wanted, (process.returncode, out, err)
        return out.splitlines(), err

    def page(self, word: str) -> list[str]:
        """Its commands with that word, for the devices of this machine."""
        lines = [line for block in blocks(PAGE)
                 if block.language == 'sh' and not block.why
                 for line in block.text.splitlines()]
        return [line.replace('--gpus 2', f'--gpus {len(self.devices)}')
                for line in lines if word in line and line[0] != '#']

    def check_turned(self) -> None:
        """The pictures in turned/ are those that the CPU makes."""
        for number in range(len(FRAMES)):
            ours, cpu = (self.folder / f'{number}.{who}'
                         for who in ('ours', 'cpu'))
            launch(PICTURES.format(self.folder / f'turned/v{number}.mkv', ours))
            launch(CPU.format(self.folder / f'videos/v{number}.avi', cpu))
            assert ours.stat().st_size > 100
            assert ours.read_bytes() == cpu.read_bytes(), number
        self.check_no_parts('turned')

    def check_no_parts(self, name: str) -> None:
        assert not list((self.folder / name).glob('*.part'))

    def ray_processes(self, what: str = '') -> list[tuple[int, str]]:
        """Of this place, with their command lines; with that variable."""
        marks = {f'RAY_TMPDIR={self.folder}', *filter(None, [what])}
        found = []
        for entry in Path('/proc').glob('[0-9]*'):
            try:
                words = (entry / 'environ').read_bytes().decode().split('\0')
                line = (entry / 'cmdline').read_bytes().decode()
            except (OSError, UnicodeDecodeError):
                continue
            if marks <= {*words} and line:
                found.append((int(entry.name), line))
        return found


def soon(condition: Callable, seconds: float = 60):
    end = time.monotonic() + seconds
    while not (value := condition()):
        assert time.monotonic() < end, 'it does not come'
        time.sleep(0.1)
    return value


def check_order(lines: list[str], files: list[str]) -> None:
    assert [line.split(':')[0] for line in lines] == files, lines


def check_devices(lines: list[str], place: Place) -> None:
    used = {line.split('on GPU ')[1].split()[0] for line in lines}
    assert len(used) >= min(len(place.devices), 2), lines


def c_turns(place: Place) -> None:
    build, run = place.page('several-gpus')
    lines, err = place.run(['sh', '-ec', f'{build}\n{run}'], 0)
    check_order(lines, place.videos())
    check_devices(lines, place)
    assert f'{len(FRAMES)} of {len(FRAMES)} files done' in err, err
    place.check_turned()


def c_reports(place: Place) -> None:
    """A file that is none, one that is missing; the others are done."""
    files = ['bad.avi', place.videos()[0], 'missing.avi', place.videos()[1]]
    lines, err = place.run(
        ['./several-gpus', '--retries=1', 'some', *files], 1)
    check_order(lines, files)
    kinds = [' '.join(line.split()[1:5]) for line in lines]
    assert kinds[0::2] == ['FAILED in try 2:'] * 2, lines
    assert kinds[1::2] == ['done in try 1:'] * 2, lines
    assert err.count('; again') == 2, err
    assert {path.name for path in (place.folder / 'some').iterdir()} == {
        'v0.mkv', 'v1.mkv'}


def c_retries(place: Place) -> None:
    if not place.softcuda:
        raise tap.Skip('only softcuda lets a kernel fail')
    lines, err = place.run(['./several-gpus', 'again', place.videos()[0]], 0,
                           SOFTCUDA_FAIL='cuLaunchKernel:1:2')
    assert 'done in try 2:' in lines[0], lines
    assert err.count('; again') == 1, err


def c_refuses(place: Place) -> None:
    _, err = place.run(['./several-gpus', 'out', 'a/x.avi', 'b/x.mp4'], 2)
    assert 'two files would become out/x.mkv' in err, err


def c_stops(place: Place) -> None:
    """In the middle of some."""
    files = [f'long{number}.mp4' for number in range(8)]
    for file in files:
        (place.folder / file).symlink_to(TOP / 'examples/media/bunny.mp4')
    with place.start(['./several-gpus', 'stopped', *files]) as process:
        soon(lambda: list((place.folder / 'stopped').glob('*.part')))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130, (process.returncode, out, err)
    place.check_no_parts('stopped')


class Cluster:
    """A node of Ray's for each of two devices of this machine."""

    def __init__(self, place: Place):
        self.place, self.python = place, ray_python()
        self.ray = self.python.with_name('ray')
        self.address = None

    def start(self) -> None:
        self.place.run([self.ray, 'get-auth-token', '--generate'], 0)
        self.place.environment['RAY_AUTH_MODE'] = 'token'
        lines = self.start_node(0, '--head', '--port=0',
                                '--include-dashboard=false')
        address = re.search(r"--address='([^']+)'", '\n'.join(lines))[1]
        if len(self.place.devices) > 1:
            self.start_node(1, f'--address={address}')
        self.address = address

    def start_node(self, device: int, *words: str) -> list[str]:
        return patient(lambda: self.place.run(
            [self.ray, 'start', '--num-cpus=1', '--num-gpus=1',
             '--disable-usage-stats', *words], 0,
            CUDA_VISIBLE_DEVICES=str(device), ZC_NODE=str(device)))[0]

    def stop_node(self, device: int) -> None:
        """As a machine that loses its power."""
        for pid, _ in self.place.ray_processes(f'ZC_NODE={device}'):
            with contextlib.suppress(ProcessLookupError):
                os.kill(pid, signal.SIGKILL)

    def files(self, *words: str) -> list:
        """The command that works on files in this cluster."""
        if not self.address:
            self.start()
        return [self.python, 'examples/ray-files.py',
                f'--address={self.address}', '--retries=1', *words]

    def stop(self) -> None:
        for device in range(2):
            self.stop_node(device)


def patient(start: Callable):
    """Ray gives itself 30 seconds to start."""
    for _ in range(2):
        try:
            return start()
        except AssertionError as error:
            if 'timed out' not in str(error):
                raise
    raise tap.Skip('this machine is too busy for Ray to start')


def ray_turns(place: Place) -> None:
    """The page's first command."""
    command = place.page('ray-files.py')[0]
    lines, err = patient(lambda: place.run(
        ['sh', '-ec', f'rm -rf turned; PATH={ray_python().parent}:$PATH '
         f'{command}'], 0))
    check_order(lines, place.videos())
    check_devices(lines, place)
    assert f'{len(FRAMES)} of {len(FRAMES)} files' in err, err
    place.check_turned()
    soon(lambda: not place.ray_processes())


def ray_runs_others(place: Place, cluster: Cluster) -> None:
    """The page's other pipeline."""
    words = shlex.split(place.page('ray-files.py')[1])[2:]
    words[-1:] = place.videos()
    lines, _ = place.run(cluster.files(*words), 0)
    check_order(lines, place.videos())
    for number, frames in enumerate(FRAMES):
        size = (place.folder / f'raw/v{number}.nv12').stat().st_size
        assert size == frames * 64 * 48 * 3 // 2, (number, size)


def worker_of(place: Place, part: str) -> int | None:
    """The process that writes it."""
    for pid, line in place.ray_processes():
        if line.startswith('ray::turn'):
            for file in Path(f'/proc/{pid}/fd').glob('*'):
                if str(file.resolve()).startswith(f'{place.folder}/{part}.'):
                    return pid
    return None


def ray_reports(place: Place, cluster: Cluster) -> None:
    """A file that is none, and one whose process is killed: the next one does
    it."""
    files = ['bad.avi', *place.videos()[1:3]]
    command = cluster.files(f'--pipeline={SLOW}', 'killed', *files)
    with place.start(command) as process:
        os.kill(soon(lambda: worker_of(place, 'killed/v1.mkv')),
                signal.SIGKILL)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 1, (process.returncode, out, err)
    check_order(out.splitlines(), files)
    kinds = [' '.join(line.split()[1:5]) for line in out.splitlines()]
    assert kinds == ['FAILED in try 2:', 'done in try 2:', 'done in try 1:'], out
    assert err.count('; again') == 2, err
    place.check_no_parts('killed')


def ray_stops(place: Place, cluster: Cluster) -> None:
    """In the middle of some; no task of it stays."""
    command = cluster.files(f'--pipeline={SLOW}', 'stopped-ray',
                            *place.videos())
    with place.start(command) as process:
        soon(lambda: list((place.folder / 'stopped-ray').glob('*.part')))
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 130, (process.returncode, out, err)
    assert 'interrupted' in err, err
    place.check_no_parts('stopped-ray')
    soon(lambda: not [line for _, line in place.ray_processes()
                      if line.startswith('ray::turn')])


def ray_loses_a_node(place: Place, cluster: Cluster) -> None:
    """Its file is done on the other one."""
    if len(place.devices) < 2:
        raise tap.Skip('needs two devices')
    files = [place.videos()[number] for number in (1, 3, 2)]  # the long ones
    command = cluster.files(f'--pipeline={SLOW}', 'lost', *files)
    with place.start(command) as process:
        soon(lambda: any(line.startswith('ray::turn') for _, line in
                         place.ray_processes('ZC_NODE=1'))
             and len(list((place.folder / 'lost').glob('*.part'))) == 2)
        cluster.stop_node(1)
        out, err = process.communicate(timeout=TIMEOUT)
    assert process.returncode == 0, (process.returncode, out, err)
    check_order(out.splitlines(), files)
    assert out.count('done in try 1:') == 2, (out, err)
    assert out.count('done in try 2:') == 1, (out, err)
    place.check_no_parts('lost')


def run_all(place: Place) -> int:
    tests = [('c/turns', c_turns), ('c/reports', c_reports),
             ('c/retries', c_retries), ('c/refuses', c_refuses),
             ('c/stops', c_stops), ('ray/turns', ray_turns)]
    tests = [(name, lambda test=test: test(place)) for name, test in tests]
    try:
        cluster = Cluster(place)
    except tap.Skip as skip:
        print(f'# {skip}')
        return tap.run('many-files', tests)
    in_cluster = [('others', ray_runs_others), ('reports', ray_reports),
                  ('stops', ray_stops), ('loses-a-node', ray_loses_a_node)]
    try:
        return tap.run('many-files', tests + [
            (f'ray/{name}', lambda test=test: test(place, cluster))
            for name, test in in_cluster])
    finally:
        cluster.stop()


def main() -> int:
    tap.need('gst-launch-1.0', 'cc', 'pkg-config')
    # the names of Ray's sockets are long
    with tempfile.TemporaryDirectory(dir='/tmp', prefix='zc',
                                     ignore_cleanup_errors=True) as folder:
        try:
            place = Place(arguments(), Path(folder))
        except tap.Skip as skip:
            print(f'1..0 # SKIP {skip}')
            return 0
        return run_all(place)


if __name__ == '__main__':
    sys.exit(main())
