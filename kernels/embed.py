#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""embed.py FATBIN OUTPUT.c: makes a C array of a fatbin."""

import struct
import sys

# A fatbin is a header and entries, each a header and an image.
HEADER = struct.Struct('<IHHQ')  # magic, version, header size, size of the rest
ENTRY = struct.Struct('<HHIQ')  # kind, version, header size, image size
MAGIC = 0xba55ed50
ARCHITECTURE_AT = 28  # in an entry's header, 32 bits
KINDS = {1: 'compute', 2: 'sm'}  # PTX, cubin

TEMPLATE = '''\
/* Made by embed.py. */
#include "flipfatbin.h"

_Alignas (16) const unsigned char zc_flip_fatbin[] = {
%s
};
const size_t zc_flip_fatbin_size = sizeof (zc_flip_fatbin);
const char zc_flip_fatbin_architectures[] = "%s";
'''


def architectures(image):
    """Names what the fatbin holds, sm_XX first."""
    magic, _, at, size = HEADER.unpack_from(image)
    if magic != MAGIC:
        raise ValueError('not a fatbin: it does not start with its magic')
    end = at + size
    if end > len(image):
        raise ValueError(f'cut short: {len(image)} of {end} bytes')
    names = []
    while at < end:
        kind, _, header, size = ENTRY.unpack_from(image, at)
        number, = struct.unpack_from('<I', image, at + ARCHITECTURE_AT)
        names.append(f'{KINDS[kind]}_{number}')
        at += header + size
    return sorted(names, key=lambda n: (n[0] != 's', int(n.split('_')[1])))


def c_bytes(image):
    """The bytes as lines of C."""
    lines = (image[i:i + 16] for i in range(0, len(image), 16))
    return '\n'.join('  ' + ' '.join(f'{b},' for b in line) for line in lines)


def main():
    """Reads the one file and writes the other."""
    _, source, target = sys.argv
    with open(source, 'rb') as file:
        image = file.read()
    try:
        names = architectures(image)
    except (ValueError, KeyError, struct.error) as error:
        sys.exit(f'{source}: {error}')
    with open(target, 'w', encoding='ascii') as file:
        file.write(TEMPLATE % (c_bytes(image), ' '.join(names)))


if __name__ == '__main__':
    main()
