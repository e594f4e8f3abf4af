"""Languages and identifiers that no address can hold, typed or told by the platform: said or shown, never a broken page."""

from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.sandbox.models import Job, Subtitle, Video
from dashboard.subtitles.models import Batch, PlannedCell
from tests.answering import change_answers
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ODD = ("a/b", "/", "../x", "pt\nbr", "?q#", "é%2F", "x" * 300, "<b>")


def statuses(client: Client, *addresses: str) -> dict[str, int]:
    """What each address answers."""
    return {one: client.get(one).status_code for one in addresses}


@pytest.fixture
def odd_video(owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> Video:
    """A video of the platform with subtitles, jobs and AI content in languages of all kinds."""
    video = Video.objects.get(pk=cast["videos"]["with_subtitles"])
    now = timezone.now()
    for odd in ODD:
        Subtitle.objects.create(video=video, lang=odd, label=odd, vtt="WEBVTT\n")
        for outcome in ("FINISHED", "ERROR"):
            Job.objects.create(
                video=video, type="TRANSLATION", from_lang=odd, to_lang=odd,
                created_at=now, starts_at=now, ends_at=now, outcome=outcome, settled=True,
            )  # fmt: skip

    def told(answer: Any) -> Any:
        resources = [{"type": "ebook", "lang": odd} for odd in ODD]
        return answer | {"config": (answer.get("config") or {}) | {"ai": {"resources": resources}}}

    change_answers(monkeypatch, told, "videos.get")
    forget()
    return video


def test_what_the_platform_calls_a_language_breaks_no_page(owner: Client, odd_video: Video) -> None:
    account = Account.objects.get()
    batch = Batch.objects.create(
        account=account, actor="Ana", sent_at=timezone.now(), type="TRANSLATION", tier="pro", from_lang="en"
    )
    for place, odd in enumerate(ODD):
        for status in ("FINISHED", "ERROR", "SKIPPED"):
            PlannedCell.objects.create(
                batch=batch, position=place, video_id=str(odd_video.pk), title="Lesson", kind="translation",
                lang=odd[:20], work=f"{odd[:20]}{status}", status=status,
            )  # fmt: skip
    pk = odd_video.pk
    asked = statuses(
        owner, "/dashboard/", "/dashboard/videos/", f"/dashboard/videos/{pk}/", f"/dashboard/videos/{pk}/panels/subtitles/",
        "/dashboard/subtitles/", f"/dashboard/subtitles/?video={pk}&to_lang=a/b", "/dashboard/subtitles/coverage.csv",
        "/dashboard/subtitles/jobs/", f"/dashboard/subtitles/batches/{batch.pk}/", f"/dashboard/subtitles/videos/{pk}/jobs/",
        "/dashboard/ai-content/", f"/dashboard/ai-content/{pk}/", f"/dashboard/ai-content/{pk}/row/?langs=a/b,en",
        f"/dashboard/ai-content/{pk}/en/", f"/dashboard/videos/{pk}/panels/ai-content/", "/dashboard/activity/",
    )  # fmt: skip
    assert {one: status for one, status in asked.items() if status not in {200, 404}} == {}
    text = owner.get(f"/dashboard/subtitles/videos/{pk}/jobs/").content.decode()
    assert "a/b" in text, "its row is shown"
    assert 'href=""' not in text
    library = owner.get("/dashboard/ai-content/").content.decode()
    assert "a/b" in library and 'href=""' not in library


def test_a_language_typed_into_the_planner_is_a_sentence_at_its_field(owner: Client, cast: dict[str, Any]) -> None:
    video = cast["videos"]["with_subtitles"]
    for odd in ODD[:3]:
        for kind in ("TRANSLATION", "TRANSCRIPTION"):
            form = {"type": kind, "tier": "pro", "from_lang": odd, "to_lang": ["es", odd], "video": video, "check": "1"}
            assert owner.get("/dashboard/subtitles/", form).status_code == 200
            answer = owner.post("/dashboard/subtitles/plan/", {**form, "cell": f"{video}.{odd}"})
            assert answer.status_code == 422, odd
            assert "The platform doesn't support this one." in unescape(answer.content.decode())


def test_an_identifier_that_no_address_holds_is_not_found_or_said(owner: Client) -> None:
    places = {
        "id": ("lives", "playlists", "funnels", "ab-tests"),
        "folder": ("folders", "videos", "subtitles"),
        "video": ("custom-fields", "assistants", "review-links/create"),
    }
    for name, pages in places.items():
        for page in pages:
            for odd in ODD[:5]:
                answer = owner.get(f"/dashboard/{page}/", {name: odd})
                assert answer.status_code in {200, 302, 404, 422}, (page, name, odd)
