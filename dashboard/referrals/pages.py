"""The referral amounts in words, and their stored days as lines."""

from collections.abc import Sequence

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.referrals.models import ReferralDay
from dashboard.referrals.rules import ReferralSummary
from dashboard.shared import formats
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import Unit
from dashboard.shared.charts.lines import CurvesChart, Place
from dashboard.shared.charts.plot import Series
from dashboard.shared.charts.prepared import Exports
from dashboard.shared.csv import file_name


def format_amounts(summary: ReferralSummary) -> dict[str, str]:
    """The amounts that the platform told, by their names, with the currency."""
    amounts = {"pending": summary.pending, "received": summary.received, "balance": summary.balance}
    return {name: formats.money(value, summary.currency) for name, value in amounts.items() if value is not None}


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
        note="",
        unit=Unit.MONEY,
        place_title=_("Day"),
        places=tuple(Place(row.day.isoformat(), figures.day(row.day, year=True), figures.day(row.day)) for row in days),
        series=series,
        finding=_format_finding(days),
        foot=figures.period(first, last),
        at=tuple((row.day - first).days / length for row in days),
    )


def _format_finding(days: Sequence[ReferralDay]) -> str:
    first, last = days[0], days[-1]
    if first.received is None or last.received is None:
        return ""
    values = {
        "amount": formats.money(last.received - first.received, last.currency),
        "first": figures.day(first.day, year=True),
        "last": figures.day(last.day, year=True),
    }
    return _("%(amount)s received between %(first)s and %(last)s.") % values


def build_exports(days: Sequence[ReferralDay]) -> Exports:
    """The files beside the lines of these days."""
    first, last = days[0].day, days[-1].day
    name = file_name("referrals", f"{first.isoformat()}_{last.isoformat()}_UTC", "png")
    csv, svg = (reverse("referrals:file", args=[extension]) for extension in ("csv", "svg"))
    return Exports(csv, svg, name, figures.period(first, last))


def format_history_note(days: Sequence[ReferralDay]) -> str:
    """How many days are stored, and since when."""
    if not days:
        return _("The platform has no history. Reelroom saves one from today on, once a day.")
    days_text = ngettext("%(count)s day saved", "%(count)s days saved", len(days)) % {"count": figures.count(len(days))}
    values = {"kept": days_text, "first": figures.day(days[0].day, year=True)}
    return _("%(kept)s since %(first)s. Days without a read are missing.") % values
