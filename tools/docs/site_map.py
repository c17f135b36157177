# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Which files become pages, and where they are in the HTML.

The pages of docs/ are at the top; what they link to elsewhere in the project is
below files/, READMEs as pages, sources as listings.
"""

import os
import re
from pathlib import Path, PurePosixPath
from typing import NamedTuple

INDEX = PurePosixPath('docs/README.md')
PICTURES = {'.svg', '.png', '.jpg'}
DATA = {'.json'}
LINK = re.compile(r'(?<!`)\[(?:[^\[\]]|\[[^\]]*\])*\]\(([^)\s]+)\)')


class DocsError(Exception):
    """Something in the pages that a reader would trip over."""


class Entry(NamedTuple):
    """A line of the list of pages at the left."""
    title: str
    path: PurePosixPath


class Section(NamedTuple):
    title: str
    entries: list[Entry]


def is_outside(target: str) -> bool:
    return re.match(r'[a-z][a-z0-9+.-]*:', target) is not None


def without_code(text: str) -> str:
    """The text of a page without its code, in which brackets are no links."""
    text = re.sub(r'^```.*?^```$', '', text, flags=re.S | re.M)
    return re.sub(r'`[^`\n]*`', '``', text)


def resolve(page: PurePosixPath, target: str) -> PurePosixPath:
    """The file of the project that a link of a page leads to."""
    joined = os.path.normpath(page.parent / target)
    return PurePosixPath(joined)


def place(top: Path, path: PurePosixPath) -> PurePosixPath:
    """Where a file of the project is in the HTML."""
    if path == INDEX:
        return PurePosixPath('index.html')
    if (top / path).is_dir():
        path = path / 'README.md'
    inside = (path.relative_to('docs') if path.parts[0] == 'docs'
              else 'files' / path)
    if path.suffix == '.md':
        return inside.with_suffix('.html')
    if path.suffix in PICTURES | DATA:
        return inside
    return inside.with_name(inside.name + '.html')


def links(page: PurePosixPath, text: str) -> list[PurePosixPath]:
    """The files of the project that a page links to."""
    found = []
    for target in LINK.findall(without_code(text)):
        target = target.partition('#')[0]
        if target and not is_outside(target):
            found.append(resolve(page, target))
    return found


def collect(top: Path) -> list[PurePosixPath]:
    """Every file that the HTML needs, from the index on."""
    waiting, found = [INDEX], []
    while waiting:
        path = waiting.pop(0)
        if (top / path).is_dir():
            path = path / 'README.md'
        if path in found:
            continue
        if not (top / path).is_file():
            raise DocsError(f'a page links to {path}, which is not there')
        found.append(path)
        if path.suffix == '.md':
            waiting += links(path, (top / path).read_text(encoding='utf-8'))
    return found


def sections(top: Path) -> list[Section]:
    """The list of pages: the lines of the index, by heading."""
    found: list[Section] = []
    for line in (top / INDEX).read_text(encoding='utf-8').splitlines():
        if line.startswith('## '):
            found.append(Section(line[3:], []))
        entry = re.match(r'- \[([^\]]+)\]\(([^)]+)\)', line)
        if entry and found:
            found[-1].entries.append(
                Entry(entry[1], resolve(INDEX, entry[2])))
    return found


def check_index(top: Path, listed: list[Section]) -> None:
    """No page of docs/ is left out of the index."""
    known = {entry.path for section in listed for entry in section.entries}
    pages = {PurePosixPath(path.relative_to(top).as_posix())
             for path in (top / 'docs').rglob('*.md')}
    missing = sorted(map(str, pages - known - {INDEX}))
    if missing:
        raise DocsError(f'docs/README.md does not list {", ".join(missing)}')
