# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The reference of the library, by gi-docgen from the introspection data.

The headers name functions as C does, name(); gi-docgen makes links only of its
own way to write them, so that comes in between.
"""

import re
import subprocess
import tempfile
from pathlib import Path
from xml.etree import ElementTree

HERE = Path(__file__).parent
CORE = '{http://www.gtk.org/introspection/core/1.0}'
C_NAME = '{http://www.gtk.org/introspection/c/1.0}identifier'
KINDS = {'method': 'method', 'constructor': 'ctor', 'function': 'func'}
TYPES = {'record', 'class', 'interface', 'enumeration', 'bitfield'}
DOC = re.compile(r'(<doc(?:-deprecated)?\b[^>]*>)(.*?)(</doc)', re.S)
CALL = re.compile(r'(?<![\w@.`])(\w+) ?\(\)')
SIDEBAR = re.compile(r'<nav class="sidebar[^>]*>')
# What gi-docgen's script would fill in, had it been told where; only GLib's
# pages have the names that it makes.
ELSEWHERE = re.compile(r'<a href="javascript:void\(0\)"([^>]*)>(.*?)</a>', re.S)
GLIB = 'https://docs.gtk.org/glib/'
BACK = ('\n<div class="section"><p><a href="../index.html">← gst-zc: the '
        'guides</a></p></div>')


def names(gir: str) -> dict[str, str]:
    """Each function of the library, as gi-docgen links to it."""
    space = ElementTree.fromstring(gir).find(f'{CORE}namespace')
    found = {}
    for node in space:
        inside = node.tag.removeprefix(CORE) in TYPES
        for call in node if inside else [node]:
            kind = KINDS.get(call.tag.removeprefix(CORE))
            if kind and 'moved-to' not in call.attrib:
                place = f'{node.get("name")}.' if inside else ''
                found[call.get(C_NAME)] = (
                    f'[{kind}@{space.get("name")}.{place}{call.get("name")}]')
    return found


def link(gir: str) -> str:
    known = names(gir)

    def in_doc(match: re.Match) -> str:
        text = CALL.sub(lambda call: known.get(call[1], f'`{call[1]}()`'),
                        match[2])
        return match[1] + text + match[3]
    return DOC.sub(in_doc, gir)


def elsewhere(match: re.Match) -> str:
    data = dict(re.findall(r'data-(\w+)="([^"]*)"', match[1]))
    if data.get('namespace') != 'GLib':
        return match[2]
    return f'<a href="{GLIB}{data["link"]}" class="external">{match[2]}</a>'


def finish(folder: Path) -> None:
    """Links back to the guides, and none that lead nowhere."""
    for page in folder.glob('*.html'):
        text = page.read_text(encoding='utf-8')
        text = SIDEBAR.sub(lambda match: match[0] + BACK, text)
        page.write_text(ELSEWHERE.sub(elsewhere, text), encoding='utf-8')


def write(folder: Path, gir: Path, program: str, version: str,
          werror: bool) -> None:
    """Writes the reference into a folder; raises what subprocess raises."""
    with tempfile.TemporaryDirectory() as temporary:
        linked = Path(temporary) / gir.name
        linked.write_text(link(gir.read_text(encoding='utf-8')),
                          encoding='utf-8')
        settings = Path(temporary) / 'reference.toml'
        text = (HERE / 'reference.toml.in').read_text(encoding='utf-8')
        settings.write_text(text.replace('@VERSION@', version),
                            encoding='utf-8')
        strict = ['--fatal-warnings'] if werror else []
        subprocess.run([program, 'generate', '--quiet', *strict,
                        '--no-namespace-dir', '-C', settings,
                        '--output-dir', folder, linked], check=True)
    finish(folder)
