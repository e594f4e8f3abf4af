"""Retention of all videos, read by the worker: in slices, within limits, and on after a pause or a kill."""

import re
from collections.abc import Callable
from datetime import UTC, timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.analytics import retention_history, tasks
from dashboard.analytics.models import VideoRetention
from dashboard.platform_api.errors import Missing, OverBudget, PlatformDown, RateLimited
from dashboard.platform_api.request import Request
from dashboard.sandbox.models import Video
from dashboard.upstream import clients, parallel
from dashboard.writes import library_refresh
from tests.analytics.lesson_library import (
    COURSE,
    LESSONS,
    MODULE,
    NOW,
    OPERATIONS,
    Library,
    later,
    main_of,
    page_of,
    progress_of,
    video_id,
)
from tests.answering import answer_with, asked_of
from tests.forgetting import forget
from tests.moments import Freeze

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_worker_reads_only_for_accounts_that_somebody_looked_at_and_the_most_played_first(
    owner: Client, library: Library
) -> None:
    assert tasks.read_retention.call() == 0 and library.asked == [], "nobody has looked"
    assert "Reelroom reads it in the background." in main_of(page_of(owner))
    tasks.read_retention.call()
    assert library.asked[:2] == [video_id(0), video_id(1)]
    assert sorted(library.asked) == [video_id(number) for number in (*range(10), 11)], "each one once"


def test_at_most_four_calls_are_in_flight(owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    owner.get(LESSONS)
    sizes, gather = [], parallel.gather

    def counted(patience: float, **reads: Any) -> Any:
        sizes.append(len(reads))
        return gather(patience, **reads)

    monkeypatch.setattr("dashboard.analytics.retention_history.gather", counted)
    tasks.read_retention.call()
    assert sizes == [4, 4, 3, 2]


def test_second_worker_waits_for_its_turn(owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch) -> None:
    owner.get(LESSONS)
    counts: list[int] = []

    def answer(request: Request) -> Any:
        if not counts:
            counts.append(tasks.read_retention.call())  # the other worker begins while the first one reads
        return library.answer(request)

    answer_with(monkeypatch, answer, *OPERATIONS)
    assert tasks.read_retention.call() > 0 and counts == [0]


def test_first_reading_tells_its_progress_and_then_leads_to_the_ranking(
    owner: Client, library: Library, read_a_run: Callable[[int], None]
) -> None:
    read_a_run(8)
    owner.get(LESSONS)
    tasks.read_retention.call()
    page = page_of(owner)
    assert "8 of 11 videos read. The ranking is shown once all of them are. About 1 minute left." in main_of(page)
    assert "Film" not in main_of(page) and '<progress class="meter" max="11" value="8"' in page
    part = progress_of(owner).content.decode()
    version = re.search(r"v=([^\"]+)", part)
    assert 'data-poll="5"' in part and version
    assert progress_of(owner, version[1]).status_code == 204
    tasks.read_retention.call()
    part = progress_of(owner, version[1]).content.decode()
    assert "Show the ranking" in part and "data-poll" not in part
    assert "2 lose more than usual" in main_of(page_of(owner))


def test_worker_that_is_killed_goes_on_where_it_was(owner: Client, library: Library) -> None:
    owner.get(LESSONS)
    library.fails[video_id(5)] = SystemExit()  # type: ignore[assignment]
    with pytest.raises(SystemExit):
        tasks.read_retention.call()
    asked = list(library.asked)
    assert 4 <= VideoRetention.objects.exclude(curve=None).count() < 11
    kept = set(VideoRetention.objects.exclude(curve=None).values_list("video_id", flat=True))
    library.fails.clear()
    library.asked.clear()
    tasks.read_retention.call()
    assert asked and kept.isdisjoint(library.asked), "what was read is not asked again"
    assert "2 lose more than usual" in main_of(page_of(owner))


def test_pause_that_the_platform_asks_for_ends_the_slice_and_is_said(owner: Client, library: Library) -> None:
    library.fails[video_id(5)] = RateLimited("analytics.retention", 429, "", retry_after=120)
    owner.get(LESSONS)
    tasks.read_retention.call()
    assert len(library.asked) == 8, "the ninth is not asked for"
    text = main_of(page_of(owner))
    assert "7 of 11 videos read" in text and "Too many requests. Continues at " in text
    library.fails.clear()
    library.asked.clear()
    later(1.9)
    tasks.read_retention.call()
    assert library.asked == [], "the pause is not over"
    later(0.2)
    tasks.read_retention.call()
    assert len(library.asked) == 4
    assert "Continues at" not in main_of(page_of(owner))


def test_four_videos_that_always_fail_keep_no_other_from_being_read_and_ranked(owner: Client, library: Library) -> None:
    down = PlatformDown("analytics.retention", 500, "")
    library.fails = {video_id(number): down for number in range(4)}  # the most played
    owner.get(LESSONS)
    tasks.read_retention.call()
    assert "The ranking is shown once" in main_of(page_of(owner))
    for _slice in range(2):
        later(6)
        tasks.read_retention.call()
    text = main_of(page_of(owner))
    assert "The ranking is shown once" not in text
    assert VideoRetention.objects.filter(verdict="no_curve").count() == 4
    asked = len(library.asked)
    later(6)
    tasks.read_retention.call()
    assert len(library.asked) == asked, "they are left alone until tomorrow"


def test_video_whose_subtitles_always_fail_is_tried_ever_later_and_keeps_no_line_waiting(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def refuse_first(request: Request) -> Any:
        asked.append(str(request.path[1]))
        if asked[-1] == video_id(0):
            raise PlatformDown("videos.subtitles", 500, "")
        return library.subtitles(request)

    monkeypatch.setattr(library_refresh, "AT_ONCE", 1)
    answer_with(monkeypatch, refuse_first, "videos.subtitles")
    owner.get(LESSONS)
    tasks.read_retention.call()
    later(6)
    tasks.read_retention.call()
    assert asked == [video_id(0), video_id(1)], "the one that loses most fails, and then the next has its turn"
    for minutes, times in ((3, 1), (2, 2), (19, 2), (2, 3), (39, 3), (2, 4)):
        later(minutes)
        tasks.read_retention.call()
        assert asked.count(video_id(0)) == times, f"after {minutes} minutes more"
    assert asked.count(video_id(1)) == 1
    assert retention_history.get_pause(30) == timedelta(days=1)
    answer_with(monkeypatch, library.subtitles, "videos.subtitles")
    later(81)
    tasks.read_retention.call()
    video = VideoRetention.objects.get(video_id=video_id(0))
    assert "linha" in video.line and video.line_failures == 0 and video.line_next_at is None


def test_platform_that_answers_for_no_video_is_asked_again(owner: Client, library: Library) -> None:
    library.fails = dict.fromkeys(library.plays, PlatformDown("analytics.retention", 500, ""))
    owner.get(LESSONS)
    for _slice in range(8):
        tasks.read_retention.call()
        later(6)
    assert not VideoRetention.objects.exclude(last_day=None).exists()
    assert "The ranking is shown once" in main_of(page_of(owner))


def test_day_later_all_is_read_again_and_the_old_ranking_stays_meanwhile(
    owner: Client, read: Library, read_a_run: Callable[[int], None], freeze: Freeze
) -> None:
    later(61)
    read.asked.clear()
    tasks.read_retention.call()
    assert read.asked == [], "nothing is new on the same day"
    freeze(NOW + timedelta(days=1))
    read_a_run(4)
    del read.lengths[video_id(13)]
    forget()
    tasks.read_retention.call()
    assert len(read.asked) == 4
    assert "2 lose more than usual" in main_of(page_of(owner)) and "Nov 19" in main_of(page_of(owner))
    assert not VideoRetention.objects.filter(video_id=video_id(13)).exists(), "what is gone is not listed"
    for _run in range(3):
        tasks.read_retention.call()
    assert "Nov 20" in main_of(page_of(owner)) and VideoRetention.objects.get(video_id=video_id(0)).line


def test_days_of_the_curves_are_those_of_the_plays(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[dict[str, Any]] = []

    def answer(request: Request) -> Any:
        asked.append(asked_of(request))
        return {}

    answer_with(monkeypatch, answer, "analytics.retention")
    owner.get(LESSONS)
    tasks.read_retention.call()
    days = {(query["start_date"], query["end_date"]) for query in asked}
    assert days == {("2026-10-23", "2026-11-19")}
    assert NOW.astimezone(UTC).date().isoformat() == "2026-11-20"


def test_slice_of_an_account_whose_token_is_gone_is_put_off(owner: Client, library: Library) -> None:
    listing = tasks.want_retention(Account.objects.get(pk=owner.session["account"]))
    account = listing.account
    account.forget_token()
    account.save()
    assert tasks.read_retention.call() == 0
    listing.refresh_from_db()
    assert retention_history.get_compared_days(listing) is None


def test_ranking_stays_whole_while_a_day_later_a_video_lost_its_retention_its_length_or_changed_it(
    owner: Client, read: Library, read_a_run: Callable[[int], None], freeze: Freeze
) -> None:
    """The lists of the new day are there before its comparison: nothing is drawn of halves that do not fit."""
    freeze(NOW + timedelta(days=1))
    read_a_run(4)
    read.fails[video_id(0)] = Missing("analytics.retention", 404, "")
    read.lengths[video_id(1)] = 0.0
    forget()
    tasks.read_retention.call()
    assert len(read.asked) < 22, "the day is not compared yet"
    text = main_of(page_of(owner))
    assert "0 lose more than usual" in text and "The platform has no retention of it." in text
    assert "The platform doesn't say how long it is." in text


def test_video_of_another_length_is_compared_anew_before_it_is_shown(
    owner: Client, read: Library, read_a_run: Callable[[int], None], freeze: Freeze
) -> None:
    freeze(NOW + timedelta(days=1))
    read_a_run(4)
    read.lengths[video_id(0)] = 100.0
    forget()
    tasks.read_retention.call()
    assert "1 loses more than usual" in main_of(page_of(owner)), "its moment lies behind its end"


def test_folders_that_fail_take_no_video_out_of_its_folder(
    owner: Client, read: Library, monkeypatch: pytest.MonkeyPatch, freeze: Freeze
) -> None:
    def fail(_request: Request) -> Any:
        raise PlatformDown("folders.list", 500, "")

    freeze(NOW + timedelta(days=1))
    answer_with(monkeypatch, fail, "folders.list")
    forget()
    tasks.read_retention.call()
    assert VideoRetention.objects.get(video_id=video_id(0)).folder_path == f"/{COURSE}/{MODULE}/"
    answer_with(monkeypatch, read.answer, *OPERATIONS)
    later(61)
    tasks.read_retention.call()
    assert "Nov 20" in main_of(page_of(owner)), "the day is read once they answer"


def test_first_visit_draws_progress_and_its_file_waits_for_every_video(owner: Client, library: Library) -> None:
    assert "<progress" in page_of(owner) and owner.get("/dashboard/analytics/lessons.csv").headers["Location"].endswith(
        "/lessons/"
    )
    tasks.read_retention.call()
    assert "<progress" not in page_of(owner) and owner.get("/dashboard/analytics/lessons.csv").status_code == 200


def test_list_that_finds_no_room_in_the_budget_is_asked_for_again_in_the_same_run(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    owner.get(LESSONS)
    listed, tries = retention_history.list_videos, []

    def list_videos(account: Account) -> None:
        tries.append(account)
        if len(tries) == 1:
            raise OverBudget("videos.list", retry_after=0.0)
        listed(account)

    monkeypatch.setattr(retention_history, "list_videos", list_videos)
    tasks.read_retention.call()
    assert len(tries) == 2 and library.asked


def test_line_is_read_from_public_files_where_the_api_has_no_subtitles(
    owner: Client, cast: dict[str, Any], faults: ModuleType
) -> None:
    for read in ("videos.subtitles", "videos.read_subtitle"):
        faults.set(read, status=404)
    platform = clients.platform_for(Account.objects.get())
    line = retention_history.read_line(platform, cast["videos"]["with_subtitles"], 12.0, ("pt-br",))
    assert line.text and line.lang == "pt-BR"
    assert line.chapter == "", "the video has no bookmarks"


@pytest.mark.parametrize(
    ("moment", "chapter"), [(3.0, ""), (75.0, "Colheita"), (227.9, "Colheita"), (228.0, "Secagem"), (9000.0, "Secagem")]
)
def test_line_has_the_chapter_of_its_moment(owner: Client, cast: dict[str, Any], moment: float, chapter: str) -> None:
    marks = [{"time": 75, "title": "Colheita"}, {"time": "03:48", "title": "Secagem"}]
    Video.objects.filter(pk=cast["videos"]["with_subtitles"]).update(bookmarks=marks)
    platform = clients.platform_for(Account.objects.get())
    assert retention_history.read_line(platform, cast["videos"]["with_subtitles"], moment).chapter == chapter


def test_line_is_read_where_the_public_file_fails(owner: Client, cast: dict[str, Any], faults: ModuleType) -> None:
    faults.set("public_files.video", status=500)
    line = retention_history.read_line(
        clients.platform_for(Account.objects.get()), cast["videos"]["with_subtitles"], 12.0, ("pt-br",)
    )
    assert line.text and line.chapter == ""
