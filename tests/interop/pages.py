# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The pages on neighbours: their C is the examples', which are tests of their
own, and their commands build and run."""

import os
import re
import shutil
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

import tap

BLOCK = re.compile(r'^```(\w+)\n(.*?)^```$', re.M | re.S)
EXAMPLE = re.compile(r'\(\.\./\.\./examples/([\w-]+\.c)\)')


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--build', type=Path)
    parser.add_argument('--headers', type=Path, nargs='+')
    parser.add_argument('--examples', type=Path)
    parser.add_argument('--pages', type=Path, nargs='+')
    return parser.parse_args()


def blocks(page: Path, language: str) -> list[tuple[str, str]]:
    """Each block with the text before it."""
    text = page.read_text(encoding='utf-8')
    return [(text[:block.start()], block[2])
            for block in BLOCK.finditer(text) if block[1] == language]


def check_snippets(page: Path, examples: Path) -> None:
    found = blocks(page, 'c')
    assert found, f'{page.name} shows no C'
    for before, code in found:
        name = EXAMPLE.findall(before)[-1]
        text = (examples / name).read_text(encoding='utf-8')
        assert code in text, f'not in {name} as it is:\n{code}'


def environment(options: Namespace) -> dict[str, str]:
    def path(name: str, *folders: Path) -> str:
        old = os.environ.get(name)
        return ':'.join([*map(str, folders), *([old] if old else [])])
    return {**os.environ,
            'PKG_CONFIG_PATH': path('PKG_CONFIG_PATH',
                                    options.build / 'meson-uninstalled'),
            'CPATH': path('CPATH', *options.headers),
            'LD_LIBRARY_PATH': path('LD_LIBRARY_PATH',
                                    options.build / 'lib/gst/zc')}


def run_commands(page: Path, options: Namespace) -> None:
    commands = [line for _, block in blocks(page, 'sh')
                for line in block.splitlines()]
    assert commands, f'{page.name} has no commands'
    needed = re.findall(r'--libs ([\w .-]+)', ' '.join(commands))
    with tempfile.TemporaryDirectory() as folder:
        for example in options.examples.glob('*.c'):
            shutil.copy(example, folder)
        for package in {name for names in needed for name in names.split()}:
            if package.startswith(('lib', 'gstreamer-app')):
                need_package(package)
        for line in commands:
            tap.command('sh', '-c', line, cwd=folder,
                        env=environment(options))


def need_package(name: str) -> None:
    if os.system(f'pkg-config --exists {name}') != 0:
        raise tap.Skip(f'{name} is not installed')


def main() -> int:
    options = arguments()
    tap.need('pkg-config', 'cc')
    tests = []
    for page in options.pages:
        tests += [
            (f'{page.stem}/snippets',
             lambda page=page: check_snippets(page, options.examples)),
            (f'{page.stem}/commands',
             lambda page=page: run_commands(page, options))]
    return tap.run('interop-pages', tests)


if __name__ == '__main__':
    sys.exit(main())
