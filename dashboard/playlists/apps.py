"""Playlists: what they contain, and their deletion."""

from django.utils.translation import gettext_noop

from dashboard import feature


class PlaylistsConfig(feature.Feature):
    """App of the playlists."""

    name = "dashboard.playlists"
    registers = ("overview_items", "writes")
    places = (feature.Place("library", 30, "playlists:playlists", gettext_noop("Playlists"), "list"),)
    operation_names = {
        "playlists.delete": gettext_noop("Playlist deleted"),
    }
