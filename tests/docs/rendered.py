# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Every page of the HTML in a browser: no complaint in its console, no picture
that is missing, nothing that is wider than the window.

    rendered.py FOLDER [--pictures FOLDER]
"""

import shutil
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path

import tap
from browser import NAMES, Browser

WIDTHS = (1280, 390)  # a desk, and a telephone
BROKEN = ('[...document.images].filter(each => !each.complete || '
          '!each.naturalWidth).map(each => each.src)')
TOO_WIDE = ('document.documentElement.scrollWidth - '
            'document.documentElement.clientWidth')


def arguments() -> Namespace:
    parser = ArgumentParser(description=__doc__)
    parser.add_argument('folder', type=Path)
    parser.add_argument('--pictures', type=Path,
                        help='write a picture of each page, light and dark')
    return parser.parse_args()


def check(browser: Browser, page: Path, is_guide: bool) -> None:
    browser.look(WIDTHS[0], dark=False)
    browser.open(page)
    complaints = browser.complaints()
    assert not complaints, complaints
    broken = browser.evaluate(BROKEN)
    assert not broken, broken
    # gi-docgen's own pages are as they are
    for width in WIDTHS if is_guide else ():
        browser.look(width, dark=False)
        beyond = browser.evaluate(TOO_WIDE)
        assert beyond <= 0, f'{beyond} pixels too wide in {width}'


def take_pictures(browser: Browser, page: Path, stem: Path) -> None:
    stem.parent.mkdir(parents=True, exist_ok=True)
    for name, width, dark in (('light', WIDTHS[0], False),
                              ('dark', WIDTHS[0], True),
                              ('narrow', WIDTHS[1], False)):
        browser.look(width, dark)
        browser.open(page)
        browser.picture(stem.with_name(f'{stem.name}-{name}.png'))


def run(browser: Browser, options: Namespace, pages: list[Path]) -> int:
    def test(page: Path) -> None:
        inside = page.relative_to(options.folder)
        check(browser, page, inside.parts[0] != 'api')
        if options.pictures:
            take_pictures(browser, page,
                          options.pictures / inside.with_suffix(''))
    return tap.run('rendered', [
        (str(page.relative_to(options.folder)), lambda page=page: test(page))
        for page in pages])


def main() -> int:
    options = arguments()
    program = next(filter(None, map(shutil.which, NAMES)), None)
    if program is None:
        print(f'1..0 # SKIP no browser is installed: {", ".join(NAMES)}')
        return 0
    pages = sorted(options.folder.rglob('*.html'))
    with Browser(program) as browser:
        return run(browser, options, pages)


if __name__ == '__main__':
    sys.exit(main())
