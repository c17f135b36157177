#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Draws the diagrams of docs/, or compares them with what lies there.

    tools/docs/pictures.py [--check]
"""

import sys
from pathlib import Path

from drawing import Arrow, Box, Row, arrow, box, document, timeline

DOCS = Path(__file__).resolve().parents[2] / 'docs'
WRITER, READER = "writer's stream", "reader's stream"


def hazards() -> dict[str, str]:
    """One for each line of the table in order.md."""
    return {
        'order/raw.svg': timeline(
            "Read after write: the reader's stream waits for the write", [
                Row(WRITER, [Box(0, 4, 'writes the picture', 'write')]),
                Row(READER, [Box(1, 3.6, 'waits', 'wait'),
                             Box(4.6, 4, 'reads it', 'read')])],
            [Arrow(0, 4, 1, 4.6)]),
        'order/war.svg': timeline(
            "Write after read: the writer's stream waits for every read", [
                Row('one reader', [Box(0, 3, 'reads', 'read')]),
                Row(WRITER, [Box(1, 4.2, 'waits', 'wait'),
                             Box(5.2, 4, 'writes the next one', 'write')]),
                Row('another reader', [Box(0.6, 4, 'reads', 'read')])],
            [Arrow(0, 3, 1, 5.2), Arrow(2, 4.6, 1, 5.2)]),
        'order/waw.svg': timeline(
            "Write after write: the second writer's stream waits", [
                Row('first writer', [Box(0, 4, 'writes', 'write')]),
                Row('second writer', [Box(1.6, 3, 'waits', 'wait'),
                                      Box(4.6, 4, 'writes over it', 'write')])],
            [Arrow(0, 4, 1, 4.6)]),
        'order/untold.svg': timeline(
            'Readers on streams that nobody tells: one event after all of them',
            [
                Row('a stream', [Box(0, 3.2, 'reads', 'read')]),
                Row('some stream', [Box(0.4, 2.4, 'other work', 'cpu')]),
                Row('all streams', [Box(4.2, 2, 'one event', 'wait')]),
                Row(WRITER, [Box(6.6, 3.6, 'writes the next', 'write')])],
            [Arrow(0, 3.2, 2, 4.8), Arrow(1, 2.8, 2, 4.3),
             Arrow(2, 6.2, 3, 6.6)]),
        'order/source.svg': timeline(
            'The source of an upload stays mapped until the copy has run', [
                Row('its owner', [Box(0, 2.4, 'fills it', 'cpu'),
                                  Box(2.6, 3.4, 'may not touch it', 'wait'),
                                  Box(6.4, 2.8, 'fills it again', 'cpu')]),
                Row('zcupload', [Box(2.8, 3.2, 'copies it up', 'read')])],
            [Arrow(0, 2.4, 1, 2.8), Arrow(1, 6, 0, 6.4)]),
        'order/chunk.svg': timeline(
            'A page-locked chunk is filled again when its copy has run', [
                Row('CPU', [Box(0, 2, 'fills 1', 'cpu'),
                            Box(2.1, 2, 'fills 2', 'cpu'),
                            Box(5, 2.2, 'fills 1 again', 'cpu')]),
                Row('zcupload', [Box(2.2, 2.4, 'copies 1', 'read'),
                                 Box(4.8, 2.4, 'copies 2', 'read')])],
            [Arrow(0, 2, 1, 2.2), Arrow(1, 4.6, 0, 5)]),
        'order/registered.svg': timeline(
            'Page-locked memory of others is unlocked before it is freed', [
                Row('its owner', [Box(2.6, 1.6, 'unrefs it', 'cpu'),
                                  Box(4.4, 1.2, 'waits', 'wait'),
                                  Box(5.8, 1.8, 'unlocked', 'cpu'),
                                  Box(7.8, 1.6, 'freed', 'cpu')]),
                Row('GPU', [Box(0, 5.6, 'copies from it', 'read')])],
            [Arrow(1, 5.6, 0, 5.8)]),
        'order/download.svg': timeline(
            'The target of a download is pushed when the copy has run', [
                Row(WRITER, [Box(0, 2.6, 'writes', 'write')]),
                Row('zcdownload', [Box(3, 3, 'copies down', 'read')]),
                Row('CPU', [Box(3.2, 2.9, 'waits', 'wait'),
                            Box(6.4, 2.8, 'pushes, reads', 'cpu')])],
            [Arrow(0, 2.6, 1, 3), Arrow(1, 6, 2, 6.4)]),
    }


def downloads() -> dict[str, str]:
    return {
        'elements/download-alone.svg': timeline(
            'Without a queue the bus has nothing to do between two copies', [
                Row('bus', [Box(0, 3, 'frame 1', 'read'),
                            Box(4.6, 3, 'frame 2', 'read'),
                            Box(9.2, 3, 'frame 3', 'read')]),
                Row('CPU', [Box(0.2, 2.8, 'waits', 'wait'),
                            Box(3.05, 1.5, 'push 1', 'cpu'),
                            Box(4.8, 2.8, 'waits', 'wait'),
                            Box(7.65, 1.5, 'push 2', 'cpu'),
                            Box(9.4, 2.8, 'waits', 'wait')])], []),
        'elements/download-queue.svg': timeline(
            'With a queue in front the next copy is queued before the wait', [
                Row('bus', [Box(0, 3, 'frame 1', 'read'),
                            Box(3.05, 3, 'frame 2', 'read'),
                            Box(6.1, 3, 'frame 3', 'read'),
                            Box(9.15, 3, 'frame 4', 'read')]),
                Row('CPU', [Box(0.5, 2.5, 'waits', 'wait'),
                            Box(3.05, 1.5, 'push 1', 'cpu'),
                            Box(4.6, 1.4, 'waits', 'wait'),
                            Box(6.1, 1.5, 'push 2', 'cpu'),
                            Box(7.65, 1.4, 'waits', 'wait'),
                            Box(9.15, 1.5, 'push 3', 'cpu'),
                            Box(10.7, 1.4, 'waits', 'wait')])], []),
    }


def upload() -> str:
    """The ways of a picture in host memory."""
    rows = [('page-locked, ours or not', None),
            ('of others, comes again', 'page-locked where it lies'),
            ('comes once', 'copied to chunks by four threads'),
            ('cannot be locked', "copied by the driver")]
    parts = []
    for i, (memory, way) in enumerate(rows):
        y = 8 + 48 * i
        parts += box(4, y, 176, 34, memory, 'cpu')
        if way:
            parts += box(216, y, 232, 34, way, 'wait')
            parts.append(arrow(180, y + 17, 214, y + 17))
        parts.append(arrow(448 if way else 180, y + 17, 502, y + 17))
    parts += box(504, 8, 130, 178, 'GPU memory', 'read')
    return document(640, 194, 'The ways of a picture to the GPU', parts)


def layers() -> str:
    """Who uses whom, from top to bottom."""
    parts = [
        *box(4, 4, 220, 44, 'gst/\nelements and tracer', 'cpu'),
        *box(236, 4, 150, 44, 'python/\narrays', 'cpu'),
        *box(398, 4, 238, 44, 'your program or element', 'wait'),
        *box(4, 84, 632, 96, '', 'write'),
        '<text x="20" y="106">lib/gst/zc: libgstzc-1.0</text>',
        *box(20, 118, 118, 50, 'frames,\nreservations', 'wait'),
        *box(150, 118, 118, 50, 'uploads,\ndownloads', 'wait'),
        *box(280, 118, 100, 50, 'flips', 'wait'),
        *box(392, 118, 100, 50, 'pools', 'wait'),
        *box(504, 118, 118, 50, 'kernels/\nembedded', 'wait'),
        *box(4, 216, 310, 44, "GStreamer's libgstcuda-1.0\nmemory, contexts",
             'read'),
        *box(326, 216, 310, 44, 'libcuda.so.1, opened at run time:\n'
             "NVIDIA's driver, or tests/softcuda", 'read'),
        arrow(114, 48, 114, 82), arrow(311, 48, 311, 82),
        arrow(517, 48, 517, 82), arrow(159, 180, 159, 214),
        arrow(481, 180, 481, 214)]
    return document(640, 266, 'The layers of gst-zc', parts)


def one_frame() -> str:
    return timeline('One frame through three elements', [
        Row('thread', [Box(0, 1.7, 'upload', 'cpu'), Box(1.8, 1.3, 'flip', 'cpu'),
                       Box(3.2, 1.7, 'download', 'cpu'),
                       Box(5, 4.9, 'waits for the copy', 'wait'),
                       Box(10, 1.6, 'pushes', 'cpu')]),
        Row("zcupload's stream", [Box(1.2, 3, 'copies up', 'write')]),
        Row("zcflip's stream", [Box(2.8, 1.7, 'waits', 'wait'),
                                Box(4.5, 2, 'kernel', 'write')]),
        Row("zcdownload's", [Box(4.6, 2.2, 'waits', 'wait'),
                             Box(6.8, 3, 'copies down', 'read')])],
        [Arrow(1, 4.2, 2, 4.5), Arrow(2, 6.5, 3, 6.8)])


def everything() -> dict[str, str]:
    return {**hazards(), **downloads(), 'elements/upload.svg': upload(),
            'architecture/layers.svg': layers(),
            'architecture/frame.svg': one_frame()}


def main() -> int:
    wrong = []
    for name, text in everything().items():
        path = DOCS / name
        if '--check' not in sys.argv:
            path.parent.mkdir(exist_ok=True)
            path.write_text(text, encoding='utf-8')
        elif not path.is_file() or path.read_text(encoding='utf-8') != text:
            wrong.append(name)
    if wrong:
        print(f'pictures: not as tools/docs/pictures.py draws them: {wrong}',
              file=sys.stderr)
    return bool(wrong)


if __name__ == '__main__':
    sys.exit(main())
