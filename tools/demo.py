# SPDX-License-Identifier: LGPL-2.1-or-later
# SPDX-FileCopyrightText: The gst-zc authors
"""Turns a picture or a video with zcupload, zcflip and zcdownload.

Usage: demo.py [FILE] [OUTDIR]. A picture becomes a contact sheet of its eight
orientations, a video one turned upright by its tag, or by 90 degrees if it has
none. Run it by ./zc demo, which sets the environment.
"""

import ctypes
import shlex
import sys
from pathlib import Path
from typing import NamedTuple, Optional

import gi

gi.require_version('Gst', '1.0')
gi.require_version('GstPbutils', '1.0')
gi.require_version('GstVideo', '1.0')
from gi.repository import GLib, Gst, GstPbutils, GstVideo  # noqa: E402

import contactsheet  # noqa: E402

TOP = Path(__file__).resolve().parent.parent
MEDIA = TOP / 'examples' / 'media'
PICTURE = 'videoconvert ! zcupload ! {flips} ! zcdownload ! videoconvert'
VIDEO = ('videoconvert ! zcupload ! {flips} ! zcdownload ! videoconvert ! '
         'vp8enc deadline=1 cpu-used=8 threads=4 end-usage=cq cq-level=12 '
         'target-bitrate=20000000 ! queue ! mux.')
SOUND = ('dec. ! audioconvert ! audioresample ! opusenc ! '
         'queue max-size-time=0 max-size-buffers=0 ! mux.')
DIRECTIONS = ('identity', '90r', '180', '90l', 'horiz', 'vert', 'ul-lr',
              'ur-ll')
LONGEST_WAIT = 60  # seconds without any progress


class DemoError(Exception):
    """What a person should read when the demo can't go on."""


class Media(NamedTuple):
    """What is known of a file before it is decoded."""
    path: Path
    width: int
    height: int
    is_picture: bool
    is_interlaced: bool
    has_sound: bool
    seconds: float
    orientation: Optional[str]

    def __str__(self) -> str:
        size = f'{self.width}x{self.height}'
        if self.is_picture:
            return f'{self.path.name}: a picture of {size}'
        sound = 'with' if self.has_sound else 'without'
        kind = 'an interlaced video' if self.is_interlaced else 'a video'
        return (f'{self.path.name}: {kind} of {size}, {self.seconds:.1f} s, '
                f'{sound} sound, orientation {self.orientation or "not said"}')


def driver_and_device() -> str:
    """Which CUDA driver is in use, and its first device."""
    name = ctypes.create_string_buffer(128)
    try:
        cuda = ctypes.CDLL('libcuda.so.1')
    except OSError as error:
        raise DemoError(f'no CUDA driver: {error}') from error
    code = cuda.cuInit(0) or cuda.cuDeviceGetName(name, len(name), 0)
    if code:
        raise DemoError(f'the CUDA driver does not start (error {code})')
    if name.value.startswith(b'softcuda'):
        return ('softcuda, the CUDA driver on the CPU, for no NVIDIA driver is '
                'in use')
    return f'the NVIDIA driver, {name.value.decode()}'


def tagged_orientation(stream: GstPbutils.DiscovererVideoInfo) -> Optional[str]:
    tags = stream.get_tags()
    found, value = tags.get_string('image-orientation') if tags else (False, '')
    return value if found and value != 'rotate-0' else None


def discover(path: Path) -> Media:
    if not path.is_file():
        raise DemoError(f'{path}: there is no such file' if not path.exists()
                        else f'{path}: this is not a file')
    finder = GstPbutils.Discoverer.new(LONGEST_WAIT * Gst.SECOND)
    try:
        info = finder.discover_uri(path.resolve().as_uri())
    except GLib.Error as error:
        raise DemoError(f'{path}: not a picture or video that GStreamer can '
                        f'read: {error.message}') from error
    if info.get_result() == GstPbutils.DiscovererResult.MISSING_PLUGINS:
        details = info.get_missing_elements_installer_details()
        names = ', '.join(detail.split('|')[3] for detail in details)
        raise DemoError(f'{path}: GStreamer has no {names}')
    streams = info.get_video_streams()
    if info.get_result() == GstPbutils.DiscovererResult.ERROR:
        raise DemoError(f'{path}: not a picture or video that GStreamer can '
                        'read; it may be cut')
    if not streams:
        raise DemoError(f'{path}: there is no picture or video in this file')
    video = streams[0]
    return Media(path, video.get_width(), video.get_height(), video.is_image(),
                 video.is_interlaced(), bool(info.get_audio_streams()),
                 info.get_duration() / Gst.SECOND, tagged_orientation(video))


def launch(description: str, source: Path) -> Gst.Pipeline:
    pipeline = Gst.parse_launch(description)
    pipeline.get_by_name('src').set_property('location', str(source))
    return pipeline


def fail(path: Path, message: Gst.Message) -> None:
    error, debug = message.parse_error()
    GLib.log_default_handler('zc', GLib.LogLevelFlags.LEVEL_DEBUG, debug or '')
    raise DemoError(f'{path}: {message.src.get_name()}: {error.message}')


def turned_picture(media: Media, flips: str) -> contactsheet.Pixels:
    """One orientation of the picture, in RGB."""
    pipeline = launch('filesrc name=src ! decodebin ! '
                      + PICTURE.format(flips=flips) +
                      ' ! video/x-raw,format=RGB ! appsink name=out', media.path)
    pipeline.set_state(Gst.State.PLAYING)
    try:
        sample = pipeline.get_by_name('out').emit('pull-sample')
        if sample is None:
            fail(media.path, pipeline.get_bus().timed_pop_filtered(
                Gst.SECOND, Gst.MessageType.ERROR))
        info = GstVideo.VideoInfo.new_from_caps(sample.get_caps())
        buffer = sample.get_buffer()
        data = buffer.extract_dup(0, buffer.get_size())
        return contactsheet.Pixels(info.width, info.height, info.stride[0], data)
    finally:
        pipeline.set_state(Gst.State.NULL)


def flips_for(media: Media, direction: str) -> str:
    """The tag first, so that a phone's picture is upright when 'identity'."""
    upright = 'zcflip video-direction=auto ! ' if media.orientation else ''
    return f'{upright}zcflip video-direction={direction}'


def demo_picture(media: Media, target: Path) -> str:
    flips = {direction: flips_for(media, direction) for direction in DIRECTIONS}
    contactsheet.write({direction: turned_picture(media, flip)
                        for direction, flip in flips.items()}, target)
    return (f'filesrc location={shlex.quote(str(media.path))} ! decodebin ! '
            f'{PICTURE.format(flips=flips["90r"])} ! pngenc ! '
            'filesink location=turned.png')


class Progress:
    """Shows how far a pipeline is, in percent, on one line of a terminal."""

    def __init__(self, pipeline: Gst.Pipeline, seconds: float):
        self.pipeline, self.seconds = pipeline, seconds
        self.shown, self.position = -1, 0.0

    def show(self) -> bool:
        """Returns whether the position has moved since the last call."""
        known, position = self.pipeline.query_position(Gst.Format.TIME)
        if not known or self.seconds <= 0:
            return False
        self.position = position / Gst.SECOND
        percent = min(100, int(100 * self.position / self.seconds))
        moved = percent != self.shown
        step = 1 if sys.stdout.isatty() else 10
        if moved and percent // step != self.shown // step:
            end = '\r' if sys.stdout.isatty() else '\n'
            print(f'  {percent:3} %', end=end, flush=True)
        self.shown = percent
        return moved


def run(pipeline: Gst.Pipeline, media: Media) -> float:
    """Plays the pipeline to its end and returns how many seconds it had.

    Raises if it fails or stands still.
    """
    progress = Progress(pipeline, media.seconds)
    wanted = Gst.MessageType.ERROR | Gst.MessageType.EOS
    still = 0
    pipeline.set_state(Gst.State.PLAYING)
    try:
        while still < 2 * LONGEST_WAIT:
            message = pipeline.get_bus().timed_pop_filtered(
                Gst.SECOND // 2, wanted)
            if message and message.type == Gst.MessageType.EOS:
                progress.show()
                return progress.position
            if message:
                fail(media.path, message)
            still = 0 if progress.show() else still + 1
        raise DemoError(f'{media.path}: no progress for {LONGEST_WAIT} s')
    finally:
        pipeline.set_state(Gst.State.NULL)


def demo_video(media: Media, target: Path) -> str:
    direction = 'auto' if media.orientation else '90r'
    # two fields of a frame can't be turned by 90 degrees
    frames = 'deinterlace fields=top ! ' if media.is_interlaced else ''
    body = 'dec. ! ' + frames + VIDEO.format(
        flips=f'zcflip video-direction={direction}')
    if media.has_sound:
        body += ' ' + SOUND
    part = target.with_suffix('.part')
    pipeline = launch(f'filesrc name=src ! decodebin name=dec '
                      f'matroskamux name=mux ! filesink name=sink {body}',
                      media.path)
    pipeline.get_by_name('sink').set_property('location', str(part))
    try:
        seconds = run(pipeline, media)
        part.replace(target)
    finally:
        part.unlink(missing_ok=True)
    if seconds < 0.95 * media.seconds - 1:
        raise DemoError(f'{media.path}: this file is cut: it ends after '
                        f'{seconds:.1f} s of {media.seconds:.1f} s; '
                        f'what it has is in {target}')
    return (f'filesrc location={shlex.quote(str(media.path))} ! decodebin '
            f'name=dec matroskamux name=mux ! filesink location=turned.mkv '
            f'{body}')


def demo(path: Path, outdir: Path) -> Path:
    media = discover(path)
    print(media)
    if media.is_picture:
        target = outdir / f'{path.stem}-orientations.png'
        line = demo_picture(media, target)
    else:
        target = outdir / f'{path.stem}-turned.mkv'
        line = demo_video(media, target)
    here = Path.cwd() == TOP
    script = './zc' if here else shlex.quote(str(TOP / 'zc'))
    print(f'  wrote {target}\n'
          f'  by hand: {script} shell -- gst-launch-1.0 {line}')
    return target


def make_folder(path: Path) -> None:
    try:
        path.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise DemoError(f'{path}: this folder cannot be made: '
                        f'{error.strerror}') from error


def readable(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename:
        return f'{error.filename}: {error.strerror}'
    return str(error)


def main(arguments: list[str]) -> int:
    if len(arguments) > 2 or any(word.startswith('-') for word in arguments):
        print('usage: ./zc demo [FILE] [OUTDIR]', file=sys.stderr)
        return 2
    sys.stdout.reconfigure(line_buffering=True)  # in order with the errors
    files = [Path(arguments[0])] if arguments else [MEDIA / 'coffee.jpg',
                                                    MEDIA / 'bunny.mp4']
    outdir = Path(arguments[1] if len(arguments) > 1 else 'zc-out')
    Gst.init(None)
    try:
        print(f'zc: running on {driver_and_device()}')
        make_folder(outdir)
        targets = [str(demo(path, outdir)) for path in files]
    except (DemoError, OSError, GLib.Error) as error:
        print(f'zc: the demo failed: {readable(error)}', file=sys.stderr)
        return 1
    print(f'zc: done: {" ".join(targets)}')
    return 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
