#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Write a weak stub for each driver function, and the names of the errors.

    stubs.py OUT_STUBS.c OUT_ERRORNAMES.h COMPILER...

The names come from cuda.h as the driver's own build sees it. A function that
softcuda implements takes its stub's place when the library is linked.
"""
import re
import subprocess
import sys
from pathlib import Path

SPDX = ('/* SPDX-License-Identifier: LGPL-2.1-or-later */\n'
        '/* SPDX-FileCopyrightText: The gst-zc authors */\n\n')

# Declared in cudaGL.h, cudaEGL.h and cudaVDPAU.h, which need other headers.
GRAPHICS = '''
    cuGLCtxCreate cuGLCtxCreate_v2 cuGLGetDevices cuGLGetDevices_v2 cuGLInit
    cuGLMapBufferObject cuGLMapBufferObject_v2 cuGLMapBufferObjectAsync
    cuGLMapBufferObjectAsync_v2 cuGLRegisterBufferObject
    cuGLSetBufferObjectMapFlags cuGLUnmapBufferObject
    cuGLUnmapBufferObjectAsync cuGLUnregisterBufferObject
    cuGraphicsGLRegisterBuffer cuGraphicsGLRegisterImage
    cuEGLStreamConsumerAcquireFrame cuEGLStreamConsumerConnect
    cuEGLStreamConsumerConnectWithFlags cuEGLStreamConsumerDisconnect
    cuEGLStreamConsumerReleaseFrame cuEGLStreamProducerConnect
    cuEGLStreamProducerDisconnect cuEGLStreamProducerPresentFrame
    cuEGLStreamProducerReturnFrame cuEventCreateFromEGLSync
    cuGraphicsEGLRegisterImage cuGraphicsResourceGetMappedEglFrame
    cuGraphicsVDPAURegisterOutputSurface cuGraphicsVDPAURegisterVideoSurface
    cuVDPAUCtxCreate cuVDPAUCtxCreate_v2 cuVDPAUGetDevice
'''.split()


def preprocess(compiler):
    source = '#define __CUDA_API_VERSION_INTERNAL\n#include <cuda.h>\n'
    return subprocess.run([*compiler, '-E', '-P', '-x', 'c', '-'],
                          input=source, capture_output=True, text=True, check=True).stdout


def stubs(header):
    declared = re.findall(r'\bCUresult\s+(cu[A-Z]\w*)\s*\(', header)
    for name in sorted(set(declared) | set(GRAPHICS)):
        yield (f'__attribute__ ((weak, visibility ("default"))) int {name} (void);\n'
               f'int\n{name} (void)\n{{\n  return sc_stub ("{name}");\n}}\n')


def error_names(header):
    for name in dict.fromkeys(re.findall(r'\b(CUDA_(?:ERROR_\w+|SUCCESS))\s*=', header)):
        yield f'  {{ {name}, "{name}" }},'


def main():
    out_stubs, out_errors, *compiler = sys.argv[1:]
    header = preprocess(compiler)
    Path(out_stubs).write_text(SPDX + '#include "stub.h"\n\n' + '\n'.join(stubs(header)))
    Path(out_errors).write_text(
        SPDX + '#define SC_ERROR_NAMES \\\n' + ' \\\n'.join(error_names(header)) + '\n')


main()
