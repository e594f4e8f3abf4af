"""Videos: the library as a grid or a table, and one video with everything that is known about it."""

from django.utils.translation import gettext_noop

from dashboard import feature
from dashboard.platform_api.vocabulary import VideoStatus


class VideosConfig(feature.Feature):
    """App of the videos."""

    name = "dashboard.videos"
    registers = ("detail", "library", "overview_items", "tasks")
    places = (feature.Place("library", 10, "videos:videos", gettext_noop("Videos"), "play"),)
    actions = (
        feature.Action(
            80,
            gettext_noop("Show videos that could not be converted"),
            "videos:videos",
            "play",
            query={"status": VideoStatus.FAILED.value},
        ),
        feature.Action(90, gettext_noop("Show videos in no folder"), "videos:videos", "play", query={"folder": "root"}),
    )
