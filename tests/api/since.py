# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Nothing is used that the oldest GStreamer which is asked for has not.

What came when stands in the GIR files of the GStreamer that is installed. The
symbols that the binaries import are compared with it, and each word of the
sources: an enumeration's value or a macro leaves no symbol.
"""

import re
import sys
from argparse import ArgumentParser
from pathlib import Path
from typing import Iterator
from xml.etree import ElementTree

import tap

CORE = '{http://www.gtk.org/introspection/core/1.0}'
NAME = '{http://www.gtk.org/introspection/c/1.0}'
GET_TYPE = '{http://www.gtk.org/introspection/glib/1.0}get-type'

# Files that Meson takes only where what they use is there.
GUARDED: tuple[str, ...] = ()


def number(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in re.findall(r'\d+', version))


def entries(element: ElementTree.Element,
            since: str = '0') -> Iterator[tuple[str, str]]:
    """Names of C with the version of GStreamer that brought them."""
    since = max(since, element.get('version', '0'), key=number)
    for key in (NAME + 'identifier', NAME + 'type', GET_TYPE):
        name = element.get(key)
        if name and element.tag != CORE + 'type':
            yield name, since
    for child in element:
        yield from entries(child, since)


def read_girs(folders: list[Path]) -> dict[str, str]:
    found = {}
    for path in sorted(path for folder in folders
                       for path in folder.glob('Gst*-1.0.gir')):
        if path.name.startswith('GstZc'):
            continue
        # the version of the file's format and of the name space are others
        for each in ElementTree.parse(path).getroot().find(CORE + 'namespace'):
            found.update(entries(each))
    return found


def imported(path: str) -> set[str]:
    lines = tap.command('nm', '-D', '--undefined-only', path).splitlines()
    return {line.split()[-1].partition('@')[0] for line in lines}


def words(folder: Path) -> Iterator[tuple[str, str]]:
    for path in sorted([*folder.rglob('*.c'), *folder.rglob('*.h')]):
        if path.name not in GUARDED:
            text = path.read_text(encoding='utf-8')
            text = re.sub(r'/\*.*?\*/|//[^\n]*|"[^"\n]*"', '', text, flags=re.S)
            yield from ((word, path.name)
                        for word in set(re.findall(r'\w+', text)))


class Since:
    def __init__(self, oldest: str, known: dict[str, str]):
        self.oldest = number(oldest)
        self.known = known

    def is_newer(self, name: str) -> bool:
        return number(self.known.get(name, '0')) > self.oldest

    def knows(self) -> None:
        """The GIR files say what they are asked."""
        assert self.known['gst_buffer_new'] == '0'
        assert self.known['gst_cuda_memory_get_stream'] == '1.24'
        assert 'GST_VIDEO_FORMAT_NV12' in self.known
        if 'gst_video_encoder_release_frame' in self.known:
            assert number(self.known['gst_video_encoder_release_frame']
                          ) == (1, 26)

    def binary(self, path: str) -> None:
        found = imported(path)
        assert sum(name in self.known for name in found) > 3, found
        newer = {name: self.known[name] for name in found
                 if self.is_newer(name)}
        assert not newer, f'{path} needs {newer}'

    def sources(self, folder: Path) -> None:
        newer = [f'{file}: {word} is of {self.known[word]}'
                 for word, file in words(folder) if self.is_newer(word)]
        assert not newer, newer


def main() -> int:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--oldest')
    parser.add_argument('--girs', type=Path, nargs='+')
    parser.add_argument('--sources', type=Path, nargs='+')
    parser.add_argument('--binaries', nargs='+')
    options = parser.parse_args()
    tap.need('nm')
    since = Since(options.oldest, read_girs(options.girs))
    return tap.run('since', [
        ('knows', since.knows),
        *[(f'imports/{Path(path).name.partition(".so")[0]}',
           lambda path=path: since.binary(path))
          for path in options.binaries],
        *[(f'sources/{folder.name}', lambda folder=folder: since.sources(folder))
          for folder in options.sources]])


if __name__ == '__main__':
    sys.exit(main())
