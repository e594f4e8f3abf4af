"""Overview: what needs the owner now, how it goes, what happened."""

from django.utils.translation import gettext_noop

from dashboard import feature


class OverviewConfig(feature.Feature):
    """App of the overview."""

    name = "dashboard.overview"
    places = (feature.Place("", 0, "overview:overview", gettext_noop("Overview"), "home"),)
