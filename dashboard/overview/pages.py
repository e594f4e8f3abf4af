"""What the templates of the overview get: every decision is already a boolean, an address or a sentence."""

from dataclasses import dataclass, replace
from datetime import datetime

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.activity.recorder import Happened
from dashboard.overview import rules
from dashboard.overview.credit_pages import CreditsPart, credits_part, untold
from dashboard.overview.queries import Answers, Read
from dashboard.overview.registry import Collected, Limit, Moving, Todo
from dashboard.overview.rules import Figure, Ranked, Weeks
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address, video_address
from dashboard.shared.charts.spark import build_sparkline
from dashboard.upstream.credits import CreditsKnown

SHOWN = 8
"""Things that wait; the rest is counted, and opens on a press."""
NEAR = 25 / 30
TELLS_OF_STEPS = frozenset({"review_links", "subtitled_videos"})
"""Who says what the account has of the first steps."""
YOUNG = 8
"""Changes after which somebody is not new here any more, whatever they have not tried."""


@dataclass(frozen=True)
class LimitRow:
    """One limit; `meter` is the class of its bar, "" where no number is known."""

    limit: Limit
    meter: str


def limit_row(limit: Limit) -> LimitRow:
    """Amber from five sixths on (25 of 30 comments), red when nothing is left."""
    if not limit.most:
        return LimitRow(limit, "")
    state = " meter--full" if limit.share >= 1 else " meter--near" if limit.share >= NEAR else ""
    return LimitRow(limit, f"meter{state}")


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


def waiting_part(collected: Collected, credits: CreditsKnown) -> WaitingPart:
    """What the features said. One that failed is named by its reason, once."""
    sentences = {refusals.explain(error).sentence: None for error in collected.failed.values()}
    rest = collected.todos[SHOWN:]
    return WaitingPart(
        todos=collected.todos[:SHOWN],
        rest=rest,
        moving=collected.moving[:SHOWN],
        limits=tuple(map(limit_row, collected.limits[:SHOWN])),
        more=ngettext("and %(count)s more", "and %(count)s more", len(rest)) % {"count": formats.number(len(rest))},
        trouble=" ".join(sentences),
        late=bool(collected.late),
        here=address("overview:waiting"),
        jobs=address("subtitles:jobs"),
        untold=untold(credits),
    )


@dataclass(frozen=True)
class Change:
    """components/_change.html."""

    up: bool
    down: bool
    words: str


def change_of(now: float, before: float | None) -> Change | None:
    """The change against the week before; None where there is nothing to compare with."""
    share = rules.change(now, before)
    if share is None:
        return None
    said = formats.percent(abs(share))
    flat = said == formats.percent(0)
    return Change(share > 0 and not flat, share < 0 and not flat, said)


@dataclass(frozen=True)
class Stat:
    """One key figure."""

    label: str
    value: str
    address: str
    change: Change | None
    was: str
    line: SafeString


@dataclass(frozen=True)
class FiguresPart:
    """overview/_figures.html."""

    stats: tuple[Stat, ...]
    period: str
    late: bool
    trouble: str
    here: str


def figures_part(answers: Answers) -> FiguresPart:
    """Plays, views and cities of the last seven whole days."""
    found = rules.figures(answers.table("days"), answers.weeks)
    stats = [_stat(figure, answers.weeks) for figure in found]
    cities = rules.viewed(answers.table("cities"))
    # The cities come without days: they are compared where the figures say that every day has numbers.
    known = bool(found) and all(figure.before is not None for figure in found)
    if cities is not None:
        before = rules.viewed(answers.table("cities_before")) if known else None
        stats.append(_made(_("Cities with viewers"), cities, before, _there("analytics:cities", answers.weeks)))
    return FiguresPart(
        tuple(stats),
        period(answers.weeks, compared=known),
        answers.late,
        _trouble(answers),
        address("overview:figures"),
    )


def _stat(figure: Figure, weeks: Weeks) -> Stat:
    there = _there("analytics:analytics", weeks)
    made = _made(column_words(figure.column), figure.now, figure.before, there, build_sparkline(figure.course))
    if figure.known == rules.DAYS:
        return made
    if not figure.known:
        return replace(made, value=_("No data"))
    values = {"known": formats.number(figure.known), "count": formats.number(rules.DAYS)}
    return replace(made, was=_("%(known)s of %(count)s days") % values)


def _made(label: str, now: float, before: float | None, there: str, line: SafeString | None = None) -> Stat:
    was = _("from %(value)s") % {"value": formats.number(before)} if before is not None else ""
    return Stat(label, formats.number(now), there, change_of(now, before), was, line or SafeString(""))


def column_words(column: str) -> str:
    """A figure's name; one of the platform's own as it came."""
    if column in rules.PLAYS:
        return _("Plays")
    return _("Views") if column in rules.VIEWS else column


def _there(name: str, weeks: Weeks) -> str:
    """The page of analytics that shows the same days."""
    return address(name, start=weeks.now.start.isoformat(), end=weeks.now.end.isoformat(), zone="UTC")


def _trouble(answers: Answers) -> str:
    return refusals.explain(answers.error).sentence if answers.error else ""


def period(weeks: Weeks, *, compared: bool) -> str:
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


def watched_part(answers: Answers, *, whole: bool) -> WatchedPart:
    """The ranking of the last week; `whole`: the traffic was asked for as well."""
    table = answers.table("now")
    ranked = rules.top(table, answers.table("before")) if table else ()
    known = [found for one in ranked if (found := answers.bytes_of(one.video_id)) is not None]
    return WatchedPart(
        rows=tuple(_watched(one, answers) for one in ranked),
        unit=column_words(rules.column_of(table) or "") if table else "",
        period=_("%(start)s to %(end)s, whole days in UTC")
        % {"start": formats.day(answers.weeks.now.start), "end": formats.day(answers.weeks.now.end)},
        traffic=_traffic(sum(known), len(known)) if known else "",
        fetches=not whole and (bool(ranked) or answers.late),
        late=answers.late and not ranked,
        trouble=_trouble(answers),
        here=address("overview:most_watched"),
        more=_there("analytics:ranking", answers.weeks),
    )


def _traffic(total: float, count: int) -> str:
    return ngettext(
        "%(size)s of traffic by this video in 7 days.",
        "%(size)s of traffic by these %(count)s videos in 7 days.",
        count,
    ) % {"size": formats.file_size(total), "count": formats.number(count)}


def _watched(one: Ranked, answers: Answers) -> WatchedRow:
    traffic = answers.bytes_of(one.video_id)
    days = answers.weeks.both
    course = address(
        "analytics:spark",
        one.video_id,
        start=days.start.isoformat(),
        end=days.end.isoformat(),
        zone="UTC",
        metric="plays",
    )
    return WatchedRow(
        title=one.title,
        address=video_address(one.video_id),
        count=formats.number(one.now),
        change=change_of(one.now, one.before),
        spark=course,
        traffic=formats.file_size(traffic) if traffic is not None else "",
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


def log_row(one: Happened, now: datetime) -> LogRow:
    """The clock time for today, the date before."""
    local = timezone.localtime(one.at)
    today = local.date() == timezone.localtime(now).date()
    at = formats.time_of_day(one.at) if today else formats.day(local, "short")
    open_or_refused = {"refused": _("Refused"), "unconfirmed": _("Not confirmed"), "waiting": _("Waiting")}
    unsure = open_or_refused.get(one.outcome, "")
    return LogRow(at, one.at.isoformat(), one.operation, one.label, one.address, one.undo, unsure)


@dataclass(frozen=True)
class Step:
    """One of the first three steps."""

    title: str
    why: str
    action: str
    address: str
    done: bool
    primary: bool = False
    """The step to take now, where nothing else on the page can be done."""


def steps(videos: int | None, *, subtitles: bool, links: bool) -> tuple[Step, ...]:
    """What somebody new does first."""
    return (
        Step(
            _("Upload a video on the platform"),
            _("Reelroom shows it as soon as the platform has it."),
            _("Look at the library"),
            address("videos:videos"),
            bool(videos),
        ),
        Step(
            _("Make its subtitles"),
            _("Transcribe it, then translate it into as many languages as you need."),
            _("Plan subtitles"),
            address("subtitles:subtitles"),
            subtitles,
        ),
        Step(
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
    steps: tuple[Step, ...]
    steps_first: bool
    """They stand above everything: else what waits comes first and they stand beside it."""
    empty: bool
    make_subtitles: str
    make_link: str
    activity: str


def overview_page(
    read: Read, happened: list[Happened], *, person: str, now: datetime, made: frozenset[str]
) -> OverviewPage:
    """The whole page. `person` is the name given at sign-in, "" for none; `made`: what was made from here.

    Who is new is judged by what the account has. What is not known yet makes nobody new.
    """
    empty, owned = read.videos == 0, made | read.collected.owned
    subtitles, links = "subtitles" in owned, "review_links" in owned
    judged = not set(read.collected.late) & TELLS_OF_STEPS
    new = empty or (judged and len(happened) < YOUNG and not (subtitles and links))
    return OverviewPage(
        greeting=greeting(timezone.localtime(now).hour, person),
        meta=_meta(now, len(read.collected.todos), len(read.collected.moving), whole=not read.collected.late),
        waiting=waiting_part(read.collected, read.credits),
        figures=figures_part(read.figures),
        watched=watched_part(read.watched, whole=False),
        log=tuple(log_row(one, now) for one in happened),
        credits=credits_part(read.credits),
        steps=_one_first(steps(read.videos, subtitles=subtitles, links=links), empty) if new else (),
        steps_first=empty or not (read.collected.todos or read.collected.late),
        empty=empty,
        make_subtitles="" if empty else address("subtitles:subtitles"),
        make_link="" if empty else address("review_links:create"),
        activity=address("activity:activity"),
    )


def _one_first(made: tuple[Step, ...], empty: bool) -> tuple[Step, ...]:
    """In an empty account the first step is what the page is for."""
    return (replace(made[0], primary=True), *made[1:]) if empty else made


def greeting(hour: int, person: str) -> str:
    """By the reader's clock."""
    name = {"person": person}
    if 5 <= hour < 12:
        return _("Good morning, %(person)s") % name if person else _("Good morning")
    if 12 <= hour < 18:
        return _("Good afternoon, %(person)s") % name if person else _("Good afternoon")
    return _("Good evening, %(person)s") % name if person else _("Good evening")


def _meta(now: datetime, todos: int, moving: int, *, whole: bool) -> str:
    """The day, what waits, what is on its way; a count that is not whole yet is not said."""
    day = formats.day(timezone.localtime(now), "full")
    if not whole:
        return day
    waits = ngettext("%(count)s thing waits for you", "%(count)s things wait for you", todos) % {"count": todos}
    said = [day, waits if todos else _("Nothing waits for you")]
    if moving:
        said.append(ngettext("%(count)s is on its way", "%(count)s are on their way", moving) % {"count": moving})
    return ". ".join(said) + "."
