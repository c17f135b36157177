# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Programs that end while the GPU, or C, still has something of theirs."""

import os
import subprocess
import sys
from pathlib import Path

import front
from driver import Driver

front.need_numpy()
HEAD = '''
import ctypes, front
from driver import Driver
from fakes import Array, Picture
from front import caps, zc
SMALL = caps('NV12', 64, 48)
driver = Driver()
picture = Picture(driver)
array = Array(picture.stacked)
'''
PROGRAMS = {
    'nothing-but-a-copy': '''
import numpy as np
zc.upload(picture.stacked, np.zeros((72, 64), np.uint8))
''',
    'wrapped': 'buffer = zc.wrap(array, SMALL)',
    'mapped': '''
buffer = front.buffer(SMALL)
frame = zc.map(buffer, SMALL)
interface = frame.planes[0].__cuda_array_interface__
''',
    'capsule': '''
buffer = front.buffer(SMALL)
with zc.map(buffer, SMALL) as frame:
    capsule = frame.planes[0].__dlpack__(max_version=(1, 0))
    plane = frame.planes[1]
    print(plane.ptr)
''',
    'read-late': '''
reader = driver.stream()
buffer = zc.wrap(array, SMALL)
with zc.map(buffer, SMALL, stream=reader) as frame:
    driver.delay(reader, 300)
    driver.read_rows(frame.planes[0].__cuda_array_interface__, reader)
del buffer, frame, array
''',
    'given-back-meanwhile': '''
for _ in range(50):
    zc.wrap(array, SMALL)
''',
    'leaked-to-c': '''
buffer = zc.wrap(array, SMALL)
pointer = hash(buffer) if front.NAME == 'gi' else buffer.pointer
ctypes.CDLL('libgstreamer-1.0.so.0').gst_mini_object_ref(
    ctypes.c_void_p(pointer))
del buffer, array
''',
    'given-back-without-python': '''
buffer = zc.wrap(array, SMALL)
pointer = hash(buffer) if front.NAME == 'gi' else buffer.pointer
gst = ctypes.CDLL('libgstreamer-1.0.so.0')
gst.gst_mini_object_ref(ctypes.c_void_p(pointer))
del buffer, array
ctypes.CDLL(None).__cxa_atexit(gst.gst_mini_object_unref,
                               ctypes.c_void_p(pointer), None)
''',
    'playing': '''
line = ('videotestsrc ! video/x-raw,format=NV12,width=64,height=48 ! '
        'zcupload ! appsink name=sink max-buffers=2')
pipeline = front.FRONT.pipeline(line).__enter__()
sample = pipeline.pull()
frame = zc.map(sample.buffer, sample.caps)
print(frame.planes[0].ptr)
''',
}


def check(program):
    Driver()
    result = subprocess.run(
        [sys.executable, '-c', HEAD + program, front.NAME],
        capture_output=True, text=True, timeout=60, check=False,
        env={**os.environ, 'PYTHONPATH': os.pathsep.join(
            [str(Path(__file__).parent), *sys.path])})
    assert result.returncode == 0 and not result.stderr, result


TABLE_WITH = (check, {name: (text,) for name, text in PROGRAMS.items()})


if __name__ == '__main__':
    sys.exit(front.run('ending', globals()))
