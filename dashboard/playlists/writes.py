"""Deleting a playlist (section 4.14), which cannot be brought back: held first, sent by the worker, settled by reading.

A copy of its contents is kept.
"""

from dataclasses import replace
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils.translation import gettext_noop

from dashboard.accounts.models import Account
from dashboard.platform_api import Platform
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.playlists import Playlist
from dashboard.platform_api.vocabulary import Message
from dashboard.shared import refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import Refusal
from dashboard.upstream import clients
from dashboard.upstream.library import find_titles
from dashboard.upstream.reads import Reads
from dashboard.upstream.single_records import Kind, Opened, Source, open_thing, read_with
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, Operation, register
from dashboard.writes.requests import form_intent, next_key

DELETE = "playlists.delete"
HOLD = timedelta(seconds=10)
"""How long a deletion waits for second thoughts."""
PLAYLISTS = Kind[Playlist](
    "playlist",
    get=lambda platform, playlist_id: platform.playlists.get(playlist_id),
    list=lambda platform: platform.playlists.list(),
    blank=lambda playlist_id: Playlist.from_json({"id": playlist_id}),
)


refusals.register(
    messages={
        Message.PLAYLIST_NOT_FOUND: Refusal(gettext_noop("The platform does not have this playlist any more.")),
        Message.PLAYLIST_NOT_OWNED: Refusal(
            gettext_noop("This playlist belongs to another account."), gettext_noop("Only its owner can delete it.")
        ),
    }
)


def get_next_key(account: Account, playlist_id: str) -> UUID:
    """The key of the next deletion. Take it before reading the playlist: of a playlist only one deletion is open."""
    return next_key(account, DELETE, playlist_id)


def open_playlist(reader: Reads, playlist_id: str, patience: float = 0.0) -> Opened[Playlist]:
    """What is known of a playlist, with the titles that are known here of videos that it names by id.

    `patience`: seconds to wait for titles that are not. Raises like `open_thing`.
    """
    lookup = open_thing(reader.get, PLAYLISTS, playlist_id)
    unnamed = [video.id for video in lookup.record.videos if not video.title]
    if not unnamed:
        return lookup
    titles = find_titles(reader.account, unnamed, patience)
    videos = (replace(video, title=video.title or titles.get(video.id, "")) for video in lookup.record.videos)
    return replace(lookup, record=replace(lookup.record, videos=tuple(videos)))


def hold_deletion(request: OwnerRequest, lookup: Opened[Playlist], key: UUID) -> Write:
    """Hold the deletion of a playlist. While one is open, every other press finds that one."""
    playlist = lookup.record
    intent = form_intent(
        request,
        DELETE,
        subject=playlist.id,
        sends={"playlist_id": playlist.id, "known_from": lookup.source},
        label=playlist.name,
        before=build_copy(playlist),
    )
    return outbox.begin(replace(intent, key=key), hold=HOLD)[0]


def build_copy(playlist: Playlist) -> dict[str, Any] | None:
    """A copy of the playlist's videos, or the raw answer if they cannot be read; None if the platform tells nothing."""
    videos = [{"id": video.id, "title": video.title} for video in playlist.videos]
    copy = {"name": playlist.name, "videos": videos}
    if playlist.are_videos_told:
        return copy
    return {**copy, "answer": playlist.raw_videos} if playlist.raw_videos is not None else None


def is_copy(before: dict[str, Any] | None) -> bool:
    """Whether what was kept is a copy of the playlist: it names all its videos, by id and by title."""
    return (
        before is not None
        and "answer" not in before
        and all(video["id"] and video["title"] for video in before["videos"])
    )


def list_deletions(account: Account) -> QuerySet[Write]:
    """Every deletion of this account, newest first, those that were undone too."""
    return Write.objects.filter(account=account, operation=DELETE).order_by("-created_at")


def find_finished_deletion(account: Account, playlist_id: str) -> Write | None:
    """The deletion from here after which nothing is there any more, or None."""
    return list_deletions(account).filter(subject=playlist_id, state=State.DONE).first()


def send_deletion(write: Write) -> None:
    """Delete the playlist. One that is gone after an attempt whose answer never came was deleted by that attempt."""
    try:
        clients.platform_for(write.owner).playlists.delete(write.request["playlist_id"])
    except Missing:
        if write.ended_at is None:
            raise


def settle_deletion(write: Write) -> Found | Absence:
    """A playlist that was there before and is gone was deleted. One that was never seen tells nothing by not being there."""
    platform, playlist_id = clients.platform_for(write.owner), write.request["playlist_id"]
    source = write.request.get("known_from", Source.READ)
    if source == Source.READ:
        try:
            platform.playlists.get(playlist_id)
        except Missing:
            return Found()
        return ABSENT
    try:
        lookup = open_thing(read_with(platform), PLAYLISTS, playlist_id)
    except Missing:
        return Found()
    if not lookup.is_unknown:
        return ABSENT
    return Found() if source == Source.LISTED and _has_list(platform) else UNKNOWN


def _has_list(platform: Platform) -> bool:
    """Whether the platform lists its playlists now, as it did before."""
    try:
        platform.playlists.list()
    except Missing:
        return False
    return True


def get_page(write: Write) -> str:
    """Address of the page that shows the deletion."""
    return address("playlists:deletion", write.pk)


register(Operation(DELETE, send=send_deletion, settle=settle_deletion, page=get_page, waits=True))
