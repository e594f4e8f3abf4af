"""Deleting a playlist (section 4.14): held first, sent by the worker, settled by reading. It keeps a copy of the contents."""

from dataclasses import replace
from uuid import UUID

from django.db.models import QuerySet

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.records.playlists import Playlist
from dashboard.playlists.rules import HOLD
from dashboard.shared.http import OwnerRequest
from dashboard.writes import outbox
from dashboard.writes.models import Write
from dashboard.writes.operations import ABSENT, Absence, Found, Operation, register
from dashboard.writes.requests import form_intent, next_key

DELETE = "playlists.delete"


def get_next_key(account: Account, playlist_id: str) -> UUID:
    """The key of the next deletion. Take it before reading the playlist: of a playlist only one deletion is open."""
    return next_key(account, DELETE, playlist_id)


def hold_deletion(request: OwnerRequest, playlist: Playlist, key: UUID) -> Write:
    """Hold the deletion of `playlist`. While one is open, every other press finds that one."""
    intent = form_intent(
        request,
        DELETE,
        subject=playlist.id,
        sends={"playlist_id": playlist.id},
        label=playlist.name,
        before={"name": playlist.name, "videos": [{"id": one.id, "title": one.title} for one in playlist.videos]},
    )
    return outbox.begin(replace(intent, key=key), hold=HOLD)[0]


def list_deletions(account: Account) -> QuerySet[Write]:
    """Every deletion of this account, newest first, those that were undone too."""
    return Write.objects.filter(account=account, operation=DELETE).order_by("-created_at")


def send_deletion(write: Write) -> None:
    """Delete the playlist. One that is gone after an attempt whose answer never came was deleted by that attempt."""
    try:
        clients.platform_for(write.owner).playlists.delete(write.request["playlist_id"])
    except Missing:
        if write.ended_at is None:
            raise


def settle_deletion(write: Write) -> Found | Absence:
    """A playlist that was there before and is gone was deleted."""
    try:
        clients.platform_for(write.owner).playlists.get(write.request["playlist_id"])
    except Missing:
        return Found()
    return ABSENT


register(Operation(DELETE, send=send_deletion, settle=settle_deletion, waits=True))
