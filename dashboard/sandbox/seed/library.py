"""What is in the library of the demo: folders and videos. A cooperative that sells coffee and teaches about it."""

import tomllib
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.sandbox import jobs, media
from dashboard.sandbox.models import Folder, Subtitle, Video
from dashboard.sandbox.seed.people import external_id, known, read_content


class Shelf(NamedTuple):
    """A folder: key, name, key of its parent."""

    key: str
    name: str
    parent: str = ""
    active: bool = True


class Clip(NamedTuple):
    """A video. `seconds` is its length, `days` its age, `still` its picture, `subtitles` language codes."""

    key: str
    shelf: str
    lang: str
    title: str
    seconds: float
    days: int
    still: int
    subtitles: str = ""
    description: str = ""
    status: str = "CONVERTED"
    audio: str = "speech"
    bookmarks: Sequence[tuple[float, str]] = ()
    """Chapters, as the player shows them: second and title."""


_CONTENT: Final = read_content("library")
SHELVES: Final = tuple(Shelf(**shelf) for shelf in _CONTENT["shelves"])
CLIPS: Final = tuple(Clip(**clip) for clip in _CONTENT["clips"])
"""The owner's videos."""
SCHOOL_CLIPS: Final = tuple(Clip(**clip) for clip in _CONTENT["school_clips"])
"""Those of its sub-account."""
OTHER_CLIPS: Final = tuple(Clip(**clip) for clip in _CONTENT["other_clips"])
"""Those of an account that has nothing to do with it: nobody else may ever see them."""
CUE_SECONDS: Final = 5
BYTES_PER_SECOND: Final = 312_000
MADE_BY_AI: Final = frozenset({"en-US", "de"})
"""Subtitle languages that came out of a job; besides them, those of `AI_TRANSCRIBED`."""
AI_TRANSCRIBED: Final = frozenset({"launch_film", "how_we_roast", "es_altitude", "en_curve"})
_MORE: Final = {"sub_account": SCHOOL_CLIPS, "other": OTHER_CLIPS}


def seed_library(now: datetime) -> None:
    """Write folders, videos and subtitles of every account."""
    Folder.objects.bulk_create(_folders(now))
    videos = [*_videos("owner", CLIPS, now)]
    for house, clips in _MORE.items():
        videos += _videos(house, clips, now)
    Video.objects.bulk_create(videos)
    everything = [*CLIPS, *SCHOOL_CLIPS, *OTHER_CLIPS]
    Subtitle.objects.bulk_create(subtitle for clip in everything for subtitle in _subtitles(clip, now))


def uploaded_at(clip: Clip, now: datetime) -> datetime:
    """When a video came in: some minute of its day, never in the future."""
    if clip.days == 0:
        return now - timedelta(minutes=26)
    return now - timedelta(days=clip.days, minutes=known("minute", clip.key).int % 300)


def _folders(now: datetime) -> Iterator[Folder]:
    for number, shelf in enumerate(SHELVES):
        created_at = now - timedelta(days=395 - number * 6)
        yield Folder(
            id=known("folder", shelf.key),
            organization_id=known("organization", "owner"),
            user_id=known("user", "owner"),
            parent_id=known("folder", shelf.parent) if shelf.parent else None,
            name=shelf.name,
            active=shelf.active,
            created_at=created_at,
            updated_at=created_at,
        )


def _videos(house: str, clips: Iterable[Clip], now: datetime) -> Iterator[Video]:
    for clip in clips:
        ready = clip.status in (VideoStatus.CONVERTED, VideoStatus.DELETING)
        came = uploaded_at(clip, now)
        yield Video(
            id=known("video", clip.key),
            external_id=external_id(clip.key, clip.still),
            organization_id=known("organization", house),
            user_id=known("user", house),
            folder_id=known("folder", clip.shelf) if clip.shelf else None,
            title=clip.title,
            description=clip.description,
            status=clip.status,
            length=clip.seconds,
            storage_size=round(clip.seconds * BYTES_PER_SECOND),
            playable=clip.status == VideoStatus.CONVERTED,
            converted_at=came + timedelta(seconds=40 + clip.seconds / 4) if ready else None,
            spoken_lang=clip.lang,
            audio=clip.audio,
            bookmarks=[{"time": at, "title": title} for at, title in clip.bookmarks],
            created_at=came,
            updated_at=came,
        )


def _subtitles(clip: Clip, now: datetime) -> Iterator[Subtitle]:
    for number, lang in enumerate(clip.subtitles.split()):
        created_at = uploaded_at(clip, now) + timedelta(minutes=9 + 4 * number)
        by_ai = lang in MADE_BY_AI or clip.key in AI_TRANSCRIBED
        yield Subtitle(
            id=known("subtitle", f"{clip.key} {lang}"),
            video_id=known("video", clip.key),
            lang=lang,
            label=jobs.language_name(lang),
            source="ai" if by_ai else "uploaded",
            vtt=spoken(clip, lang),
            created_at=created_at,
            updated_at=created_at,
        )


def spoken(clip: Clip, lang: str) -> str:
    """The WebVTT of a video: the film's own words where it is one round of the film, else lines of the lessons."""
    pools = _phrases()
    known_lang = next((pool for pool in pools if pool.split("-")[0] == lang.split("-")[0]), None)
    if known_lang is None:
        return jobs.translation(spoken(clip, clip.lang), lang)
    if clip.seconds <= 72:
        return _first_seconds(media.captions(known_lang), clip.seconds)
    lines = pools[known_lang]
    start = known("lines", clip.key).int % len(lines)
    cues = []
    for number, second in enumerate(range(1, int(clip.seconds) - CUE_SECONDS, CUE_SECONDS)):
        line = lines[(start + number) % len(lines)]
        cues.append(f"{number + 1}\n{_stamp(second)} --> {_stamp(second + CUE_SECONDS - 1)}\n{line}\n")
    return "WEBVTT\n\n" + "\n".join(cues)


def _first_seconds(vtt: str, seconds: float) -> str:
    """The cues of a WebVTT that end within so many seconds."""
    head, *cues = vtt.rstrip("\n").split("\n\n")
    first_cues = [cue for cue in cues if _end(cue) <= seconds]
    return "\n\n".join([head, *first_cues]) + "\n"


def _end(cue: str) -> float:
    hours, minutes, rest = cue.split("\n")[1].split(" --> ")[1].split(":")
    return int(hours) * 3600 + int(minutes) * 60 + float(rest)


def _stamp(second: int) -> str:
    return f"{second // 3600:02}:{second // 60 % 60:02}:{second % 60:02}.000"


@cache
def _phrases() -> dict[str, list[str]]:
    phrases: dict[str, list[str]] = tomllib.loads((Path(__file__).parent / "content/phrases.toml").read_text("utf-8"))
    return phrases
