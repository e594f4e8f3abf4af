"""View models of cuts: the switcher in the bar of a room, and what leads to the cut before and to the newest."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext as _

from review_portal import cuts, rules
from review_portal.cut_checks import count_checkable
from review_portal.cuts import NumberedCut
from review_portal.models import ReviewLink
from review_portal.rules import LinkState


@dataclass(frozen=True)
class CutLink:
    """One cut of the switcher. `note`: "newest", "closed" or nothing, for who cannot see the mark."""

    number: int
    address: str
    note: str
    is_current: bool
    is_closed: bool


@dataclass(frozen=True)
class CutBefore:
    """The cut before this one: where its open comments are checked, how many, and where both are compared."""

    number: int
    checks: str
    count: int
    compare: str


@dataclass(frozen=True)
class CutSwitcher:
    """templates/review_portal/_cuts.html. `newest`: an open cut that is newer than this one."""

    number: int
    cuts: tuple[CutLink, ...]
    before: CutBefore | None
    newest: CutLink | None


def build_switcher(link: ReviewLink, now: datetime) -> CutSwitcher | None:
    """The cuts of the series that the link is in; None without one, and for a link that was switched off."""
    if rules.state_of(link, now) == LinkState.INACTIVE:
        return None
    numbered = cuts.list_cuts(link)
    number = cuts.find_number(numbered, link)
    if not number:
        return None
    open_numbers = [cut.number for cut in numbered if is_open(cut.link, now)]
    rows = tuple(_build_link(cut, number, numbered, now) for cut in numbered)
    newest = max(open_numbers, default=0)
    before = numbered[number - 2] if number > 1 else None
    return CutSwitcher(
        number=number,
        cuts=rows,
        before=_build_before(link, before, now) if before else None,
        newest=rows[newest - 1] if newest > number else None,
    )


def is_open(link: ReviewLink, now: datetime) -> bool:
    """Whether everybody who has the link can open it."""
    return rules.state_of(link, now) == LinkState.OPEN


def _build_link(cut: NumberedCut, current: int, numbered: Sequence[NumberedCut], now: datetime) -> CutLink:
    is_closed = not is_open(cut.link, now)
    note = _("closed") if is_closed else _("newest") if cut.number == len(numbered) else ""
    return CutLink(cut.number, f"/{cut.link.pk}", note, cut.number == current, is_closed)


def _build_before(link: ReviewLink, before: NumberedCut, now: datetime) -> CutBefore:
    both_open = is_open(link, now) and is_open(before.link, now)
    return CutBefore(
        number=before.number,
        checks=f"/{link.pk}/from-cut",
        count=count_checkable(link, before.link, now),
        compare=f"/{link.pk}/compare?with={before.link.pk}" if both_open else "",
    )
