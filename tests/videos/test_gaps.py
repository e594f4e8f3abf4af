"""Searching for videos without subtitles: the worker looks at all of them, and the page says how far it has come."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client

from dashboard.accounts.models import Account, Device
from dashboard.sandbox.models import Subtitle
from dashboard.upstream.models import KnownAnswer
from dashboard.videos import tasks
from dashboard.videos.models import LibraryReading
from dashboard.writes import library_refresh
from tests.answering import count_calls
from tests.conftest import signed_in
from tests.forgetting import make_old
from tests.pages import one_line, read_page
from tests.videos.test_videos import LIST

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
GAPS = "?q=missing:de&columns=none"
PER_RUN = 60


@pytest.fixture(autouse=True)
def sixty_a_run(subtitles_alone: None, read_a_run: Callable[[int], None]) -> None:
    """Of the 75 videos the worker looks at so many in one run."""
    read_a_run(PER_RUN)


def account_of(owner: Client) -> Account:
    return Account.objects.get(pk=owner.session["account"])


def looked_of(page: str) -> str:
    """What the page says of the search; "" where it says nothing."""
    found = re.search(r'<div class="notice" id="progress".*?</div>(<a [^>]*>.*?</a>)?</div>', page, re.DOTALL)
    return found[0] if found else ""


def poll_of(page: str) -> str:
    found = re.search(r'hx-get="([^"]+)"', looked_of(page))
    return found[1].replace("&amp;", "&") if found else ""


@pytest.fixture
def searched(owner: Client) -> str:
    """A search for gaps in an account whose videos nobody has looked at."""
    return read_page(owner, f"{LIST}{GAPS}")


def test_search_asks_for_no_video_and_lets_the_worker_begin(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    calls = count_calls(monkeypatch, "videos.subtitles")
    page = read_page(owner, f"{LIST}{GAPS}")
    assert calls == []
    assert "Your library is being read." in looked_of(page)
    assert "None found so far" in page
    assert LibraryReading.objects.get().account == account_of(owner)


def test_worker_looks_at_so_many_videos_a_minute_until_all_are_known(owner: Client, searched: str) -> None:
    assert tasks.read_library.call() == PER_RUN
    part = one_line(owner.get(poll_of(searched)).content.decode())
    assert "60 of 75 videos read." in part
    assert "about 1 minute left" in part
    assert "Refresh the list" in part
    assert 'value="60"' in part
    assert tasks.read_library.call() == 15
    end = one_line(owner.get(poll_of(searched)).content.decode())
    assert "75 of 75 videos read." in end
    assert "hx-get" not in end
    assert tasks.read_library.call() == 0, "there is nothing left to look at"
    page = read_page(owner, f"{LIST}{GAPS}")
    with_german = set(Subtitle.objects.filter(lang="de").values_list("video__title", flat=True))
    assert with_german
    assert not [title for title in with_german if f">{title}</a>" in page]
    assert "Refresh the list" not in page


def test_poll_brings_nothing_while_nothing_moves_and_never_asks_the_platform(
    owner: Client, searched: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_old(3600)
    listed, told = (count_calls(monkeypatch, name) for name in ("videos.list", "videos.subtitles"))
    assert owner.get(poll_of(searched)).status_code == 204
    assert listed + told == []


def test_what_was_looked_at_yesterday_is_looked_at_again(owner: Client, searched: str) -> None:
    tasks.read_library.call()
    tasks.read_library.call()
    make_old(23 * 3600)
    assert looked_of(read_page(owner, f"{LIST}{GAPS}")) == "", "all is known"
    make_old(2 * 3600)
    assert "Your library is being read." in looked_of(read_page(owner, f"{LIST}{GAPS}"))
    assert tasks.read_library.call() == PER_RUN


def test_video_whose_subtitles_are_not_told_is_looked_at_once_a_day(
    owner: Client, searched: str, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    faults.set("videos.subtitles", status=404)
    tasks.read_library.call()
    tasks.read_library.call()
    page = read_page(owner, f"{LIST}{GAPS}")
    assert looked_of(page) == "" and "75 more videos may match: the platform doesn't show" in unescape(page)
    calls = count_calls(monkeypatch, "videos.subtitles")
    LibraryReading.objects.update(next_at=None)
    assert tasks.read_library.call() == 0
    assert calls == []


@pytest.mark.parametrize(("status", "said"), [(429, "continues at"), (500, "again automatically"), (401, "sign in")])
def test_trouble_pauses_the_worker_and_the_page_says_why(
    owner: Client, searched: str, faults: ModuleType, status: int, said: str
) -> None:
    faults.set("videos.subtitles", status=status)
    assert tasks.read_library.call() == library_refresh.AT_ONCE
    assert tasks.read_library.call() == 0, "it pauses"
    part = one_line(owner.get(poll_of(searched)).content.decode())
    assert said in part.casefold()
    assert owner.get(poll_of(part)).status_code == 204
    assert said in looked_of(read_page(owner, f"{LIST}{GAPS}")).casefold()
    assert not KnownAnswer.objects.filter(operation="videos.subtitles").exists()
    faults.clear()
    LibraryReading.objects.update(next_at=F("next_at") - timedelta(hours=2))
    assert tasks.read_library.call() == PER_RUN
    assert LibraryReading.objects.get().reason == ""


def test_account_that_nobody_looks_at_is_left_alone_after_thirty_days(owner: Client, searched: str) -> None:
    LibraryReading.objects.update(wanted_at=F("wanted_at") - timedelta(days=31))
    Device.objects.update(seen_at=F("seen_at") - timedelta(days=31))
    assert tasks.read_library.call() == 0


def test_account_without_a_token_is_not_read(owner: Client, searched: str) -> None:
    account = account_of(owner)
    account.forget_token()
    account.save()
    assert tasks.read_library.call() == 0


def test_search_by_another_account_is_its_own(owner: Client, searched: str, cast: dict[str, Any]) -> None:
    other = signed_in(Client(), cast["tokens"]["other"])
    cache.clear()
    assert other.get(poll_of(searched)).status_code == 204
    Device.objects.exclude(account=account_of(owner)).delete()  # the worker reads for whoever was signed in lately
    tasks.read_library.call()
    assert "being read" in looked_of(read_page(other, f"{LIST}{GAPS}"))


def test_nobody_signed_out_is_told(client: Client) -> None:
    assert client.get("/dashboard/videos/progress/?q=missing:de").status_code == 302
