"""The planner: templates/subtitles/subtitles.html and its parts."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.vocabulary import AUTO_LANGUAGE, ESSENTIAL_LANGUAGES, LANGUAGES, JobType, Tier
from dashboard.shared import formats
from dashboard.shared.entries import Shelf
from dashboard.shared.refusals import Explained
from dashboard.subtitles import messages, rules
from dashboard.subtitles.forms import ROOT, PlanRequest
from dashboard.subtitles.gaps import LanguageGap
from dashboard.subtitles.library import ROWS, Library, LibraryPage
from dashboard.subtitles.pages import coverage
from dashboard.subtitles.pages.batches import BatchGroup
from dashboard.subtitles.pages.coverage import KEY, CoverageNote, Matrix
from dashboard.subtitles.pages.gaps import GapRow, build_gap_rows
from dashboard.subtitles.pages.run_offer import RunOffer, build_run_note, build_run_offer
from dashboard.subtitles.pages.tabs import AccountContext, Tabs, credits_sentence, parent_sentence, tabs
from dashboard.subtitles.rules import CellKey
from dashboard.upstream.credits import BalancePart
from dashboard.upstream.languages import looked_up_sentence

NEAR_AT_HAND: Final = ("en", "es", "pt-BR", "fr", "de", "it")
"""Languages offered before "Add a language" is opened."""


@dataclass(frozen=True, slots=True)
class PlanOption:
    """One choice of a field. `indent` is a folder's depth, as spaces."""

    value: str
    label: str
    selected: bool = False
    indent: str = ""


@dataclass(frozen=True, slots=True)
class PlanFields:
    """The fields of "New jobs"."""

    types: tuple[PlanOption, ...]
    tiers: tuple[PlanOption, ...]
    sources: tuple[PlanOption, ...]
    near: tuple[PlanOption, ...]
    more: tuple[PlanOption, ...]
    type_hint: str
    to_legend: str
    to_hint: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """templates/subtitles/_coverage.html."""

    matrix: Matrix
    caption: str
    lines: tuple[CoverageNote, ...]
    key: tuple[tuple[str, str, str], ...]
    progress: str
    """How many of the videos a search for gaps knows the subtitles of, where it does not know all."""
    gaps: bool
    gap_count: str
    row_count: str
    run: RunOffer | None
    """The way to a run, where there are more videos than a plan takes."""
    run_note: CoverageNote | None
    """Why there is no such way, where cells were changed one by one."""
    choose_all: str
    """Chooses every video of the filter at once, where they are more than the page shows and not too many for a plan."""
    hidden: list[tuple[str, str]]
    """The fields that keep what was chosen of videos that are not in the table."""
    page: int
    of: str
    previous: int
    next: int
    range: str
    trouble: Explained | None
    late: bool
    gone: str
    again: str
    filtered: bool

    @property
    def empty(self) -> bool:
        return not self.matrix.rows and not self.trouble and not self.late


@dataclass(frozen=True, slots=True)
class Planner:
    """templates/subtitles/subtitles.html."""

    tabs: Tabs
    q: str
    folders: tuple[PlanOption, ...]
    fields: PlanFields
    coverage: Coverage
    check_words: str
    check_one: str
    check_other: str
    clear: str
    export: str
    credits: str
    balance: BalancePart | None
    parent: str
    groups: tuple[BatchGroup, ...]
    gaps: tuple[GapRow, ...]


def build_planner(
    plan_request: PlanRequest,
    library: Library,
    now: datetime,
    *,
    account: AccountContext,
    groups: tuple[BatchGroup, ...],
    balance: BalancePart | None = None,
    gaps: Iterable[LanguageGap] = (),
) -> Planner:
    """The whole page."""
    cells = rules.plan(plan_request.order, plan_request.choice, library.video_states, now)
    return Planner(
        tabs=tabs("plan", account.open_jobs),
        q=plan_request.filter.q,
        folders=folder_options(library.page.folders, plan_request.filter.folder),
        fields=fields(plan_request, library),
        coverage=coverage_part(plan_request, library, cells, now, account.parent),
        check_words=check_words(len(cells)),
        check_one=check_words(1),
        check_other=check_words(1234567).replace("1234567", "{n}"),
        clear=f"{reverse('subtitles:subtitles')}?{replace(plan_request, choice=rules.CellChoice()).query()}",
        export=f"{reverse('subtitles:coverage')}?{plan_request.query()}",
        credits=credits_sentence(account.name, account.parent),
        balance=balance,
        parent=parent_sentence(account.parent),
        groups=groups,
        gaps=build_gap_rows(gaps),
    )


def check_words(count: int) -> str:
    """The words of the button that leads to the dry run."""
    if not count:
        return _("Check the plan")
    return ngettext("Check %(count)s job", "Check %(count)s jobs", count) % {"count": count}


def likely_source(library: Library) -> str:
    """The language in which most of the shown videos have subtitles; Brazilian Portuguese where none has any."""
    counts: dict[str, int] = {}
    for row in library.rows:
        for lang in row.video_state.subtitles or ():
            counts[lang] = counts.get(lang, 0) + 1
    best = max(counts, key=lambda lang: (counts[lang], lang), default="pt-BR")
    spelled = rules.spelled(best)
    return spelled if spelled in LANGUAGES else "pt-BR"


def fields(plan_request: PlanRequest, library: Library) -> PlanFields:
    """The fields with what is chosen in them."""
    order = plan_request.order
    transcribe = PlanOption(JobType.TRANSCRIPTION, _("Transcribe"), order.transcribes)
    translate = PlanOption(JobType.TRANSLATION, _("Translate"), not order.transcribes)
    exists = {rules.spelled(lang) for row in library.rows for lang in row.video_state.subtitles or ()}
    near = [lang for lang in LANGUAGES if lang in {*NEAR_AT_HAND, *exists, *order.to}]
    to = _by_name(near)
    hint = (
        _("Creates subtitles from what is said in the video.")
        if order.transcribes
        else _("Translates subtitles the video already has.")
    )
    return PlanFields(
        types=(transcribe, translate),
        tiers=tuple(PlanOption(tier, messages.tier(tier), order.tier == tier) for tier in Tier),
        sources=_sources(order.from_lang),
        near=tuple(PlanOption(lang, messages.language(lang), lang in order.to) for lang in to),
        more=tuple(
            PlanOption(lang, messages.language_with_code(lang)) for lang in _by_name(LANGUAGES) if lang not in near
        ),
        type_hint=hint,
        to_legend=_("Extra languages") if order.transcribes else _("Target languages"),
        to_hint=_("Optional. Translated from the transcription as soon as it is finished.")
        if order.transcribes
        else "",
    )


def _by_name(codes: Iterable[str]) -> list[str]:
    return sorted(codes, key=lambda code: messages.language(code).casefold())


def _sources(selected: str) -> tuple[PlanOption, ...]:
    """Detection first, then the languages every tier reads, then the others by name."""
    others = [lang for lang in _by_name(LANGUAGES) if lang not in ESSENTIAL_LANGUAGES]
    codes = (AUTO_LANGUAGE, *ESSENTIAL_LANGUAGES, *others)
    options = [PlanOption(code, messages.language_with_code(code), code == selected) for code in codes]
    options[0] = PlanOption(
        AUTO_LANGUAGE, _("Detect the language (transcription, Pro or Advanced)"), selected == AUTO_LANGUAGE
    )
    if selected and selected not in codes:
        options.append(PlanOption(selected, selected, True))
    return tuple(options)


def folder_options(folders: Iterable[Shelf], selected: str) -> tuple[PlanOption, ...]:
    """All folders as a tree, by name, with the two choices that are no folder."""
    children: dict[str, list[Shelf]] = {}
    ids = {folder.id for folder in folders}
    for folder in sorted(folders, key=lambda shelf: shelf.name.casefold()):
        parent = folder.parent if folder.parent in ids else ""
        children.setdefault(parent, []).append(folder)
    options = [PlanOption("", _("All videos"), not selected), PlanOption(ROOT, _("In no folder"), selected == ROOT)]
    added: set[str] = set()

    def add(parent: str, depth: int) -> None:
        for folder in children.get(parent, []):
            if folder.id not in added:
                added.add(folder.id)
                options.append(PlanOption(folder.id, folder.name, folder.id == selected, "\u2003" * depth))
                add(folder.id, depth + 1)

    add("", 0)
    return tuple(options)


def coverage_part(
    plan_request: PlanRequest, library: Library, cells: tuple[CellKey, ...], now: datetime, parent: str
) -> Coverage:
    """The table with everything around it."""
    matrix = coverage.matrix(plan_request, library, frozenset(cells), now)
    page = library.page
    pages = page.pages or (plan_request.filter.page + (len(page.videos) == ROWS))
    failed = page.trouble or next((row.trouble for row in library.rows if row.trouble), None)
    return Coverage(
        matrix=matrix,
        caption=_caption(library, plan_request, len(matrix.columns)),
        lines=coverage.list_notes(plan_request, library, now),
        key=tuple((look, shape, str(word)) for look, shape, word in KEY),
        progress=_format_progress(page, plan_request),
        gaps=plan_request.filter.gaps,
        gap_count=_gap_count(page),
        row_count=_all_count(page),
        run=build_run_offer(plan_request, page),
        run_note=build_run_note(plan_request, page),
        choose_all=_choose_all(page),
        hidden=plan_request.list_hidden({row.video_id for row in matrix.rows} | set(library.gone)),
        page=plan_request.filter.page,
        of=plan_request.filter.signature,
        previous=plan_request.filter.page - 1 if plan_request.filter.page > 1 else 0,
        next=plan_request.filter.page + 1 if plan_request.filter.page < pages else 0,
        range=_range(library, plan_request),
        trouble=messages.explain(failed, parent) if failed else None,
        late=page.late or any(row.late for row in library.rows),
        gone=_gone(len(library.gone)),
        again=f"{reverse('subtitles:subtitles')}?{plan_request.query()}",
        filtered=bool(plan_request.filter.q or plan_request.filter.folder),
    )


def _all_count(page: LibraryPage) -> str:
    """How many videos there are with or without gaps; "" where the platform does not say."""
    count = page.counts.videos if page.counts else page.total
    return formats.number(count) if count is not None else ""


def _gap_count(page: LibraryPage) -> str:
    """How many of them lack a wanted language, at least: there may be more where not all have been looked at."""
    counts = page.counts
    if counts is None or counts.gaps is None:
        return ""
    return formats.at_least(counts.gaps, is_all=counts.is_all)


def _format_progress(page: LibraryPage, plan_request: PlanRequest) -> str:
    counts = page.counts
    if counts is None or counts.gaps is None or counts.is_all:
        return ""
    sentence = looked_up_sentence(counts.known_count, counts.videos)
    return f"{sentence} {_('The others are listed last.')}" if plan_request.filter.gaps else sentence


def _choose_all(page: LibraryPage) -> str:
    count = page.total or 0
    if not ROWS < count <= rules.MOST_VIDEOS:
        return ""
    return ngettext("Choose all %(count)s video", "Choose all %(count)s videos", count) % {
        "count": formats.number(count)
    }


def _caption(library: Library, plan_request: PlanRequest, languages: int) -> str:
    count = library.page.total if library.page.total is not None else len(library.page.videos)
    folder = next((shelf.name for shelf in library.page.folders if shelf.id == plan_request.filter.folder), "")
    values = {"count": formats.number(count), "folder": folder}
    if folder:
        videos = ngettext("%(count)s video in %(folder)s", "%(count)s videos in %(folder)s", count) % values
    else:
        videos = formats.videos(count)
    language_count = ngettext("%(count)s language", "%(count)s languages", languages) % {"count": languages}
    return f"{videos}, {language_count}"


def _range(library: Library, plan_request: PlanRequest) -> str:
    count = len(library.page.videos)
    if not count or (plan_request.filter.page == 1 and count == library.page.total):
        return ""
    first = (plan_request.filter.page - 1) * ROWS + 1
    values = {"first": first, "last": first + count - 1, "total": library.page.total}
    if library.page.total is None:
        return _("Videos %(first)s to %(last)s") % values
    return _("Videos %(first)s to %(last)s of %(total)s") % values


def _gone(count: int) -> str:
    if not count:
        return ""
    sentence = ngettext(
        "%(count)s chosen video is not in this account and was left out.",
        "%(count)s chosen videos are not in this account and were left out.",
        count,
    )
    return sentence % {"count": count}


def batch_label(plan_request: PlanRequest, library: Library, videos: list[str]) -> str:
    """What a plan is called later: its folder or its search, where all its videos are of it; else nothing, and its titles
    speak for it."""
    name = next((shelf.name for shelf in library.page.folders if shelf.id == plan_request.filter.folder), "")
    of_one_place = set(videos) <= {video.id for video in library.page.videos}
    return (name or (f"“{plan_request.filter.q}”" if plan_request.filter.q else "")) if of_one_place else ""
