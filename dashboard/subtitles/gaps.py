"""Which languages the library is nearest to have everywhere: counted over all that is known of it, without a read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared.entries import Wanted
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import rules, stored_cells
from dashboard.upstream import library
from dashboard.upstream.languages import all_languages
from dashboard.upstream.reads import Reads

MOST: Final = 3
"""Languages that a page names: those that the fewest videos lack."""


@dataclass(frozen=True)
class LanguageGap:
    """How many videos could get subtitles in `lang` out of those in `source`. `in_progress`: for so many of them they are
    being made. `is_whole`: the subtitles of every video are known, so that these are all."""

    lang: str
    source: str
    count: int
    in_progress: int
    is_whole: bool


def load_gaps(request: OwnerRequest) -> tuple[LanguageGap, ...]:
    """The nearest languages; none while the list of videos is not known. Reads nothing."""
    reader = Reads(request.account)
    entries = library.known_entries(reader, Wanted())
    if not entries:
        return ()
    languages = all_languages(reader)
    known = {entry.id: languages[entry.id] for entry in entries if entry.id in languages}
    source, lacking = find_lacking(known)
    ids = {lang: set(videos) for lang, videos in lacking.items()}
    cells = set(stored_cells.list_under_way(request, lacking).values_list("lang", "video_id"))
    under_way = Counter(lang for lang, video in cells if video in ids[lang])
    return tuple(
        LanguageGap(lang, source, len(videos), under_way[lang], len(known) == len(entries))
        for lang, videos in lacking.items()
    )


def find_lacking(languages: Mapping[str, frozenset[str]], most: int = MOST) -> tuple[str, dict[str, Sequence[str]]]:
    """The language that most videos have, and by language the videos that have that one and lack this one: those languages of
    the library that the fewest lack, the nearest first. `languages`: lower case, by video."""
    counts = Counter(rules.spelled(lang) for codes in languages.values() for lang in codes)
    known = [lang for lang, _count in counts.most_common() if lang in LANGUAGES]
    if not known:
        return "", {}
    source = known[0].lower()
    lacking = {
        lang: [video for video, codes in languages.items() if source in codes and lang.lower() not in codes]
        for lang in known[1:]
    }
    nearest = sorted((lang for lang in lacking if lacking[lang]), key=lambda lang: len(lacking[lang]))
    return known[0], {lang: lacking[lang] for lang in nearest[:most]}
