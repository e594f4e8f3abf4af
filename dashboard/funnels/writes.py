"""Send the arrangement of a funnel (section 4.10) once, settle it by reading, and clear the draft of what arrived."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any
from uuid import UUID, uuid5

from django.conf import settings
from django.db.models import QuerySet

from dashboard.accounts.models import Account
from dashboard.funnels import drafts, rules
from dashboard.funnels.rules import Card
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import BadToken, CallError, Missing, PlatformError, RateLimited, Unreachable
from dashboard.platform_api.funnels import Funnel, FunnelVideo
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import capabilities, clients, reads
from dashboard.upstream.library import find_titles
from dashboard.upstream.parallel import Ready
from dashboard.upstream.single_records import Kind, Read, open_thing, read_with
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, NotWanted, Operation, register
from dashboard.writes.requests import form_intent, next_key

SEND = "funnels.add_videos"
IN_FLIGHT = (State.SENDING, State.UNCONFIRMED)
FUNNELS = Kind[Funnel](
    "funnel",
    get=lambda platform, funnel_id: platform.funnels.get(funnel_id),
    list=lambda platform: platform.funnels.list(),
    blank=lambda funnel_id: Funnel.from_json({"id": funnel_id}),
)
FOLDERS_MOST = 40
"""Folders whose funnels are read at most."""
SENT_MOST = 50
"""Sendings that are looked through for the videos of a funnel that the platform does not show."""


def get_next_key(account: Account, funnel_id: str) -> UUID:
    """The key of the next sending. Take it before reading the funnel: the same arrangement is sent once at a time."""
    return next_key(account, SEND, funnel_id)


def send_funnel(request: OwnerRequest, funnel: Funnel, cards: Sequence[Card], key: UUID) -> Write:
    """Send what differs, or wait for the press that sends the same. Raises the `PlatformError` of a refusal."""
    changed_cards, videos = rules.select_cards_to_send(cards), rules.build_payload(cards)
    intent = form_intent(
        request,
        SEND,
        subject=funnel.id,
        sends={"funnel_id": funnel.id, "videos": videos, "titles": {card.id: card.title for card in changed_cards}},
        label=funnel.name,
        before={
            "entry": rules.get_entry_id(funnel),
            "videos": rules.build_payload([_build_card_before(card) for card in changed_cards if card.is_placed]),
        }
        if funnel.are_videos_told
        else None,
        after={"entry": next(card.id for card in changed_cards if card.entry), "videos": videos},
    )
    intent = replace(intent, key=uuid5(key, json.dumps(videos, sort_keys=True)))
    for waiting in (
        _list_writes(request.account, funnel.id).filter(state=State.HELD).exclude(reason="").exclude(key=intent.key)
    ):
        outbox.cancel(waiting)  # an older arrangement, kept over a sign-in: this one is wanted now
    return outbox.perform(intent)


def open_funnel(read: Read, account: Account, funnel_id: str) -> Funnel:
    """What is known of a funnel. Of one whose videos the platform does not show, those that were sent from here.

    Raises like `open_thing`.
    """
    lookup = open_thing(read, FUNNELS, funnel_id)
    funnel = lookup.record
    if lookup.is_unknown:
        matches = (
            candidate for candidate in list_in_folders(account, read) if candidate.id.casefold() == funnel_id.casefold()
        )
        funnel = next(matches, funnel)
    return _add_titles(account, _add_places(account, funnel))


def _add_places(account: Account, funnel: Funnel) -> Funnel:
    """The funnel with what was sent from here: its videos, or the places of those of which only the place is not told."""
    if funnel.are_places_told:
        return funnel
    sent_videos = {video.id: video for video in _list_sent_videos(account, funnel.id)}
    if not funnel.are_videos_told:
        return replace(funnel, videos=tuple(sent_videos.values()))
    return replace(funnel, videos=tuple(_add_place(video, sent_videos.get(video.id)) for video in funnel.videos))


def _add_place(video: FunnelVideo, sent_video: FunnelVideo | None) -> FunnelVideo:
    if sent_video is None or video.is_place_told:
        return video
    return replace(video, x=sent_video.x, y=sent_video.y, title=video.title or sent_video.title)


def _add_titles(account: Account, funnel: Funnel) -> Funnel:
    """The funnel with the titles that are known here of the videos that it names by id."""
    unnamed = [video.id for video in funnel.videos if not video.title]
    if not unnamed:
        return funnel
    titles = find_titles(account, unnamed)
    videos = (replace(video, title=video.title or titles.get(video.id, "")) for video in funnel.videos)
    return replace(funnel, videos=tuple(videos))


def list_in_folders(account: Account, read: Read) -> list[Funnel]:
    """The funnels of the account's folders, where those were found to name theirs; else none."""
    if not capabilities.load(account.pk).has("folders.funnels"):
        return []
    try:
        folders = read(lambda platform: platform.folders.list())[:FOLDERS_MOST]
    except PlatformError:
        return []
    calls = {folder.id: partial(_read_folder, folder.id) for folder in folders}
    outcomes = reads.Reads(account).gather(settings.PLATFORM_TIMEOUT, **calls)
    return [funnel for outcome in outcomes.values() if isinstance(outcome, Ready) for funnel in outcome.value]


def _read_folder(folder_id: str, platform: Operations) -> tuple[Funnel, ...]:
    return platform.folders.funnels(folder_id)


def _list_sent_videos(account: Account, funnel_id: str) -> tuple[FunnelVideo, ...]:
    """The videos of the sendings that are done, each as it was last sent."""
    writes = _list_writes(account, funnel_id).filter(state=State.DONE).order_by("-settled_at")[:SENT_MOST]
    items: dict[str, dict[str, Any]] = {}
    for place, write in enumerate(writes):
        titles = write.request.get("titles", {})
        for item in write.request["videos"]:
            latest = {"is_first": item["is_first"] and place == 0, "title": titles.get(item["id"], "")}
            items.setdefault(item["id"], item | latest)
    return tuple(FunnelVideo.from_json(item) for item in items.values())


def _build_card_before(card: Card) -> Card:
    x, y = card.was or (card.x, card.y)
    return Card(card.id, card.title, x, y, card.was_entry, None, False, True)


def _list_writes(account: Account, funnel_id: str) -> QuerySet[Write]:
    return Write.objects.select_related("account").filter(account=account, operation=SEND, subject=funnel_id)


def find_open_write(account: Account, funnel_id: str) -> Write | None:
    """The sending of this funnel that has not ended, or None."""
    return _list_writes(account, funnel_id).filter(state__in=IN_FLIGHT).order_by("created_at").last()


def find_last_write(account: Account, funnel_id: str) -> Write | None:
    """The last sending of this funnel, however it ended, or None."""
    return _list_writes(account, funnel_id).exclude(state=State.CANCELLED).order_by("created_at").last()


def send_arrangement(write: Write) -> str:
    """Put the videos onto the funnel. What nobody looked over on a board is read again first: `NotWanted` at a difference."""
    if "entry_before" in write.request:
        _check_addition(write)
    return clients.platform_for(write.owner).funnels.add_videos(write.request["funnel_id"], write.request["videos"])


def _check_addition(write: Write) -> None:
    read = reads.Reads(write.owner, seconds=0.0).get
    try:
        funnel = open_funnel(read, write.owner, write.request["funnel_id"])
    except (BadToken, RateLimited, Missing):
        raise
    except CallError as error:  # a read that fails says nothing about the call: nothing was sent
        raise Unreachable(SEND, error.status, error.message, sent=False) from error
    if not rules.can_still_add(funnel, write.request["videos"], write.request["entry_before"]):
        raise NotWanted


def discard_sent_draft(write: Write, answer: Any) -> None:
    """Clear the draft of what was sent; later changes stay in it."""
    drafts.discard_sent(write.owner.pk, write.subject, write.request["videos"])


def discard_confirmed_draft(write: Write) -> None:
    """Clear the draft of what was sent after its author confirmed the write."""
    discard_sent_draft(write, None)


def settle_arrangement(write: Write) -> Found | Absence:
    """Found if the funnel reads as sent, absent if it reads as before, else unknown."""
    try:
        funnel = open_thing(read_with(clients.platform_for(write.owner)), FUNNELS, write.request["funnel_id"]).record
    except Missing:
        return UNKNOWN
    if not funnel.are_videos_told:
        return UNKNOWN
    videos = write.request["videos"]
    if rules.is_as_sent(funnel, videos):
        return Found()
    return ABSENT if write.before and rules.is_as_before(funnel, write.before, videos) else UNKNOWN


def get_page(write: Write) -> str:
    """Address of the page that shows the write."""
    return address("funnels:review", write.subject)


register(
    Operation(
        SEND,
        send=send_arrangement,
        keep=discard_sent_draft,
        settle=settle_arrangement,
        page=get_page,
        confirmed=discard_confirmed_draft,
        longest_reads=4 * settings.PLATFORM_TIMEOUT,  # the funnel, else the list, the folders and what they name
    )
)
