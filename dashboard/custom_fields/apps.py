"""Custom fields: key and value pairs of videos, one by one and from a file."""

from django.utils.translation import gettext_noop

from dashboard import feature


class CustomFieldsConfig(feature.Feature):
    """App of the custom fields."""

    name = "dashboard.custom_fields"
    registers = ("queries", "run_actions", "tasks", "writes")
    places = (feature.Place("library", 40, "custom_fields:custom_fields", gettext_noop("Custom fields"), icon="tag"),)
    actions = (
        feature.Action(70, gettext_noop("Change custom fields from a file"), "custom_fields:changes", "tag"),
        feature.Action(120, gettext_noop("Export custom fields as CSV"), "custom_fields:export", "tag"),
    )
    operation_names = {
        "custom_fields.update": gettext_noop("Custom field changed"),
    }
