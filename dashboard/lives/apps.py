"""Lives: schedule, early start, and the way to the air."""

from django.apps import AppConfig


class LivesConfig(AppConfig):
    """App of the lives."""

    name = "dashboard.lives"
