# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The Python of docs/interop runs, each page with the libraries it is about."""

import contextlib
import importlib
import io
import os
import re
import sys
from pathlib import Path

import front
import tap
from driver import Driver
from fakes import interface
from front import caps, zc

np = front.need_numpy()
FOLDER = Path(os.environ.get('ZC_DOCS', Path(__file__).parents[2] / 'docs'))
SMALL = caps('NV12', 64, 48)

# What a page takes for granted, and the module that it needs.
PAGES = {'python': (), 'numpy': ('numpy',), 'cupy': ('cupy',),
         'pytorch': ('torch',), 'cuda-python': ('cuda.core.utils',),
         'cvcuda': ('cvcuda',)}


def names(driver) -> dict:
    address = driver.allocate(64 * 48 * 4)
    return {'GstZc': zc, 'caps': SMALL,
            'buffer': front.buffer(SMALL), 'stream': driver.stream(),
            'address': address, 'memory': object(),
            'device_array': interface(address, (48, 64), None)}


def check(page, modules) -> None:
    driver = Driver()
    scope = names(driver)
    for module in modules:
        try:
            importlib.import_module(module)
        except ImportError as error:
            raise tap.Skip(str(error)) from error
        scope[module.partition('.')[0]] = sys.modules[
            module.partition('.')[0]]
    text = (FOLDER / 'interop' / f'{page}.md').read_text(encoding='utf-8')
    blocks = re.findall(r'```python\n(.*?)```', text, re.S)
    assert blocks
    with contextlib.redirect_stdout(io.StringIO()) as output:
        for block in blocks:
            run(compile(block, f'{page}.md', 'exec'), block, scope)
    driver.synchronize()
    check_printed(blocks, output.getvalue())


def run(code, block, scope) -> None:
    """Whole programs are of one front end, and have names of their own."""
    programs = {'ctypes': 'import gstzc', 'gi': 'from gi.repository import'}
    whole = [name for name, text in programs.items() if text in block]
    if not whole:
        exec(code, scope)
    elif whole == [front.NAME]:
        exec(code, {})


def check_printed(blocks, output) -> None:
    """What a comment says is printed."""
    for line in re.findall(r'print\(\w+\) +# (.*)', '\n'.join(blocks)):
        assert line in output.splitlines(), (line, output)


def test_all_are_known():
    """No page of Python is left out."""
    found = {path.stem for path in (FOLDER / 'interop').glob('*.md')
             if '```python' in path.read_text(encoding='utf-8')}
    assert found == set(PAGES), found ^ set(PAGES)


TABLE_PAGE = (check, {name: (name, modules)
                      for name, modules in PAGES.items()})


if __name__ == '__main__':
    sys.exit(front.run('pages', globals()))
