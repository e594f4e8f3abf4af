"""Videos: the library as a grid or a table, and one video with everything that is known about it."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class VideosConfig(AppConfig):
    """App of the videos."""

    name = "dashboard.videos"

    def ready(self) -> None:
        """Let every feature say what it knows about one video."""
        autodiscover_modules("video_panel")
