"""While the library is looked through for the first time, every count says what it is of; then it is of everything."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import Missing
from dashboard.review_links import inbox_items, tasks
from dashboard.review_links.models import LinkReading
from dashboard.sandbox.models import ReviewLink as PlatformLink
from dashboard.sandbox.models import Video
from dashboard.writes.library_refresh import due
from review_portal.models import ReviewLink
from tests.answering import answer_with
from tests.forgetting import make_old
from tests.pages import read_page, words_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SO_FAR = "read so far"


@pytest.fixture
def fresh(owner: Client, monkeypatch: pytest.MonkeyPatch) -> Account:
    """An account that nobody has looked at, and a first look beside a page that finds two videos."""
    account = Account.objects.get(pk=owner.session["account"])
    LinkReading.objects.all().delete()
    monkeypatch.setattr(tasks, "FIRST_VIDEOS", 2)
    return account


def read_some(owner: Client, read_a_run: Callable[[int], None], calls: int) -> LinkReading:
    read_a_run(calls)
    tasks.read_links.call()
    return LinkReading.objects.get(account=owner.session["account"])


def test_worker_reads_every_link_and_comment_in_slices(
    owner: Client, fresh: Account, read_a_run: Callable[[int], None]
) -> None:
    owner.get("/dashboard/review-links/inbox/")
    row = read_some(owner, read_a_run, 10)
    organization = PlatformLink.objects.first().video.organization  # type: ignore[union-attr]
    videos = Video.objects.filter(organization=organization).count()
    assert row.videos == videos and 0 < row.read < videos and row.left and not row.is_done
    row = read_some(owner, read_a_run, 1000)
    assert row.is_done and row.read == row.videos
    mine = set(PlatformLink.objects.filter(video__organization=organization).values_list("pk", flat=True))
    assert mine == set(ReviewLink.objects.filter(accounts=fresh).values_list("pk", flat=True))
    assert not fresh.review_links.filter(status="active", merged_at=None).exists() and not due(LinkReading)


@pytest.mark.parametrize("path", ["/dashboard/review-links/inbox/", "/dashboard/review-links/?state=open"])
def test_counts_say_what_they_are_of_until_the_reading_is_done(
    owner: Client, fresh: Account, path: str, read_a_run: Callable[[int], None]
) -> None:
    assert SO_FAR in words_of(read_page(owner, path).split("<main")[1])
    row = read_some(owner, read_a_run, 10)
    assert f"in the links of {row.read} of {row.videos} videos {SO_FAR}" in words_of(
        read_page(owner, path).split("<main")[1]
    )
    assert not re.search(r'chip__count">\d+<', owner.get("/dashboard/review-links/inbox/").content.decode())
    read_some(owner, read_a_run, 1000)
    assert SO_FAR not in owner.get(path).content.decode()
    assert re.search(r'chip__count">\d+<', owner.get("/dashboard/review-links/inbox/").content.decode())


def test_navigation_says_at_least_until_the_reading_is_done(
    owner: Client, fresh: Account, read_a_run: Callable[[int], None]
) -> None:
    owner.get("/dashboard/review-links/")
    read_some(owner, read_a_run, 10)
    assert re.search(r"\d\+", owner.get("/dashboard/playlists/").content.decode().split("<main")[0])
    read_some(owner, read_a_run, 1000)
    navigation = owner.get("/dashboard/playlists/").content.decode().split("<main")[0]
    assert "unanswered" in navigation and not re.search(r"\d\+", navigation)


def test_overview_tells_how_far_the_reading_is_and_no_partial_number_as_the_total(
    owner: Client, fresh: Account, read_a_run: Callable[[int], None]
) -> None:
    owner.get("/dashboard/review-links/")
    row = read_some(owner, read_a_run, 10)
    text = words_of(read_page(owner, "/dashboard/").split("<main")[1])
    assert "Reading your review links" in text and f"{row.read} of {row.videos} videos read." in text
    for count in re.findall(r"Open comments on \d+ review links\S? ?(.{0,60})", text):
        assert count.startswith("in the links of")
    assert "the next one closes" not in text
    read_some(owner, read_a_run, 1000)
    text = words_of(read_page(owner, "/dashboard/").split("<main")[1])
    assert "Reading your review links" not in text and SO_FAR not in text and "the next one closes" in text


def test_report_and_portfolio_count_no_part_as_the_whole(
    owner: Client, fresh: Account, read_a_run: Callable[[int], None]
) -> None:
    owner.get("/dashboard/review-links/")
    read_some(owner, read_a_run, 10)
    assert (
        SO_FAR in words_of(read_page(owner, "/dashboard/reports/").split("<main")[1])
        and inbox_items.count_waiting([fresh]) == {}
    )
    read_some(owner, read_a_run, 1000)
    assert (
        SO_FAR not in words_of(read_page(owner, "/dashboard/reports/").split("<main")[1])
        and inbox_items.count_waiting([fresh])[fresh.pk] > 0
    )


def test_video_that_the_platform_refuses_does_not_hold_up_the_others(
    owner: Client,
    fresh: Account,
    monkeypatch: pytest.MonkeyPatch,
    cast: dict[str, Any],
    read_a_run: Callable[[int], None],
) -> None:
    def refuse(request: Any) -> Any:
        raise Missing(request.operation, 404)

    answer_with(monkeypatch, refuse, tasks.OPERATION)
    owner.get("/dashboard/review-links/inbox/")
    assert read_some(owner, read_a_run, 1000).is_done


def test_links_are_looked_for_again_after_a_round_and_not_before(
    owner: Client, fresh: Account, read_a_run: Callable[[int], None]
) -> None:
    owner.get("/dashboard/review-links/inbox/")
    row = read_some(owner, read_a_run, 1000)
    LinkReading.objects.update(next_at=None)
    assert row.is_done and tasks.read_links.call() == 0
    LinkReading.objects.update(next_at=None)
    make_old(tasks.ROUND.total_seconds())
    assert tasks.read_links.call() == row.videos


def test_comments_of_links_that_are_switched_off_are_not_read(
    owner: Client, fresh: Account, read_a_run: Callable[[int], None]
) -> None:
    owner.get("/dashboard/review-links/inbox/")
    fresh.review_links.update(status="inactive", merged_at=None)
    assert read_some(owner, read_a_run, 1000).is_done
    assert fresh.review_links.filter(status="inactive", merged_at=None).exists()
