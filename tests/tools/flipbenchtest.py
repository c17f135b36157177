# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""That ./zc bench flip measures what it should. Times are not looked at.

Usage: flipbenchtest.py BENCH. cases.md 74
"""

import json
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'api'))
import tap  # noqa: E402

DIRECTIONS = {'identity', 'horiz', 'vert', '180', '90r', '90l', 'ul-lr',
              'ur-ll'}
FORMATS = {'NV12', 'P010', 'I420', 'RGBA', 'RGB', 'YUY2'}


def bench(*args: str) -> list[dict]:
    """The rows that the bench measures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'bench.json'
        tap.command(sys.argv[1], '--json', path, '--seconds', '0.01', *args)
        return json.loads(path.read_text())['rows']


def test_all_directions_of_all_formats():
    rows = bench('--part', 'device')
    measured = {(row['job'], row['format']) for row in rows
                if row['us'] and row.get('limit', {}).get('us')}
    assert measured >= {(job, name) for job in DIRECTIONS for name in FORMATS}


def test_pipelines():
    rows = bench('--part', 'pipelines', '--format', 'NV12')
    assert {row['who'] for row in rows} == {'zcflip', 'cudaconvertscale',
                                            'videoflip'}
    assert all(row['us'] for row in rows if row['who'] != 'cudaconvertscale')
    assert {row['format'] for row in rows} == {'NV12'}


def test_cpu():
    rows = [row for row in bench('--part', 'cpu') if row['who'] == 'zcflip']
    assert {row['job'] for row in rows} == {'CPU of 1', 'CPU of 3'}
    assert all(row['us'] is not None for row in rows)


if __name__ == '__main__':
    sys.exit(tap.run('flipbench', [
        (name[5:], call) for name, call in list(globals().items())
        if name.startswith('test_')]))
