"""The list: what it shows, how it is narrowed, and what it says when the platform cannot be asked."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from tests.forgetting import forget
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HERE = "/dashboard/review-links/"


def test_it_leads_to_sign_in_without_an_account(client: Client) -> None:
    assert client.get(HERE).headers["Location"].startswith("/sign-in/?next=%2Fdashboard%2Freview-links")


def test_it_takes_in_links_that_were_made_elsewhere_with_their_counts(
    enter: Callable[[str], Client], cast: dict[str, Any]
) -> None:
    page = enter("owner").get(HERE).content.decode()
    for role in ("open", "expired", "inactive", "full"):
        assert f"/dashboard/review-links/{cast['review_links'][role]}/" in page
    assert "10 open, 4 resolved" in page
    assert "30 of 30 used, only replies are possible" in page


def test_another_account_sees_none_of_them(enter: Callable[[str], Client], owner: Client, cast: dict[str, Any]) -> None:
    owner.get(HERE)
    page = enter("other").get(HERE).content.decode()
    for link in cast["review_links"].values():
        assert link not in page


def test_an_account_without_links_is_told_what_a_link_is_for(enter: Callable[[str], Client]) -> None:
    page = enter("trial").get(HERE).content.decode()
    assert "No review links yet" in page
    assert "/dashboard/review-links/create/" in page


def row_of(page: str, link: str) -> bool:
    return f'<a href="/dashboard/review-links/{link}/">' in page


@pytest.mark.parametrize(("state", "role"), [("closed", "expired"), ("inactive", "inactive"), ("open", "open")])
def test_a_state_shows_only_its_links(owner: Client, cast: dict[str, Any], state: str, role: str) -> None:
    page = owner.get(HERE, {"state": state}).content.decode()
    others = set(cast["review_links"]) - {role}
    assert row_of(page, cast["review_links"][role])
    assert not row_of(page, cast["review_links"]["expired" if role != "expired" else "open"])
    assert others


def test_a_video_shows_only_its_links(owner: Client, cast: dict[str, Any]) -> None:
    page = owner.get(HERE, {"video": cast["videos"]["reviewed"]}).content.decode()
    assert row_of(page, cast["review_links"]["open"])
    assert not row_of(page, cast["review_links"]["expired"])


@pytest.mark.parametrize("query", ["cut 3", "SERRA", "film cut"])
def test_words_of_the_link_or_its_video_find_it_whatever_their_case(
    owner: Client, cast: dict[str, Any], query: str
) -> None:
    assert row_of(owner.get(HERE, {"q": query}).content.decode(), cast["review_links"]["open"])


def test_what_matches_nothing_says_so_and_offers_everything(owner: Client) -> None:
    page = owner.get(HERE, {"q": "no such link"}).content.decode()
    assert "No link matches" in page
    assert "Show all links" in page


@pytest.mark.parametrize(
    "query",
    [{"state": "x"}, {"video": "x"}, {"sort": "x"}, {"page": "-1"}, {"page": "99999"}, {"page": "²"}, {"q": "\x00"}],
)
def test_an_address_that_means_nothing_shows_everything(owner: Client, query: dict[str, str]) -> None:
    assert owner.get(HERE, query).status_code == 200


def test_the_order_is_in_the_address_and_said_in_the_heading(owner: Client, cast: dict[str, Any]) -> None:
    page = one_line(owner.get(HERE, {"sort": "open"}).content.decode())
    assert 'aria-sort="descending"><a class="table__sort" href="/dashboard/review-links/?sort=open">' in page
    first = min(cast["review_links"].values(), key=lambda link: page.find(f"/dashboard/review-links/{link}/") % 10**9)
    assert first == cast["review_links"]["full"]


def test_a_platform_that_is_down_leaves_what_is_kept_and_says_so(owner: Client, faults: ModuleType) -> None:
    owner.get(HERE)

    forget()
    faults.set("*", status=503)
    page = owner.get(HERE)
    assert page.status_code == 200
    assert "Cut 3" in page.content.decode()
    assert "Links created elsewhere may be missing below." in page.content.decode()


def test_a_platform_that_cannot_be_asked_is_said_in_words(owner: Client, settings: Settings) -> None:
    settings.PLATFORM_REVIEW_READS = False
    page = owner.get(HERE).content.decode()
    assert "This platform does not let Reelroom read links or comments." in page
    assert "No review links in Reelroom" in page


def test_no_token_is_in_the_page(owner: Client, cast: dict[str, Any]) -> None:
    page = owner.get(HERE).content.decode()
    assert not [token for token in cast["tokens"].values() if token in page]


def test_only_reading_is_possible(owner: Client) -> None:
    assert owner.post(HERE).status_code == 405
