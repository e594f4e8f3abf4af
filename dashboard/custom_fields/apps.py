"""Custom fields: key and value pairs of videos, one by one and from a file."""

from django.apps import AppConfig


class CustomFieldsConfig(AppConfig):
    """App of the custom fields."""

    name = "dashboard.custom_fields"
