# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Each link of the HTML leads somewhere: to a file, and to a place in it.

    links.py FOLDER

Links to other servers are counted, not followed.
"""

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urldefrag

import tap

ATTRIBUTES = {'href', 'src'}
OUTSIDE = ('http:', 'https:', 'data:', 'mailto:')


class Page(HTMLParser):
    """The links of a page, and the places that links may lead to."""

    def __init__(self, path: Path):
        super().__init__()
        self.links: list[str] = []
        self.places: set[str] = set()
        self.feed(path.read_text(encoding='utf-8'))

    def handle_starttag(self, tag, attrs):
        for name, value in attrs:
            if name in ATTRIBUTES:
                self.links.append(value)
            elif name == 'id' or (tag, name) == ('a', 'name'):
                self.places.add(value)


def problem(pages: dict[Path, Page], path: Path, link: str) -> str:
    """What is wrong with a link, or nothing."""
    name, place = urldefrag(link)
    target = (path.parent / unquote(name)).resolve() if name else path
    if not target.is_file():
        return f'{link}: there is no such file'
    if place and target in pages and unquote(place) not in pages[target].places:
        return f'{link}: there is no such place in it'
    return ''


def check(pages: dict[Path, Page], path: Path) -> None:
    links = [link for link in pages[path].links
             if not link.startswith(OUTSIDE)]
    assert links, 'a page that leads nowhere'
    found = [problem(pages, path, link) for link in links]
    assert not any(found), '\n'.join(filter(None, found))


def check_reached(pages: dict[Path, Page], index: Path) -> None:
    """From the index every page can be reached."""
    waiting, seen = [index], set()
    while waiting:
        path = waiting.pop()
        if path in seen or path not in pages:
            continue
        seen.add(path)
        waiting += [(path.parent / unquote(urldefrag(link)[0])).resolve()
                    for link in pages[path].links
                    if not link.startswith(OUTSIDE)]
    missing = [str(path) for path in set(pages) - seen]
    assert not missing, missing


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    pages = {path: Page(path) for path in sorted(folder.rglob('*.html'))}
    outside = {link for page in pages.values() for link in page.links
               if link.startswith(OUTSIDE)}
    print(f'# {len(pages)} pages, '
          f'{sum(len(page.links) for page in pages.values())} links, '
          f'{len(outside)} places elsewhere, which are not looked at')
    return tap.run('links', [
        (str(path.relative_to(folder)), lambda path=path: check(pages, path))
        for path in pages] + [
            ('all-reached',
             lambda: check_reached(pages, folder / 'index.html'))])


if __name__ == '__main__':
    sys.exit(main())
