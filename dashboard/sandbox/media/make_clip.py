"""Make the demo film again: `uv run --group media python -m dashboard.sandbox.media.make_clip`.

Writes, beside this file:
- `clip.mp4`: 72 s, 640x360, H.264 and AAC, burnt-in timecode. Fragmented: the same bytes serve HLS by byte ranges.
- `clip.json`: where every sample and fragment lies, from which `film.py` builds films of any length without a codec.
- `stills/*.jpg|webp`: what the library shows.
"""

import io
import json
import struct
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, Literal

import av
from PIL import Image, ImageEnhance

from dashboard.sandbox.media.studio import indoors, outdoors, sound
from dashboard.sandbox.media.studio.paint import HEIGHT, WIDTH, disc, ease, shape, words

HERE: Final = Path(__file__).parent
SCENES: Final[tuple[Callable[[], Callable[[float], Image.Image]], ...]] = (
    outdoors.Dawn,
    outdoors.Valley,
    outdoors.Cherries,
    outdoors.Patio,
    indoors.Roaster,
    indoors.Cup,
    indoors.Interview,
    outdoors.Night,
)
SECONDS: Final = outdoors.SECONDS * len(SCENES)
RATE: Final = 15  # pictures per second
FRAGMENT: Final = 3 * RATE  # pictures; each fragment starts with a key frame, so people can seek to every third second
QUALITY: Final = "30"  # x264's crf
STILL_MAX: Final = 12_000  # bytes: a page of the library shows dozens


def timecode(picture: Image.Image, frame: int) -> None:
    """Minutes, seconds and pictures in the upper left corner; a marker that crosses the picture once in the film."""
    seconds, rest = divmod(frame, RATE)
    shape((104, 26), [(0, 0), (104, 0), (104, 26), (0, 26)], "#0c1416").over(picture, 14, 12, 0.72)
    for place, sign in enumerate(f"{seconds // 60:02}:{seconds % 60:02}:{rest:02}"):
        words(sign, 16, "#f4f6f4").over(picture, 22 + place * 11 + (3 if sign == ":" else 0), 15)
    x = 14 + (WIDTH - 28) * frame / (SECONDS * RATE)
    shape((WIDTH - 28, 3), [(0, 0), (WIDTH - 28, 0), (WIDTH - 28, 3), (0, 3)], "#ffffff").over(
        picture, 14, HEIGHT - 14, 0.34
    )
    disc(5, "#f0a63c").over(picture, x - 6, HEIGHT - 18.5)


def pictures() -> Iterator[Image.Image]:
    """Every picture of the film in order."""
    scenes = [scene() for scene in SCENES]
    for frame in range(SECONDS * RATE):
        number, t = divmod(frame / RATE, outdoors.SECONDS)
        picture = scenes[int(number)](t)
        dark = min(ease(frame / RATE / 0.8), ease((SECONDS - frame / RATE) / 0.8))
        picture = ImageEnhance.Brightness(picture).enhance(dark) if dark < 1 else picture
        timecode(picture, frame)
        yield picture


def encode() -> bytes:
    """The film as one fragmented MP4. No B-frames: decoded as shown, so that parts can be put together freely."""
    target = io.BytesIO()
    flags = {"movflags": "frag_keyframe+empty_moov+default_base_moof", "fflags": "+bitexact"}
    with av.open(target, "w", format="mp4", options=flags) as out:
        options = {"crf": QUALITY, "preset": "veryslow", "tune": "animation", "bf": "0", "sc_threshold": "0"}
        video = out.add_stream("libx264", rate=RATE, options=options)
        video.width, video.height, video.pix_fmt, video.gop_size = WIDTH, HEIGHT, "yuv420p", FRAGMENT
        video.codec_context.thread_count = 1
        audio = out.add_stream("aac", rate=sound.RATE, layout="mono")
        audio.bit_rate = 20_000
        track = sound.samples(SECONDS)
        for number, picture in enumerate(pictures()):
            frame = av.VideoFrame.from_image(picture)  # type: ignore[no-untyped-call]  # av leaves it so
            frame.pts = number
            out.mux(video.encode(frame))
            first, last = number * sound.RATE // RATE, (number + 1) * sound.RATE // RATE
            heard = audio.encode(_sound_frame(track[first:last].tobytes(), first))
            out.mux([packet for packet in heard if (packet.pts or 0) >= 0])  # not the silence that AAC puts before
        out.mux(video.encode())
        out.mux(audio.encode())
    return target.getvalue()


def _sound_frame(part: bytes, start: int) -> av.AudioFrame:
    frame = av.AudioFrame(format="s16", layout="mono", samples=len(part) // 2)
    frame.planes[0].update(part)
    frame.sample_rate, frame.pts = sound.RATE, start
    return frame


def boxes(data: bytes) -> Iterator[tuple[str, int, int]]:
    """Name, start and end of every outermost box of an MP4."""
    at = 0
    while at < len(data):
        size, name = struct.unpack_from(">I4s", data, at)
        yield name.decode(), at, at + size
        at += size


def sample_table(clip: bytes, kind: Literal["video", "audio"]) -> dict[str, Any]:
    """Where the samples of one track lie: `runs` of samples that touch, as [offset, count]; sizes, key frames."""
    with av.open(io.BytesIO(clip), "r") as source:
        stream = source.streams.video[0] if kind == "video" else source.streams.audio[0]
        packets = [(p.pos or 0, p.size, p.pts or 0, p.is_keyframe) for p in source.demux(stream) if p.size]
        rate = stream.time_base.denominator if stream.time_base else 1
    runs: list[list[int]] = []
    end = -1
    for offset, size, _, _ in packets:
        if offset != end:
            runs.append([offset, 0])
        runs[-1][1] += 1
        end = offset + size
    sizes = [size for _, size, _, _ in packets]
    table: dict[str, Any] = {"rate": rate, "step": packets[1][2] - packets[0][2], "sizes": sizes, "runs": runs}
    keys = [number for number, packet in enumerate(packets) if packet[3]]
    return table | ({"keys": keys} if kind == "video" else {})


def index(clip: bytes) -> dict[str, Any]:
    """What `film.py` needs to know about the clip; offsets and sizes in bytes, `step` in units of 1/`rate` second."""
    outermost = list(boxes(clip))
    starts = [start for name, start, _ in outermost if name == "moof"]
    ends = [end for name, _, end in outermost if name == "mdat"]
    return {
        "seconds": SECONDS,
        "width": WIDTH,
        "height": HEIGHT,
        "head": starts[0],
        "fragments": [[start, end - start] for start, end in zip(starts, ends, strict=True)],
        "fragment_seconds": FRAGMENT / RATE,
        "video": sample_table(clip, "video"),
        "audio": sample_table(clip, "audio"),
    }


def stills() -> Iterator[tuple[str, Image.Image]]:
    """Three stills of every scene, in the light of three times of the day: names and pictures."""
    lights = ((1.0, 1.0, (0, 0, 0)), (1.08, 0.92, (255, 190, 110)), (0.86, 0.9, (60, 90, 160)))
    for number, scene in enumerate(SCENES):
        for light, (bright, colour, tint) in enumerate(lights):
            picture = scene()((5.0, 6.6, 1.8)[light])
            picture = ImageEnhance.Color(ImageEnhance.Brightness(picture).enhance(bright)).enhance(colour)
            if light:
                picture = Image.blend(picture, Image.new("RGB", picture.size, tint), 0.16)
            yield f"{number * 3 + light + 1:02}", picture.resize((480, 270), Image.Resampling.LANCZOS)


def small_jpeg(picture: Image.Image) -> bytes:
    """The picture in the best quality that stays under `STILL_MAX`."""
    for quality in range(78, 30, -4):
        target = io.BytesIO()
        picture.save(target, "JPEG", quality=quality, optimize=True, progressive=True)
        if target.tell() <= STILL_MAX:
            break
    return target.getvalue()


def main() -> None:
    """Write the clip, its index and the stills."""
    clip = encode()
    (HERE / "clip.mp4").write_bytes(clip)
    (HERE / "clip.json").write_text(json.dumps(index(clip), separators=(",", ":")) + "\n")
    (HERE / "stills").mkdir(exist_ok=True)
    for name, picture in stills():
        (HERE / "stills" / f"{name}.jpg").write_bytes(small_jpeg(picture))
        picture.save(HERE / "stills" / f"{name}.webp", quality=60, method=6)
    sys.stdout.write(f"clip.mp4: {len(clip) / 1000:.0f} kB, {SECONDS} s\n")


if __name__ == "__main__":
    main()
