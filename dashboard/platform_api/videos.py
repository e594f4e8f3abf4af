"""Videos with their subtitles, AI content and custom fields [2.5, 2.6, 4.3, 4.6, 4.16]: most of it is only referred to there."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Final, Self
from urllib.parse import parse_qs, urlsplit

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.lists import WRAPPERS, identified, items, record
from dashboard.platform_api.request import Flag, Identifier, Request
from dashboard.platform_api.sending import Send
from dashboard.platform_api.values import (
    JSON,
    Unreadable,
    address,
    first,
    flag,
    integer,
    mapping,
    moment,
    number,
    optional_flag,
    optional_text,
    rest,
    text,
    word,
)
from dashboard.platform_api.vocabulary import LANGUAGES, VideoStatus

LANGUAGE_KEYS = ("srclang", "lang", "language")
_LANGUAGES: Final = frozenset(language.lower() for language in LANGUAGES)
_REGIONAL: Final = re.compile(r"[a-z]{2,3}[-_][a-z0-9]{2,4}", re.IGNORECASE | re.ASCII)


def is_language(value: JSON) -> bool:
    """Whether a text alone can only be the code of a language."""
    return isinstance(value, str) and (value.lower() in _LANGUAGES or _REGIONAL.fullmatch(value) is not None)


@dataclass(frozen=True, slots=True)
class Subtitle:
    """`lang` as the platform writes it: compare without regard to case. `url` is a public VTT file."""

    lang: str
    label: str
    url: str | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        """One subtitle, from an object or from its language alone."""
        source = {"lang": value} if is_language(value) else mapping(value)
        inner = [inner_value for inner_value in source.values() if isinstance(inner_value, dict)]
        if len(inner) == 1 and first(source, *LANGUAGE_KEYS) is None:
            source = {**source, **inner[0]}
        key = source.get("id")
        return cls(
            lang=text(first(source, *LANGUAGE_KEYS)) or (text(key) if is_language(key) else ""),
            label=text(first(source, "label", "name")),
            url=address(first(source, "url", "src", "title")),
            extra=rest(source, "srclang lang language label name url src"),
        )


def subtitles_in(value: JSON) -> tuple[Subtitle, ...]:
    """Every element with a language, of a list in any state."""
    try:
        return list_subtitles(value)
    except Unreadable:
        return ()


def list_subtitles(value: JSON) -> tuple[Subtitle, ...]:
    """The subtitles of a list: objects, languages, or either by language. Raises `Unreadable` where it names no language."""
    listed = items(value, "subtitles", is_key=is_language)
    subtitles = tuple(subtitle for subtitle in map(Subtitle.from_json, listed) if subtitle.lang)
    if not subtitles and any(item not in (None, {}) for item in listed):
        raise Unreadable("no language in the list")
    return subtitles


def read_web_vtt(answer: Answer) -> str:
    """WebVTT from a text answer, or from the first text value of a JSON one that is WebVTT. Raises `Unreadable`."""
    plain = answer.text()
    if plain.startswith("WEBVTT"):
        return plain
    value = answer.json()
    for inner in value.values() if isinstance(value, dict) else [value]:
        if isinstance(inner, str) and inner.lstrip("\ufeff").startswith("WEBVTT"):
            return inner.lstrip("\ufeff")
    raise Unreadable("no WebVTT in the answer")


KINDS: Final = {
    "ebook": "ebook",
    "abstract": "ebook",
    "mindmap": "mindmap",
    "quiz": "quiz",
    "questions": "quiz",
}
"""What a kind may be called, without case and separators."""
_KIND_KEYS: Final = ("type", "kind", "resource", "name", "key")
_SEVERAL: Final = ("types", "kinds", "resources")
_THERE: Final = ("exists", "available")


@dataclass(frozen=True, slots=True)
class AiResource:
    """One AI resource of a video in one language. `kind` is `ebook`, `mindmap` or `quiz`, or another as it came.

    `kind` "": there is something in this language, and it is not told what. `lang` "": it is not told in which language.
    """

    kind: str
    lang: str
    raw: JSON = field(default=None, hash=False, repr=False)


@dataclass(frozen=True, slots=True)
class AiResources:
    """`is_told`: whether the platform said which there are."""

    found: tuple[AiResource, ...]
    is_told: bool


def ai_resources(value: JSON) -> AiResources:
    """The resources in `config.ai.resources`: objects, kinds or languages; or any of them by kind or by language."""
    resources = tuple(dict.fromkeys(_read(value, "", "")))
    return AiResources(resources, is_told=bool(resources) or value in ([], {}))


def known_kind(name: str) -> str:
    """The kind that is called so; "" for none that is known."""
    return KINDS.get(name.lower().replace("_", "").replace("-", "").replace(" ", ""), "")


def _read(value: JSON, kind: str, lang: str) -> Iterator[AiResource]:
    """What `value` says of a kind and a language, which are "" where they are not known yet."""
    if isinstance(value, list):
        for item in value:
            yield from _read(item, kind, lang)
    elif isinstance(value, dict):
        yield from _read_object(value, kind, lang)
    elif isinstance(value, str) and value:
        if is_language(value) and not lang:
            yield _resource(kind, value, value)
        elif optional_flag(value) is not False:
            yield _resource(kind or value, lang, value)
    elif optional_flag(value) and (kind or lang):
        yield _resource(kind, lang, value)


def _read_object(value: dict[str, JSON], kind: str, lang: str) -> Iterator[AiResource]:
    kind = kind or text(first(value, *_KIND_KEYS))
    flags = {} if kind else {key: inner for key, inner in value.items() if known_kind(key)}
    by_language = {} if lang else {key: inner for key, inner in value.items() if is_language(key)}
    inside = first(value, *_SEVERAL) if not kind else None
    langs = [lang] if lang else _langs(value)
    if any(optional_flag(value.get(key)) is False for key in _THERE) or not value:
        return
    if flags or inside is not None:
        for language in langs:
            for key, inner in flags.items():
                yield from _read(inner, key, language)
            yield from _read(inside, "", language)
    elif by_language and langs == [""]:
        for key, inner in by_language.items():
            yield from _read(inner, kind, key)
    elif kind or lang or langs != [""]:
        yield from (_resource(kind, language, value) for language in langs)
    else:
        for key, inner in value.items():
            yield from _read(inner, "" if key in WRAPPERS else key, "")


def _langs(value: dict[str, JSON]) -> list[str]:
    several = first(value, "langs", "languages")
    return list(map(text, several)) if isinstance(several, list) else [text(first(value, *LANGUAGE_KEYS))]


def _resource(kind: str, lang: str, raw: JSON) -> AiResource:
    return AiResource(known_kind(kind) or kind, lang, raw)


_PLAYER_HOST = re.compile(r"player-([a-z0-9][a-z0-9-]*)\.")
_ZONE = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]*")


@dataclass(frozen=True, slots=True)
class Video:
    """`id` goes into every call, `external_id` into players and public content files: they are not the same.

    `length` is in seconds, `storage_size` in bytes, `pullzone` is read out of the player's address.
    `are_ai_resources_told`: whether the platform said which AI content there is; a list leaves it out.
    """

    id: str
    external_id: str
    title: str
    description: str
    status: str
    folder_id: str | None
    length: float | None
    width: int | None
    height: int | None
    created_at: datetime | None
    updated_at: datetime | None
    storage_size: int | None
    playable: bool
    thumbnail: str | None
    preview: str | None
    player_url: str | None
    hls_url: str | None
    mp4_url: str | None
    live_id: str | None
    library_id: str | None
    config_subtitles: tuple[Subtitle, ...]
    ai_resources: tuple[AiResource, ...]
    ai_url: str | None
    are_ai_resources_told: bool = True
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)
    is_unplayable: bool = False
    """Whether the platform says that it cannot be played: `playable` is False, too, where it says nothing."""

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        config = mapping(source.get("config"))
        resources = ai_resources(mapping(config.get("ai")).get("resources"))
        length = number(source.get("length"))
        return cls(
            id=text(source.get("id")),
            external_id=text(source.get("video_external_id")),
            title=text(first(source, "title", "name")),
            description=text(source.get("description")),
            status=word(source.get("status"), VideoStatus),
            folder_id=optional_text(source.get("folder_id")),
            length=length if length is not None and length >= 0 else None,
            width=integer(source.get("width")),
            height=integer(source.get("height")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            storage_size=integer(source.get("storage_size")),
            playable=flag(source.get("playable")),
            thumbnail=address(source.get("thumbnail")),
            preview=address(source.get("preview")),
            player_url=address(source.get("video_player")),
            hls_url=address(source.get("video_hls")),
            mp4_url=address(source.get("video_mp4")),
            live_id=optional_text(source.get("live_id")),
            library_id=optional_text(source.get("library_id")),
            config_subtitles=subtitles_in(config.get("subtitles")),
            ai_resources=resources.found,
            ai_url=address(source.get("ai_url")),
            are_ai_resources_told=resources.is_told,
            extra=rest(source, _KNOWN),
            is_unplayable=optional_flag(source.get("playable")) is False,
        )

    @property
    def tells_config(self) -> bool:
        """Whether the answer has `config`, and with it the subtitles: a list leaves it out."""
        return "config" in self.extra

    @property
    def pullzone(self) -> str | None:
        """The CDN zone name, out of the player's address. Read when asked for: lists have thousands of videos."""
        return pullzone_of(self.player_url)


_KNOWN: Final = (
    "id video_external_id title name description status folder_id length width height created_at updated_at storage_size "
    "playable thumbnail preview video_player video_hls video_mp4 live_id library_id ai_url"
)


@dataclass(frozen=True, slots=True)
class VideoPage:
    """One page of the list; without `pages` and `total`, a page with fewer videos than asked for is the last."""

    videos: tuple[Video, ...]
    total: int | None
    pages: int | None

    @classmethod
    def from_json(cls, value: JSON) -> Self:
        """Raises `Unreadable` when there is no list of videos."""
        about = mapping(value)
        return cls(
            videos=identified(value, Video.from_json, "videos"),
            total=integer(about.get("total")),
            pages=integer(about.get("pages")),
        )


def pullzone_of(player_url: str | None) -> str | None:
    """The CDN zone name: in the player's host name (`player-{zone}.`), or its parameter `l`."""
    try:
        parts = urlsplit(player_url or "")
        match = _PLAYER_HOST.match(parts.hostname or "")
        zone = match.group(1) if match else parse_qs(parts.query, max_num_fields=50).get("l", [""])[0]
    except ValueError:
        return None
    return zone if _ZONE.fullmatch(zone) else None


@dataclass(frozen=True, slots=True)
class CustomField:
    """One key and value. Keys that the specification would refuse exist in real accounts and are read as they are."""

    id: str
    video_id: str
    key: str
    value: str
    created_at: datetime | None
    updated_at: datetime | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            id=text(source.get("id")),
            video_id=text(source.get("video_id")),
            key=text(source.get("key")),
            value=text(source.get("value")),
            created_at=moment(source.get("created_at")),
            updated_at=moment(source.get("updated_at")),
            extra=rest(source, "id video_id key value created_at updated_at"),
        )


class Videos:
    """The library."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        page: int = 1,
        limit: int = 50,
        title: str | None = None,
        status: str | None = None,
        folder_id: Identifier | None = None,
        root_folder: bool = False,
    ) -> VideoPage:
        """GET {base_url}/videos: one page, from 1. `title` is contained in the title; `root_folder`: in no folder."""
        query = [
            ("page", page),
            ("limit", limit),
            ("title", title or None),
            ("status", status or None),
            ("folder_id", folder_id),
            ("root_folder", 1 if root_folder else None),
        ]
        return self._send(
            Request("videos.list", "GET", ("videos",), query), lambda answer: VideoPage.from_json(answer.json())
        )

    def get(self, video_id: Identifier) -> Video:
        """GET {base_url}/videos/{video_id} [4.3 editing flow, 4.16]."""
        return self._send(
            Request("videos.get", "GET", ("videos", video_id)),
            lambda answer: Video.from_json(record(answer.json(), "video", requested_id=video_id)),
        )

    def subtitles(self, video_id: Identifier) -> tuple[Subtitle, ...]:
        """GET {base_url}/subtitles/{video_id}: the subtitles that exist, AI-generated or uploaded."""
        return self._send(
            Request("videos.subtitles", "GET", ("subtitles", video_id)),
            lambda answer: list_subtitles(answer.json()),
        )

    def read_subtitle(self, video_id: Identifier, lang: str) -> str:
        """GET {base_url}/subtitles/{video_id}/{lang}: the WebVTT text."""
        return self._send(Request("videos.read_subtitle", "GET", ("subtitles", video_id, lang)), read_web_vtt)


class CustomFields:
    """Key and value pairs of a video."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, video_id: Identifier) -> tuple[CustomField, ...]:
        """GET {base_url}/videos/{video_id}?custom_fields [4.16]; the path is publicly known."""
        return self._send(
            Request("custom_fields.list", "GET", ("videos", video_id), [("custom_fields", Flag.SET)]),
            lambda answer: identified(answer.json(), CustomField.from_json, "custom_fields", needs=("key",)),
        )

    def update(self, video_id: Identifier, field_id: Identifier, *, value: str, key: str | None = None) -> CustomField:
        """PUT {base_url}/videos/{video_id}?custom_fields&id={field_id} [4.6]; `value` is validated on every call."""
        body = {"value": value} if key is None else {"key": key, "value": value}
        return self._send(
            Request(
                "custom_fields.update",
                "PUT",
                path=("videos", video_id),
                query=[("custom_fields", Flag.SET), ("id", field_id)],
                body=body,
            ),
            lambda answer: CustomField.from_json(record(answer.json(), "custom_field", requested_id=field_id)),
        )
