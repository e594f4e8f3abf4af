"""Which languages the library is nearest to have everywhere: counted over all that is known of it, without a read."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.vocabulary import LANGUAGES, JobType, Tier
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.entries import Wanted
from dashboard.shared.http import OwnerRequest
from dashboard.subtitles import messages, models, rules
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

    @property
    def language(self) -> str:
        return messages.language(self.lang)

    @property
    def query(self) -> str:
        """The search of the list of videos that finds these."""
        return f"missing:{self.lang} subtitles:{self.source}"

    @property
    def address(self) -> str:
        """The list of these videos."""
        return address("videos:videos", q=self.query)

    @property
    def sentence(self) -> str:
        words = ngettext("%(count)s video lacks %(language)s", "%(count)s videos lack %(language)s", self.count)
        return words % {"count": formats.number(self.count), "language": self.language}

    @property
    def why(self) -> str:
        """What these videos have, and what is known of them."""
        parts = [_("With subtitles in %(language)s to translate.") % {"language": messages.language(self.source)}]
        if self.in_progress:
            words = ngettext("%(count)s is in progress.", "%(count)s are in progress.", self.in_progress)
            parts.append(words % {"count": formats.number(self.in_progress)})
        if not self.is_whole:
            parts.append(_("So far: your library is still being read."))
        return " ".join(parts)

    @property
    def verb(self) -> str:
        return _("Plan %(count)s") % {"count": formats.number(self.count)}

    @property
    def action(self) -> str:
        """Where `fields` lead: the check of a run for exactly these videos."""
        return address("runs:check")

    @property
    def fields(self) -> tuple[tuple[str, str], ...]:
        """Those of the form; none where all is in progress already, or while it is not known of every video which subtitles
        it has."""
        if not self.action or not self.is_whole or self.in_progress >= self.count:
            return ()
        return (
            ("action", "subtitles"),
            ("all", "1"),
            ("query", self.query),
            ("type", JobType.TRANSLATION.value),
            ("tier", Tier.PRO.value),
            ("from_lang", self.source),
            ("to_lang", self.lang),
            ("check", "1"),
        )


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
    cells = set(models.list_under_way(request, lacking).values_list("lang", "video_id"))
    under_way = Counter(lang for lang, video in cells if video in ids[lang])
    return tuple(
        LanguageGap(lang, source, count=len(videos), in_progress=under_way[lang], is_whole=len(known) == len(entries))
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
