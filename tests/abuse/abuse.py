#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors

"""Runs what hurts on purpose, one after the other, and counts: see ./zc abuse.

    abuse.py programs BUILD LOGS [--short]   faults, soak, teardown, sizes, ...
    abuse.py fuzzers BUILD LOGS [--short] [ARGUMENTS OF fuzz.py]
    abuse.py table LOGS [--json FILE]        what came of both

Each part leaves its output in LOGS and its figures in LOGS/figures.json. Exits
with 1 if anything was found.
"""

import json
import re
import subprocess
import sys
import time
from pathlib import Path

FUZZ = Path(__file__).resolve().parent.parent / 'fuzz' / 'fuzz.py'
SHORT_FUZZ = ['--seconds', '20']

# GLib puts one more # in front
TOTAL = re.compile(r'^[# ]+(all pipelines +calls.*)\n(?:# .*\n)*?[# ]+all +'
                   r'(\d.*)$', re.M)
CASES = re.compile(r'^[# ]+(\d+) cases in', re.M)
SOAK = re.compile(r'SOAK (\w+) (\d+)(.*)')
FUZZER = re.compile(r'^(\w+) +(\d+) runs +(\d+) places reached +(.*)$', re.M)
RESULT = re.compile(r'^(ok|not ok) \d+ (.*)$', re.M)


def tap(text):
    lines = RESULT.findall(text)
    skipped = sum('# SKIP' in name for _, name in lines)
    return (sum(word == 'ok' for word, _ in lines) - skipped, skipped,
            sum(word != 'ok' for word, _ in lines))


def read_tests(text):
    passed, skipped, failed = tap(text)
    row = [('tests', passed)]
    return row + [('skipped', skipped)] * bool(skipped) + \
        [('failed', failed)] * bool(failed)


def read_faults(text):
    cases, total = CASES.findall(text), TOTAL.search(text)
    row = [('cases', int(cases[-1]) if cases else 0)]
    if total:
        names = total.group(1).split()[2:]
        row += list(zip(names, map(int, total.group(2).split())))
    return row


def read_soak(text):
    sums = {}
    for name, number, rest in SOAK.findall(text):
        sums[name] = sums.get(name, 0) + int(number)
        for count, what in re.findall(r'(\d+) (\w+)', rest):
            sums[f'{name}: {what}'] = int(count)
    return list(sums.items())


def read_fuzzers(text):
    return [(name, int(runs)) for name, runs, _, _ in FUZZER.findall(text)]


# name, program in the build, arguments, and those of a short run, how to read
PROGRAMS = [
    ('faults', 'tests/abuse/faults', ['-k', '-m', 'thorough'], ['-k'],
     read_faults),
    ('soak', 'tests/abuse/soak', ['-k', '-m', 'thorough'], ['-k'], read_soak),
    ('teardown', 'tests/element/element-teardown', ['-k'], ['-k'], read_tests),
    ('sizes', 'tests/unit/unit-sizes', ['-k'], ['-k'], read_tests),
    ('padding', 'tests/element/element-padding', ['-k'], ['-k'], read_tests),
    ('hostile', 'tests/element/element-hostile', ['-k'], ['-k'], read_tests),
]


class Figures:
    """What each part has come to, in the folder of the logs."""

    def __init__(self, logs):
        self.path = logs / 'figures.json'
        self.parts = (json.loads(self.path.read_text())
                      if self.path.exists() else {})

    def keep(self, name, numbers, passed, seconds):
        self.parts[name] = {'numbers': dict(numbers), 'passed': passed,
                            'seconds': round(seconds)}
        self.path.write_text(json.dumps(self.parts, indent=1))


def run(figures, logs, name, command, read):
    """Runs one part; its output goes to the terminal and to a log."""
    start, lines = time.monotonic(), []
    print(f'== {name}', flush=True)
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True,
                               stderr=subprocess.STDOUT, errors='replace')
    with open(logs / f'{name}.log', 'w', encoding='utf-8') as log:
        for line in process.stdout:
            log.write(line)
            log.flush()
            lines.append(line)
            if line.startswith(('# WRONG', 'not ok')):
                print(line, end='', flush=True)
    numbers = read(''.join(lines))
    # a part that counts nothing has not run
    passed = process.wait() == 0 and any(n > 0 for _, n in numbers)
    figures.keep(name, numbers, passed, time.monotonic() - start)
    if not passed:
        print(''.join(lines[-20:]))
        print(f'{name} FAILED: all of its output is in {log.name}')
    return passed


def programs(build, logs, short):
    figures, good = Figures(logs), True
    for name, program, full, few, read in PROGRAMS:
        command = [str(build / program), *(few if short else full)]
        good &= run(figures, logs, name, command, read)
    return good


def fuzzers(build, logs, short, arguments):
    command = [sys.executable, str(FUZZ), str(build),
               *(arguments or (SHORT_FUZZ if short else ['--full']))]
    return run(Figures(logs), logs, 'fuzzers', command, read_fuzzers)


def table(logs, path):
    parts = Figures(logs).parts
    print(f'\n{"part":10} {"minutes":>7}  {"result":8} figures')
    for name, part in parts.items():
        numbers = ', '.join(f'{n:,} {what}' for what, n in
                            part['numbers'].items())
        result = 'passed' if part['passed'] else 'FAILED'
        print(f'{name:10} {part["seconds"] / 60:7.1f}  {result:8} {numbers}')
    if path:
        Path(path).write_text(json.dumps(parts, indent=1))
    return bool(parts) and all(part['passed'] for part in parts.values())


def main():
    what, *rest = sys.argv[1:] or ['help']
    if what == 'table' and rest:
        path = rest[2] if rest[1:2] == ['--json'] else None
        return table(Path(rest[0]), path)
    if what not in ('programs', 'fuzzers') or len(rest) < 2:
        sys.exit(__doc__)
    build, logs = map(Path, rest[:2])
    logs.mkdir(parents=True, exist_ok=True)
    short = rest[2:3] == ['--short']
    if what == 'programs':
        return programs(build, logs, short)
    return fuzzers(build, logs, short, rest[3 if short else 2:])


if __name__ == '__main__':
    sys.exit(0 if main() else 1)
