"""Meters of a room: how much room for comments is left, and how many are resolved."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX
from review_portal import rules
from review_portal.threads import Thread


@dataclass(frozen=True)
class Meter:
    """So many of so many."""

    value: int
    limit: int
    label: str
    tone: str = ""


def build_quota(count: int, *, whole: bool) -> Meter:
    """How much room is left. Not `whole`: more may be used than is known here."""
    values = {"count": count, "limit": MAIN_COMMENTS_MAX}
    label = _("%(count)s of %(limit)s used") % values
    if not whole and count < MAIN_COMMENTS_MAX:
        label = _("At least %(count)s of %(limit)s used") % values if count else ""
    tone = "full" if count >= MAIN_COMMENTS_MAX else "near" if count >= rules.METER_FROM else ""
    return Meter(count, MAIN_COMMENTS_MAX, label, tone)


def build_progress(threads: list[Thread]) -> Meter:
    resolved = sum(not thread.is_open for thread in threads)
    return Meter(resolved, len(threads), _("%(done)s of %(all)s resolved") % {"done": resolved, "all": len(threads)})
