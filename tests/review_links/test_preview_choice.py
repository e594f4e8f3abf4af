"""The choice of a preview in chats and emails: copied with the other settings of a link, and noted in Activity."""

from typing import Any

import pytest
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from review_portal.models import ReviewLink

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
CREATE = "/dashboard/review-links/create/"


def is_checked(page: str) -> bool:
    return 'name="allow_preview" checked' in page


def test_recreating_a_link_copies_whether_it_has_a_preview(owner: Client, open_link: str, cast: dict[str, Any]) -> None:
    link = ReviewLink.objects.get(pk=open_link.split("/")[-2])
    form = f"{CREATE}?video={link.video_id}&like={link.pk}"
    assert not is_checked(owner.get(form).content.decode())
    owner.post(f"{open_link}preview/", {"preview": "on"})
    assert is_checked(owner.get(form).content.decode())
    made = owner.post(
        CREATE,
        {"video": str(link.video_id), "name": "Cut 4", "closes": "7", "allow_comment": "on", "allow_preview": "on"},
    )
    assert made.status_code == 302
    again = ReviewLink.objects.get(name="Cut 4")
    assert again.allow_preview
    entry = Entry.objects.get(operation="review_links.create")
    assert (entry.after or {})["allow_preview"] is True


def test_turning_the_preview_on_and_off_is_in_activity_once_each(owner: Client, open_link: str) -> None:
    for choice in ("on", "on", "off"):
        owner.post(f"{open_link}preview/", {"preview": choice})
    entries = Entry.objects.filter(operation="review_links.set_preview").order_by("at")
    assert [(entry.before, entry.after) for entry in entries] == [
        ({"allow_preview": False}, {"allow_preview": True}),
        ({"allow_preview": True}, {"allow_preview": False}),
    ]
    assert {(entry.actor, entry.outcome) for entry in entries} == {("Camila", Outcome.DONE)}
    assert "Link preview changed" in owner.get("/dashboard/activity/").content.decode()
