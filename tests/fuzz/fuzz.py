#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors

"""Runs the fuzzers of a build with -Dfuzzing=true: see ./zc abuse.

Each goes on from the seeds of tests/fuzz/seeds and from what earlier runs in
the same folder found. What crashes is printed as a line for the seeds.
"""

import argparse
import concurrent.futures
import os
import re
import subprocess
import sys
from pathlib import Path

SEEDS = Path(__file__).parent / 'seeds'
MAX_LEN = 256
DONE = re.compile(r'^Done (\d+) runs in (\d+) second', re.M)
COVERED = re.compile(r'cov: (\d+)')
LAST_RUN = re.compile(r'^#(\d+)', re.M)
# by libFuzzer's exit status
VERDICTS = {0: 'no finding', 72: 'interrupted'}
# what each is to have done: those of caps take GStreamer long
FULL = {'caps': 300_000}
FULL_OTHERS = 10_000_000
# seconds more than asked for that a fuzzer may take to stop
PATIENCE = 120


def read_seeds(path):
    for line in path.read_text().splitlines():
        digits = line.partition('#')[0].strip()
        if digits:
            yield bytes.fromhex(digits)


def unpack(name, folder):
    folder.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(read_seeds(SEEDS / f'{name}.hex')):
        (folder / f'seed-{number}').write_bytes(seed)


class Fuzzer:
    def __init__(self, program, work):
        self.program = program
        self.name = program.name.removeprefix('fuzz-')
        self.corpus = work / self.name
        self.crashes = work / 'crashes' / self.name

    def command(self, *more):
        self.crashes.mkdir(parents=True, exist_ok=True)
        unpack(self.name, self.corpus)
        return [str(self.program), f'-max_len={MAX_LEN}', '-timeout=30',
                f'-artifact_prefix={self.crashes}/', *more]

    def run(self, runs, seconds):
        """Returns the row of the table, and TRUE if nothing was found."""
        command = self.command(f'-runs={runs}', f'-max_total_time={seconds}',
                               str(self.corpus))
        done = subprocess.run(command, stdout=subprocess.PIPE, errors='replace',
                              stderr=subprocess.STDOUT,
                              timeout=seconds + PATIENCE if seconds else None)
        found = DONE.search(done.stdout)
        last = LAST_RUN.findall(done.stdout)
        covered = COVERED.findall(done.stdout)
        count = int(found.group(1)) if found else int(last[-1]) if last else 0
        verdict = VERDICTS.get(done.returncode, 'FINDING')
        print(f'{self.name:12} {count:10} runs {covered[-1] if covered else 0:>6}'
              f' places reached  {verdict}', flush=True)
        if verdict == 'FINDING':
            self.tell(done.stdout)
        return done.returncode == 0

    def tell(self, output):
        print(output[-6000:])
        for path in sorted(self.crashes.iterdir()):
            print(f'# {path.name}\n{path.read_bytes().hex()}')

    def merge(self, most):
        """Writes the fewest inputs that reach all places as seeds."""
        folder = self.corpus.with_name(f'{self.name}-merged')
        for path in folder.iterdir() if folder.exists() else []:
            path.unlink()
        folder.mkdir(exist_ok=True)
        subprocess.run(self.command('-merge=1', str(folder), str(self.corpus)),
                       check=True, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)
        seeds = sorted((path.read_bytes() for path in folder.iterdir()),
                       key=lambda seed: (len(seed), seed))
        seeds = seeds[::-(-len(seeds) // most) or 1]
        path = SEEDS / f'{self.name}.hex'
        kept = path.read_text().partition('# found by')[0]
        path.write_text(kept + '# found by coverage\n' +
                        ''.join(seed.hex() + '\n' for seed in seeds))
        print(f'{self.name}: {len(seeds)} seeds')


def find(build):
    return sorted(path for path in (build / 'tests/fuzz').glob('fuzz-*')
                  if path.is_file() and os.access(path, os.X_OK))


def wanted(options, name):
    return FULL.get(name, FULL_OTHERS) if options.full else options.runs


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument('build', type=Path, help='the build folder')
    parser.add_argument('--runs', type=int, default=-1, help='of each fuzzer')
    parser.add_argument('--seconds', type=int, default=0, help='of each fuzzer')
    parser.add_argument('--full', action='store_true',
                        help='10 million runs of each, 300,000 of caps')
    parser.add_argument('--jobs', type=int, default=os.cpu_count())
    parser.add_argument('--only', help='one fuzzer')
    parser.add_argument('--merge', type=int, metavar='N',
                        help='write N inputs at most as seeds instead')
    options = parser.parse_args()
    fuzzers = [Fuzzer(path, options.build / 'corpus')
               for path in find(options.build)
               if not options.only or path.name == f'fuzz-{options.only}']
    if not fuzzers:
        sys.exit('there is no such fuzzer')
    if options.merge:
        for fuzzer in fuzzers:
            fuzzer.merge(options.merge)
        return 0
    with concurrent.futures.ThreadPoolExecutor(options.jobs) as workers:
        good = list(workers.map(
            lambda fuzzer: fuzzer.run(wanted(options, fuzzer.name),
                                      options.seconds), fuzzers))
    return 0 if all(good) else 1


if __name__ == '__main__':
    sys.exit(main())
