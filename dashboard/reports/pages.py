"""What a report shows: findings, numbers, parts, what was done, what comes next, and the form above it."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import partial
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.activity.recorder import actor_of
from dashboard.reports.queries import ReportData, Subject
from dashboard.reports.registry import Done, Next
from dashboard.reports.rules import LENGTH, Figures, Group, GroupKind, Week
from dashboard.shared import formats
from dashboard.shared.addresses import address, video_address
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import Change, Unit, build_change, count
from dashboard.shared.csv import Cell
from dashboard.shared.entries import ROOT, Shelf
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import Metric
from dashboard.upstream.library import FOLDERS, folders_of, list_saved_queries
from dashboard.upstream.reads import Reads

HALF: Final = 0.5


@dataclass(frozen=True)
class Finding:
    """A sentence. `shape` is the class and shape of its mark."""

    shape: str
    text: str


def format_week(week: Week) -> str:
    """The days of a week against those of the one before."""
    values = {"days": _format_period(week), "before": _format_period(week.before)}
    return _("%(days)s against %(before)s") % values


def _format_period(week: Week) -> str:
    return figures.period(week.days.start, week.days.end)


def format_name(group: Group, *, is_account: bool) -> str:
    """What a part is called."""
    match group.key.kind:
        case GroupKind.HERE:
            return _("In no folder") if is_account else _("Directly in this folder")
        case GroupKind.GONE:
            return _("Videos no longer listed")
        case GroupKind.REST:
            return _("Not told by video")
    return group.key.name or group.key.id


def format_metric(metric: Metric) -> str:
    """Its name at the head of a column."""
    return _("Plays") if metric is Metric.PLAYS else _("Views")


def format_signed(value: float) -> str:
    """A difference: +1,204, −3, 0."""
    return figures.signed(round(value), 0)


def list_findings(data: ReportData, parts: Sequence[tuple[Group, int]]) -> tuple[Finding, ...]:
    """What changed. `parts`: the parts that changed, each with its difference, the largest first."""
    findings = [*_describe_days(data)]
    total = data.totals.get(data.metric)
    if data.coverage.counted is not None and total is not None:
        findings.append(_describe_total(data, total, parts))
        findings.append(_describe_traffic(data))
    if data.coverage.counted is not None and total is None:
        findings.append(Finding("unknown", _("The platform tells neither plays nor views of these videos.")))
    if data.is_cut and not data.subject.is_account:
        text = _("The platform's ranking may not list every video. Videos that it does not list count as 0 here.")
        findings.append(Finding("warning", text))
    if not data.is_complete:
        text = _("Not all that the search asks for is known of every video yet. Videos that may match are left out.")
        findings.append(Finding("warning", text))
    return tuple(findings)


def _describe_days(data: ReportData) -> list[Finding]:
    coverage = data.coverage
    if coverage.counted is None:
        return [Finding("warning", _("There are no numbers for this week."))]
    if coverage.is_whole:
        return []
    missing = _format_days(coverage.missing)
    if coverage.past is None:
        text = _("There are no numbers for the week before, so nothing is compared.")
        more = _("There is no data for %(days)s.") % {"days": missing} if missing else ""
        return [Finding("warning", f"{text} {more}".strip())]
    values = {
        "known": count(len(coverage.counted)),
        "count": count(LENGTH),
        "days": _format_days((*coverage.missing_past, *coverage.missing)),
    }
    text = _(
        "%(known)s of %(count)s days are compared: there is no data for %(days)s. The same days of the other week are "
        "left out too."
    )
    return [Finding("warning", text % values)]


def _format_days(days: Sequence[date]) -> str:
    return ", ".join(figures.day(day) for day in days)


def _describe_total(data: ReportData, total: Figures, parts: Sequence[tuple[Group, int]]) -> Finding:
    compared = _compare(_format_count(data.metric, total.now), total, _format_count(data.metric, total.past or 0.0))
    shape = "none" if total.past is None or not total.change else "healthy" if total.change > 0 else "flagged"
    return Finding(shape, f"{compared} {_describe_largest(data, total, parts)}".strip())


def _format_count(metric: Metric, value: float) -> str:
    number = round(value)
    words = (
        ngettext("%(count)s play", "%(count)s plays", number)
        if metric is Metric.PLAYS
        else ngettext("%(count)s view", "%(count)s views", number)
    )
    return words % {"count": count(number)}


def _compare(now: str, number: Figures, past: str) -> str:
    """A number beside that of the week before."""
    values = {"now": now, "past": past}
    if number.past is None:
        return _("%(now)s.") % values
    if not number.past:
        return _("%(now)s. The week before had none.") % values if number.now else _("%(now)s in both weeks.") % values
    if number.now == number.past:
        return _("%(now)s, as many as the week before.") % values
    values["share"] = figures.change(number.now, number.past).lstrip("+−")
    if number.change > 0:
        return _("%(now)s, %(share)s more than the week before (%(past)s).") % values
    return _("%(now)s, %(share)s less than the week before (%(past)s).") % values


def _describe_largest(data: ReportData, total: Figures, parts: Sequence[tuple[Group, int]]) -> str:
    """The part that changed most in the direction of the total."""
    if total.past is None:
        return ""
    same = [part for part in parts if part[1] * total.change > 0] if total.change else list(parts)
    if len(parts) < 2 or not same:
        return ""
    group, difference = same[0]
    name = format_name(group, is_account=data.subject.is_account)
    values = {"name": f"“{name}”" if group.key.id else name, "change": format_signed(difference)}
    is_most = bool(total.change) and difference / total.change >= HALF
    if total.change > 0:
        words = _("Most of the gain: %(name)s (%(change)s).") if is_most else _("Largest gain: %(name)s (%(change)s).")
    elif total.change < 0:
        words = _("Most of the loss: %(name)s (%(change)s).") if is_most else _("Largest loss: %(name)s (%(change)s).")
    else:
        words = _("Largest change: %(name)s (%(change)s).")
    return words % values


def _describe_traffic(data: ReportData) -> Finding:
    if data.traffic is None:
        return Finding("unknown", _("Traffic is not known yet for all of these days."))
    now, past = (figures.format_value(value, Unit.BYTES) for value in (data.traffic.now, data.traffic.past or 0.0))
    return Finding("running", _compare(_("Traffic: %(bytes)s") % {"bytes": now}, data.traffic, past))


MOST_PARTS: Final = 6
MOST_LINES: Final = 6
"""Of each list: the report is one page."""
NOTHING: Final = "–"


@dataclass(frozen=True)
class ReportStat:
    """A number with its difference. `was`: what it was the week before, or why that is not known."""

    label: str
    value: str
    change: Change | None = None
    was: str = ""
    why: str = ""


@dataclass(frozen=True)
class PartRow:
    """One part, or all together. None: not known. `why`: the page that splits the difference; "" where nothing can."""

    label: str
    videos: int | None
    figures: Figures
    difference: int
    traffic: float | None
    address: str = ""
    why: str = ""

    @property
    def now(self) -> str:
        return count(round(self.figures.now))

    @property
    def past(self) -> str:
        return NOTHING if self.figures.past is None else count(round(self.figures.past))

    @property
    def signed(self) -> str:
        """The difference as it is printed."""
        return NOTHING if self.figures.past is None else format_signed(self.difference)

    @property
    def change(self) -> Change | None:
        return build_change(self.figures.now, self.figures.past)

    @property
    def bytes(self) -> str:
        return NOTHING if self.traffic is None else figures.format_value(self.traffic, Unit.BYTES)


@dataclass(frozen=True)
class Report:
    """templates/reports/_report.html: the numbers of a week, and what follows from them.

    `why`: the page of analytics that splits the change; "" without a comparison. Of the lines so many more are left out.
    """

    data: ReportData
    zone: str
    findings: tuple[Finding, ...]
    stats: tuple[ReportStat, ...]
    rows: tuple[PartRow, ...]
    total: PartRow | None
    done: list[Done]
    done_more: int
    next: list[Next]
    next_more: int
    is_last_week: bool
    why: str

    @property
    def week(self) -> str:
        """The days against those of the week before."""
        return format_week(self.data.week)

    @property
    def is_by_video(self) -> bool:
        """Whether its parts are single videos."""
        return any(group.key.kind is GroupKind.VIDEO for group in self.data.groups)

    @property
    def parts_title(self) -> str:
        if self.data.coverage.past is None:
            return _("Most played videos") if self.is_by_video else _("Most played folders")
        return _("Videos with the largest change") if self.is_by_video else _("Folders with the largest change")

    @property
    def metric(self) -> str:
        """The head of the column of plays or views."""
        return format_metric(self.data.metric)

    @property
    def made_at(self) -> str:
        return formats.moment(timezone.now(), "long")


def build_address(subject: Subject, week: Week | None = None, *, name: str = "report", **more: str) -> str:
    """The address of a report; without `week`, of the last week that is over."""
    query = {"about": format_about(subject), "week": week.monday.isoformat() if week else "", **more}
    text = urlencode({key: value for key, value in query.items() if value})
    return f"{reverse(f'reports:{name}')}?{text}" if text else reverse(f"reports:{name}")


def format_about(subject: Subject) -> str:
    """What a report is about, as addresses write it."""
    if subject.folder:
        return f"folder:{subject.folder}"
    return f"search:{subject.query}" if subject.query else ""


def parse_about(text: str, person: str) -> Subject:
    """The same read; the whole account for anything else."""
    kind, _colon, value = text.replace("\0", "").partition(":")
    value = " ".join(value.split())[:1_000]
    if kind == "folder" and value:
        return Subject(folder=value[:64])
    return Subject(query=value, person=person) if kind == "search" and value else Subject()


def build_report(data: ReportData, lines: Iterable[Done | Next], zone: str, *, is_last_week: bool) -> Report:
    """The report itself. Its parts are those that changed most; without a comparison, those with the highest numbers."""
    # Labels are places in the groups.
    sides = [Side(str(place), group.figures.now, group.figures.past or 0.0) for place, group in enumerate(data.groups)]
    split = split_change(sides, MOST_PARTS)
    named = [(data.groups[int(part.label)], part.change) for part in split.parts]
    listed = list(lines)
    done = [line for line in listed if isinstance(line, Done)]
    waiting = [line for line in listed if isinstance(line, Next)] if is_last_week else []
    return Report(
        data=data,
        zone=zone.replace("_", " "),
        findings=(Finding("error", data.problem),) if data.problem else list_findings(data, named),
        stats=_build_stats(data),
        rows=_build_rows(data, [group for group, _change in named], split) if data.groups else (),
        total=_build_total(data),
        done=done[:MOST_LINES],
        done_more=len(done) - MOST_LINES,
        next=waiting[:MOST_LINES],
        next_more=len(waiting) - MOST_LINES,
        is_last_week=is_last_week,
        why=_find_total_why(data),
    )


def _build_why_address(data: ReportData, name: str, *args: str, **more: str) -> str:
    """A page of analytics that splits a change over the same days; "" where nothing is compared."""
    coverage = data.coverage
    if coverage.counted is None or coverage.past is None:
        return ""
    days = {"start": coverage.counted.start, "end": coverage.counted.end}
    against = {"against": coverage.past.start} if coverage.counted != data.week.days else {}
    return address(name, *args, **days, compare="chosen" if against else "previous", **against, **more)


def _find_why(data: ReportData, page: str, **more: str) -> str:
    """Why a number of the report changed: of the account by browser, of a folder and of a search by video."""
    split = "browsers" if data.subject.is_account else "videos"
    return _build_why_address(data, page, split, **more, **_build_scope(data.subject))


def _find_total_why(data: ReportData) -> str:
    """Why the number of the table changed; "" where it did not."""
    total = data.totals.get(data.metric)
    return _find_why(data, "analytics:why", metric=data.metric.value) if total is not None and total.change else ""


def _build_scope(subject: Subject) -> dict[str, str]:
    """What a report is about, as addresses of analytics write it."""
    return {"folder": subject.folder, "search": subject.query}


def _build_stats(data: ReportData) -> tuple[ReportStat, ...]:
    if data.coverage.counted is None or data.problem:
        return ()
    stats = [
        _build_stat(format_metric(metric), total, Unit.COUNT, _find_why(data, "analytics:why", metric=metric.value))
        for metric, total in data.totals.items()
    ]
    if len(stats) == len((Metric.PLAYS, Metric.VIEWS)):
        stats.append(_build_rate(data))
    if data.traffic is None:
        return (*stats, ReportStat(_("Traffic"), NOTHING, was=_("Not known yet")))
    causes = _build_why_address(data, "analytics:traffic_why", "causes", **_build_scope(data.subject))
    return (*stats, _build_stat(_("Traffic"), data.traffic, Unit.BYTES, causes))


def _build_stat(label: str, number: Figures, unit: Unit, why: str) -> ReportStat:
    value = figures.format_value(number.now, unit)
    if number.past is None:
        return ReportStat(label, value, was=_("No data before"))
    was = _("from %(value)s") % {"value": figures.format_value(number.past, unit)}
    return ReportStat(label, value, build_change(number.now, number.past), was=was, why=why)


def _build_rate(data: ReportData) -> ReportStat:
    """Plays of each hundred views: it is worked out of the two numbers beside it."""
    plays, views = data.totals[Metric.PLAYS], data.totals[Metric.VIEWS]
    label, now = _("Play rate"), plays.now / views.now if views.now else None
    past = plays.past / views.past if plays.past is not None and views.past else None
    value = NOTHING if now is None else figures.percent(now)
    if past is None:
        return ReportStat(label, value, was=_("No data before"))
    was = _("from %(value)s") % {"value": figures.percent(past)}
    if now is None:
        return ReportStat(label, value, was=was)
    change = figures.build_points_change(now, past)
    return ReportStat(label, value, change, was=was, why=_find_why(data, "analytics:rate_why"))


def _build_rows(data: ReportData, groups: Sequence[Group], split: SplitChange) -> tuple[PartRow, ...]:
    """The named parts, and what is left of the totals. Together they are the totals, as they are printed."""
    rows = [_build_row(data, group, part.change) for group, part in zip(groups, split.parts, strict=True)]
    others = [group for group in data.groups if not any(group is named for named in groups)]
    if not others:
        return tuple(rows)
    left = split.change - sum(part.change for part in split.parts)
    now, past = split.now - sum(part.now for part in split.parts), split.past - sum(part.past for part in split.parts)
    traffic = None if data.traffic is None else sum(group.traffic.now for group in others if group.traffic)
    videos = sum(group.count or 0 for group in others)
    number = Figures(now, past if data.coverage.past else None)
    label = ngettext("Other (%(count)s)", "Other (%(count)s)", len(others)) % {"count": count(len(others))}
    return (*rows, PartRow(label, videos, number, difference=left, traffic=traffic))


def _build_row(data: ReportData, group: Group, difference: int) -> PartRow:
    return PartRow(
        label=format_name(group, is_account=data.subject.is_account),
        videos=group.count,
        figures=group.figures,
        difference=difference,
        traffic=None if group.traffic is None else group.traffic.now,
        address=_get_group_address(data, group),
        why=_find_group_why(data, group),
    )


def _find_group_why(data: ReportData, group: Group) -> str:
    """The report of a folder, which splits its change by what is in it; a video's change by browser; that of the videos which
    are directly in the folder of the report, or in none, by video.
    """
    build = partial(_build_why_address, data, "analytics:why", metric=data.metric.value)
    if group.key.kind is GroupKind.VIDEO:
        return build("browsers", video=group.key.id)
    if group.key.kind is GroupKind.HERE and data.subject.folder:
        return build("videos", folder=data.subject.folder, directly="yes")
    if group.key.kind is GroupKind.HERE:
        return build("videos", folder=ROOT)
    return _get_group_address(data, group)


def _get_group_address(data: ReportData, group: Group) -> str:
    if group.key.kind is GroupKind.FOLDER:
        return build_address(Subject(folder=group.key.id), data.week)
    return video_address(group.key.id) if group.key.kind is GroupKind.VIDEO else ""


def _build_total(data: ReportData) -> PartRow | None:
    total = data.totals.get(data.metric)
    if total is None or not data.groups:
        return None
    traffic = data.traffic.now if data.traffic else None
    return PartRow(
        _("Together"), data.count, total, difference=round(total.change), traffic=traffic, why=_find_total_why(data)
    )


def build_table(report: Report) -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the file: every part, in raw numbers. A number that is not known is empty."""
    data = report.data
    heads = [
        _("Video") if report.is_by_video else _("Folder"),
        _("Videos"),
        report.metric,
        _("%(what)s before") % {"what": report.metric},
        _("Change"),
        _("Traffic (bytes)"),
        _("Traffic before (bytes)"),
    ]
    groups = sorted(data.groups, key=lambda group: (-abs(group.figures.change), -group.figures.now, group.key.name))
    rows = [
        _build_cells(format_name(group, is_account=data.subject.is_account), group.count, group.figures, group.traffic)
        for group in groups
    ]
    total = data.totals.get(data.metric)
    if total is not None:
        rows.append(_build_cells(_("Together"), data.count, total, data.traffic))
    return heads, rows


def _build_cells(label: str, videos: int | None, number: Figures, traffic: Figures | None) -> list[Cell]:
    change = None if number.past is None else number.change
    bytes_now, bytes_past = (None, None) if traffic is None else (traffic.now, traffic.past)
    return [label, videos, number.now, number.past, change, bytes_now, bytes_past]


MOST_FOLDERS: Final = 300
"""Folders to choose from; the others lead here from their own page."""


def describe_chooser(request: OwnerRequest, subject: Subject, week: Week, last: Week) -> dict[str, object]:
    """What templates/reports/_chooser.html needs: what reports can be about, and the ways to other weeks.

    `later` is empty for the last week that is over.
    """
    about = format_about(subject)
    return {
        "about": about,
        "week": "" if week == last else week.monday.isoformat(),
        "folders": _list_folders(request, about),
        "saved": _list_saved(request, subject),
        "period": _format_period(week),
        "earlier": build_address(subject, week.before),
        "later": "" if week == last else build_address(subject, week.after),
        "file": build_address(subject, week, name="file"),
    }


def find_folder_name(request: OwnerRequest, folder: str) -> str:
    """The name of a folder; "" for one that is not listed."""
    return next((shelf.name for shelf in _load_shelves(request) if shelf.id == folder), "")


def find_saved_name(request: OwnerRequest, subject: Subject) -> str:
    """The name under which the person saved the search of a report; "" for another one."""
    saved = list_saved_queries(request.account, actor_of(request, request.account)) if subject.query else []
    return next((each.name for each in saved if each.query == subject.query), "")


def _load_shelves(request: OwnerRequest) -> tuple[Shelf, ...]:
    """The folders as far as they are known: the report reads them."""
    return folders_of(Reads(request.account).known(folders=FOLDERS)["folders"])[0]


def _list_folders(request: OwnerRequest, about: str) -> list[tuple[str, str]]:
    """The first folders of the tree, each with its way, and the one that is asked for."""
    shelves = _load_shelves(request)
    ways = _list_ways(shelves)
    current = next((shelf for shelf in shelves if f"folder:{shelf.id}" == about and shelf.id not in ways), None)
    if current is not None:
        ways[current.id] = current.name
    return [(f"folder:{folder}", way) for folder, way in ways.items()]


def _list_ways(shelves: Iterable[Shelf]) -> dict[str, str]:
    """The names from the root down to each of the first folders, by id, siblings by name."""
    children: dict[str, list[Shelf]] = {}
    for shelf in shelves:
        children.setdefault(shelf.parent, []).append(shelf)
    ways: dict[str, str] = {}
    waiting = [(shelf, "") for shelf in _sort_last_first(children.get("", ()))]
    while waiting and len(ways) < MOST_FOLDERS:
        shelf, above = waiting.pop()
        if shelf.id not in ways:
            ways[shelf.id] = f"{above} / {shelf.name}" if above else shelf.name
            waiting += [(child, ways[shelf.id]) for child in _sort_last_first(children.get(shelf.id, ()))]
    return ways


def _sort_last_first(shelves: Iterable[Shelf]) -> list[Shelf]:
    return sorted(shelves, key=lambda shelf: shelf.name.casefold(), reverse=True)


def _list_saved(request: OwnerRequest, subject: Subject) -> list[tuple[str, str]]:
    """The person's saved views that have a query, and the query of the address where it is none of them."""
    saved = [each for each in list_saved_queries(request.account, actor_of(request, request.account)) if each.query]
    choices = [(f"search:{each.query}", each.name) for each in saved]
    if subject.query and all(each.query != subject.query for each in saved):
        choices.append((format_about(subject), subject.query))
    return choices
