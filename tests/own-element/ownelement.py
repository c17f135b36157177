# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""examples/own-element, copied away and built against an installed gst-zc as
docs/own-element.md says; broken on purpose it fails."""

import ctypes
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from functools import cache
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / 'tests/api'), str(TOP / 'tests/docs')]
import tap  # noqa: E402
from blocks import blocks  # noqa: E402

EXAMPLE = TOP / 'examples/own-element'
PAGE = 'docs/own-element.md'
LISTINGS = {'c': ('gstzcinvert.c', 'invert.h', 'test.c'),
            'cuda': ('invert.cu',), 'cpp': ('twins.cpp',),
            'meson': ('meson.build',)}
TIMEOUT = 600  # seconds for a command


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--meson', type=shlex.split)
    parser.add_argument('--build', type=Path)
    parser.add_argument('--prefix', type=Path)
    parser.add_argument('--libdir', type=Path)
    parser.add_argument('--nvcc')
    return parser.parse_args()


def squeezed(text: str) -> str:
    return re.sub(r'\s+', ' ', text)


class Outside:
    """The copy, and what it is built against, in a folder that goes away."""

    def __init__(self, options: Namespace, folder: Path):
        self.options, self.folder = options, folder
        self.source = folder / 'my-element'

    @cache
    def environment(self) -> dict[str, str]:
        """Of somebody who has installed gst-zc in a prefix of its own."""
        root = self.folder / 'root'
        tap.command(*self.options.meson, 'install', '-C', self.options.build,
                    '--no-rebuild', '--quiet', '--destdir', root)
        prefix = root / self.options.prefix.relative_to('/')
        libraries = prefix / self.options.libdir
        for file in (libraries / 'pkgconfig').glob('*.pc'):
            file.write_text(re.sub('^prefix=.*$', f'prefix={prefix}',
                                   file.read_text(), flags=re.M))
        old = {name: value for name, value in os.environ.items()
               if not name.startswith(('GST_', 'MESON_', 'SOFTCUDA_'))}
        return {**old, 'PATH': f'{Path(self.options.nvcc).parent}:'
                               f'{os.environ["PATH"]}',
                'PKG_CONFIG_PATH': str(libraries / 'pkgconfig'),
                'LD_LIBRARY_PATH': str(libraries),
                'GST_PLUGIN_PATH': str(libraries / 'gstreamer-1.0')}

    def shell(self, text: str, folder: Path, **more: str
              ) -> subprocess.CompletedProcess:
        return subprocess.run(
            ['sh', '-ec', text], cwd=folder, text=True, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, timeout=TIMEOUT,
            env={**self.environment(), **more})

    def run(self, text: str, folder: Path, **more: str) -> str:
        result = self.shell(text, folder, **more)
        assert result.returncode == 0, f'{text}:\n{result.stdout}'
        return result.stdout

    def program(self, **more: str) -> subprocess.CompletedProcess:
        """The example's test, where its meson.build would run it."""
        return self.shell(f'{shlex.join(self.options.meson)} devenv -C build '
                          './pixels', self.source, **more)

    def change(self, name: str, old: str, new: str, made: str) -> None:
        path = self.source / name
        text = (EXAMPLE / name).read_text(encoding='utf-8')
        assert old in text, f'{name} has no {old}'
        path.write_text(text.replace(old, new), encoding='utf-8')
        self.run(f'ninja -C build {made}', self.source)

    def test_length(self) -> None:
        for name, most in (('gstzcinvert.c', 100), ('invert.cu', 20)):
            text = (EXAMPLE / name).read_text(encoding='utf-8')
            assert len(text.splitlines()) <= most, name

    def test_page_shows_the_files(self) -> None:
        """All of the element, and nothing that is not there."""
        shown = ''
        for block in blocks(PAGE):
            for name in LISTINGS.get(block.language, ()):
                if squeezed(block.text.strip()) in squeezed(
                        (EXAMPLE / name).read_text(encoding='utf-8')):
                    shown += block.text if name == 'gstzcinvert.c' else ''
                    break
            else:
                assert block.language not in LISTINGS, f'{block} is in no file'
        code = (EXAMPLE / 'gstzcinvert.c').read_text(encoding='utf-8')
        code = re.sub(r'\A(/\* SPDX.*\n)+', '', code)
        missing = [line for line in code.splitlines()
                   if line.strip() and line not in shown.splitlines()]
        assert not missing, f'{PAGE} does not show {missing}'

    def test_page_runs(self) -> None:
        """Copied, built, tested, and in a pipeline: the page's commands."""
        (self.folder / 'examples').symlink_to(TOP / 'examples')
        folder = self.folder
        for block in blocks(PAGE):
            if block.language == 'sh':
                self.run(block.text, folder)
                folder = self.source
        assert (self.source / 'inverted.png').stat().st_size > 10000

    def test_orders(self) -> None:
        """The same pixels in other orders of the device's work."""
        for policy in ('eager', 'lazy', 'random'):
            for seed in range(1, 4 if policy == 'random' else 2):
                result = self.program(SOFTCUDA_POLICY=policy,
                                      SOFTCUDA_SEED=str(seed))
                assert result.returncode == 0, result.stdout
                assert 'not ok' not in result.stdout, result.stdout
                assert 'SKIP' not in result.stdout, result.stdout

    def launch(self, line: str, **more: str) -> str:
        result = self.shell(
            f'{shlex.join(self.options.meson)} devenv -C build env '
            f'gst-launch-1.0 videotestsrc num-buffers=60 ! {line}',
            self.source, **more)
        assert result.returncode == 0, result.stdout
        return result.stdout

    def test_zero_copy(self) -> None:
        """No copy, wait or allocation comes with the element."""
        printed = self.launch('zcupload ! zcinvert ! zcdownload ! fakesink',
                              GST_TRACERS='zc')
        assert ('Yes: up in zcupload0, down in zcdownload0, no copy in between'
                in printed), printed
        row, = re.findall(r'^ *zcinvert0 .*$', printed, re.M)
        print(f'# {row}')

    def test_other_device(self) -> None:
        """It starts anew where its frames are, and goes on to another one."""
        self.launch('zcupload cuda-device-id=1 ! zcinvert ! '
                    'zcupload cuda-device-id=0 ! zcinvert ! zcdownload ! '
                    'fakesink')

    def test_on_a_gpu(self) -> None:
        """The compiled kernel itself, where there is a card."""
        try:
            driver = ctypes.CDLL('libcuda.so.1')
        except OSError as error:
            raise tap.Skip('there is no libcuda.so.1') from error
        if hasattr(driver, 'softcuda_drain'):
            raise tap.Skip('softcuda stands in for the driver')
        if driver.cuInit(0):
            raise tap.Skip('the driver does not start')
        libraries = ':'.join(filter(None, (
            self.environment()['LD_LIBRARY_PATH'],
            os.environ.get('LD_LIBRARY_PATH'))))
        printed = self.run(
            'meson setup -Dsoftcuda=disabled gpu && meson test -C gpu -v',
            self.source, LD_LIBRARY_PATH=libraries)
        assert 'SKIP' not in printed, printed

    def test_no_twin(self) -> None:
        """Without its twin softcuda says what is missing."""
        result = self.shell('gst-launch-1.0 videotestsrc num-buffers=1 ! '
                            'zcupload ! zcinvert ! fakesink', self.source,
                            **self.softcuda(), SOFTCUDA_TWINS='/none.so')
        assert 'kernel invert has no twin' in result.stdout, result.stdout
        assert 'SOFTCUDA_TWINS: /none.so' in result.stdout, result.stdout

    def softcuda(self) -> dict[str, str]:
        """What meson.build gives to tests."""
        driver = self.run('pkg-config --variable=driverdir gst-zc-softcuda',
                          self.folder).strip()
        old = self.environment()
        return {'LD_LIBRARY_PATH': f'{driver}:{old["LD_LIBRARY_PATH"]}',
                'GST_PLUGIN_PATH': f'{self.source}/build:'
                                   f'{old["GST_PLUGIN_PATH"]}',
                'GST_REGISTRY_1_0': f'{self.source}/build/registry.bin'}

    def test_wrong_pixels_are_found(self) -> None:
        self.change('invert.cu', 'in[x] < args.threshold',
                    'in[x] <= args.threshold', 'libtwins.so')
        result = self.program()
        assert result.returncode != 0, result.stdout
        assert 'assertion failed' in result.stdout, result.stdout

    def test_broken_barrier_is_found(self) -> None:
        """On a stream that nobody made wait the kernel is in a race."""
        self.change('gstzcinvert.c', 'out->stream',
                    'gst_zc_stream_new (gst_zc_filter_get_context (filter), '
                    'NULL)', 'libgstzcinvert.so')
        result = self.program(SOFTCUDA_POLICY='eager')
        assert result.returncode != 0, result.stdout
        assert re.search(r'race 1: .*invert', result.stdout, re.S), (
            result.stdout)
        assert 'nothing orders the two' in result.stdout, result.stdout


def takes_this_compiler(nvcc: str, folder: str) -> bool:
    """It refuses those that are newer than itself, or fails in their headers."""
    file = Path(folder, 'empty.cu')
    file.write_text('__global__ void kernel () {}\n', encoding='utf-8')
    return subprocess.run(
        [nvcc, '-fatbin', '-allow-unsupported-compiler', '-o', f'{file}.fatbin',
         file], capture_output=True, check=False).returncode == 0


def main() -> int:
    tap.need('pkg-config', 'ninja', 'gst-launch-1.0')
    options = arguments()
    with tempfile.TemporaryDirectory() as folder:
        if not takes_this_compiler(options.nvcc, folder):
            print('1..0 # SKIP this nvcc can not work with this C++ compiler')
            return 0
        outside = Outside(options, Path(folder).resolve())
        return tap.run('own-element', [
            (name[5:].replace('_', '-'), getattr(outside, name))
            for name in vars(Outside) if name.startswith('test_')])


if __name__ == '__main__':
    sys.exit(main())
