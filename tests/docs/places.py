# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What the pages say of the sources is there: each file and folder that is named
in code, and each function that stands in a table next to its file."""

import re
import sys

import tap
from blocks import TOP, pages

PLACE = re.compile(r'`((?:\.ci|docs|examples|gst|kernels|lib|python|tests|tools)'
                   r'/[\w./-]*)`')
# headers as programs include them
INSTALLED = re.compile(r'gst/(?:zc|app|cuda|video)/')
ROW = re.compile(r'\| `(\w+)` \| `([\w./-]+\.[ch])` \|')


def check_places(page: str) -> None:
    text = (TOP / page).read_text(encoding='utf-8')
    missing = [name for name in PLACE.findall(text)
               if not (TOP / name).exists() and not (
                   INSTALLED.match(name) and (TOP / 'lib' / name).exists())
               and not list((TOP / name).parent.glob(
                   (TOP / name).name + '*'))]
    assert not missing, missing


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
