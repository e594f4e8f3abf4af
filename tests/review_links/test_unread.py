"""A platform that cannot be asked for comments: what is known here is said to be that, and never to be all there is."""

import json
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.sandbox.models import ReviewLink as PlatformLink
from review_portal import imports
from review_portal.models import ReviewLink
from tests.pages import read_page, words_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
LIST = "/dashboard/review-links/"


@pytest.fixture
def link(account: Account, cast: dict[str, Any], settings: Settings) -> ReviewLink:
    """A link of the account, of which no comment was ever read."""
    made = PlatformLink.objects.get(pk=cast["review_links"]["open"])
    found = imports.import_link(account, made.pk, made.video_id)
    assert isinstance(found, ReviewLink)
    settings.PLATFORM_REVIEW_READS = False
    return found


def test_no_page_says_that_there_are_none(owner: Client, link: ReviewLink) -> None:
    video = link.video_id
    for address in (
        LIST, f"{LIST}{link.pk}/", f"{LIST}videos/{video}/", f"{LIST}create/?video={video}", f"{LIST}{link.pk}/print/",
        f"/{link.pk}", f"/{link.pk}/print",
    ):  # fmt: skip
        page = words_of(read_page(owner, address))
        for false in (
            "0 of 30",
            "0/30",
            "No comments yet",
            "Nobody has commented",
            "0 open, 0",
            "0 of 0",
            "No link of this",
        ):
            assert false not in page, (address, false)
    assert "Unknown how many of 30 comments" in words_of(read_page(owner, f"{LIST}{link.pk}/"))


def test_what_was_written_here_is_the_least_there_is(owner: Client, link: ReviewLink) -> None:
    owner.post(f"/{link.pk}/comments", {"user_name": "Ana", "text": "Louder", "time": "0:05"})
    assert link.comments.count() == 1
    assert "At least 1 of 30" in words_of(read_page(owner, f"{LIST}{link.pk}/"))
    assert "≥ 1/30" in words_of(
        read_page(owner, LIST)
    ) and "1 open, 0 resolved here, maybe more on the platform" in words_of(read_page(owner, LIST))
    assert "At least 1 of 30" in words_of(read_page(owner, f"/{link.pk}"))


def test_a_link_whose_closing_time_nobody_told_is_not_called_open(owner: Client, link: ReviewLink) -> None:
    ReviewLink.objects.filter(pk=link.pk).update(expires_at=None)
    badge = owner.get(f"{LIST}{link.pk}/").content.decode().split('class="badge')[1].split("</span>")[0]
    assert "Not known" in badge


def test_files_say_that_comments_may_be_missing(owner: Client, link: ReviewLink) -> None:
    plain = owner.get(f"{LIST}{link.pk}/export.txt").content.decode()
    assert "are not included" in plain and "No comments." not in plain
    assert json.loads(owner.get(f"{LIST}{link.pk}/export.json").content)["complete"] is False
