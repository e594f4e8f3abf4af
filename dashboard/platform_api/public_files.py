"""Public files of the platform's player [2.8; gaps 15, A6 to A8]: read without a token, by zone name and external id."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import Final, Self

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.request import Auth, Host, Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import (
    JSON,
    Unreadable,
    address,
    first,
    mapping,
    number,
    optional_flag,
    optional_text,
    rest,
    sequence,
    text,
    word,
)
from dashboard.platform_api.videos import Subtitle, ai_resources, read_web_vtt, subtitles_in
from dashboard.platform_api.vocabulary import TestStatus

_TIMECODE: Final = re.compile(r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,2}(?:[.,]\d{1,6})?)", re.ASCII)


@dataclass(frozen=True, slots=True)
class Bookmark:
    """A chapter that the player shows. `time` in seconds from the beginning of the video."""

    time: float
    title: str


@dataclass(frozen=True, slots=True)
class VideoConfig:
    """What the player knows of a video. `ai_kinds`: ebook, mindmap, quiz, as far as the video has them in any language.

    `has_pdfs`: whether the eBook and the mind map are there as PDF files; None where it is not told.
    """

    ai_kinds: frozenset[str]
    has_pdfs: bool | None
    subtitles: tuple[Subtitle, ...]
    bookmarks: tuple[Bookmark, ...]
    assistant_id: str | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        ai = mapping(source.get("ai"))
        kinds = {key: value for key, value in ai.items() if key not in ("pdf_generated", "resources")}
        listed = (*ai_resources(kinds).found, *ai_resources(ai.get("resources")).found)
        bookmarks = sorted(filter(None, map(_bookmark, sequence(source.get("bookMarks")))), key=lambda mark: mark.time)
        return cls(
            ai_kinds=frozenset(resource.kind for resource in listed),
            has_pdfs=optional_flag(ai.get("pdf_generated")),
            subtitles=subtitles_in(source.get("subtitles")),
            bookmarks=tuple(bookmarks),
            assistant_id=optional_text(source.get("assistant_id")),
            extra=rest(source, "ai subtitles bookMarks assistant_id"),
        )


@dataclass(frozen=True, slots=True)
class ComparisonFile:
    """What the player knows of an A/B test: `videos` and `winner` are external ids of videos."""

    status: str
    videos: tuple[str, ...]
    winner: str | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        keys = ("video_external_id", "external_id", "id")
        videos = (text(first(mapping(video), *keys)) or text(video) for video in sequence(source.get("videos")))
        return cls(
            status=word(source.get("status"), TestStatus),
            videos=tuple(filter(None, videos)),
            winner=optional_text(source.get("winner_video_id")),
            extra=rest(source, "status videos winner_video_id"),
        )


@dataclass(frozen=True, slots=True)
class LiveFile:
    """What the player knows of a live. `status` in lower case; one that is not known means that it has not begun."""

    status: str
    title: str
    thumbnail_url: str | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            status=text(source.get("status")).lower(),
            title=text(source.get("title")),
            thumbnail_url=address(source.get("thumb")),
            extra=rest(source, "status title thumb"),
        )


def _bookmark(value: JSON) -> Bookmark | None:
    """A bookmark whose time is a number of seconds, or text such as 01:02:03.500; None for one without a time."""
    source = mapping(value)
    seconds = number(source.get("time"))
    match = _TIMECODE.fullmatch(text(source.get("time")).strip()) if seconds is None else None
    if match:
        hours, minutes, rest_of_it = match.groups()
        seconds = int(hours or 0) * 3600 + int(minutes) * 60 + float(rest_of_it.replace(",", "."))
    return Bookmark(seconds, text(source.get("title"))) if seconds is not None and seconds >= 0 else None


class PublicFiles:
    """Files by the zone name of an account and the external id of a video, a live or an A/B test.

    `Missing` where there is no such file, and where the host of such files is not set.
    """

    def __init__(self, send: Send) -> None:
        self._send = send

    def video(self, pullzone: str, external_id: Identifier) -> VideoConfig:
        """GET {config_url}/{pullzone}/{external_id}.json [gaps 15, A6]."""
        name = f"{external_id}.json" if external_id else ""
        return self._send(
            _request("public_files.video", Host.CONFIG, pullzone, name),
            lambda answer: VideoConfig.from_json(_object(answer)),
        )

    def document(self, pullzone: str, external_id: Identifier, name: str) -> datetime | None:
        """HEAD {config_url}/{pullzone}/{external_id}/{name}.pdf [gaps 15, A4]: when the PDF was made, None where not told.

        `name`: abstract or mindmap.
        """
        path = (pullzone, external_id, f"{name}.pdf")
        return self._send(_request("public_files.document", Host.CONFIG, *path, method="HEAD"), _changed_at)

    def comparison(self, pullzone: str, comparison_id: Identifier) -> ComparisonFile:
        """GET {config_url}/{pullzone}/comparison/{comparison_id}.json [gaps 15, A7]."""
        name = f"{comparison_id}.json" if comparison_id else ""
        return self._send(
            _request("public_files.comparison", Host.CONFIG, pullzone, "comparison", name),
            lambda answer: ComparisonFile.from_json(_object(answer)),
        )

    def live(self, pullzone: str, external_id: Identifier) -> LiveFile:
        """GET {live_config_url}/{pullzone}/{external_id}-live.json [gaps 15, A8]."""
        name = f"{external_id}-live.json" if external_id else ""
        return self._send(
            _request("public_files.live", Host.LIVE_CONFIG, pullzone, name),
            lambda answer: LiveFile.from_json(_object(answer)),
        )

    def subtitle(self, pullzone: str, external_id: Identifier, lang: str) -> str:
        """GET {subtitles_url}/{pullzone}/{external_id}/{lang}.vtt [gaps 15, A9]: the WebVTT text."""
        name = f"{lang}.vtt" if lang else ""
        return self._send(_request("public_files.subtitle", Host.SUBTITLES, pullzone, external_id, name), read_web_vtt)


def _request(operation: str, host: Host, *path: Identifier, method: str = "GET") -> Request:
    return Request(operation, method, path, host=host, auth=Auth.NONE)


def _changed_at(answer: Answer) -> datetime | None:
    """The moment of the header Last-Modified, which stands for the body of the answer to a HEAD."""
    try:
        moment = parsedate_to_datetime(answer.text())
    except (ValueError, OverflowError):
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)


def _object(answer: Answer) -> dict[str, JSON]:
    value = answer.json()
    if not isinstance(value, dict):
        raise Unreadable("a public file is an object")
    return value
