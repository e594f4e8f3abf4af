"""A subtitle that a video already has [gaps: subtitles]."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Self

from dashboard.platform_api.values import JSON, address, first, mapping, rest, sequence, text

LANGUAGE_KEYS = ("srclang", "lang", "language")


@dataclass(frozen=True, slots=True)
class Subtitle:
    """`lang` as the platform writes it: compare without regard to case. `url` is a public VTT file."""

    lang: str
    label: str
    url: str | None
    extra: Mapping[str, JSON] = field(default_factory=dict, hash=False, repr=False)

    @classmethod
    def from_json(cls, source: Mapping[str, JSON]) -> Self:
        return cls(
            lang=text(first(source, *LANGUAGE_KEYS)),
            label=text(source.get("label")),
            url=address(first(source, "url", "src")),
            extra=rest(source, "srclang lang language label url src"),
        )


def subtitles_in(value: JSON) -> tuple[Subtitle, ...]:
    """Every element with a language, of an array in any state."""
    found = (Subtitle.from_json(mapping(item)) for item in sequence(value))
    return tuple(subtitle for subtitle in found if subtitle.lang)
