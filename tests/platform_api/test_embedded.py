"""The client against the embedded platform: the two read the same specification and have to agree."""

from datetime import datetime, timedelta
from typing import Any

import pytest

from dashboard.platform_api import Platform, PlatformConfig, errors, open_http
from dashboard.sandbox import clock as sandbox_clock
from dashboard.sandbox.models import AiFile, Assistant, CustomField, Folder, Funnel, Live, Playlist
from dashboard.sandbox.routes import OPERATIONS as SERVED
from dashboard.sandbox.transport import SandboxTransport
from tests.platform_api.operations import END, OPERATIONS, methods
from tests.sandbox.world import NOW, REVIEWER, STRANGER, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

MOUNT = "http://platform.internal/sandbox"
CONFIG = PlatformConfig(
    f"{MOUNT}/api", f"{MOUNT}/data", f"{MOUNT}/traffic", f"{MOUNT}/config", "https://review.example", timeout=1.0
)


@pytest.fixture
def world(db: None, clock: sandbox_clock.Frozen) -> World:
    sandbox_clock.set_clock(sandbox_clock.Frozen(NOW))
    return World().fill()


@pytest.fixture
def platform(world: World) -> Platform:
    return at("owner")


def at(token: str) -> Platform:
    return Platform(CONFIG, open_http(CONFIG, SandboxTransport()), token, sleep=lambda seconds: None)


def test_every_operation_is_served_under_the_same_name() -> None:
    assert methods() <= {operation.name for operation in SERVED}


def test_the_library_and_its_subtitles(platform: Platform, world: World) -> None:
    world.subtitle("pt-BR")
    page = platform.videos.list(title="interview")
    assert (page.total, page.pages, [video.id for video in page.videos]) == (1, 1, [str(world.video.id)])
    video = platform.videos.get(world.video.id)
    assert (video.external_id, video.length) == (str(world.video.external_id), 90.0)
    assert video.pullzone == world.owner.pullzone
    assert [one.lang for one in video.config_subtitles] == ["pt-BR"]
    assert [one.lang for one in platform.videos.subtitles(video.id)] == ["pt-BR"]
    assert platform.videos.read_subtitle(video.id, "pt-BR").startswith("WEBVTT\n\n00:00.000")
    with pytest.raises(errors.Missing):
        platform.videos.get(world.other_video.id)


def test_subtitles_are_ordered_and_followed(platform: Platform, world: World) -> None:
    order = {"type": "TRANSCRIPTION", "video_id": str(world.video.id), "from_lang": "en", "tier": "pro"}
    (job,) = platform.ai_workflow.create(order)
    assert [one.id for one in platform.ai_workflow.jobs(world.video.id)] == [job.id]
    with pytest.raises(errors.Refused) as raised:
        platform.ai_workflow.create(order)
    assert raised.value.message.startswith("There is already a transcription work in progress")
    world.subtitle("en")
    batch = [{**order, "type": "TRANSLATION", "to_lang": lang} for lang in ("es", "pt-BR")]
    assert [one.to_lang for one in platform.ai_workflow.create(batch)] == ["es", "pt-BR"]


def test_content_is_saved_and_read_back(platform: Platform, world: World) -> None:
    old = {"abstract": "# Old"}
    AiFile.objects.create(video=world.video, lang="en", content=old, written_at=NOW, published_at=NOW)
    payload = {"video_id": str(world.video.id), "lang": "en", "abstract": "# Hi", "abstract_html": "<h1>Hi</h1>"}
    platform.ai_workflow.save_package(payload)
    found = platform.ai_workflow.read_package(world.owner.pullzone, str(world.video.external_id), "en", fresh=True)
    assert found.data["abstract"] == "# Hi"
    assert found.etag
    assert [(one.kind, one.lang) for one in platform.videos.get(world.video.id).ai_resources] == [("ebook", "en")]
    with pytest.raises(errors.Missing):
        platform.ai_workflow.read_package(world.owner.pullzone, str(world.video.external_id), "es")


def test_a_review_from_link_to_resolved_comment(platform: Platform, world: World) -> None:
    expires = round((NOW + timedelta(days=7)).timestamp() * 1000)
    link = platform.review_links.create(world.video.id, {"link_name": "Cut 3", "expires_at": expires})
    assert link.expires_at == NOW + timedelta(days=7)
    assert [(one.id, bool(one.url)) for one in platform.review_links.list(world.video.id)] == [(link.id, True)]
    public = at("").public_review
    assert public.read_link(link.id, REVIEWER).name == "Cut 3"
    comment = public.create_comment(link.id, REVIEWER, {"text": "Louder", "user_name": "Ana", "time": 10})
    assert [one.text for one in public.comments(link.id, STRANGER)] == ["Louder"]
    with pytest.raises(errors.NotAllowed):
        public.update_comment(link.id, comment.id, STRANGER, {"text": "mine now"})
    assert public.update_comment(link.id, comment.id, STRANGER, {"status": "resolved"}).status == "resolved"


def test_an_ab_test_from_draft_to_deleted(platform: Platform, world: World) -> None:
    ids = [str(world.video.id), str(world.new_video().id)]
    test = platform.comparisons.create({"name": "Hooks", "description": "", "video_ids": ids})
    assert (test.status, [one.video_id for one in test.videos], test.pullzone) == ("DRAFT", ids, world.owner.pullzone)
    assert platform.comparisons.update(test.id, {"name": "Openings"}).name == "Openings"
    assert platform.comparisons.start(test.id).status == "IN_PROGRESS"
    done = platform.comparisons.finish(test.id, {"winner": ids[1]})
    assert (done.status, done.winner) == ("COMPLETED", ids[1])
    assert [one.id for one in platform.comparisons.list().comparisons] == [test.id]
    platform.comparisons.delete(test.id)
    with pytest.raises(errors.Missing):
        platform.comparisons.get(test.id)


def stamps() -> dict[str, datetime]:
    return {"created_at": NOW, "updated_at": NOW}


def test_the_rest_of_the_account(platform: Platform, world: World) -> None:
    user = world.users["owner"]
    folder = Folder.objects.create(organization=world.owner, user=user, name="Course", **stamps())
    assert [(one.name, one.active, one.videos_count) for one in platform.folders.list()] == [("Course", True, 0)]
    field = CustomField.objects.create(video=world.video, key="color", value="red", **stamps())
    assert platform.custom_fields.update(world.video.id, field.id, value="blue").value == "blue"
    assert [(one.key, one.value) for one in platform.custom_fields.list(world.video.id)] == [("color", "blue")]
    funnel = Funnel.objects.create(organization=world.owner, name="Quiz", folder=folder, **stamps())
    video = {"id": str(world.video.id), "front_coordinates": {"x": 10, "y": 20.5}, "is_first": True}
    assert platform.funnels.add_videos(funnel.id, [video])
    assert [(one.x, one.y, one.is_first) for one in platform.funnels.get(funnel.id).videos] == [(10.0, 20.5, True)]
    live = Live.objects.create(organization=world.owner, title="Launch", scheduled_at=NOW, **stamps())
    platform.lives.start(live.id)
    assert (platform.lives.get(live.id).status, platform.lives.get(live.id).scheduled_at) == ("offline", None)
    playlist = Playlist.objects.create(user=user, name="Week 1", **stamps())
    assert [one.name for one in platform.playlists.list()] == ["Week 1"]
    with pytest.raises(errors.NotAllowed):
        at("other").playlists.delete(playlist.id)
    assert platform.playlists.delete(playlist.id)
    with pytest.raises(errors.Missing):
        platform.playlists.delete(playlist.id)
    assistant = Assistant.objects.create(organization=world.owner, name="Tutor", **stamps())
    platform.assistants.update_chat_visibility(assistant.id, world.video.id, visible=True)
    assert [one.chat for one in platform.assistants.list()] == [{str(world.video.id): True}]


def test_a_sub_account_is_created(platform: Platform) -> None:
    payload = {
        "name": "Branch",
        "currency": "brl",
        "phone": "+55 11 5555 0000",
        "tax_id": "52998224725",
        "user": {"name": "Ana", "email": "ana@example.org"},
    }
    assert platform.organizations.create_sub_account(payload).status == "creating"
    with pytest.raises(errors.NotAllowed):
        at("no_permission").organizations.create_sub_account(payload)


@pytest.mark.parametrize("name", [name for name in OPERATIONS if name.startswith("analytics.")])
def test_every_table_of_analytics_is_understood(name: str, platform: Platform, world: World) -> None:
    method = getattr(platform.analytics, name.removeprefix("analytics."))
    of_video = name.removeprefix("analytics.") in ("general", "retention", "traffic")
    days = () if name == "analytics.member_referrals" else (END - timedelta(days=29), END)
    found = method(*([world.video.id] if of_video else []), *days)
    assert found.table is not None


@pytest.mark.parametrize("name", ["analytics.browser", "analytics.city", "analytics.referrer"])
def test_buckets_have_a_label_and_a_time(name: str, platform: Platform) -> None:
    method = getattr(platform.analytics, name.removeprefix("analytics."))
    more: dict[str, Any] = {"country": "BR", "region": "São Paulo"} if name == "analytics.city" else {}
    table = method(END - timedelta(days=3), END, "day", **more).table
    assert table is not None
    assert all(row.at and row.label for row in table.rows)


@pytest.mark.parametrize(
    ("broken", "sent"), [("refused", False), ("dropped", True), ("lost", True), ("hangs", True), ("stalls", True)]
)
def test_a_broken_connection_says_whether_it_may_have_arrived(
    broken: str, sent: bool, platform: Platform, faults: Any
) -> None:
    faults.set("lives.start", broken=broken)
    with pytest.raises(errors.Unreachable) as raised:
        platform.lives.start("00000000-0000-4000-8000-000000000001")
    assert raised.value.sent is sent


def test_the_platform_s_own_wait_is_told(platform: Platform, faults: Any) -> None:
    faults.set("folders.list", status=429, retry_after=30)
    with pytest.raises(errors.RateLimited) as raised:
        platform.folders.list()
    assert raised.value.retry_after == 30
