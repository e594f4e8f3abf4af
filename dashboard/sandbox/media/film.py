"""Films of any length out of the one committed clip, without a codec and almost without bytes.

The sample table of an MP4 says where each picture lies in the file, and nothing forbids it to say the same place twice.
So a film of eleven minutes is the clip's own 600 kB behind a longer table in which the clip comes round ten times; the
HLS playlist says the same with byte ranges. Every demo video plays and seeks through its whole length in every browser.
"""

import json
import struct
from collections.abc import Iterable
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from typing import Any, Final, NamedTuple

HERE: Final = Path(__file__).parent
CLIP_ADDRESS: Final = "clip.mp4"
MEDIA_ADDRESS: Final = "media.m3u8"
"""Where a playlist looks for the clip, and the master playlist for the other one, relative to themselves."""
_UNITY: Final = struct.pack(">9i", 0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x40000000)


@cache
def clip() -> bytes:
    """The committed clip: a fragmented MP4."""
    return (HERE / "clip.mp4").read_bytes()


@cache
def _index() -> dict[str, Any]:
    index: dict[str, Any] = json.loads((HERE / "clip.json").read_text())
    return index


def _box(name: str, *parts: bytes) -> bytes:
    body = b"".join(parts)
    return struct.pack(">I4s", 8 + len(body), name.encode()) + body


def _table(name: str, entries: Iterable[bytes]) -> bytes:
    rows = list(entries)
    return _box(name, bytes(4), struct.pack(">I", len(rows)), *rows)


class _Track(NamedTuple):
    """One track of the clip, and how many of its samples a film of some length `takes`."""

    kind: str
    number: int
    rate: int
    step: int
    sizes: list[int]
    runs: list[list[int]]
    keys: list[int]
    takes: int

    @property
    def seconds(self) -> float:
        return self.takes * self.step / self.rate


def _track(kind: str, number: int, length: float) -> _Track:
    table = _index()[kind]
    rate, step = table["rate"], table["step"]
    takes = max(1, round(length * rate / step))
    return _Track(kind, number, rate, step, table["sizes"], table["runs"], table.get("keys", []), takes)


def _description(track: _Track) -> bytes:
    """The decoder's settings, copied from the head of the clip."""
    head = clip()[: _index()["head"]]
    at = -4
    for _ in range(track.number):
        at = head.index(b"stsd", at + 4)
    (size,) = struct.unpack_from(">I", head, at - 4)
    return head[at - 4 : at - 4 + size]


def _chunks(track: _Track) -> list[tuple[int, int]]:
    """Offset in the clip and number of samples of every run the film takes; the clip comes round as often as needed."""
    rounds = ceil(track.takes / len(track.sizes))
    chunks, left = [], track.takes
    for offset, samples in track.runs * rounds:
        if left <= 0:
            break
        chunks.append((offset, min(samples, left)))
        left -= samples
    return chunks


def _samples(track: _Track, shift: int) -> bytes:
    chunks = _chunks(track)
    changes = [n for n, (_, count) in enumerate(chunks) if n == 0 or chunks[n - 1][1] != count]
    rounds = ceil(track.takes / len(track.sizes))
    sizes = (struct.pack(f">{len(track.sizes)}I", *track.sizes) * rounds)[: track.takes * 4]
    keys = [key + 1 + n * len(track.sizes) for n in range(rounds) for key in track.keys]
    return _box(
        "stbl",
        _description(track),
        _table("stts", [struct.pack(">II", track.takes, track.step)]),
        _table("stss", [struct.pack(">I", key) for key in keys if key <= track.takes]) if keys else b"",
        _table("stsc", [struct.pack(">III", n + 1, chunks[n][1], 1) for n in changes]),
        _box("stsz", bytes(8), struct.pack(">I", track.takes), sizes),
        _table("stco", [struct.pack(">I", offset + shift) for offset, _ in chunks]),
    )


def _trak(track: _Track, shift: int) -> bytes:
    video = track.kind == "video"
    size = (_index()["width"] << 16, _index()["height"] << 16) if video else (0, 0)
    volume = 0 if video else 0x100
    kind, name = (b"vide", b"Picture\0") if video else (b"soun", b"Sound\0")
    ticks = struct.pack(">IIII", 0, 0, track.rate, track.takes * track.step)
    place = struct.pack(">IIIIIIIHHHH", 0, 0, track.number, 0, round(track.seconds * 1000), 0, 0, 0, 0, volume, 0)
    media = _box("vmhd", b"\0\0\0\1", bytes(8)) if video else _box("smhd", bytes(8))
    return _box(
        "trak",
        _box("tkhd", b"\0\0\0\3", place, _UNITY, struct.pack(">II", *size)),
        _box(
            "mdia",
            _box("mdhd", bytes(4), ticks, b"\x55\xc4\0\0"),
            _box("hdlr", bytes(8), kind, bytes(12), name),
            _box("minf", media, _box("dinf", _table("dref", [_box("url ", b"\0\0\0\1")])), _samples(track, shift)),
        ),
    )


def _moov(length: float, shift: int) -> bytes:
    tracks = [_track("video", 1, length), _track("audio", 2, length)]
    longest = round(max(track.seconds for track in tracks) * 1000)
    clock = struct.pack(">IIIIIH10x", 0, 0, 1000, longest, 0x10000, 0x100)
    head = _box("mvhd", bytes(4), clock, _UNITY, bytes(24), struct.pack(">I", 3))
    return _box("moov", head, *(_trak(track, shift) for track in tracks))


@lru_cache(maxsize=16)
def film(length: float) -> bytes:
    """A whole MP4 of `length` seconds, its table in front so that it starts to play at once."""
    head = _index()["head"]
    front = _box("ftyp", b"isom", struct.pack(">I", 512), b"isomiso2avc1mp41")
    shift = len(front) + len(_moov(length, 0)) + 8 - head
    return front + _moov(length, shift) + _box("mdat", clip()[head:])


def master() -> str:
    """The HLS master playlist of every film: one rendition."""
    index = _index()
    rate = max(size for _, size in index["fragments"]) * 8 / index["fragment_seconds"]
    return (
        "#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-INDEPENDENT-SEGMENTS\n"
        f"#EXT-X-STREAM-INF:BANDWIDTH={ceil(rate)},RESOLUTION={index['width']}x{index['height']},"
        f'CODECS="{_codecs()}",FRAME-RATE={index["video"]["rate"] / index["video"]["step"]:.3f}\n{MEDIA_ADDRESS}\n'
    )


def _codecs() -> str:
    """The names by which a browser decides whether it can play: profile and level out of the clip's own head."""
    head = clip()[: _index()["head"]]
    profile = head[head.index(b"avcC") + 5 :][:3]
    return f"avc1.{profile.hex()},mp4a.40.2"


def playlist(length: float) -> str:
    """The HLS media playlist of a film: byte ranges of the clip, again from its start each time it comes round."""
    index = _index()
    step = index["fragment_seconds"]
    lines = ["#EXTM3U", "#EXT-X-VERSION:7", "#EXT-X-PLAYLIST-TYPE:VOD", f"#EXT-X-TARGETDURATION:{ceil(step)}"]
    lines += ["#EXT-X-INDEPENDENT-SEGMENTS", f'#EXT-X-MAP:URI="{CLIP_ADDRESS}",BYTERANGE="{index["head"]}@0"']
    fragments = index["fragments"]
    for number in range(max(1, round(length / step))):
        offset, size = fragments[number % len(fragments)]
        if number and number % len(fragments) == 0:
            lines.append("#EXT-X-DISCONTINUITY")
        lines += [f"#EXTINF:{step:.3f},", f"#EXT-X-BYTERANGE:{size}@{offset}", CLIP_ADDRESS]
    return "\n".join([*lines, "#EXT-X-ENDLIST", ""])
