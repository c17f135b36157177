# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Puts pictures on one sheet, each with its name below."""

from pathlib import Path
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

COLUMNS = 4
CELL = 280     # pixels, the longer side of a picture on the sheet
MARGIN = 16
LABEL = 32     # pixels, the height of a name's line
PAPER = (250, 250, 250)
INK = (30, 30, 30)


class Pixels(NamedTuple):
    """A picture in RGB, rows `stride` bytes apart."""
    width: int
    height: int
    stride: int
    data: bytes


def to_image(pixels: Pixels) -> Image.Image:
    image = Image.frombytes('RGB', (pixels.width, pixels.height), pixels.data,
                            'raw', 'RGB', pixels.stride)
    image.thumbnail((CELL, CELL))
    return image


def write(pictures: dict[str, Pixels], path: Path) -> None:
    """Writes the sheet as a PNG, the pictures in the order of the dict."""
    rows = -(-len(pictures) // COLUMNS)
    across, down = CELL + MARGIN, CELL + LABEL + MARGIN
    sheet = Image.new('RGB', (COLUMNS * across + MARGIN, rows * down + MARGIN),
                      PAPER)
    draw = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(20)
    for index, (name, pixels) in enumerate(pictures.items()):
        image = to_image(pixels)
        left = MARGIN + index % COLUMNS * across
        top = MARGIN + index // COLUMNS * down
        sheet.paste(image, (left + (CELL - image.width) // 2,
                            top + (CELL - image.height) // 2))
        draw.text((left + CELL / 2, top + CELL + LABEL / 2), name, INK, font,
                  anchor='mm')
    sheet.save(path)
