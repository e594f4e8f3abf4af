"""AI subtitles: coverage of the library by language, planning, sending, watching, reading."""

from django.apps import AppConfig


class SubtitlesConfig(AppConfig):
    """App of the AI subtitles."""

    name = "dashboard.subtitles"
