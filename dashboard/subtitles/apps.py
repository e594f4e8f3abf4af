"""AI subtitles: coverage of the library by language, planning, sending, watching, reading."""

from django.utils.translation import gettext_noop

from dashboard import feature


class SubtitlesConfig(feature.Feature):
    """App of the AI subtitles."""

    name = "dashboard.subtitles"
    registers = ("messages", "overview_items", "run_actions", "tasks", "writes")
    places = (feature.Place("make", 10, "subtitles:subtitles", gettext_noop("Subtitles"), "subs"),)
    actions = (feature.Action(10, gettext_noop("Make subtitles"), "subtitles:subtitles", "subs"),)
    operation_names = {
        "ai_workflow.create": gettext_noop("Subtitles ordered"),
    }
    tallies = {"jobs": "dashboard.subtitles.models.count_open_jobs"}
