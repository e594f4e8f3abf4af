"""Overview: what needs the owner now, how it goes, what happened."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class OverviewConfig(AppConfig):
    """App of the overview."""

    name = "dashboard.overview"

    def ready(self) -> None:
        """Let every feature say what waits for the owner."""
        autodiscover_modules("overview_items")
