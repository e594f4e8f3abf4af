"""Assistants: where their chat is shown."""

from django.apps import AppConfig


class AssistantsConfig(AppConfig):
    """App of the assistants."""

    name = "dashboard.assistants"
