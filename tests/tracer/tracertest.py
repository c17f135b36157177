# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""What GST_TRACERS=zc tells of pipelines whose copies are known.

    tracertest.py PLAYER
"""

import json
import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / 'api'))
import tap  # noqa: E402
from timeline import check_timeline, named, slices  # noqa: E402

FRAMES = 20
BYTES = 64 * 48 * 4
# RGBA: one plane, so one copy a picture
SOURCE = (f'videotestsrc num-buffers={FRAMES} ! '
          'video/x-raw,format=RGBA,width=64,height=48')
CUDA = 'video/x-raw(memory:CUDAMemory)'
UP, DOWN = 'zcupload name=up', 'zcdownload name=down'
TURN = 'zcflip name=turn video-direction=180'
CLEAN = f'{SOURCE} ! {UP} ! {TURN} ! {DOWN} ! fakesink'
# of GStreamer's elements among themselves
FOREIGN_RACES = {'SOFTCUDA_RACES': 'count'}
TALLIES = ('uploads', 'downloads', 'device-copies', 'kernels', 'host-waits',
           'event-waits', 'device-allocations', 'host-allocations')


class Played:
    """A run of the player under the tracer, and what was told of it."""

    def __init__(self, *arguments: str, params=None, env=None):
        self.folder = tempfile.TemporaryDirectory()
        self.summary = Path(self.folder.name) / 'summary.txt'
        self.json = Path(self.folder.name) / 'summary.json'
        self.trace = Path(self.folder.name) / 'trace.json'
        if params is None:
            params = f'summary={self.summary},json={self.json}'
        params = params.replace('TRACE', str(self.trace))
        result = subprocess.run(
            [PLAYER, *arguments], text=True, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, timeout=120, check=False,
            env={**os.environ, 'GST_TRACERS': f'zc({params})', **(env or {})})
        assert result.returncode == 0, result.stderr
        self.stderr = result.stderr
        self.counters = {
            key: int(value) for key, value in
            (line.split()[1:] for line in result.stdout.splitlines()
             if line.startswith('softcuda: '))}
        if not self.counters and not env:
            raise tap.Skip('driver calls of others are seen on softcuda only')

    def lines(self) -> list[str]:
        """The summary, with one space between two columns."""
        text = self.summary.read_text(encoding='utf-8')
        return [' '.join(line.split()) for line in text.splitlines()]

    def timeline(self) -> dict:
        return json.loads(self.trace.read_text(encoding='utf-8'))

    def told(self) -> dict:
        return json.loads(self.json.read_text(encoding='utf-8'))

    def only(self) -> dict:
        pipelines = self.told()['pipelines']
        assert len(pipelines) == 1, [p['pipeline'] for p in pipelines]
        return pipelines[0]


def did(pipeline: dict, name: str) -> dict:
    found = [e['did'] for e in pipeline['elements'] if e['name'] == name]
    assert len(found) == 1, (name, [e['name'] for e in pipeline['elements']])
    return found[0]


def link(pipeline: dict, source: str, sink: str) -> dict:
    found = [each for each in pipeline['links']
             if (each['from'], each['to']) == (source, sink)]
    assert len(found) == 1, (source, sink, pipeline['links'])
    return found[0]


def expect_tally(counts: dict, key: str, count: int, size: int = 0) -> None:
    assert counts[key] == {'count': count, 'bytes': size}, (key, counts[key])


def waits(counts: dict) -> int:
    """Host waits that held a picture up."""
    return counts['host-waits']['count'] - counts['host-waits-of-states']


def total(told: dict, key: str, field: str = 'count') -> int:
    places = [e['did'] for p in told['pipelines'] for e in p['elements']]
    return sum(place[key][field] for place in [*places, told['elsewhere']])


def expect_all_seen(played: Played) -> None:
    """Each thing that the driver was asked for is told of somewhere."""
    told = played.told()
    assert told['sees-own-calls'] and told['sees-other-calls']
    for key in TALLIES:
        assert total(told, key) == played.counters[key], (
            key, total(told, key), played.counters[key])
    for key in ('uploads', 'downloads'):
        assert total(told, key, 'bytes') == played.counters[f'{key}.bytes']


def test_clean() -> None:
    played = Played(CLEAN)
    lines = played.lines()
    assert lines[:2] == [
        'zc: is pipeline0 zero-copy? Yes: up in up, down in down, no copy in '
        'between.', 'pictures link memory what happens to them'], lines
    assert '20 capsfilter0 > up pinned copied to the GPU by up' in lines
    assert [line for line in lines if 'up > turn CUDA 0, stream' in line
            and line.endswith('stays on the GPU')], lines
    assert [line for line in lines if 'turn > down CUDA 0, stream' in line
            and line.endswith('copied to the CPU by down')], lines
    assert '20 down > fakesink0 pinned stays on the CPU' in lines
    assert [line for line in lines if line.startswith(
        'up 20, 245.8 kB - - - - ')], lines
    assert [line for line in lines if line.startswith(
        'turn - - - 20 - ')], lines
    assert [line for line in lines if line.startswith(
        'down - 20, 245.8 kB - - 20 ')], lines
    assert not [line for line in lines if 'hint' in line or '?' in line[20:]
                and not line.startswith('zc:')], lines


def test_clean_counts() -> None:
    pipeline = Played(CLEAN).only()
    assert (pipeline['zero-copy'], pipeline['hints']) == ('yes', [])
    expect_tally(did(pipeline, 'up'), 'uploads', FRAMES, FRAMES * BYTES)
    expect_tally(did(pipeline, 'turn'), 'kernels', FRAMES)
    for key in ('uploads', 'downloads', 'device-copies'):
        expect_tally(did(pipeline, 'turn'), key, 0)
    expect_tally(did(pipeline, 'down'), 'downloads', FRAMES, FRAMES * BYTES)
    assert [waits(did(pipeline, name)) for name in ('up', 'turn', 'down')] == [
        0, 0, FRAMES]
    assert [each['fate'] for each in pipeline['links']] == [
        'stays-on-cpu', 'up', 'stays-on-gpu', 'down', 'stays-on-cpu']
    for source, sink, kind in (('capsfilter0', 'up', 'pinned'),
                               ('up', 'turn', 'cuda'),
                               ('down', 'fakesink0', 'pinned')):
        each = link(pipeline, source, sink)
        assert each['memory'] == {kind: FRAMES}, each
        assert each['pooled'] == each['buffers'] == FRAMES, each
        assert 0 < each['new-memories'] < FRAMES / 2 or source == 'capsfilter0'
    turned = link(pipeline, 'turn', 'down')
    assert (turned['device'], turned['context']) == (0, 1), turned
    assert turned['stream'] > 0 and turned['stream'] != link(
        pipeline, 'up', 'turn')['stream']
    assert (turned['need-upload'], turned['need-download']) == (0, FRAMES)


def test_everything_is_seen() -> None:
    played = Played(CLEAN, f'{SOURCE} ! cudaupload ! {CUDA} ! cudadownload '
                    '! videobalance saturation=0.5 ! fakesink')
    expect_all_seen(played)


def test_neighbours() -> None:
    pipeline = Played(f'{SOURCE} ! cudaupload name=up ! {CUDA} ! queue ! {TURN} '
                      '! cudadownload name=down ! videobalance saturation=0.5 '
                      '! fakesink').only()
    assert pipeline['zero-copy'] == 'yes', pipeline['why']
    assert pipeline['why'] == 'up in up, down in down, no copy in between'
    expect_tally(did(pipeline, 'up'), 'uploads', FRAMES, FRAMES * BYTES)
    assert waits(did(pipeline, 'up')) == FRAMES
    expect_tally(did(pipeline, 'turn'), 'kernels', FRAMES)
    # libgstcuda waits when it frees memory, as at the start
    assert waits(did(pipeline, 'turn')) < 4
    expect_tally(did(pipeline, 'down'), 'downloads', FRAMES, FRAMES * BYTES)
    assert pipeline['hints'] == [
        f'up got {FRAMES} of {FRAMES} pictures in pageable memory, which takes '
        'longer: zcupload offers pinned memory'], pipeline['hints']


def test_cpu_in_between() -> None:
    played = Played(
        f'{SOURCE} ! {UP} ! {TURN} ! zcdownload name=there ! '
        'videobalance saturation=0.5 ! zcupload name=back ! queue ! '
        f'zcflip video-direction=90r ! {DOWN} ! fakesink')
    assert played.lines()[0] == (
        'zc: is pipeline0 zero-copy? No: down in there and up again in back.')
    assert ('hint: between there and back pictures are on the CPU: use elements '
            'for memory:CUDAMemory there, or none') in played.lines()
    pipeline = played.only()
    assert pipeline['zero-copy'] == 'no'
    assert link(pipeline, 'turn', 'there')['fate'] == 'down'
    assert link(pipeline, 'there', 'videobalance0')['fate'] == 'stays-on-cpu'
    assert link(pipeline, 'videobalance0', 'back')['fate'] == 'up'
    expect_tally(did(pipeline, 'there'), 'downloads', FRAMES, FRAMES * BYTES)
    expect_tally(did(pipeline, 'back'), 'uploads', FRAMES, FRAMES * BYTES)


def test_hidden_between_neighbours() -> None:
    """cudadownload hands GPU memory on, since cudaupload offers some."""
    played = Played(
        f'{SOURCE} ! {UP} ! cudadownload name=there ! videobalance name=cpu '
        f'saturation=0.5 ! cudaupload name=back ! queue ! {TURN} ! {DOWN} ! '
        'fakesink',
        env=FOREIGN_RACES)
    assert played.lines()[0] == (
        'zc: is pipeline0 zero-copy? No: read by the CPU, which copies them, in '
        'cpu.'), played.lines()
    pipeline = played.only()
    assert link(pipeline, 'there', 'cpu')['memory'] == {'cuda': FRAMES}
    assert link(pipeline, 'there', 'cpu')['fate'] == 'hidden-down'
    written = link(pipeline, 'cpu', 'back')
    assert (written['need-upload'], written['need-download']) == (FRAMES, 0)
    assert written['fate'] == 'gpu-copy'
    expect_tally(did(pipeline, 'cpu'), 'downloads', FRAMES, FRAMES * BYTES)
    expect_tally(did(pipeline, 'back'), 'uploads', FRAMES, FRAMES * BYTES)
    expect_tally(did(pipeline, 'back'), 'device-copies', FRAMES, FRAMES * BYTES)
    assert pipeline['hints'] == [
        f'cpu maps GPU memory for the CPU, which copied {FRAMES} pictures down: '
        'put zcdownload before it, or leave it out',
        f'cpu sent {FRAMES} pictures in GPU memory that a CPU had written, which '
        'are copied up when they are used: draw on the GPU, or before the '
        'upload'], pipeline['hints']


def test_mapped_by_an_element() -> None:
    played = Played(f'{SOURCE} ! {UP} ! checksumsink sync=false')
    assert played.lines()[0] == (
        'zc: is pipeline0 zero-copy? No: read by the CPU, which copies them, in '
        'checksumsink0.'), played.lines()
    pipeline = played.only()
    counts = did(pipeline, 'checksumsink0')
    assert link(pipeline, 'up', 'checksumsink0')['fate'] == 'hidden-down'
    assert counts['cpu-maps'] == FRAMES, counts
    assert counts['downloads-in-maps']['count'] == FRAMES, counts
    assert counts['downloads']['count'] == FRAMES, counts
    assert counts['downloads']['bytes'] == total(
        played.told(), 'downloads', 'bytes')


def test_mapped_by_the_application() -> None:
    played = Played('--map', f'{SOURCE} ! {UP} ! {TURN} ! appsink name=app '
                    'sync=false max-buffers=2')
    pipeline = played.only()
    assert link(pipeline, 'turn', 'app')['fate'] == 'hidden-down', pipeline
    assert did(pipeline, 'app')['downloads-in-maps']['count'] == FRAMES
    assert any(hint.startswith('app maps GPU memory for the CPU, which copied '
                               f'{FRAMES} pictures down')
               for hint in pipeline['hints']), pipeline['hints']


def test_pageable() -> None:
    pipeline = Played(f'{SOURCE} ! identity drop-allocation=true ! {UP} ! '
                      'fakesink').only()
    assert pipeline['zero-copy'] == 'yes'
    assert pipeline['hints'] == [
        f'up got {FRAMES} of {FRAMES} pictures in pageable memory, which takes '
        'longer: the element before it did not take the pinned memory that it '
        'offers'], pipeline['hints']


def test_no_gpu() -> None:
    played = Played(CLEAN, f'{SOURCE} ! fakesink',
                    'audiotestsrc num-buffers=3 ! fakesink')
    lines = played.lines()
    assert ('zc: is pipeline1 zero-copy? Nothing to copy: no picture was in GPU '
            'memory.') in lines, lines
    assert ('zc: is pipeline2 zero-copy? Nothing to say: there was no raw '
            'video.') in lines, lines


def test_branches_and_threads() -> None:
    launch = (f'{SOURCE} ! {UP} ! tee name=t ! queue ! {TURN} ! queue ! {DOWN} '
              '! queue ! fakesink t. ! queue ! zcdownload name=other ! fakesink')
    played = Played('--repeat', '3', *[launch] * 4)
    pipeline = played.only()
    assert pipeline['times'] == 12, pipeline['times']
    all_frames = 12 * FRAMES
    for source, sink in (('up', 't'), ('t', 'queue0'), ('turn', 'queue1')):
        assert link(pipeline, source, sink)['buffers'] == all_frames
    expect_tally(did(pipeline, 'up'), 'uploads', all_frames, all_frames * BYTES)
    expect_tally(did(pipeline, 'turn'), 'kernels', all_frames)
    for name in ('down', 'other'):
        expect_tally(did(pipeline, name), 'downloads', all_frames,
                     all_frames * BYTES)
    assert played.lines()[0].startswith(
        'zc: is pipeline'), played.lines()
    assert '(and 11 more like it) zero-copy? Yes: ' in played.lines()[0]


def test_pipelines_come_and_go() -> None:
    played = Played('--repeat', '40', CLEAN)
    pipeline = played.only()
    assert pipeline['times'] == 40
    expect_tally(did(pipeline, 'up'), 'uploads', 40 * FRAMES,
                 40 * FRAMES * BYTES)
    assert len(pipeline['elements']) == 6 and len(pipeline['links']) == 5


def test_pads_of_bins() -> None:
    pipeline = Played(f'{SOURCE} ! bin. ( name=bin {UP} ! {TURN} ! {DOWN} ) ! '
                      'fakesink').only()
    assert [(each['from'], each['to']) for each in pipeline['links']][-4:] == [
        ('capsfilter0', 'up'), ('up', 'turn'), ('turn', 'down'),
        ('down', 'fakesink0')], pipeline['links']
    expect_tally(did(pipeline, 'up'), 'uploads', FRAMES, FRAMES * BYTES)


def test_odd_names() -> None:
    names = ['a.b', 'c "d" e', 'ünï', 'back\\slash']
    quoted = [name.replace('\\', '\\\\').replace('"', '\\"') for name in names]
    pipeline = Played(f'{SOURCE} ! zcupload name="{quoted[0]}" ! '
                      f'zcflip name="{quoted[1]}" video-direction=180 ! '
                      f'queue name="{quoted[2]}" ! '
                      f'zcdownload name="{quoted[3]}" ! fakesink').only()
    found = [each['name'] for each in pipeline['elements']]
    assert found[2:6] == names, found
    assert pipeline['why'] == ('up in a.b, down in back\\slash, no copy in '
                               'between'), pipeline['why']


def test_timeline() -> None:
    timeline = Played(CLEAN, params='trace=TRACE').timeline()
    check_timeline(timeline)
    calls = Counter(event['name'] for event in slices(timeline, 'driver'))
    assert calls['cuMemcpy2DAsync'] == 2 * FRAMES, calls
    assert calls['cuLaunchKernel'] == FRAMES, calls
    # one a picture, and when elements stop
    assert FRAMES <= calls['cuEventSynchronize'] < FRAMES + 4, calls
    work = Counter(event['name'] for event in slices(timeline, 'GPU'))
    assert work == {'upload': FRAMES, 'kernel': FRAMES, 'download': FRAMES}
    streams = {(event['pid'], event['tid']) for event in slices(timeline, 'GPU')}
    assert len(streams) == 3, streams
    chains = Counter(event['name'] for event in slices(timeline, 'element'))
    assert chains == {name: FRAMES for name in
                      ('capsfilter0', 'up', 'turn', 'down', 'fakesink0')}
    assert {'CUDA context 1', 'threads of the CPU'} == set(
        named(timeline, 'process_name').values())
    names = set(named(timeline, 'thread_name').values())
    for name in ('up', 'turn', 'down'):
        assert any(each.startswith('stream ') and each.endswith(f': {name}')
                   for each in names), names


def test_arguments_of_calls() -> None:
    uploads = [event['args'] for event in
               slices(Played(CLEAN, params='trace=TRACE').timeline(), 'driver')
               if event['args']['does'] == 'upload']
    assert {(each['element'], each['bytes']) for each in uploads} == {
        ('up', BYTES)}, uploads


def test_others_in_the_timeline() -> None:
    timeline = Played(f'{SOURCE} ! cudaupload name=up ! {CUDA} ! fakesink',
                      params='trace=TRACE').timeline()
    check_timeline(timeline)
    uploads = [event for event in slices(timeline, 'driver (others)')
               if event['args']['does'] == 'upload']
    assert len(uploads) == FRAMES, len(uploads)
    assert {each['args']['element'] for each in uploads} == {'up'}


def forwarded_others_not_seen() -> None:
    """As with NVIDIA's driver: one that tells nothing of other libraries."""
    played = Played(f'{SOURCE} ! cudaupload name=up ! {CUDA} ! queue ! {TURN} ! '
                    'checksumsink name=sink', env=FOREIGN_RACES)
    assert not played.counters, 'softcuda itself was loaded'
    told, pipeline = played.told(), played.only()
    assert told['sees-own-calls'] and not told['sees-other-calls']
    expect_tally(did(pipeline, 'turn'), 'kernels', FRAMES)
    expect_tally(did(pipeline, 'up'), 'uploads', 0)
    # what GStreamer shows: a map, and what it copies
    assert link(pipeline, 'turn', 'sink')['fate'] == 'hidden-down'
    assert did(pipeline, 'sink')['downloads-in-maps']['count'] == FRAMES
    lines = played.lines()
    assert [line for line in lines if line.startswith('up ? ? ? ? ? ')], lines
    assert not [line for line in lines if line.startswith('queue0 ')], lines
    assert [line for line in lines if line.startswith(f'sink ? {FRAMES}, ')]
    assert [line for line in lines if line.startswith(
        f'turn - - - {FRAMES} ')], lines
    assert lines[-1] == ('? driver calls of other plugins: not seen, with this '
                         'driver'), lines


def test_on_stderr() -> None:
    for params in ('', 'unknown=1'):
        played = Played(CLEAN, params=params)
        assert 'zc: is pipeline0 zero-copy? Yes' in played.stderr, params


def test_off() -> None:
    played = Played(CLEAN, env={'GST_TRACERS': ''})
    assert 'zc: ' not in played.stderr, played.stderr


def test_exit_without_deinit() -> None:
    played = Played('--no-deinit', CLEAN)
    assert played.only()['zero-copy'] == 'yes'
    played = Played('--no-deinit', CLEAN, params='trace=TRACE')
    check_timeline(played.timeline())
    assert 'zc: is pipeline0 zero-copy? Yes' in played.stderr, played.stderr


def test_timeline_of_threads() -> None:
    launch = (f'{SOURCE} ! {UP} ! tee name=t ! queue ! {TURN} ! queue ! {DOWN} '
              '! queue ! fakesink t. ! queue ! zcdownload ! fakesink')
    timeline = Played('--repeat', '3', launch, launch,
                      params='trace=TRACE').timeline()
    check_timeline(timeline)
    work = Counter(event['name'] for event in slices(timeline, 'GPU'))
    assert work == {'upload': 6 * FRAMES, 'kernel': 6 * FRAMES,
                    'download': 12 * FRAMES}, work
    assert timeline['otherData']['pipelines'][0]['times'] == 6


def test_bad_files() -> None:
    played = Played(CLEAN, params='trace=/nowhere/a,summary=/nowhere/b')
    assert ("zc: the timeline can't be written to /nowhere/a: No such file or "
            'directory; give another file in GST_TRACERS="zc(trace=FILE)"'
            ) in played.stderr, played.stderr
    assert "zc: the summary can't be written: " in played.stderr
    assert 'zc: is pipeline0 zero-copy? Yes' in played.stderr


def test_bad_parameters() -> None:
    played = Played(CLEAN, params='trace')
    assert ('zc: "trace" is not understood: write GST_TRACERS='
            '"zc(trace=FILE,summary=FILE,json=FILE)"') in played.stderr, played.stderr


if __name__ == '__main__':
    PLAYER = sys.argv[1]
    PREFIX = 'forwarded_' if '--forwarded' in sys.argv else 'test_'
    sys.exit(tap.run('tracer', [
        (name.removeprefix(PREFIX).replace('_', '-'), test) for name, test
        in list(globals().items()) if name.startswith(PREFIX)]))
