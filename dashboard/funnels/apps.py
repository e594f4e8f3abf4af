"""Funnels: videos at their places on a board, one of them the entry."""

from django.apps import AppConfig


class FunnelsConfig(AppConfig):
    """App of the funnels."""

    name = "dashboard.funnels"
