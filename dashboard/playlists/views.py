"""Playlists: the list, one with its videos, and a deletion that waits before it leaves."""

import uuid

from django.conf import settings
from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.platform_api.answers import as_it_came
from dashboard.platform_api.errors import BadToken
from dashboard.playlists import writes
from dashboard.playlists.forms import DeleteForm
from dashboard.playlists.pages import Deletion
from dashboard.shared import http
from dashboard.shared.http import OwnerRequest, go, go_to_typed, unchanged
from dashboard.shared.refusals import listing
from dashboard.shared.text import fold
from dashboard.upstream import clients, reads
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.requests import is_current

LISTED_DELETIONS = 20


@require_safe
def playlists(request: OwnerRequest) -> HttpResponse:
    """Every playlist, filtered by name; deletions that wait and kept copies below."""
    if playlist_id := request.GET.get("id", "").strip():
        return go_to_typed("playlists:playlist", playlist_id)
    held = writes.list_deletions(request.account).exclude(state=State.CANCELLED).defer("before")[:LISTED_DELETIONS]
    page = listing(lambda: reads.of(request).get(lambda platform: platform.playlists.list()))
    find = request.GET.get("find", "")
    context = {
        "page": page,
        "playlists": [playlist for playlist in page.found if fold(find) in fold(playlist.name)],
        "deletions": [Deletion(write) for write in held],
        "find": find,
        "days": settings.RETENTION_DAYS,
    }
    return render(request, "playlists/playlists.html", context, status=page.status)


@require_safe
def playlist(request: OwnerRequest, playlist_id: str) -> HttpResponse:
    """One playlist and its videos."""
    lookup = writes.open_playlist(reads.of(request), playlist_id)
    deletion = writes.find_finished_deletion(request.account, playlist_id) if lookup.is_unknown else None
    raw = "" if lookup.record.raw_videos is None else as_it_came(lookup.record.raw_videos)
    context = {"lookup": lookup, "playlist": lookup.record, "deletion": deletion, "raw": raw}
    return render(request, "playlists/playlist.html", context)


@require_http_methods(["GET", "POST"])
def delete(request: OwnerRequest, playlist_id: str) -> HttpResponse:
    """What deleting means, and the name to type. Nothing leaves yet: the deletion is held."""
    key = writes.get_next_key(request.account, playlist_id)
    lookup = writes.open_playlist(reads.anew(request), playlist_id, settings.PAGE_PATIENCE_MS / 1000)
    record = lookup.record
    form = DeleteForm(request.POST if request.method == "POST" else None, playlist=record)
    copied = writes.is_copy(writes.build_copy(record))
    context = {"lookup": lookup, "playlist": record, "copied": copied, "form": form}
    if http.is_dry_run(request):
        form = DeleteForm(initial={"name": request.POST.get("name", "")}, playlist=record)
        preview = http.show_request(clients.platform(request).preview(lambda p: p.playlists.delete(playlist_id)))
        return render(request, "playlists/delete.html", {**context, "form": form, "dry_run": preview})
    if form.is_bound and form.is_valid():
        return redirect("playlists:deletion", writes.hold_deletion(request, lookup, key).pk)
    return render(request, "playlists/delete.html", context, status=422 if form.is_bound else 200)


@require_safe
def deletion(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """A held deletion with its countdown, or how it ended, with the kept copy."""
    deletion = Deletion(_get_deletion_or_404(request, deletion_id))
    return render(request, "playlists/deletion.html", {"deletion": deletion})


@require_safe
def progress(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """The polled part: 204 while nothing changed; without a trigger once the deletion has ended."""
    deletion = Deletion(_get_deletion_or_404(request, deletion_id))
    if request.GET.get("v") == deletion.version:
        return unchanged()
    return render(request, "playlists/_progress.html", {"deletion": deletion})


@require_POST
def send(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """Send a held deletion without waiting any longer."""
    write = outbox.deliver(_get_deletion_or_404(request, deletion_id))
    if isinstance(write.raised, BadToken):
        raise write.raised
    return go(request, "playlists:deletion", write.pk)


@require_POST
def undo(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """Withdraw a held deletion."""
    write = _get_deletion_or_404(request, deletion_id)
    if not outbox.cancel(write) and write.state != State.CANCELLED:
        messages.error(request, _("Too late to undo: the deletion was already sent."))
    return go(request, "playlists:deletion", write.pk)


@require_POST
def arrived(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """The person says that an unconfirmed deletion happened."""
    write = _get_deletion_or_404(request, deletion_id)
    if is_current(request, write):
        outbox.confirm(write)
    return go(request, "playlists:deletion", write.pk)


@require_POST
def again(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """The person says that an unconfirmed deletion did not happen: it is sent once more."""
    write = _get_deletion_or_404(request, deletion_id)
    if is_current(request, write):
        outbox.send_again(write)
    return go(request, "playlists:deletion", write.pk)


def _get_deletion_or_404(request: OwnerRequest, deletion_id: uuid.UUID) -> Write:
    return get_object_or_404(writes.list_deletions(request.account).select_related("account"), pk=deletion_id)
