"""Which AI content a video has [4.3]: the specification names the list and not its elements."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from dashboard.platform_api.lists import WRAPPERS
from dashboard.platform_api.records.subtitles import LANGUAGE_KEYS, is_language
from dashboard.platform_api.values import JSON, first, optional_flag, text

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
