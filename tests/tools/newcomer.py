# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What a newcomer does, in that order: the commands of README.md, then those of
docs/getting-started.md, in a checkout without a build.

    newcomer.py --build FOLDER --fatbin FILE

Two things are taken from the build under test, since they take ten minutes: what
./zc has built, and the kernels.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(TOP / 'tests/api'), str(TOP / 'tests/docs')]
import tap  # noqa: E402
from blocks import Block, blocks, check_output  # noqa: E402

PAGES = ('README.md', 'docs/getting-started.md')
TIMEOUT = 1200  # seconds for one block
FILE = re.compile(r'\A(?:/\* |# )(\S+\.(?:c|py))')
# this is a test of `./zc test`
NOT_HERE = re.compile(r'^\./zc test.*\n', re.M)


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--fatbin', type=Path, required=True)
    return parser.parse_args()


def check_out(folder: Path) -> None:
    """All files of the project that git would have."""
    listed = subprocess.run(
        ['git', '-c', 'safe.directory=*', 'ls-files', '-z', '--cached',
         '--others', '--exclude-standard'], cwd=TOP, check=False, text=True,
        stdout=subprocess.PIPE).stdout
    if not listed:
        raise tap.Skip('git is needed to make a checkout')
    for name in filter(None, listed.split('\0')):
        if (TOP / name).is_file():
            target = folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(TOP / name, target)


class Newcomer:
    """A shell that goes on from block to block, as somebody's terminal does."""

    def __init__(self, options: Namespace, folder: Path):
        self.options, self.folder = options, folder
        self.checkout = folder / 'gst-zc'
        self.printed = ''
        self.exports = ''  # of earlier blocks
        check_out(self.checkout)
        built = self.checkout / '.build/zc'
        built.parent.mkdir()
        built.symlink_to(options.build)

    def environment(self) -> dict[str, str]:
        """Of a machine that ./zc has set up, and no build's."""
        old = {name: value for name, value in os.environ.items()
               if not name.startswith(('GST_', 'MESON_', 'MALLOC_',
                                       'ZC_TESTING'))}
        cache = os.environ.get('CCACHE_DIR', Path.home() / '.cache/ccache')
        return {**old, 'HOME': str(self.folder), 'ZC_INSIDE': '1',
                'ZC_DRIVER': 'softcuda',
                'LD_LIBRARY_PATH': str(self.options.build / 'tests/softcuda'),
                'CCACHE_DIR': str(cache),
                # each checkout is in a folder of its own
                'CCACHE_BASEDIR': str(self.folder), 'CCACHE_NOHASHDIR': '1'}

    def shell(self, block: Block) -> None:
        text = NOT_HERE.sub('', block.text).replace(
            'meson setup build',
            f'meson setup build -Dkernels-fatbin={self.options.fatbin}')
        result = subprocess.run(
            ['bash', '-ec', self.exports + text], cwd=self.checkout, text=True,
            env=self.environment(), timeout=TIMEOUT, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT)
        self.printed = result.stdout
        assert result.returncode == 0, (
            f'{block} ended with {result.returncode}:\n{result.stdout[-4000:]}')
        self.exports += ''.join(re.findall(r'^export .*\n', text, re.M))

    def write(self, block: Block) -> None:
        name = FILE.match(block.text)
        assert name, f'{block} does not say which file it is'
        (self.checkout / name[1]).write_text(block.text, encoding='utf-8')

    def compare(self, block: Block) -> None:
        check_output(block, self.printed)

    def follow(self, block: Block) -> None:
        act = {'sh': self.shell, '': self.compare}
        act.get(block.language, self.write)(block)


def tests(newcomer: Newcomer) -> list:
    found = []
    for page in PAGES:
        for block in blocks(page):
            if not block.why:
                first = block.text.strip().splitlines()[0]
                found.append((f'{block}: {first[:60]}'.replace('#', ''),
                              lambda block=block: newcomer.follow(block)))
    return found


def check_length() -> None:
    """A first program is one that can be read at a glance."""
    for block in blocks(PAGES[1]):
        if block.language == 'c':
            lines = len(block.text.splitlines())
            assert lines <= 40, f'{block} has {lines} lines'


def main() -> int:
    options = arguments()
    tap.need('bash', 'git', 'meson', 'pkg-config', 'cc', 'gst-launch-1.0')
    with tempfile.TemporaryDirectory() as folder:
        try:
            newcomer = Newcomer(options, Path(folder).resolve())
        except tap.Skip as skip:
            print(f'1..0 # SKIP {skip}')
            return 0
        return tap.run('newcomer', tests(newcomer) + [('length', check_length)])


if __name__ == '__main__':
    sys.exit(main())
