"""Why a play rate changed: each part's own rate, and each part's share of the views. Pure.

The rate of all is the mean of the parts' rates, weighted by their shares of the views. The decomposition is Kitagawa's (1955)
with symmetric weights: of a part whose rate is known in both periods, its rate added the change of its rate at the mean of both
shares, and its share added the change of its share times how far its mean rate is from the mean of both total rates. The two
effects of all parts add up to the change of the total rate exactly.
"""

from collections.abc import Iterable
from enum import StrEnum
from typing import NamedTuple


class RateSide(NamedTuple):
    """One part's plays and views in both periods, None where nobody knows them. `address`: where it leads, "" nowhere."""

    label: str
    plays: float | None
    views: float | None
    past_plays: float | None
    past_views: float | None
    address: str = ""

    @property
    def rate(self) -> float | None:
        """Plays of each view; None without views, and where one of both is not known."""
        return _divide(self.plays, self.views)

    @property
    def past_rate(self) -> float | None:
        return _divide(self.past_plays, self.past_views)


def _divide(plays: float | None, views: float | None) -> float | None:
    return plays / views if plays is not None and views else None


class Effect(StrEnum):
    """How a part changed the rate of all."""

    RATE = "rate"
    SHARE = "share"


class RateEffect(NamedTuple):
    """What one part added to the change of the rate by one effect; 0.01 is a point. Shares are of all views."""

    side: RateSide
    effect: Effect
    size: float
    share: float
    past_share: float


class RateChange(NamedTuple):
    """The rates of both periods, and the effects that add up to their difference."""

    now: float
    past: float
    effects: tuple[RateEffect, ...]

    def sum_effect(self, effect: Effect) -> float:
        """What all parts added by one effect."""
        return sum(row.size for row in self.effects if row.effect is effect)


def split_rate(sides: Iterable[RateSide]) -> RateChange | None:
    """Split the change of the rate of all sides; None where one period has no views, and so no rate.

    The totals are of what is known.
    """
    listed = list(sides)
    views, past_views = sum(side.views or 0 for side in listed), sum(side.past_views or 0 for side in listed)
    if not views or not past_views:
        return None
    now = sum(side.plays or 0 for side in listed) / views
    past = sum(side.past_plays or 0 for side in listed) / past_views
    effects = []
    for side in listed:
        share, past_share = (side.views or 0) / views, (side.past_views or 0) / past_views
        by_rate = 0.0
        if side.rate is not None and side.past_rate is not None:
            by_rate = (side.rate - side.past_rate) * (share + past_share) / 2
        # What the part contributes to the total rate, beyond the mean rate that any view in its place would have had.
        added = (side.plays or 0) / views - (side.past_plays or 0) / past_views
        whole = added - (share - past_share) * (now + past) / 2
        for effect, size in ((Effect.RATE, by_rate), (Effect.SHARE, whole - by_rate)):
            if size:
                effects.append(RateEffect(side, effect, size, share, past_share))
    return RateChange(now, past, tuple(effects))
