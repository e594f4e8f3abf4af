"""The days that the page of credits shows, why it shows none, and the rows of its file."""

from collections.abc import Iterator
from typing import Final

from django.utils.translation import gettext as _

from dashboard.platform_api.credits import Credits
from dashboard.shared import refusals
from dashboard.shared.csv import Cell
from dashboard.upstream.credits import CreditsKnown

CHOICES: Final = (30, 90, 365)
"""Days that can be shown, the usual ones first."""
CSV_HEADS: Final = ("created_at", "type", "status", "amount", "video_id", "video_title", "description", "id")


def format_trouble(result: CreditsKnown) -> str:
    """Why nothing is known; "" where something is, and where this platform never tells."""
    if result.credits is not None or result.is_absent:
        return ""
    if result.error is None:
        return _("The platform did not answer in time.")
    return refusals.explain(result.error, reading=True).whole


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
