"""What the templates of funnels get: every decision is already a boolean or a sentence."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.funnels import markup, rules
from dashboard.funnels.forms import Arrangement
from dashboard.funnels.library import Asked, Shelf
from dashboard.funnels.rules import Card
from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.records.funnels import Funnel
from dashboard.platform_api.records.videos import Video
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.listing import Listing
from dashboard.writes.models import Write
from dashboard.writes.pages import OpenWrite, open_write

GROUP = 25
"""Cards of one table of the list: hundreds in one make a page of many screens."""
EDGE = 400
"""Free room around the cards, in units: where a card can be dragged to."""


@dataclass(frozen=True)
class Row:
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

    rows: tuple[Row, ...]
    find: str
    trouble: str
    answer: str
    unlisted: bool
    chosen: tuple[str, ...]
    chosen_words: str


def funnels_page(
    listed: Listing[Funnel],
    drafts: set[str],
    called: Mapping[str, str],
    chosen: tuple[str, ...] = (),
    *,
    find: str = "",
) -> FunnelsPage:
    """`drafts` are the funnels with something unsent, `called` the names of the folders as far as they are known.

    `chosen` are videos that come onto the funnel that is opened.
    """
    wanted = find.casefold()
    shown = (funnel for funnel in listed.found if wanted in funnel.name.casefold())
    return FunnelsPage(
        rows=tuple(_row(funnel, funnel.id in drafts, called, chosen) for funnel in shown),
        find=find,
        trouble=listed.trouble,
        answer=listed.answer,
        unlisted=listed.unlisted,
        chosen=chosen,
        chosen_words=chosen_words(len(chosen)) if chosen else "",
    )


def chosen_words(count: int) -> str:
    """How many videos were chosen in the library."""
    return ngettext(
        "%(count)s video is chosen. Choose the funnel it comes onto.",
        "%(count)s videos are chosen. Choose the funnel they come onto.",
        count,
    ) % {"count": formats.number(count)}


def opened_at(funnel_id: str, chosen: tuple[str, ...]) -> str:
    """The board, or with chosen videos the page that adds them."""
    return address("funnels:add" if chosen else "funnels:funnel", funnel_id, video=chosen) or address("funnels:funnels")


def _row(funnel: Funnel, unsent: bool, called: Mapping[str, str], chosen: tuple[str, ...]) -> Row:
    entry = rules.entry_of(funnel)
    titles = {video.id: video.title for video in funnel.videos}
    return Row(
        address=opened_at(funnel.id, chosen),
        name=funnel.name or funnel.id,
        size=videos_words(len(funnel.videos)) if funnel.are_videos_told else "–",
        entry=titles.get(entry) or entry,
        folder=folder_words(funnel, called),
        folder_address=folder_address(funnel, called),
        unsent=unsent,
    )


def folder_words(funnel: Funnel, called: Mapping[str, str]) -> str:
    """The folder by name; "" where it has none or its name is not known."""
    return called.get(funnel.folder_id or "", "")


def folder_address(funnel: Funnel, called: Mapping[str, str]) -> str:
    """Where its folder is shown, as far as it is known."""
    return address("folders:folders", folder=funnel.folder_id) if folder_words(funnel, called) else ""


def videos_words(count: int) -> str:
    """12 videos."""
    return ngettext("%(count)s video", "%(count)s videos", count) % {"count": formats.number(count)}


@dataclass(frozen=True)
class Group:
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
    groups: tuple[Group, ...]
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


def funnel_page(
    funnel: Funnel,
    cards: Sequence[Card],
    sending: Write | None,
    given: Arrangement | None = None,
    *,
    account: str = "",
    called: Mapping[str, str] | None = None,
) -> FunnelPage:
    """One funnel with what is unsent over it.

    `sending` is a sending that has not ended; `given` is a form that was wrong: it is shown as typed.
    """
    origin_x = int(min((card.x for card in cards), default=0.0) - EDGE // 4)
    origin_y = int(min((card.y for card in cards), default=0.0) - EDGE // 4)
    origin_x, origin_y = min(origin_x, 0), min(origin_y, 0)
    errors = given.errors if given else {}
    typed = given.typed if given else {}
    activity = address("activity:activity")
    said = board_words()
    shown = [markup.card(card, (origin_x, origin_y), errors, typed, said) for card in cards]
    return FunnelPage(
        id=funnel.id,
        name=funnel.name or funnel.id,
        meta=videos_words(len(cards)) if funnel.are_videos_told else "",
        folder=folder_words(funnel, called or {}),
        folder_address=folder_address(funnel, called or {}),
        board=markup.on_board(shown),
        groups=_groups(shown),
        width=f"{int(max((card.x for card in cards), default=0.0)) - origin_x + EDGE}px",
        height=f"{int(max((card.y for card in cards), default=0.0)) - origin_y + EDGE}px",
        origin_x=origin_x,
        origin_y=origin_y,
        unsent=unsent_words(cards),
        waits=any(card.changed for card in cards),
        open=open_write(sending) if sending else None,
        errors=tuple(errors.items()),
        activity=f"{activity}?{urlencode({'thing': funnel.id})}" if activity else "",
        unknown=not funnel.are_videos_told,
        unplaced=funnel.are_videos_told and not funnel.are_places_told,
        raw=as_it_came(funnel.raw_videos) if funnel.raw_videos is not None else "",
        key=f"{account}.{funnel.id}",
        words=said,
    )


def _groups(shown: Sequence[markup.CardView]) -> tuple[Group, ...]:
    """The cards of the list, at most `GROUP` in one table; of several the first is open, and each with something wrong."""
    if len(shown) <= GROUP:
        return (Group("", markup.in_list(shown), open=True),) if shown else ()
    parts = [shown[start : start + GROUP] for start in range(0, len(shown), GROUP)]
    return tuple(
        Group(
            _("Cards %(first)s to %(last)s: from “%(from)s” to “%(to)s”")
            % {
                "first": formats.number(at * GROUP + 1),
                "last": formats.number(at * GROUP + len(part)),
                "from": part[0].title,
                "to": part[-1].title,
            },
            markup.in_list(part),
            open=at == 0 or any(view.wrong for view in part),
        )
        for at, part in enumerate(parts)
    )


def board_words() -> dict[str, str]:
    """The words that the board's script needs, with places for its numbers."""
    return {
        "at": _("at {x}, {y}"),
        "moved": _("moved"),
        "added": _("new"),
        "several": _("{count} cards chosen"),
        "place": _("{name}: {x}, {y}"),
        "failed": _("Not kept on the server yet. This browser keeps it and tries again."),
    }


def unsent_words(cards: Sequence[Card]) -> str:
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


@dataclass(frozen=True)
class Found:
    """One video of the library, to be added."""

    id: str
    title: str
    length: str
    thumbnail: str
    there: bool


@dataclass(frozen=True)
class AddPage:
    """templates/funnels/add.html."""

    name: str
    back: str
    action: str
    find: str
    page: int
    chosen: tuple[Found, ...]
    """Chosen before, in the library: they stand first, ticked."""
    videos: tuple[Found, ...]
    before: str
    after: str
    problem: str
    listed: bool
    """Whether the platform lists its videos."""
    typed: str
    wrong: str
    """What is wrong with the ids that were typed."""


def add_problem(shelf: Shelf) -> str:
    """Why nothing was added."""
    if shelf.wrong:
        return _("Some ids are not those of a video.")
    return _("Choose at least one video.")


def add_page(shelf: Shelf, cards: Sequence[Card], wish: Asked, *, problem: str = "") -> AddPage:
    """One page of the library; videos on the board already are said to be there."""
    funnel, there = shelf.funnel, {card.id for card in cards}
    find, page = wish.find, wish.page
    chosen = {video.id for video in shelf.chosen}

    def at(number: int) -> str:
        return address("funnels:add", funnel.id, find=find, page=number if number > 1 else "", video=sorted(chosen))

    return AddPage(
        name=funnel.name or funnel.id,
        back=reverse("funnels:funnel", args=[funnel.id]),
        action=reverse("funnels:add", args=[funnel.id]),
        find=find,
        page=page,
        chosen=tuple(_found(video, there) for video in shelf.chosen),
        videos=tuple(_found(video, there) for video in shelf.videos if video.id not in chosen),
        before=at(page - 1) if page > 1 else "",
        after=at(page + 1) if shelf.more else "",
        problem=problem,
        listed=shelf.is_listed,
        typed=wish.typed,
        wrong=", ".join(
            _("This is not the id of a video of this account: %(id)s") % {"id": one} for one in shelf.wrong
        ),
    )


def _found(video: Video, there: set[str]) -> Found:
    length = formats.clock(video.length) if video.length else ""
    return Found(video.id, video.title or video.id, length, video.thumbnail or "", video.id in there)


def script_words(page: FunnelPage) -> str:
    """The board's words for its script, as JSON in an attribute."""
    shown: dict[str, Any] = dict(page.words)
    return json.dumps(shown, ensure_ascii=False)


def added_words(count: int) -> str:
    """What came onto the board."""
    if not count:
        return _("These videos are on the board already.")
    return ngettext(
        "%(count)s video came onto the board. It is not sent yet.",
        "%(count)s videos came onto the board. They are not sent yet.",
        count,
    ) % {"count": formats.number(count)}
