"""Lives: schedule, early start, and the way to the air."""

from django.utils.translation import gettext_noop

from dashboard import feature


class LivesConfig(feature.Feature):
    """App of the lives."""

    name = "dashboard.lives"
    registers = ("overview_items", "refusals", "search_provider", "writes")
    places = (feature.Place("make", 40, "lives:lives", gettext_noop("Lives"), "live"),)
    actions = (feature.Action(40, gettext_noop("Create live"), "lives:create", "live"),)
    operation_names = {
        "lives.create": gettext_noop("Live created"),
        "lives.start": gettext_noop("Live started"),
        "lives.finish": gettext_noop("Live finished"),
    }
    annotated_operations = ("lives.start",)
