"""The public review portal."""

from django.apps import AppConfig


class ReviewPortalConfig(AppConfig):
    """App of the portal."""

    name = "review_portal"
