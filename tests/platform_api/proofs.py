"""Proofs of the assumptions: one function per row, by its name."""

from dataclasses import replace
from datetime import UTC, datetime
from typing import Literal

import httpx
import pytest
from django.test import override_settings

from dashboard.platform_api import errors, vocabulary
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.config import derive_public_hosts
from dashboard.shared.addresses import find_thing
from dashboard.upstream import clients
from tests.platform_api.conftest import Answering, Recorder
from tests.platform_api.operations import CONFIG, LIVE, OPERATIONS, PACKAGE, TEST, VIDEO
from tests.platform_api.proving import ask, is_public, leaves, proves, stays_home


@proves("VIDEO_LIST")
def _(answering: Answering, recorder: Recorder) -> None:
    page = ask(answering, "videos.list", {"videos": [{"id": "1"}], "total": 1, "pages": 1})
    assert leaves(recorder) == "GET /v2/videos?page=1&limit=50"
    assert (len(page.videos), page.total, page.pages) == (1, 1, 1)


@proves("VIDEO_LIST_END")
def _(answering: Answering, recorder: Recorder) -> None:
    page = ask(answering, "videos.list", {"videos": []})
    assert (page.total, page.pages) == (None, None)


@proves("VIDEO_FIELDS")
def _(answering: Answering, recorder: Recorder) -> None:
    told = {"id": "1", "length": 63.5, "storage_size": 9}
    for value in (told, {"video": told}):
        video = ask(answering, "videos.get", value)
        assert (video.length, video.storage_size) == (63.5, 9)


@proves("TWO_IDENTIFIERS")
def _(answering: Answering, recorder: Recorder) -> None:
    video = ask(answering, "videos.get", {"id": VIDEO, "video_external_id": "ext"})
    platform = answering(httpx.Response(200, json={}))
    platform.ai_workflow.read_package("zone", video.external_id, "en")
    assert leaves(recorder).endswith("/zone/ext-ai.en.json")
    assert VIDEO in platform.preview(lambda p: p.lives.start(video.id)).url


@proves("PULLZONE")
def _(answering: Answering, recorder: Recorder) -> None:
    for player in ("https://player-vz-1.tv.example/embed/?v=x", "https://player.example/embed/?v=x&l=vz-1"):
        assert ask(answering, "videos.get", {"id": "1", "video_player": player}).pullzone == "vz-1"


@proves("MP4")
def _(answering: Answering, recorder: Recorder) -> None:
    assert ask(answering, "videos.get", {"id": "1", "video_mp4": "https://f.example/a.mp4"}).mp4_url is not None
    assert ask(answering, "videos.get", {"id": "1"}).mp4_url is None


@proves("SUBTITLES")
def _(answering: Answering, recorder: Recorder) -> None:
    for value in ({"subtitles": [{"srclang": "en"}]}, [{"srclang": "en"}]):
        assert [one.lang for one in ask(answering, "videos.subtitles", value)] == ["en"]
    assert leaves(recorder) == f"GET /v2/subtitles/{VIDEO}"


@proves("SUBTITLE_TEXT")
def _(answering: Answering, recorder: Recorder) -> None:
    assert ask(answering, "videos.read_subtitle", {"vtt": "WEBVTT\n"}) == "WEBVTT\n"
    with pytest.raises(errors.PlatformDown):
        ask(answering, "videos.read_subtitle", {"url": "https://inside.example/"})
    assert all(request.url.host == "api.example" for request in recorder.requests)


@proves("CUSTOM_FIELDS")
def _(answering: Answering, recorder: Recorder) -> None:
    (field,) = ask(answering, "custom_fields.list", [{"id": "1", "key": "Público alvo", "value": "x"}])
    assert field.key == "Público alvo"
    assert vocabulary.FIELD_KEY.fullmatch(field.key) is None


@proves("JOB_LIST")
def _(answering: Answering, recorder: Recorder) -> None:
    told = {"id": "1", "status": "QUEUE"}
    for value in ([told], {"workflows": [told]}, {"data": [told]}, told):
        assert [job.id for job in ask(answering, "ai_workflow.jobs", value)] == ["1"]


@proves("JOB_KINDS")
def _(answering: Answering, recorder: Recorder) -> None:
    (job,) = ask(answering, "ai_workflow.jobs", [{"id": "1", "type": "ALL_TEXT_ITEMS", "status": "PAUSED"}])
    assert (job.type, job.status) == ("ALL_TEXT_ITEMS", "PAUSED")


@proves("PACKAGE_REPLY")
def _(answering: Answering, recorder: Recorder) -> None:
    answering(httpx.Response(204)).ai_workflow.save_package(PACKAGE)
    assert len(recorder.requests) == 1


@proves("PACKAGE_FILE")
def _(answering: Answering, recorder: Recorder) -> None:
    for status in (401, 403, 404):
        with pytest.raises(errors.Missing):
            ask(answering, "ai_workflow.read_package", {}, status)
    assert all("Authorization" not in request.headers for request in recorder.requests)


@proves("PACKAGE_FRESH")
def _(answering: Answering, recorder: Recorder) -> None:
    platform = answering(httpx.Response(200, json={}))
    for _ in range(2):
        platform.ai_workflow.read_package("zone", "ext", "en", fresh=True)
    assert len({request.url for request in recorder.requests}) == 2


@proves("PACKAGE_CONTENT")
def _(answering: Answering, recorder: Recorder) -> None:
    content = {"mindmap": {"anything": [{"deep": None}]}, "later": 1}
    assert ask(answering, "ai_workflow.read_package", content).data == content


@proves("VIDEO_CONFIG")
def _(answering: Answering, recorder: Recorder) -> None:
    ai = {"questions": True, "mindmap": False, "abstract": True, "pdf_generated": True}
    marks = [{"time": "00:01:02.500", "title": "Later"}, {"time": 3, "title": "First"}, {"title": "Never"}, "what"]
    file = {"ai": ai, "subtitles": [{"srclang": "pt-BR"}], "bookMarks": marks, "assistant_id": "a1", "ctas": []}
    config = ask(answering, "public_files.video", file)
    assert config.ai_kinds == {"quiz", "ebook"} and config.has_pdfs is True
    assert [subtitle.lang for subtitle in config.subtitles] == ["pt-BR"]
    assert [(mark.time, mark.title) for mark in config.bookmarks] == [(3.0, "First"), (62.5, "Later")]
    assert config.assistant_id == "a1" and config.extra == {"ctas": []}
    assert ask(answering, "public_files.video", {}).has_pdfs is None
    is_public("public_files.video", answering, recorder)


@proves("PUBLIC_HOSTS")
def _(answering: Answering, recorder: Recorder) -> None:
    assert derive_public_hosts("https://player-vz-1a2b3c4d-5e6.tv.media.example/embed/?v=1") == {
        "config_url": "https://config.tv.media.example",
        "subtitles_url": "https://subtitles.tv.media.example",
        "live_config_url": "https://config-live.tv.media.example",
    }
    assert derive_public_hosts("https://media.example/embed/?v=1") == {}


@proves("TELLING_IDS")
def _(answering: Answering, recorder: Recorder) -> None:
    live = "6c697665-5555-4555-8555-555555555555"
    found = [find_thing(f"the id {identifier}, pasted") for identifier in (live, live.upper(), TEST, VIDEO)]
    assert [thing and thing.kind for thing in found] == ["live", "live", "ab_test", None]


@proves("CREDIT_PRICE")
def _(answering: Answering, recorder: Recorder) -> None:
    entries = [{"id": str(amount), "type": "SUB", "amount": amount} for amount in (8, 19, 0.5)]
    told = ask(answering, "credits.history", {"balance": 340, "history": entries})
    assert [entry.amount for entry in told.history] == [8, 19, 0.5]


@proves("PDF_FILES")
def _(answering: Answering, recorder: Recorder) -> None:
    told = {"Thu, 26 Nov 2026 10:15:00 GMT": datetime(2026, 11, 26, 10, 15, tzinfo=UTC), "long ago": None, "": None}
    for written, moment in told.items():
        headers = {"last-modified": written, "content-encoding": "gzip"} if written else {}
        answer = answering(httpx.Response(200, headers=headers, stream=httpx.ByteStream(b"")))
        assert answer.public_files.document("zone", "ext", "mindmap") == moment
    assert leaves(recorder) == "HEAD /content/zone/ext/mindmap.pdf"
    is_public("public_files.document", answering, recorder)


@proves("COMPARISON_FILE")
def _(answering: Answering, recorder: Recorder) -> None:
    file = {"status": "completed", "videos": ["e1", {"video_external_id": "e2"}], "winner_video_id": "e2"}
    comparison = ask(answering, "public_files.comparison", file)
    assert (comparison.status, comparison.videos, comparison.winner) == ("COMPLETED", ("e1", "e2"), "e2")
    is_public("public_files.comparison", answering, recorder)


@proves("LIVE_FILE")
def _(answering: Answering, recorder: Recorder) -> None:
    live = ask(
        answering, "public_files.live", {"status": "FINISHED_IMPORTED", "title": "Aula", "thumb": "javascript:1"}
    )
    assert (live.status, live.title, live.thumbnail_url) == ("finished_imported", "Aula", None)
    is_public("public_files.live", answering, recorder)


@proves("SUBTITLE_FILE")
def _(answering: Answering, recorder: Recorder) -> None:
    platform = answering(httpx.Response(200, text="WEBVTT\n\n00:00.000 --> 00:02.000\nOi."))
    assert platform.public_files.subtitle("zone", "ext", "pt-BR").endswith("Oi.")
    is_public("public_files.subtitle", answering, recorder)


@proves("LINK_LIST")
def _(answering: Answering, recorder: Recorder) -> None:
    assert [link.id for link in ask(answering, "review_links.list", [{"id": "1", "name": "Cut"}])] == ["1"]
    assert leaves(recorder) == f"GET /v2/video-review/{VIDEO}?action=link"
    stays_home("review_links.list", answering, recorder)


@proves("LINK_READ")
def _(answering: Answering, recorder: Recorder) -> None:
    assert ask(answering, "public_review.read_link", {"id": "1", "name": "Cut 3"}).name == "Cut 3"
    stays_home("public_review.read_link", answering, recorder)


@proves("COMMENT_LIST")
def _(answering: Answering, recorder: Recorder) -> None:
    assert [comment.id for comment in ask(answering, "public_review.comments", [{"id": "1", "text": "x"}])] == ["1"]
    stays_home("public_review.comments", answering, recorder)


@proves("LINK_STATES")
def _(answering: Answering, recorder: Recorder) -> None:
    link = ask(answering, "review_links.create", {"id": "1", "status": "Revoked"})
    assert link.status == "Revoked"
    assert link.status != vocabulary.LinkStatus.ACTIVE


@proves("LETTERS")
def _(answering: Answering, recorder: Recorder) -> None:
    assert vocabulary.LINK_NAME.fullmatch("Versão 3 – final".replace("–", "-"))
    assert vocabulary.USER_NAME.fullmatch("Zoë Ångström 田中")
    assert vocabulary.FIELD_KEY.fullmatch("público")


@proves("COMPARISON_CREATE")
def _(answering: Answering, recorder: Recorder) -> None:
    ask(answering, "comparisons.create", {"id": TEST})
    assert recorder.requests[-1].content == f'{{"name":"Hooks","description":"","video_ids":["{VIDEO}"]}}'.encode()


@proves("COMPARISON_START")
def _(answering: Answering, recorder: Recorder) -> None:
    ask(answering, "comparisons.start", {"id": TEST})
    assert recorder.requests[-1].content == b""


@proves("COMPARISON_FINISH")
def _(answering: Answering, recorder: Recorder) -> None:
    ask(answering, "comparisons.finish", {"id": TEST})
    assert recorder.requests[-1].content == f'{{"winner_video_id":"{VIDEO}"}}'.encode()


@proves("COMPARISON_DELETE")
def _(answering: Answering, recorder: Recorder) -> None:
    ask(answering, "comparisons.delete", {})
    assert leaves(recorder) == "DELETE /v2/comparison"
    assert recorder.requests[-1].content == f'{{"id":"{TEST}"}}'.encode()


@proves("COMPARISON_ANSWER")
def _(answering: Answering, recorder: Recorder) -> None:
    def handle(request: httpx.Request) -> httpx.Response:
        return httpx.Response(200, json={"ok": True} if request.method == "PUT" else {"id": TEST, "name": "read"})

    for change in ("comparisons.start", "comparisons.update", "comparisons.finish"):
        test = OPERATIONS[change].call(answering(handle))
        assert isinstance(test, Comparison)
        assert test.name == "read"
        assert leaves(recorder) == f"GET /v2/comparison/{TEST}"


@proves("COMPARISON_FIELDS")
def _(answering: Answering, recorder: Recorder) -> None:
    test = ask(
        answering, "comparisons.get", {"id": TEST, "status": "completed", "winner": "w", "videos": [VIDEO, {"id": "w"}]}
    )
    assert (test.status, test.winner, [one.video_id for one in test.videos]) == ("COMPLETED", "w", [VIDEO, "w"])


@proves("VARIANT_DATES")
def _(answering: Answering, recorder: Recorder) -> None:
    ask(answering, "analytics.retention", {})
    assert leaves(recorder) == f"GET /retention/{VIDEO}?start_date=2026-01-05&end_date=2026-02-03"


@proves("FUNNEL_READS")
def _(answering: Answering, recorder: Recorder) -> None:
    video = {"id": "v", "front_coordinates": {"x": 1, "y": 2}, "is_first": True}
    (funnel,) = ask(answering, "funnels.list", {"funnels": [{"id": "1", "name": "x", "videos": [video]}]})
    assert (funnel.videos[0].x, funnel.videos[0].y, funnel.videos[0].is_first) == (1.0, 2.0, True)
    assert leaves(recorder) == "GET /v2/funnels"
    assert ask(answering, "folders.funnels", {"id": "f", "funnels": [{"id": "1", "name": "x"}]})[0].name == "x"


@proves("FOLDER_TREE")
def _(answering: Answering, recorder: Recorder) -> None:
    folders = ask(answering, "folders.list", [{"id": "1"}, {"id": "2", "parent_folder_id": "1"}])
    assert [folder.parent_folder_id for folder in folders] == [None, "1"]
    assert "parent_folder_id" not in leaves(recorder)


@proves("FOLDER_STATUS")
def _(answering: Answering, recorder: Recorder) -> None:
    ask(answering, "folders.list", [])
    assert leaves(recorder) == "GET /v2/folders?status=true"


@proves("PLAYLIST_READS")
def _(answering: Answering, recorder: Recorder) -> None:
    for key in ("videos", "playlist_videos"):
        (playlist,) = ask(answering, "playlists.list", {"playlists": [{"id": "1", key: [{"video_id": "v"}]}]})
        assert [video.id for video in playlist.videos] == ["v"]
    assert leaves(recorder) == "GET /v2/playlists"


@proves("ASSISTANT_LIST")
def _(answering: Answering, recorder: Recorder) -> None:
    (one,) = ask(answering, "assistants.list", [{"id": "1", "videos": [{"video_id": "v", "chat_is_visible": True}]}])
    assert one.chat == {"v": True}
    assert leaves(recorder) == "GET /v2/assist-ai"
    with pytest.raises(errors.Missing):
        ask(answering, "assistants.list", {}, 404)


@proves("ASSISTANT_READ")
def _(answering: Answering, recorder: Recorder) -> None:
    videos = [{"video_id": "v", "process_status": "queued"}, {"video_id": "w", "process_status": "ready"}]
    told = {"id": "assistant-1", "name": "Sales", "status": "QUEUED", "videos": videos}
    for value in (told, {"assistant": told}):
        one = ask(answering, "assistants.get", value)
        assert (one.name, one.is_queued, one.processing, one.chat) == ("Sales", True, 1, {})
    assert leaves(recorder) == "GET /v2/assist-ai/assistant_by_id/assistant-1"
    assert not ask(answering, "assistants.get", {"id": "assistant-1", "status": "ready"}).is_queued


@proves("CHAT_REPLY")
def _(answering: Answering, recorder: Recorder) -> None:
    OPERATIONS["assistants.update_chat_visibility"].call(answering(httpx.Response(204)))
    assert recorder.calls[-1].error is None


@proves("TRAFFIC_AUTH")
def _(answering: Answering, recorder: Recorder) -> None:
    choices: tuple[tuple[Literal["bearer", "raw"], str], ...] = (
        ("bearer", "Bearer owner-token"),
        ("raw", "owner-token"),
    )
    for setting, header in choices:
        config = replace(CONFIG, traffic_auth=setting)
        OPERATIONS["analytics.traffic"].call(answering(httpx.Response(200, json={}), config))
        assert recorder.requests[-1].headers["Authorization"] == header


@proves("TRAFFIC_HOST")
def _(answering: Answering, recorder: Recorder) -> None:
    ask(answering, "analytics.traffic", {})
    assert recorder.requests[-1].url.host == "traffic.example"
    alone = {"PLATFORM_EMBEDDED": False, "PLATFORM_BASE_URL": "https://api.example", "PLATFORM_TRAFFIC_URL": ""}
    with override_settings(**alone):
        assert clients.config().traffic_url == "https://api.example"


@proves("ERROR_BODY")
def _(answering: Answering, recorder: Recorder) -> None:
    for body in ({"errMsg": "no", "message": "x"}, {"message": "no", "error": "x"}, {"error": "no"}, "no"):
        with pytest.raises(errors.Refused) as raised:
            ask(answering, "folders.list", body, 400)
        assert raised.value.message == "no"


@proves("SUCCESS")
def _(answering: Answering, recorder: Recorder) -> None:
    assert ask(answering, "custom_fields.update", {"id": "1", "value": "blue"}, 201).value == "blue"


@proves("TOO_LARGE")
def _(answering: Answering, recorder: Recorder) -> None:
    assert vocabulary.REQUEST_BYTES_MOST == 10 * 2**20
    with pytest.raises(errors.Refused) as raised:
        OPERATIONS["ai_workflow.save_package"].call(answering(httpx.Response(413, text="request entity too large")))
    assert (raised.value.status, raised.value.message) == (413, "request entity too large")
    assert len(recorder.requests) == 1, "it is not sent again"


@proves("NO_SUCH_ROUTE")
def _(answering: Answering, recorder: Recorder) -> None:
    for status, message in ((405, ""), (501, ""), (403, "Missing Authentication Token")):
        with pytest.raises(errors.Missing):
            ask(answering, "assistants.list", {"message": message}, status)


@proves("RATE_LIMIT")
def _(answering: Answering, recorder: Recorder) -> None:
    for seconds, tries in (("2", 3), ("3", 1)):
        before = len(recorder.requests)
        with pytest.raises(errors.RateLimited):
            answering(httpx.Response(429, headers={"Retry-After": seconds})).folders.list()
        assert len(recorder.requests) - before == tries


@proves("REDIRECTS")
def _(answering: Answering, recorder: Recorder) -> None:
    with pytest.raises(errors.PlatformDown):
        answering(httpx.Response(308, headers={"Location": "https://elsewhere.example/"})).folders.list()
    assert len(recorder.requests) == 1


@proves("SIZE")
def _(answering: Answering, recorder: Recorder) -> None:
    assert answering(httpx.Response(200, content=b"[" + b" " * 7_999_998 + b"]")).folders.list() == ()
    with pytest.raises(errors.PlatformDown):
        answering(httpx.Response(200, content=b"[" + b" " * 7_999_999 + b"]")).folders.list()


@proves("TIME_ZONE")
def _(answering: Answering, recorder: Recorder) -> None:
    live = ask(answering, "lives.get", {"id": LIVE, "created_at": "2026-01-01T10:00:00"})
    assert live.created_at == datetime(2026, 1, 1, 10, tzinfo=UTC)
