"""View models of the playlists templates."""

from dataclasses import dataclass

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.records.playlists import Playlist
from dashboard.playlists import writes
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import video_address
from dashboard.shared.listing import Listing
from dashboard.upstream.single_records import Opened
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.pages import OpenWrite, open_write


@dataclass(frozen=True)
class PlaylistRow:
    """One playlist of the list."""

    address: str
    name: str
    size: str


@dataclass(frozen=True)
class DeletionRow:
    """One deletion: held, or the kept copy of what is gone."""

    address: str
    name: str
    state: str
    shape: str
    when: str
    held: bool


@dataclass(frozen=True)
class PlaylistsPage:
    """templates/playlists/playlists.html."""

    rows: tuple[PlaylistRow, ...]
    deletions: tuple[DeletionRow, ...]
    days: str
    """How long a copy is kept."""
    find: str
    trouble: str
    answer: str
    unlisted: bool


def build_playlists_page(listing: Listing[Playlist], deletions: list[Write], *, find: str = "") -> PlaylistsPage:
    """`find` filters by name."""
    search_text = find.casefold()
    return PlaylistsPage(
        rows=tuple(
            PlaylistRow(reverse("playlists:playlist", args=[p.id]), p.name or p.id, format_size(p))
            for p in listing.found
            if search_text in p.name.casefold()
        ),
        deletions=tuple(build_deletion_row(deletion) for deletion in deletions),
        days=formats.number(settings.RETENTION_DAYS),
        find=find,
        trouble=listing.trouble,
        answer=listing.answer,
        unlisted=listing.unlisted,
    )


def format_video_count(count: int) -> str:
    """12 videos."""
    return ngettext("%(count)s video", "%(count)s videos", count) % {"count": formats.number(count)}


def format_size(playlist: Playlist) -> str:
    """How many videos it has; "" where the platform does not tell."""
    return format_video_count(len(playlist.videos)) if playlist.are_videos_told else ""


@dataclass(frozen=True)
class PlaylistVideo:
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
    """"" where the platform does not tell which videos it has."""
    videos: tuple[PlaylistVideo, ...]
    raw: str
    """What the platform says of its videos, where that cannot be read."""
    copied: bool
    """Whether a copy can be kept: all its videos are known by id and title."""
    unknown: bool
    """Whether the platform shows nothing of it."""
    deletion: str
    """Where its deletion from here is shown, after which nothing can be there any more."""


def build_playlist_page(lookup: Opened[Playlist], deletion: Write | None = None) -> PlaylistPage:
    """One playlist with its videos in order. `deletion`: the one that was done from here."""
    playlist = lookup.record
    return PlaylistPage(
        id=playlist.id,
        name=playlist.name or playlist.id,
        size=format_size(playlist),
        videos=tuple(
            _build_video(video.id, video.title, place) for place, video in enumerate(playlist.videos, start=1)
        ),
        raw=as_it_came(playlist.raw_videos) if playlist.raw_videos is not None else "",
        copied=playlist.are_videos_told and all(video.title for video in playlist.videos),
        unknown=lookup.is_unknown,
        deletion=reverse("playlists:deletion", args=[deletion.pk]) if deletion and lookup.is_unknown else "",
    )


def _build_video(video_id: str, title: str, place: int) -> PlaylistVideo:
    """A video whose id is none of ours is shown without a link."""
    return PlaylistVideo(video_address(video_id), title or video_id, place)


@dataclass(frozen=True)
class DeletionPage:
    """templates/playlists/deletion.html and its polled part."""

    kept: DeletionRow
    sentence: str
    open: OpenWrite | None
    address: str
    progress: str
    send: str
    undo: str
    again: str
    arrived: str
    seconds: int
    """Left of the hold; 0 once it is over."""
    polls: bool
    version: str
    has_copy: bool
    """Whether all videos of the playlist are kept, by id and title."""
    has_list: bool
    """Whether it was known which videos the playlist had."""
    raw: str
    """What the platform said of its videos, where that could not be read."""
    size: str
    videos: tuple[PlaylistVideo, ...]


def build_deletion_page(write: Write) -> DeletionPage:
    """One deletion: held with its countdown, open, or how it ended, always with the kept copy."""
    seconds = _get_seconds_left(write)
    notice = open_write(write)
    before = write.before or {}
    saved_videos, answer = before.get("videos", []), before.get("answer")
    return DeletionPage(
        kept=build_deletion_row(write),
        sentence="" if notice else _format_state(write, seconds),
        open=notice,
        address=reverse("playlists:deletion", args=[write.pk]),
        progress=reverse("playlists:progress", args=[write.pk]),
        send=reverse("playlists:send", args=[write.pk]),
        undo=reverse("playlists:undo", args=[write.pk]),
        again=reverse("playlists:again", args=[write.pk]),
        arrived=reverse("playlists:arrived", args=[write.pk]),
        seconds=seconds,
        polls=write.state in OPEN,
        has_copy=writes.is_copy(write.before),
        has_list=bool(before) and answer is None,
        raw=as_it_came(answer) if answer is not None else "",
        version=f"{write.state}-{write.attempt}-{write.reason}-{bool(seconds):d}-{bool(notice and notice.decide):d}",
        size=format_video_count(len(saved_videos)),
        videos=tuple(
            _build_video(str(item["id"]), str(item["title"]), place) for place, item in enumerate(saved_videos, start=1)
        ),
    )


def _get_seconds_left(write: Write) -> int:
    """Of the hold, rounded up."""
    if write.state != State.HELD or write.attempt or write.due_at is None:
        return 0
    return max(0, int((write.due_at - timezone.now()).total_seconds() + 0.999))


def build_deletion_row(write: Write) -> DeletionRow:
    """A deletion as a line."""
    state, shape = {
        State.HELD: (_("Waiting"), "queue"),
        State.SENDING: (_("Sending"), "running"),
        State.DONE: (_("Deleted"), "finished"),
        State.CANCELLED: (_("Undone"), "none"),
        State.REFUSED: (_("Not deleted"), "error"),
        State.UNCONFIRMED: (_("Not confirmed"), "unknown"),
    }[State(write.state)]
    return DeletionRow(
        address=reverse("playlists:deletion", args=[write.pk]),
        name=write.label or write.subject,
        state=state,
        shape=shape,
        when=formats.ago(write.settled_at or write.ended_at or write.created_at),
        held=write.state == State.HELD,
    )


def _format_state(write: Write, seconds: int) -> str:
    name = {"name": write.label or write.subject}
    match State(write.state):
        case State.HELD if seconds:
            return _("It will be deleted in a few seconds. You can undo this until then.")
        case State.HELD if write.due_at is None:
            return _("Nothing was deleted. Delete the playlist now, or undo.")
        case State.HELD:
            return _("Deleting the playlist. This page updates automatically.")
        case State.DONE if not writes.is_copy(write.before):
            return _("“%(name)s” was deleted. Its videos are still there.") % name
        case State.DONE:
            return (
                _("“%(name)s” was deleted. Its videos are still there, and this copy of its contents is kept.") % name
            )
        case State.CANCELLED:
            return _("Undone: “%(name)s” was not deleted.") % name
    return _format_refusal(write)


def _format_refusal(write: Write) -> str:
    error = write.error
    if error is not None:
        return f"{refusals.explain(error).cause} " + _("Nothing was deleted.")
    if write.message:
        return f"{write.message} " + _("Nothing was deleted.")
    return _("The platform did not receive the request. Nothing was deleted; you can delete the playlist again.")
