# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What the library and the plugin export, and since which version."""

import re
import sys
from pathlib import Path
from typing import NamedTuple

import tap

LIST = Path(__file__).with_name('symbols.txt')
PLUGIN = {'gst_plugin_zc_get_desc', 'gst_plugin_zc_register'}

LINKER = {'__bss_start', '_edata', '_end'}  # some linkers export these


def exported(path: str) -> set[str]:
    lines = tap.command('nm', '-D', '--defined-only', path).splitlines()
    return {line.split()[-1] for line in lines} - LINKER


class Release(NamedTuple):
    version: str
    symbols: list[str]


def releases(text: str) -> list[Release]:
    """The list by version, the oldest first."""
    parts = re.split(r'^# since (\S+)\n', text, flags=re.M)
    return [Release(version, symbols.split())
            for version, symbols in zip(parts[1::2], parts[2::2])]


def read_list() -> list[Release]:
    return releases(LIST.read_text(encoding='utf-8'))


def listed() -> set[str]:
    return {name for release in read_list() for name in release.symbols}


def number(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split('.')))


def library_has_the_list(path: str) -> None:
    found, wanted = exported(path), listed()
    assert found == wanted, (
        f'new: {sorted(found - wanted)}, gone: {sorted(wanted - found)}; a '
        f'symbol that goes breaks programs; if that is meant, edit {LIST.name}')


def library_has_the_prefix(path: str) -> None:
    others = [name for name in exported(path)
              if not name.startswith('gst_zc_')]
    assert not others, others


def list_is_sorted() -> None:
    for release in read_list():
        assert release.symbols == sorted(set(release.symbols)), 'sort -u it'
    names = [name for release in read_list() for name in release.symbols]
    assert len(names) == len(set(names)), 'a symbol of two versions'


def versions_are_in_order(version: str) -> None:
    found = [number(release.version) for release in read_list()]
    assert found == sorted(set(found)), found
    assert found[-1] <= number(version), f'the project is {version}'


def headers_say_since(include: Path) -> None:
    """What came after the first version says so where it is described."""
    text = '\n'.join(path.read_text(encoding='utf-8')
                     for path in sorted(include.rglob('*.h')))
    for release in read_list()[1:]:
        for name in release.symbols:
            block = re.search(rf'^ \* {name}:.*?\*/', text, re.M | re.S)
            assert block and f'Since: {release.version}' in block[0], (
                f'{name}: no "Since: {release.version}"')


def soname_is_the_lists(path: str) -> None:
    soname = re.search(r'Library soname: \[(.*?)\]',
                       tap.command('readelf', '-d', path))[1]
    assert f' {soname} exports' in LIST.read_text(encoding='utf-8'), soname


def plugin_has_its_entries(path: str) -> None:
    assert exported(path) == PLUGIN, exported(path)


def main(library: str, plugin: str, version: str, include: str) -> int:
    tap.need('nm', 'readelf')
    return tap.run('symbols', [
        ('library', lambda: library_has_the_list(library)),
        ('prefix', lambda: library_has_the_prefix(library)),
        ('sorted', list_is_sorted),
        ('versions', lambda: versions_are_in_order(version)),
        ('since', lambda: headers_say_since(Path(include))),
        ('soname', lambda: soname_is_the_lists(library)),
        ('plugin', lambda: plugin_has_its_entries(plugin))])


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
