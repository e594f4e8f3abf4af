"""Holding, undoing and sending the deletion of a playlist, exactly once."""

from uuid import UUID

from django.utils import timezone

from dashboard import clients
from dashboard.activity.recorder import ambiguous, recorded
from dashboard.platform_api.errors import BadToken, Missing, PlatformError
from dashboard.platform_api.records.playlists import Playlist
from dashboard.playlists.models import Deletion, State
from dashboard.playlists.rules import HOLD
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest


def hold(account_id: UUID, playlist: Playlist) -> Deletion:
    """Keep a copy of `playlist` and hold its deletion. A second press finds the first one still held."""
    held = Deletion.objects.filter(account_id=account_id, playlist_id=playlist.id, state=State.HELD).first()
    return held or Deletion.objects.create(
        account_id=account_id,
        playlist_id=playlist.id,
        name=playlist.name,
        contents=[{"id": video.id, "title": video.title} for video in playlist.videos],
        due_at=timezone.now() + HOLD,
    )


def undo(deletion: Deletion) -> bool:
    """Take a held deletion back; False when it has left already."""
    return _move(deletion, State.HELD, State.UNDONE)


def send(request: OwnerRequest, deletion: Deletion) -> Deletion:
    """Send a held deletion. Of two that try at once, one does. The row says how it ended; 401 is raised on."""
    if not _move(deletion, State.HELD, State.SENDING):
        return deletion
    try:
        with recorded(
            request, "playlists.delete", target=deletion.playlist_id, label=deletion.name, before=_copy(deletion)
        ):
            clients.platform(request).playlists.delete(deletion.playlist_id)
    except BadToken:
        _move(deletion, State.SENDING, State.HELD)
        raise
    except PlatformError as error:
        _end(deletion, *_ending(request, deletion, error))
    else:
        _end(deletion, State.DONE)
    return deletion


def settle(request: OwnerRequest, deletion: Deletion) -> Deletion:
    """Look whether an unconfirmed deletion happened: a playlist that is gone was deleted."""
    try:
        clients.platform(request).playlists.get(deletion.playlist_id)
    except Missing:
        _end(deletion, State.DONE)
    else:
        _end(deletion, State.REFUSED, "")
    return deletion


def _ending(request: OwnerRequest, deletion: Deletion, error: PlatformError) -> tuple[State, str]:
    explained = refusals.explain(error)
    state = State.UNCONFIRMED if ambiguous(error) else State.REFUSED
    return state, f"{explained.sentence} {explained.next_step}"


def _copy(deletion: Deletion) -> dict[str, object]:
    return {"name": deletion.name, "videos": deletion.contents}


def _move(deletion: Deletion, before: State, after: State) -> bool:
    """One step of the state, taken by exactly one of those who try."""
    moved = Deletion.objects.filter(pk=deletion.pk, state=before).update(state=after)
    deletion.refresh_from_db()
    return bool(moved)


def _end(deletion: Deletion, state: State, message: str = "") -> None:
    deletion.state, deletion.message, deletion.ended_at = state, message, timezone.now()
    deletion.save(update_fields=["state", "message", "ended_at"])
