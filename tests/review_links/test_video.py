"""One video over all its links."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.sandbox.models import ReviewComment
from dashboard.sandbox.models import ReviewLink as PlatformLink
from dashboard.upstream import parallel
from review_portal.models import ReviewLink
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def here(cast: dict[str, Any]) -> str:
    return f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/"


def second(cast: dict[str, Any]) -> PlatformLink:
    return PlatformLink.objects.create(
        video_id=cast["videos"]["reviewed"], name="Second", expires_at=timezone.now() + timedelta(days=2)
    )


def test_it_shows_every_link_and_each_comment_once(owner: Client, here: str, cast: dict[str, Any]) -> None:
    link = second(cast)
    page = owner.get(here).content.decode()
    assert f"/dashboard/review-links/{cast['review_links']['open']}/" in page
    assert f"/dashboard/review-links/{link.pk}/" in page
    assert page.count("<article") == 14


def test_comments_of_a_link_that_the_account_did_not_have_are_shown_with_it(
    owner: Client, here: str, cast: dict[str, Any]
) -> None:
    owner.get(here)
    for link in ReviewLink.objects.filter(video_id=cast["videos"]["reviewed"]):
        link.accounts.clear()
    forget()
    with patch.object(parallel, "meanwhile", side_effect=load_now) as meanwhile:
        page = owner.get(here).content.decode()
    assert meanwhile.called
    assert page.count("<article") == 14


def load_now(load: Callable[[], Any]) -> Callable[[], Any]:
    """What a page has loaded before the platform has answered."""
    found = load()
    return lambda: found


def test_a_comment_is_resolved_from_here(owner: Client, here: str) -> None:
    owner.get(here)
    comment = ReviewComment.objects.get(time=5, reply_to=None, text__startswith="The ridge line")
    answer = owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"})
    assert answer.headers["Location"] == f"{here}#c-{comment.pk}"
    comment.refresh_from_db()
    assert comment.status == "resolved"


def test_with_script_the_card_comes_back(owner: Client, here: str) -> None:
    owner.get(here)
    comment = ReviewComment.objects.get(time=5, reply_to=None, text__startswith="The ridge line")
    address = f"{here}comments/{comment.pk}/"
    part = owner.post(address, {"status": "resolved"}, headers={"HX-Request": "true"}).content.decode()
    assert part.count("<article") == 1
    assert "Reopen" in part


def test_a_video_without_links_offers_to_create_one(owner: Client, cast: dict[str, Any]) -> None:
    video = cast["videos"]["plain"]
    page = owner.get(f"/dashboard/review-links/videos/{video}/").content.decode()
    assert "No link of this video yet" in page
    assert f"/dashboard/review-links/create/?video={video}" in page


@pytest.mark.parametrize("path", ["", "export.csv", "print/"])
def test_a_video_of_another_account_is_not_there(
    owner: Client, enter: Callable[[str], Client], here: str, cast: dict[str, Any], path: str
) -> None:
    assert owner.get(f"/dashboard/review-links/videos/{cast['videos']['other_account']}/{path}").status_code == 404
    assert owner.get(f"/dashboard/review-links/videos/{uuid.uuid4()}/{path}").status_code == 404
    owner.get(here)
    assert enter("other").get(here + path).status_code == 404


def test_with_the_platform_away_it_shows_what_is_kept(owner: Client, here: str, faults: ModuleType) -> None:
    owner.get(here)
    forget()
    faults.set("*", status=503)
    page = owner.get(here).content.decode()
    assert "You see the comments saved here." in page
    assert page.count("<article") == 14


def test_without_an_account_it_leads_to_sign_in(here: str) -> None:
    assert Client().get(here).headers["Location"].startswith("/sign-in/")
