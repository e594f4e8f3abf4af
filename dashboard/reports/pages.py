"""View models of the report: findings, numbers, parts, what was done, what comes next."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final
from urllib.parse import urlencode

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.reports import messages
from dashboard.reports.groups import Figures, Group, GroupKind
from dashboard.reports.messages import Finding
from dashboard.reports.queries import ReportData, Subject
from dashboard.reports.registry import Done, Next
from dashboard.reports.rules import Week
from dashboard.shared import formats
from dashboard.shared.addresses import address, video_address
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import Change, Unit, build_change, count
from dashboard.shared.csv import Cell
from dashboard.shared.entries import ROOT
from dashboard.shared.metrics import Metric

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
    """One part, or all together. Texts are ready."""

    label: str
    address: str
    videos: str
    now: str
    past: str
    difference: str
    change: Change | None
    traffic: str
    why: str = ""
    """The page that splits the difference; "" where nothing can."""


@dataclass(frozen=True)
class ReportPart:
    """templates/reports/_report.html. `metric`: the head of the column of plays or views."""

    title: str
    week: str
    zone: str
    findings: tuple[Finding, ...]
    stats: tuple[ReportStat, ...] = ()
    parts_title: str = ""
    part_label: str = ""
    metric: str = ""
    rows: tuple[PartRow, ...] = ()
    total: PartRow | None = None
    is_compared: bool = False
    done: tuple[Done, ...] = ()
    done_more: str = ""
    next: tuple[Next, ...] = ()
    next_more: str = ""
    is_last_week: bool = True
    made: str = ""
    why: str = ""
    """The page of analytics that splits the change; "" without a comparison."""


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


def build_report_part(data: ReportData, lines: Iterable[Done | Next], zone: str, *, is_last_week: bool) -> ReportPart:
    """The report itself."""
    split = _split(data)
    named = [] if split is None else [(data.groups[int(part.label)], part.change) for part in split.parts]
    listed = list(lines)
    done = [line for line in listed if isinstance(line, Done)]
    waiting = [line for line in listed if isinstance(line, Next)] if is_last_week else []
    findings = (Finding("error", data.problem),) if data.problem else messages.list_findings(data, named)
    groups = [group for group, _change in named]
    return ReportPart(
        title=data.name,
        week=messages.format_week(data.week),
        zone=zone.replace("_", " "),
        findings=findings,
        stats=_build_stats(data),
        parts_title=_format_parts_title(data),
        part_label=_("Video") if _is_by_video(data) else _("Folder"),
        metric=messages.format_metric(data.metric),
        rows=() if split is None else _build_rows(data, groups, split),
        total=_build_total(data),
        is_compared=data.coverage.past is not None,
        done=tuple(done[:MOST_LINES]),
        done_more=_format_more(len(done)),
        next=tuple(waiting[:MOST_LINES]),
        next_more=_format_more(len(waiting)),
        is_last_week=is_last_week,
        why=_find_total_why(data),
        made=_("Made by Reelroom on %(when)s.") % {"when": formats.moment(timezone.now(), "long")},
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


def _find_traffic_why(data: ReportData) -> str:
    """Why the traffic changed: its causes."""
    return _build_why_address(data, "analytics:traffic_why", "causes", **_build_scope(data.subject))


def _build_scope(subject: Subject) -> dict[str, str]:
    """What a report is about, as addresses of analytics write it."""
    return {"folder": subject.folder, "search": subject.query}


def _format_more(lines: int) -> str:
    rest = lines - MOST_LINES
    if rest <= 0:
        return ""
    return ngettext("%(count)s more", "%(count)s more", rest) % {"count": count(rest)}


def _split(data: ReportData) -> SplitChange | None:
    """The parts that changed most; without a comparison, those with the highest numbers. Labels are places in `groups`."""
    if not data.groups:
        return None
    sides = [Side(str(place), group.figures.now, group.figures.past or 0.0) for place, group in enumerate(data.groups)]
    return split_change(sides, MOST_PARTS)


def _is_by_video(data: ReportData) -> bool:
    return any(group.key.kind is GroupKind.VIDEO for group in data.groups)


def _format_parts_title(data: ReportData) -> str:
    if data.coverage.past is None:
        return _("Most played videos") if _is_by_video(data) else _("Most played folders")
    return _("Videos with the largest change") if _is_by_video(data) else _("Folders with the largest change")


def _build_stats(data: ReportData) -> tuple[ReportStat, ...]:
    if data.coverage.counted is None or data.problem:
        return ()
    stats = [
        _build_stat(
            messages.format_metric(metric),
            total,
            Unit.COUNT,
            _find_why(data, "analytics:why", metric=metric.value),
        )
        for metric, total in data.totals.items()
    ]
    if len(stats) == len((Metric.PLAYS, Metric.VIEWS)):
        stats.append(_build_rate(data))
    if data.traffic is None:
        return (*stats, ReportStat(_("Traffic"), NOTHING, was=_("Not known yet")))
    return (*stats, _build_stat(_("Traffic"), data.traffic, Unit.BYTES, _find_traffic_why(data)))


def _build_stat(label: str, number: Figures, unit: Unit, why: str) -> ReportStat:
    value = figures.format_value(number.now, unit)
    if number.past is None:
        return ReportStat(label, value, was=_("No data before"))
    was = _("from %(value)s") % {"value": figures.format_value(number.past, unit)}
    return ReportStat(label, value, build_change(number.now, number.past), was, why)


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
    return ReportStat(label, value, change, was, _find_why(data, "analytics:rate_why"))


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
    return (*rows, _build_texts(label, "", videos, number, left, traffic))


def _build_row(data: ReportData, group: Group, difference: int) -> PartRow:
    label = messages.format_name(group, is_account=data.subject.is_account)
    traffic = None if group.traffic is None else group.traffic.now
    row = _build_texts(label, _get_group_address(data, group), group.count, group.figures, difference, traffic)
    return replace(row, why=_find_group_why(data, group))


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
    row = _build_texts(_("Together"), "", data.count, total, round(total.change), traffic)
    return replace(row, why=_find_total_why(data))


def _build_texts(
    label: str, link: str, videos: int | None, number: Figures, difference: int, traffic: float | None
) -> PartRow:
    is_compared = number.past is not None
    return PartRow(
        label=label,
        address=link,
        videos=NOTHING if videos is None else count(videos),
        now=count(round(number.now)),
        past=count(round(number.past)) if number.past is not None else NOTHING,
        difference=messages.format_signed(difference) if is_compared else NOTHING,
        change=build_change(number.now, number.past),
        traffic=NOTHING if traffic is None else figures.format_value(traffic, Unit.BYTES),
    )


def build_table(data: ReportData) -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the file: every part, in raw numbers. A number that is not known is empty."""
    metric = messages.format_metric(data.metric)
    heads = [
        _("Video") if _is_by_video(data) else _("Folder"),
        _("Videos"),
        metric,
        _("%(what)s before") % {"what": metric},
        _("Change"),
        _("Traffic (bytes)"),
        _("Traffic before (bytes)"),
    ]
    groups = sorted(data.groups, key=lambda group: (-abs(group.figures.change), -group.figures.now, group.key.name))
    rows = [
        _build_cells(
            messages.format_name(group, is_account=data.subject.is_account), group.count, group.figures, group.traffic
        )
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
