"""View models of the funnels templates."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import urlencode

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.funnels import markup, rules
from dashboard.funnels.forms import Arrangement
from dashboard.funnels.rules import Card
from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.funnels import Funnel
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.shared.listing import Listing
from dashboard.writes.models import Write
from dashboard.writes.pages import OpenWrite, open_write

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
