"""A report in sentences, as its page and its e-mail say them."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.reports.groups import Figures, Group, GroupKind
from dashboard.reports.queries import ReportData
from dashboard.reports.rules import LENGTH, Week
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import Unit, count
from dashboard.shared.metrics import Metric

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
