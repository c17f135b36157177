#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""softcuda has each driver function that installed libraries look up by name.

    symbols.py LIBCUDA LIBRARY...
"""
import re
import sys
from pathlib import Path

# Of an API that Windows alone has.
ELSEWHERE = re.compile(r'D3D')


def names(library):
    strings = re.findall(rb'(?<=\0)cu[A-Z][A-Za-z0-9]*(?:_v\d)?(?=\0)', Path(library).read_bytes())
    return sorted({s.decode() for s in strings if not ELSEWHERE.search(s.decode())})


def main():
    # not loaded: a build with sanitizers would not go into this process
    offered = set(Path(sys.argv[1]).read_bytes().split(b'\0'))
    libraries = sys.argv[2:]
    failed = False
    print(f'TAP version 13\n1..{len(libraries)}')
    for number, library in enumerate(libraries, 1):
        name = f'{number} /softcuda/symbols/{Path(library).name}'
        if not Path(library).exists():
            print(f'ok {name} # SKIP {library} is not installed here')
            continue
        wanted = names(library)
        missing = [name for name in wanted if name.encode() not in offered]
        wrong = missing or len(wanted) < 50
        failed = failed or wrong
        print('not ok' if wrong else 'ok', name)
        print(f'# {len(wanted)} names, missing: {" ".join(missing) or "none"}')
    return failed


sys.exit(main())
