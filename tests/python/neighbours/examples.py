# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The examples of the folder examples/ run, and print what they should."""

import importlib.util
import os
import re
import subprocess
import sys
from pathlib import Path

import neighbour
import tap

FOLDER = Path(os.environ.get('ZC_EXAMPLES',
                             Path(__file__).parents[3] / 'examples'))


def run(name, module, *arguments):
    neighbour.need_gpu()
    if not importlib.util.find_spec(module):
        raise tap.Skip(f'{module} is not installed')
    result = subprocess.run(
        [sys.executable, FOLDER / name, *arguments], capture_output=True,
        text=True, timeout=120, check=False)
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_appsink_cupy():
    lines = run('appsink-cupy.py', 'cupy').splitlines()
    assert len(lines) == 30, lines
    for line in lines:
        mean, white = re.fullmatch(
            r'frame \d+: mean ([\d.]+), (\d+) nearly white', line).groups()
        assert 16 < float(mean) < 235 and 0 < int(white) < 640 * 480, line


def test_appsrc_torch():
    assert run('appsrc-torch.py', 'torch',
               'zcflip video-direction=90r ! zcdownload ! '
               'fakesink').endswith('30 frames\n')


def test_cvcuda_flip():
    printed = run('cvcuda-flip-vs-zcflip.py', 'cvcuda', '100')
    assert len(re.findall('100 frames, 0 bytes differ', printed)) == 3, printed


if __name__ == '__main__':
    sys.exit(tap.run('examples', [
        (name[5:].replace('_', '-'), call)
        for name, call in list(globals().items())
        if name.startswith('test_')]))
