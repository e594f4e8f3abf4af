"""Funnels: videos at their places on a board, one of them the entry."""

from django.utils.translation import gettext_noop

from dashboard import feature


class FunnelsConfig(feature.Feature):
    """App of the funnels."""

    name = "dashboard.funnels"
    registers = ("pages", "writes")
    places = (feature.Place("share", 20, "funnels:funnels", gettext_noop("Funnels"), "funnel"),)
    operation_names = {
        "funnels.add_videos": gettext_noop("Funnel sent"),
    }
    annotated_operations = ("funnels.add_videos",)
