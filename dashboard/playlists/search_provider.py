"""Playlists in the search: by name."""

from collections.abc import Iterator

from django.utils.translation import gettext_noop

from dashboard.search.registry import Found, find_by_name, finds, read_rows
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest


@finds("playlists", title=gettext_noop("Playlists"), order=80)
def playlists(request: OwnerRequest, query: str) -> Iterator[Found]:
    """By name. Nothing where the platform has no list of them."""
    rows = read_rows(
        request,
        lambda platform: [(playlist.id, playlist.name or playlist.id, "") for playlist in platform.playlists.list()],
    )
    yield from find_by_name(
        (Found(address("playlists:playlist", key), "list", name) for key, name, _note in rows), query
    )
