"""Videos, pages of them and their subtitles, in every shape in which they may come."""

from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from dashboard.platform_api import errors
from dashboard.platform_api.videos import Video, VideoPage
from tests.platform_api.conftest import Answering
from tests.platform_api.operations import FOLDER, OPERATIONS, VIDEO

WHEN = "2026-03-01T12:30:00.000Z"
THEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
STAMPS = {"created_at": WHEN, "updated_at": "2026-03-01T09:30:00-03:00"}


def result(answering: Answering, operation: str, value: Any) -> Any:
    return OPERATIONS[operation].call(answering(httpx.Response(200, json=value)))


VIDEO_JSON = {
    "id": VIDEO,
    "video_external_id": "ext-1",
    "title": "Intro.mp4",
    "description": None,
    "status": "CONVERTED",
    "folder_id": FOLDER,
    "library_id": "lib",
    "live_id": None,
    "length": 63.573333,
    "width": 1920,
    "height": 1080,
    "storage_size": 123456789,
    "playable": True,
    "playback": ["240p", "720p"],
    "thumbnail": "https://files.example/t.jpg",
    "preview": "https://files.example/p.webp",
    "video_player": "https://player-vz-1a2b3c4d-5e6.tv.example/embed/?v=ext-1",
    "video_hls": "https://b-vz-1a2b3c4d-5e6.tv.example/ext-1/playlist.m3u8",
    "video_mp4": "/sandbox/media/ext-1/video.mp4",
    "ai_url": "https://files.example/ext-1-ai.json",
    "config": {
        "subtitles": [{"srclang": "pt-BR", "label": "Português", "url": "https://files.example/pt.vtt"}, "?", {}],
        "ai": {"resources": [{"type": "quiz", "lang": "en"}, {"type": "mindmap", "langs": ["en", "es"]}, "ebook"]},
    },
    **STAMPS,
}


class TestVideo:
    def test_has_every_field(self, answering: Answering) -> None:
        video: Video = result(answering, "videos.get", VIDEO_JSON)
        assert (video.id, video.external_id, video.title, video.description) == (VIDEO, "ext-1", "Intro.mp4", "")
        assert (video.status, video.folder_id, video.live_id, video.library_id) == ("CONVERTED", FOLDER, None, "lib")
        assert (video.length, video.width, video.height, video.storage_size) == (63.573333, 1920, 1080, 123456789)
        assert (video.created_at, video.updated_at, video.playable) == (THEN, THEN, True)
        assert video.thumbnail == "https://files.example/t.jpg"
        assert video.preview == "https://files.example/p.webp"
        assert video.player_url == VIDEO_JSON["video_player"]
        assert video.hls_url == VIDEO_JSON["video_hls"]
        assert video.mp4_url == "/sandbox/media/ext-1/video.mp4"
        assert video.ai_url == "https://files.example/ext-1-ai.json"
        assert video.pullzone == "vz-1a2b3c4d-5e6"
        assert [(one.lang, one.label, one.url) for one in video.config_subtitles] == [
            ("pt-BR", "Português", "https://files.example/pt.vtt")
        ]
        assert [(one.kind, one.lang) for one in video.ai_resources] == [
            ("quiz", "en"),
            ("mindmap", "en"),
            ("mindmap", "es"),
            ("ebook", ""),
        ]
        assert set(video.extra) == {"playback", "config"}

    @pytest.mark.parametrize("wrapper", ["video", "data"])
    def test_is_found_in_a_wrapper(self, wrapper: str, answering: Answering) -> None:
        assert result(answering, "videos.get", {wrapper: VIDEO_JSON}).title == "Intro.mp4"

    def test_without_an_id_is_no_video(self, answering: Answering) -> None:
        with pytest.raises(errors.PlatformDown):
            result(answering, "videos.get", {"title": "no id"})

    @pytest.mark.parametrize(
        ("player", "pullzone"),
        [
            ("https://player-vz-1a2b3c4d-5e6.tv.example/embed/?v=x", "vz-1a2b3c4d-5e6"),
            ("https://player.example/embed/?v=x&l=vz-1a2b3c4d-5e6", "vz-1a2b3c4d-5e6"),
            ("https://player.example/embed/?v=x", None),
            ("https://player.example/embed/?l=../../etc", None),
            ("https://[broken/embed/?l=x", None),
            ("", None),
            (7, None),
        ],
    )
    def test_the_zone_is_read_out_of_the_player_s_address(
        self, player: Any, pullzone: str | None, answering: Answering
    ) -> None:
        assert result(answering, "videos.get", {"id": "1", "video_player": player}).pullzone == pullzone

    @pytest.mark.parametrize(
        ("resources", "found"),
        [
            ({"quiz": ["en", "es"]}, [("quiz", "en"), ("quiz", "es")]),
            ({"quiz": {"lang": "en"}}, [("quiz", "en")]),
            ({"kind": "quiz", "language": "en"}, [("quiz", "en")]),
            ([{"name": "ebook", "srclang": "pt-br"}], [("ebook", "pt-br")]),
            (None, []),
            ("quiz", [("quiz", "")]),
            ([7, None, [], {}], []),
        ],
    )
    def test_ai_resources_are_read_in_any_shape(
        self, resources: Any, found: list[tuple[str, str]], answering: Answering
    ) -> None:
        video = result(answering, "videos.get", {"id": "1", "config": {"ai": {"resources": resources}}})
        assert [(one.kind, one.lang) for one in video.ai_resources] == found

    @pytest.mark.parametrize("length", [None, "", "x", -1, True, [], float("1e999")])
    def test_a_length_that_is_none_is_unknown(self, length: Any, answering: Answering) -> None:
        assert Video.from_json({"id": "1", "length": length}).length is None


class TestVideoPage:
    def test_has_totals(self, answering: Answering) -> None:
        page: VideoPage = result(answering, "videos.list", {"pages": 3, "total": "120", "videos": [VIDEO_JSON]})
        assert (page.pages, page.total, [video.id for video in page.videos]) == (3, 120, [VIDEO])

    @pytest.mark.parametrize("value", [[VIDEO_JSON], {"data": [VIDEO_JSON]}, {"data": {"videos": [VIDEO_JSON]}}])
    def test_may_come_without_totals_and_in_other_wrappers(self, value: Any, answering: Answering) -> None:
        page = result(answering, "videos.list", value)
        assert (page.pages, page.total, len(page.videos)) == (None, None, 1)

    def test_elements_that_are_no_video_are_left_out(self, answering: Answering) -> None:
        page = result(answering, "videos.list", {"videos": [None, 7, "x", {}, {"id": None}, VIDEO_JSON]})
        assert len(page.videos) == 1

    def test_no_list_is_platform_down_and_a_null_one_is_empty(self, answering: Answering) -> None:
        with pytest.raises(errors.PlatformDown):
            result(answering, "videos.list", {"total": 3})
        assert result(answering, "videos.list", {"videos": None}).videos == ()


class TestSubtitles:
    @pytest.mark.parametrize("wrap", [lambda one: {"subtitles": [one]}, lambda one: [one]])
    @pytest.mark.parametrize("key", ["srclang", "lang", "language"])
    def test_come_in_both_shapes(self, wrap: Any, key: str, answering: Answering) -> None:
        value = wrap({key: "pt-br", "label": "Português", "src": "https://files.example/a.vtt", "is_auto": True})
        (subtitle,) = result(answering, "videos.subtitles", value)
        assert (subtitle.lang, subtitle.label, subtitle.url) == ("pt-br", "Português", "https://files.example/a.vtt")
        assert dict(subtitle.extra) == {"is_auto": True}

    @pytest.mark.parametrize(
        "content",
        [
            "WEBVTT\n\n00:00.000 --> 00:01.000\nOlá".encode(),
            "\ufeffWEBVTT\n\n00:00.000 --> 00:01.000\nOlá".encode(),
            b'{"lang": "pt", "vtt": "WEBVTT\\n\\n00:00.000 --> 00:01.000\\nOl\\u00e1"}',
            b'"WEBVTT\\n\\n00:00.000 --> 00:01.000\\nOl\\u00e1"',
        ],
    )
    def test_text_is_web_vtt(self, content: bytes, answering: Answering) -> None:
        platform = answering(httpx.Response(200, content=content))
        assert platform.videos.read_subtitle(VIDEO, "pt") == "WEBVTT\n\n00:00.000 --> 00:01.000\nOlá"

    @pytest.mark.parametrize("content", [b"<html>", b"{}", b'{"url": "https://files.example/a.vtt"}', b"1\n00:00 SRT"])
    def test_anything_else_is_not(self, content: bytes, answering: Answering) -> None:
        with pytest.raises(errors.PlatformDown):
            answering(httpx.Response(200, content=content)).videos.read_subtitle(VIDEO, "pt")
