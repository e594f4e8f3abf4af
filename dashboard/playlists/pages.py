"""What the templates of playlists get: every decision is already a boolean or a sentence."""

from dataclasses import dataclass

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.records.playlists import Playlist
from dashboard.playlists.models import Deletion, State
from dashboard.shared import words
from dashboard.shared.addresses import video_address
from dashboard.shared.listing import Listing


@dataclass(frozen=True)
class Row:
    """One playlist of the list."""

    address: str
    name: str
    size: str


@dataclass(frozen=True)
class Kept:
    """One deletion: held, or the kept copy of what is gone."""

    address: str
    name: str
    state: str
    shape: str
    when: str
    waits: bool


@dataclass(frozen=True)
class PlaylistsPage:
    """templates/playlists/playlists.html."""

    rows: tuple[Row, ...]
    deletions: tuple[Kept, ...]
    find: str
    trouble: str
    unlisted: bool


def playlists_page(listed: Listing[Playlist], deletions: list[Deletion], *, find: str = "") -> PlaylistsPage:
    """`find` filters by name."""
    wanted = find.casefold()
    return PlaylistsPage(
        rows=tuple(
            Row(reverse("playlists:playlist", args=[p.id]), p.name or p.id, videos_words(len(p.videos)))
            for p in listed.found
            if wanted in p.name.casefold()
        ),
        deletions=tuple(kept(deletion) for deletion in deletions),
        find=find,
        trouble=listed.trouble,
        unlisted=listed.unlisted,
    )


def videos_words(count: int) -> str:
    """12 videos."""
    return ngettext("%(count)s video", "%(count)s videos", count) % {"count": words.number(count)}


@dataclass(frozen=True)
class Video:
    """One video of a playlist."""

    address: str
    title: str
    place: int


@dataclass(frozen=True)
class PlaylistPage:
    """templates/playlists/playlist.html and templates/playlists/delete.html."""

    id: str
    name: str
    size: str
    videos: tuple[Video, ...]


def playlist_page(playlist: Playlist) -> PlaylistPage:
    """One playlist with its videos in order."""
    return PlaylistPage(
        playlist.id,
        playlist.name or playlist.id,
        videos_words(len(playlist.videos)),
        tuple(_video(video.id, video.title, place) for place, video in enumerate(playlist.videos, start=1)),
    )


def _video(video_id: str, title: str, place: int) -> Video:
    """A video whose id is none of ours is shown without a link."""
    return Video(video_address(video_id), title or video_id, place)


@dataclass(frozen=True)
class DeletionPage:
    """templates/playlists/deletion.html."""

    kept: Kept
    sentence: str
    send: str
    undo: str
    seconds: int
    unconfirmed: bool
    size: str
    videos: tuple[Video, ...]


def deletion_page(deletion: Deletion) -> DeletionPage:
    """One deletion: held with its countdown, or how it ended, always with the kept copy."""
    left = max(0, int((deletion.due_at - timezone.now()).total_seconds() + 0.999))
    return DeletionPage(
        kept=kept(deletion),
        sentence=_sentence(deletion, left),
        send=reverse("playlists:send", args=[deletion.pk]),
        undo=reverse("playlists:undo", args=[deletion.pk]),
        seconds=left,
        unconfirmed=deletion.state == State.UNCONFIRMED,
        size=videos_words(len(deletion.contents)),
        videos=tuple(
            _video(str(item["id"]), str(item["title"]), place) for place, item in enumerate(deletion.contents, start=1)
        ),
    )


def kept(deletion: Deletion) -> Kept:
    """A deletion as a line."""
    state, shape = {
        State.HELD: (_("Waiting"), "queue"),
        State.SENDING: (_("On its way"), "running"),
        State.DONE: (_("Deleted"), "finished"),
        State.UNDONE: (_("Taken back"), "none"),
        State.REFUSED: (_("Not deleted"), "error"),
        State.UNCONFIRMED: (_("Not confirmed"), "unknown"),
    }[State(deletion.state)]
    return Kept(
        address=reverse("playlists:deletion", args=[deletion.pk]),
        name=deletion.name or deletion.playlist_id,
        state=state,
        shape=shape,
        when=words.ago(deletion.ended_at or deletion.due_at),
        waits=deletion.state == State.HELD,
    )


def _sentence(deletion: Deletion, left: int) -> str:
    name = {"name": deletion.name}
    match State(deletion.state):
        case State.HELD if left:
            return ngettext("It leaves in %(count)s second.", "It leaves in %(count)s seconds.", left) % {"count": left}
        case State.HELD:
            return _("The wait is over. It leaves when you say so.")
        case State.DONE:
            return _("“%(name)s” is deleted. Its videos are still there. This copy of its contents is kept.") % name
        case State.UNDONE:
            return _("Taken back. Nothing was sent: “%(name)s” is as it was.") % name
        case State.UNCONFIRMED:
            return f"{deletion.message} " + _("It is not known whether it was deleted.")
        case State.REFUSED:
            return (
                f"{deletion.message} " + _("Nothing was deleted.")
                if deletion.message
                else _("It is still there: nothing was deleted.")
            )
    return _("It is being sent.")
