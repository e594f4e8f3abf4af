"""A reviewer leaves an address, the owner answers, and the e-mail opens the room at the moment, without script."""

from typing import Any

import pytest
from django.test import Client

from dashboard.notices.models import Subscription
from tests.forms import PlainBrowser
from tests.notices.conftest import MAILBOX, work

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_reviewer_leaves_an_address_and_the_mail_opens_the_room_at_the_moment(
    owner: Client, cast: dict[str, Any]
) -> None:
    link = cast["review_links"]["open"]
    room, desk = PlainBrowser(Client()).open(f"/{link}?t=12"), PlainBrowser(owner)
    room.fill("Your comment", "Hold the cup one beat longer.").fill("Time", "0:12").fill("Your name", "Ana Prado")
    room.press("Post comment").fill("E-mail address", "ana@example").press("Get answers by e-mail")
    assert "This is no e-mail address" in room.text and room.field("E-mail address").value == "ana@example"
    room.fill("E-mail address", "ana@example.com").press("Get answers by e-mail")
    assert "Press the button in the e-mail to a…@example.com" in room.text
    work(2)
    desk.open(f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/")  # the platform says whose link it is
    assert open_mail(desk).follow("Confirm address").press("Confirm address").has("h1", "Your address is confirmed")
    assert Subscription.objects.get().is_on
    desk.open(f"/dashboard/review-links/{link}/").follow("Reply", near="Hold the cup one beat longer.")
    desk.fill("Reply to Ana Prado", "Done in the next cut.").press("Post reply")
    assert "Done in the next cut." in desk.text
    work(0)
    assert "Waiting until" in desk.open(MAILBOX).text
    work(301)
    assert "Done in the next cut." in open_mail(desk).text
    assert desk.follow("Open at 0:12").address.startswith(f"/{link}?t=12")
    open_mail(desk).follow("Stop these e-mails").press("Stop these e-mails")
    assert desk.has("h1", "E-mails are stopped")
    assert "your address was deleted" in room.open("").text


def open_mail(page: PlainBrowser) -> PlainBrowser:
    """The newest mail of the embedded mailbox."""
    page.open(MAILBOX)
    return page.open(next(page.all("iframe")).attrs["src"])
