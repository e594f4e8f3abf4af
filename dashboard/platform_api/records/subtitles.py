"""A subtitle that a video already has [gaps: subtitles]."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final, Self

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.lists import items
from dashboard.platform_api.values import JSON, Unreadable, address, first, mapping, rest, text
from dashboard.platform_api.vocabulary import LANGUAGES

LANGUAGE_KEYS = ("srclang", "lang", "language")
_KNOWN: Final = frozenset(language.lower() for language in LANGUAGES)
_REGIONAL: Final = re.compile(r"[a-z]{2,3}[-_][a-z0-9]{2,4}", re.IGNORECASE | re.ASCII)


def is_language(value: JSON) -> bool:
    """Whether a text alone can only be the code of a language."""
    return isinstance(value, str) and (value.lower() in _KNOWN or _REGIONAL.fullmatch(value) is not None)


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
