"""Playlists: what they contain, and their deletion."""

from django.apps import AppConfig


class PlaylistsConfig(AppConfig):
    """App of the playlists."""

    name = "dashboard.playlists"
