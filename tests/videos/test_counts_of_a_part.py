"""Pages in the middle of a first reading: each count says what it is of, and nothing is told of all; then it is of everything."""

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.analytics.tasks import read_traffic
from dashboard.custom_fields.models import Reading
from dashboard.review_links import inbox_items
from dashboard.review_links import tasks as link_tasks
from dashboard.review_links.models import LinkReading
from dashboard.videos import tasks
from dashboard.videos.models import LibraryReading
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PARTS = [
    ("subtitles/?from_lang=pt-BR&to_lang=fr", r"subtitles of \d+ of 75 videos have been looked up", r"Only gaps \d+ "),
    ("ai-content/", r"AI content was checked for \d+ of 75 videos", r"With gaps \d+ "),
    ("ai-content/?show=gaps", "None found so far|AI content was checked", "No video here|With gaps 1 "),
    ("videos/?q=missing:fr", r"Export \d+\+", r"Export \d+ "),
    ("videos/?q=traffic>10GB", r"videos match so far", "of 75 videos match (?!so far)"),
    ("custom-fields/", r"to \d+ of \d+\+ fields", r"of \d+ fields"),
    ("custom-fields/?find=qqqq", "matches so far", "title matches[.]"),
    ("custom-fields/export.csv", "once the fields of all videos are loaded", "field_id"),
    ("search/?q=qqqq", r"Reading your review links", "Nothing has"),
    ("reports/?about=search:has:quiz", r"Reading your review links: \d+ of 75 videos read", "Nothing needs you"),
    ("review-links/", r"All \d+\+", r"All \d+ "),
    ("", r"\d+\+ things wait for you", r" \d+ things? waits? for you"),
]
"""A page, what it says while a part is read, and what only once all is."""


@pytest.fixture
def partly(owner: Client, monkeypatch: pytest.MonkeyPatch, read_a_run: Callable[[int], None]) -> Account:
    """An account of whose library, links and fields the worker and the pages have read a part."""
    account = Account.objects.get(pk=owner.session["account"])
    LinkReading.objects.all().delete()
    monkeypatch.setattr(link_tasks, "FIRST_VIDEOS", 2)
    for path in ("videos/", "review-links/inbox/"):
        owner.get(f"/dashboard/{path}")
    read(read_a_run, 60)
    owner.post("/dashboard/custom-fields/read/")
    Reading.objects.update(finished_at=None, videos=40)
    return account


def read(read_a_run: Callable[[int], None], calls: int) -> None:
    read_a_run(calls)
    LibraryReading.objects.update(next_at=timezone.now() - timedelta(seconds=1))
    tasks.read_library.call()
    read_a_run(calls // 6 if calls < 1000 else calls)
    LinkReading.objects.update(next_at=None)
    link_tasks.read_links.call()
    if calls >= 1000:
        read_traffic.call()


def text_of(owner: Client, path: str) -> str:
    page = one_line(owner.get(f"/dashboard/{path}", follow=True).content.decode()).split("<main")[-1]
    return " ".join(re.sub(r"<[^>]+>", " ", page).split())


@pytest.mark.parametrize(("path", "says", "tells_of_all"), PARTS)
def test_page_says_what_its_counts_are_of(
    owner: Client, partly: Account, path: str, says: str, tells_of_all: str, read_a_run: Callable[[int], None]
) -> None:
    text = text_of(owner, path)
    assert re.search(says, text, re.IGNORECASE), text
    assert not re.search(tells_of_all, text)
    read(read_a_run, 1000)
    Reading.objects.update(finished_at=timezone.now())
    text = text_of(owner, path)
    assert not re.search(says, text, re.IGNORECASE) and re.search(tells_of_all, text), text


def test_sub_account_that_has_only_just_begun_has_no_number(owner: Client) -> None:
    account = Account.objects.get(pk=owner.session["account"])
    LinkReading.objects.update_or_create(account=account, defaults={"videos": 0, "left": 0, "next_at": None})
    assert inbox_items.count_waiting([account]) == {} and inbox_items.load_waiting(account)[1]
    LinkReading.objects.update(next_at=timezone.now())  # listed once: there is no video
    assert inbox_items.count_waiting([account]) and not inbox_items.load_waiting(account)[1]


def test_reading_that_has_just_begun_is_named_beside_its_bar(owner: Client) -> None:
    LinkReading.objects.all().delete()
    page = one_line(owner.get("/dashboard/").content.decode())
    bar = re.search(r'<progress class="meter"\s*aria-label="Reading your review links">(.*?)</progress>', page)
    assert bar and bar[1] == "Just begun."
