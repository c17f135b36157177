#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Write a counting jump for each function of the driver.

    forward.py OUT.c NM LIBCUDA

LIBCUDA is softcuda's, which has every name of cuda.h. Like NVIDIA's driver the
result tells nobody what others call: softcuda_watch is left out.
"""
import re
import subprocess
import sys
from pathlib import Path

SPDX = ('/* SPDX-License-Identifier: LGPL-2.1-or-later */\n'
        '/* SPDX-FileCopyrightText: The gst-zc authors */\n\n')

# Of the driver, but not of cuda.h: libcudart asks for it.
HIDDEN = ['cuGetExportTable']

# procaddr.c has them.
WRITTEN = ['cuGetProcAddress', 'cuGetProcAddress_v2']

# For what cuGetProcAddress() answers and no symbol has.
SPARES = 1024

# Tail calls: registers, stack and result are the caller's and the callee's.
JUMP = r'''__asm__ (".text\n{scope} {name}\n.type {name}, @function\n{name}:\n"
    "  lock incq forward_counts+{offset}(%rip)\n"
    "  jmp *forward_slots+{offset}(%rip)\n"
    ".size {name}, .-{name}\n");'''


def names(nm, library):
    output = subprocess.run([nm, '-D', '--defined-only', library],
                            capture_output=True, text=True, check=True).stdout
    found = re.findall(r'\b[TW] ((?:cu[A-Z]|softcuda_(?!watch))\w*)', output)
    return sorted(set(found) | set(HIDDEN))


def jump(name, index):
    scope = '.local' if name.startswith('spare_') else '.globl'
    return JUMP.format(name=name, offset=8 * index, scope=scope)


def main():
    out, nm, library = sys.argv[1:]
    functions = names(nm, library)
    spares = [f'spare_{i}' for i in range(SPARES)]
    every = functions + spares
    jumps = '\n'.join(jump(name, i) for i, name in enumerate(every)
                      if name not in WRITTEN)
    declared = ''.join(f'extern void {name} (void);\n' for name in every)
    table = ''.join(f'  "{name}",\n' for name in functions)
    addresses = ''.join(f'  (void *) {name},\n' for name in every)
    Path(out).write_text(
        f'{SPDX}#include "forward.h"\n\n{declared}\n{jumps}\n\n'
        f'const char *forward_names[{len(every)}] = {{\n{table}}};\n'
        f'const unsigned forward_n = {len(functions)};\n'
        f'const unsigned forward_n_spares = {SPARES};\n'
        f'unsigned long forward_counts[{len(every)}];\n'
        f'void *forward_slots[{len(every)}];\n'
        f'void *const forward_jumps[] = {{\n{addresses}}};\n')


main()
