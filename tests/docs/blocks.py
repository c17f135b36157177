# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The fenced blocks of the pages, and who runs each.

A block that nobody can run here has a comment before it that says why:

    <!-- not run: needs an NVIDIA card -->
"""

import re
import sys
from fnmatch import fnmatch
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[2]
sys.path.append(str(TOP / 'tools/docs'))
import site_map  # noqa: E402

BLOCK = re.compile(r'(?:^<!-- not run: (?P<why>[^\n]+?) -->\n+)?'
                   r'^(?P<indent> *)```(?P<language>[^\n]*)\n(?P<text>.*?)'
                   r'^ *```$', re.S | re.M)
OUTPUT = ''  # the language of what a command prints


class Block(NamedTuple):
    page: str      # from the top of the project
    line: int      # of its fence
    language: str
    text: str
    why: str       # it is not run, or nothing

    def __str__(self) -> str:
        return f'{self.page}:{self.line}'


class Claim(NamedTuple):
    """Blocks that another test runs, and where that test names their page."""
    pages: str
    languages: tuple[str, ...]
    test: str
    named: str


NEWCOMER = 'tests/tools/newcomer.py'
CLAIMS = (
    Claim('README.md', ('sh',), NEWCOMER, NEWCOMER),
    Claim('docs/getting-started.md', ('sh', 'c', 'python', OUTPUT),
          NEWCOMER, NEWCOMER),
    Claim('docs/tracer.md', ('sh', OUTPUT), 'tests/tools/pagestest.py',
          'tests/tools/pagestest.py'),
    Claim('docs/gst-zc-info.md', ('sh', OUTPUT), 'tests/tools/pagestest.py',
          'tests/tools/pagestest.py'),
    Claim('docs/several-gpus.md', ('sh', 'c'), 'tests/tools/pagestest.py',
          'tests/tools/pagestest.py'),
    Claim('docs/migrating.md', ('c',), 'tests/tools/migratingtest.py',
          'tests/tools/migratingtest.py'),
    Claim('docs/many-files.md', ('sh',), 'tests/tools/manyfilestest.py',
          'tests/tools/manyfilestest.py'),
    Claim('docs/own-element.md', ('sh', 'c', 'cuda', 'cpp', 'meson'),
          'tests/own-element/ownelement.py', 'tests/own-element/ownelement.py'),
    Claim('docs/interop/ipc.md', ('sh',), 'tests/tools/pagestest.py',
          'tests/tools/pagestest.py'),
    Claim('docs/api.md', ('sh', 'c'), 'tests/api/install.py',
          'tests/api/meson.build'),
    Claim('docs/api.md', ('python',), 'tests/api/typelib.py',
          'tests/api/meson.build'),
    Claim('docs/install.md', ('sh', 'c', 'meson'),
          'tests/install/installs.py', 'tests/install/installs.py'),
    Claim('docs/interop/*.md', ('sh', 'c'), 'tests/interop/pages.py',
          'tests/interop/meson.build'),
    Claim('docs/interop/*.md', ('python',), 'tests/python/pages.py',
          'tests/python/pages.py'),
)


def pages() -> list[str]:
    """README.md, and what is in the HTML."""
    return ['README.md', *(str(path) for path in site_map.collect(TOP)
                           if path.suffix == '.md')]


def blocks(page: str) -> list[Block]:
    text = (TOP / page).read_text(encoding='utf-8')
    return [Block(page, text.count('\n', 0, block.start('language')) + 1,
                  block['language'].strip(),
                  re.sub(f'^{block["indent"]}', '', block['text'], flags=re.M),
                  block['why'] or '')
            for block in BLOCK.finditer(text)]


def claim_of(block: Block) -> Claim | None:
    for claim in CLAIMS:
        if fnmatch(block.page, claim.pages) and (
                block.language in claim.languages):
            return claim
    return None


def names_page(claim: Claim, page: str) -> bool:
    """Whether the test that claims a page knows of it."""
    text = (TOP / claim.named).read_text(encoding='utf-8')
    name = Path(page)
    return (TOP / claim.test).is_file() and (
        name.name in text or f"'{name.stem}'" in text)


def check_output(block: Block, printed: str) -> None:
    """What a command printed, as the page has it; … stands for anything."""
    wanted = '.*?'.join(map(re.escape, block.text.strip().split('…')))
    assert re.search(wanted, printed, re.S), (
        f'{block} is not what comes:\n{printed}')
