"""Before the traffic of every video is read, nothing of it is told as the account's: neither on a page nor in a file."""

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_history
from dashboard.analytics.models import TrafficVideo
from dashboard.videos.tasks import read_library
from tests.analytics.test_kept_traffic import Library, Seen, library, main_of
from tests.kept_traffic import keep_traffic
from tests.pages import one_line

__all__ = ["library"]
pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
DAYS = "range=28d&zone=UTC"
BYTES = re.compile(r"\d (?:[kMGT]B|[KMGT]iB)\b")


@pytest.mark.parametrize("read", [0, 6])
def test_first_visit_shows_progress_and_no_total_change_forecast_or_share(
    seen: Seen, owner: Client, library: Library, read: int
) -> None:
    account = Account.objects.get(pk=owner.session["account"])
    if read:
        traffic_history.read_slice(account, read)
    page = seen(f"traffic/?{DAYS}")
    text = main_of(page)
    assert not BYTES.search(text.split("Your price")[0]) and "change" not in re.findall(r'class="(change)[" ]', page)
    assert "By Nov 30" not in text and "most played" not in text and "%" not in text.split("Your price")[0]
    assert 'class="stats"' not in page and "chart__svg" not in page
    assert '<progress class="meter"' in page
    assert ("6 of 9 videos read" in text and "About 1 minute left" in text) if read else "in the background" in text


@pytest.mark.parametrize("name", ["traffic", "consumers", "videos", "shares"])
@pytest.mark.parametrize("extension", ["csv", "svg"])
def test_files_of_the_account_wait_for_every_video(owner: Client, library: Library, name: str, extension: str) -> None:
    traffic_history.read_slice(Account.objects.get(pk=owner.session["account"]), 6)
    answer = owner.get(f"{reverse('analytics:file', args=[name, extension])}?{DAYS}")
    assert answer.status_code in (404, 502) and b" GB" not in answer.content.replace(b"\xc2\xa0", b" ")


def test_chosen_videos_have_no_sum_while_one_of_them_is_late(
    seen: Seen, cast: dict[str, Any], late: Callable[..., None]
) -> None:
    one, two = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    seen(f"traffic/?{DAYS}&video={one}")
    late("analytics.traffic")
    page = seen(f"traffic/?{DAYS}&video={one}&video={two}")
    assert "still answering" in page and 'hx-trigger="load"' in page
    assert 'class="stats"' not in page and "chart__svg" not in page and "1 chosen video" not in page


def test_account_without_videos_is_not_waited_for(seen: Seen, owner: Client, library: Library) -> None:
    library.sizes.clear()
    traffic_history.read_slice(Account.objects.get(pk=owner.session["account"]), 6)
    page = seen(f"traffic/?{DAYS}")
    assert "This account has no videos yet." in page and 'data-poll="5"' not in page.split('id="traffic-progress"')[1]


def test_chip_of_traffic_says_so_far_until_the_traffic_of_every_video_is_read(owner: Client) -> None:
    account = Account.objects.get(pk=owner.session["account"])
    query = "/dashboard/videos/?q=traffic%3E1GB"
    keep_traffic(account)
    owner.get(query)
    read_library.call()
    page = one_line(owner.get(query).content.decode())
    assert "so far" not in page.split('class="chip chip--set"')[1].split("chip__remove")[0]
    TrafficVideo.objects.filter(account=account).order_by("video_id")[0].delete()
    page = one_line(owner.get(query).content.decode())
    assert "so far" in page.split('class="chip chip--set"')[1].split("chip__remove")[0]
