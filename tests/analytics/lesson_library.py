"""A platform with fourteen videos, of which two lose viewers and four cannot be judged; and what is seen of it."""

import csv
import io
import re
from datetime import UTC, datetime, timedelta
from html import unescape
from typing import Any

from django.db.models import F
from django.test import Client

from dashboard.analytics.models import RetentionList, VideoRetention
from dashboard.analytics.tasks import read_retention
from dashboard.platform_api.request import Request
from tests.answering import asked_of

NOW = datetime(2026, 11, 20, 15, 30, tzinfo=UTC)
"""The clock of the pages in tests that need a fixed one."""

LESSONS = "/dashboard/analytics/lessons/"
RUNS = 20
"""After so many of the worker the first reading has to be over."""
OPERATIONS = (
    "analytics.retention",
    "analytics.ranking",
    "videos.list",
    "folders.list",
    "videos.subtitles",
    "videos.read_subtitle",
)
DROP = 210
"""The second from which on three of ten leave the first video."""
COURSE, MODULE = "c0000000-0000-4000-8000-000000000001", "c0000000-0000-4000-8000-000000000002"
VTT = "WEBVTT\n\n03:25.000 --> 03:40.000\nE agora a tabela, <i>linha</i> por linha.\n\n09:00.000 --> 09:05.000\nFim.\n"


def video_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


class Library:
    """A platform with ten videos of ten minutes that are judged, of which the first two lose, and four that are not.

    `fails`: what a read of a video's retention raises. `spoken`: subtitles of every video, by language.
    """

    def __init__(self) -> None:
        self.lengths = dict.fromkeys(map(video_id, range(14)), 600.0)
        self.plays = dict.fromkeys(self.lengths, 400)
        self.ages = dict.fromkeys(self.lengths, 40)
        self.texts = {video_id(0): VTT, video_id(1): "WEBVTT\n\n09:00.000 --> 09:05.000\nFim.\n"}
        self.spoken: dict[str, str] = {}
        self.plays[video_id(0)] = 1_000
        self.plays[video_id(1)] = 900
        self.plays[video_id(10)] = 99
        self.lengths[video_id(11)] = 5_000.0
        self.ages[video_id(12)] = 6
        self.lengths[video_id(13)] = 0.0
        self.fails: dict[str, Exception] = {}
        self.asked: list[str] = []
        self.sent = 0

    def answer(self, request: Request) -> Any:
        self.sent += 1
        return {
            "analytics.retention": self.retention,
            "analytics.ranking": self.ranking,
            "videos.list": self.list,
            "folders.list": lambda _request: {
                "folders": [
                    {"id": COURSE, "name": "Do pé à xícara"},
                    {"id": MODULE, "name": "4 Roasting", "parent_folder_id": COURSE},
                ]
            },
            "videos.subtitles": self.subtitles,
            "videos.read_subtitle": self.read_subtitle,
        }[request.operation](request)

    def retention(self, request: Request) -> Any:
        video = str(request.path[1])
        self.asked.append(video)
        if video in self.fails:
            raise self.fails[video]
        lost = {video_id(0): 30, video_id(1): 20}.get(video, 0)
        seconds = range(0, 601, 5)
        return {
            "retention": {str(second): max(0, 100 - second / 10 - (lost if second > DROP else 0)) for second in seconds}
        }

    def ranking(self, request: Request) -> Any:
        return {
            "data": [{"video_id": video, "title": video, "view": 2 * n, "play": n} for video, n in self.plays.items()]
        }

    def list(self, request: Request) -> Any:
        videos = [
            {
                "id": video,
                "title": f"Film {number}",
                "length": self.lengths[video],
                "folder_id": MODULE if number < 2 else COURSE if number < 4 else None,
                "created_at": (NOW - timedelta(days=self.ages[video] + 1)).isoformat(),
            }
            for number, video in enumerate(self.lengths)
        ]
        return {"videos": videos if int(asked_of(request).get("page", 1)) == 1 else [], "total": len(videos)}

    def subtitles(self, request: Request) -> Any:
        if self.spoken:
            return {"subtitles": [{"lang": lang} for lang in self.spoken]}
        return {"subtitles": [{"lang": "pt-BR", "label": "Português"}] if str(request.path[1]) in self.texts else []}

    def read_subtitle(self, request: Request) -> Any:
        return {"vtt": self.spoken.get(str(request.path[2])) or self.texts[str(request.path[1])]}


def page_of(owner: Client, query: str = "") -> str:
    response = owner.get(f"{LESSONS}{query}")
    assert response.status_code == 200
    return response.content.decode()


def main_of(text: str) -> str:
    plain = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.split("<main")[1].split("</main")[0]))
    return unescape(plain).replace("\u2009", " ")


def rows_of(owner: Client, query: str = "") -> list[dict[str, str]]:
    text = owner.get(f"/dashboard/analytics/lessons.csv{query}").content.decode("utf-8-sig")
    return list(csv.DictReader(io.StringIO(text)))


def progress_of(owner: Client, version: str = "") -> Any:
    return owner.get(f"{LESSONS}progress/?v={version}")


def later(minutes: float) -> None:
    RetentionList.objects.exclude(next_at=None).update(next_at=F("next_at") - timedelta(minutes=minutes))
    waiting = VideoRetention.objects.exclude(line_next_at=None)
    waiting.update(line_next_at=F("line_next_at") - timedelta(minutes=minutes))


def read_everything() -> None:
    """The worker reads until the videos are compared and their lines are there."""
    for _run in range(RUNS):
        RetentionList.objects.update(next_at=None)
        if not read_retention.call() and RetentionList.objects.exclude(judged_at=None).exists():
            return
    raise AssertionError("the first reading does not end")
