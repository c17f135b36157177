#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors

"""The race search at length, and the mutation check: see ./zc order.

Runs order-search, a program of the build, for each case in a process of its
own, so that one that crashes or hangs is told from the others.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
import time

PATIENCE = 900  # seconds that one case may take
SKIPPED = 77
FAILED = re.compile(r'FAILED (\S+) --seed (\d+) \((\w+)\):([^:]*:\d+.*?): ')
COUNT = re.compile(r' (\d+) runs +(\d+) failures')


def search(program, *args, mutate=None):
    """Returns the exit status and all output; a status of None is a hang."""
    env = dict(os.environ)
    if mutate:
        env['GST_ZC_MUTATE'] = mutate
    try:
        done = subprocess.run([program, *args], env=env, timeout=PATIENCE,
                              stdout=subprocess.PIPE, errors='replace',
                              stderr=subprocess.STDOUT)
    except subprocess.TimeoutExpired as late:
        return None, late.stdout or ''
    return done.returncode, done.stdout


def lines(program, option):
    status, output = search(program, option)
    if status != 0:
        sys.exit(f'{program} {option} failed:\n{output}')
    return output.splitlines()


def kind_of(case):
    return 'pipelines' if case.startswith('pipe/') else 'programs'


class Table:
    """Runs of each kind of case, as they come in."""

    def __init__(self):
        self.cases = {'pipelines': 0, 'programs': 0}
        self.runs = 0
        self.failed = []

    def add(self, case, status, output):
        if status == SKIPPED:
            sys.exit(f'no CUDA driver: {output.strip()}')
        found = COUNT.search(output)
        self.cases[kind_of(case)] += 1
        self.runs += int(found.group(1)) if found else 0
        if status == 0:
            print(output.splitlines()[0], flush=True)
            return
        self.failed.append(case)
        print(f'{case}: {verdict(status)}\n{output[-4000:]}', flush=True)

    def line(self, seconds):
        return (f'{self.cases["pipelines"]} pipelines and '
                f'{self.cases["programs"]} programs, {self.runs} runs in '
                f'{seconds:.0f} s: '
                + (f'{len(self.failed)} FAILED: {", ".join(self.failed)}'
                   if self.failed else 'no failure'))


def verdict(status):
    if status is None:
        return f'hangs, nothing came within {PATIENCE} s'
    return f'ends by signal {-status}' if status < 0 else 'failed'


def run_all(options):
    start = time.monotonic()
    table = Table()
    cases = lines(options.program, '--list')
    args = ['--runs', str(options.runs), '--seed', str(options.seed)]
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        jobs = {workers.submit(search, options.program, '--case', case, *args,
                               *options.more): case for case in cases}
        for job in concurrent.futures.as_completed(jobs):
            table.add(jobs[job], *job.result())
    print(table.line(time.monotonic() - start))
    return 1 if table.failed else 0


def catch(options, barrier, cases, more, wanted):
    """The first case that fails without @barrier, in one of the ways that
    @wanted names; how it failed, and where."""
    for case in cases:
        status, output = search(options.program, '--case', case, '--runs',
                                '100', '--seconds', '10', *more, mutate=barrier)
        if status == 0:
            continue
        found = FAILED.search(output)
        if not found:
            how = 'crash' if status is not None else 'hang'
            if how in wanted:
                return how, case
            continue
        kinds = [kind.split(':')[0] for kind in found.group(4).split()]
        for kind in wanted:
            if kind in kinds:
                return kind, f'{case} --seed {found.group(2)}'
    return None


def check_barrier(options, barrier, kind, cases):
    by_report = catch(options, barrier, cases, [],
                      ['report', 'lifetime', 'error', 'pixels', 'crash',
                       'hang'])
    by_pixels = catch(options, barrier, cases, ['--no-reports', '--keep-going'],
                      ['pixels']) if kind == 'order' else None
    return by_report, by_pixels


def tell(found):
    return f'{found[0]}: {found[1]}' if found else '-'


def is_caught(kind, by_report, by_pixels):
    return bool(by_report and by_pixels) if kind == 'order' else bool(by_report)


def mutate(options):
    start = time.monotonic()
    cases = lines(options.program, '--list')
    barriers = [line.split('\t') for line in lines(options.program, '--barriers')
                if not options.more or line.split('\t')[0] in options.more]
    missed = []
    print(f'{"left out":20} {"caught by":45} by the picture')
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        jobs = [(barrier, workers.submit(check_barrier, options, barrier[0],
                                         barrier[1], cases))
                for barrier in barriers]
        for (name, kind, _), job in jobs:
            found = job.result()
            print(f'{name:20} {tell(found[0]):45} {tell(found[1])}', flush=True)
            if not is_caught(kind, *found):
                missed.append(name)
    print(f'{len(barriers) - len(missed)} of {len(barriers)} caught in '
          f'{time.monotonic() - start:.0f} s'
          + (f'; MISSED: {", ".join(missed)}' if missed else ''))
    return 1 if missed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('program', help='the order-search of a build')
    parser.add_argument('--mutate', action='store_true',
                        help='leave out one barrier after the other')
    parser.add_argument('--runs', type=int, default=2000, help='of each case')
    parser.add_argument('--seed', type=int, default=1, help='the first')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('more', nargs='*',
                        help='for order-search; with --mutate, barriers')
    options = parser.parse_args()
    return mutate(options) if options.mutate else run_all(options)


if __name__ == '__main__':
    sys.exit(main())
