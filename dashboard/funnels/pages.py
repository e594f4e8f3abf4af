"""What the pages of the funnels show: the list, the board and its form, and the review of everything that sending changes."""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import QueryDict
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dashboard.funnels import markup, rules
from dashboard.funnels.markup import format_coordinate
from dashboard.funnels.rules import Card, CoordinateProblem, FunnelProblem
from dashboard.platform_api import Operations
from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.errors import BadToken
from dashboard.platform_api.records.videos import Video, VideoPage
from dashboard.search.registry import Found, find_by_name, finds, read_rows
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.listing import Listing
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


@dataclass(frozen=True)
class FunnelRow:
    """One funnel of the list."""

    address: str
    name: str
    size: str
    entry: str
    folder: str
    folder_address: str
    unsent: bool


@dataclass(frozen=True)
class FunnelsPage:
    """templates/funnels/funnels.html."""

    rows: tuple[FunnelRow, ...]
    find: str
    trouble: str
    answer: str
    unlisted: bool
    chosen: Sequence[str]
    chosen_words: str


def build_funnels_page(
    listing: Listing[Funnel],
    drafts: set[str],
    folder_names: Mapping[str, str],
    video_ids: Sequence[str] = (),
    *,
    find: str = "",
) -> FunnelsPage:
    """`drafts` are the funnels with something unsent, `folder_names` the names of the folders as far as they are known.

    `video_ids` are videos that come onto the funnel that is opened.
    """
    search_text = find.casefold()
    matches = (funnel for funnel in listing.found if search_text in funnel.name.casefold())
    return FunnelsPage(
        rows=tuple(_build_row(funnel, funnel.id in drafts, folder_names, video_ids) for funnel in matches),
        find=find,
        trouble=listing.trouble,
        answer=listing.answer,
        unlisted=listing.unlisted,
        chosen=video_ids,
        chosen_words=format_chosen_count(len(video_ids)) if video_ids else "",
    )


def format_chosen_count(count: int) -> str:
    """How many videos were chosen in the library."""
    return ngettext(
        "%(count)s video is chosen. Choose the funnel it comes onto.",
        "%(count)s videos are chosen. Choose the funnel they come onto.",
        count,
    ) % {"count": formats.number(count)}


def get_funnel_address(funnel_id: str, video_ids: Sequence[str]) -> str:
    """The board, or with chosen videos the page that adds them."""
    return address("funnels:add" if video_ids else "funnels:funnel", funnel_id, video=video_ids) or address(
        "funnels:funnels"
    )


def _build_row(funnel: Funnel, unsent: bool, folder_names: Mapping[str, str], video_ids: Sequence[str]) -> FunnelRow:
    entry = rules.get_entry_id(funnel)
    titles = {video.id: video.title for video in funnel.videos}
    return FunnelRow(
        address=get_funnel_address(funnel.id, video_ids),
        name=funnel.name or funnel.id,
        size=formats.videos(len(funnel.videos)) if funnel.are_videos_told else "–",
        entry=titles.get(entry) or entry,
        folder=get_folder_name(funnel, folder_names),
        folder_address=get_folder_address(funnel, folder_names),
        unsent=unsent,
    )


def get_folder_name(funnel: Funnel, folder_names: Mapping[str, str]) -> str:
    """The folder by name; "" where it has none or its name is not known."""
    return folder_names.get(funnel.folder_id or "", "")


def get_folder_address(funnel: Funnel, folder_names: Mapping[str, str]) -> str:
    """Where its folder is shown, as far as it is known."""
    return address("folders:folders", folder=funnel.folder_id) if get_folder_name(funnel, folder_names) else ""


@dataclass(frozen=True)
class CardGroup:
    """Some cards of the list; `title` is "" where there is one group only."""

    title: str
    rows: SafeString
    open: bool


@dataclass(frozen=True)
class FunnelPage:
    """templates/funnels/funnel.html."""

    id: str
    name: str
    meta: str
    folder: str
    folder_address: str
    board: SafeString
    groups: tuple[CardGroup, ...]
    width: str
    height: str
    origin_x: int
    origin_y: int
    unsent: str
    waits: bool
    open: OpenWrite | None
    errors: tuple[tuple[str, str], ...]
    activity: str
    unknown: bool
    """Whether the platform does not show what is in it."""
    unplaced: bool
    """Whether it does not say where all of its videos are."""
    raw: str
    """What it says of its videos, where that cannot be read."""
    key: str
    words: dict[str, str] = field(default_factory=dict)


def build_funnel_page(
    funnel: Funnel,
    cards: Sequence[Card],
    sending: Write | None,
    form: Arrangement | None = None,
    *,
    account: str = "",
    folder_names: Mapping[str, str] | None = None,
) -> FunnelPage:
    """One funnel with what is unsent over it.

    `sending` is a sending that has not ended; `form` is a form that was wrong: it is shown as typed.
    """
    origin_x = int(min((card.x for card in cards), default=0.0) - BOARD_MARGIN // 4)
    origin_y = int(min((card.y for card in cards), default=0.0) - BOARD_MARGIN // 4)
    origin_x, origin_y = min(origin_x, 0), min(origin_y, 0)
    errors = form.errors if form else {}
    typed_values = form.typed if form else {}
    activity = address("activity:activity")
    texts = build_script_texts()
    views = [markup.build_card_view(card, (origin_x, origin_y), errors, typed_values, texts) for card in cards]
    return FunnelPage(
        id=funnel.id,
        name=funnel.name or funnel.id,
        meta=formats.videos(len(cards)) if funnel.are_videos_told else "",
        folder=get_folder_name(funnel, folder_names or {}),
        folder_address=get_folder_address(funnel, folder_names or {}),
        board=markup.render_board(views),
        groups=_build_groups(views),
        width=f"{int(max((card.x for card in cards), default=0.0)) - origin_x + BOARD_MARGIN}px",
        height=f"{int(max((card.y for card in cards), default=0.0)) - origin_y + BOARD_MARGIN}px",
        origin_x=origin_x,
        origin_y=origin_y,
        unsent=format_unsent(cards),
        waits=any(card.changed for card in cards),
        open=open_write(sending) if sending else None,
        errors=tuple(errors.items()),
        activity=f"{activity}?{urlencode({'thing': funnel.id})}" if activity else "",
        unknown=not funnel.are_videos_told,
        unplaced=funnel.are_videos_told and not funnel.are_places_told,
        raw=as_it_came(funnel.raw_videos) if funnel.raw_videos is not None else "",
        key=f"{account}.{funnel.id}",
        words=texts,
    )


def _build_groups(views: Sequence[markup.CardView]) -> tuple[CardGroup, ...]:
    """The cards of the list, at most `GROUP` in one table; of several the first is open, and each with something wrong."""
    if len(views) <= GROUP_SIZE:
        return (CardGroup("", markup.render_rows(views), open=True),) if views else ()
    parts = [views[start : start + GROUP_SIZE] for start in range(0, len(views), GROUP_SIZE)]
    return tuple(
        CardGroup(
            _("Cards %(first)s to %(last)s: from “%(from)s” to “%(to)s”")
            % {
                "first": formats.number(at * GROUP_SIZE + 1),
                "last": formats.number(at * GROUP_SIZE + len(part)),
                "from": part[0].title,
                "to": part[-1].title,
            },
            markup.render_rows(part),
            open=at == 0 or any(view.wrong for view in part),
        )
        for at, part in enumerate(parts)
    )


def build_script_texts() -> dict[str, str]:
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


def render_script_texts(page: FunnelPage) -> str:
    """The board's words for its script, as JSON in an attribute."""
    words: dict[str, Any] = dict(page.words)
    return json.dumps(words, ensure_ascii=False)


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
                moves_found.moving.append((card.title or card.id, folder_names.get(video.folder_id or "", "")))
            case Ready():
                pass
            case Failed(error) if error.status == 404:
                moves_found.missing.append(card.title or card.id)
            case _:
                moves_found.unknown.append(card.title or card.id)
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


@dataclass(frozen=True)
class CardDifference:
    """One video and what happens to it."""

    title: str
    what: tuple[str, ...]


@dataclass(frozen=True)
class SendingPart:
    """templates/funnels/_sending.html: a sending that has not ended. It polls until it has."""

    open: OpenWrite
    progress: str
    arrived: str
    again: str
    version: str


def build_sending_part(write: Write) -> SendingPart:
    """What is said of a sending that has not ended."""
    notice = open_write(write) or OpenWrite("", write.attempt, decide=False)
    return SendingPart(
        open=notice,
        progress=reverse("funnels:progress", args=[write.subject]),
        arrived=reverse("funnels:arrived", args=[write.subject]),
        again=reverse("funnels:again", args=[write.subject]),
        version=f"{write.state}-{write.attempt}-{notice.decide:d}",
    )


@dataclass(frozen=True)
class ReviewPage:
    """templates/funnels/review.html."""

    name: str
    back: str
    send: str
    differences: tuple[CardDifference, ...]
    consequences: tuple[str, ...]
    moving: tuple[str, ...]
    problems: list[str]
    sending: SendingPart | None
    lost: bool
    """The last sending never reached the platform."""
    allowed: bool
    size: str


def build_review_page(
    funnel: Funnel, cards: Sequence[Card], moves: FolderMoves | None, last: Write | None, unplayable: list[str]
) -> ReviewPage:
    """Everything that sending changes, here and elsewhere; `moves` is None where nothing can be sent.

    `last` is the last sending of this funnel; `unplayable` says which of its new videos viewers cannot play.
    """
    problem = rules.find_problem(cards)
    problems = [format_problem(problem)] if problem else unplayable
    sending = build_sending_part(last) if last and last.state in (State.SENDING, State.UNCONFIRMED) else None
    return ReviewPage(
        name=funnel.name or funnel.id,
        back=reverse("funnels:funnel", args=[funnel.id]),
        send=reverse("funnels:send", args=[funnel.id]),
        differences=tuple(_build_difference(card) for card in cards if card.changed),
        consequences=tuple(_format_consequences(cards, moves)) if moves else (),
        moving=tuple(_format_move(title, now, moves.folder) for title, now in moves.moving) if moves else (),
        problems=problems,
        sending=sending,
        lost=last is not None and last.state == State.REFUSED and last.reason in LOST,
        allowed=not problems and sending is None,
        size=formats.videos(len(rules.select_cards_to_send(cards))),
    )


def format_problem(problem: FunnelProblem) -> str:
    """Why it cannot be sent."""
    return {
        FunnelProblem.NOTHING: _("There are no changes to send."),
        FunnelProblem.NO_ENTRY: _("Mark one video as the entry of the funnel first."),
    }[problem]


def _build_difference(card: Card) -> CardDifference:
    place = {"x": format_coordinate(card.x), "y": format_coordinate(card.y)}
    changes = []
    if card.added:
        changes.append(_("comes into the funnel at %(x)s, %(y)s") % place)
    elif card.moved and card.was:
        was = {"was_x": format_coordinate(card.was[0]), "was_y": format_coordinate(card.was[1])}
        changes.append(_("moves from %(was_x)s, %(was_y)s to %(x)s, %(y)s") % {**place, **was})
    elif card.moved:
        changes.append(_("is placed at %(x)s, %(y)s") % place)
    if card.entry and not card.was_entry:
        changes.append(_("becomes the entry"))
    if card.was_entry and not card.entry:
        changes.append(_("stops being the entry"))
    return CardDifference(card.title or card.id, tuple(changes))


def _format_consequences(cards: Sequence[Card], moves: FolderMoves) -> Iterable[str]:
    sent_count = len(rules.select_cards_to_send(cards))
    yield ngettext(
        "%(count)s video is sent. Videos that are not listed stay where they are.",
        "%(count)s videos are sent. Videos that are not listed stay where they are.",
        sent_count,
    ) % {"count": formats.number(sent_count)}
    entry = next((card.title or card.id for card in cards if card.entry), "")
    yield _("“%(title)s” is the entry. Every other video of the funnel stops being it.") % {"title": entry}
    if not moves.is_target_told:
        yield _("The funnel’s folder is not known: every video that is sent moves there.")
    elif not moves.moving and not moves.unknown:
        yield _("No video changes folder.")
    if moves.unknown:
        names = ", ".join(moves.unknown[:5]) + (" …" if len(moves.unknown) > 5 else "")
        yield ngettext(
            "The folder of %(count)s video is not known; it moves to the funnel’s folder if it is elsewhere: %(names)s",
            "The folders of %(count)s videos are not known; they move to the funnel’s folder if they are elsewhere: %(names)s",
            len(moves.unknown),
        ) % {"count": formats.number(len(moves.unknown)), "names": names}
    for title in moves.missing:
        yield _("“%(title)s” is not in this account any more: the platform will refuse. Take it out.") % {
            "title": title
        }


def _format_move(title: str, now: str, folder: str) -> str:
    names = {
        "title": title,
        "now": now or _("no folder or one that is not listed"),
        "folder": folder or _("the funnel’s folder"),
    }
    return _("“%(title)s” leaves %(now)s and moves to %(folder)s.") % names


@finds("funnels", title=gettext_noop("Funnels"), order=90)
def find_funnels(request: OwnerRequest, query: str) -> Iterator[Found]:
    """By name. Nothing where the platform has no list of them."""
    rows = read_rows(
        request, lambda platform: [(funnel.id, funnel.name or funnel.id, "") for funnel in platform.funnels.list()]
    )
    yield from find_by_name((Found(address("funnels:funnel", key), "funnel", name) for key, name, _note in rows), query)
