"""What a report is made of: plays and views by day and by video, the traffic that is kept, folders and videos.

Compared days have numbers in both weeks. Everything is asked at once; where days are missing, the rankings are asked once
more, for the days that count.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.reports import rules
from dashboard.reports.registry import Span
from dashboard.reports.rules import Coverage, Figures, FolderTree, Group, VideoFigures, Week, build_groups, build_rest
from dashboard.shared.entries import Entry, Shelf, Wanted, below
from dashboard.shared.metrics import Metric, find_column, get_covered, sum_over_time
from dashboard.shared.ranges import Days
from dashboard.upstream import library
from dashboard.upstream.facts import load_period_facts
from dashboard.upstream.figures import build_query
from dashboard.upstream.library import FOLDERS, load_selection, name_videos
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready
from dashboard.upstream.reads import Query, Reads

METRICS: Final = (Metric.PLAYS, Metric.VIEWS)
ROUND: Final = 5
"""A ranking that has a multiple of so many rows may have been cut there."""


class NotThere(Exception):
    """What a report needs did not come in time, or is not known."""


class NoFolder(Exception):
    """The folder of a report is not listed."""


@dataclass(frozen=True)
class Subject:
    """What a report is about: a `folder` (its id) with everything below it, a `query` as `person` wrote it, or all videos."""

    folder: str = ""
    query: str = ""
    person: str = ""

    @property
    def is_account(self) -> bool:
        return not (self.folder or self.query)


@dataclass(frozen=True)
class ReportData:
    """The numbers of a report. `problem`: why the query selects nothing, as a sentence; "" where it does.

    `videos`: the ids that it is about; None for the whole account. `is_cut`: the rankings may not list every video.
    `is_complete`: whether all that the query asks for is known of every video.
    """

    subject: Subject
    week: Week
    coverage: Coverage
    name: str
    metric: Metric = Metric.PLAYS
    """Of the groups: views where the platform does not tell plays."""
    groups: tuple[Group, ...] = ()
    totals: Mapping[Metric, Figures] = field(default_factory=dict)
    traffic: Figures | None = None
    videos: frozenset[str] | None = None
    count: int = 0
    is_cut: bool = False
    problem: str = ""
    is_complete: bool = True


@dataclass(frozen=True)
class Reader:
    """How a report reads. `patience`: seconds, None for the page's. `seconds`: how old numbers may be, None for the usual.

    `is_known`: nothing is read; what is not known is not there.
    """

    reads: Reads
    patience: float | None = None
    seconds: float | None = None
    is_known: bool = False

    def gather(self, **queries: Query[Any]) -> dict[str, Outcome]:
        """Outcomes by name."""
        return self.reads.known(**queries) if self.is_known else self.reads.gather(self.patience, **queries)

    def gather_with_videos(self, **queries: Query[Any]) -> tuple[dict[str, Outcome], list[Entry]]:
        """Outcomes by name, and the account's videos. Raises `NotThere`, and the `CallError` of the list of videos."""
        if self.is_known:
            entries = library.known_entries(self.reads, Wanted())
            if entries is None:
                raise NotThere
            return self.gather(folders=FOLDERS, **queries), entries
        outcomes = library.read_first(self.reads, Wanted(), self.patience, others=queries)
        if isinstance(outcomes["first"], Late):
            raise NotThere
        return outcomes, library.read_rest(self.reads, Wanted(), outcomes["first"])


def get_zone(account: Account, fallback: str = "") -> ZoneInfo:
    """The time zone whose weeks the account's reports have; of an account without one, `fallback`, else the page's."""
    return ZoneInfo(account.zone or fallback or timezone.get_current_timezone_name())


def load_report(subject: Subject, week: Week, zone: ZoneInfo, reader: Reader) -> ReportData:
    """The numbers of a week. Raises `NotThere`, `NoFolder`, and the `CallError` of a read."""
    open_day = rules.get_first_open_day(timezone.now(), zone)
    build = partial(_build_query, open_day=open_day, seconds=reader.seconds)
    both = Days(week.before.monday, week.days.end)
    queries = {
        "days": build("browser", both, granularity=Granularity.DAY.value),
        "now": build("ranking", week.days),
        "past": build("ranking", week.before.days),
    }
    outcomes, entries = reader.gather_with_videos(**queries)
    days, shelves = _get_table(outcomes["days"]), _get_value(outcomes["folders"])
    known = _get_known_days(days, both, open_day)
    coverage = rules.get_coverage(week, known)
    data = replace(_find_videos(reader.reads.account, subject, entries, shelves), week=week, coverage=coverage)
    if coverage.counted is None or data.problem:
        return data
    outcomes |= _read_part(reader, week, coverage, build)
    tables = [
        name_videos(reader.reads.account.pk, _get_table(outcomes[name])) if name == "now" or coverage.past else None
        for name in ("now", "past")
    ]
    return _add_figures(data, reader.reads.account, days, tables, entries, shelves)


def build_span(account: Account, week: Week, zone: ZoneInfo, videos: Collection[str] | None) -> Span:
    """The week of a report, for what features add to it. `videos`: the ids that it is about; None for the whole account."""
    return Span(account, week.get_start(zone), week.after.get_start(zone), videos)


def _build_query(operation: str, days: Days, *, open_day: date, seconds: float | None, **more: Any) -> Query[Any]:
    question = build_query(operation, days, open_day, **more)
    return (question if seconds is None else replace(question, seconds=seconds)).query()


def _get_value(outcome: Outcome) -> Any:
    if isinstance(outcome, Ready):
        return outcome.value
    if isinstance(outcome, Failed):
        raise outcome.error
    raise NotThere


def _get_table(outcome: Outcome) -> Table:
    """The answer as a table; one of an unknown shape has no rows."""
    return _get_value(outcome).table or Table((), ())


def _sum_days(table: Table, metric: Metric) -> dict[date, float]:
    """The sums of a metric by day."""
    column = find_column(table, metric) or ""
    sums = sum_over_time(table.rows, column, ZoneInfo("UTC"), Granularity.DAY) or {}
    return {day: total for (day, _hour), total in sums.items()}


def _get_known_days(table: Table, both: Days, open_day: date) -> Days | None:
    """The days that have numbers, as far as they are over."""
    sums = _sum_days(table, Metric.VIEWS)
    covered = get_covered({(day, None): total for day, total in sums.items() if day in both and day < open_day})
    return Days(covered.first[0], covered.last[0]) if covered else None


def _read_part(reader: Reader, week: Week, coverage: Coverage, build: Any) -> dict[str, Outcome]:
    """The rankings of the days that count, where that is not the whole week."""
    if coverage.counted is None or coverage.counted == week.days:
        return {}
    queries = {"now": build("ranking", coverage.counted)}
    if coverage.past is not None:
        queries["past"] = build("ranking", coverage.past)
    return reader.gather(**queries)


def _find_videos(account: Account, subject: Subject, entries: Sequence[Entry], shelves: Sequence[Shelf]) -> ReportData:
    """Which videos it is about, and its name. Raises `NoFolder`, and `NotThere` where the query came too late."""
    data = ReportData(subject, Week(date.min), rules.Coverage(None, None, (), ()), account.name, count=len(entries))
    if subject.is_account:
        return data
    if subject.folder:
        name = next((shelf.name for shelf in shelves if shelf.id == subject.folder), None)
        if name is None:
            raise NoFolder
        places = below(subject.folder, shelves)
        videos = frozenset(entry.id for entry in entries if entry.folder_id in places)
        return replace(data, name=name, videos=videos, count=len(videos))
    selection = load_selection(account, subject.query, subject.person)
    if selection.problem and not selection.complete:
        raise NotThere
    videos, problem, is_complete = frozenset(selection.ids), selection.problem, selection.complete
    return replace(data, name=subject.query, videos=videos, count=len(videos), problem=problem, is_complete=is_complete)


def _add_figures(
    data: ReportData,
    account: Account,
    days: Table,
    tables: Sequence[Table | None],
    entries: Sequence[Entry],
    shelves: Sequence[Shelf],
) -> ReportData:
    """Add the totals, and the parts that they are made of."""
    now, past = tables
    sums = {metric: figures for metric in METRICS if (figures := _sum_videos(data, now, past, metric)) is not None}
    if not sums:
        return data
    totals = {metric: figures.total() for metric, figures in sums.items()}
    if data.subject.is_account:
        totals = {metric: _sum_counted(days, metric, data.coverage) or total for metric, total in totals.items()}
    metric, traffic = next(iter(sums)), _load_traffic(data, account)
    own = [entry for entry in entries if data.videos is None or entry.id in data.videos]
    tree = None if data.subject.query else FolderTree(shelves, data.subject.folder)
    titles = {row.video_id: row.label for table in tables if table for row in table.rows if row.video_id}
    groups = build_groups(own, titles, tree if tree and tree.has_folders else None, sums[metric], traffic)
    rest = build_rest(totals[metric], groups)
    return replace(
        data,
        metric=metric,
        groups=tuple([*groups, rest] if rest else groups),
        totals=totals,
        traffic=None if traffic is None else traffic.total(),
        is_cut=any(_may_be_cut(table) for table in tables if table),
    )


def _sum_videos(data: ReportData, now: Table | None, past: Table | None, metric: Metric) -> VideoFigures | None:
    """A metric of the rankings by video, of those that the report is about; None where they do not tell it."""
    sides = [_sum_rows(table, metric, data.videos) if table else None for table in (now, past)]
    if sides[0] is None or (past is not None and sides[1] is None):
        return None
    return VideoFigures(sides[0], sides[1])


def _sum_rows(table: Table, metric: Metric, videos: Collection[str] | None) -> dict[str, float] | None:
    column = find_column(table, metric)
    if column is None:
        return None if table.rows else {}
    sums: dict[str, float] = {}
    for row in table.rows:
        name = row.video_id or row.label
        if videos is None or name in videos:
            sums[name] = sums.get(name, 0.0) + row.metrics.get(column, 0.0)
    return sums


def _sum_counted(days: Table, metric: Metric, coverage: Coverage) -> Figures | None:
    """The account's own sum of the days that count; None where the answer by day does not tell the metric."""
    if coverage.counted is None or find_column(days, metric) is None:
        return None
    sums = _sum_days(days, metric)
    now = sum(sums.get(day, 0.0) for day in coverage.counted)
    return Figures(now, None if coverage.past is None else sum(sums.get(day, 0.0) for day in coverage.past))


def _load_traffic(data: ReportData, account: Account) -> VideoFigures | None:
    """The bytes by video of the days that count; None where they are not known of every video."""
    coverage = data.coverage
    now = load_period_facts("traffic", account, coverage.counted) if coverage.counted else None
    past = load_period_facts("traffic", account, coverage.past) if coverage.past else None
    if now is None:
        return None
    sides = [
        side and {video: total for video, total in side.items() if data.videos is None or video in data.videos}
        for side in (now, past)
    ]
    return VideoFigures(sides[0] or {}, sides[1])


def _may_be_cut(ranking: Table) -> bool:
    """Whether a ranking may end before the last video that was played."""
    return bool(ranking.rows) and len(ranking.rows) % ROUND == 0
