"""What a browser plays and shows of a video: the demo's one film, 72 seconds long, its stills and its captions.

The file of the film ends with the tables that say where each sample lies. A longer video is the same file with longer
tables, in which the film starts over: it plays and seeks through its whole length and is hardly larger. Files are answered
with HTTP ranges: without them nobody can seek.
"""

import re
import struct
from functools import cache, lru_cache
from math import ceil
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from dashboard.sandbox import jobs
from dashboard.sandbox.handlers.videos import subtitle_file
from dashboard.sandbox.http_types import Answer, SandboxRequest, as_uuid, not_found
from dashboard.sandbox.models import Video

HERE: Final = Path(__file__).parent / "film"
STILLS: Final = 24
FILM, MASTER, THUMBNAIL, PREVIEW = "film.mp4", "playlist.m3u8", "thumbnail.jpg", "preview.webp"
"""Names below a video's address: progressive MP4, HLS master, still as JPEG and as WebP."""
FILM_SECONDS: Final = 72
CAPTION_LANGUAGES: Final = ("pt-BR", "es", "en")
_HLS: Final = "application/vnd.apple.mpegurl"
_FRAGMENT, _FRAMES, _FRAMES_TO_KEY = 3, 1080, 45
"""Of the film: seconds of a fragment of HLS, frames, and frames from a key frame to the next."""
_CONTAINERS: Final = (b"moov", b"trak", b"mdia", b"minf", b"stbl")
_DURATIONS: Final = {b"mvhd": 16, b"mdhd": 16, b"tkhd": 20, b"stts": 8}
"""Where these boxes of an MP4 keep how long the film is, in ticks or in samples (ISO 14496-12)."""
_TABLES: Final = {b"stsz": 12, b"stco": 8}
"""Where these boxes have their first entry: the size and the place of each sample."""


class File(NamedTuple):
    """What to answer: the bytes and their type."""

    content: bytes
    content_type: str


def read_file(name: str, external_id: UUID, length: float) -> File | None:
    """Return the file `name` of a video that lasts `length` seconds; None when there is no such file."""
    if name == FILM:
        return File(_film(length), "video/mp4")
    if name == "init.mp4":
        return File((HERE / name).read_bytes(), "video/mp4")
    if name == MASTER:
        return File((HERE / name).read_bytes(), _HLS)
    if name == "media.m3u8":
        return File(_playlist(length).encode(), _HLS)
    if name in (THUMBNAIL, PREVIEW):
        return _still(still_number(external_id), name.rpartition(".")[2])
    return None


@lru_cache(maxsize=16)
def _film(length: float) -> bytes:
    content = (HERE / FILM).read_bytes()
    tables = content.rindex(b"moov") - 4
    return content[:tables] + _repeat(content[tables:], length / FILM_SECONDS)


def _repeat(boxes: bytes, times: float) -> bytes:
    """Return the boxes of an MP4's tables with the film in them so many `times`, the last time in part."""
    result, start = b"", 0
    while start < len(boxes):
        size, name = struct.unpack_from(">I4s", boxes, start)
        body = bytearray(boxes[start + 8 : start + size])
        if name in _CONTAINERS:
            body = bytearray(_repeat(bytes(body), times))
        elif name in _DURATIONS:
            (duration,) = struct.unpack_from(">I", body, _DURATIONS[name])
            struct.pack_into(">I", body, _DURATIONS[name], max(1, round(duration * times)))
        elif name in _TABLES:
            first = _TABLES[name]
            count = max(1, round((len(body) - first) // 4 * times))
            body[first - 4 :] = struct.pack(">I", count) + (body[first:] * ceil(times))[: count * 4]
        elif name == b"stss":
            keys = range(1, max(1, round(_FRAMES * times)) + 1, _FRAMES_TO_KEY)
            body[4:] = struct.pack(f">{len(keys) + 1}I", len(keys), *keys)
        result += struct.pack(">I4s", 8 + len(body), name) + body
        start += size
    return result


def _playlist(length: float) -> str:
    """Return the HLS media playlist: ranges of the film, again from its beginning each time it starts over."""
    head, *fragments = (HERE / "media.m3u8").read_text().removesuffix("#EXT-X-ENDLIST\n").split("#EXTINF")
    for number in range(max(1, round(length / _FRAGMENT))):
        rounds, place = divmod(number, len(fragments))
        head += ("#EXT-X-DISCONTINUITY\n" if rounds and not place else "") + "#EXTINF" + fragments[place]
    return head + "#EXT-X-ENDLIST\n"


def still_number(external_id: UUID) -> int:
    """Return which still stands for a video: 1 to `STILLS`, three in a row of each scene, always the same for an id."""
    return external_id.int % STILLS + 1


@cache
def _still(number: int, ending: str) -> File:
    content = (HERE / "stills" / f"{number:02}.{ending}").read_bytes()
    return File(content, "image/jpeg" if ending == "jpg" else "image/webp")


@cache
def captions(lang: str) -> str:
    """Return the WebVTT of the film in one of `CAPTION_LANGUAGES`."""
    return (HERE / f"captions.{lang}.vtt").read_text(encoding="utf-8")


_RANGE: Final = re.compile(r"bytes=(\d*)-(\d*)", re.ASCII)


def answer_file(request: SandboxRequest) -> Answer:
    """GET or HEAD /media/{external_id}/{name}."""
    video = _video(request)
    content = read_file(request.arguments["name"], video.external_id, video.length)
    if content is None:
        raise not_found("Not found")
    headers = {
        "content-type": content.content_type,
        "cache-control": "public, max-age=3600",
        "etag": f'"{video.external_id.hex[:12]}-{len(content.content)}"',
    }
    return ranged(request, Answer(200, content=content.content, headers=headers))


def answer_subtitle(request: SandboxRequest) -> Answer:
    """GET or HEAD /media/{external_id}/subtitles/{lang}.vtt."""
    jobs.settle(request.now)
    lang, dot, ending = request.arguments["name"].rpartition(".")
    if not dot or ending != "vtt":
        raise not_found("Not found")
    return ranged(request, subtitle_file(_video(request), lang))


def ranged(request: SandboxRequest, whole: Answer) -> Answer:
    """Return the part that the Range header asks for: 206, 416, or the whole where there is no (single) range."""
    content = whole.to_bytes()
    match = _RANGE.fullmatch(request.headers.get("range", "").replace(" ", ""))
    if request.headers.get("if-range", whole.headers.get("etag")) != whole.headers.get("etag"):
        match = None
    status, start, end = 200, 0, len(content)
    headers = {**whole.headers, "accept-ranges": "bytes"}
    if match and match.group(0) != "bytes=-":
        first, last = match.groups()
        start = int(first) if first else max(0, len(content) - int(last))
        end = min(int(last) + 1, len(content)) if first and last else len(content)
        if start >= end:
            return Answer(416, content=b"", headers={**headers, "content-range": f"bytes */{len(content)}"})
        status, headers["content-range"] = 206, f"bytes {start}-{end - 1}/{len(content)}"
    headers["content-length"] = str(end - start)
    return Answer(status, content=b"" if request.method == "HEAD" else content[start:end], headers=headers)


def _video(request: SandboxRequest) -> Video:
    identifier = as_uuid(request.arguments["external_id"])
    video = Video.objects.filter(external_id=identifier).first() if identifier else None
    if video is None:
        raise not_found("Not found")
    return video
