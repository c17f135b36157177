#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Prints each message that the library and the elements give, or compares them
with docs/troubleshooting.md.

    tools/messages.py [--check PAGE]

What a message fills in is shown as three dots.
"""

import re
import sys
from pathlib import Path

TOP = Path(__file__).resolve().parents[1]
FOLDERS = ('lib/gst/zc', 'gst')
# the call, and which of its arguments is the format
CALLS = {'g_set_error': 3, 'g_set_error_literal': 3, 'GST_ELEMENT_ERROR': 3,
         'GST_ELEMENT_WARNING': 3, 'zc_set_error': 2}
CALL = re.compile(r'\b(' + '|'.join(CALLS) + r')\s*\(')
TOKEN = re.compile(r'"((?:[^"\\]|\\.)*)"|([(),?:])|([A-Za-z_]\w*)|(\s+|.)',
                   re.S)
FILLED = re.compile(r'%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:hh|h|ll|l|z|j)?'
                    r'[diouxXeEfgGcsp]')
DOTS = '…'


def tokens(text: str, start: int):
    for match in TOKEN.finditer(text, start):
        yield match


def arguments(text: str, start: int) -> list[list[re.Match]]:
    """The tokens of each argument of the call whose bracket opens before
    @start."""
    found, depth = [[]], 1
    for token in tokens(text, start):
        mark = token[2]
        if mark == '(':
            depth += 1
        elif mark == ')':
            depth -= 1
            if depth == 0:
                return found
        if mark == ',' and depth == 1:
            found.append([])
        else:
            found[-1].append(token)
    raise ValueError('a call that does not end')


def literals(argument: list[re.Match]) -> list[str]:
    """The texts that an argument may be: pieces that stand side by side are
    one, a macro between them is something filled in."""
    texts, current, modified = [], None, False
    for token in argument:
        if token[1] is not None:
            # the x of "%" G_GINT64_MODIFIER "x"
            current = (current or '') + token[1][modified:]
            modified = False
        elif token[3] is not None and current is not None:
            current = current.rstrip('%') + '%s'  # as G_GSIZE_FORMAT
            modified = token[3].endswith('_MODIFIER')
        elif token[2] in ('?', ':') and current is not None:
            texts.append(current)
            current = None
    if current is not None:
        texts.append(current)
    return texts


def readable(text: str) -> str:
    text = text.replace('\\"', '"').replace('\\n', ' ').replace('%%', '\0')
    text = FILLED.sub(DOTS, text)
    text = re.sub(rf'{DOTS}(?:{DOTS})+', DOTS, text)
    return ' '.join(text.replace('\0', '%').split())


def macros(text: str) -> dict[str, str]:
    """Strings that a file names, as LIBRARY for libcuda.so.1."""
    return dict(re.findall(r'#define (\w+) "((?:[^"\\]|\\.)*)"', text))


def expand(text: str) -> str:
    for name, value in macros(text).items():
        text = re.sub(rf'(?<!#define )\b{name}\b(?!["\w])', f'"{value}"', text)
    return text


def messages() -> dict[str, str]:
    """Message to the file that has it."""
    found = {}
    for folder in FOLDERS:
        for path in sorted((TOP / folder).rglob('*.c')):
            text = expand(path.read_text(encoding='utf-8'))
            for call in CALL.finditer(text):
                position = CALLS[call[1]]
                given = arguments(text, call.end())
                for literal in literals(given[position]):
                    if readable(literal).strip(f'{DOTS} :,.'):
                        found[readable(literal)] = str(path.relative_to(TOP))
    return found


def explained(page: Path) -> set[str]:
    """What stands in a page's headings, between backquotes."""
    return {' '.join(line.strip('# `').split()) for line in
            page.read_text(encoding='utf-8').splitlines()
            if line.startswith('### `')}


def without_text(page: Path) -> list[str]:
    """Headings after which another one comes at once."""
    lines = [line for line in page.read_text(encoding='utf-8').splitlines()
             if line]
    return [line for line, after in zip(lines, [*lines[1:], '#'])
            if line.startswith('### ') and after.startswith('#')]


def check(page: Path) -> int:
    given, told = messages(), explained(page)
    bare = without_text(page)
    for heading in bare:
        print(f'{page.name}: nothing is said about\n{heading}')
    for message in sorted(set(given) - told):
        print(f'{page.name}: no paragraph on a message of {given[message]}:\n'
              f'### `{message}`')
    for message in sorted(told - set(given)):
        print(f'{page.name}: nothing says this any more:\n### `{message}`')
    return set(given) != told or bool(bare)


def main() -> int:
    if sys.argv[1:2] == ['--check']:
        return check(Path(sys.argv[2]))
    for message, path in messages().items():
        print(f'{path}: {message}')
    return 0


if __name__ == '__main__':
    sys.exit(main())
