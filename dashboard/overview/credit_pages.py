"""What the overview says of AI credits: the balance and what changed it, or that the platform does not tell."""

from dataclasses import dataclass
from typing import Final

from django.utils.translation import gettext as _

from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.upstream.credits import CreditRow, CreditsKnown, credit_rows

ENTRIES: Final = 4
"""Of the history; the rest is on its own page."""


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
