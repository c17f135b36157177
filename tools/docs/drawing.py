# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Small SVGs that can be read on light and on dark paper."""

from html import escape
from typing import NamedTuple

STYLE = '''<style>
text { fill: #1f2328 }
.faint { fill: #59636e }
.write { fill: #f3d3b4; stroke: #b5651d }
.read { fill: #cfe2f5; stroke: #2b6cb0 }
.cpu { fill: #e2e6ea; stroke: #6b7580 }
.wait { fill: none; stroke: #6b7580; stroke-dasharray: 4 3 }
.line { stroke: #d0d6dc }
.arrow { stroke: #1f2328; fill: none; stroke-width: 1.5 }
.head { fill: #1f2328 }
@media (prefers-color-scheme: dark) {
text { fill: #dde2e8 }
.faint { fill: #98a2ad }
.write { fill: #5c3a1c; stroke: #e0a060 }
.read { fill: #1e3d5c; stroke: #7fb5ee }
.cpu { fill: #333b44; stroke: #98a2ad }
.wait { stroke: #98a2ad }
.line { stroke: #3a434d }
.arrow { stroke: #dde2e8 }
.head { fill: #dde2e8 }
}
</style>'''
HEAD = ('<marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" '
        'markerHeight="7" orient="auto"><path class="head" d="M0 0L8 4L0 8z"/>'
        '</marker>')
UNIT = 40     # pixels for one unit of time
LABEL = 130   # pixels for the name of a row
ROW = 44      # pixels from a row to the next
HEIGHT = 28   # of a box


class Box(NamedTuple):
    start: float
    length: float
    text: str
    kind: str  # write, read, cpu or wait


class Row(NamedTuple):
    label: str
    boxes: list[Box]


class Arrow(NamedTuple):
    """From a time in a row to one in another; rows count from 0."""
    row: int
    time: float
    to_row: int
    to_time: float


def document(width: int, height: int, title: str, parts: list[str]) -> str:
    return '\n'.join([
        '<!-- SPDX-License-Identifier: LGPL-2.1-or-later -->',
        '<!-- SPDX-FileCopyrightText: The gst-zc authors -->',
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" '
        f'height="{height}" viewBox="0 0 {width} {height}" '
        'font-family="sans-serif" font-size="13">',
        f'<title>{escape(title)}</title>', STYLE, f'<defs>{HEAD}</defs>',
        *parts, '</svg>', ''])


def box(x: float, y: float, width: float, height: float, text: str,
        kind: str) -> list[str]:
    lines = text.split('\n')
    top = y + height / 2 + 4.5 - 8 * (len(lines) - 1)
    return [f'<rect class="{kind}" x="{x:g}" y="{y:g}" width="{width:g}" '
            f'height="{height:g}" rx="4"/>'] + [
        f'<text x="{x + width / 2:g}" y="{top + 16 * i:g}" '
        f'text-anchor="middle">{escape(line)}</text>'
        for i, line in enumerate(lines)]


def arrow(x: float, y: float, to_x: float, to_y: float) -> str:
    return (f'<path class="arrow" d="M{x:g} {y:g}L{to_x:g} {to_y:g}" '
            'marker-end="url(#head)"/>')


def free_time(row: Row, y: float, end: float) -> str:
    """A line, but for where the boxes are."""
    path, x = '', LABEL
    for each in sorted(row.boxes):
        if (left := LABEL + each.start * UNIT) > x:
            path += f'M{x:g} {y:g}H{left:g}'
        x = left + each.length * UNIT
    return f'<path class="line" d="{path}M{x:g} {y:g}H{max(x, end):g}"/>'


def timeline(title: str, rows: list[Row], arrows: list[Arrow]) -> str:
    """Rows of boxes over time; an arrow says what comes first."""
    end = max(each.start + each.length for row in rows for each in row.boxes)
    width = int(LABEL + end * UNIT + 12)
    parts = []
    for i, row in enumerate(rows):
        middle = i * ROW + ROW / 2
        parts.append(free_time(row, middle, width - 8))
        parts.append(f'<text x="4" y="{middle + 4.5:g}">{escape(row.label)}'
                     '</text>')
        for each in row.boxes:
            parts += box(LABEL + each.start * UNIT, middle - HEIGHT / 2,
                         each.length * UNIT, HEIGHT, each.text, each.kind)
    for each in arrows:
        down = 1 if each.to_row > each.row else -1
        parts.append(arrow(
            LABEL + each.time * UNIT,
            each.row * ROW + ROW / 2 + down * HEIGHT / 2,
            LABEL + each.to_time * UNIT,
            each.to_row * ROW + ROW / 2 - down * (HEIGHT / 2 + 1)))
    return document(width, len(rows) * ROW, title, parts)
