"""Assistants: where their chat is shown."""

from django.utils.translation import gettext_noop

from dashboard import feature


class AssistantsConfig(feature.Feature):
    """App of the assistants."""

    name = "dashboard.assistants"
    registers = ("queries", "run_actions", "writes")
    places = (feature.Place("make", 30, "assistants:assistants", gettext_noop("Assistants"), icon="users"),)
    operation_names = {
        "assistants.update_chat_visibility": gettext_noop("Chat visibility changed"),
    }
