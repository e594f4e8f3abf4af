"""Playlists [2.9, 4.14]; list and get are assumed."""

from django.db.models import Prefetch

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox import serializers
from dashboard.sandbox.http_types import Answer, Refusal, SandboxRequest, as_uuid, bad_request, not_found, ok
from dashboard.sandbox.models import Playlist, PlaylistVideo

_LINKS = Prefetch("links", PlaylistVideo.objects.select_related("video"))


def list_playlists(request: SandboxRequest) -> Answer:
    """GET /playlists: the caller's own."""
    playlists = request.user.playlists.prefetch_related(_LINKS).order_by("-created_at", "id")
    return ok({"playlists": [serializers.playlist(playlist) for playlist in playlists]})


def get(request: SandboxRequest) -> Answer:
    """GET /playlists/{playlist_id}."""
    identifier = as_uuid(request.arguments["playlist_id"])
    playlist = request.user.playlists.prefetch_related(_LINKS).filter(pk=identifier).first() if identifier else None
    if playlist is None:
        raise not_found(Message.PLAYLIST_NOT_FOUND)
    return ok(serializers.playlist(playlist))


def delete(request: SandboxRequest) -> Answer:
    """DELETE /playlists/{playlist_id}: a missing one is a 400, someone else's a 500 [7]. Videos stay."""
    identifier = as_uuid(request.arguments["playlist_id"])
    playlist = Playlist.objects.filter(pk=identifier).first() if identifier else None
    if playlist is None:
        raise bad_request(Message.PLAYLIST_NOT_FOUND)
    if playlist.user_id != request.user.id:
        raise Refusal(500, Message.PLAYLIST_NOT_OWNED)
    playlist.delete()
    return ok({"message": "Playlist deleted"})
