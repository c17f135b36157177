# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""A headless Chromium, driven over a pipe by its own protocol."""

import base64
import json
import os
import select
import subprocess
import tempfile
import time
from pathlib import Path

NAMES = ('chromium', 'chromium-browser', 'google-chrome')
TIMEOUT = 60  # seconds for one answer
QUIET = ('--headless=new', '--remote-debugging-pipe', '--no-first-run',
         '--disable-gpu', '--disable-extensions', '--disable-sync',
         '--disable-background-networking', '--disable-component-update',
         '--disable-dev-shm-usage', '--hide-scrollbars',
         # pages of this project alone; the sandbox refuses root
         '--no-sandbox')
READER, WRITER = 3, 4  # the descriptors that the protocol is on


class BrowserError(Exception):
    """The browser died, or gave no answer."""


class Browser:
    """One tab. To be used by `with`."""

    def __init__(self, program: str):
        self.events: list[dict] = []
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.number, self.session, self.rest = 0, None, b''
        theirs_in, self.out = os.pipe()
        self.inp, theirs_out = os.pipe()

        def place_pipes() -> None:
            # first out of the way of one another
            pair = os.dup(theirs_in), os.dup(theirs_out)
            os.dup2(pair[0], READER)
            os.dup2(pair[1], WRITER)

        self.process = subprocess.Popen(
            [program, *QUIET, f'--user-data-dir={self.folder.name}'],
            preexec_fn=place_pipes, close_fds=False,
            env={**os.environ, 'HOME': self.folder.name},
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL)
        os.close(theirs_in)
        os.close(theirs_out)

    def __enter__(self) -> 'Browser':
        target = self.call('Target.createTarget', url='about:blank')
        self.session = self.call('Target.attachToTarget', flatten=True,
                                 targetId=target['targetId'])['sessionId']
        for domain in ('Page', 'Runtime', 'Log'):
            self.call(f'{domain}.enable')
        return self

    def __exit__(self, *_) -> None:
        try:
            self.session = None
            self.call('Browser.close')
        except (BrowserError, OSError):
            self.process.kill()
        self.process.wait(TIMEOUT)
        os.close(self.inp)
        os.close(self.out)
        self.folder.cleanup()

    def receive(self, deadline: float) -> dict:
        while b'\0' not in self.rest:
            ready, _, _ = select.select([self.inp], [], [],
                                        max(0, deadline - time.monotonic()))
            data = os.read(self.inp, 1 << 16) if ready else b''
            if not data:
                raise BrowserError('no answer' if not ready else 'it has died')
            self.rest += data
        message, _, self.rest = self.rest.partition(b'\0')
        return json.loads(message)

    def call(self, method: str, **parameters) -> dict:
        self.number += 1
        message = {'id': self.number, 'method': method, 'params': parameters}
        if self.session:
            message['sessionId'] = self.session
        os.write(self.out, json.dumps(message).encode() + b'\0')
        deadline = time.monotonic() + TIMEOUT
        while True:
            answer = self.receive(deadline)
            if answer.get('id') != self.number:
                self.events.append(answer)
            elif 'error' in answer:
                raise BrowserError(f'{method}: {answer["error"]["message"]}')
            else:
                return answer['result']

    def open(self, path: Path) -> None:
        """Opens a page and returns when it is loaded; only its events stay."""
        self.events.clear()
        result = self.call('Page.navigate', url=path.resolve().as_uri())
        if 'errorText' in result:
            raise BrowserError(f'{path}: {result["errorText"]}')
        deadline = time.monotonic() + TIMEOUT
        while not any(each.get('method') == 'Page.loadEventFired'
                      for each in self.events):
            self.events.append(self.receive(deadline))

    def evaluate(self, expression: str):
        return self.call('Runtime.evaluate', expression=expression,
                         returnByValue=True)['result'].get('value')

    def complaints(self) -> list[str]:
        """What stands in the console, or would."""
        self.evaluate('0')  # what came before it is here then
        found = []
        for event in self.events:
            what = event.get('params', {})
            if event.get('method') == 'Runtime.exceptionThrown':
                found.append(str(what['exceptionDetails']))
            elif event.get('method') == 'Runtime.consoleAPICalled':
                found.append(f'{what["type"]}: {what["args"]}')
            elif event.get('method') == 'Log.entryAdded':
                entry = what['entry']
                found.append(f'{entry["level"]}: {entry["text"]} '
                             f'{entry.get("url", "")}')
        return found

    def look(self, width: int, dark: bool) -> None:
        """How wide the window is, and which colours are asked for."""
        self.call('Emulation.setDeviceMetricsOverride', width=width, height=900,
                  deviceScaleFactor=1, mobile=False)
        scheme = 'dark' if dark else 'light'
        self.call('Emulation.setEmulatedMedia', features=[
            {'name': 'prefers-color-scheme', 'value': scheme}])

    def picture(self, path: Path) -> None:
        data = self.call('Page.captureScreenshot', captureBeyondViewport=True,
                         clip=self.whole_page())['data']
        path.write_bytes(base64.b64decode(data))

    def whole_page(self) -> dict:
        size = self.call('Page.getLayoutMetrics')['cssContentSize']
        return {'x': 0, 'y': 0, 'width': size['width'],
                'height': size['height'], 'scale': 1}
