# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What packagers and contributors read agrees with the project: versions, names,
files and commands."""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / 'tests/api'))

import tap  # noqa: E402

DEBIAN = TOP / 'packaging/debian'
INSTRUCTIONS = {'ARG', 'CMD', 'COPY', 'ENTRYPOINT', 'ENV', 'FROM', 'RUN',
                'USER', 'WORKDIR'}


def text(path: str) -> str:
    return (TOP / path).read_text(encoding='utf-8')


def option(name: str) -> str:
    """A word that meson.build says once."""
    found, = re.findall(rf"^ *{name} *[:=] *'([^']*)'", text('meson.build'),
                        re.M)
    return found


def test_versions() -> None:
    version = option('version')
    news = re.search(r'^## (\S+?),? ', text('NEWS.md'), re.M)[1]
    package = re.search(r'^gst-zc \((\S+)-\d+\)',
                        text('packaging/debian/changelog'))[1]
    assert version == news == package, (version, news, package)


def test_soversion() -> None:
    """The package of the library is called like its soname."""
    name = f'libgstzc-{option("api_version")}-{option("soversion")}'
    assert f'\nPackage: {name}\n' in text('packaging/debian/control')
    assert (DEBIAN / f'{name}.install').exists()


def test_debian_files() -> None:
    packages = set(re.findall(r'^Package: (\S+)$',
                              text('packaging/debian/control'), re.M))
    assert len(packages) == 6, packages
    files = {path.stem for path in DEBIAN.glob('*.install')}
    assert files == packages, files ^ packages


def test_oldest() -> None:
    """The packages ask for the same GStreamer, GLib and Meson."""
    control = text('packaging/debian/control')
    meson, = re.findall(r"meson_version : '>= ([\d.]+)'", text('meson.build'))
    glib, = re.findall(r"'glib-2.0', version : '>= ([\d.]+)'",
                       text('meson.build'))
    for package, oldest in (('meson', meson), ('libglib2.0-dev', glib),
                            ('libgstreamer1.0-dev', option('gst_oldest'))):
        assert f' {package} (>= {oldest}),' in control, package


def instructions() -> list[list[str]]:
    """The words of each instruction of the Containerfile."""
    lines = [line for line in text('packaging/Containerfile').splitlines()
             if line and not line.startswith('#')]
    joined = '\n'.join(lines).replace('\\\n', ' ')
    return [line.split() for line in joined.splitlines()]


def test_containerfile() -> None:
    words = instructions()
    assert {each[0] for each in words} <= INSTRUCTIONS, words
    assert words[0][0] == 'FROM' and words[-1][0] == 'CMD', words
    stages = {each[3] for each in words if each[0] == 'FROM' and len(each) > 2}
    sources = [each for each in words if each[0] == 'COPY']
    assert sources
    for each in sources:
        stage = each[1].removeprefix('--from=')
        assert each[1] == '.' or stage in stages, each
    for each in words:
        if each[0] == 'RUN':
            tap.command('bash', '-n', '-c', ' '.join(each[1:]))


def test_container_commands() -> None:
    """What it runs of the project is there."""
    usage = tap.command('bash', TOP / 'zc', 'help')
    for each in instructions():
        for command in re.findall(r'\./zc (\S+)', ' '.join(each)):
            assert f'./zc {command} ' in usage, command


def test_man_page() -> None:
    """It has the options of the program, and no other."""
    page = text('tools/gst-zc-info/gst-zc-info.1').replace('\\-', '-')
    options = set(re.findall(r'\{ "([\w-]+)", 0, 0, G_OPTION',
                             text('tools/gst-zc-info/main.c')))
    named = set(re.findall(r'^\.B --([\w-]+)$', page, re.M))
    assert options and named == options, named ^ options


def test_chores() -> None:
    """Each command of ./zc is in the tables of CONTRIBUTING.md, and no other."""
    usage = tap.command('bash', TOP / 'zc', 'help')
    commands = set(re.findall(r'^\./zc (\w+)', usage, re.M)) - {'help'}
    named = set(re.findall(r'`(?:\w+=\S+ )*\./zc (\w+)', text('CONTRIBUTING.md')))
    assert named == commands, named ^ commands


def main() -> int:
    return tap.run('packaging', [
        (name[5:], call) for name, call in globals().items()
        if name.startswith('test_')])


if __name__ == '__main__':
    sys.exit(main())
