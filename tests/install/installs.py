# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Ways in which others get the project, each tried as they would.

What `meson dist` packs is built, installed to a prefix of its own and to a
DESTDIR, taken as a subproject, and linked into a program; the project in
`outside` uses it each time.
"""

import os
import re
import shlex
import shutil
import sys
import tarfile
import tempfile
from argparse import ArgumentParser, Namespace
from functools import cache
from pathlib import Path

HERE = Path(__file__).parent
sys.path.insert(0, str(HERE.parent / 'api'))

import tap  # noqa: E402

PATIENCE = 900


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--meson', type=shlex.split)
    parser.add_argument('--build', type=Path)
    parser.add_argument('--gir', action='store_true')
    parser.add_argument('--set', nargs='*', default=[],
                        help='options that each build gets')
    options = parser.parse_args()
    options.set = [f'-D{word}' for word in options.set]
    return options


class Installs:
    """All of it lies in a folder that goes away."""

    def __init__(self, options: Namespace, folder: Path):
        self.options = options
        self.folder = folder

    def meson(self, *words, **options) -> str:
        return tap.command(*self.options.meson, *words, timeout=PATIENCE,
                           **options)

    def build(self, name: str, *words) -> Path:
        """Builds the archive's source, without tests."""
        build = self.folder / f'build {name}'
        self.meson('setup', build, self.source(), '-Dwerror=true',
                   '-Dtests=disabled', *self.options.set, *words)
        self.meson('compile', '-C', build)
        return build

    @cache
    def source(self) -> Path:
        """What `meson dist` packs, unpacked."""
        if not (HERE.parent.parent / '.git').exists():
            raise tap.Skip('meson dist needs a clone of git')
        self.meson('dist', '-C', self.options.build, '--no-tests',
                   '--allow-dirty', '--formats', 'gztar')
        archive, = (self.options.build / 'meson-dist').glob('*.tar.gz')
        with tarfile.open(archive) as file:
            file.extractall(self.folder, filter='data')
        return self.folder / archive.name.removesuffix('.tar.gz')

    @cache
    def prefix(self) -> Path:
        """The archive, installed where nobody else installs."""
        prefix = self.folder / 'a prefix'
        build = self.build('prefix', f'--prefix={prefix}', '--libdir=lib',
                           '-Dintrospection='
                           + ('enabled' if self.options.gir else 'disabled'))
        self.meson('install', '-C', build, '--no-rebuild')
        return prefix

    def environment(self, prefix: Path) -> dict[str, str]:
        """Where those look who use what is in `prefix`."""
        places = {'PKG_CONFIG_PATH': ['lib/pkgconfig',
                                      'lib/gstreamer-1.0/pkgconfig'],
                  'LD_LIBRARY_PATH': ['lib'],
                  'GST_PLUGIN_PATH_1_0': ['lib/gstreamer-1.0'],
                  'GI_TYPELIB_PATH': ['lib/girepository-1.0'],
                  'XDG_DATA_DIRS': ['share']}
        found = {**os.environ, 'GST_REGISTRY_1_0': str(
            self.folder / f'{prefix.name}.registry')}
        for name, folders in places.items():
            words = [str(prefix / folder) for folder in folders]
            if name == 'XDG_DATA_DIRS':
                words += ['/usr/local/share', '/usr/share']
            elif name == 'LD_LIBRARY_PATH' and name in os.environ:
                words.append(os.environ[name])
            found[name] = ':'.join(words)
        return found

    def outside(self, name: str, *words, environment=None,
                subproject: Path | None = None) -> Path:
        """The other project, built."""
        source = self.folder / f'outside {name}'
        shutil.copytree(HERE / 'outside', source)
        if subproject:
            (source / 'subprojects').mkdir()
            (source / 'subprojects/gst-zc').symlink_to(subproject)
        build = source / 'build'
        self.meson('setup', build, source, *words, env=environment)
        self.meson('compile', '-C', build, env=environment)
        return build

    def test_dist(self) -> None:
        """The archive has what it takes to configure all, tests too."""
        self.meson('setup', self.folder / 'all', self.source(),
                   *self.options.set)
        left_out = [name for name in ('zc', '.ci/run', 'docs/api.md',
                                      'tests/api/symbols.txt')
                    if not (self.source() / name).exists()]
        assert not left_out, left_out

    def test_page(self) -> None:
        """What docs/install.md says to write is what stands in `outside`."""
        page = (HERE.parent.parent / 'docs/install.md').read_text(
            encoding='utf-8')
        for language, name in (('meson', 'meson.build'), ('c', 'program.c')):
            text = (HERE / 'outside' / name).read_text(encoding='utf-8')
            for block in re.findall(rf'```{language}\n(.*?)\n```', page, re.S):
                # a subproject's has no word on static
                assert block.rstrip(')') in text, block
        command, = re.findall(r'^meson devenv -C build (.*)$', page, re.M)
        self.prefix()
        printed = self.meson('devenv', '-C', self.folder / 'build prefix',
                             *shlex.split(command))
        assert 'build prefix/gst/libgstzc.so' in printed, printed

    def test_prefix(self) -> None:
        """A program that pkg-config leads to it finds library and plugin."""
        prefix = self.prefix()
        environment = self.environment(prefix)
        build = self.outside('prefix', environment=environment)
        printed = tap.command(build / 'program', env=environment)
        assert str(prefix / 'lib/gstreamer-1.0/libgstzc.so') in printed, printed

    def test_gir(self) -> None:
        """A GIR of others names our types, and Python passes one."""
        if not self.options.gir:
            raise tap.Skip('built without introspection')
        environment = self.environment(self.prefix())
        build = self.outside('gir', '-Dgir=true', environment=environment)
        environment['GI_TYPELIB_PATH'] += f':{build}'
        environment['LD_LIBRARY_PATH'] += f':{build}'
        script = '; '.join((
            'import gi', 'gi.require_version("Outside", "1.0")',
            'from gi.repository import Outside, GstVideo, GstZc',
            'image = GstZc.Image.init_packed(GstVideo.VideoFormat.NV12, '
            '34, 16, 0, 4096)[1]',
            'print(Outside.width(image))'))
        printed = tap.command(sys.executable, '-c', script, env=environment)
        assert printed.splitlines()[-1] == '34', printed

    def test_destdir(self) -> None:
        """DESTDIR holds the same files as the prefix, and names no other."""
        prefix = self.prefix()
        root = self.folder / 'root'
        self.meson('install', '-C', self.folder / 'build prefix',
                   '--no-rebuild', '--destdir', root)
        staged = root / prefix.relative_to('/')
        wanted, found = ({str(path.relative_to(top)) for path in
                          top.rglob('*') if path.suffix != '.pyc'}
                         for top in (prefix, staged))
        assert found == wanted, found ^ wanted
        text = (staged / 'lib/pkgconfig/gstreamer-zc-1.0.pc').read_text(
            encoding='utf-8')
        assert str(root) not in text, text

    def test_subproject(self) -> None:
        """The other project builds it with itself; plugin and all."""
        build = self.outside(
            'subproject', '--force-fallback-for=gstreamer-zc-1.0',
            *[word.replace('-D', '-Dgst-zc:', 1) for word in self.options.set],
            subproject=self.source())
        plugins = build / 'subprojects/gst-zc/gst'
        printed = tap.command(build / 'program', env={
            **os.environ, 'GST_PLUGIN_PATH_1_0': str(plugins),
            'GST_REGISTRY_1_0': str(self.folder / 'subproject.registry')})
        assert str(plugins / 'libgstzc.so') in printed, printed

    def test_static(self) -> None:
        """A program with library and plugin in it needs neither's file."""
        prefix = self.folder / 'static'
        build = self.build('static', f'--prefix={prefix}', '--libdir=lib',
                           '-Ddefault_library=static')
        self.meson('install', '-C', build, '--no-rebuild')
        assert not list(prefix.rglob('*.so*'))
        environment = self.environment(prefix)
        program = self.outside('static', '-Ddefault_library=static',
                               environment=environment) / 'program'
        shutil.move(prefix, self.folder / 'gone')
        printed = tap.command(program, env=environment)
        assert 'zcflip of this program' in printed, printed


def main() -> int:
    tap.need('git', 'pkg-config')
    with tempfile.TemporaryDirectory() as folder:
        installs = Installs(arguments(), Path(folder).resolve())
        return tap.run('installs', [
            (name[5:], getattr(installs, name))
            for name in vars(Installs) if name.startswith('test_')])


if __name__ == '__main__':
    sys.exit(main())
