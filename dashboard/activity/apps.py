"""Everything that Reelroom changed on the platform: recorded before it is sent, completed after."""

from django.utils.translation import gettext_noop

from dashboard import feature


class ActivityConfig(feature.Feature):
    """App of the activity log."""

    name = "dashboard.activity"
    registers = ("overview_items",)
    places = (feature.Place("library", 60, "activity:activity", gettext_noop("Activity"), icon="log"),)
    actions = (feature.Action(110, gettext_noop("Export activity as CSV"), "activity:export", "log"),)
