"""The state of an analytics page: parsed from its address, written into others, and the queries for its days."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from itertools import groupby
from typing import Final
from urllib.parse import quote_plus

from django.http import QueryDict
from django.utils.functional import cached_property
from django.utils.translation import gettext as _

from dashboard.platform_api.analytics import Analytics, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import metrics
from dashboard.shared.addresses import path_of
from dashboard.shared.charts.figures import count
from dashboard.shared.metrics import HourSums, Metric, parse_metric
from dashboard.shared.ranges import Compare, Days, RangeProblem, Selection, get_compared_days, parse_range
from dashboard.upstream.figures import FigureAnswer, FigureQuery, HourSumsQuery, build_query

VIDEO_ID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
VIDEOS_MOST: Final = 8
"""More lines than this cannot be told apart."""

NAME_MOST: Final = 120
SITE_MOST: Final = 500
SEARCH_MOST: Final = 1_000
PAGE_MOST: Final = 100_000
UNKNOWN: Final = "unknown://"
"""A site or city without a name, in addresses of every language; no real one can be called that."""

RANGE_WORDS: Final = ("range", "start", "end", "granularity", "compare", "against", "zone")
SORTS: Final = ("value", "change", "name")


class UnknownVideo(Exception):
    """The address contains an impossible video identifier."""


@dataclass(frozen=True)
class AnalyticsState:
    """What an address asks for. `videos` are identifiers, not yet known to exist; texts are as typed, shortened."""

    selection: Selection
    metric: Metric = Metric.VIEWS
    videos: tuple[str, ...] = ()
    country: str = ""
    region: str = ""
    sort: str = SORTS[0]
    page: int = 1
    find: str = ""
    cause: str = ""
    folder: str = ""
    directly: bool = False
    """Of `folder`, only the videos that are in it directly."""
    city: str = ""
    site: str = ""
    """A city of `region`, and a site that sent viewers: whose change a page splits."""
    search: str = ""
    """A query of the list of videos: only those that match count."""

    @property
    def video(self) -> str | None:
        """The one video a page is about, if it is about one."""
        return self.videos[0] if self.videos else None

    def query(self, **changes: object) -> str:
        """The query string of this state, with some words changed; None takes a word out."""
        encoded = {**self._encoded, **{name: _encode(name, value) for name, value in changes.items()}}
        return "&".join(filter(None, encoded.values()))

    def vary(self, *names: str, **changes: object) -> Callable[..., str]:
        """`query` for each row of a table: what differs between its rows are the values of `names`, in their order."""
        same = self.query(**changes, **dict.fromkeys(names))
        return lambda *values: "&".join(filter(None, [same, *map(_encode, names, values)]))

    @cached_property
    def _encoded(self) -> dict[str, str]:
        """The words of this state as an address writes them, "" for none: a table asks for an address in each of its rows."""
        words: dict[str, object] = {
            **self.selection.query(),
            "metric": self.metric.value if self.metric is not Metric.VIEWS else None,
            "video": list(self.videos),
            "country": self.country,
            "region": self.region,
            "sort": self.sort if self.sort != SORTS[0] else None,
            "page": self.page if self.page > 1 else None,
            "find": self.find,
            "cause": self.cause,
            "folder": self.folder,
            "directly": "yes" if self.directly else None,
            "city": self.city,
            "site": self.site,
            "search": self.search,
        }
        return {name: _encode(name, value) for name, value in words.items()}

    def with_days(self, days: Days) -> "AnalyticsState":
        """The same view of other days; a comparison that was chosen by date becomes the period before."""
        compare = self.selection.compare if self.selection.compare is not Compare.CHOSEN else Compare.PREVIOUS
        return replace(
            self,
            selection=replace(self.selection, days=days, compare=compare, against=get_compared_days(days, compare)),
            page=1,
        )

    def with_compare(self, compare: Compare) -> "AnalyticsState":
        """The same days, compared with something else."""
        against = get_compared_days(self.selection.days, compare)
        return replace(self, selection=replace(self.selection, compare=compare, against=against))

    def hidden(self, *changed: str) -> tuple[tuple[str, str], ...]:
        """Names and values of the hidden fields that keep the rest of the state in a form."""
        words = QueryDict(self.query())
        return tuple((name, value) for name, values in words.lists() if name not in changed for value in values)


def _encode(name: str, value: object) -> str:
    """A word of ours with what it says, once for each value of a list."""
    if not value:
        return ""
    if isinstance(value, list | tuple):
        return "&".join([f"{name}={quote_plus(str(part))}" for part in value])
    return f"{name}={quote_plus(str(value))}"


@dataclass(frozen=True)
class ParsedState:
    """A parsed address: a state, or its problems. `typed`: the values to show again in the form."""

    state: AnalyticsState | None
    problems: tuple[RangeProblem, ...]
    typed: Mapping[str, str]


def parse_state(query: QueryDict, *, now: datetime, zone: str) -> ParsedState:
    """Parse an address. Raises `UnknownVideo` for an impossible video id."""
    texts = {
        name: query.get(name, "")[:NAME_MOST]
        for name in ("range", "start", "end", "granularity", "compare", "against", "zone")
    }
    parsed_range = parse_range(texts, now=now, zone=zone)
    if parsed_range.selection is None:
        return ParsedState(None, parsed_range.problems, texts)
    videos = tuple(dict.fromkeys(text.strip().lower() for text in query.getlist("video") if text.strip()))
    if len(videos) > VIDEOS_MOST or not all(VIDEO_ID.fullmatch(text) for text in videos):
        raise UnknownVideo
    sort = query.get("sort", "")
    state = AnalyticsState(
        selection=parsed_range.selection,
        metric=parse_metric(query.get("metric", "")),
        videos=videos,
        country=clean_name(query.get("country", "")),
        region=clean_name(query.get("region", "")),
        sort=sort if sort in SORTS else SORTS[0],
        page=_parse_page(query.get("page", "")),
        find=clean_name(query.get("find", "")),
        cause=clean_name(query.get("cause", "")),
        folder=clean_name(query.get("folder", "")),
        directly=query.get("directly", "") == "yes",
        city=clean_name(query.get("city", "")),
        site=clean_name(query.get("site", ""), SITE_MOST),
        search=clean_name(query.get("search", ""), SEARCH_MOST),
    )
    return ParsedState(state, (), texts)


def clean_name(text: str, most: int = NAME_MOST) -> str:
    """A name as addresses write it: without what cannot be printed, shortened to `most` letters."""
    return "".join(letter for letter in text if letter.isprintable()).strip()[:most].strip()


def clean_label(label: str, most: int = NAME_MOST) -> str:
    """A site or city as addresses write it, also where the platform gives it no name."""
    return clean_name(label, most) or UNKNOWN


def _parse_page(text: str) -> int:
    return min(max(1, int(text)), PAGE_MOST) if text.isascii() and text.isdigit() and len(text) < 8 else 1


def group_by_day(state: AnalyticsState) -> AnalyticsState:
    """The same state by day, for answers without hours."""
    if state.selection.granularity is Granularity.DAY:
        return state
    return replace(state, selection=replace(state.selection, granularity=Granularity.DAY))


def get_bucket_days(selection: Selection, days: Days) -> Days:
    """The days to ask for so that every local hour of `days` is there, with a row before and after to tell it by.

    The platform cuts its days in UTC, and the clocks may change between any two of the days: a day more on each side
    holds the hours of every zone. It also tells a quiet hour at the edge from one without data.
    """
    if selection.granularity is not Granularity.HOUR:
        return days
    today = selection.now.astimezone(UTC).date()
    start, end = days.start - timedelta(days=1), days.end + timedelta(days=1)
    return Days(min(start, today), min(end, today))


def build_why_address(split: str, state: AnalyticsState, **changes: object) -> str:
    """The page that splits the change of the same days; with `video`, of one video."""
    return f"{path_of('analytics:why', split)}?{state.query(page=None, sort=None, find=None, **changes)}"


def vary_why_address(split: str, state: AnalyticsState, *names: str, **changes: object) -> Callable[..., str]:
    """`build_why_address` for each row of a table, by the values of `names` in their order."""
    vary = state.vary(*names, page=None, sort=None, find=None, **changes)
    address = path_of("analytics:why", split)
    return lambda *values: f"{address}?{vary(*values)}"


def build_rate_why_address(state: AnalyticsState) -> str:
    """The page that splits the change of the play rate of the same days."""
    query = state.query(page=None, sort=None, find=None, metric=None, country=None, region=None)
    return f"{path_of('analytics:rate_why', 'browsers')}?{query}"


def build_traffic_why_address(state: AnalyticsState, *videos: str) -> str:
    """The page of the causes of a change of traffic: of these videos, or of what the address names."""
    query = state.query(page=None, sort=None, find=None, **({"video": list(videos)} if videos else {}))
    return f"{path_of('analytics:traffic_why', 'causes')}?{query}"


def build_dated_asks(operation: str, state: AnalyticsState, **arguments: object) -> dict[str, FigureQuery]:
    """Questions with the granularity of the address, for the range and for what it is compared with."""
    selection = state.selection
    windows, grain = selection.windows, selection.granularity
    total = grain is Granularity.TOTAL
    now = windows.counted if total else get_bucket_days(selection, windows.shown_days)
    asks = {"now": build_query(operation, now, selection.settled, granularity=grain.value, **arguments)}
    past = windows.compared if total else windows.past
    if past is not None:
        days = past if total else get_bucket_days(selection, past)
        asks["past"] = build_query(operation, days, selection.settled, granularity=grain.value, **arguments)
    return asks


def build_hour_asks(operation: str, state: AnalyticsState, **arguments: object) -> dict[str, FigureQuery]:
    """The same where only sums over all labels are wanted; of more hours than can be drawn, in parts ("now 0", "now 1").

    A year by hour is more than one answer may weigh, and the quarters that are over stay known.
    """
    asks = build_dated_asks(operation, state, **arguments)
    if not state.selection.is_hours_of_week:
        return asks
    settled = state.selection.settled
    return {
        f"{name} {number}": part
        for name, question in asks.items()
        for number, part in enumerate(_split_by_quarter(question, settled))
    }


def _split_by_quarter(whole: FigureQuery, settled: date) -> list[HourSumsQuery]:
    """The same question about each quarter of a year that its days touch."""
    arguments = dict(whole.arguments)
    days = Days(arguments.pop("start"), arguments.pop("end"))
    parts = []
    for _quarter, some in groupby(days, key=lambda day: (day.year, (day.month - 1) // 3)):
        first, *more = some
        part = build_query(
            whole.operation.removeprefix("analytics."), Days(first, [first, *more][-1]), settled, **arguments
        )
        parts.append(HourSumsQuery(part.operation, part.arguments, part.seconds))
    return parts


def join_answers(answers: Mapping[str, FigureAnswer], name: str) -> FigureAnswer | None:
    """The answer to a question, put together where it was asked in parts; None where it was not asked."""
    parts = [answers[f"{name} {number}"] for number in range(len(answers)) if f"{name} {number}" in answers]
    if not parts:
        return answers.get(name)
    missing = [part for part in parts if part.value is None]
    error = next((part.error for part in (*missing, *parts) if part.error), None)
    if missing:
        return FigureAnswer(None, None, error)
    read_at = min((part.at for part in parts if part.at), default=None)
    return FigureAnswer(
        HourSums.joined([part.value for part in parts]), read_at, error, any(part.behind for part in parts)
    )


def build_total_asks(operation: str, state: AnalyticsState, **arguments: object) -> dict[str, FigureQuery]:
    """Questions about the counted days only, in one sum; with a comparison also which days have numbers at all."""
    selection = state.selection
    asks = {"now": build_query(operation, selection.windows.counted, selection.settled, **arguments)}
    if selection.windows.compared is not None:
        asks["past"] = build_query(operation, selection.windows.compared, selection.settled, **arguments)
        asks |= build_day_asks(state)
    return asks


def build_day_asks(state: AnalyticsState) -> dict[str, FigureQuery]:
    """The questions that tell which days of a comparison have numbers: those of the account's line, by day or hour.

    Also for one video: on a day that the account has numbers of, a video without a row was not viewed.
    """
    selection = state.selection
    if selection.granularity is Granularity.TOTAL:
        state = replace(state, selection=replace(selection, granularity=Granularity.DAY))
    asks = build_hour_asks("browser", state)
    return {" ".join([*name.split()[:1], "days", *name.split()[1:]]): question for name, question in asks.items()}


@dataclass(frozen=True)
class DayPairs:
    """The days of a comparison that have numbers on both sides, out of `days`."""

    now: frozenset[date]
    past: frozenset[date]
    days: int

    @property
    def complete(self) -> bool:
        return len(self.now) == self.days


def get_day_pairs(state: AnalyticsState, now: Table | HourSums, past: Table | HourSums) -> DayPairs | None:
    """How far two answers by day or hour can be compared; None where an answer does not say when."""
    windows = state.selection.windows
    (is_dated, here), (is_past_dated, there) = _get_coverage(state, now), _get_coverage(state, past)
    if not (is_dated and is_past_dated):
        return None
    back = timedelta(days=windows.shift)
    days: list[date] = []
    if here is not None and there is not None:
        days = [day for day in windows.counted if here.has_day(day) and there.has_day(day - back)]
    return DayPairs(frozenset(days), frozenset(day - back for day in days), len(windows.counted))


def _get_table(answer: Analytics | HourSums) -> Table | HourSums | None:
    return answer if isinstance(answer, HourSums) else answer.table


def _get_coverage(state: AnalyticsState, answer: Table | HourSums) -> tuple[bool, metrics.Covered | None]:
    """Whether an answer says when, and the stretch that it has numbers for."""
    zone = state.selection.zone
    if isinstance(answer, HourSums):
        return answer.is_dated, answer.covered(zone)
    grain = Granularity.HOUR if state.selection.granularity is Granularity.HOUR else Granularity.DAY
    return metrics.get_coverage(answer.rows, zone, grain)


def get_comparison(state: AnalyticsState, answers: Mapping[str, FigureAnswer]) -> tuple[Table | None, str]:
    """The answer to compare a panel with, and what has to be said about the days; without one nothing is compared.

    Sums by label, city or video are compared only where every day has numbers on both sides.
    """
    past = answers.get("past")
    if past is None or past.value is None or past.value.table is None or state.selection.windows.compared is None:
        return None, ""
    now_days, past_days = (join_answers(answers, f"{name} days") or answers[name] for name in ("now", "past"))
    if now_days.value is None or past_days.value is None:
        return None, _("It couldn't be checked which of these days have numbers, so nothing is compared here.")
    ours, theirs = _get_table(now_days.value), _get_table(past_days.value)
    pairs = get_day_pairs(state, ours, theirs) if ours is not None and theirs is not None else None
    if pairs is None:
        return past.value.table, _("The platform does not say which of these days have numbers.")
    if pairs.complete:
        return past.value.table, ""
    values = {"known": count(len(pairs.now)), "count": count(pairs.days)}
    return None, _("Only %(known)s of %(count)s days have numbers on both sides, so nothing is compared here.") % values
