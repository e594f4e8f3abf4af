"""The inbox without script."""

import pytest
from django.test import Client

from dashboard.sandbox.models import ReviewComment
from review_portal.models import ReviewLink
from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_several_comments_are_resolved_and_reopened_and_one_is_answered(owner: Client, seeded: ReviewLink) -> None:
    page = PlainBrowser(owner).open(f"/dashboard/review-links/inbox/?video={seeded.video_id}")
    rows = [one for one in page.all("input") if one.attrs.get("type") == "checkbox" and one.attrs.get("name") == "pick"]
    for box in rows[:2]:
        page.tick(box)
    page.press("Resolve", near="With selected rows")
    assert "Resolved 2 comments." in page.text
    page.press("Undo")
    assert "Reopened 2 comments." in page.text
    row = next(one for one in page.all("a") if "inbox-row__link" in one.attrs.get("class", ""))
    page.open(row.attrs["href"])
    assert page.has("h1", "Inbox") and list(page.all("video"))
    page.fill("Reply as", "Lowered.").press("Reply and resolve")
    assert "Reply posted. Resolved 1 comment." in page.text
    assert ReviewComment.objects.get(text="Lowered.").reply_to.status == "resolved"  # type: ignore[union-attr]  # a reply
    assert next(page.all("textarea")).value == ""
