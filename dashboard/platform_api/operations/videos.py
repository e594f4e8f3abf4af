"""Videos and their existing subtitles: the specification only refers to them [4.16]; paths and shapes from gaps."""

from dashboard.platform_api.lists import record
from dashboard.platform_api.records.subtitles import Subtitle, list_subtitles, read_web_vtt
from dashboard.platform_api.records.videos import Video, VideoPage
from dashboard.platform_api.request import Identifier, Request
from dashboard.platform_api.sending import Send


class Videos:
    """The library."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(
        self,
        page: int = 1,
        limit: int = 50,
        title: str | None = None,
        status: str | None = None,
        folder_id: Identifier | None = None,
        root_folder: bool = False,
    ) -> VideoPage:
        """GET {base_url}/videos: one page, from 1. `title` is contained in the title; `root_folder`: in no folder."""
        query = [
            ("page", page),
            ("limit", limit),
            ("title", title or None),
            ("status", status or None),
            ("folder_id", folder_id),
            ("root_folder", 1 if root_folder else None),
        ]
        return self._send(
            Request("videos.list", "GET", ("videos",), query), lambda answer: VideoPage.from_json(answer.json())
        )

    def get(self, video_id: Identifier) -> Video:
        """GET {base_url}/videos/{video_id} [4.3 editing flow, 4.16]."""
        return self._send(
            Request("videos.get", "GET", ("videos", video_id)),
            lambda answer: Video.from_json(record(answer.json(), "video", requested_id=video_id)),
        )

    def subtitles(self, video_id: Identifier) -> tuple[Subtitle, ...]:
        """GET {base_url}/subtitles/{video_id}: the subtitles that exist, AI-generated or uploaded."""
        return self._send(
            Request("videos.subtitles", "GET", ("subtitles", video_id)),
            lambda answer: list_subtitles(answer.json()),
        )

    def read_subtitle(self, video_id: Identifier, lang: str) -> str:
        """GET {base_url}/subtitles/{video_id}/{lang}: the WebVTT text."""
        return self._send(Request("videos.read_subtitle", "GET", ("subtitles", video_id, lang)), read_web_vtt)
