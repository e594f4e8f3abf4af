"""The board of a funnel (section 4.10): what is on it, what differs from the platform, what may be sent."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from dashboard.platform_api.records.funnels import Funnel, FunnelVideo

STEP_X, STEP_Y = 240, 180
"""Distance of cards that were tidied up: a card and a gutter."""
MARGIN = 40
FARTHEST = 1_000_000
"""No board is that wide; larger numbers are slips of the hand."""


class Problem(StrEnum):
    """Why an arrangement cannot be sent."""

    NOTHING = "nothing"
    NO_ENTRY = "no_entry"


class Number(StrEnum):
    """Why a coordinate cannot be one."""

    MISSING = "missing"
    NOT_A_NUMBER = "not_a_number"
    TOO_FAR = "too_far"


@dataclass(frozen=True)
class Card:
    """A video on the board. `was` is its place on the platform, None where it has none."""

    id: str
    title: str
    x: float
    y: float
    entry: bool
    was: tuple[float, float] | None
    was_entry: bool
    added: bool
    thumbnail: str = ""
    length: float | None = None
    is_told: bool = True
    """Whether `was` is what the platform says now; otherwise it is what was last sent from here, or not known."""
    is_sent: bool = False
    """Whether `was` is what was last sent from here."""

    @property
    def is_placed(self) -> bool:
        """Whether it is known where it stands on the platform."""
        return self.was is not None and (self.is_told or self.is_sent)

    @property
    def moved(self) -> bool:
        """Whether it stands elsewhere than on the platform."""
        return not self.added and (self.x, self.y) != self.was

    @property
    def changed(self) -> bool:
        """Whether it has to be sent for what it is itself."""
        return self.added or self.moved or self.entry != self.was_entry


@dataclass(frozen=True)
class Wanted:
    """What a draft asks for: places by video, videos added, the entry ("" as it is)."""

    places: Mapping[str, tuple[float, float]]
    added: Mapping[str, Mapping[str, Any]]
    entry: str = ""


def board(funnel: Funnel, wanted: Wanted) -> tuple[Card, ...]:
    """The platform's cards with the draft over them, then the added ones. Cards without a place get a free one."""
    there = {video.id for video in funnel.videos}
    entry = entry_of(funnel)
    chosen = wanted.entry if wanted.entry in there | set(wanted.added) else entry
    cards = [
        _there(video, video.id == entry, is_told=funnel.are_videos_told and video.is_place_told)
        for video in funnel.videos
    ]
    cards += [_added(key, about) for key, about in wanted.added.items() if key not in there]
    taken = {(card.x, card.y) for card in cards if not math.isnan(card.x)} | set(wanted.places.values())
    return tuple(_placed(card, wanted.places.get(card.id), card.id == chosen, taken) for card in cards)


def entry_of(funnel: Funnel) -> str:
    """The entry on the platform: the first that says so, "" for none."""
    return next((video.id for video in funnel.videos if video.is_first), "")


def _there(video: FunnelVideo, entry: bool, *, is_told: bool) -> Card:
    was = None if video.x is None or video.y is None else (video.x, video.y)
    x, y = was or (math.nan, math.nan)
    thumbnail = video.extra.get("thumbnail")
    thumbnail = thumbnail if isinstance(thumbnail, str) else ""
    return Card(
        video.id,
        video.title,
        x,
        y,
        entry,
        was,
        entry,
        False,
        thumbnail,
        is_told=is_told,
        is_sent=was is not None and not is_told,
    )


def _added(key: str, about: Mapping[str, Any]) -> Card:
    title, thumbnail, length = about.get("title", ""), about.get("thumbnail", ""), about.get("length")
    return Card(key, title, math.nan, math.nan, False, None, False, True, thumbnail, length)


def _placed(card: Card, place: tuple[float, float] | None, entry: bool, taken: set[tuple[float, float]]) -> Card:
    if place is None and math.isnan(card.x):
        place = free_place(taken)
        if not card.is_told:
            card = replace(card, was=place)  # it has to stand somewhere, and nobody moved it there
    if place is not None:
        taken.add(place)
        card = replace(card, x=place[0], y=place[1])
    return replace(card, entry=entry)


def free_place(taken: set[tuple[float, float]]) -> tuple[float, float]:
    """The first place of the tidy grid, row by row, that no card covers."""
    for number in range(len(taken) * 4 + 1):
        x, y = _slot(number, 4)
        if all(abs(x - left) >= STEP_X - MARGIN or abs(y - top) >= STEP_Y - MARGIN for left, top in taken):
            return x, y
    return float(MARGIN), max((top for _left, top in taken), default=0.0) + STEP_Y


def _slot(number: int, columns: int) -> tuple[float, float]:
    return float(MARGIN + number % columns * STEP_X), float(MARGIN + number // columns * STEP_Y)


def tidy(cards: Sequence[Card]) -> dict[str, tuple[float, float]]:
    """Places in a grid: the entry first and alone in its column, the others in reading order of where they stand."""
    rest = sorted((card for card in cards if not card.entry), key=lambda card: (card.x // STEP_X, card.y, card.x))
    rows = max(1, math.ceil(math.sqrt(len(rest)) * 0.8)) if rest else 1
    entry = next((card for card in cards if card.entry), None)
    first = 1 if entry else 0
    places = {
        card.id: (float(MARGIN + (first + place // rows) * STEP_X), float(MARGIN + place % rows * STEP_Y))
        for place, card in enumerate(rest)
    }
    if entry:
        places[entry.id] = (float(MARGIN), float(MARGIN + (rows - 1) * STEP_Y // 2 // 20 * 20))
    return places


def to_send(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of the request: those that changed, and the entry, which every request has to name.

    A card that only stops being the entry stays out: the platform takes the mark from every other video by itself.
    """
    if not any(card.changed for card in cards):
        return ()
    return tuple(card for card in cards if card.added or card.moved or card.entry)


def problem(cards: Sequence[Card]) -> Problem | None:
    """Why this cannot be sent; None when it can."""
    if not any(card.changed for card in cards):
        return Problem.NOTHING
    return None if sum(card.entry for card in cards) == 1 else Problem.NO_ENTRY


def payload(cards: Sequence[Card]) -> list[dict[str, Any]]:
    """The `videos` of the request."""
    return [
        {"id": card.id, "front_coordinates": {"x": whole(card.x), "y": whole(card.y)}, "is_first": card.entry}
        for card in to_send(cards)
    ]


def arrived(funnel: Funnel, sent: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the funnel reads as it was sent. `sent` are the `videos` of the request."""
    there = {video.id: video for video in funnel.videos}
    return all(_reads_as(there.get(item["id"]), item) for item in sent)


def is_as_before(funnel: Funnel, before: Mapping[str, Any], sent: Sequence[Mapping[str, Any]]) -> bool:
    """Whether nothing of what was sent is there: the entry and the places that `before` names, and no new ones."""
    there = {video.id: video for video in funnel.videos}
    was = {item["id"]: item for item in before["videos"]}
    return entry_of(funnel) == before["entry"] and all(
        _reads_as(there.get(item["id"]), was[item["id"]])
        if item["id"] in was
        else not _reads_as(there.get(item["id"]), item)
        for item in sent
    )


def _reads_as(video: FunnelVideo | None, item: Mapping[str, Any]) -> bool:
    place = item["front_coordinates"]
    return video is not None and (video.x, video.y, video.is_first) == (place["x"], place["y"], item["is_first"])


def whole(value: float) -> float | int:
    """40.0 as 40: what people typed."""
    return int(value) if value.is_integer() else value


def coordinate(text: str) -> float | Number:
    """A coordinate as people type it, with a point or a comma; or why it is none."""
    plain = text.strip().replace(",", ".").replace("−", "-")
    if not plain:
        return Number.MISSING
    try:
        value = float(plain)
    except ValueError:
        return Number.NOT_A_NUMBER
    if not math.isfinite(value):
        return Number.NOT_A_NUMBER
    return value if abs(value) <= FARTHEST else Number.TOO_FAR
