"""One link: its address, its code, what it allows, its comments."""

import re
import uuid
from collections.abc import Callable
from types import ModuleType
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.sandbox.models import ReviewComment, Video
from review_portal.models import ReviewLink
from tests.forgetting import forget
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def here(open_link: str) -> str:
    return open_link


def test_it_shows_the_whole_address_its_code_and_when_it_closes(owner: Client, here: str, cast: dict[str, Any]) -> None:
    page = one_line(owner.get(here).content.decode())
    assert f'value="http://testserver/{cast["review_links"]["open"]}"' in page
    code = re.search(r'<svg[^>]*class="qr".*?</svg>', page, re.S)
    assert code
    assert "style=" not in code[0]
    assert ET.fromstring(code[0]).findtext("title") == "QR code of the review page"
    assert "Closes<b>" in page
    assert "Every reviewer can resolve and reopen comments." in page
    assert "14 of 30 comments used" in page


def test_the_configured_review_address_is_the_public_one(
    owner: Client, here: str, cast: dict[str, Any], settings: Settings
) -> None:
    settings.PLATFORM_REVIEW_URL = "https://review.example/"
    page = owner.get(here).content.decode()
    assert f'value="https://review.example/{cast["review_links"]["open"]}"' in page


@pytest.mark.parametrize("kind", ["svg", "png"])
def test_the_code_can_be_saved(owner: Client, here: str, kind: str) -> None:
    answer = owner.get(f"{here}qr.{kind}")
    assert answer.content.startswith(b"<?xml" if kind == "svg" else b"\x89PNG")
    assert answer.headers["Content-Disposition"].endswith(f'.{kind}"')
    assert owner.get(f"{here}qr.pdf").status_code == 404


def authors(page: str) -> list[str]:
    threads = re.findall(r'<article class="thread.*?</header>', page, re.S)
    return [found[1] for thread in threads if (found := re.search(r'comment__author">([^<]+)<', thread))]


@pytest.mark.parametrize(
    ("query", "count"),
    [({}, 14), ({"show": "open"}, 10), ({"show": "resolved"}, 4), ({"q": "JOAQUIM"}, 2), ({"q": "nothing like it"}, 0)],
)
def test_comments_are_filtered_by_state_and_words(owner: Client, here: str, query: dict[str, str], count: int) -> None:
    assert len(authors(owner.get(here, query).content.decode())) == count


def test_comments_are_filtered_by_person_and_sorted(owner: Client, here: str) -> None:
    by_time = authors(owner.get(here).content.decode())
    newest = authors(owner.get(here, {"sort": "newest"}).content.decode())
    assert sorted(by_time) == sorted(newest)
    assert by_time != newest
    assert set(authors(owner.get(here, {"by": "Lucía Ferrer"}).content.decode())) == {"Lucía Ferrer"}


def test_a_time_leads_to_its_moment_on_the_review_page(owner: Client, here: str, cast: dict[str, Any]) -> None:
    page = owner.get(here).content.decode()
    assert re.search(rf'href="http://testserver/{cast["review_links"]["open"]}\?t=5#c-[0-9a-f-]{{36}}"', page)


def test_words_of_reviewers_are_text(owner: Client, here: str) -> None:
    ReviewComment.objects.filter(time=5, reply_to=None).update(text='"><script>alert(1)</script>')
    forget()
    page = owner.get(here).content.decode()
    assert "&lt;script&gt;alert(1)" in page
    assert "<script>alert" not in page


def test_a_poll_is_204_until_something_is_written(owner: Client, here: str, cast: dict[str, Any]) -> None:
    page = owner.get(here, {"show": "open"}).content.decode()
    found = re.search(r'hx-get="([^"]+news/[^"]+)"', page)
    assert found
    poll = found[1].replace("&amp;", "&")
    assert owner.get(poll).status_code == 204
    ReviewComment.objects.filter(time=5, reply_to=None).update(text="Changed elsewhere", updated_at="2099-01-01T00:00Z")
    forget()
    news = owner.get(poll)
    assert "New comments or changes. Load them" in news.content.decode()
    assert "hx-trigger" not in news.content.decode()
    assert f'href="{here}?show=open"' in news.content.decode()


@pytest.mark.parametrize("path", ["", "news/", "qr.svg", "export.csv", "print/"])
def test_another_account_s_link_is_not_there(
    owner: Client, enter: Callable[[str], Client], here: str, path: str
) -> None:
    assert enter("other").get(here + path).status_code == 404
    assert owner.get(f"/dashboard/review-links/{uuid.uuid4()}/{path}").status_code == 404


@pytest.mark.parametrize("path", ["", "news/", "qr.svg", "export.csv", "print/"])
def test_without_an_account_it_leads_to_sign_in(here: str, path: str) -> None:
    assert Client().get(here + path).headers["Location"].startswith("/sign-in/")


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 500}, "The platform has trouble of its own."),
        ({"status": 429}, "Too many requests."),
        ({"broken": "refused"}, "The platform cannot be reached right now."),
    ],
)
def test_with_the_platform_away_it_shows_what_is_kept_and_its_age(
    owner: Client, here: str, faults: ModuleType, fault: dict[str, Any], sentence: str
) -> None:
    owner.get(here)
    forget()
    faults.set("*", **fault)
    page = owner.get(here).content.decode()
    assert sentence in page
    assert "You see the comments saved here." in page
    assert len(authors(page)) == 14


def test_a_platform_that_cannot_be_asked_is_said(owner: Client, here: str, settings: Settings) -> None:
    owner.get(here)
    settings.PLATFORM_REVIEW_READS = False
    page = owner.get(here).content.decode()
    assert "This platform does not let Reelroom read comments." in page
    assert len(authors(page)) == 14


def test_a_closed_link_offers_the_same_again(owner: Client, here: str, cast: dict[str, Any]) -> None:
    owner.get("/dashboard/review-links/")
    page = owner.get(f"/dashboard/review-links/{cast['review_links']['expired']}/").content.decode()
    assert "Recreate with these settings" in page
    assert "The link is closed: what was written can still be read there." in page


def test_the_list_for_paper_holds_what_the_page_shows(owner: Client, here: str) -> None:
    page = owner.get(f"{here}print/", {"show": "resolved"}).content.decode()
    assert page.count('class="sheet__item') == 4
    assert "4 of 14 comments shown, 4 of all resolved" in page


@pytest.mark.parametrize("reads", [True, False])
def test_room_that_was_kept_without_chapters_gets_them_when_its_page_is_opened(
    owner: Client, here: str, settings: Settings, reads: bool
) -> None:
    settings.PLATFORM_REVIEW_READS = reads
    link = ReviewLink.objects.get(pk=here.split("/")[-2])
    Video.objects.filter(pk=link.video_id).update(
        bookmarks=[{"time": 0, "title": "Serra"}, {"time": 5, "title": "Colheita"}]
    )
    ReviewLink.objects.filter(pk=link.pk).update(video={k: v for k, v in link.video.items() if k != "bookmarks"})
    for _ in range(2):  # its comments are read first
        owner.get(here)
    assert [mark["title"] for mark in ReviewLink.objects.get(pk=link.pk).video["bookmarks"]] == ["Serra", "Colheita"]
