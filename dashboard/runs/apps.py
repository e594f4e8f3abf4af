"""Runs: one action on many videos, which goes on without a page open."""

from django.utils.translation import gettext_noop

from dashboard import feature


class RunsConfig(feature.Feature):
    """App of the runs."""

    name = "dashboard.runs"
    registers = ("overview_items", "tasks")
    places = (feature.Place("library", 5, "runs:runs", gettext_noop("Runs"), "list"),)
    tallies = {"running": "dashboard.runs.sending.count_running"}
