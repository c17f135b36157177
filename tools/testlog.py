# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Reads the log that `meson test` leaves, down to the single tests.

Run as a program on log files, it prints what failed and then one line,
'N passed, N failed, N skipped', and exits with 1 if anything failed or
nothing ran.
"""

import json
import re
import sys
from typing import Iterator, NamedTuple

TAP_LINE = re.compile(
    r'^(?P<no>not )?ok +\d+ *(- )?(?P<name>[^#]*?)( - (?P<message>[^#]*?))? *'
    r'(# *(?P<directive>SKIP|TODO)\S* *(?P<reason>.*))?$', re.I)
GOOD = ('OK', 'EXPECTEDFAIL')


class Test(NamedTuple):
    """One test: of a GTest program, or a program that is a test as a whole."""
    name: str      # 'suite/program' or 'suite/program:/gtest/path'
    outcome: str   # 'passed', 'failed' or 'skipped'
    reason: str    # why it was skipped or how it failed


def read_line(tap: re.Match) -> tuple[str, str]:
    if (tap['directive'] or '').upper() == 'SKIP':
        return 'skipped', tap['reason']
    return ('failed' if tap['no'] else 'passed'), tap['message'] or ''


def read_name(name: str) -> str:
    """'suite/program' of 'project:suite+suite / program', or of what Meson
    1.12 writes: 'suite+suite - project:program'."""
    before, _, after = name.partition(':')
    old_suites, slash, program = after.rpartition(' / ')
    suites = old_suites if slash else before.partition(' - ')[0]
    return f'{suites.split("+")[0]}/{program}'


def read_program(entry: dict) -> Iterator[Test]:
    name = read_name(entry['name'])
    result = entry['result']
    taps = [tap for line in entry.get('stdout', '').splitlines()
            if (tap := TAP_LINE.match(line))]
    tests = [Test(f'{name}:{tap["name"]}', *read_line(tap)) for tap in taps]
    yield from tests
    if result in GOOD and tests:
        return
    if result in GOOD:
        yield Test(name, 'passed', '')
    elif result == 'SKIP':
        if not tests:
            yield Test(name, 'skipped', entry.get('stdout', '').strip())
    elif not any(test.outcome == 'failed' for test in tests):
        yield Test(name, 'failed', f'{result}, exit {entry.get("returncode")}')


def read_log(path: str) -> list[Test]:
    try:
        with open(path, encoding='utf-8') as log:
            lines = log.readlines()
    except FileNotFoundError:
        return [Test(path, 'failed', 'there is no such log: nothing ran')]
    return [test for line in lines for test in read_program(json.loads(line))]


def count(tests: list[Test]) -> dict[str, int]:
    return {outcome: sum(test.outcome == outcome for test in tests)
            for outcome in ('passed', 'failed', 'skipped')}


def main(paths: list[str]) -> int:
    tests = [test for path in paths for test in read_log(path)]
    counts = count(tests)
    for test in tests:
        if test.outcome == 'failed':
            print(f'FAILED {test.name}: {test.reason}')
    print(', '.join(f'{n} {outcome}' for outcome, n in counts.items()))
    return 1 if counts['failed'] or not counts['passed'] else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
