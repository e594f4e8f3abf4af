"""What chats and mails show of a link: nothing until its owner allows it, and never a comment."""

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.sandbox import models as platform
from review_portal.models import ReviewLink
from tests.conftest import signed_in
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
TAG = re.compile(r'<meta (?:property|name)="(og:[a-z]+|description)" content="([^"]*)">')


@pytest.fixture
def desk(world: World) -> Client:
    return signed_in(Client(), world.token.value)


@pytest.fixture
def reviewer(world: World, desk: Client) -> Reviewer:
    reviewer = Reviewer(world.link(name="Cut 3"), "Priya Nair")
    desk.get("/dashboard/review-links/")  # finds the link
    reviewer.post("A secret remark.")
    return reviewer


def tags(link: object) -> dict[str, str]:
    """The tags that a chat's server reads: a visitor without a cookie."""
    return dict(TAG.findall(Client().get(f"/{link}").content.decode()))


def switch(desk: Client, link: object, to: str) -> None:
    answer = desk.post(f"/dashboard/review-links/{link}/preview/", {"preview": to}, follow=True)
    assert f"Preview is {to}." in answer.content.decode()


def test_link_shows_nothing_until_its_owner_allows_it_and_then_title_length_and_still(
    reviewer: Reviewer, desk: Client
) -> None:
    assert tags(reviewer.link) == {}
    switch(desk, reviewer.link, "on")
    shown, kept = tags(reviewer.link), ReviewLink.objects.get(pk=reviewer.link).video
    assert shown["og:title"] == f"{kept['title']} · Cut 3"
    assert shown["description"] == shown["og:description"]
    assert "Watch the video and comment" in shown["description"].replace("&#x27;", "'")
    assert shown["og:url"] == f"http://testserver/{reviewer.link}"
    assert shown["og:image"] == f"http://testserver{kept['poster']}"
    assert "secret" not in " ".join(shown.values())
    switch(desk, reviewer.link, "off")
    assert tags(reviewer.link) == {}


def test_one_link_says_nothing_of_another_one(world: World, reviewer: Reviewer, desk: Client) -> None:
    other = Reviewer(world.link(name="Second"), "Bruno")
    other.open()
    switch(desk, reviewer.link, "on")
    assert tags(other.link) == {}


@pytest.mark.parametrize("change", [{"status": "inactive"}, {"expires_at": "past"}])
def test_closed_link_shows_nothing(reviewer: Reviewer, desk: Client, change: dict[str, object]) -> None:
    switch(desk, reviewer.link, "on")
    change = {name: timezone.now() - timedelta(days=1) if to == "past" else to for name, to in change.items()}
    for kept in (ReviewLink, platform.ReviewLink):
        kept.objects.filter(pk=reviewer.link).update(**change)
    page = Client().get(f"/{reviewer.link}")
    assert page.status_code in (403, 410)
    assert "og:" not in page.content.decode()


def test_only_the_links_owner_switches_it(reviewer: Reviewer, desk: Client) -> None:
    address = f"/dashboard/review-links/{reviewer.link}/preview/"
    assert Client().post(address, {"preview": "on"})["Location"].startswith("/sign-in/")
    desk.get(f"{address}?preview=on")
    assert not ReviewLink.objects.get(pk=reviewer.link).allow_preview
    studio = platform.Organization.objects.create(name="Other", pullzone="vz-1-1")
    user = platform.User.objects.create(organization=studio, name="Other", email="other@example.org")
    platform.Token.objects.create(value="other-token", user=user)
    stranger = signed_in(Client(), "other-token")
    assert stranger.post(address, {"preview": "on"}).status_code == 404
    assert not ReviewLink.objects.get(pk=reviewer.link).allow_preview
