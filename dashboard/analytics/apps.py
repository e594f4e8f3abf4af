"""Analytics: figures of videos and of the account's traffic."""

from django.utils.translation import gettext_noop

from dashboard import feature


class AnalyticsConfig(feature.Feature):
    """App of analytics."""

    name = "dashboard.analytics"
    registers = ("lessons", "tasks", "traffic_history")
    places = (
        feature.Place("measure", 10, "analytics:analytics", gettext_noop("Analytics"), "chart"),
        feature.Place("measure", 20, "analytics:traffic", gettext_noop("Traffic"), "traffic"),
        feature.Place("measure", 25, "analytics:lessons", gettext_noop("Where viewers leave"), "drop"),
    )
