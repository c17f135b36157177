# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Runs functions as tests and prints TAP."""

import shutil
import subprocess
import sys
import traceback
from typing import Callable, Iterable


class Skip(Exception):
    """Raised by a test that cannot run here; its text says why."""


def command(*words, timeout: float = 60, **options) -> str:
    """The output of a command that must succeed."""
    result = subprocess.run([str(word) for word in words], text=True,
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                            timeout=timeout, check=False, **options)
    assert result.returncode == 0, f'{words[0]} failed:\n{result.stdout}'
    return result.stdout


def need(*tools: str) -> None:
    """Skips the program where tools that only a builder has are missing."""
    missing = [tool for tool in tools if not shutil.which(tool)]
    if missing:
        print(f'1..0 # SKIP not installed here: {", ".join(missing)}')
        sys.exit(0)


def outcome(name: str, test: Callable[[], None]) -> str:
    try:
        test()
    except Skip as skip:
        return f'ok {name} # SKIP {skip}'
    except Exception as error:  # one broken test must not hide the others
        for line in traceback.format_exc().splitlines():
            print(f'# {line}')
        return f'not ok {name} - {type(error).__name__}'
    return f'ok {name}'


def run(prefix: str, tests: Iterable[tuple[str, Callable[[], None]]]) -> int:
    tests = list(tests)
    lines = []
    print(f'1..{len(tests)}')
    for number, (name, test) in enumerate(tests, 1):
        lines.append(outcome(f'{number} /{prefix}/{name}', test))
        print(lines[-1], flush=True)
    return any(line.startswith('not ok') for line in lines)
