# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""From Markdown, or a source, to a page of HTML."""

import html
import os
import re
from pathlib import Path, PurePosixPath
from string import Template

import markdown
from pygments import highlight
from pygments.formatters import HtmlFormatter
from pygments.lexers import TextLexer, get_lexer_for_filename
from pygments.util import ClassNotFound

import site_map as site

HERE = Path(__file__).parent
LIGHT, DARK = 'friendly', 'github-dark'
EXTENSIONS = ['tables', 'fenced_code', 'codehilite', 'toc', 'sane_lists']
FILE_NAME = re.compile(r'(<a [^>]*>)([\w./-]+\.md)(</a>)')
CELL = re.compile(r'<td.*?</td>', re.S)
SHORT = 3  # headings, with which a page needs no list of them
LONG = 30  # headings, of which only the upper ones are listed


class Formatter(HtmlFormatter):
    """Tells the style sheet which language a block is in."""

    def __init__(self, lang_str: str = '', **options):
        options['cssclass'] = f'codehilite {lang_str}'.strip()
        super().__init__(**options)


CONFIGURATION = {'codehilite': {'guess_lang': False,
                                'pygments_formatter': Formatter},
                 'toc': {'toc_depth': '2-3'}}


def style() -> str:
    """The style sheet, with the colours of code for both schemes."""
    def colours(name: str) -> str:
        return HtmlFormatter(style=name).get_style_defs('.codehilite')
    text = (HERE / 'style.css').read_text(encoding='utf-8')
    # the paper of a block is the page's own
    return re.sub(r'\.codehilite \{[^}]*\}', '', (
        f'{colours(LIGHT)}\n@media (prefers-color-scheme: dark) {{\n'
        f'{colours(DARK)}\n}}\n')) + text


def title_of(text: str, path: PurePosixPath) -> str:
    found = re.search(r'^# (.+)$', text, re.M)
    return found[1].replace('`', '') if found else path.name


def contents(converter: markdown.Markdown) -> str:
    """The list of a page's headings, if it helps."""
    headings = converter.toc_tokens
    n_headings = len(headings) + sum(len(each['children']) for each in headings)
    if n_headings <= SHORT:
        return ''
    if n_headings <= LONG:
        return converter.toc
    items = ''.join(f'<li><a href="#{each["id"]}">{each["name"]}</a></li>\n'
                    for each in headings)
    return f'<div class="toc"><ul>\n{items}</ul></div>'


class Renderer:
    """Makes the pages of one site."""

    def __init__(self, top: Path, listed: list[site.Section], has_api: bool):
        self.top, self.listed, self.has_api = top, listed, has_api
        self.template = Template(
            (HERE / 'page.html').read_text(encoding='utf-8'))
        self.order = [entry for section in listed for entry in section.entries]

    def href(self, page: PurePosixPath, target: str) -> str:
        """A link of a page, as it is in the HTML."""
        name, mark, fragment = target.partition('#')
        if site.is_outside(target) or not name:
            return target
        return self.relative(page, site.resolve(page, name)) + mark + fragment

    def relative(self, page: PurePosixPath, path: PurePosixPath) -> str:
        return os.path.relpath(site.place(self.top, path),
                               site.place(self.top, page).parent)

    def body(self, page: PurePosixPath, text: str) -> tuple[str, str]:
        """The page's text and the list of its headings."""
        converter = markdown.Markdown(extensions=EXTENSIONS,
                                      extension_configs=CONFIGURATION)
        body = converter.convert(text)
        body = re.sub(r'<!--.*?-->\n?', '', body, flags=re.S)
        body = re.sub(r'(href|src)="([^"]+)"', lambda match:
                      f'{match[1]}="{self.href(page, match[2])}"', body)
        body = FILE_NAME.sub(self.by_title, body)
        # a bar in a cell is escaped, in code too
        body = CELL.sub(lambda match: match[0].replace('\\|', '|'), body)
        body = body.replace('<table>', '<div class="table"><table>').replace(
            '</table>', '</table></div>')
        return body, contents(converter)

    def by_title(self, match: re.Match) -> str:
        """A link that shows a file's name shows the page's instead."""
        for entry in self.order:
            if entry.path.name == PurePosixPath(match[2]).name != 'README.md':
                return match[1] + html.escape(entry.title) + match[3]
        return match[0]

    def listing(self, path: PurePosixPath, text: str) -> str:
        try:
            lexer = get_lexer_for_filename(path.name)
        except ClassNotFound:
            lexer = TextLexer()
        return (f'<h1><code>{html.escape(str(path))}</code></h1>\n'
                + highlight(text, lexer, HtmlFormatter(cssclass='codehilite')))

    def navigation(self, page: PurePosixPath) -> str:
        lines = []
        for section in self.listed:
            lines.append(f'<h2>{html.escape(section.title)}</h2>\n<ul>')
            for entry in section.entries:
                here = ' aria-current="page"' if entry.path == page else ''
                lines.append(f'<li><a href="{self.relative(page, entry.path)}"'
                             f'{here}>{html.escape(entry.title)}</a></li>')
            lines.append('</ul>')
        return '\n'.join(lines)

    def neighbours(self, page: PurePosixPath) -> str:
        """Links to the page before and to the one after."""
        paths = [entry.path for entry in self.order]
        if page not in paths:
            return ''
        at = paths.index(page)
        found = []
        for rel, arrow, where in (('prev', '← ', at - 1), ('next', '', at + 1)):
            if 0 <= where < len(paths):
                entry = self.order[where]
                tail = ' →' if rel == 'next' else ''
                found.append(
                    f'<a rel="{rel}" href="{self.relative(page, entry.path)}">'
                    f'{arrow}{html.escape(entry.title)}{tail}</a>')
        return '\n'.join(found)

    def page(self, path: PurePosixPath) -> str:
        text = (self.top / path).read_text(encoding='utf-8')
        contents = ''
        if path.suffix == '.md':
            body, contents = self.body(path, text)
            title = title_of(text, path)
        else:
            body, title = self.listing(path, text), str(path)
        root = os.path.relpath('.', site.place(self.top, path).parent)
        api = (f'<p><a href="{root}/api/index.html">API reference</a></p>'
               if self.has_api else '')
        return self.template.substitute(
            title=html.escape(title), root=root, body=body, contents=contents,
            navigation=self.navigation(path), api=api,
            neighbours=self.neighbours(path))
