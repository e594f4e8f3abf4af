"""What one press would complete: a language that a number of videos lack, and the form that checks a run for exactly those."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.vocabulary import JobType, Tier
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.subtitles import messages
from dashboard.subtitles.gaps import LanguageGap


@dataclass(frozen=True)
class GapRow:
    """templates/subtitles/_gaps.html: a sentence that leads to the videos. `fields` are those of the form, none where all is
    in progress already, or while it is not known of every video which subtitles it has."""

    code: str
    sentence: str
    address: str
    why: str
    verb: str
    language: str
    action: str
    fields: tuple[tuple[str, str], ...]


def build_gap_rows(gaps: Iterable[LanguageGap]) -> tuple[GapRow, ...]:
    """The rows of the panel, the nearest language first."""
    return tuple(_build_row(gap) for gap in gaps)


def _build_row(gap: LanguageGap) -> GapRow:
    query = f"missing:{gap.lang} subtitles:{gap.source}"
    values = {"count": formats.number(gap.count), "language": messages.language(gap.lang)}
    check = address("runs:check")
    fields = (
        ("action", "subtitles"),
        ("all", "1"),
        ("query", query),
        ("type", JobType.TRANSLATION.value),
        ("tier", Tier.PRO.value),
        ("from_lang", gap.source),
        ("to_lang", gap.lang),
        ("check", "1"),
    )
    return GapRow(
        code=gap.lang,
        sentence=ngettext("%(count)s video lacks %(language)s", "%(count)s videos lack %(language)s", gap.count)
        % values,
        address=address("videos:videos", q=query),
        why=" ".join(_explain(gap)),
        verb=_("Plan %(count)s") % values,
        language=values["language"],
        action=check,
        fields=fields if check and gap.is_whole and gap.in_progress < gap.count else (),
    )


def _explain(gap: LanguageGap) -> Iterable[str]:
    yield _("With subtitles in %(language)s to translate.") % {"language": messages.language(gap.source)}
    if gap.in_progress:
        sentence = ngettext("%(count)s is in progress.", "%(count)s are in progress.", gap.in_progress)
        yield sentence % {"count": formats.number(gap.in_progress)}
    if not gap.is_whole:
        yield _("So far: your library is still being read.")
