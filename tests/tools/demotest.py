# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""The demo on real files and on broken ones, as a person would run it."""

import subprocess
import sys
import tempfile
from pathlib import Path

import gi
import numpy
from PIL import Image

gi.require_version('Gst', '1.0')
gi.require_version('GstPbutils', '1.0')
from gi.repository import Gst, GstPbutils  # noqa: E402

TOP = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(TOP / 'tools'))
import contactsheet  # noqa: E402

MEDIA = TOP / 'examples' / 'media'
TURNS = {
    'identity': None, '90r': Image.Transpose.ROTATE_270,
    '180': Image.Transpose.ROTATE_180, '90l': Image.Transpose.ROTATE_90,
    'horiz': Image.Transpose.FLIP_LEFT_RIGHT,
    'vert': Image.Transpose.FLIP_TOP_BOTTOM,
    'ul-lr': Image.Transpose.TRANSPOSE, 'ur-ll': Image.Transpose.TRANSVERSE,
}
TOLERANCE = 4  # mean difference of 8-bit samples between two JPEG decoders


def demo(*arguments) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, str(TOP / 'tools' / 'demo.py'), *map(str, arguments)],
        capture_output=True, text=True, timeout=120, check=False)


def expect_done(result: subprocess.CompletedProcess) -> None:
    assert result.returncode == 0, result.stderr
    assert 'zc: done: ' in result.stdout.splitlines()[-1], result.stdout


def expect_message(result: subprocess.CompletedProcess, words: str) -> None:
    message = result.stderr.strip().splitlines()[-1]
    assert result.returncode == 1, result.returncode
    assert message.startswith('zc: the demo failed: '), result.stderr
    assert words in message, message


def expected_sheet(picture: Path, folder: Path) -> Image.Image:
    pictures = {}
    for name, turn in TURNS.items():
        image = Image.open(picture).convert('RGB')
        image = image.transpose(turn) if turn is not None else image
        pictures[name] = contactsheet.Pixels(
            image.width, image.height, 3 * image.width, image.tobytes())
    contactsheet.write(pictures, folder / 'expected.png')
    return Image.open(folder / 'expected.png')


def test_picture(folder: Path) -> None:
    picture = MEDIA / 'coffee.jpg'
    expect_done(demo(picture, folder))
    sheet = Image.open(folder / 'coffee-orientations.png')
    expected = expected_sheet(picture, folder)
    assert sheet.size == expected.size, sheet.size
    difference = numpy.abs(numpy.asarray(sheet, int) - numpy.asarray(expected))
    assert difference.mean() < TOLERANCE, difference.mean()


def test_video(folder: Path) -> None:
    expect_done(demo(MEDIA / 'bunny.mp4', folder))
    target = folder / 'bunny-turned.mkv'
    info = GstPbutils.Discoverer.new(60 * Gst.SECOND).discover_uri(
        target.as_uri())
    video = info.get_video_streams()[0]
    assert (video.get_width(), video.get_height()) == (640, 360)
    assert len(info.get_audio_streams()) == 1
    assert 5.2 < info.get_duration() / Gst.SECOND < 5.4, info.get_duration()


def test_name_with_spaces_and_quotes(folder: Path) -> None:
    picture = folder / 'a "b" ! c.jpg'
    picture.write_bytes((MEDIA / 'coffee.jpg').read_bytes())
    expect_done(demo(picture, folder / 'new' / 'folder'))


def test_interlaced(folder: Path) -> None:
    source = folder / 'fields.mkv'
    pipeline = Gst.parse_launch(
        'videotestsrc num-buffers=10 ! video/x-raw,format=I420,'
        'interlace-mode=interleaved,field-order=top-field-first ! '
        f'matroskamux ! filesink location={source}')
    pipeline.set_state(Gst.State.PLAYING)
    pipeline.get_bus().timed_pop_filtered(
        60 * Gst.SECOND, Gst.MessageType.EOS | Gst.MessageType.ERROR)
    pipeline.set_state(Gst.State.NULL)
    expect_done(demo(source, folder))


def test_too_many_arguments(folder: Path) -> None:
    result = demo(MEDIA / 'coffee.jpg', folder, folder)
    assert result.returncode == 2, result.returncode
    assert result.stderr.startswith('usage: '), result.stderr


def test_missing(folder: Path) -> None:
    expect_message(demo(folder / 'nothing.mp4', folder), 'there is no such file')


def test_folder(folder: Path) -> None:
    expect_message(demo(folder, folder), 'not a file')


def test_text(folder: Path) -> None:
    expect_message(demo(TOP / 'LICENSE', folder), 'not a picture or video')


def test_empty(folder: Path) -> None:
    (folder / 'empty.jpg').touch()
    expect_message(demo(folder / 'empty.jpg', folder), 'not a picture or video')


def test_cut_picture(folder: Path) -> None:
    data = (MEDIA / 'coffee.jpg').read_bytes()
    (folder / 'cut.jpg').write_bytes(data[:len(data) // 3])
    expect_message(demo(folder / 'cut.jpg', folder), 'cut.jpg')


def test_cut_video(folder: Path) -> None:
    data = (MEDIA / 'bunny.mp4').read_bytes()
    (folder / 'cut.mp4').write_bytes(data[:len(data) // 3])
    expect_message(demo(folder / 'cut.mp4', folder), 'this file is cut')


def test_outdir_is_a_file(folder: Path) -> None:
    (folder / 'file').touch()
    expect_message(demo(MEDIA / 'coffee.jpg', folder / 'file'),
                   'this folder cannot be made')


def run(call) -> str:
    with tempfile.TemporaryDirectory() as folder:
        try:
            call(Path(folder))
        except AssertionError as error:
            return str(error).replace('\n', ' | ')
    return ''


def main() -> int:
    if '--sanitized' in sys.argv:
        print('1..0 # SKIP Python is not built with the sanitizers')
        return 0
    Gst.init(None)
    tests = [(name[5:], call) for name, call in globals().items()
             if name.startswith('test_')]
    print(f'1..{len(tests)}')
    for number, (name, call) in enumerate(tests, 1):
        problem = run(call)
        state = 'not ok' if problem else 'ok'
        print(f'{state} {number} /demo/{name}', *(['-', problem] if problem
                                                   else []), flush=True)
    return 0


if __name__ == '__main__':
    sys.exit(main())
