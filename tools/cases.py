# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Checks tests/cases.txt, which maps known failures to the tests for them.

Usage: cases.py CASES [LOG...]. Each number must stand there once, with tests
or with 'later: TOPIC'. With logs of `meson test`, each pattern must also match
a test, and all that it matches must have passed or been skipped with a reason.
"""

import sys
from fnmatch import fnmatchcase

import testlog

NUMBERS = ('1-4 6-9 11-14 17-19 21 23-26 28-34 36-37 39 41-42 44-45 47-50 53-58 '
           '60 63 65-67 69-71 73-74')
TOPICS = ('order', 'flip', 'transfer', 'interop', 'abuse', 'adoption')
LATER = 'later: '


def expected_numbers() -> set[int]:
    numbers: set[int] = set()
    for part in NUMBERS.split():
        first, _, last = part.partition('-')
        numbers.update(range(int(first), int(last or first) + 1))
    return numbers


def read_cases(path: str) -> dict[int, list[str]]:
    """The entries of each number, in the order of the file."""
    cases: dict[int, list[str]] = {}
    with open(path, encoding='utf-8') as lines:
        for line in lines:
            text = line.partition('#')[0].strip()
            if text:
                number, _, entry = text.partition(' ')
                cases.setdefault(int(number), []).append(entry.strip())
    return cases


def check_list(cases: dict[int, list[str]]) -> list[str]:
    numbers = expected_numbers()
    problems = [f'{n}: is missing' for n in sorted(numbers - cases.keys())]
    problems += [f'{n}: is no number of a case'
                 for n in sorted(cases.keys() - numbers)]
    for number, entries in cases.items():
        for entry in entries:
            later = entry.startswith(LATER)
            if not entry or later and entry[len(LATER):] not in TOPICS:
                problems.append(f'{number}: "{entry}" names neither a test nor '
                                f'a topic ({", ".join(TOPICS)})')
    return problems


def check_pattern(pattern: str, tests: list[testlog.Test]) -> str:
    """What is wrong with the tests that a pattern matches, or ''."""
    # a program that is skipped as a whole stands for all of its tests
    program = pattern.partition(':')[0]
    found = [test for test in tests if fnmatchcase(test.name, pattern)
             or test.name == program and test.outcome == 'skipped']
    if not found:
        return 'no such test ran'
    if any(test.outcome == 'failed' for test in found):
        return 'failed'
    if any(test.outcome == 'skipped' and not test.reason for test in found):
        return 'was skipped without a reason'
    return ''


def check_tests(cases: dict[int, list[str]],
                tests: list[testlog.Test]) -> list[str]:
    return [f'{number}: {pattern}: {problem}'
            for number, entries in cases.items() for pattern in entries
            if not pattern.startswith(LATER)
            and (problem := check_pattern(pattern, tests))]


def main(path: str, logs: list[str]) -> int:
    cases = read_cases(path)
    problems = check_list(cases)
    if logs:
        tests = [test for log in logs for test in testlog.read_log(log)]
        problems += check_tests(cases, tests)
    for problem in problems:
        print(f'{path}: {problem}', file=sys.stderr)
    waiting = sum(all(entry.startswith(LATER) for entry in entries)
                  for entries in cases.values())
    print(f'cases: {len(cases)} known, {len(cases) - waiting} with tests, '
          f'{waiting} for later, {len(problems)} problems')
    return 1 if problems else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1], sys.argv[2:]))
