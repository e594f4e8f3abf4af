"""Videos to choose from: which of them viewers cannot play."""

import uuid
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.platform_api.videos import Video
from dashboard.review_links.writes import CreateReviewLinks
from dashboard.sandbox.models import Video as PlatformVideo
from dashboard.upstream.video_options import build_option
from dashboard.writes.run_actions import RunOrder, Target

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.mark.parametrize(
    ("told", "refused"),
    [
        ({"status": "CONVERTED", "playable": True}, False),
        ({"status": "CONVERTED"}, False),
        ({"status": "CONVERTED", "playable": False}, True),
        ({"status": "DRAFT", "playable": True}, True),
        ({"status": "ARCHIVED", "playable": False}, False),
        ({}, False),
    ],
)
def test_only_what_the_platform_says_refuses_a_video(told: dict[str, Any], refused: bool) -> None:
    option = build_option(Video.from_json({"id": "v", "title": "T", **told}))
    assert bool(option.problem) is refused
    assert bool(option.warning) is (told.get("status") == "ARCHIVED")


def test_a_run_of_review_links_leaves_out_what_viewers_cannot_play(owner: Client, cast: dict[str, Any]) -> None:
    draft, ready = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    PlatformVideo.objects.filter(pk=draft).update(status="DRAFT")
    owner.get("/dashboard/videos/")
    action, account = CreateReviewLinks(), Account.objects.get()
    order = RunOrder(account=account, actor="Ana", options={}, title="", key=str(uuid.uuid4()))
    reasons = action.find_reasons(order, [Target(draft, "A"), Target(ready, "B")])
    assert list(reasons) == [draft] and "only a draft" in action.explain(reasons[draft])
