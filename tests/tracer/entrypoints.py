# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""No entry point of the driver is used behind the tracer's back.

    entrypoints.py GSTZCCUDA.H GSTZCTRACEDRIVER.C
"""

import re
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'api'))
import tap  # noqa: E402

# These copy nothing, launch nothing, wait for nothing and make no memory.
SILENT = {
    'cuInit', 'cuDriverGetVersion', 'cuGetErrorName', 'cuGetErrorString',
    'cuDeviceGetCount', 'cuDeviceGet', 'cuDeviceGetAttribute',
    'cuDeviceGetName', 'cuDeviceTotalMem', 'cuDeviceCanAccessPeer',
    'cuDeviceGetPCIBusId', 'cuDeviceGetUuid', 'cuDevicePrimaryCtxGetState',
    'cuDevicePrimaryCtxRetain', 'cuDevicePrimaryCtxRelease',
    'cuCtxPushCurrent', 'cuCtxPopCurrent',
    'cuCtxGetCurrent', 'cuCtxGetDevice', 'cuCtxRecordEvent',
    'cuThreadExchangeStreamCaptureMode', 'cuStreamGetId', 'cuEventDestroy',
    'cuEventQuery', 'cuEventElapsedTime', 'cuMemGetAddressRange',
    'cuPointerGetAttribute', 'cuPointerGetAttributes', 'cuModuleUnload',
    'cuModuleGetFunction', 'cuStreamIsCapturing', 'cuFuncLoad', 'cuMemGetInfo',
    'cuFuncGetParamInfo',
}


def names(path: str, macro: str) -> set[str]:
    """The first arguments of the X macro's lines."""
    text = Path(path).read_text(encoding='utf-8')
    lists = re.findall(rf'#define {macro}\(X\)(.*?)(?<!\\)\n', text, re.S)
    assert lists, (path, macro)
    return {name for each in lists for name in re.findall(r'X \((\w+)', each)}


def all_are_traced(header: str, source: str) -> None:
    used = names(header, r'ZC_CUDA_\w*ENTRY_POINTS')
    traced = names(source, 'TRACED')
    assert len(used) > 30 and len(traced) > 10, (used, traced)
    missing = used - traced - SILENT
    assert not missing, (
        f'{sorted(missing)}: give each a line in TRACED of {source}, or list it '
        'here if it moves nothing, makes nothing and waits for nothing')
    assert traced <= used, traced - used
    assert not traced & SILENT, traced & SILENT


if __name__ == '__main__':
    sys.exit(tap.run('tracer', [
        ('entry-points', lambda: all_are_traced(*sys.argv[1:]))]))
