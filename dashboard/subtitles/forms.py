"""The planner's form: what a person chose, out of an address or out of what they sent, and back into an address.

The address holds everything: search, folder, page, videos, what to make, and the cells that differ from "every free cell of
the chosen videos". A form that is sent holds the ticked cells instead, with `offered`: the cells that were ticked when the
page was made, `left` those that were not, and `again` ticked cells that had ended without subtitles. Hidden fields send the
same of chosen videos that the table does not show; they stand after the table, so that those it shows stay the first ones.
"""

from collections.abc import Container
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import urlencode

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from dashboard.platform_api.vocabulary import JobType, Tier
from dashboard.shared.http import page_number
from dashboard.subtitles.rules import MOST_VIDEOS, SHORT, CellChoice, CellKey, Order, RejectionReason, problems

ROOT: Final = "root"
"""In place of a folder's id: the videos in no folder."""

SENTENCES: Final[dict[RejectionReason, Any]] = {
    RejectionReason.TIER_REQUIRED: _("Choose a tier."),
    RejectionReason.SOURCE_REQUIRED: _("Choose the source language."),
    RejectionReason.TARGET_REQUIRED: _("Choose at least one target language."),
    RejectionReason.LANGUAGE_UNKNOWN: _("Choose a language from the list. The platform doesn't support this one."),
    RejectionReason.AUTO_IS_FOR_TRANSCRIPTION: _("Choose the source language. Only a transcription can detect it."),
    RejectionReason.AUTO_NOT_ON_ESSENTIAL: _("Essential can't detect the language. Choose it, or use Pro or Advanced."),
    RejectionReason.SOURCE_NOT_ON_ESSENTIAL: _(
        "Essential doesn't support this language. Choose pt-BR, es or en, or use Pro or Advanced."
    ),
    RejectionReason.VIDEO_REQUIRED: _("Choose at least one video."),
    RejectionReason.TOO_MANY_VIDEOS: _("Choose %(most)s videos at most for one plan. A run takes more.")
    % {"most": MOST_VIDEOS},
}


@dataclass(frozen=True, slots=True)
class LibraryFilter:
    """Which part of the library is shown."""

    q: str = ""
    folder: str = ""
    page: int = 1
    gaps: bool = False

    @property
    def signature(self) -> str:
        """What the page's number counts in: another search or folder begins at its first page."""
        return f"{self.folder}|{self.q}"


@dataclass(frozen=True, slots=True)
class PlanRequest:
    """What a person chose on the planner: order, cells and filter."""

    order: Order
    choice: CellChoice
    filter: LibraryFilter = field(default_factory=LibraryFilter)

    @property
    def address(self) -> str:
        """The planner that shows this again."""
        return f"{reverse('subtitles:subtitles')}?{self.query()}"

    def query(self) -> str:
        """The query that shows this again."""
        pairs: list[tuple[str, object]] = [
            ("q", self.filter.q),
            ("folder", self.filter.folder),
            ("page", self.filter.page if self.filter.page > 1 else ""),
            ("gaps", "1" if self.filter.gaps else ""),
            ("type", self.order.type),
            ("tier", self.order.tier),
            ("from_lang", self.order.from_lang),
            *(("to_lang", lang) for lang in self.order.to),
            *(("video", video) for video in self.choice.videos),
            *(("not", packed) for packed in _packed(self.choice.left_out)),
            *(("also", packed) for packed in _packed_whole(self.choice.also)),
        ]
        return urlencode([(name, value) for name, value in pairs if value != ""])

    def list_hidden(self, in_table: Container[str]) -> list[tuple[str, str]]:
        """Name and value of the fields that send what was chosen of videos that are not in the table."""
        left_out, also = (
            _packed_whole(frozenset(cell for cell in cells if cell[0] not in in_table))
            for cells in (self.choice.left_out, self.choice.also)
        )
        return [
            *(("video", video) for video in self.choice.videos if video not in in_table),
            *(("left", packed) for packed in left_out),
            *(("again", packed) for packed in also),
        ]

    def with_source(self, lang: str) -> "PlanRequest":
        """The same with a source language, where none was chosen."""
        return self if self.order.from_lang else replace(self, order=replace(self.order, from_lang=lang))


class PlanForm(forms.Form):
    """What to make of which videos. Everything is optional while a person is still choosing; `judge` asks for the rest."""

    type = forms.ChoiceField(choices=[(value, value) for value in JobType], required=False)
    tier = forms.ChoiceField(choices=[(value, value) for value in Tier], required=False)
    from_lang = forms.CharField(max_length=20, required=False)
    to_lang = forms.Field(required=False)
    video = forms.Field(required=False)

    def __init__(self, source: QueryDict, *, person_sent: bool = False) -> None:
        super().__init__(source)
        self.plan_request = _parse_plan_request(source, person_sent)
        self.ticked = len(_ticked(source, self.plan_request.order)) if person_sent else 0

    def judge(self, *, finished: bool) -> bool:
        """Add the sentences of the rules this breaks. Before the person says that the choice is finished, what is only
        missing is not a mistake."""
        self.is_valid()
        missing = {RejectionReason.TARGET_REQUIRED, RejectionReason.VIDEO_REQUIRED, RejectionReason.SOURCE_REQUIRED}
        videos = {*self.plan_request.choice.videos, *(video for video, _lang in self.plan_request.choice.also)}
        for problem in problems(self.plan_request.order, len(videos)):
            needless = problem.reason == RejectionReason.TARGET_REQUIRED and self.plan_request.choice.also
            if not needless and (finished or problem.reason not in missing):
                self.add_error(problem.field, SENTENCES[problem.reason])
        return not self.errors


def _parse_plan_request(source: QueryDict, person_sent: bool) -> PlanRequest:
    order = Order(
        type=_one_of(source.get("type"), JobType, JobType.TRANSLATION),
        tier=_one_of(source.get("tier"), Tier, Tier.PRO),
        from_lang=source.get("from_lang", "").strip(),
        to=tuple(dict.fromkeys(lang for lang in source.getlist("to_lang") if lang)),
    )
    videos = tuple(dict.fromkeys(video for video in source.getlist("video") if video))
    choice = _sent(source, order, videos) if person_sent else _addressed(source, videos)
    return PlanRequest(order, choice, _filter(source))


def _filter(source: QueryDict) -> LibraryFilter:
    page = source.get("go_page") or source.get("page", "")
    library_filter = LibraryFilter(
        q=source.get("q", "").strip()[:200],
        folder=source.get("folder", "").strip()[:64],
        page=page_number(page),
        gaps=(source.get("go_gaps") or source.get("gaps")) == "1",
    )
    return (
        replace(library_filter, page=1)
        if source.get("of", library_filter.signature) != library_filter.signature
        else library_filter
    )


def _one_of(value: str | None, words: type[JobType] | type[Tier], default: str) -> str:
    return value if value is not None and value in set(words) else default


def _addressed(source: QueryDict, videos: tuple[str, ...]) -> CellChoice:
    """The choice of an address: cells left out by the beginning of their video's id, other cells by the whole of it."""
    by_short = {video[:SHORT]: video for video in videos}
    left_out = {(by_short[short], lang) for short, lang in _unpacked(source.getlist("not")) if short in by_short}
    return CellChoice(videos, frozenset(left_out), frozenset(_unpacked(source.getlist("also"))))


def _sent(source: QueryDict, order: Order, videos: tuple[str, ...]) -> CellChoice:
    """The choice of a form: what was offered as ticked and is not any more is left out, what is ticked beside it is added.

    A language or a video that was taken away takes its cells with it.
    """
    again = set(_unpacked(source.getlist("again")))
    ticked = set(_unpacked(source.getlist("cell"))) | again
    offered = set(_unpacked(source.getlist("offered")))
    languages = {order.from_lang, *order.to} if order.transcribes else set(order.to)
    whole = {(video, lang) for video in videos for lang in languages}
    before = set(_unpacked(source.getlist("left")))
    return CellChoice(
        videos,
        left_out=frozenset(((offered - ticked) | (before - ticked)) & whole),
        also=frozenset((ticked - offered - before - whole) | again),
    )


def _ticked(source: QueryDict, order: Order) -> set[CellKey]:
    """The ticked cells, with the transcription that an extra language brings along."""
    cells = set(_unpacked([*source.getlist("cell"), *source.getlist("again")]))
    return cells | {(video, order.from_lang) for video, _lang in cells} if order.transcribes else cells


def _unpacked(values: list[str]) -> list[CellKey]:
    """`id.fr.de` as two cells."""
    cells = []
    for value in values:
        video, *langs = value.split(".")
        cells += [(video, lang) for lang in langs if video and lang]
    return cells


def packed(video: str, langs: list[str]) -> str:
    """Cells of one video as one value."""
    return ".".join((video, *langs))


def _packed(cells: frozenset[CellKey]) -> list[str]:
    return _packed_whole(frozenset((video[:SHORT], lang) for video, lang in cells))


def _packed_whole(cells: frozenset[CellKey]) -> list[str]:
    by_video: dict[str, list[str]] = {}
    for video, lang in sorted(cells):
        by_video.setdefault(video, []).append(lang)
    return [packed(video, langs) for video, langs in by_video.items()]
