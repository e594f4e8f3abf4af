"""Cuts on the owner's desk: declared on the page of a link and while creating one, moved, removed, and shown in lists."""

import uuid
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox.models import ReviewLink as PlatformLink
from review_portal import cuts, imports
from review_portal.models import Cut, ReviewLink
from tests.pages import read_page
from tests.review_links.test_create import HERE as CREATE
from tests.review_links.test_create import Fill
from tests.review_links.test_create import fill as fill
from tests.review_links.test_create import video as video

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def links(account: Account) -> list[ReviewLink]:
    """Three links of different videos, by the order in which they become cuts."""
    rows = PlatformLink.objects.filter(video__organization__users__name__isnull=False).distinct()
    chosen: dict[uuid.UUID, PlatformLink] = {}
    for row in rows.order_by("created_at"):
        chosen.setdefault(row.video_id, row)
    known = []
    for row in list(chosen.values())[:3]:
        link = imports.import_link(account, row.pk, row.video_id)
        assert isinstance(link, ReviewLink)
        known.append(link)
    return known


def post(owner: Client, link: ReviewLink, **fields: Any) -> Any:
    return owner.post(f"/dashboard/review-links/{link.pk}/cuts/", fields)


def declare(owner: Client, links: list[ReviewLink]) -> None:
    for earlier, later in pairwise(links):
        answer = post(owner, later, do="add", next_of=str(earlier.pk))
        assert answer.url == f"/dashboard/review-links/{later.pk}/#cuts-title"


def order(link: ReviewLink) -> list[uuid.UUID]:
    return [cut.link.pk for cut in cuts.list_cuts(link)]


def test_owner_declares_the_next_cut_on_the_page_of_a_link(owner: Client, links: list[ReviewLink]) -> None:
    assert "This is the next cut of" in read_page(owner, f"/dashboard/review-links/{links[1].pk}/")
    declare(owner, links)
    said = read_page(owner, f"/dashboard/review-links/{links[2].pk}/")
    assert order(links[0]) == [link.pk for link in links]
    assert said.count('class="cut-list__number"') == 3 and "This is the next cut of" not in said
    assert "Reviewers of each cut can open the others" in said


def test_declaring_twice_is_once(owner: Client, links: list[ReviewLink]) -> None:
    declare(owner, links[:2])
    declare(owner, links[:2])
    assert Cut.objects.count() == 2


def test_owner_moves_and_removes_a_cut(owner: Client, links: list[ReviewLink]) -> None:
    declare(owner, links)
    post(owner, links[2], do="earlier")
    assert order(links[0]) == [links[0].pk, links[2].pk, links[1].pk]
    post(owner, links[0], do="later")
    assert order(links[0]) == [links[2].pk, links[0].pk, links[1].pk]
    post(owner, links[0], do="later")
    post(owner, links[0], do="later")  # there is no later place
    assert order(links[0])[-1] == links[0].pk
    post(owner, links[0], do="remove")
    post(owner, links[0], do="remove")
    assert order(links[1]) == [links[2].pk, links[1].pk]
    assert "This is the next cut of" in read_page(owner, f"/dashboard/review-links/{links[0].pk}/")


@pytest.mark.parametrize("chosen", ["", "no-uuid", "3d5bb206-805c-46e0-9274-380d3c1dc660"])
def test_link_that_is_not_the_accounts_is_not_taken(owner: Client, links: list[ReviewLink], chosen: str) -> None:
    assert post(owner, links[1], do="add", next_of=chosen).status_code == 422
    assert not Cut.objects.exists()


def test_refusal_says_what_to_do(
    owner: Client, account: Account, links: list[ReviewLink], series_takes: Callable[[int], None]
) -> None:
    declare(owner, links)
    post(owner, links[0], do="add", next_of=str(links[2].pk))  # from a page that was opened before
    assert "This link is a cut already. Remove it from its series first." in read_page(
        owner, f"/dashboard/review-links/{links[0].pk}/"
    )
    series_takes(3)
    other = PlatformLink.objects.exclude(video_id__in=[link.video_id for link in links]).earliest("created_at")
    fourth = imports.import_link(account, other.pk, other.video_id)
    assert isinstance(fourth, ReviewLink)
    answer = post(owner, fourth, do="add", next_of=str(links[2].pk))
    assert answer.status_code == 422 and 'aria-invalid="true"' in answer.content.decode()
    assert "That series has 3 cuts, the most there can be." in answer.content.decode()


def test_links_of_others_are_not_there_and_who_is_signed_out_signs_in(
    owner: Client, links: list[ReviewLink], stranger: Client
) -> None:
    assert post(stranger, links[1], do="add", next_of=str(links[0].pk)).status_code == 404
    assert post(stranger, links[1], do="remove").status_code == 404
    assert "/sign-in/" in post(Client(), links[1], do="remove").url


@pytest.fixture
def stranger(enter: Any) -> Client:
    client: Client = enter("other")
    return client


def test_lists_say_which_cut_a_link_is(owner: Client, links: list[ReviewLink]) -> None:
    declare(owner, links)
    listed = owner.get("/dashboard/review-links/").content.decode()
    assert all(f"Cut {number} of 3" in listed for number in (1, 2, 3))
    assert "Cut 2 of 3" in owner.get(f"/dashboard/review-links/videos/{links[1].video_id}/").content.decode()


def test_new_link_becomes_the_next_cut_of_the_one_that_was_chosen(
    owner: Client, links: list[ReviewLink], fill: Fill
) -> None:
    assert "This is the next cut of" in owner.get(CREATE, {"video": fill()["video"]}).content.decode()
    form = fill(next_of=str(links[0].pk))
    for _press in range(2):
        assert owner.post(CREATE, form).status_code == 302
    link = ReviewLink.objects.get(name="Cut 4")
    assert order(link) == [links[0].pk, link.pk]


def test_new_link_of_an_unknown_earlier_cut_is_not_created(owner: Client, links: list[ReviewLink], fill: Fill) -> None:
    answer = owner.post(CREATE, fill(next_of=str(uuid.uuid4())))
    assert answer.status_code == 422 and "Choose one of your links." in answer.content.decode()
    assert not PlatformLink.objects.filter(name="Cut 4").exists()


def test_new_link_that_cannot_be_the_next_cut_is_created_and_says_why(
    owner: Client, links: list[ReviewLink], fill: Fill, series_takes: Callable[[int], None]
) -> None:
    declare(owner, links)
    series_takes(3)
    answer = owner.post(CREATE, fill(next_of=str(links[2].pk)), follow=True)
    assert "That series has 3 cuts, the most there can be." in answer.content.decode()
    assert ReviewLink.objects.filter(name="Cut 4").exists() and Cut.objects.count() == 3
