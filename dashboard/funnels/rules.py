"""The board of a funnel (section 4.10): what is on it, what differs from the platform, what may be sent."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from dashboard.platform_api.funnels import Funnel, FunnelVideo

STEP_X, STEP_Y = 240, 180
"""Distance of cards that were tidied up: a card and a gutter."""
MARGIN = 40
COORDINATE_MAX = 1_000_000
"""No board is that wide; larger numbers are slips of the hand."""


class FunnelProblem(StrEnum):
    """Why an arrangement cannot be sent."""

    NOTHING = "nothing"
    NO_ENTRY = "no_entry"


class CoordinateProblem(StrEnum):
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
    def name(self) -> str:
        """What it is called."""
        return self.title or self.id

    @property
    def place(self) -> tuple[str, str]:
        """Where it stands, as fields take it."""
        return format_coordinate(self.x), format_coordinate(self.y)

    @property
    def was_place(self) -> tuple[str, str]:
        """Where it stands on the platform; where that is not known, where it stands here."""
        x, y = self.was or (self.x, self.y)
        return format_coordinate(x), format_coordinate(y)

    @property
    def is_pictured(self) -> bool:
        """Whether its still has an address that a page may show."""
        return self.thumbnail.startswith(("http://", "https://", "/"))

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
class Changes:
    """What a draft asks for: places by video, videos added, the entry ("" as it is)."""

    places: Mapping[str, tuple[float, float]]
    added: Mapping[str, Mapping[str, Any]]
    entry: str = ""


def build_board(funnel: Funnel, changes: Changes) -> tuple[Card, ...]:
    """The platform's cards with the draft over them, then the added ones. Cards without a place get a free one."""
    ids = {video.id for video in funnel.videos}
    entry = get_entry_id(funnel)
    entry_id = changes.entry if changes.entry in ids | set(changes.added) else entry
    cards = [
        _build_card(video, video.id == entry, is_told=funnel.are_videos_told and video.is_place_told)
        for video in funnel.videos
    ]
    cards += [_build_added_card(key, about) for key, about in changes.added.items() if key not in ids]
    occupied = {(card.x, card.y) for card in cards if not math.isnan(card.x)} | set(changes.places.values())
    return tuple(_place_card(card, changes.places.get(card.id), card.id == entry_id, occupied) for card in cards)


def find_entry(funnel: Funnel) -> FunnelVideo | None:
    """The entry on the platform: the first that says so."""
    return next((video for video in funnel.videos if video.is_first), None)


def get_entry_id(funnel: Funnel) -> str:
    """Its id, "" for none."""
    entry = find_entry(funnel)
    return entry.id if entry else ""


def _build_card(video: FunnelVideo, entry: bool, *, is_told: bool) -> Card:
    place = None if video.x is None or video.y is None else (video.x, video.y)
    x, y = place or (math.nan, math.nan)
    thumbnail = video.extra.get("thumbnail")
    thumbnail = thumbnail if isinstance(thumbnail, str) else ""
    return Card(
        id=video.id,
        title=video.title,
        x=x,
        y=y,
        entry=entry,
        was=place,
        was_entry=entry,
        added=False,
        thumbnail=thumbnail,
        is_told=is_told,
        is_sent=place is not None and not is_told,
    )


def _build_added_card(key: str, about: Mapping[str, Any]) -> Card:
    title, thumbnail, length = about.get("title", ""), about.get("thumbnail", ""), about.get("length")
    return Card(
        key,
        title,
        math.nan,
        y=math.nan,
        entry=False,
        was=None,
        was_entry=False,
        added=True,
        thumbnail=thumbnail,
        length=length,
    )


def _place_card(card: Card, place: tuple[float, float] | None, entry: bool, occupied: set[tuple[float, float]]) -> Card:
    if place is None and math.isnan(card.x):
        place = find_free_place(occupied)
        if not card.is_told:
            card = replace(card, was=place)  # it has to stand somewhere, and nobody moved it there
    if place is not None:
        occupied.add(place)
        card = replace(card, x=place[0], y=place[1])
    return replace(card, entry=entry)


def find_free_place(occupied: set[tuple[float, float]]) -> tuple[float, float]:
    """The first place of the tidy grid, row by row, that no card covers."""
    for number in range(len(occupied) * 4 + 1):
        x, y = _get_slot(number, 4)
        if all(
            abs(x - other_x) >= STEP_X - MARGIN or abs(y - other_y) >= STEP_Y - MARGIN for other_x, other_y in occupied
        ):
            return x, y
    return float(MARGIN), max((other_y for _left, other_y in occupied), default=0.0) + STEP_Y


def _get_slot(number: int, columns: int) -> tuple[float, float]:
    return float(MARGIN + number % columns * STEP_X), float(MARGIN + number // columns * STEP_Y)


def list_places_below(cards: Sequence[Card], count: int) -> list[tuple[float, float]]:
    """Places of so many more cards: a grid below everything that is on the board, as wide as it is high, at least of four."""
    top = max((card.y + STEP_Y for card in cards), default=float(MARGIN))
    columns = max(4, math.ceil(math.sqrt(count)))
    slots = (_get_slot(number, columns) for number in range(count))
    return [(x, y - MARGIN + top) for x, y in slots]


def build_item(video_id: str, place: tuple[float, float], *, is_first: bool) -> dict[str, Any]:
    """One of the `videos` of a request."""
    x, y = place
    return {"id": video_id, "front_coordinates": {"x": format_whole(x), "y": format_whole(y)}, "is_first": is_first}


def can_still_add(funnel: Funnel, items: Sequence[Mapping[str, Any]], entry_before: str) -> bool:
    """Whether videos can be added without undoing what others did since: the entry is the same and where it was, none of the
    new videos is on the board yet, their places are free, and what had no entry has none. `items` are the `videos` of the
    request, one of them the entry."""
    on_board = {video.id for video in funnel.videos}
    entry = next(item for item in items if item["is_first"])
    new = {item["id"]: (item["front_coordinates"]["x"], item["front_coordinates"]["y"]) for item in items}
    del new[entry["id"]]
    taken = {(video.x, video.y) for video in funnel.videos}
    if new.keys() & on_board or taken & set(new.values()) or not funnel.are_videos_told:
        return False
    if entry["id"] in on_board:
        return _is_equal(next(video for video in funnel.videos if video.id == entry["id"]), entry)
    return not entry_before and not on_board


def arrange_in_grid(cards: Sequence[Card]) -> dict[str, tuple[float, float]]:
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


def select_cards_to_send(cards: Sequence[Card]) -> tuple[Card, ...]:
    """The cards of the request: those that changed, and the entry, which every request has to name.

    A card that only stops being the entry stays out: the platform takes the mark from every other video by itself.
    """
    if not any(card.changed for card in cards):
        return ()
    return tuple(card for card in cards if card.added or card.moved or card.entry)


def find_problem(cards: Sequence[Card]) -> FunnelProblem | None:
    """Why this cannot be sent; None when it can."""
    if not any(card.changed for card in cards):
        return FunnelProblem.NOTHING
    return None if sum(card.entry for card in cards) == 1 else FunnelProblem.NO_ENTRY


def build_payload(cards: Sequence[Card]) -> list[dict[str, Any]]:
    """The `videos` of the request."""
    return [build_item(card.id, (card.x, card.y), is_first=card.entry) for card in select_cards_to_send(cards)]


def is_as_sent(funnel: Funnel, items: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the funnel reads as it was sent. `items` are the `videos` of the request."""
    by_id = {video.id: video for video in funnel.videos}
    return all(_is_equal(by_id.get(item["id"]), item) for item in items)


def is_as_before(funnel: Funnel, before: Mapping[str, Any], items: Sequence[Mapping[str, Any]]) -> bool:
    """Whether nothing of what was sent is there: the entry and the places that `before` names, and no new ones."""
    by_id = {video.id: video for video in funnel.videos}
    was = {item["id"]: item for item in before["videos"]}
    return get_entry_id(funnel) == before["entry"] and all(
        _is_equal(by_id.get(item["id"]), was[item["id"]])
        if item["id"] in was
        else not _is_equal(by_id.get(item["id"]), item)
        for item in items
    )


def _is_equal(video: FunnelVideo | None, item: Mapping[str, Any]) -> bool:
    place = item["front_coordinates"]
    return video is not None and (video.x, video.y, video.is_first) == (place["x"], place["y"], item["is_first"])


def format_whole(value: float) -> float | int:
    """40.0 as 40: what people typed."""
    return int(value) if value.is_integer() else value


def format_coordinate(value: float) -> str:
    """A coordinate as a field takes it: no grouping, no needless decimals."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def parse_coordinate(text: str) -> float | CoordinateProblem:
    """A coordinate as people type it, with a point or a comma; or why it is none."""
    plain = text.strip().replace(",", ".").replace("−", "-")
    if not plain:
        return CoordinateProblem.MISSING
    try:
        value = float(plain)
    except ValueError:
        return CoordinateProblem.NOT_A_NUMBER
    if not math.isfinite(value):
        return CoordinateProblem.NOT_A_NUMBER
    return value if abs(value) <= COORDINATE_MAX else CoordinateProblem.TOO_FAR
