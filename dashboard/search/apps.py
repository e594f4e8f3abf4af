"""Find anything: one search over videos, folders, tests, links, pages and actions, as a page and as a palette."""

from django.apps import AppConfig
from django.utils.module_loading import autodiscover_modules


class SearchConfig(AppConfig):
    """App of the search."""

    name = "dashboard.search"

    def ready(self) -> None:
        """Let every feature say what of its own can be found."""
        autodiscover_modules("search_provider")
