"""Taking in a link that was made elsewhere."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.sandbox.models import ReviewLink as PlatformLink

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HERE = "/dashboard/review-links/import/"


@pytest.fixture
def made_elsewhere(cast: dict[str, Any]) -> PlatformLink:
    closes = timezone.now() + timedelta(days=2)
    return PlatformLink.objects.create(video_id=cast["videos"]["plain"], name="Made elsewhere", expires_at=closes)


def test_the_video_is_chosen_first_and_a_pasted_address_is_carried_along(owner: Client) -> None:
    page = owner.get(HERE, {"link": "abc"}).content.decode()
    assert "Which video does the link show?" in page
    assert "&amp;link=abc" in page


@pytest.mark.parametrize("form", ["{}", "https://review.example/{}", "https://review.example/{}?t=5#top"])
def test_an_address_or_an_id_takes_it_in(owner: Client, made_elsewhere: PlatformLink, form: str) -> None:
    sent = {"video": str(made_elsewhere.video_id), "link": form.format(made_elsewhere.pk)}
    page = owner.post(HERE, sent, follow=True)
    assert page.redirect_chain[-1][0] == f"/dashboard/review-links/{made_elsewhere.pk}/"
    assert "Made elsewhere" in page.content.decode()


@pytest.mark.parametrize("typed", ["", "not an address", "https://review.example/"])
def test_what_holds_no_id_is_said_at_the_field(owner: Client, cast: dict[str, Any], typed: str) -> None:
    answer = owner.post(HERE, {"video": cast["videos"]["plain"], "link": typed})
    assert answer.status_code == 422
    assert "It ends with an id of 36 characters." in answer.content.decode()
    assert f'value="{typed}"' in answer.content.decode() or not typed


def test_a_link_that_does_not_exist_is_said(owner: Client, cast: dict[str, Any]) -> None:
    answer = owner.post(HERE, {"video": cast["videos"]["plain"], "link": str(uuid.uuid4())})
    assert answer.status_code == 422
    assert "The platform does not have this link." in answer.content.decode()


def test_a_link_of_another_video_is_said(owner: Client, cast: dict[str, Any]) -> None:
    answer = owner.post(HERE, {"video": cast["videos"]["plain"], "link": cast["review_links"]["open"]})
    assert "This link shows another video. Choose that video first." in answer.content.decode()


def test_another_account_s_link_cannot_be_taken(
    enter: Callable[[str], Client], cast: dict[str, Any], made_elsewhere: PlatformLink
) -> None:
    stranger = enter("other")
    sent = {"video": cast["videos"]["other_account"], "link": str(made_elsewhere.pk)}
    assert stranger.post(HERE, sent).status_code == 422
    assert stranger.post(HERE, {**sent, "video": str(made_elsewhere.video_id)}).status_code == 404


def test_a_platform_that_is_down_is_said(owner: Client, made_elsewhere: PlatformLink, faults: ModuleType) -> None:
    faults.set("public_review.read_link", status=500)
    sent = {"video": str(made_elsewhere.video_id), "link": str(made_elsewhere.pk)}
    answer = owner.post(HERE, sent)
    assert answer.status_code == 503
    assert str(made_elsewhere.pk) in answer.content.decode()
    assert "The platform has trouble of its own." in answer.content.decode()


def test_it_leads_to_sign_in_without_an_account(client: Client) -> None:
    assert client.get(HERE).headers["Location"].startswith("/sign-in/")
