"""View models of the referral templates."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.answers import as_it_came
from dashboard.referrals.models import ReferralDay
from dashboard.referrals.rules import ReferralSummary
from dashboard.shared import formats
from dashboard.shared.charts import figures
from dashboard.shared.charts.curves import CurvesChart, Place
from dashboard.shared.charts.figures import Unit
from dashboard.shared.charts.plot import Series
from dashboard.shared.charts.prepared import Exports
from dashboard.shared.csv import file_name
from dashboard.upstream.error_messages import Trouble, trouble
from dashboard.upstream.figures import FigureAnswer


@dataclass(frozen=True)
class Figure:
    """One amount."""

    label: str
    value: str
    note: str


@dataclass(frozen=True)
class ReferralsPage:
    """templates/referrals/referrals.html."""

    link: str
    figures: tuple[Figure, ...]
    unit_note: str
    chart: CurvesChart | None
    exports: Exports | None
    history_note: str
    raw: str
    trouble: Trouble | None
    fragment: str
    waiting: str


def build_referrals_page(
    got: FigureAnswer, summary: ReferralSummary | None, days: Sequence[ReferralDay]
) -> ReferralsPage:
    """The summary (the last good one, if the read failed) and the stored days."""
    chart = build_history_chart(days)
    note = ""
    if summary is not None and summary.currency:
        note = _("The platform does not say the unit of its amounts: whole numbers are read as cents.")
    fragment = f"{reverse('referrals:referrals')}?panel=now"
    return ReferralsPage(
        summary.link if summary else "",
        _build_figures(summary) if summary else (),
        note,
        chart,
        _build_exports(days) if chart else None,
        _format_history_note(days),
        as_it_came(got.value.raw) if summary is not None and summary.empty else "",
        trouble(got) if got.late or got.error or got.old else None,
        fragment,
        fragment if got.late else "",
    )


def _build_figures(summary: ReferralSummary) -> tuple[Figure, ...]:
    rows = (
        (_("Estimated from pending referrals"), summary.pending, _("May still change.")),
        (_("Received in total"), summary.received, ""),
        (_("Balance now"), summary.balance, ""),
    )
    return tuple(
        Figure(label, format_amount(value, summary.currency), note) for label, value, note in rows if value is not None
    )


def format_amount(value: Decimal, currency: str) -> str:
    """Format an amount with its currency, if known."""
    return formats.money(value, currency) if currency else figures.count(float(value), 2)


def build_history_chart(days: Sequence[ReferralDay]) -> CurvesChart | None:
    """The stored days as lines. None with less than two days."""
    if len(days) < 2:
        return None
    first, last = days[0].day, days[-1].day
    length = (last - first).days
    lines = (
        (_("Received"), [row.received for row in days]),
        (_("Balance"), [row.balance for row in days]),
        (_("Pending estimate"), [row.pending for row in days]),
    )
    series = tuple(
        Series(name, tuple(None if value is None else float(value) for value in values), place)
        for place, (name, values) in enumerate(lines)
    )
    return CurvesChart(
        "referrals",
        _("History"),
        "",
        Unit.MONEY,
        _("Day"),
        tuple(Place(row.day.isoformat(), figures.day(row.day, year=True), figures.day(row.day)) for row in days),
        series,
        _format_finding(days),
        figures.period(first, last),
        at=tuple((row.day - first).days / length for row in days),
    )


def _format_finding(days: Sequence[ReferralDay]) -> str:
    first, last = days[0], days[-1]
    if first.received is None or last.received is None:
        return ""
    values = {
        "amount": format_amount(last.received - first.received, last.currency),
        "first": figures.day(first.day, year=True),
        "last": figures.day(last.day, year=True),
    }
    return _("%(amount)s received between %(first)s and %(last)s.") % values


def _build_exports(days: Sequence[ReferralDay]) -> Exports:
    def address(extension: str) -> str:
        return reverse("referrals:file", args=[extension])

    period = f"{days[0].day.isoformat()}_{days[-1].day.isoformat()}_UTC"
    name = file_name("referrals", period, "png")
    return Exports(address("csv"), address("svg"), name, figures.period(days[0].day, days[-1].day))


def _format_history_note(days: Sequence[ReferralDay]) -> str:
    if not days:
        return _("The platform has no history. Reelroom saves one from today on, once a day.")
    days_text = ngettext("%(count)s day saved", "%(count)s days saved", len(days)) % {"count": figures.count(len(days))}
    values = {"kept": days_text, "first": figures.day(days[0].day, year=True)}
    return _("%(kept)s since %(first)s. Days without a read are missing.") % values
