# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What a file in Chrome's trace format must keep to, to open in Perfetto."""

from collections import defaultdict

NUMBERS = (int, float)


def slices(timeline: dict, category: str) -> list[dict]:
    return [event for event in timeline['traceEvents']
            if event['ph'] == 'X' and event['cat'] == category]


def named(timeline: dict, what: str) -> dict[tuple[int, int], str]:
    return {(event['pid'], event['tid']): event['args']['name']
            for event in timeline['traceEvents']
            if event['ph'] == 'M' and event['name'] == what}


def check_event(event: dict) -> None:
    assert event['ph'] in 'MXsf', event
    assert isinstance(event['pid'], int) and isinstance(event['tid'], int)
    assert isinstance(event['name'], str) and event['name'], event
    if event['ph'] != 'M':
        assert isinstance(event['ts'], NUMBERS) and event['ts'] >= 0, event
    if event['ph'] == 'X':
        assert isinstance(event['dur'], NUMBERS) and event['dur'] >= 0, event
    if event['ph'] == 'f':
        assert event['bp'] == 'e', event


def check_nesting(events: list[dict]) -> None:
    """Slices of one track lie side by side or in one another."""
    open_ends: list[float] = []
    for event in sorted(events, key=lambda e: (e['ts'], -e['dur'])):
        end = event['ts'] + event['dur']
        while open_ends and open_ends[-1] <= event['ts'] + 1e-6:
            open_ends.pop()
        assert not open_ends or end <= open_ends[-1] + 1e-6, event
        open_ends.append(end)


def check_arrows(events: list[dict]) -> None:
    """Each starts and ends once, not before it starts, in a slice's track."""
    starts = {e['id']: e for e in events if e['ph'] == 's'}
    ends = {e['id']: e for e in events if e['ph'] == 'f'}
    assert len(starts) == sum(e['ph'] == 's' for e in events)
    assert len(ends) == sum(e['ph'] == 'f' for e in events)
    assert starts.keys() == ends.keys(), starts.keys() ^ ends.keys()
    tracks = {(e['pid'], e['tid']) for e in events if e['ph'] == 'X'}
    for event in [*starts.values(), *ends.values()]:
        assert (event['pid'], event['tid']) in tracks, event


def check_timeline(timeline: dict) -> None:
    events = timeline['traceEvents']
    tracks = defaultdict(list)
    for event in events:
        check_event(event)
        if event['ph'] == 'X':
            tracks[event['pid'], event['tid']].append(event)
    for track in tracks.values():
        check_nesting(track)
    check_arrows(events)
    assert set(tracks) <= set(named(timeline, 'thread_name')), tracks.keys()
    assert {pid for pid, _ in tracks} <= {
        pid for pid, _ in named(timeline, 'process_name')}
