"""What templates/credits/credits.html gets."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.records.credits import Credits
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.csv import Cell
from dashboard.upstream.credits import CreditRow, CreditsKnown, credit_rows

CHOICES: Final = (30, 90, 365)
"""Days that can be shown, the usual ones first."""
CSV_HEADS: Final = ("created_at", "type", "status", "amount", "video_id", "video_title", "description", "id")


@dataclass(frozen=True)
class DaysLink:
    """A choice of days."""

    words: str
    address: str
    current: bool


@dataclass(frozen=True)
class CreditsPage:
    """Balance and history. `is_absent`: this platform tells neither; `is_late`: the answer did not come in time."""

    balance: str
    rows: tuple[CreditRow, ...]
    has_history: bool
    chips: tuple[DaysLink, ...]
    period: str
    export: str
    is_absent: bool
    trouble: str
    here: str


def build_credits_page(result: CreditsKnown, days: int) -> CreditsPage:
    """The whole page; "not known" for a balance that the platform does not tell."""
    credits = result.credits
    balance = credits.balance if credits else None
    return CreditsPage(
        balance=_("not known") if balance is None else formats.number(balance),
        rows=credit_rows((credits.history if credits else None) or ()),
        has_history=credits is not None and credits.history is not None,
        chips=tuple(DaysLink(format_days(choice), f"?days={choice}", choice == days) for choice in CHOICES),
        period=format_days(days),
        export=address("credits:export", days=days) if credits and credits.history else "",
        is_absent=result.is_absent,
        trouble=_format_trouble(result),
        here=f"?days={days}",
    )


def format_days(days: int) -> str:
    """How many days are shown."""
    return ngettext("Last %(count)s day", "Last %(count)s days", days) % {"count": formats.number(days)}


def _format_trouble(result: CreditsKnown) -> str:
    if result.credits is not None or result.is_absent:
        return ""
    if result.error is None:
        return _("The platform did not answer in time.")
    explained = refusals.explain(result.error, reading=True)
    return explained.whole


def build_csv_rows(credits: Credits) -> Iterator[tuple[Cell, ...]]:
    """The history in the platform's own words; an empty cell for what it did not tell."""
    for entry in credits.history or ():
        yield (
            entry.created_at.isoformat() if entry.created_at else None,
            entry.type,
            entry.status,
            entry.amount,
            entry.video_id,
            entry.video_title,
            entry.description,
            entry.id,
        )
