# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Each public header compiles alone, twice, in C and C++, without cuda.h."""

import os
import shlex
import sys
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

import tap

POISON = Path(__file__).with_name('poison')
LANGUAGES = {'c11': ('CC', 'c'), 'c++17': ('CXX', 'c++')}
WARNINGS = ('-Wall', '-Wextra', '-Wpedantic', '-Werror')


def other_packages() -> list[str]:
    """Where GStreamer's headers are, as a system's, whose warnings are theirs."""
    flags = tap.command('pkg-config', '--cflags', 'gstreamer-1.0',
                        'gstreamer-video-1.0')
    return shlex.split(flags.replace('-I', '-isystem '))


def compile_text(text: str, standard: str, options: list[str],
                 action: str = '-fsyntax-only') -> str:
    variable, language = LANGUAGES[standard]
    return tap.command(
        *shlex.split(os.environ[variable]), f'-std={standard}', *WARNINGS,
        action, '-x', language, '-I', POISON, *options, '-',
        input=text)


def umbrella_has_all(headers: list[Path], options: list[str]) -> None:
    found = compile_text('#include <gst/zc/zc.h>\n', 'c11', options, '-M')
    missing = [path.name for path in headers if path.name not in found]
    assert not missing, f'zc.h does not lead to {missing}'


def main(include: str, *paths: str) -> int:
    tap.need('pkg-config')
    headers = [Path(path) for path in paths]
    options = ['-I', include, *other_packages()]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs: dict[str, Future] = {
            f'{path.stem}/{standard}': pool.submit(
                compile_text, f'#include <gst/zc/{path.name}>\n' * 2, standard,
                options)
            for path in headers for standard in LANGUAGES}
        return tap.run('headers', [
            *((name, run.result) for name, run in runs.items()),
            ('umbrella', lambda: umbrella_has_all(headers, options))])


if __name__ == '__main__':
    sys.exit(main(*sys.argv[1:]))
