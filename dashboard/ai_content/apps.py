"""AI content of videos: eBook, mind map and quiz, in every language."""

from django.apps import AppConfig


class AiContentConfig(AppConfig):
    """App of AI content."""

    name = "dashboard.ai_content"
