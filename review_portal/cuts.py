"""Cuts of one film: which links an account put in order, and how that order is changed.

A link counts as a cut while the account that declared the series owns it. A link is in one series at most, and a series has
one link for each video: comments belong to the video, so two links of one video are the same cut.
"""

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet

from dashboard.accounts.models import Account
from review_portal import sync
from review_portal.models import Cut, CutSeries, ReviewLink

CUTS_MAX: Final = 20


class CutRefusal(StrEnum):
    """Why a link does not become the next cut of another."""

    SAME_LINK = "same-link"
    SAME_VIDEO = "same-video"
    IN_SERIES = "in-series"
    """The link is a cut already."""
    OF_OTHERS = "of-others"
    """Another account that owns the earlier link declared its series."""
    TOO_MANY = "too-many"


@dataclass(frozen=True)
class NumberedCut:
    """A cut by its number, counted from 1."""

    number: int
    link: ReviewLink


def list_cuts(link: ReviewLink) -> tuple[NumberedCut, ...]:
    """The cuts of the series that `link` belongs to, in order; () where it is in none, or alone."""
    rows = _list_valid().filter(series__cuts__link=link).select_related("link")
    numbered = tuple(NumberedCut(number, row.link) for number, row in enumerate(rows, 1))
    return numbered if len(numbered) > 1 and any(cut.link.pk == link.pk for cut in numbered) else ()


def load_numbers(account: Account) -> dict[uuid.UUID, tuple[int, int]]:
    """By link, its number and how many cuts there are, of all series that the account may know: those of its own links."""
    own = CutSeries.objects.filter(cuts__link__accounts=account)
    series: dict[int, list[uuid.UUID]] = {}
    for series_id, link_id in _list_valid().filter(series__in=own).values_list("series", "link"):
        series.setdefault(series_id, []).append(link_id)
    return {
        link_id: (number, len(links))
        for links in series.values()
        if len(links) > 1
        for number, link_id in enumerate(links, 1)
    }


def _list_valid() -> QuerySet[Cut]:
    return Cut.objects.filter(link__confirmed=True, link__accounts=F("series__account")).order_by("place", "pk")


def find_number(cuts: Sequence[NumberedCut], link: ReviewLink) -> int:
    """The number of a link among the cuts of its series; 0 where it is none of them."""
    return next((cut.number for cut in cuts if cut.link.pk == link.pk), 0)


def find_before(link: ReviewLink) -> NumberedCut | None:
    """The cut just before `link`."""
    cuts = list_cuts(link)
    number = find_number(cuts, link)
    return cuts[number - 2] if number > 1 else None


def owns_series(account: Account, link: ReviewLink) -> bool:
    """Whether the account declared the series of `link`: it alone changes it."""
    return Cut.objects.filter(link=link, series__account=account).exists()


def list_candidates(account: Account, link: ReviewLink | None, video_id: uuid.UUID) -> QuerySet[ReviewLink]:
    """The account's links that `link`, or a new one of the video, may be the next cut of; newest first."""
    others = ReviewLink.objects.filter(accounts=account, confirmed=True).exclude(video_id=video_id)
    others = others.exclude(cut__in=Cut.objects.exclude(series__account=account))
    if link is not None:
        others = others.exclude(pk=link.pk)
    return others.order_by("-created_at", "-known_since", "pk")


def place_after(account: Account, link: ReviewLink, earlier: ReviewLink) -> CutRefusal | None:
    """Make `link` the cut that follows `earlier`; both are the account's. Returns why not, or None.

    Asked for once more, it changes nothing.
    """
    try:
        with transaction.atomic():
            sync.lock({link.pk, earlier.pk})
            return _place_after(account, link, earlier)
    except IntegrityError:  # one of them became a cut between the look and the row
        return CutRefusal.IN_SERIES


def _place_after(account: Account, link: ReviewLink, earlier: ReviewLink) -> CutRefusal | None:
    before = Cut.objects.select_related("series").filter(link=earlier).first()
    row = Cut.objects.filter(link=link).first()
    if row is not None:
        is_there = before is not None and before.series_id == row.series_id and before.place == row.place - 1
        return None if is_there else CutRefusal.IN_SERIES
    if link.pk == earlier.pk:
        return CutRefusal.SAME_LINK
    if before is not None and before.series.account_id != account.pk:
        return CutRefusal.OF_OTHERS
    if link.video_id in _list_videos(before, earlier):
        return CutRefusal.SAME_VIDEO
    if before is None:
        before = Cut.objects.create(series=CutSeries.objects.create(account=account), link=earlier, place=1)
    rows = _lock_rows(before.series)
    if len(rows) >= CUTS_MAX:
        return CutRefusal.TOO_MANY
    after = next(place for place, cut in enumerate(rows, 1) if cut.pk == before.pk)
    _write_places([*rows[:after], Cut(series=before.series, link=link, place=0), *rows[after:]])
    return None


def _list_videos(before: Cut | None, earlier: ReviewLink) -> set[uuid.UUID]:
    if before is None:
        return {earlier.video_id}
    return set(Cut.objects.filter(series=before.series).values_list("link__video_id", flat=True))


def move(account: Account, link: ReviewLink, steps: int) -> bool:
    """Move a cut of the account's `steps` places back (below nought: forward). False where there is no such place."""
    with transaction.atomic():
        cut = Cut.objects.select_related("series").filter(link=link, series__account=account).first()
        if cut is None:
            return False
        rows = _lock_rows(cut.series)
        place = next(place for place, row in enumerate(rows) if row.pk == cut.pk)
        if not 0 <= place + steps < len(rows):
            return False
        rows.insert(place + steps, rows.pop(place))
        _write_places(rows)
    return True


def remove(account: Account, link: ReviewLink) -> bool:
    """Take a link out of the account's series; one that is left alone is no cut any more. False where it is in none."""
    with transaction.atomic():
        cut = Cut.objects.select_related("series").filter(link=link, series__account=account).first()
        if cut is None:
            return False
        rows = [row for row in _lock_rows(cut.series) if row.pk != cut.pk]
        cut.delete()
        if len(rows) > 1:
            _write_places(rows)
        else:
            cut.series.delete()
    return True


def _lock_rows(series: CutSeries) -> list[Cut]:
    """The cuts of a series, in order; nobody else changes them until the transaction ends."""
    list(CutSeries.objects.select_for_update().filter(pk=series.pk))
    return list(Cut.objects.filter(series=series).order_by("place", "pk"))


def _write_places(rows: Sequence[Cut]) -> None:
    for place, row in enumerate(rows, 1):
        if row.place != place:
            row.place = place
            row.save()
