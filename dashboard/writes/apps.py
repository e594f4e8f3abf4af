"""Every write of the product: stored before it is sent, sent exactly once, settled once."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class WritesConfig(AppConfig):
    """App of the outbox and of the worker's tasks."""

    name = "dashboard.writes"

    def ready(self) -> None:
        """Let every feature say what it writes and what recurs."""
        autodiscover_modules("writes", "tasks")
