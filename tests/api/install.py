# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What `meson install` puts where, and that an outside program can use it."""

import ctypes
import os
import re
import shlex
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from importlib.util import find_spec
from pathlib import Path

import tap

ELEMENTS = ('zcupload', 'zcdownload', 'zcflip')


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--meson', type=shlex.split)
    parser.add_argument('--build', type=Path)
    for name in ('prefix', 'libdir', 'includedir', 'datadir'):
        parser.add_argument(f'--{name}', type=Path)
    parser.add_argument('--page', type=Path)
    parser.add_argument('--without', nargs='*', default=[],
                        choices=('gir', 'kernels', 'plain-programs', 'tools'))
    parser.add_argument('headers', nargs='+', type=Path)
    return parser.parse_args()


def need_device() -> None:
    try:
        driver = ctypes.CDLL('libcuda.so.1')
    except OSError as error:
        raise tap.Skip('there is no libcuda.so.1') from error
    count = ctypes.c_int(0)
    if driver.cuInit(0) or driver.cuDeviceGetCount(ctypes.byref(count)):
        raise tap.Skip('the driver does not start')
    if count.value == 0:
        raise tap.Skip('there is no CUDA device')


class Installation:
    """A copy of what is installed, under a folder that goes away."""

    def __init__(self, options: Namespace, folder: Path):
        self.options = options
        self.folder = folder
        self.root = folder / 'root'
        tap.command(*options.meson, 'install', '-C', options.build,
                    '--no-rebuild', '--quiet', '--destdir', self.root)

    def path(self, kind: str) -> Path:
        """The folder of one kind, as it lies in the copy."""
        real = self.options.prefix / getattr(self.options, kind)
        return self.root / real.relative_to('/')

    def text(self, kind: str, name: str) -> str:
        return (self.path(kind) / name).read_text(encoding='utf-8')

    def libraries(self) -> str:
        other = os.environ.get('LD_LIBRARY_PATH')
        return f'{self.path("libdir")}:{other}' if other else str(
            self.path('libdir'))

    def test_files(self) -> None:
        wanted = ['libgstzc-1.0.so', 'libgstzc-1.0.so.0',
                  'gstreamer-1.0/libgstzc.so', 'pkgconfig/gstreamer-zc-1.0.pc']
        missing = [name for name in wanted
                   if not (self.path('libdir') / name).exists()]
        assert not missing, missing

    def test_tool(self) -> None:
        if 'tools' in self.options.without:
            raise tap.Skip('built without tools')
        tools = list(self.root.rglob('bin/gst-zc-info'))
        assert len(tools) == 1, tools
        self.need_plain_programs()
        version = tap.command(tools[0], '--version', env={
            **os.environ, 'LD_LIBRARY_PATH': self.libraries()})
        assert version.startswith('gst-zc-info 0.'), version

    def test_headers(self) -> None:
        folder = self.path('includedir') / 'gstreamer-1.0/gst/zc'
        found = sorted(path.name for path in folder.iterdir())
        assert found == sorted(path.name for path in self.options.headers)

    def python_folder(self) -> Path:
        """Where both modules for Python are."""
        override, = self.root.rglob('gi/overrides/GstZc.py')
        folder = override.parent.parent.parent
        assert (folder / 'gstzc/__init__.py').exists()
        return folder

    def test_python(self) -> None:
        """Both front ends load from there, and find the library."""
        self.need_plain_programs()
        environment = {
            **os.environ, 'PYTHONPATH': str(self.python_folder()),
            'LD_LIBRARY_PATH': self.libraries()}
        lines = ['import gstzc; gstzc.wrap']
        if 'gir' not in self.options.without and find_spec('gi'):
            environment['GI_TYPELIB_PATH'] = str(
                self.path('libdir') / 'girepository-1.0')
            lines.append("import gi; gi.require_version('GstZc', '1.0'); "
                         'from gi.repository import GstZc; GstZc.wrap')
        for line in lines:
            tap.command(sys.executable, '-c', line, env=environment)

    def test_no_driver(self) -> None:
        """softcuda is where no loader looks: who finds it has no GPU left."""
        folders = {path.parent for path in self.root.rglob('libcuda*')}
        assert folders == {self.path('libdir') / 'gst-zc/softcuda'}, folders

    def test_introspection(self) -> None:
        if 'gir' in self.options.without:
            raise tap.Skip('built without introspection')
        gir = self.text('datadir', 'gir-1.0/GstZc-1.0.gir')
        assert 'shared-library="libgstzc-1.0.so.0"' in gir
        assert '<package name="gstreamer-zc-1.0"/>' in gir
        typelib = self.path('libdir') / 'girepository-1.0/GstZc-1.0.typelib'
        assert typelib.stat().st_size > 0

    def test_pkgconfig(self) -> None:
        text = self.text('libdir', 'pkgconfig/gstreamer-zc-1.0.pc')
        assert f'prefix={self.options.prefix}\n' in text
        assert str(self.options.build) not in text, text
        assert 'cuda' not in re.findall(r'^Cflags:.*$', text, re.M)[0]

    def need_plain_programs(self) -> None:
        if 'plain-programs' in self.options.without:
            raise tap.Skip('a plain program cannot load a sanitized library')

    def test_inspect(self) -> None:
        """With no driver in sight: the elements register anyway."""
        self.need_plain_programs()
        environment = {
            **os.environ, 'LD_LIBRARY_PATH': str(self.path('libdir')),
            'GST_PLUGIN_SYSTEM_PATH_1_0': '',
            'GST_PLUGIN_PATH_1_0': str(self.path('libdir') / 'gstreamer-1.0'),
            'GST_REGISTRY_1_0': str(self.folder / 'registry.bin')}
        plugin = tap.command('gst-inspect-1.0', 'zc', env=environment)
        assert f'{self.root}' in plugin, plugin
        for name in ELEMENTS:
            text = tap.command('gst-inspect-1.0', name, env=environment)
            assert re.search(r'^  Rank +none \(0\)$', text, re.M), text

    def staged_package(self) -> dict[str, str]:
        """An environment whose pkg-config finds the copy where it lies."""
        folder = self.folder / 'pkgconfig'
        folder.mkdir()
        prefix = self.root / self.options.prefix.relative_to('/')
        text = self.text('libdir', 'pkgconfig/gstreamer-zc-1.0.pc')
        (folder / 'gstreamer-zc-1.0.pc').write_text(
            text.replace(f'prefix={self.options.prefix}\n',
                         f'prefix={prefix}\n'), encoding='utf-8')
        return {**os.environ, 'LD_LIBRARY_PATH': self.libraries(),
                'PKG_CONFIG_PATH': str(folder)}

    def test_program(self) -> None:
        """The page's program, by the page's commands, prints what it says."""
        self.need_plain_programs()
        page = self.options.page.read_text(encoding='utf-8')
        source = re.search(r'```c\n(.*?)```', page, re.S)[1]
        build, start = re.search(r'```sh\n(.*?)\n(.*?)\n```', page).groups()
        says = re.search(r'it prints `(.*?)`', page)[1]
        (self.folder / 'turn.c').write_text(source, encoding='utf-8')
        environment = self.staged_package()
        tap.command('sh', '-c', f'{build} -Wall -Wextra -Werror',
                    cwd=self.folder, env=environment)
        need_device()
        if 'kernels' in self.options.without:
            raise tap.Skip('built without kernels')
        printed = tap.command('sh', '-c', start, cwd=self.folder,
                              env=environment)
        assert printed.splitlines()[-1] == says, printed


def main() -> int:
    tap.need('pkg-config', 'nm')
    with tempfile.TemporaryDirectory() as folder:
        installation = Installation(arguments(), Path(folder))
        return tap.run('install', [
            (name[5:], getattr(installation, name))
            for name in vars(Installation) if name.startswith('test_')])


if __name__ == '__main__':
    sys.exit(main())
