# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The commands of docs/tracer.md and docs/gst-zc-info.md print what the pages
say, but for numbers that depend on threads and speed; those of
docs/several-gpus.md and docs/interop/ipc.md run.

    pagestest.py GST-ZC-INFO
"""

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / 'tests' / 'api'))
sys.path.insert(0, str(TOP / 'tests' / 'tracer'))
import tap  # noqa: E402
from timeline import check_timeline  # noqa: E402

SMALL = 60  # waits and allocations at the start, of 100 pictures


def blocks(page: str) -> list[tuple[str, str]]:
    """The blocks of a page, with their languages."""
    text = (TOP / 'docs' / page).read_text(encoding='utf-8')
    return re.findall(r'^```(\w*)\n(.*?)^```$', text, re.S | re.M)


def shell(command: str, folder: str = '.') -> subprocess.CompletedProcess:
    path = f'{Path(TOOL).resolve().parent}:{os.environ["PATH"]}'
    return subprocess.run(['sh', '-c', command], text=True, timeout=120,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          check=False, cwd=folder,
                          # races of GStreamer's own elements are shown, too
                          env={**os.environ, 'PATH': path,
                               'SOFTCUDA_RACES': 'off'})


def need_softcuda() -> None:
    devices = json.loads(shell('gst-zc-info --json --no-test').stdout)['devices']
    if not devices or not devices[0]['name'].startswith('softcuda'):
        raise tap.Skip('the outputs of the pages are from softcuda')
    if '--without-kernels' in sys.argv:
        raise tap.Skip('built without kernels')


def cell(text: str) -> str:
    """A cell without what depends on threads."""
    if re.fullmatch(r'\d+ for \d+', text):
        return 'N for ' + text.split()[-1]
    if text == '-' or text.isdigit() and int(text) < SMALL:
        return '#'
    return re.sub(r'stream \d+', 'stream N', text)


def rows(text: str) -> list[list[str]]:
    return [[cell(each) for each in re.split(r'  +', line.strip())]
            for line in text.splitlines()]


def tracer_page_says_what_comes() -> None:
    need_softcuda()
    found = blocks('tracer.md')
    pairs = [(command, told) for (language, command), (other, told)
             in zip(found, found[1:]) if (language, other) == ('sh', '')]
    assert len(pairs) == 2, found
    for command, told in pairs:
        result = shell(command)
        assert result.returncode == 0, result.stderr
        assert rows(result.stderr) == rows(told), result.stderr


def tracer_page_writes_a_timeline() -> None:
    need_softcuda()
    command, = [text for language, text in blocks('tracer.md')
                if language == 'sh' and 'trace=' in text]
    with tempfile.TemporaryDirectory() as folder:
        result = shell(command, folder)
        assert result.returncode == 0, result.stderr
        check_timeline(json.loads((Path(folder) / 'out.json').read_text()))


def info_page_says_what_comes() -> None:
    need_softcuda()
    found = blocks('gst-zc-info.md')
    assert found[0] == ('sh', 'gst-zc-info\n'), found[0]
    labels = [line[:12] for line in found[1][1].splitlines()]
    printed = shell('gst-zc-info').stdout
    come = [line[:12] for line in printed.splitlines()]
    # a long folder's name may take a line of its own
    assert [each for each in come if each.strip()] == [
        each for each in labels if each.strip()], printed


def info_page_has_the_message_of_the_stub() -> None:
    need_softcuda()
    printed = shell('SOFTCUDA_MODE=stub gst-zc-info').stdout
    told = blocks('gst-zc-info.md')[2][1]
    start = told.index('WRONG')
    assert printed.endswith(told[start:]), printed


def commands(page: str) -> list[str]:
    return [line for language, text in blocks(page) if language == 'sh'
            for line in text.splitlines() if line and not line.startswith('#')]


def need(condition: object, why: str) -> None:
    if not condition:
        raise tap.Skip(why)


def several_gpus_page_runs() -> None:
    devices = json.loads(shell('gst-zc-info --json --no-test').stdout)['devices']
    need(len(devices) > 1, 'needs two devices')
    found = commands('several-gpus.md')
    assert len(found) >= 5, found
    for command in found:
        result = shell(command)
        assert result.returncode == 0, (command, result.stderr)
        assert 'ERROR' not in result.stderr, (command, result.stderr)


def several_gpus_page_shows_the_example() -> None:
    code, = [text for language, text in blocks('several-gpus.md')
             if language == 'c']
    example = TOP / 'examples' / 'several-gpus.c'
    assert code in example.read_text(encoding='utf-8'), code


def ipc_page_runs() -> None:
    need(shell('gst-inspect-1.0 --exists cudaipcsink').returncode == 0,
         'there is no cudaipcsink')
    send, receive = commands('interop/ipc.md')
    with tempfile.TemporaryDirectory() as folder:
        address = f'{folder}/frames'
        assert '/tmp/zc-frames' in send and '/tmp/zc-frames' in receive
        with subprocess.Popen(
                ['sh', '-c', 'exec ' + send.replace('/tmp/zc-frames', address)],
                stdout=subprocess.DEVNULL) as sender:
            try:
                result = shell(receive.replace('/tmp/zc-frames', address))
                assert result.returncode == 0, result.stderr
                assert 'ERROR' not in result.stderr, result.stderr
                assert sender.poll() is None, 'the sender has ended'
            finally:
                sender.kill()


def main() -> int:
    if '--sanitized' in sys.argv:
        print('1..0 # SKIP a plain program cannot load a sanitized plugin')
        return 0
    tap.need('gst-launch-1.0')
    return tap.run('pages', [(each.__name__.replace('_', '-'), each) for each in (
        tracer_page_says_what_comes, tracer_page_writes_a_timeline,
        info_page_says_what_comes, info_page_has_the_message_of_the_stub,
        several_gpus_page_runs, several_gpus_page_shows_the_example,
        ipc_page_runs)])


if __name__ == '__main__':
    TOOL = sys.argv[1]
    sys.exit(main())
