"""The demo film: a committed clip, its stills and captions, the script that made them, and films of any length from it.

`read` is the one door for whoever serves it; the answers are whole, so that the server can cut HTTP ranges out of them.
"""

from functools import cache
from pathlib import Path
from typing import Final, NamedTuple
from uuid import UUID

from dashboard.sandbox.media import film

HERE: Final = Path(__file__).parent
STILLS: Final = 24
FILM, MASTER, THUMBNAIL, PREVIEW = "film.mp4", "playlist.m3u8", "thumbnail.jpg", "preview.webp"
"""Names below a video's address: progressive MP4, HLS master, still as JPEG and as WebP."""
CAPTION_LANGUAGES: Final = ("pt-BR", "es", "en")
_HLS: Final = "application/vnd.apple.mpegurl"


class File(NamedTuple):
    """What to answer: the bytes and their type."""

    content: bytes
    content_type: str


def read_file(name: str, external_id: UUID, length: float) -> File | None:
    """The file `name` of a video that lasts `length` seconds; None when there is no such file."""
    if name == FILM:
        return File(film.film(length), "video/mp4")
    if name == film.CLIP_ADDRESS:
        return File(film.clip(), "video/mp4")
    if name == MASTER:
        return File(film.master().encode(), _HLS)
    if name == film.MEDIA_ADDRESS:
        return File(film.playlist(length).encode(), _HLS)
    if name in (THUMBNAIL, PREVIEW):
        return _still(still_number(external_id), name.rpartition(".")[2])
    return None


def still_number(external_id: UUID) -> int:
    """Which still stands for a video: from 1 to `STILLS`, three in a row of each scene, always the same for an id."""
    return external_id.int % STILLS + 1


@cache
def _still(number: int, ending: str) -> File:
    content = (HERE / "stills" / f"{number:02}.{ending}").read_bytes()
    return File(content, "image/jpeg" if ending == "jpg" else "image/webp")


@cache
def captions(lang: str) -> str:
    """The WebVTT of the clip, 72 s long, in one of `CAPTION_LANGUAGES`."""
    return (HERE / f"captions.{lang}.vtt").read_text(encoding="utf-8")
