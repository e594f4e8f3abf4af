"""What an answer becomes: every field of the specification, the tolerant readings, and what is kept of the rest."""

import pickle
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from typing import Any

import httpx
import pytest

from dashboard.platform_api import (
    ai_workflow,
    analytics,
    assistants,
    comparisons,
    credits,
    errors,
    folders,
    funnels,
    lives,
    organizations,
    playlists,
    reviews,
    videos,
)
from dashboard.platform_api.ai_workflow import Job, PackageFile
from dashboard.platform_api.comparisons import Comparison, Comparisons
from dashboard.platform_api.folders import Folder
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.lives import Live
from dashboard.platform_api.playlists import Playlist
from dashboard.platform_api.reviews import Comment, ReviewLink
from dashboard.platform_api.videos import CustomField, Video
from tests.platform_api.conftest import Answering
from tests.platform_api.operations import COMMENT, FIELD, FOLDER, FUNNEL, LINK, LIVE, OPERATIONS, PLAYLIST, TEST, VIDEO

WHEN = "2026-03-01T12:30:00.000Z"
THEN = datetime(2026, 3, 1, 12, 30, tzinfo=UTC)
STAMPS = {"created_at": WHEN, "updated_at": "2026-03-01T09:30:00-03:00"}


def result(answering: Answering, operation: str, value: Any) -> Any:
    return OPERATIONS[operation].call(answering(httpx.Response(200, json=value)))


JOB: dict[str, Any] = {
    "id": "job-1",
    "video_id": VIDEO,
    "type": "TRANSLATION",
    "status": "QUEUE",
    "from_lang": "en",
    "to_lang": "pt-BR",
    "metadata": {},
    "created_at": WHEN,
}


class TestJob:
    def test_has_every_field(self, answering: Answering) -> None:
        (job,) = result(answering, "ai_workflow.create", JOB)
        assert (job.id, job.video_id, job.type, job.status) == ("job-1", VIDEO, "TRANSLATION", "QUEUE")
        assert (job.from_lang, job.to_lang, job.metadata, job.created_at) == ("en", "pt-BR", {}, THEN)
        assert dict(job.extra) == {}

    @pytest.mark.parametrize(
        "value", [[JOB], {"workflows": [JOB]}, {"items": [JOB]}, {"data": [JOB]}, {"results": [JOB]}, JOB]
    )
    def test_lists_come_in_every_shape(self, value: Any, answering: Answering) -> None:
        assert [job.id for job in result(answering, "ai_workflow.jobs", value)] == ["job-1"]

    def test_a_transcription_has_no_target(self, answering: Answering) -> None:
        (job,) = result(answering, "ai_workflow.create", {**JOB, "type": "TRANSCRIPTION", "to_lang": None})
        assert job.to_lang is None

    def test_unknown_states_stay_and_known_ones_take_the_specification_s_spelling(self, answering: Answering) -> None:
        value = [{**JOB, "status": "finished"}, {**JOB, "status": "Paused", "type": "DUBBING"}]
        first, second = result(answering, "ai_workflow.jobs", value)
        assert (first.status, second.status, second.type) == ("FINISHED", "Paused", "DUBBING")


class TestPackageFile:
    def test_has_content_text_and_age(self, answering: Answering) -> None:
        text = '{"abstract": "# Título",\n "mindmap": {"x": [1, {"y": null}]}, "z": "kept"}'
        response = httpx.Response(200, text=text, headers={"ETag": '"v7"', "Age": "42"})
        found: PackageFile = OPERATIONS["ai_workflow.read_package"].call(answering(response))  # type: ignore[assignment]
        assert found.data == {"abstract": "# Título", "mindmap": {"x": [1, {"y": None}]}, "z": "kept"}
        assert (found.text, found.etag, found.age) == (text, '"v7"', 42)

    def test_without_cache_headers(self, answering: Answering) -> None:
        found = result(answering, "ai_workflow.read_package", {})
        assert (found.etag, found.age) == ("", None)


def test_a_sub_account_has_every_field(answering: Answering) -> None:
    value = {"status": "creating", "organization_id": "org-1", "name": "Ação & Cia"}
    account = result(answering, "organizations.create_sub_account", value)
    assert (account.status, account.organization_id, account.name) == ("creating", "org-1", "Ação & Cia")


class TestReviewLink:
    JSON: dict[str, Any] = {
        "id": LINK,
        "video_id": VIDEO,
        "name": "Cut 3",
        "status": "active",
        "expires_at": "2026-03-31T00:00:00Z",
        "allow_comment": False,
        "allow_status_edit": False,
        "show_resolved": False,
        **STAMPS,
    }

    def test_has_every_field(self, answering: Answering) -> None:
        link: ReviewLink = result(answering, "review_links.create", self.JSON)
        assert (link.id, link.video_id, link.name, link.status) == (LINK, VIDEO, "Cut 3", "active")
        assert link.expires_at == datetime(2026, 3, 31, tzinfo=UTC)
        assert (link.allow_comment, link.allow_status_edit, link.show_resolved) == (False, False, False)
        assert (link.created_at, link.updated_at, link.url) == (THEN, THEN, None)

    def test_switches_that_are_absent_have_the_specification_s_defaults(self, answering: Answering) -> None:
        link = result(answering, "review_links.create", {"id": LINK})
        assert (link.allow_comment, link.allow_status_edit, link.show_resolved) == (True, True, True)

    def test_the_list_adds_an_address(self, answering: Answering) -> None:
        value = {"links": [{**self.JSON, "url": f"https://review.example/{LINK}"}]}
        assert result(answering, "review_links.list", value)[0].url == f"https://review.example/{LINK}"

    def test_an_expiry_in_milliseconds_is_read_as_well(self, answering: Answering) -> None:
        link = result(answering, "review_links.create", {"id": LINK, "expires_at": 1767225600000})
        assert link.expires_at == datetime(2026, 1, 1, tzinfo=UTC)


class TestComment:
    JSON: dict[str, Any] = {
        "id": COMMENT,
        "video_id": VIDEO,
        "user_name": "Zoë",
        "text": "Faster here",
        "status": "resolved",
        "time": 12,
        "reply_to": None,
        **STAMPS,
    }

    def test_has_every_field(self, answering: Answering) -> None:
        comment: Comment = result(answering, "public_review.create_comment", self.JSON)
        assert (comment.id, comment.video_id, comment.user_name) == (COMMENT, VIDEO, "Zoë")
        assert (comment.text, comment.status, comment.time, comment.reply_to) == ("Faster here", "resolved", 12, None)
        assert (comment.created_at, comment.updated_at) == (THEN, THEN)

    @pytest.mark.parametrize(("time", "read"), [(12.9, 12), ("7", 7), (None, 0), (-3, 0), ("x", 0), (1e300, 0)])
    def test_its_time_is_whole_seconds(self, time: Any, read: int) -> None:
        comment = Comment.from_json({**self.JSON, "time": time})
        assert comment.time == read or (time == 1e300 and comment.time > 0)

    def test_a_status_that_is_absent_is_open(self) -> None:
        assert Comment.from_json({"id": "1"}).status == "open"


class TestComparison:
    JSON: dict[str, Any] = {
        "id": TEST,
        "name": "Hooks",
        "description": "Two openings",
        "status": "COMPLETED",
        "videos": [{"video_id": "v1", "title": "A"}, {"id": "v2", "title": "B"}, VIDEO, 4, None, {}],
        "pullzone": "vz-1",
        "winner": "v2",
        "started_at": WHEN,
        "finished_at": WHEN,
        **STAMPS,
    }

    def test_has_every_field(self, answering: Answering) -> None:
        test: Comparison = result(answering, "comparisons.get", self.JSON)
        assert (test.id, test.name, test.description, test.status) == (TEST, "Hooks", "Two openings", "COMPLETED")
        assert [(one.video_id, one.title) for one in test.videos] == [("v1", "A"), ("v2", "B"), (VIDEO, "")]
        assert (test.are_videos_told, test.size) == (False, None)
        assert (test.pullzone, test.winner) == ("vz-1", "v2")
        assert (test.started_at, test.finished_at, test.created_at, test.updated_at) == (THEN, THEN, THEN, THEN)

    def test_the_list_has_the_zone_beside_the_tests(self, answering: Answering) -> None:
        bare = {key: value for key, value in self.JSON.items() if key != "pullzone"}
        found: Comparisons = result(answering, "comparisons.list", {"comparisons": [bare, {}], "pullzone": "vz-9"})
        assert found.pullzone == "vz-9"
        assert [test.pullzone for test in found.comparisons] == ["vz-9"]

    @pytest.mark.parametrize("winner", [{"id": "v2"}, {"video_id": "v2"}, "v2"])
    @pytest.mark.parametrize("key", ["winner", "winner_id", "winner_video_id"])
    def test_the_winner_is_read_in_any_shape(self, key: str, winner: Any) -> None:
        assert Comparison.from_json({"id": TEST, key: winner}).winner == "v2"

    def test_an_answer_without_the_test_is_followed_by_reading_it(self, answering: Answering) -> None:
        def handle(request: httpx.Request) -> httpx.Response:
            value = {"message": "started"} if request.method == "PUT" else self.JSON
            return httpx.Response(200, json=value)

        assert answering(handle).comparisons.start(TEST).status == "COMPLETED"

    def test_the_zone_beside_a_wrapped_test_is_its_own(self, answering: Answering) -> None:
        value = {"comparison": {"id": TEST}, "pullzone": "vz-3"}
        assert result(answering, "comparisons.finish", value).pullzone == "vz-3"


class TestCustomField:
    JSON: dict[str, Any] = {"id": FIELD, "video_id": VIDEO, "key": "color", "value": "blue", **STAMPS}

    def test_has_every_field(self, answering: Answering) -> None:
        found: CustomField = result(answering, "custom_fields.update", self.JSON)
        assert (found.id, found.video_id, found.key, found.value) == (FIELD, VIDEO, "color", "blue")
        assert (found.created_at, found.updated_at) == (THEN, THEN)

    @pytest.mark.parametrize("wrap", [lambda one: [one], lambda one: {"custom_fields": [one]}])
    def test_a_key_that_could_not_be_written_is_read(self, wrap: Any, answering: Answering) -> None:
        (found,) = result(answering, "custom_fields.list", wrap({**self.JSON, "key": "Público alvo!"}))
        assert found.key == "Público alvo!"


class TestLive:
    @pytest.mark.parametrize("key", ["scheduled_at", "scheduled_time"])
    def test_has_every_field(self, key: str, answering: Answering) -> None:
        value = {
            "id": LIVE,
            "title": "Launch",
            "status": "ONLINE",
            key: WHEN,
            "folder_id": FOLDER,
            "live_player": "https://player.example/l",
            "live_hls": "https://files.example/l.m3u8",
            **STAMPS,
        }
        live: Live = result(answering, "lives.get", value)
        assert (live.id, live.title, live.status, live.scheduled_at) == (LIVE, "Launch", "online", THEN)
        assert (live.folder_id, live.created_at, live.updated_at) == (FOLDER, THEN, THEN)
        assert (live.player_url, live.hls_url) == ("https://player.example/l", "https://files.example/l.m3u8")

    def test_what_lets_anyone_broadcast_is_not_kept(self, answering: Answering) -> None:
        live = result(answering, "lives.get", {"id": LIVE, "stream_key": "s3cret", "rtmp": "rtmp://x", "dvr": True})
        assert dict(live.extra) == {"dvr": True}

    @pytest.mark.parametrize("status", [True, "true", 1])
    def test_start_is_accepted_where_its_status_says_so(self, status: Any, answering: Answering) -> None:
        result(answering, "lives.start", {"status": status})

    @pytest.mark.parametrize("body", [{}, {"status": False}, {"status": "false"}, {"status": 0}, {"status": "later"}])
    def test_start_without_a_true_status_is_unclear(self, body: Any, answering: Answering) -> None:
        with pytest.raises(errors.PlatformDown):
            result(answering, "lives.start", body)


def test_a_funnel_has_its_videos_and_their_places(answering: Answering) -> None:
    value = {
        "id": FUNNEL,
        "name": "Quiz funnel",
        "folder_id": FOLDER,
        "videos": [
            {"id": "v1", "title": "A", "front_coordinates": {"x": "1.5", "y": -2}, "is_first": True, "thumbnail": "t"},
            {"video_id": "v2"},
            {},
        ],
    }
    funnel: Funnel = result(answering, "funnels.get", value)
    assert (funnel.id, funnel.name, funnel.folder_id) == (FUNNEL, "Quiz funnel", FOLDER)
    assert [(one.id, one.title, one.x, one.y, one.is_first) for one in funnel.videos] == [
        ("v1", "A", 1.5, -2.0, True),
        ("v2", "", None, None, False),
    ]
    assert dict(funnel.videos[0].extra) == {"thumbnail": "t"}


class TestFolder:
    JSON: dict[str, Any] = {
        "id": FOLDER,
        "name": "Course",
        "user_id": "u",
        "parent_folder_id": None,
        "status": False,
        "videos_count": "12",
        **STAMPS,
    }

    @pytest.mark.parametrize("wrap", [lambda one: [one], lambda one: {"folders": [one]}])
    def test_lists_come_in_both_documented_shapes(self, wrap: Any, answering: Answering) -> None:
        (folder,) = result(answering, "folders.list", wrap(self.JSON))
        assert (folder.id, folder.name, folder.user_id, folder.parent_folder_id) == (FOLDER, "Course", "u", None)
        assert (folder.active, folder.videos_count) == (False, 12)
        assert (folder.created_at, folder.updated_at) == (THEN, THEN)

    @pytest.mark.parametrize(
        ("count", "read"), [("12", 12), (12, 12), (None, None), ("many", None), ("9" * 5000, None)]
    )
    def test_the_count_is_a_string_or_a_number(self, count: Any, read: int | None) -> None:
        assert Folder.from_json({"id": "1", "videos_count": count}).videos_count == read


def test_a_playlist_has_its_videos(answering: Answering) -> None:
    links = [{"id": "link", "video_id": "v1", "title": "A"}, {"id": "v2"}, 7]
    value = {"id": PLAYLIST, "name": "Week 1", "videos": links}
    playlist: Playlist = result(answering, "playlists.get", value)
    assert (playlist.id, playlist.name) == (PLAYLIST, "Week 1")
    assert [(one.id, one.title) for one in playlist.videos] == [("v1", "A"), ("v2", "")]


def test_a_link_without_its_video_is_none(answering: Answering) -> None:
    links = [{"id": "link", "video_id": "v1"}, {"id": "other link", "order": 2}]
    playlist: Playlist = result(answering, "playlists.get", {"id": PLAYLIST, "playlist_videos": links})
    assert [one.id for one in playlist.videos] == ["v1"]
    assert (playlist.are_videos_told, playlist.raw_videos) == (False, links)


def test_a_video_inside_a_link_is_known_by_its_own_id(answering: Answering) -> None:
    link = {"id": "link", "video": {"id": "v1", "title": "A"}, "front_coordinates": {"x": 1, "y": 2}}
    playlist: Playlist = result(answering, "playlists.get", {"id": PLAYLIST, "videos": [link]})
    assert [(one.id, one.title) for one in playlist.videos] == [("v1", "A")]
    funnel: Funnel = result(answering, "funnels.get", {"id": FUNNEL, "videos": [link]})
    assert [(one.id, one.title, one.x) for one in funnel.videos] == [("v1", "A", 1.0)]


@pytest.mark.parametrize("told", [{}, {"videos": None}, {"videos": ["v1"]}, {"videos": "many"}])
def test_videos_that_cannot_be_read_are_not_told(told: Any, answering: Answering) -> None:
    assert not result(answering, "playlists.get", {"id": PLAYLIST, **told}).are_videos_told
    assert not result(answering, "funnels.get", {"id": FUNNEL, **told}).are_videos_told


@pytest.mark.parametrize(
    "shown",
    [
        {"chat": {"v1": True, "v2": False}},
        {"videos": [{"video_id": "v1", "chat_is_visible": True}, {"id": "v2", "chat_is_visible": 0}]},
    ],
)
def test_an_assistant_knows_where_its_chat_is_shown(shown: Any, answering: Answering) -> None:
    (assistant,) = result(answering, "assistants.list", [{"id": "a1", "name": "Tutor", **shown}])
    assert (assistant.id, assistant.name, dict(assistant.chat)) == ("a1", "Tutor", {"v1": True, "v2": False})


def test_a_chat_that_is_not_told_is_not_hidden(answering: Answering) -> None:
    (assistant,) = result(answering, "assistants.list", [{"id": "a1", "videos": [{"video_id": "v1"}, VIDEO]}])
    assert dict(assistant.chat) == {}


class TestTimes:
    @pytest.mark.parametrize(
        ("value", "read"),
        [
            ("2026-03-01T12:30:00Z", THEN),
            ("2026-03-01T12:30:00.000+00:00", THEN),
            ("2026-03-01T09:30:00-03:00", THEN),
            ("2026-03-01 12:30:00", THEN),
            ("2026-03-01", datetime(2026, 3, 1, tzinfo=UTC)),
            (1772368200, THEN),
            (1772368200000, THEN),
            ("1772368200000", None),
            ("tomorrow", None),
            ("0001-01-01T00:00:00+14:00", None),
            ("9999-12-31T23:59:59-14:00", None),
            ("0001-01-01T00:00:00Z", None),
            ("9999-12-31T23:59:59Z", None),
            (10**30, None),
            (-(10**17), None),
            (True, None),
            (None, None),
            ({}, None),
        ],
    )
    def test_are_aware_and_in_utc_or_unknown(self, value: Any, read: datetime | None) -> None:
        found = Job.from_json({"created_at": value}).created_at
        assert found == read
        assert found is None or found.utcoffset() is not None


@pytest.mark.parametrize(
    ("url", "read"),
    [
        ("https://files.example/a", "https://files.example/a"),
        ("HTTP://files.example/a", "HTTP://files.example/a"),
        ("/sandbox/media/a", "/sandbox/media/a"),
        ("javascript:alert(1)", None),
        (" javascript:alert(1)", None),
        ("https://[cdn.example/still.jpg", None),
        ("/media/[1]/é.jpg", "/media/[1]/é.jpg"),
        ("https://bücher.example/still.jpg", "https://bücher.example/still.jpg"),
        ("data:text/html,x", None),
        ("//elsewhere.example/a", None),
        ("/\\elsewhere.example/a", None),
        ("", None),
        (None, None),
    ],
)
def test_an_address_of_another_kind_never_reaches_a_link(url: Any, read: str | None) -> None:
    assert Video.from_json({"id": "1", "thumbnail": url}).thumbnail == read


def test_text_that_no_database_takes_is_replaced(answering: Answering) -> None:
    body = b'{"id": "1", "title": "a\\u0000b\\ud83dc\\ud83c\\udfac", "x\\u0000": NaN}'
    video = OPERATIONS["videos.get"].call(answering(httpx.Response(200, content=body)))
    assert isinstance(video, Video)
    assert video.title == "a\ufffdb\ufffdc🎬"
    assert dict(video.extra) == {"x\ufffd": None}


GROUPS = (
    ai_workflow,
    analytics,
    assistants,
    comparisons,
    credits,
    folders,
    funnels,
    lives,
    organizations,
    playlists,
    reviews,
    videos,
)
RECORDS: list[Any] = [
    kind
    for group in GROUPS
    for name, kind in vars(group).items()
    if name[0] != "_"
    and isinstance(kind, type)
    and kind.__module__ == group.__name__
    and (is_dataclass(kind) or hasattr(kind, "_fields"))
]


@pytest.mark.parametrize("kind", RECORDS)
def test_every_record_is_frozen_and_survives_a_cache(kind: Any) -> None:
    names = [field.name for field in fields(kind)] if is_dataclass(kind) else kind._fields
    one = kind(**dict.fromkeys(names))
    with pytest.raises(AttributeError):
        setattr(one, names[0], "changed")
    assert pickle.loads(pickle.dumps(one)) == one  # noqa: S301  (our own bytes)


def test_records_can_be_hashed_whatever_they_keep(answering: Answering) -> None:
    def one() -> Job:
        return Job.from_json({**JOB, "metadata": {"a": [1]}, "unknown": {}})

    assert len({one(), one()}) == 1
