"""View models of the overview templates."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.activity.recorder import Happened
from dashboard.overview import rules
from dashboard.overview.addresses import build_cities_why_address, build_why_address, get_analytics_address
from dashboard.overview.credit_pages import (
    CreditsPart,
    LimitRow,
    build_credits_part,
    build_limit_row,
    format_unknown_limits,
)
from dashboard.overview.queries import OverviewData, PartData
from dashboard.overview.registry import ItemCollection, Moving, NextStep, Todo
from dashboard.overview.rules import Figure, RankedVideo, Weeks
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address, video_address
from dashboard.shared.charts.figures import Change, build_change
from dashboard.shared.charts.spark import build_sparkline
from dashboard.upstream.credits import CreditsKnown

LISTED_MOST = 8
"""Items of a list; the others are counted and behind a disclosure."""
STEP_PROVIDERS = frozenset({"review_links", "subtitled_videos"})
"""Providers that tell which first steps are done."""
NEWCOMER_CHANGES = 8
"""Number of changes that ends onboarding."""


@dataclass(frozen=True)
class WaitingPart:
    """overview/_waiting.html."""

    todos: tuple[Todo, ...]
    moving: tuple[Moving, ...]
    limits: tuple[LimitRow, ...]
    rest: tuple[Todo, ...]
    """What does not fit: it opens on a press."""
    more: str
    trouble: str
    late: bool
    here: str
    jobs: str
    untold: str
    """What the platform does not tell of the plan."""
    next_steps: tuple[NextStep, ...] = ()
    is_reading: bool = False


def build_waiting_part(collected: ItemCollection, credits: CreditsKnown) -> WaitingPart:
    """What the features said. One that failed is named by its reason, once."""
    sentences = {refusals.explain(error).sentence: None for error in collected.failed.values()}
    rest = collected.todos[LISTED_MOST:]
    return WaitingPart(
        todos=collected.todos[:LISTED_MOST],
        rest=rest,
        moving=collected.moving[:LISTED_MOST],
        limits=tuple(map(build_limit_row, collected.limits[:LISTED_MOST])),
        more=ngettext("and %(count)s more", "and %(count)s more", len(rest)) % {"count": formats.number(len(rest))},
        trouble=" ".join(sentences),
        late=bool(collected.late),
        here=address("overview:waiting"),
        jobs=address("subtitles:jobs"),
        untold=format_unknown_limits(credits),
        next_steps=collected.next_steps,
        is_reading=collected.is_reading,
    )


@dataclass(frozen=True)
class KeyFigure:
    """One key figure."""

    label: str
    value: str
    address: str
    change: Change | None
    was: str
    line: SafeString
    why: str = ""
    """The page that splits the change; "" where nothing can."""


@dataclass(frozen=True)
class FiguresPart:
    """overview/_figures.html."""

    stats: tuple[KeyFigure, ...]
    period: str
    late: bool
    trouble: str
    here: str


def build_figures_part(answers: PartData) -> FiguresPart:
    """Plays, views and cities of the last seven whole days."""
    week_figures = rules.build_figures(answers.table("days"), answers.weeks)
    stats = [_build_stat(figure, answers.weeks) for figure in week_figures]
    cities = rules.count_rows_with_viewers(answers.table("cities"))
    # The cities come without days: they are compared where the figures say that every day has numbers.
    is_comparable = bool(week_figures) and all(figure.before is not None for figure in week_figures)
    if cities is not None:
        before = rules.count_rows_with_viewers(answers.table("cities_before")) if is_comparable else None
        page = get_analytics_address("analytics:cities", answers.weeks)
        stat = _build_key_figure(_("Cities with viewers"), cities, before, page)
        stats.append(replace(stat, why=build_cities_why_address(answers.weeks)))
    return FiguresPart(
        tuple(stats),
        format_period(answers.weeks, compared=is_comparable),
        answers.late,
        _format_trouble(answers),
        address("overview:figures"),
    )


def _build_stat(figure: Figure, weeks: Weeks) -> KeyFigure:
    page = get_analytics_address("analytics:analytics", weeks)
    stat = _build_key_figure(
        format_column(figure.column), figure.now, figure.before, page, build_sparkline(figure.course)
    )
    stat = replace(stat, why=build_why_address(figure.column, weeks))
    if figure.known == rules.DAYS:
        return stat
    if not figure.known:
        return replace(stat, value=_("No data"))
    values = {"known": formats.number(figure.known), "count": formats.number(rules.DAYS)}
    return replace(stat, was=_("%(known)s of %(count)s days") % values)


def _build_key_figure(
    label: str, now: float, before: float | None, there: str, line: SafeString | None = None
) -> KeyFigure:
    was = _("from %(value)s") % {"value": formats.number(before)} if before is not None else ""
    return KeyFigure(label, formats.number(now), there, build_change(now, before), was, line or SafeString(""))


def format_column(column: str) -> str:
    """A figure's name; one of the platform's own as it came."""
    if column in rules.PLAYS:
        return _("Plays")
    return _("Views") if column in rules.VIEWS else column


def _format_trouble(answers: PartData) -> str:
    return refusals.explain(answers.error).sentence if answers.error else ""


def format_period(weeks: Weeks, *, compared: bool) -> str:
    """Which days the figures are about, and what they are compared with."""
    days = {"start": formats.day(weeks.now.start), "end": formats.day(weeks.now.end)}
    if not compared:
        return _("%(start)s to %(end)s, whole days in UTC") % days
    return _("%(start)s to %(end)s, whole days in UTC, against the 7 days before") % days


@dataclass(frozen=True)
class WatchedRow:
    """One of the most watched videos. `spark` is the address of its course, fetched when it is seen."""

    title: str
    address: str
    count: str
    change: Change | None
    spark: str
    traffic: str
    why: str


@dataclass(frozen=True)
class WatchedPart:
    """overview/_most_watched.html. `fetches`: it comes again by itself, with what is still missing."""

    rows: tuple[WatchedRow, ...]
    unit: str
    period: str
    traffic: str
    fetches: bool
    late: bool
    trouble: str
    here: str
    more: str


def build_watched_part(answers: PartData, *, whole: bool) -> WatchedPart:
    """The ranking of the last week; `whole`: the traffic was asked for as well."""
    table = answers.table("now")
    ranked = rules.rank_videos(table, answers.table("before")) if table else ()
    known_traffic = [traffic for video in ranked if (traffic := answers.bytes_of(video.video_id)) is not None]
    column = (rules.find_ranking_column(table) or "") if table else ""
    return WatchedPart(
        rows=tuple(_build_watched_row(video, answers, column) for video in ranked),
        unit=format_column(column) if table else "",
        period=_("%(start)s to %(end)s, whole days in UTC")
        % {"start": formats.day(answers.weeks.now.start), "end": formats.day(answers.weeks.now.end)},
        traffic=_format_traffic(sum(known_traffic), len(known_traffic)) if known_traffic else "",
        fetches=not whole and (bool(ranked) or answers.late),
        late=answers.late and not ranked,
        trouble=_format_trouble(answers),
        here=address("overview:most_watched"),
        more=get_analytics_address("analytics:ranking", answers.weeks),
    )


def _format_traffic(total: float, count: int) -> str:
    return ngettext(
        "%(size)s of traffic by this video in 7 days.",
        "%(size)s of traffic by these %(count)s videos in 7 days.",
        count,
    ) % {"size": formats.file_size(total), "count": formats.number(count)}


def _build_watched_row(video: RankedVideo, answers: PartData, column: str) -> WatchedRow:
    traffic = answers.bytes_of(video.video_id)
    days = answers.weeks.both
    course = address(
        "analytics:spark",
        video.video_id,
        start=days.start.isoformat(),
        end=days.end.isoformat(),
        zone="UTC",
        metric="plays",
    )
    return WatchedRow(
        title=video.title,
        address=video_address(video.video_id),
        count=formats.number(video.now),
        change=build_change(video.now, video.before),
        spark=course,
        traffic=formats.file_size(traffic) if traffic is not None else "",
        why=build_why_address(column, answers.weeks, video.video_id) if video_address(video.video_id) else "",
    )


@dataclass(frozen=True)
class LogRow:
    """One thing that happened."""

    at: str
    at_iso: str
    operation: str
    label: str
    address: str
    undo: str
    unsure: str


def build_log_row(write: Happened, now: datetime) -> LogRow:
    """The clock time for today, the date before."""
    local = timezone.localtime(write.at)
    today = local.date() == timezone.localtime(now).date()
    at = formats.time_of_day(write.at) if today else formats.day(local, "short")
    open_or_refused = {"refused": _("Refused"), "unconfirmed": _("Not confirmed"), "waiting": _("Waiting")}
    unsure = open_or_refused.get(write.outcome, "")
    return LogRow(at, write.at.isoformat(), write.operation, write.label, write.address, write.undo, unsure)


@dataclass(frozen=True)
class FirstStep:
    """One of the first three steps."""

    title: str
    why: str
    action: str
    address: str
    done: bool
    primary: bool = False
    """The step to take now, where nothing else on the page can be done."""


def build_steps(videos: int | None, *, subtitles: bool, links: bool) -> tuple[FirstStep, ...]:
    """What somebody new does first."""
    return (
        FirstStep(
            _("Upload a video on the platform"),
            _("Reelroom shows it as soon as the platform has it."),
            _("Open library"),
            address("videos:videos"),
            bool(videos),
        ),
        FirstStep(
            _("Make its subtitles"),
            _("Transcribe it, then translate it into as many languages as you need."),
            _("Plan subtitles"),
            address("subtitles:subtitles"),
            subtitles,
        ),
        FirstStep(
            _("Ask for a review"),
            _("A link lets people comment at the second, without an account."),
            _("Create review link"),
            address("review_links:create"),
            links,
        ),
    )


@dataclass(frozen=True)
class OverviewPage:
    """templates/overview/overview.html."""

    greeting: str
    meta: str
    waiting: WaitingPart
    figures: FiguresPart
    watched: WatchedPart
    log: tuple[LogRow, ...]
    credits: CreditsPart | None
    steps: tuple[FirstStep, ...]
    steps_first: bool
    """They stand above everything: else what waits comes first and they stand beside it."""
    empty: bool
    make_subtitles: str
    make_link: str
    activity: str


def build_overview_page(
    data: OverviewData, latest_writes: list[Happened], *, person: str, now: datetime, owned_from_here: frozenset[str]
) -> OverviewPage:
    """The whole page. `person` is the name given at sign-in, "" for none; `owned_from_here`: what was made from here.

    Who is new is judged by what the account has. What is not known yet makes nobody new.
    """
    empty, owned = data.videos == 0, owned_from_here | data.collected.owned
    subtitles, links = "subtitles" in owned, "review_links" in owned
    judged = not set(data.collected.late) & STEP_PROVIDERS
    new = empty or (judged and len(latest_writes) < NEWCOMER_CHANGES and not (subtitles and links))
    return OverviewPage(
        greeting=format_greeting(timezone.localtime(now).hour, person),
        meta=_format_summary(now, data.collected),
        waiting=build_waiting_part(data.collected, data.credits),
        figures=build_figures_part(data.figures),
        watched=build_watched_part(data.watched, whole=False),
        log=tuple(build_log_row(write, now) for write in latest_writes),
        credits=build_credits_part(data.credits),
        steps=_mark_first_step(build_steps(data.videos, subtitles=subtitles, links=links), empty) if new else (),
        steps_first=empty or not (data.collected.todos or data.collected.late),
        empty=empty,
        make_subtitles="" if empty else address("subtitles:subtitles"),
        make_link="" if empty else address("review_links:create"),
        activity=address("activity:activity"),
    )


def _mark_first_step(first_steps: tuple[FirstStep, ...], empty: bool) -> tuple[FirstStep, ...]:
    """In an empty account the first step is what the page is for."""
    return (replace(first_steps[0], primary=True), *first_steps[1:]) if empty else first_steps


def format_greeting(hour: int, person: str) -> str:
    """By the reader's clock."""
    name = {"person": person}
    if 5 <= hour < 12:
        return _("Good morning, %(person)s") % name if person else _("Good morning")
    if 12 <= hour < 18:
        return _("Good afternoon, %(person)s") % name if person else _("Good afternoon")
    return _("Good evening, %(person)s") % name if person else _("Good evening")


def _format_summary(now: datetime, collected: ItemCollection) -> str:
    """The day, the number of waiting items and of items in progress; the day alone while items are still loading."""
    day, todos, moving = formats.day(timezone.localtime(now), "full"), len(collected.todos), len(collected.moving)
    if collected.late:
        return day
    count = formats.at_least(todos, is_all=not collected.is_reading)
    waits = ngettext("%(count)s thing waits for you", "%(count)s things wait for you", todos) % {"count": count}
    sentences = [day, waits if todos or collected.is_reading else _("Nothing waits for you")]
    if moving:
        sentences.append(ngettext("%(count)s in progress", "%(count)s in progress", moving) % {"count": moving})
    return ". ".join(sentences) + "."
