# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Grouped bars of ratios as an SVG, with a line at 1."""

import math
from html import escape
from itertools import cycle
from typing import Optional

COLOURS = ('#1b6ca8', '#e08e45', '#5b8c5a', '#a23b72', '#7d7d7d', '#c7b446',
           '#4aa3a2', '#8d5a97')
WIDTH = 960
LEFT, RIGHT, TOP, BOTTOM = 56, 16, 96, 48  # around the bars
HEIGHT = 260  # of the bars
LOG_FROM = 8.0  # a ratio that high makes the scale logarithmic
CHARACTER = 7.2  # width at this font size, about
BARS = dict[tuple[str, str], Optional[float]]


class Scale:
    """From a ratio to its height in the picture."""

    def __init__(self, highest: float):
        self.log = highest >= LOG_FROM
        if self.log:
            # the bars begin below 1, so that a bar of 1 can be seen
            self.low = 0.5
            self.high = highest * 1.15
        else:
            self.low = 0.0
            self.high = max(1.2, highest * 1.08)

    def y(self, ratio: float) -> float:
        if self.log:
            ratio = max(ratio, self.low)
            part = (math.log(ratio / self.low) / math.log(self.high / self.low))
        else:
            part = ratio / self.high
        return TOP + HEIGHT * (1 - part)

    def ticks(self) -> list[float]:
        if self.log:
            powers = range(math.ceil(math.log10(self.high)) + 1)
            marks = [m * 10 ** p for p in powers for m in (1, 2, 5)]
        else:
            step = next(s for s in (0.1, 0.2, 0.5, 1, 2)
                        if self.high / s <= 10)
            marks = [step * i for i in range(12)]
        return [mark for mark in marks if self.low <= mark <= self.high]


def text(x: float, y: float, words: str, anchor: str = 'middle',
         size: int = 12) -> str:
    return (f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" '
            f'font-size="{size}">{escape(words)}</text>')


def axis(scale: Scale) -> list[str]:
    parts = []
    for tick in scale.ticks():
        y = scale.y(tick)
        strong = abs(tick - 1) < 1e-9
        parts.append(f'<line x1="{LEFT}" x2="{WIDTH - RIGHT}" y1="{y:.1f}" '
                     f'y2="{y:.1f}" stroke="{"#333" if strong else "#ddd"}"/>')
        parts.append(text(LEFT - 8, y + 4, f'{tick:g}', 'end'))
    return parts


def legend(series: list[str]) -> list[str]:
    parts, x, y = [], float(LEFT), 34
    for name, colour in zip(series, cycle(COLOURS)):
        parts.append(f'<rect x="{x:.1f}" y="{y}" width="12" height="12" '
                     f'fill="{colour}"/>')
        parts.append(text(x + 17, y + 11, name, 'start'))
        x += 34 + CHARACTER * len(name)
    return parts


def bar(x: float, width: float, y: float, bottom: float, colour: str,
        label: str) -> str:
    return (f'<rect x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" '
            f'height="{bottom - y:.1f}" fill="{colour}">'
            f'<title>{escape(label)}</title></rect>')


def number(x: float, y: float, ratio: float) -> str:
    """Upright, so that the numbers of narrow bars do not run into each other"""
    return (f'<text transform="translate({x + 3.5:.1f} {y - 4:.1f}) '
            f'rotate(-90)" font-size="10">{ratio:.2f}</text>')


def group_of_bars(scale: Scale, x: float, width: float, group: str,
                  series: list[str], bars: BARS) -> list[str]:
    parts = [text(x + width / 2, TOP + HEIGHT + 18, group)]
    gap = width * 0.12
    each = (width - 2 * gap) / len(series)
    for i, name in enumerate(series):
        ratio = bars.get((group, name))
        if not ratio:
            continue
        at, y = x + gap + i * each, scale.y(ratio)
        parts.append(bar(at, each * 0.9, y, TOP + HEIGHT,
                         COLOURS[i % len(COLOURS)],
                         f'{group}, {name}: {ratio:.3f}'))
        parts.append(number(at + each * 0.45, y, ratio))
    return parts


def draw(title: str, groups: list[str], series: list[str], bars: BARS) -> str:
    scale = Scale(max(ratio for ratio in bars.values() if ratio))
    height = TOP + HEIGHT + BOTTOM
    width = (WIDTH - LEFT - RIGHT) / len(groups)
    parts = [text(WIDTH / 2, 20, title, size=14)] + legend(series) + axis(scale)
    for i, group in enumerate(groups):
        parts += group_of_bars(scale, LEFT + i * width, width, group, series,
                               bars)
    note = 'lower is better' + (', logarithmic scale' if scale.log else '')
    parts.append(text(WIDTH / 2, height - 8, note))
    body = '\n'.join(parts)
    return ('<!-- SPDX-License-Identifier: LGPL-2.1-or-later -->\n'
            '<!-- SPDX-FileCopyrightText: The gst-zc authors -->\n'
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} '
            f'{height}" font-family="sans-serif" fill="#222">\n'
            f'<rect width="{WIDTH}" height="{height}" fill="#fff"/>\n'
            f'{body}\n</svg>\n')
