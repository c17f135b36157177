# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What the library and the plugin export."""

import sys
from pathlib import Path

import tap

LIST = Path(__file__).with_name('symbols.txt')
PLUGIN = {'gst_plugin_zc_get_desc', 'gst_plugin_zc_register'}

LINKER = {'__bss_start', '_edata', '_end'}  # some linkers export these


def exported(path: str) -> set[str]:
    lines = tap.command('nm', '-D', '--defined-only', path).splitlines()
    return {line.split()[-1] for line in lines} - LINKER


def listed() -> set[str]:
    lines = LIST.read_text(encoding='utf-8').splitlines()
    return {line for line in lines if line and not line.startswith('#')}


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
    lines = [line for line in LIST.read_text(encoding='utf-8').splitlines()
             if not line.startswith('#')]
    assert lines == sorted(set(lines)), 'sort -u it'


def plugin_has_its_entries(path: str) -> None:
    assert exported(path) == PLUGIN, exported(path)


def main(library: str, plugin: str) -> int:
    tap.need('nm')
    return tap.run('symbols', [
        ('library', lambda: library_has_the_list(library)),
        ('prefix', lambda: library_has_the_prefix(library)),
        ('sorted', list_is_sorted),
        ('plugin', lambda: plugin_has_its_entries(plugin))])


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
