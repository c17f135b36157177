# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What the pages say of the sources is there: each file and folder that is named
in code, and each function that stands in a table next to its file."""

import re
import sys
from pathlib import Path

import tap
from blocks import TOP, pages

PLACE = re.compile(r'`((?:\.ci|docs|examples|gst|kernels|lib|packaging|python|tests|tools)'
                   r'/[\w./-]*)`')
# headers as programs include them
INSTALLED = re.compile(r'gst/(?:zc|app|cuda|video)/')
ROW = re.compile(r'\| `(\w+)` \| `([\w./-]+\.[ch])` \|')


def check_places(page: str) -> None:
    text = (TOP / page).read_text(encoding='utf-8')
    missing = [name for name in PLACE.findall(text)
               if not any(map(is_there, places(page, name)))]
    assert not missing, missing


def places(page: str, name: str) -> list[Path]:
    """Where it may be: in the project, next to the page, among the headers."""
    found = [TOP / name, (TOP / page).parent / name]
    return found + [TOP / 'lib' / name] * bool(INSTALLED.match(name))


def is_there(path: Path) -> bool:
    """A name without an ending is a group of files."""
    return path.exists() or any(path.parent.glob(f'{path.name}.*'))


def check_functions(page: str) -> None:
    text = (TOP / page).read_text(encoding='utf-8')
    for function, name in ROW.findall(text):
        source = (TOP / name).read_text(encoding='utf-8')
        assert re.search(rf'^{function} \(', source, re.M), (
            f'{name} has no {function}')


def check_rows() -> None:
    """The way of one frame is such a table."""
    text = (TOP / 'docs/architecture.md').read_text(encoding='utf-8')
    assert len(ROW.findall(text)) > 10, ROW.findall(text)


def main() -> int:
    return tap.run('places', [
        (f'{name}/{page}', lambda check=check, page=page: check(page))
        for page in pages()
        for name, check in (('files', check_places),
                            ('functions', check_functions))] + [
        ('rows', check_rows)])


if __name__ == '__main__':
    sys.exit(main())
