"""Traffic of the whole account: read one video at a time, kept by day, and shown only when it is whole."""

import re
import time
from collections.abc import Callable
from datetime import date, datetime, timedelta
from typing import Any

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.analytics import tasks, traffic_history
from dashboard.analytics.models import TrafficDay, TrafficList, TrafficVideo
from dashboard.platform_api.errors import BadToken, Missing, OverBudget, RateLimited
from dashboard.platform_api.request import Request
from dashboard.upstream import parallel
from dashboard.writes import library_refresh
from tests.answering import answer_with, asked_of, days_of
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.moments import replace_time
from tests.pages import read_file

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

GIGA = 10**9
Seen = Callable[..., str]


class Library:
    """A platform with `sizes[video]` bytes a day; `begins` is the first day with numbers, `fails` what a read raises."""

    def __init__(self, count: int) -> None:
        self.sizes = {f"00000000-0000-4000-8000-{n:012d}": (n + 1) * GIGA for n in range(count)}
        self.begins = date(2000, 1, 1)
        self.fails: dict[str, Exception] = {}
        self.asked: list[tuple[str, date, date]] = []

    def traffic(self, request: Request) -> Any:
        video_id, (start, end) = asked_of(request)["video_id"], days_of(request)
        self.asked.append((video_id, start, end))
        if video_id in self.fails:
            raise self.fails[video_id]
        days = [start + timedelta(days=n) for n in range((end - start).days + 1)]
        size = self.sizes.get(video_id, GIGA)  # the ranking names videos of the demo
        rows = [{"t": day.isoformat(), "b": size} for day in days if day >= self.begins]
        return {"data": rows}

    def list(self, request: Request) -> Any:
        page, limit = int(asked_of(request).get("page", 1)), int(asked_of(request).get("limit", 50))
        videos = [{"id": video, "title": f"Film {n}"} for n, video in enumerate(self.sizes)]
        return {"videos": videos[(page - 1) * limit : page * limit], "total": len(videos)}


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch, at_noon: datetime) -> Library:
    """Nine videos of 1 to 9 GB a day."""
    found = Library(9)
    answer_with(monkeypatch, found.traffic, "analytics.traffic")
    answer_with(monkeypatch, found.list, "videos.list")
    forget()
    return found


def account_of(owner: Client) -> Account:
    return Account.objects.get(pk=owner.session["account"])


def main_of(text: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text.split("<main")[1])).replace("\u2009", " ")


def test_account_is_read_in_slices_with_at_most_four_calls_at_a_time(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, sizes, gather = account_of(owner), [], parallel.gather

    def counted(patience: float, **reads: Any) -> Any:
        sizes.append(len(reads))
        return gather(patience, **reads)

    monkeypatch.setattr("dashboard.analytics.traffic_history.gather", counted)
    assert traffic_history.read_slice(account, 6).read == 6
    found = traffic_history.get_progress(account)
    assert (found.videos, found.read, found.listed, found.complete) == (9, 6, True, False)
    assert traffic_history.read_slice(account, 6).read == 3
    assert traffic_history.get_progress(account).complete and sizes == [4, 2, 3]
    assert traffic_history.read_slice(account, 6).read == 0 and len(library.asked) == 9, (
        "what is known is not asked again"
    )


def test_part_of_an_account_is_never_called_the_account(seen: Seen, owner: Client, library: Library) -> None:
    traffic_history.read_slice(account_of(owner), 6)
    text = main_of(seen("traffic/?range=28d&zone=UTC"))
    assert "6 of 9 videos read" in text and "shown once all of them are" in text
    assert "all 9 videos" not in text
    assert owner.get("/dashboard/analytics/consumers.csv?range=28d&zone=UTC").status_code == 502


def test_account_comes_first_once_every_video_is_read(seen: Seen, owner: Client, library: Library) -> None:
    traffic_history.read_slice(account_of(owner), 9)
    page = seen("traffic/?range=28d&zone=UTC")
    text = main_of(page)
    assert "Traffic of all 9 videos" in text and "1.22 TB" in text, "27 whole days of 45 GB"
    assert "By Nov 30, all 9 videos" in text and "1.35 TB" in text
    assert "All 9 videos read" in text and "No video is chosen" not in text
    assert 'id="traffic-progress"' in page and "data-poll" not in page.split("<main")[1], "nothing is left to read"
    consumers = text.split("Biggest consumers")[1]
    assert consumers.index("Film 8") < consumers.index("Film 7"), "the biggest consumer first"
    rows, total = (
        read_file(owner, f"/dashboard/analytics/{panel}.csv?range=28d&zone=UTC") for panel in ("consumers", "traffic")
    )
    name = "Traffic of all 9 videos"
    assert sum(int(row[name]) for row in rows) == sum(int(row[name]) for row in total if row[name]) == 1215 * GIGA
    assert [row["Note"] for row in total][-2:] == ["", "incomplete, no data"]


def test_movers_are_named_and_days_before_the_numbers_begin_are_no_data(
    seen: Seen, owner: Client, library: Library
) -> None:
    traffic_history.read_slice(account_of(owner), 9)
    TrafficDay.objects.filter(video_id__endswith="2", day__gte=date(2026, 11, 14)).update(bytes=90 * GIGA)
    text = main_of(seen("traffic/?start=2026-11-14&end=2026-11-19&zone=UTC"))
    changes = text.split("Biggest changes")[1]
    assert "Film 2" in changes and "522 GB" in changes and "Film 3" not in changes
    TrafficDay.objects.filter(day__lt=date(2026, 11, 12)).delete()
    text = main_of(seen("traffic/?start=2026-11-14&end=2026-11-19&zone=UTC"))
    assert "over 2 of 6 days" in text and "Biggest changes" not in text


def looked_at(owner: Client) -> TrafficList:
    """Somebody has opened the page of the account's traffic."""
    owner.get("/dashboard/analytics/traffic/")
    return TrafficList.objects.get(account=account_of(owner))


def later(minutes: float) -> None:
    TrafficList.objects.exclude(next_at=None).update(next_at=F("next_at") - timedelta(minutes=minutes))


def progress_of(owner: Client, version: str = "") -> Any:
    return owner.get(f"/dashboard/analytics/traffic/progress/?v={version}")


def test_worker_reads_on_for_an_account_whose_traffic_somebody_looks_at(
    seen: Seen, owner: Client, library: Library, read_a_run: Callable[[int], None]
) -> None:
    read_a_run(6)
    assert tasks.read_traffic.call() == 0, "nobody has looked"
    page = seen("traffic/?range=28d&zone=UTC")
    assert "Reelroom reads all videos in the background." in main_of(page)
    assert tasks.read_traffic.call() == 6
    text = main_of(progress_of(owner).content.decode() + "<main")
    part = progress_of(owner).content.decode()
    assert "6 of 9 videos read" in part and "About 1 minute left." in part and 'data-poll="5"' in part, text
    assert tasks.read_traffic.call() == 3
    part = progress_of(owner).content.decode()
    assert "All 9 videos read" in part and "Show the traffic of all videos" in part and "data-poll" not in part
    assert "Traffic of all 9 videos" in main_of(seen("traffic/?range=28d&zone=UTC"))


def test_progress_that_has_not_moved_is_no_bytes(owner: Client, library: Library) -> None:
    looked_at(owner)
    version = re.search(r"v=([^\"]+)", progress_of(owner).content.decode())
    assert version
    assert progress_of(owner, version[1]).status_code == 204
    tasks.read_traffic.call()
    assert progress_of(owner, version[1]).status_code == 200


@pytest.mark.parametrize(("days", "read"), [(29, 9), (31, 0)])
def test_worker_reads_on_for_thirty_days_after_somebody_looked(
    owner: Client, library: Library, days: int, read: int
) -> None:
    looked_at(owner)
    TrafficList.objects.update(wanted_at=F("wanted_at") - timedelta(days=days))
    assert tasks.read_traffic.call() == read


def test_account_without_a_token_is_not_read(owner: Client, library: Library) -> None:
    looked_at(owner)
    account = account_of(owner)
    account.forget_token()
    account.save()
    assert library_refresh.due(TrafficList) == [] and tasks.read_traffic.call() == 0


def test_what_is_known_is_asked_again_an_hour_later_and_newer_days_the_day_after(
    owner: Client, library: Library
) -> None:
    looked_at(owner)
    assert tasks.read_traffic.call() == 9
    library.asked.clear()
    assert tasks.read_traffic.call() == 0
    later(61)
    assert tasks.read_traffic.call() == 0 and library.asked == []
    TrafficVideo.objects.update(last_day=F("last_day") - timedelta(days=1))
    later(61)
    assert tasks.read_traffic.call() == 9


def test_pause_that_the_platform_asks_for_ends_the_slice_and_is_said(owner: Client, library: Library) -> None:
    videos = list(library.sizes)
    library.fails[videos[5]] = RateLimited("analytics.traffic", 429, "", retry_after=120)
    looked_at(owner)
    library.asked.clear()
    assert tasks.read_traffic.call() == 7
    assert [video for video, _, _ in library.asked] == videos[:8], "the ninth is not asked for"
    part = progress_of(owner).content.decode()
    assert "7 of 9 videos read" in part and "Too many requests. Continues at " in part
    library.fails.clear()
    later(1.9)
    assert tasks.read_traffic.call() == 0, "the pause is not over"
    later(0.2)
    assert tasks.read_traffic.call() == 2
    assert "Reelroom tries again" not in progress_of(owner).content.decode()


def test_end_of_the_budget_is_no_trouble_and_what_was_not_asked_for_comes_first(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    videos = list(library.sizes)
    library.fails[videos[5]] = OverBudget("analytics.traffic", retry_after=3000)
    looked_at(owner)
    assert tasks.read_traffic.call() == 7
    assert TrafficList.objects.get().reason == ""
    assert TrafficVideo.objects.get(video_id=videos[5]).tried_at is None
    assert "Reelroom tries again" not in progress_of(owner).content.decode()
    library.asked.clear()
    library.fails[videos[5]] = OverBudget("analytics.traffic", retry_after=5)
    slept: list[float] = []

    def pass_by(seconds: float) -> None:
        slept.append(seconds)
        library.fails.clear()

    replace_time(monkeypatch, "dashboard.writes.library_refresh", sleep=pass_by)
    assert tasks.read_traffic.call() == 2, "it waits for a moment"
    assert slept == [pytest.approx(5, abs=1)]
    assert [video for video, _, _ in library.asked].count(videos[5]) == 2


def test_token_that_is_refused_stops_only_its_own_account(
    owner: Client, library: Library, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The other account is read first, because it has waited longer, and its token is refused."""
    looked_at(owner)
    other = signed_in(Client(), cast["tokens"]["other"])
    looked_at(other)
    refused = TrafficList.objects.filter(account=account_of(other))
    refused.update(next_at=timezone.now() - timedelta(hours=1))
    TrafficList.objects.filter(next_at=None).update(next_at=timezone.now())
    answers = iter([BadToken("videos.list", 401, "")])

    def listed(request: Request) -> Any:
        if error := next(answers, None):
            raise error
        return library.list(request)

    answer_with(monkeypatch, listed, "videos.list")
    assert tasks.read_traffic.call() == 9
    assert refused.get().reason == "videos.list BadToken"
    assert "The platform no longer accepts this token. Sign in with a new one." in progress_of(other).content.decode()
    assert traffic_history.get_progress(account_of(owner)).complete


def test_token_that_is_refused_for_traffic_alone_names_the_setting(owner: Client, library: Library) -> None:
    library.fails[next(iter(library.sizes))] = BadToken("analytics.traffic", 401, "")
    looked_at(owner)
    tasks.read_traffic.call()
    part = progress_of(owner).content.decode()
    assert "The platform accepts this token, but not for traffic." in part and "PLATFORM_TRAFFIC_AUTH" in part
    assert "by itself" not in part, "nothing comes right before somebody has set it"


def test_platform_whose_traffic_is_of_an_unknown_shape_is_asked_once_an_hour(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def odd(request: Request) -> Any:
        asked.append(asked_of(request)["video_id"])
        return "oops"

    answer_with(monkeypatch, odd, "analytics.traffic")
    looked_at(owner)
    asked.clear()
    for minutes in (0, 30, 29):
        later(minutes)
        tasks.read_traffic.call()
    assert len(asked) == 9
    later(2)
    tasks.read_traffic.call()
    assert len(asked) == 18


def test_reading_that_has_no_time_left_begins_nothing_more(owner: Client, library: Library) -> None:
    account = account_of(owner)
    assert traffic_history.read_slice(account, 9, until=time.monotonic() - 1).attempts == 0
    assert library.asked == []


@pytest.mark.parametrize(("days", "left"), [(399, 9), (401, 0)])
def test_days_are_pruned_by_the_retention(
    owner: Client, library: Library, settings: Settings, days: int, left: int
) -> None:
    settings.RETENTION_DAYS = 400
    account = account_of(owner)
    traffic_history.read_slice(account, 9)
    newest = TrafficDay.objects.latest("day").day
    TrafficDay.objects.exclude(day=newest).delete()
    TrafficDay.objects.update(day=timezone.now().date() - timedelta(days=days))
    TrafficVideo.objects.update(gone_at=timezone.now() - timedelta(days=days))
    tasks.prune_traffic.call()
    assert TrafficDay.objects.count() == TrafficVideo.objects.count() == left


def test_deleted_video_keeps_its_days_and_is_no_longer_waited_for(owner: Client, library: Library) -> None:
    account = account_of(owner)
    traffic_history.read_slice(account, 9)
    gone = next(iter(library.sizes))
    TrafficVideo.objects.filter(account=account).update(last_day=date(2026, 11, 17))
    library.fails[gone] = Missing("analytics.traffic", 404, "")
    library.asked.clear()
    assert traffic_history.read_slice(account, 9).read == 8
    assert {(start, end) for _, start, end in library.asked} == {(date(2026, 11, 15), date(2026, 11, 19))}
    found = traffic_history.get_progress(account)
    assert found.complete and found.videos == 8 and found.days is not None and found.days.end == date(2026, 11, 19)
    assert traffic_history.get_bytes_by_video(account, found.days)[gone] > 0


def test_video_of_an_unknown_shape_keeps_the_account_open_and_the_others_are_read(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    account, odd = account_of(owner), next(iter(library.sizes))
    answer_with(
        monkeypatch,
        lambda request: "oops" if asked_of(request)["video_id"] == odd else library.traffic(request),
        "analytics.traffic",
    )
    assert [traffic_history.read_slice(account, 4).read for _ in range(3)] == [3, 4, 1]
    assert not traffic_history.get_progress(account).complete


def test_accounts_keep_their_own_traffic(owner: Client, library: Library, cast: dict[str, Any]) -> None:
    account = account_of(owner)
    traffic_history.read_slice(account, 9)
    other = Account.objects.create(name="Other", fingerprint="other", sealed_token="")
    assert traffic_history.get_progress(other).videos == 0 and traffic_history.get_progress(other).days is None
    days = traffic_history.get_progress(account).days
    assert (
        days is not None
        and traffic_history.get_bytes_by_day(account, days)
        and not traffic_history.get_bytes_by_day(other, days)
    )


def test_list_of_many_videos_is_read_over_several_slices(owner: Client, library: Library) -> None:
    account = account_of(owner)
    library.sizes = {f"00000000-0000-4000-8000-{n:012d}": 1 for n in range(1_240)}
    traffic_history.read_slice(account, 4)
    found = traffic_history.get_progress(account)
    assert (found.videos, found.read, found.listed) == (1_240, 4, False)
    traffic_history.read_slice(account, 4)
    found = traffic_history.get_progress(account)
    assert (found.videos, found.read, found.listed) == (1_240, 8, True)
    assert TrafficVideo.objects.filter(account=account).count() == 1_240
