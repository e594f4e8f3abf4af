"""What the pages of the funnels show: the list, the board and its form, and the review of everything that sending changes."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from django.conf import settings
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dashboard.funnels import rules
from dashboard.funnels.rules import Card, CoordinateProblem
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.videos import Video, VideoPage
from dashboard.search.registry import Found, find_by_name, finds, read_rows
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import reads
from dashboard.upstream.parallel import Failed, Outcome, Ready, gather
from dashboard.writes.failures import LOST
from dashboard.writes.models import State, Write
from dashboard.writes.pages import OpenWrite, open_write

AXES = ("x", "y")


@dataclass
class Arrangement:
    """What a form brings: the cards as arranged, and per field what is wrong, with what was typed."""

    cards: tuple[Card, ...]
    typed: dict[str, str] = field(default_factory=dict)
    """By field name (`x-<id>`): what was typed where it is wrong."""
    errors: dict[str, str] = field(default_factory=dict)


def parse_arrangement(data: QueryDict, cards: Sequence[Card]) -> Arrangement:
    """Read the form over `cards`. A field that did not come leaves its card as it is."""
    result = Arrangement(())
    ids = {card.id for card in cards}
    entry_id = data.get("entry", "")
    arranged_cards = []
    for card in cards:
        place = {axis: _parse_axis(data, card, axis, result) for axis in AXES}
        entry = card.id == entry_id if entry_id in ids else card.entry
        arranged_cards.append(replace(card, x=place["x"], y=place["y"], entry=entry))
    result.cards = tuple(arranged_cards)
    return result


def _parse_axis(data: QueryDict, card: Card, axis: str, arrangement_read: Arrangement) -> float:
    name = f"{axis}-{card.id}"
    standing = card.x if axis == "x" else card.y
    if name not in data:
        return standing
    text = str(data[name])
    value = rules.parse_coordinate(text)
    if isinstance(value, CoordinateProblem):
        arrangement_read.typed[name], arrangement_read.errors[name] = text, format_coordinate_problem(value)
        return standing
    return value


def format_coordinate_problem(problem: CoordinateProblem) -> str:
    """What is wrong with a coordinate, and what to do."""
    return {
        CoordinateProblem.MISSING: _("Write a number."),
        CoordinateProblem.NOT_A_NUMBER: _("Write a number, such as 40."),
        CoordinateProblem.TOO_FAR: _("Write a number between -%(most)s and %(most)s.")
        % {"most": formats.number(rules.COORDINATE_MAX)},
    }[problem]


GROUP_SIZE = 25
"""Cards of one table of the list: hundreds in one make a page of many screens."""
BOARD_MARGIN = 400
"""Free room around the cards, in units: where a card can be dragged to."""


def get_funnel_address(funnel_id: str, video_ids: Sequence[str]) -> str:
    """The board, or with chosen videos the page that adds them."""
    return address("funnels:add" if video_ids else "funnels:funnel", funnel_id, video=video_ids) or address(
        "funnels:funnels"
    )


@dataclass(frozen=True)
class PlacedCard:
    """A card on the drawn plane, and in the form. `left`, `top` and `ghost` are from the plane's corner.

    `values` and `wrong` are those of the fields across and down: what stands there, and what is wrong with it.
    """

    card: Card
    left: str
    top: str
    ghost: tuple[str, str]
    at: str
    values: tuple[str, str]
    wrong: tuple[str, str]


@dataclass(frozen=True)
class CardGroup:
    """Some cards of the list, from the one with the number `first` on."""

    first: int
    cards: Sequence[PlacedCard]
    is_open: bool

    @property
    def last(self) -> int:
        return self.first + len(self.cards) - 1


@dataclass(frozen=True)
class Board:
    """The cards on their plane, which begins at `origin`; sizes in units."""

    cards: tuple[PlacedCard, ...]
    origin: tuple[int, int]
    width: int
    height: int

    @property
    def groups(self) -> list[CardGroup]:
        """The cards of the list, at most `GROUP_SIZE` in one table: the first is open, and each with something wrong."""
        parts = [self.cards[start : start + GROUP_SIZE] for start in range(0, len(self.cards), GROUP_SIZE)]
        return [
            CardGroup(at * GROUP_SIZE + 1, part, at == 0 or any(any(placed.wrong) for placed in part))
            for at, part in enumerate(parts)
        ]


def build_board(cards: Sequence[Card], words: Mapping[str, str], form: Arrangement | None = None) -> Board:
    """The plane of the cards. `form` is one that was wrong: it is shown as typed."""
    xs, ys = [card.x for card in cards] or [0.0], [card.y for card in cards] or [0.0]
    origin = min(int(min(xs) - BOARD_MARGIN // 4), 0), min(int(min(ys) - BOARD_MARGIN // 4), 0)
    placed = tuple(place_card(card, origin, words, form) for card in cards)
    return Board(placed, origin, int(max(xs)) - origin[0] + BOARD_MARGIN, int(max(ys)) - origin[1] + BOARD_MARGIN)


def place_card(
    card: Card, origin: tuple[int, int], words: Mapping[str, str], form: Arrangement | None = None
) -> PlacedCard:
    """A card over the plane's `origin`, with what `form` brought for it."""
    typed, errors = (form.typed, form.errors) if form else ({}, {})
    x, y = card.place
    was = card.was or (card.x, card.y)
    return PlacedCard(
        card=card,
        left=rules.format_coordinate(card.x - origin[0]),
        top=rules.format_coordinate(card.y - origin[1]),
        ghost=(rules.format_coordinate(was[0] - origin[0]), rules.format_coordinate(was[1] - origin[1])),
        at=words["at"].format(x=x, y=y),
        values=(typed.get(f"x-{card.id}", x), typed.get(f"y-{card.id}", y)),
        wrong=(errors.get(f"x-{card.id}", ""), errors.get(f"y-{card.id}", "")),
    )


def build_script_words() -> dict[str, str]:
    """The words that the board's script needs, with places for its numbers."""
    return {
        "at": _("at {x}, {y}"),
        "moved": _("moved"),
        "added": _("new"),
        "several": _("{count} cards chosen"),
        "place": _("{name}: {x}, {y}"),
        "failed": _("Not kept on the server yet. This browser keeps it and tries again."),
    }


def format_unsent(cards: Sequence[Card]) -> str:
    """What is not sent yet, in a few words; "" when nothing is."""
    added, moved = sum(card.added for card in cards), sum(card.moved for card in cards)
    parts = [
        ngettext("%(count)s new video", "%(count)s new videos", added) % {"count": formats.number(added)}
        if added
        else "",
        ngettext("%(count)s card moved", "%(count)s cards moved", moved) % {"count": formats.number(moved)}
        if moved
        else "",
        _("another entry") if any(card.entry and not card.was_entry for card in cards) else "",
    ]
    return ", ".join(part for part in parts if part)


def format_added_count(count: int) -> str:
    """What came onto the board."""
    if not count:
        return _("These videos are on the board already.")
    return ngettext(
        "%(count)s video came onto the board. It is not sent yet.",
        "%(count)s videos came onto the board. They are not sent yet.",
        count,
    ) % {"count": formats.number(count)}


PAGE, PAGES = 100, 5
SINGLE_READS_MOST = 40
"""Videos asked for one by one at most; of further ones the folder is said to be not known."""


def load_folder_names(request: OwnerRequest) -> dict[str, str]:
    """The account's folders by id."""
    return {folder.id: folder.name for folder in reads.of(request).get(lambda platform: platform.folders.list())}


def get_folder_names(outcome: Outcome) -> dict[str, str]:
    """The names that `names` brought, none where they could not be had. Only a refused token is raised."""
    match outcome:
        case Ready(called):
            return called  # type: ignore[no-any-return]  # what `names` returns
        case Failed(BadToken() as error):
            raise error
    return {}


@dataclass
class FolderMoves:
    """The funnel's folder by name, and the videos that leave another for it: (title, name of the folder now)."""

    folder: str = ""
    moving: list[tuple[str, str]] = field(default_factory=list)
    unknown: list[str] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    """Videos that the platform does not have any more."""
    is_target_told: bool = True
    """Whether the platform says in which folder the funnel is."""

    @property
    def unknown_names(self) -> str:
        """The first videos whose folder is not known."""
        return ", ".join(self.unknown[:5]) + (" …" if len(self.unknown) > 5 else "")


def load_moves(request: OwnerRequest, funnel: Funnel, cards: Sequence[Card]) -> FolderMoves:
    """What is known of the folders. Only a refused token is raised: the rest is said to be not known."""
    folder_names = get_folder_names(
        gather(settings.PLATFORM_TIMEOUT, folders=partial(load_folder_names, request))["folders"]
    )
    moves_found = FolderMoves(folder=folder_names.get(funnel.folder_id or "", ""), is_target_told=funnel.is_folder_told)
    if not funnel.is_folder_told:
        return moves_found
    ids_in_folder = _load_ids_in_folder(request, funnel, len(cards))
    other_cards = [card for card in cards if card.id not in ids_in_folder]
    answers = reads.of(request).gather(
        settings.PLATFORM_TIMEOUT,
        **{card.id: partial(_read_video, card.id) for card in other_cards[:SINGLE_READS_MOST]},
    )
    for card in other_cards:
        match answers.get(card.id):
            case Ready(video) if video.folder_id != funnel.folder_id:
                moves_found.moving.append((card.name, folder_names.get(video.folder_id or "", "")))
            case Ready():
                pass
            case Failed(error) if error.status == 404:
                moves_found.missing.append(card.name)
            case _:
                moves_found.unknown.append(card.name)
    return moves_found


def _read_video(video_id: str, platform: Operations) -> Video:
    return platform.videos.get(video_id)


def _load_ids_in_folder(request: OwnerRequest, funnel: Funnel, count: int) -> set[str]:
    """Videos in the funnel's folder already, asked for in a few large pages when many are to be sent."""
    if funnel.folder_id is None or count <= PAGES:
        return set()
    pages = {f"page{number}": partial(_read_page, funnel.folder_id, number) for number in range(1, PAGES + 1)}
    outcomes = reads.of(request).gather(settings.PLATFORM_TIMEOUT, **pages).values()
    return {video.id for outcome in outcomes if isinstance(outcome, Ready) for video in outcome.value.videos}


def _read_page(folder_id: str, number: int, platform: Operations) -> VideoPage:
    return platform.videos.list(page=number, limit=PAGE, folder_id=folder_id)


def describe_sending(write: Write) -> dict[str, object]:
    """What templates/funnels/_sending.html shows of a sending that has not ended; its `version` changes with that."""
    notice = open_write(write) or OpenWrite("", write.attempt, decide=False)
    return {"write": write, "open": notice, "version": f"{write.state}-{write.attempt}-{notice.decide:d}"}


def describe_review(
    funnel: Funnel, cards: Sequence[Card], moves: FolderMoves | None, last: Write | None, unplayable: list[str]
) -> dict[str, object]:
    """Everything that sending changes, here and elsewhere; `moves` is None where nothing can be sent.

    `last` is the last sending of this funnel; `unplayable` says which of its new videos viewers cannot play.
    """
    problem = rules.find_problem(cards)
    is_open = last is not None and last.state in (State.SENDING, State.UNCONFIRMED)
    return {
        "funnel": funnel,
        "cards": [card for card in cards if card.changed],
        "sent": rules.select_cards_to_send(cards),
        "entry": next((card for card in cards if card.entry), None),
        "moves": moves,
        "problem": problem,
        "unplayable": unplayable,
        "sending": describe_sending(last) if last and is_open else None,
        "is_lost": last is not None and last.state == State.REFUSED and last.reason in LOST,
        "is_allowed": not (problem or unplayable or is_open),
    }


@finds("funnels", title=gettext_noop("Funnels"), order=90)
def find_funnels(request: OwnerRequest, query: str) -> Iterator[Found]:
    """By name. Nothing where the platform has no list of them."""
    rows = read_rows(
        request, lambda platform: [(funnel.id, funnel.name or funnel.id, "") for funnel in platform.funnels.list()]
    )
    yield from find_by_name((Found(address("funnels:funnel", key), "funnel", name) for key, name, _note in rows), query)
