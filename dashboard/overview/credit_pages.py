"""What the overview says of limits and AI credits: what is used, the balance and what changed it."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from dashboard.overview.registry import Limit
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.upstream.credits import CreditRow, CreditsKnown, credit_rows

ENTRIES: Final = 4
"""Of the history; the rest is on its own page."""
NEAR_SHARE: Final = 25 / 30


@dataclass(frozen=True)
class LimitRow:
    """One limit; `meter` is the class of its bar, "" where no number is known."""

    limit: Limit
    meter: str


def build_limit_row(limit: Limit) -> LimitRow:
    """Amber from five sixths on (25 of 30 comments), red when nothing is left."""
    if not limit.most:
        return LimitRow(limit, "")
    state = " meter--full" if limit.share >= 1 else " meter--near" if limit.share >= NEAR_SHARE else ""
    return LimitRow(limit, f"meter{state}")


def format_unknown_limits(credits: CreditsKnown) -> str:
    """That credits are not told is only said where the platform was asked."""
    if credits.is_absent:
        sentence = _(
            "The platform does not tell how many AI credits are left, nor what the plan holds of traffic and storage."
        )
    else:
        sentence = _("The platform does not tell what the plan holds of traffic and storage.")
    return f"{sentence} {_('What uses credits says so before it is sent.')}"


@dataclass(frozen=True)
class CreditsPart:
    """overview/_credits.html."""

    balance: str
    rows: tuple[CreditRow, ...]
    more: str


def build_credits_part(result: CreditsKnown) -> CreditsPart | None:
    """The balance and the latest entries; None where nothing of them is known."""
    if result.credits is None:
        return None
    balance, history = result.balance, result.credits.history or ()
    return CreditsPart(
        balance=_("not known") if balance is None else formats.number(balance),
        rows=credit_rows(history[:ENTRIES]),
        more=address("credits:credits"),
    )
