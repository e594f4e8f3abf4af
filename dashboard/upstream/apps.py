"""What is known of the platform, as an app: it has a table."""

from django.apps import AppConfig


class UpstreamConfig(AppConfig):
    """`dashboard.upstream`."""

    name = "dashboard.upstream"
    label = "upstream"
    default_auto_field = "django.db.models.BigAutoField"
