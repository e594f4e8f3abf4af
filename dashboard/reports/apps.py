"""Reports: a week against the one before on one printable page, and by e-mail every Monday."""

from django.utils.translation import gettext_noop

from dashboard import feature


class ReportsConfig(feature.Feature):
    """App of the reports."""

    name = "dashboard.reports"
    registers = ("tasks", "weekly")
    places = (feature.Place("measure", 30, "reports:report", gettext_noop("Weekly report"), "book"),)
