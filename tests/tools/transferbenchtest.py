# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""That ./zc bench transfer runs through. Times are not looked at."""

import json
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'api'))
import tap  # noqa: E402


def bench(*args: str) -> list[dict]:
    """The rows that the bench measures."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'bench.json'
        tap.command(sys.argv[1], '--json', path, '--small',
                    '--seconds', '0.01', *args)
        return json.loads(path.read_text())['rows']


def test_each_row_of_ours_is_measured():
    rows = bench()
    ours = [row for row in rows if row['who'] == 'gst-zc']
    assert {row['job'] for row in ours} == {
        'upload offered', 'upload recycled', 'upload new', 'new to nvcodec',
        'download', 'gap of download', 'queued download', 'gap of queued download',
        'chain', 'chain beside null', 'one frame', '16 chains',
        'CPU of 16 chains', '16 queued chains', 'CPU of 16 queued chains'}
    assert all(row['us'] is not None for row in ours), ours


def test_limits_are_measured():
    limits = {row['who']: row['us'] for row in bench('--only', '^one frame')
              if row['job'] == 'limit'}
    assert list(limits) == ['copy, kernel, copy']
    assert all(us > 0 for us in limits.values())


def test_only_chooses_rows():
    rows = bench('--only', 'upload new')
    assert {row['job'] for row in rows} == {'upload new', 'new to nvcodec',
                                            'limit'}


def test_wrong_regex_is_refused():
    done = subprocess.run([sys.argv[1], '--only', '('], capture_output=True,
                          text=True)
    assert done.returncode != 0 and '(' in done.stderr


if __name__ == '__main__':
    sys.exit(tap.run('transferbench', [
        (name[5:], call) for name, call in list(globals().items())
        if name.startswith('test_')]))
