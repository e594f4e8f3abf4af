"""Playlists: the list, one with its videos, and a deletion that waits before it leaves."""

import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard import clients
from dashboard.playlists import deleting, pages
from dashboard.playlists.forms import DeleteForm
from dashboard.playlists.models import Deletion, State
from dashboard.shared import dry_run
from dashboard.shared.http import OwnerRequest, go, go_to_typed
from dashboard.shared.listing import listing

SHOWN_DELETIONS = 20


@require_safe
def playlists(request: OwnerRequest) -> HttpResponse:
    """Every playlist, filtered by name; deletions that wait and kept copies below."""
    if wanted := request.GET.get("id", "").strip():
        return go_to_typed("playlists:playlist", wanted)
    deletions = list(
        Deletion.objects.filter(account_id=request.account.pk).exclude(state=State.UNDONE)[:SHOWN_DELETIONS]
    )
    listed = listing(clients.platform(request).playlists.list)
    page = pages.playlists_page(listed, deletions, find=request.GET.get("find", ""))
    return render(request, "playlists/playlists.html", {"page": page}, status=listed.status)


@require_safe
def playlist(request: OwnerRequest, playlist_id: str) -> HttpResponse:
    """One playlist and its videos."""
    found = clients.platform(request).playlists.get(playlist_id)
    return render(request, "playlists/playlist.html", {"page": pages.playlist_page(found)})


@require_http_methods(["GET", "POST"])
def delete(request: OwnerRequest, playlist_id: str) -> HttpResponse:
    """What deleting means, and the name to type. Nothing leaves yet: the deletion is held."""
    platform = clients.platform(request)
    found = platform.playlists.get(playlist_id)
    form = DeleteForm(request.POST if request.method == "POST" else None, wanted=found.name)
    context = {"page": pages.playlist_page(found), "form": form}
    if dry_run.asked(request):
        form = DeleteForm(initial={"name": request.POST.get("name", "")}, wanted=found.name)
        shown = dry_run.show(platform.preview(lambda p: p.playlists.delete(playlist_id)))
        return render(request, "playlists/delete.html", {**context, "form": form, "dry_run": shown})
    if form.is_bound and form.is_valid():
        return redirect("playlists:deletion", deleting.hold(request.account.pk, found).pk)
    return render(request, "playlists/delete.html", context, status=422 if form.is_bound else 200)


@require_safe
def deletion(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """A held deletion with its countdown, or how it ended, with the kept copy."""
    page = pages.deletion_page(_deletion_or_404(request, deletion_id))
    return render(request, "playlists/deletion.html", {"page": page})


@require_POST
def send(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """Send a held deletion, or look whether an unconfirmed one happened."""
    found = _deletion_or_404(request, deletion_id)
    if found.state == State.UNCONFIRMED:
        deleting.settle(request, found)
    else:
        deleting.send(request, found)
    return go(request, "playlists:deletion", found.pk)


@require_POST
def undo(request: OwnerRequest, deletion_id: uuid.UUID) -> HttpResponse:
    """Take a held deletion back."""
    found = _deletion_or_404(request, deletion_id)
    deleting.undo(found)
    return go(request, "playlists:deletion", found.pk)


def _deletion_or_404(request: OwnerRequest, deletion_id: uuid.UUID) -> Deletion:
    return get_object_or_404(Deletion, pk=deletion_id, account_id=request.account.pk)
