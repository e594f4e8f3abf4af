"""AI content of videos: eBook, mind map and quiz, in every language."""

from django.apps import AppConfig


class AiContentConfig(AppConfig):
    """App of AI content."""

    name = "dashboard.ai_content"

    def ready(self) -> None:
        """Register the writes of resources."""
        from dashboard.ai_content.resources import writes  # noqa: F401  (models are loaded now)
