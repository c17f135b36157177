# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What tools/benchreport.py makes of the file of a bench.

Usage: benchreporttest.py BENCH: a program of tests/bench, to read a file that
it wrote too.
"""

import io
import json
import sys
import tempfile
import xml.dom.minidom
from contextlib import redirect_stdout
from pathlib import Path

TESTS = Path(__file__).resolve().parents[1]
sys.path += [str(TESTS.parent / 'tools'), str(TESTS / 'api')]
import benchreport  # noqa: E402
import tap  # noqa: E402

LIMIT = {'who': 'linear copy', 'us': 10.0}


def row(job: str, who: str, us, width: int = 8, limit=None) -> dict:
    found = {'job': job, 'who': who, 'format': 'NV12', 'width': width,
             'height': 4, 'us': us}
    return {**found, 'limit': limit} if limit else found


ROWS = [row('180', 'zcflip', 10.5, limit=LIMIT),
        row('180', 'slow', 250.0, limit=LIMIT),
        row('90r', 'zcflip', 12.0, limit=LIMIT),
        row('90r', 'slow', None)]


def report(*arguments: str, rows=None) -> str:
    """The report on a file of these rows."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'bench.json'
        path.write_text(json.dumps({'bench': 'x', 'machine': {},
                                    'rows': rows or ROWS}))
        out = io.StringIO()
        with redirect_stdout(out):
            assert benchreport.main([arguments[0], str(path),
                                     *arguments[1:]]) == 0
        return out.getvalue()


def test_table():
    assert report('table', '--rows', 'job', '--columns', 'who') == (
        '| job | zcflip | slow |\n'
        '|---|---:|---:|\n'
        '| 180 | 10.5 (1.05) | 250 (25.00) |\n'
        '| 90r | 12.0 (1.20) | not there |\n')


def test_only_chooses_and_sorts():
    text = report('table', '--only', 'job=90r,180', '--only', 'who=zcflip')
    assert [line.split(' | ')[0] for line in text.splitlines()[2:]] == [
        '| 90r zcflip', '| 180 zcflip']


def test_a_table_for_each_size():
    rows = ROWS + [row('180', 'zcflip', 40.0, width=16)]
    text = report('table', '--tables', 'size', '--columns', 'format', rows=rows)
    assert text.startswith('8x4:\n\n|')
    assert '16x4:\n\n| job, who | NV12 |\n|---|---:|\n| 180 zcflip | 40.0 |\n' \
        in text


def bars(svg: str) -> dict[str, float]:
    """Heights of the bars by what they say."""
    found = {}
    for rect in xml.dom.minidom.parseString(svg).getElementsByTagName('rect'):
        for title in rect.getElementsByTagName('title'):
            found[title.firstChild.data] = float(rect.getAttribute('height'))
    return found


def test_plot_has_a_bar_for_each_ratio():
    heights = bars(report('plot'))
    assert list(heights) == ['180, zcflip: 1.050', '180, slow: 25.000',
                             '90r, zcflip: 1.200']
    assert heights['180, zcflip: 1.050'] < heights['90r, zcflip: 1.200'] \
        < heights['180, slow: 25.000']


def test_plot_is_linear_where_it_can_be():
    heights = list(bars(report('plot', '--only', 'who=zcflip')).values())
    assert abs(heights[1] / heights[0] - 12.0 / 10.5) < 0.01


def test_names_are_escaped():
    rows = [row('<&>', 'a"b', 11.0, limit=LIMIT)]
    assert list(bars(report('plot', rows=rows))) == ['<&>, a"b: 1.100']


def test_wrong_key_is_refused():
    try:
        with redirect_stdout(io.StringIO()):
            benchreport.main(['table', 'x', '--rows', 'colour'])
    except SystemExit as leave:
        assert leave.code == 2
    else:
        raise AssertionError('took a key that does not exist')


def test_file_of_a_bench():
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / 'bench.json'
        tap.command(sys.argv[1], '--json', path, '--seconds', '0.01')
        whole = json.loads(path.read_text())
        rows = benchreport.read_rows([str(path)])
    assert whole['bench'] == 'elements'
    assert set(whole['machine']) == {'gpu', 'driver', 'cuda', 'gstreamer'}
    assert all(isinstance(value, str) for value in whole['machine'].values())
    assert rows and any(row.us for row in rows)


if __name__ == '__main__':
    sys.exit(tap.run('benchreport', [
        (name[5:], call) for name, call in list(globals().items())
        if name.startswith('test_')]))
