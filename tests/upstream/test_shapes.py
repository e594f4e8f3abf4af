"""In whatever shape a read is answered, its page states what the answer states, or says that it cannot read it."""

import uuid
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.platform_api.config import PUBLIC_FILES
from dashboard.sandbox import faults as sandbox_faults
from review_portal import imports
from tests.answering import change_answers
from tests.platform_api.operations import EXAMPLES
from tests.upstream.shaped import FIRST, SECOND, Ask, Read, asking, offences
from tests.upstream.shaped_reads import ONE, TWO, figures, insides, lists, records
from tests.upstream.shapes import COUNTED, INSIDE, LISTS, RECORDS, RESOURCES

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ELSEWHERE = {
    "videos.read_subtitle": "its answer is a text, WebVTT or nothing: tests/platform_api/test_video_records.py",
    "ai_workflow.read_package": "its shape is that of a documented write [4.3]",
    "folders.funnels": "the funnels in it are read like those of a list",
    **dict.fromkeys(PUBLIC_FILES, "files of the player, in its own shape: tests/platform_api/proofs.py"),
    "assistants.get": "what is in it is read like an assistant of the list",
    "public_review.read_link": "no page shows it: what it says is kept, and only where it says something",
}
"""Reads that are not answered in other shapes, with the reason."""
UNTOLD = "Brewing at altitude"


@pytest.fixture
def ask(owner: Client, monkeypatch: pytest.MonkeyPatch) -> Iterator[Ask]:
    """On a platform whose public files add nothing to its answers."""
    sandbox_faults.use_manner(without=frozenset({"public_files.comparison"}))
    yield asking(owner, monkeypatch)
    sandbox_faults.use_manner()


LISTED = (
    "videos.list",
    "folders.list",
    "funnels.list",
    "lives.list",
    "playlists.list",
    "assistants.list",
    "organizations.usage",
    "credits.history",
    "comparisons.list",
    "custom_fields.list",
    "review_links.list",
    "videos.subtitles",
    "ai_workflow.jobs",
    "public_review.comments",
)


@pytest.mark.parametrize("operation", LISTED)
def test_a_list_is_read_or_said_not_to_be_read(operation: str, cast: dict[str, Any], ask: Ask) -> None:
    link, video = uuid.UUID(cast["review_links"]["open"]), uuid.UUID(cast["videos"]["reviewed"])
    imports.import_link(Account.objects.get(), link, video)
    read = lists(cast)[operation]
    assert not offences(ask, read, {name: shape(read.rows, *read.names) for name, shape in LISTS.items()})


RECORDED = ("videos.get", "lives.get", "playlists.get", "funnels.get", "comparisons.get")


@pytest.mark.parametrize("operation", RECORDED)
def test_a_record_is_read_or_said_not_to_be_read(operation: str, cast: dict[str, Any], ask: Ask) -> None:
    read = records(cast)[operation]
    assert not offences(ask, read, {name: shape(read.rows[0], read.names[1]) for name, shape in RECORDS.items()})


@pytest.mark.parametrize(
    "operation",
    ["playlists.get", "playlists.list", "funnels.get", "funnels.list", "comparisons.get", "comparisons.list"],
)
def test_listed_videos_are_read_or_said_not_to_be_read(operation: str, cast: dict[str, Any], ask: Ask) -> None:
    read, group = insides(cast)[operation], insides(cast)[operation].names[0]
    rows = [{"id": FIRST, "title": ONE}, {"id": SECOND, "title": TWO}]
    answers = {name: {**read.around, **shape(rows)} for name, shape in INSIDE.items()}
    answers = {name: {group: [answer]} if group else answer for name, answer in answers.items()}
    assert not offences(ask, read, answers)


@pytest.mark.parametrize("place", ["/dashboard/videos/{}/panels/ai_content/", "/dashboard/ai-content/{}/"])
def test_ai_content_is_read_or_said_not_to_be_read(place: str, cast: dict[str, Any], ask: Ask) -> None:
    video, denials = cast["videos"]["plain"], ("No AI content yet", "No eBook, mind map or quiz yet", "missing")
    read = Read(
        "videos.get",
        place.format(video),
        [],
        sums=("Portuguese",),
        denials=denials,
        unread=("does not report which AI content", "doesn't list the AI content"),
        others={"ai_workflow.read_package": {"abstract": "x"}},
    )
    around = {"id": video, "title": ONE, "video_external_id": "x", "video_player": "https://player-vz-1.example/"}
    answers = {name: {**around, "config": {"ai": {"resources": found}}} for name, found in RESOURCES.items()}
    assert not offences(ask, read, answers)


def test_ai_content_that_is_told_is_not_missing_in_the_library(cast: dict[str, Any], ask: Ask) -> None:
    video, denials = cast["videos"]["plain"], ("eBook missing", "Quiz missing", "Without AI content 1")
    read = Read(
        "videos.get",
        "/dashboard/ai-content/",
        [],
        denials=denials,
        others={"videos.list": [{"id": video, "title": ONE}]},
    )
    around = {"id": video, "title": ONE, "video_external_id": "x"}
    answers = {name: {**around, "config": {"ai": {"resources": found}}} for name, found in RESOURCES.items()}
    assert not offences(ask, read, answers)


COUNTED_READS = (
    "analytics.browser",
    "analytics.referrer",
    "analytics.city",
    "analytics.ranking",
    "analytics.ranking by id",
    "analytics.general",
    "analytics.traffic",
    "analytics.retention",
)


@pytest.mark.parametrize("operation", COUNTED_READS)
def test_figures_are_read_or_said_not_to_be_read(operation: str, cast: dict[str, Any], ask: Ask) -> None:
    found = figures(cast)[operation]
    read = Read(**{**vars(found), "operation": operation.removesuffix(" by id")})
    assert not offences(ask, read, {name: shape(read.rows, read.names[0]) for name, shape in COUNTED.items()})


def test_amounts_are_read_or_said_not_to_be_read(cast: dict[str, Any], ask: Ask) -> None:
    read = figures(cast)["analytics.member_referrals"]
    answers = {name: shape(read.rows[0], "summary") for name, shape in RECORDS.items()}
    assert not offences(ask, read, answers)


def test_languages_of_a_video_whose_ai_content_is_not_told_are_no_gaps_and_not_empty(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, faults: ModuleType
) -> None:
    change_answers(
        monkeypatch, lambda video: {**video, "config": {}} if video["title"] == UNTOLD else video, "videos.get"
    )
    faults.set("public_files.video", status=404)
    page = owner.get("/dashboard/ai-content/").content.decode()
    (row,) = [row for row in page.split("<tr id=")[1:] if f">{UNTOLD}</a>" in row]
    assert "does not report which AI content exists" in row
    assert "nothing" not in row and "missing" not in row
    assert "<td" in row, "other videos have languages, which are columns"


def test_every_read_is_answered_in_every_shape() -> None:
    shaped = {
        name.removesuffix(" by id") for name in (*LISTED, *RECORDED, *COUNTED_READS, "analytics.member_referrals")
    }
    reads = {example.operation for example in EXAMPLES if example.method == "GET"}
    assert shaped | set(ELSEWHERE) == reads
    assert all(len(shapes) >= 12 for shapes in (LISTS, RECORDS, INSIDE, RESOURCES, COUNTED))
