#!/usr/bin/env python3
# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Makes HTML of docs/: the guides by Python-Markdown, the reference of the
library by gi-docgen.

    build.py --output FOLDER [--gir FILE] [--gi-docgen PROGRAM] [--version N]
             [--depfile FILE] [--werror]
"""

import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

import reference
import render
import site_map as site

TOP = Path(__file__).resolve().parents[2]
HERE = Path(__file__).parent


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('--output', type=Path, required=True)
    parser.add_argument('--gir', type=Path)
    parser.add_argument('--gi-docgen', default='gi-docgen')
    parser.add_argument('--version', default='')
    parser.add_argument('--depfile', type=Path)
    parser.add_argument('--werror', action='store_true')
    return parser.parse_args()


def write_guides(folder: Path, has_api: bool) -> list[Path]:
    """Writes all pages, and returns the files that they are made of."""
    listed = site.sections(TOP)
    site.check_index(TOP, listed)
    renderer = render.Renderer(TOP, listed, has_api)
    files = site.collect(TOP)
    for path in files:
        target = folder / site.place(TOP, path)
        target.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix in site.PICTURES | site.DATA:
            shutil.copyfile(TOP / path, target)
        else:
            target.write_text(renderer.page(path), encoding='utf-8')
    (folder / 'style.css').write_text(render.style(), encoding='utf-8')
    return [TOP / path for path in files]


def write_depfile(path: Path, output: Path, files: list[Path]) -> None:
    own = [each for each in HERE.iterdir() if each.is_file()]
    names = ' '.join(str(each).replace(' ', r'\ ') for each in files + own)
    path.write_text(f'{output}: {names}\n', encoding='utf-8')


def main() -> int:
    options = arguments()
    new = options.output.with_name(options.output.name + '.new')
    shutil.rmtree(new, ignore_errors=True)
    new.mkdir(parents=True)
    try:
        files = write_guides(new, options.gir is not None)
    except site.DocsError as error:
        print(f'docs: {error}', file=sys.stderr)
        return 1
    if options.gir:
        reference.write(new / 'api', options.gir, options.gi_docgen,
                        options.version, options.werror)
    if options.depfile:
        write_depfile(options.depfile, options.output, files)
    shutil.rmtree(options.output, ignore_errors=True)
    new.rename(options.output)
    return 0


if __name__ == '__main__':
    sys.exit(main())
