# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Each fenced block of the README and of the pages of the HTML runs: here, or
in another test that says so, or it has a mark that tells why not.

    snippets.py --build FOLDER --headers FOLDER... [--without WHAT...]

What a command prints is the block without a language after it; … stands for
anything.
"""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from argparse import ArgumentParser, Namespace
from collections import Counter
from pathlib import Path

import tap
from blocks import (TOP, Block, blocks, check_output, claim_of, names_page,
                    pages)

TIMEOUT = 120  # seconds a block
# What a few lines of C may use.
AROUND = '''#include <gst/zc/zc.h>
static G_GNUC_UNUSED void
snippet (GstCudaContext *context, GstBuffer *buffer, const GstVideoInfo *info,
    GstZcStream *stream)
{
  g_autoptr (GError) error = NULL;
  GstZcFrame frame;

%s
}
'''
WARNINGS = ('-Wall', '-Wextra', '-Werror', '-Wno-unused')


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--build', type=Path, required=True)
    parser.add_argument('--headers', type=Path, nargs='*', default=[])
    parser.add_argument('--without', nargs='*', default=[])
    return parser.parse_args()


def environment(options: Namespace) -> dict[str, str]:
    """What a program finds where gst-zc is installed."""
    build = options.build

    def path(name: str, *folders: Path) -> str:
        old = os.environ.get(name)
        return ':'.join([*map(str, folders), *([old] if old else [])])
    return {**os.environ,
            'PATH': path('PATH', build / 'tools/gst-zc-info'),
            'PKG_CONFIG_PATH': path('PKG_CONFIG_PATH',
                                    build / 'meson-uninstalled'),
            'CPATH': path('CPATH', *options.headers),
            'LD_LIBRARY_PATH': path('LD_LIBRARY_PATH', build / 'lib/gst/zc'),
            'GI_TYPELIB_PATH': path('GI_TYPELIB_PATH', build / 'lib/gst/zc'),
            'PYTHONPATH': path('PYTHONPATH', TOP / 'python'),
            'ZC_INSIDE': '1', 'SOFTCUDA': str(build / 'tests/softcuda')}


def has_device(options: Namespace) -> bool:
    told = subprocess.run(['gst-zc-info', '--json', '--no-test'], check=False,
                          env=environment(options), stdout=subprocess.PIPE)
    return bool(json.loads(told.stdout)['devices'])


class Page:
    """Runs the blocks of a page one after the other, in a folder of its own."""

    def __init__(self, page: str, options: Namespace):
        self.page, self.options = page, options
        self.printed = ''  # by the last command

    def command(self, words: list, block: Block, folder: Path) -> None:
        result = subprocess.run(
            words, cwd=folder, text=True, timeout=TIMEOUT, check=False,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT, env=environment(self.options))
        self.printed = result.stdout
        assert result.returncode == 0, (
            f'{block} ended with {result.returncode}:\n{result.stdout}')

    def run_sh(self, block: Block, folder: Path) -> None:
        self.command(['sh', '-ec', block.text], block, folder)

    def run_python(self, block: Block, folder: Path) -> None:
        self.command([sys.executable, '-c', block.text], block, folder)

    def run_c(self, block: Block, folder: Path) -> None:
        """A program; of a few lines, whether they compile."""
        whole = 'main (' in block.text
        name = re.search(r'/\* (\S+\.c)', block.text)
        source = folder / (name[1] if name else 'snippet.c')
        source.write_text(block.text if whole else AROUND % block.text,
                          encoding='utf-8')
        if name:  # the page builds it itself
            return
        flags = subprocess.run(
            ['pkg-config', '--cflags', '--libs', 'gstreamer-zc-1.0'],
            env=environment(self.options), check=True, text=True,
            stdout=subprocess.PIPE).stdout.split()
        end = ['-o', 'snippet'] if whole else ['-fsyntax-only']
        self.command(['cc', *WARNINGS, source.name, *end, *flags], block,
                     folder)
        if whole:
            self.command(['./snippet'], block, folder)

    def run_output(self, block: Block, folder: Path) -> None:
        check_output(block, self.printed)

    def run(self) -> None:
        if not has_device(self.options):
            raise tap.Skip('there is no CUDA device')
        with tempfile.TemporaryDirectory() as temporary:
            folder = Path(temporary)
            (folder / 'examples').symlink_to(TOP / 'examples')
            (folder / 'build').symlink_to(self.options.build)
            (folder / 'zc').symlink_to(TOP / 'zc')
            shutil.copy(TOP / 'examples/media/bunny.mp4', folder / 'phone.mp4')
            for block in blocks(self.page):
                if runs_here(block):
                    kind = block.language or 'output'
                    getattr(self, f'run_{kind}')(block, folder)


def runs_here(block: Block) -> bool:
    return not block.why and claim_of(block) is None


def check_all_run() -> None:
    """No block is left out."""
    for page in pages():
        for block in blocks(page):
            claim = claim_of(block)
            if block.why:
                continue
            if claim is None:
                kind = block.language or 'output'
                assert hasattr(Page, f'run_{kind}'), (
                    f'{block}: nobody runs {kind}; if nobody can, say '
                    '<!-- not run: WHY --> before it')
            else:
                assert names_page(claim, page), (
                    f'{block}: {claim.named} does not name this page')


def check_commands() -> None:
    """What `./zc` is told to do, in text and tables too, it knows."""
    usage = (TOP / 'zc').read_text(encoding='utf-8')
    known = set(re.findall(r'^\./zc (\w+)', usage, re.M))
    options = set(re.findall(r'--[a-z]+', usage))
    for page in pages():
        text = (TOP / page).read_text(encoding='utf-8')
        for name, rest in re.findall(r'(?:^|`)\./zc (\w+)((?: --[a-z]+)*)', text,
                                     re.M):
            assert name in known, f'{page}: ./zc has no {name}'
            unknown = set(rest.split()) - options
            assert not unknown, f'{page}: ./zc {name} has no {unknown}'


def count() -> None:
    everything = [block for page in pages() for block in blocks(page)]
    runs = Counter()
    for block in everything:
        claim = claim_of(block)
        runs['marked' if block.why else claim.test if claim else 'here'] += 1
    print(f'# {len(pages())} pages, {len(everything)} blocks: ' + ', '.join(
        f'{number} {who if who in ("marked", "here") else "by " + who}'
        for who, number in sorted(runs.items())))
    for block in everything:
        if block.why:
            print(f'# {block}: not run: {block.why}')


def main() -> int:
    options = arguments()
    count()
    tests = [('all-run', check_all_run), ('commands', check_commands)]
    if options.without:
        print(f'# without {", ".join(options.without)}, no block runs')
    else:
        tap.need('pkg-config', 'cc', 'gst-launch-1.0')
        tests += [(page, Page(page, options).run) for page in pages()
                  if any(map(runs_here, blocks(page)))]
    return tap.run('snippets', tests)


if __name__ == '__main__':
    sys.exit(main())
