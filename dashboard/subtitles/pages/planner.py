"""The planner: templates/subtitles/subtitles.html and its parts."""

from collections.abc import Iterable
from dataclasses import dataclass
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
from dashboard.subtitles.forms import ROOT, Wish
from dashboard.subtitles.library import ROWS, Desk, Page
from dashboard.subtitles.pages import coverage
from dashboard.subtitles.pages.batches import Group
from dashboard.subtitles.pages.coverage import KEY, Line, Matrix
from dashboard.subtitles.pages.tabs import Tabs, credits_sentence, parent_sentence, tabs
from dashboard.subtitles.rules import Cell
from dashboard.upstream.credits import BalancePart
from dashboard.upstream.languages import looked_up_sentence

NEAR_AT_HAND: Final = ("en", "es", "pt-BR", "fr", "de", "it")
"""Languages offered before "Add a language" is opened."""


@dataclass(frozen=True, slots=True)
class Option:
    """One choice of a field. `indent` is a folder's depth, as spaces."""

    value: str
    label: str
    chosen: bool = False
    indent: str = ""


@dataclass(frozen=True, slots=True)
class Fields:
    """The fields of "New jobs"."""

    types: tuple[Option, ...]
    tiers: tuple[Option, ...]
    sources: tuple[Option, ...]
    near: tuple[Option, ...]
    more: tuple[Option, ...]
    type_hint: str
    to_legend: str
    to_hint: str


@dataclass(frozen=True, slots=True)
class Coverage:
    """templates/subtitles/_coverage.html."""

    matrix: Matrix
    caption: str
    lines: tuple[Line, ...]
    key: tuple[tuple[str, str, str], ...]
    looked: str
    """How many of the videos a search for gaps knows the subtitles of, where it does not know all."""
    gaps: bool
    gap_count: str
    row_count: str
    choose_all: str
    """Chooses every video of the filter at once, where they are more than the page shows and not too many for a plan."""
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
    folders: tuple[Option, ...]
    fields: Fields
    coverage: Coverage
    check_words: str
    check_one: str
    check_other: str
    clear: str
    export: str
    credits: str
    balance: BalancePart | None
    parent: str
    groups: tuple[Group, ...]


def planner(
    wish: Wish,
    desk: Desk,
    now: datetime,
    *,
    account: str,
    parent: str,
    open_jobs: int,
    groups: tuple[Group, ...],
    balance: BalancePart | None = None,
) -> Planner:
    """The whole page."""
    cells = rules.plan(wish.order, wish.choice, desk.known, now)
    return Planner(
        tabs=tabs("plan", open_jobs),
        q=wish.filter.q,
        folders=folder_options(desk.library.folders, wish.filter.folder),
        fields=fields(wish, desk),
        coverage=coverage_part(wish, desk, cells, now, parent),
        check_words=check_words(len(cells)),
        check_one=check_words(1),
        check_other=check_words(1234567).replace("1234567", "{n}"),
        clear=f"{reverse('subtitles:subtitles')}?{Wish(wish.filter, wish.order, rules.Choice()).query()}",
        export=f"{reverse('subtitles:coverage')}?{wish.query()}",
        credits=credits_sentence(account, parent),
        balance=balance,
        parent=parent_sentence(parent),
        groups=groups,
    )


def check_words(count: int) -> str:
    """The words of the button that leads to the dry run."""
    if not count:
        return _("Check the plan")
    return ngettext("Check %(count)s job", "Check %(count)s jobs", count) % {"count": count}


def likely_source(desk: Desk) -> str:
    """The language in which most of the shown videos have subtitles; Brazilian Portuguese where none has any."""
    counts: dict[str, int] = {}
    for row in desk.rows:
        for lang in row.known.subtitles or ():
            counts[lang] = counts.get(lang, 0) + 1
    best = max(counts, key=lambda lang: (counts[lang], lang), default="pt-BR")
    spelled = rules.spelled(best)
    return spelled if spelled in LANGUAGES else "pt-BR"


def fields(wish: Wish, desk: Desk) -> Fields:
    """The fields with what is chosen in them."""
    order = wish.order
    transcribe = Option(JobType.TRANSCRIPTION, _("Transcribe"), order.transcribes)
    translate = Option(JobType.TRANSLATION, _("Translate"), not order.transcribes)
    exists = {rules.spelled(lang) for row in desk.rows for lang in row.known.subtitles or ()}
    near = [lang for lang in LANGUAGES if lang in {*NEAR_AT_HAND, *exists, *order.to}]
    to = _by_name(near)
    hint = (
        _("Makes subtitles out of what is said.")
        if order.transcribes
        else _("Translates subtitles the video already has.")
    )
    return Fields(
        types=(transcribe, translate),
        tiers=tuple(Option(tier, messages.tier(tier), order.tier == tier) for tier in Tier),
        sources=_sources(order.from_lang),
        near=tuple(Option(lang, messages.language(lang), lang in order.to) for lang in to),
        more=tuple(Option(lang, messages.language_with_code(lang)) for lang in _by_name(LANGUAGES) if lang not in near),
        type_hint=hint,
        to_legend=_("Extra languages") if order.transcribes else _("Target languages"),
        to_hint=_("Optional. They are made right after the transcription, out of it.") if order.transcribes else "",
    )


def _by_name(codes: Iterable[str]) -> list[str]:
    return sorted(codes, key=lambda code: messages.language(code).casefold())


def _sources(selected: str) -> tuple[Option, ...]:
    """Detection first, then the languages every tier reads, then the others by name."""
    others = [lang for lang in _by_name(LANGUAGES) if lang not in ESSENTIAL_LANGUAGES]
    codes = (AUTO_LANGUAGE, *ESSENTIAL_LANGUAGES, *others)
    options = [Option(code, messages.language_with_code(code), code == selected) for code in codes]
    options[0] = Option(
        AUTO_LANGUAGE, _("Detect the language (transcription, Pro or Advanced)"), selected == AUTO_LANGUAGE
    )
    if selected and selected not in codes:
        options.append(Option(selected, selected, True))
    return tuple(options)


def folder_options(folders: Iterable[Shelf], selected: str) -> tuple[Option, ...]:
    """All folders as a tree, by name, with the two choices that are no folder."""
    children: dict[str, list[Shelf]] = {}
    ids = {folder.id for folder in folders}
    for folder in sorted(folders, key=lambda shelf: shelf.name.casefold()):
        parent = folder.parent if folder.parent in ids else ""
        children.setdefault(parent, []).append(folder)
    options = [Option("", _("All videos"), not selected), Option(ROOT, _("In no folder"), selected == ROOT)]
    added: set[str] = set()

    def add(parent: str, depth: int) -> None:
        for folder in children.get(parent, []):
            if folder.id not in added:
                added.add(folder.id)
                options.append(Option(folder.id, folder.name, folder.id == selected, "\u2003" * depth))
                add(folder.id, depth + 1)

    add("", 0)
    return tuple(options)


def coverage_part(wish: Wish, desk: Desk, cells: tuple[Cell, ...], now: datetime, parent: str) -> Coverage:
    """The table with everything around it."""
    matrix = coverage.matrix(wish, desk, frozenset(cells), now)
    library = desk.library
    pages = library.pages or (wish.filter.page + (len(library.videos) == ROWS))
    failed = library.trouble or next((row.trouble for row in desk.rows if row.trouble), None)
    return Coverage(
        matrix=matrix,
        caption=_caption(desk, wish, len(matrix.columns)),
        lines=coverage.lines(wish, desk, now),
        key=tuple((look, shape, str(word)) for look, shape, word in KEY),
        looked=_looked(library, wish),
        gaps=wish.filter.gaps,
        gap_count=_gap_count(library),
        row_count=_all_count(library),
        choose_all=_choose_all(library),
        page=wish.filter.page,
        of=wish.filter.signature,
        previous=wish.filter.page - 1 if wish.filter.page > 1 else 0,
        next=wish.filter.page + 1 if wish.filter.page < pages else 0,
        range=_range(desk, wish),
        trouble=messages.explain(failed, parent) if failed else None,
        late=library.late or any(row.late for row in desk.rows),
        gone=_gone(len(desk.gone)),
        again=f"{reverse('subtitles:subtitles')}?{wish.query()}",
        filtered=bool(wish.filter.q or wish.filter.folder),
    )


def _all_count(library: Page) -> str:
    """How many videos there are with or without gaps; "" where the platform does not say."""
    count = library.counts.videos if library.counts else library.total
    return formats.number(count) if count is not None else ""


def _gap_count(library: Page) -> str:
    """How many of them lack a wanted language, at least: there may be more where not all have been looked at."""
    counts = library.counts
    if counts is None:
        return ""
    return formats.at_least(counts.gaps, is_all=counts.is_all)


def _looked(library: Page, wish: Wish) -> str:
    counts = library.counts
    if not wish.filter.gaps or counts is None or counts.is_all:
        return ""
    return f"{looked_up_sentence(counts.known, counts.videos)} {_('The others are listed last.')}"


def _choose_all(library: Page) -> str:
    count = library.total or 0
    if not ROWS < count <= rules.MOST_VIDEOS:
        return ""
    return ngettext("Choose all %(count)s video", "Choose all %(count)s videos", count) % {
        "count": formats.number(count)
    }


def _caption(desk: Desk, wish: Wish, languages: int) -> str:
    count = desk.library.total if desk.library.total is not None else len(desk.library.videos)
    folder = next((shelf.name for shelf in desk.library.folders if shelf.id == wish.filter.folder), "")
    values = {"count": formats.number(count), "folder": folder}
    if folder:
        videos = ngettext("%(count)s video in %(folder)s", "%(count)s videos in %(folder)s", count) % values
    else:
        videos = ngettext("%(count)s video", "%(count)s videos", count) % values
    language_count = ngettext("%(count)s language", "%(count)s languages", languages) % {"count": languages}
    return f"{videos}, {language_count}"


def _range(desk: Desk, wish: Wish) -> str:
    count = len(desk.library.videos)
    if not count or (wish.filter.page == 1 and count == desk.library.total):
        return ""
    first = (wish.filter.page - 1) * ROWS + 1
    values = {"first": first, "last": first + count - 1, "total": desk.library.total}
    if desk.library.total is None:
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


def batch_label(wish: Wish, desk: Desk, videos: list[str]) -> str:
    """What a plan is called later: its folder or its search, where all its videos are of it; else nothing, and its titles
    speak for it."""
    name = next((shelf.name for shelf in desk.library.folders if shelf.id == wish.filter.folder), "")
    of_one_place = set(videos) <= {video.id for video in desk.library.videos}
    return (name or (f"“{wish.filter.q}”" if wish.filter.q else "")) if of_one_place else ""
