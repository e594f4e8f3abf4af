"""Languages of AI content, as addresses name them."""

from dataclasses import dataclass
from typing import Final

from dashboard.platform_api.videos import Video

LEGACY: Final = "legacy"


def get_lang(word: str) -> str | None:
    """The language an address names; None for the legacy file."""
    return None if word == LEGACY else word


def get_word(lang: str) -> str:
    """The word in an address for a language as it is stored, empty for the legacy file."""
    return lang or LEGACY


def list_languages(video: Video, also: str = "") -> list[str]:
    """Words of the languages that have AI content, in the order the platform lists them, the legacy file last."""
    languages = dict.fromkeys(resource.lang for resource in video.ai_resources if resource.lang)
    listed = list(languages)
    if also and also != LEGACY and also not in languages:
        listed.append(also)
    return [*listed, LEGACY] if video.ai_url or also == LEGACY else listed


@dataclass(frozen=True)
class PageLink:
    """A link of a row: its words, where it leads, whether it is where one is."""

    words: str
    address: str
    current: bool
    mark: bool = False
    """Something typed there is not sent yet."""
    lang: str = ""
