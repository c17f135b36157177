# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The tables of docs/migrating.md: each pair of pipelines makes the same pixels.

What is missing here, of NVIDIA's and others' elements, is said, and not run; a row
that says "softcuda" is. Numbers of DeepStream are compared by their names.
"""

import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / 'tests' / 'api'))
import tap  # noqa: E402

PAGE = TOP / 'docs' / 'migrating.md'
# the tag is for those who read it
SOURCE = ('videotestsrc num-buffers=3 pattern=snow ! '
          'video/x-raw,format=I420,width=320,height=240 ! '
          'taginject tags=image-orientation=rotate-90')
RAW = 'video/x-raw,format=I420'
# filesink knows nothing of rows with padding, videoconvert does
TIGHT = 'videoconvert ! video/x-raw,format=AYUV'
SIZE = 3 * 320 * 240 * 4  # bytes


class Row(NamedTuple):
    before: str
    name: str   # DeepStream's, or nothing
    after: str
    tried: str


def rows(heading: str) -> list[Row]:
    """Those of the tables under a heading whose first cell is code."""
    text = PAGE.read_text(encoding='utf-8').split(f'\n{heading}\n')[1]
    text = re.split(r'^#', text, flags=re.M)[0]
    found = []
    for line in re.findall(r'^\| `.*\|$', text, re.M):
        cells = [cell.strip() for cell in line.strip('| ').split(' | ')]
        name = cells[1] if len(cells) == 4 else ''
        found.append(Row(cells[0].strip('`'), name, cells[-2].strip('`'),
                         cells[-1]))
    assert found, heading
    return found


def exists(pipeline: str) -> bool:
    """Whether all its elements do."""
    names = [part.split()[0] for part in pipeline.split('!')
             if not part.strip().startswith('"')]
    return all(subprocess.run(['gst-inspect-1.0', '--exists', name],
                              check=False).returncode == 0 for name in names)


def pixels(pipeline: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / 'out'
        tap.command('sh', '-ec', f'gst-launch-1.0 -q {SOURCE} ! {pipeline} ! '
                    f'{TIGHT} ! filesink location={file}')
        return file.read_bytes()


def up_and_down(pipeline: str) -> str:
    return f'zcupload ! {pipeline} ! zcdownload'


def compare(before: str, after: str) -> None:
    one, other = pixels(before), pixels(after)
    assert len(one) == SIZE, len(one)
    assert one == other, f'{before} and {after}: other pixels'


def from_videoflip() -> None:
    found = rows('## From videoflip')
    assert len(found) == 9, found
    for row in found:
        compare(row.before, up_and_down(row.after))


def from_nvcodec() -> None:
    for row in rows('## From nvcodec'):
        if exists(row.before):
            compare(row.before, row.after)
        else:
            print(f'# not here: {row.before}')
            assert row.tried != 'softcuda' or not exists('cudaupload'), row
            pixels(row.after if exists(row.after) else 'identity')


def from_deepstream() -> None:
    found = [row for row in rows('## From DeepStream')
             if 'flip-method' in row.before]
    assert [row.before[-1] for row in found] == list('01234567'), found
    for row in found:
        compare(f'videoflip method={row.name}', up_and_down(row.after))
        if exists(row.before):
            compare(f'{row.before} ! {RAW}', up_and_down(row.after))


def example_is_shown() -> None:
    example = (TOP / 'examples/migrating.c').read_text(encoding='utf-8')
    found = re.findall(r'^```c\n(.*?)^```$', PAGE.read_text(encoding='utf-8'),
                       re.S | re.M)
    assert len(found) == 2
    for code in found:
        assert code in example, code


def main() -> int:
    if '--sanitized' in sys.argv:
        print('1..0 # SKIP a plain program cannot load a sanitized plugin')
        return 0
    tap.need('gst-launch-1.0')
    return tap.run('migrating', [(each.__name__.replace('_', '-'), each)
                                 for each in (from_videoflip, from_nvcodec,
                                              from_deepstream,
                                              example_is_shown)])


if __name__ == '__main__':
    sys.exit(main())
