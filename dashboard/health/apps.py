"""Health: how the platform answers."""

from django.utils.translation import gettext_noop

from dashboard import feature


class HealthConfig(feature.Feature):
    """App of the health page."""

    name = "dashboard.health"
    registers = ("tasks",)
    actions = (feature.Action(140, gettext_noop("Open platform health"), "health:health", "chart"),)
