"""Everything that Reelroom changed on the platform: recorded before it is sent, completed after."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class ActivityConfig(AppConfig):
    """App of the activity log."""

    name = "dashboard.activity"

    def ready(self) -> None:
        """Let every feature say how its writes are undone."""
        autodiscover_modules("undo")
