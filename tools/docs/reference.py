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
DOC = f'{CORE}doc'
CALL = re.compile(r'(?<![\w@.`])(\w+) ?\(\)')
SIDEBAR = re.compile(r'<nav class="sidebar[^>]*>')
# What gi-docgen's script would fill in, had it been told where; only these have
# pages with the names that it makes.
ELSEWHERE = re.compile(r'<a (?=[^>]*"javascript:void\(0\)")([^>]*)>(.*?)</a>',
                       re.S)
PAGES = {'GLib': 'https://docs.gtk.org/glib/',
         'GObject': 'https://docs.gtk.org/gobject/'}
BACK = ('\n<div class="section"><p><a href="../index.html">← gst-zc: the '
        'guides</a></p></div>')


def calls(space: ElementTree.Element):
    """Each function, and the type that it is of, or None."""
    for node in space:
        if node.tag.removeprefix(CORE) in TYPES:
            yield from ((call, node) for call in node)
        else:
            yield node, None


def names(space: ElementTree.Element) -> dict[str, str]:
    """Each function of the library, as gi-docgen links to it."""
    found = {}
    for call, owner in calls(space):
        kind = KINDS.get(call.tag.removeprefix(CORE))
        if kind and 'moved-to' not in call.attrib:
            place = f'{owner.get("name")}.' if owner is not None else ''
            found[call.get(C_NAME)] = (
                f'[{kind}@{space.get("name")}.{place}{call.get("name")}]')
    return found


def describe(call: ElementTree.Element) -> None:
    """What only returns something says what in its description, too."""
    returned = call.find(f'{CORE}return-value/{DOC}')
    if call.find(DOC) is None and returned is not None:
        doc = ElementTree.Element(DOC, returned.attrib)
        doc.text = f'Returns {returned.text.strip()}.'
        call.insert(0, doc)


def link(gir: bytes) -> bytes:
    root = ElementTree.fromstring(gir)
    space = root.find(f'{CORE}namespace')
    known = names(space)
    for call, _ in calls(space):
        describe(call)
    for doc in root.iter(DOC):
        doc.text = CALL.sub(lambda match: known.get(
            match[1], f'`{match[1]}()`'), doc.text)
    return ElementTree.tostring(root, 'utf-8', xml_declaration=True)


def elsewhere(match: re.Match) -> str:
    data = dict(re.findall(r'data-(\w+)="([^"]*)"', match[1]))
    pages = PAGES.get(data.get('namespace'))
    if not pages:
        return match[2]
    return f'<a href="{pages}{data["link"]}" class="external">{match[2]}</a>'


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
        linked.write_bytes(link(gir.read_bytes()))
        settings = Path(temporary) / 'reference.toml'
        text = (HERE / 'reference.toml.in').read_text(encoding='utf-8')
        settings.write_text(text.replace('@VERSION@', version),
                            encoding='utf-8')
        strict = ['--fatal-warnings'] if werror else []
        subprocess.run([program, 'generate', '--quiet', *strict,
                        '--no-namespace-dir', '-C', settings,
                        '--output-dir', folder, linked], check=True)
    finish(folder)
