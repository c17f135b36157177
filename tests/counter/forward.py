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

# Tail calls: registers, stack and result are the caller's and the callee's.
JUMP = r'''__asm__ (".text\n.globl {name}\n.type {name}, @function\n{name}:\n"
    "  lock incq forward_counts+{offset}(%rip)\n"
    "  jmp *forward_slots+{offset}(%rip)\n"
    ".size {name}, .-{name}\n");'''


def names(nm, library):
    output = subprocess.run([nm, '-D', '--defined-only', library],
                            capture_output=True, text=True, check=True).stdout
    found = re.findall(r'\b[TW] ((?:cu[A-Z]|softcuda_(?!watch))\w*)', output)
    return sorted(set(found) | set(HIDDEN))


def main():
    out, nm, library = sys.argv[1:]
    functions = names(nm, library)
    jumps = '\n'.join(JUMP.format(name=name, offset=8 * i)
                      for i, name in enumerate(functions))
    table = ''.join(f'  "{name}",\n' for name in functions)
    Path(out).write_text(
        f'{SPDX}#include "forward.h"\n\n{jumps}\n\n'
        f'const char *const forward_names[] = {{\n{table}}};\n'
        f'const unsigned forward_n = {len(functions)};\n'
        f'unsigned long forward_counts[{len(functions)}];\n'
        f'void *forward_slots[{len(functions)}];\n')


main()
