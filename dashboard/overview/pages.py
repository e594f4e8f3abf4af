"""What the overview shows: what waits, how it goes, what is watched most, what happened, and the first steps."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Final

from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.activity.recorder import Happened
from dashboard.overview import rules
from dashboard.overview.queries import OverviewData, PartData
from dashboard.overview.registry import ItemCollection
from dashboard.overview.rules import Figure, RankedVideo, Weeks
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address, video_address
from dashboard.shared.charts.drawing import build_sparkline
from dashboard.shared.charts.figures import Change, build_change
from dashboard.upstream.credits import CreditsKnown, credit_rows

LISTED_MOST: Final = 8
"""Items of a list; the others are counted and behind a disclosure."""
STEP_PROVIDERS: Final = frozenset({"review_links", "subtitled_videos"})
"""Providers that tell which first steps are done."""
NEWCOMER_CHANGES: Final = 8
"""Number of changes that ends onboarding."""
CREDIT_ENTRIES: Final = 4
"""Of the history of credits; the rest is on its own page."""


def build_waiting_part(collected: ItemCollection, credits: CreditsKnown) -> dict[str, object]:
    """overview/_waiting.html: what the features said. One that failed is named by its reason, once.

    `rest`: what does not fit: it opens on a press. `are_credits_told`: that they are not is only said where the platform was
    asked.
    """
    sentences = {refusals.explain(error).sentence: None for error in collected.failed.values()}
    return {
        "todos": collected.todos[:LISTED_MOST],
        "rest": collected.todos[LISTED_MOST:],
        "moving": collected.moving[:LISTED_MOST],
        "limits": collected.limits[:LISTED_MOST],
        "trouble": " ".join(sentences),
        "late": bool(collected.late),
        "jobs": address("subtitles:jobs"),
        "are_credits_told": not credits.is_absent,
        "next_steps": collected.next_steps,
        "is_reading": collected.is_reading,
    }


@dataclass(frozen=True)
class KeyFigure:
    """One key figure. `why`: the page that splits the change; "" where nothing can."""

    label: str
    value: str
    address: str
    change: Change | None
    was: str
    line: SafeString
    why: str = ""


def build_figures_part(answers: PartData) -> dict[str, object]:
    """overview/_figures.html: plays, views and cities of the last seven whole days."""
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
    return {
        "stats": stats,
        "days": answers.weeks.now,
        "is_comparable": is_comparable,
        "late": answers.late,
        "trouble": _format_trouble(answers),
    }


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
    return KeyFigure(
        label,
        formats.number(now),
        address=there,
        change=build_change(now, before),
        was=was,
        line=line or SafeString(""),
    )


def format_column(column: str) -> str:
    """A figure's name; one of the platform's own as it came."""
    if column in rules.PLAYS:
        return _("Plays")
    return _("Views") if column in rules.VIEWS else column


def _format_trouble(answers: PartData) -> str:
    return refusals.explain(answers.error).sentence if answers.error else ""


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


def build_watched_part(answers: PartData, *, whole: bool) -> dict[str, object]:
    """overview/_most_watched.html: the ranking of the last week; `whole`: the traffic was asked for as well.

    `fetches`: it comes again by itself, with what is still missing.
    """
    table = answers.table("now")
    ranked = rules.rank_videos(table, answers.table("before")) if table else ()
    known_traffic = [traffic for video in ranked if (traffic := answers.bytes_of(video.video_id)) is not None]
    column = (rules.find_ranking_column(table) or "") if table else ""
    return {
        "rows": [_build_watched_row(video, answers, column) for video in ranked],
        "unit": format_column(column) if table else "",
        "days": answers.weeks.now,
        "traffic": _format_traffic(sum(known_traffic), len(known_traffic)) if known_traffic else "",
        "fetches": not whole and (bool(ranked) or answers.late),
        "late": answers.late and not ranked,
        "trouble": _format_trouble(answers),
        "more": get_analytics_address("analytics:ranking", answers.weeks),
    }


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


def get_analytics_address(name: str, weeks: Weeks) -> str:
    """The page of analytics that shows the same days."""
    return address(name, start=weeks.now.start.isoformat(), end=weeks.now.end.isoformat(), zone="UTC")


def build_why_address(column: str, weeks: Weeks, video_id: str = "") -> str:
    """The page that splits the change of a figure by browser; "" for a figure of the platform's own."""
    metric = "plays" if column in rules.PLAYS else "views" if column in rules.VIEWS else ""
    days = {"start": weeks.now.start.isoformat(), "end": weeks.now.end.isoformat(), "zone": "UTC"}
    return address("analytics:why", "browsers", **days, metric=metric, video=video_id) if metric else ""


def build_cities_why_address(weeks: Weeks) -> str:
    """The page that splits the change of the number of cities."""
    days = {"start": weeks.now.start.isoformat(), "end": weeks.now.end.isoformat(), "zone": "UTC"}
    return address("analytics:why", "cities", **days)


def time_or_day(at: datetime, now: datetime) -> str:
    """The clock time for today, the date before."""
    local = timezone.localtime(at)
    return formats.time_of_day(at) if local.date() == timezone.localtime(now).date() else formats.day(local)


def build_overview_page(
    data: OverviewData, latest_writes: list[Happened], *, person: str, now: datetime, owned_from_here: frozenset[str]
) -> dict[str, object]:
    """The whole page. `person` is the name given at sign-in, "" for none; `owned_from_here`: what was made from here.

    Who is new is judged by what the account has. What is not known yet makes nobody new. `steps_first`: the first steps stand
    above everything; else what waits comes first and they stand beside it.
    """
    empty, owned = data.videos == 0, owned_from_here | data.collected.owned
    subtitles, links = "subtitles" in owned, "review_links" in owned
    judged = not set(data.collected.late) & STEP_PROVIDERS
    credits = data.credits.credits
    return {
        "greeting": format_greeting(timezone.localtime(now).hour, person),
        "meta": _format_summary(now, data.collected),
        "waiting": build_waiting_part(data.collected, data.credits),
        "figures": build_figures_part(data.figures),
        "watched": build_watched_part(data.watched, whole=False),
        "log": [(write, time_or_day(write.at, now)) for write in latest_writes],
        "has_credits": credits is not None,
        "balance": data.credits.balance,
        "credit_rows": credit_rows(credits.history[:CREDIT_ENTRIES] if credits and credits.history else ()),
        "is_new": empty or (judged and len(latest_writes) < NEWCOMER_CHANGES and not (subtitles and links)),
        "steps_first": empty or not (data.collected.todos or data.collected.late),
        "has_videos": bool(data.videos),
        "has_subtitles": subtitles,
        "has_links": links,
        "empty": empty,
        "make_subtitles": address("subtitles:subtitles"),
        "make_link": address("review_links:create"),
    }


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
