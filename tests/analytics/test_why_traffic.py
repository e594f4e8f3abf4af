"""Why traffic changed: causes, videos and folders whose parts add up exactly, and words where nobody can tell."""

import csv
import io
import re
import zlib
from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st

from dashboard.accounts.models import Account
from dashboard.analytics.changes import Cause, VideoChange, sum_causes
from dashboard.analytics.models import TrafficDay, TrafficList, TrafficVideo
from dashboard.analytics.traffic_why import Plays, sum_folders
from dashboard.platform_api.errors import BadToken, RateLimited
from dashboard.shared.change_parts import Side, split_change
from dashboard.shared.entries import Shelf
from dashboard.upstream import library as listed
from tests.answering import answer_with
from tests.forgetting import forget
from tests.pages import one_line, read_page

WHY = "/dashboard/analytics/why/traffic/"
DAYS = "start=2026-11-11&end=2026-11-15&zone=UTC"
GIGA = 10**9
NEWER = datetime(2026, 11, 30, tzinfo=UTC)

BYTES = st.integers(0, 10**14).map(float)
PLAYS = st.none() | st.integers(0, 10**6).map(float)
VIDEOS = st.lists(
    st.builds(
        VideoChange, st.just("v"), st.just("Film"), BYTES, BYTES, PLAYS, PLAYS,
        is_new=st.booleans(), is_gone=st.booleans(),
    ),
    max_size=30,
)  # fmt: skip


@given(VIDEOS)
def test_causes_add_up_to_the_difference_of_the_printed_totals(videos: list[VideoChange]) -> None:
    past, now = sum(video.past for video in videos), sum(video.now for video in videos)
    sides = [Side(row.cause, row.change / 1e8, 0) for row in sum_causes(videos)]
    difference = split_change(sides, base=past / 1e8)
    assert sum(part.change for part in difference.all_parts) == difference.now - difference.past
    assert abs(difference.now - now / 1e8) <= 1 and difference.past == round(past / 1e8)


@given(VIDEOS)
def test_causes_of_each_video_add_up_to_its_difference_and_have_their_sign(videos: list[VideoChange]) -> None:
    for video in videos:
        parts = video.split()
        assert sum(parts.values()) == pytest.approx(video.change, abs=1)
        for cause, size in parts.items():
            if cause in (Cause.MORE_PLAYS, Cause.LONGER):
                assert size > 0
            if cause in (Cause.FEWER_PLAYS, Cause.SHORTER, Cause.GONE):
                assert size < 0


@pytest.mark.parametrize(
    ("video", "parts"),
    [
        ({"now": 300, "past": 100, "plays": 30, "past_plays": 10}, {Cause.MORE_PLAYS: 200}),
        ({"now": 200, "past": 100, "plays": 10, "past_plays": 10}, {Cause.LONGER: 100}),
        ({"now": 400, "past": 100, "plays": 20, "past_plays": 10}, {Cause.MORE_PLAYS: 150, Cause.LONGER: 150}),
        ({"now": 100, "past": 100, "plays": 20, "past_plays": 10}, {Cause.MORE_PLAYS: 75, Cause.SHORTER: -75}),
        ({"now": 0, "past": 100, "plays": 0, "past_plays": 10}, {Cause.FEWER_PLAYS: -100}),
        ({"now": 100, "past": 0, "plays": 10, "past_plays": 0}, {Cause.MORE_PLAYS: 100}),
        ({"now": 100, "past": 40, "plays": 10, "past_plays": 0}, {Cause.UNKNOWN: 60}),
        ({"now": 100, "past": 40, "plays": None, "past_plays": 5}, {Cause.UNKNOWN: 60}),
        ({"now": 100, "past": 0, "is_new": True}, {Cause.NEW: 100}),
        ({"now": 10, "past": 90, "is_gone": True}, {Cause.GONE: -80}),
        ({"now": 90, "past": 10, "plays": 9, "past_plays": 1, "is_gone": True}, {Cause.MORE_PLAYS: 80}),
        ({"now": 90, "past": 0, "is_new": True, "is_gone": True}, {Cause.NEW: 90}),
        ({"now": 0, "past": 0, "plays": 0, "past_plays": 0}, {}),
    ],
)
def test_each_cause_is_told_where_it_is_one(video: dict[str, Any], parts: dict[Cause, float]) -> None:
    assert VideoChange("v", "Film", **video).split() == parts


FOLDERS = (Shelf("course", "Course", ""), Shelf("first", "First", "course"), Shelf("other", "Other", ""))
NAMES = st.sampled_from(["", "course", "first", "other", "lost"])


@given(
    st.lists(st.tuples(BYTES, BYTES, NAMES), max_size=20),
    st.sampled_from(["", "course", "first"]),
)
def test_folders_add_up_to_their_videos(rows: list[tuple[float, float, str]], parent: str) -> None:
    videos = [VideoChange(str(n), "Film", now, past, folder_id=folder) for n, (now, past, folder) in enumerate(rows)]
    folders = sum_folders(videos, parent, FOLDERS)
    assert sum(folder.now - folder.past for folder in folders) == sum(video.change for video in videos)
    assert sum(folder.videos for folder in folders) == len(videos)


def test_folder_holds_what_is_below_it_and_a_ring_of_parents_ends() -> None:
    videos = [VideoChange("a", "A", 5, 1, folder_id="first"), VideoChange("b", "B", 3, 0, folder_id="course")]
    root = sum_folders(videos, "", FOLDERS)
    assert [(folder.name, folder.now, folder.has_folders) for folder in root] == [("Course", 8, True)]
    inner = {folder.name: (folder.now, folder.is_direct) for folder in sum_folders(videos, "course", FOLDERS)}
    assert inner == {"First": (5, False), "": (3, True)}
    ring = (Shelf("x", "X", "y"), Shelf("y", "Y", "x"))
    assert sum(f.videos for f in sum_folders([VideoChange("a", "A", 1, 0, folder_id="x")], "", ring)) == 1


needs_pages = pytest.mark.django_db(databases=["default", "sandbox"])


def video_id(number: int) -> str:
    return f"00000000-0000-4000-8000-{number:012d}"


FIVE = ("Grows", "Lasts", "New", "Gone", "Quiet")
NOW_BYTES = dict(zip(FIVE, (6, 4, 3, 0, 1), strict=True))
PAST_BYTES = dict(zip(FIVE, (3, 2, 0, 5, 1), strict=True))
NOW_PLAYS = {"Grows": 60, "Lasts": 20, "New": 30, "Quiet": 7}
PAST_PLAYS = {"Grows": 30, "Lasts": 20, "Gone": 50, "Quiet": 7}
IN_FOLDER = {"Grows": "course", "Lasts": "first", "New": "first", "Gone": "other", "Quiet": ""}


@pytest.fixture
def library(owner: Client, monkeypatch: pytest.MonkeyPatch, at_noon: datetime) -> Account:
    """Five videos, read until yesterday; GB a day in NOW_BYTES from 11 November on, in PAST_BYTES before."""
    account = Account.objects.get(pk=owner.session["account"])
    now = datetime(2026, 11, 20, tzinfo=UTC)
    TrafficList.objects.create(account=account, completed_at=now, wanted_at=now)
    for number, name in enumerate(FIVE):
        TrafficVideo.objects.create(
            account=account, video_id=video_id(number), title=name, folder_id=IN_FOLDER[name], read_at=now, listed_at=now,
            first_day=date(2026, 10, 1), last_day=date(2026, 11, 19), gone_at=now if name == "Gone" else None,
            created_at=datetime(2026, 11, 12 if name == "New" else 1, tzinfo=UTC),
        )  # fmt: skip
        days = [date(2026, 11, 1) + timedelta(days=n) for n in range(19)]
        sizes = [(NOW_BYTES if day >= date(2026, 11, 11) else PAST_BYTES)[name] for day in days]
        TrafficDay.objects.bulk_create(
            TrafficDay(account=account, video_id=video_id(number), day=day, bytes=size * GIGA)
            for day, size in zip(days, sizes, strict=True)
            if size
        )
    rank(monkeypatch, NOW_PLAYS, PAST_PLAYS)
    shelves = [{"id": f.id, "name": f.name, "parent_folder_id": f.parent or None} for f in FOLDERS]
    answer_with(monkeypatch, lambda _request: shelves, "folders.list")
    return account


def rank(monkeypatch: pytest.MonkeyPatch, now: dict[str, int], past: dict[str, int]) -> None:
    def ranking(request: Any) -> Any:
        plays = now if dict(request.query)["start_date"] >= "2026-11-11" else past
        rows = [
            {"video_id": video_id((*FIVE, "Another").index(name)), "title": name, "plays": count}
            for name, count in plays.items()
        ]
        return {"data": rows}

    answer_with(monkeypatch, ranking, "analytics.ranking")
    forget()


def steps(page: str) -> dict[str, str]:
    """The printed parts by label, with the two totals first and last."""
    name = r'parts__name">(?:<a [^>]*>)?([^<]+?)(?:</a>)?(?:<small>[^<]*</small>)?</span>'
    rows = re.findall(rf'{name}.*?parts__value">([^<]+)<', page)
    return dict(rows)


@needs_pages
def test_causes_are_named_with_their_size_and_add_up(owner: Client, library: Account) -> None:
    page = read_page(owner, f"{WHY}causes/?{DAYS}")
    parts = steps(page)
    assert list(parts)[1:-1] == ["Deleted videos", "More plays", "New videos", "Watched longer"]
    assert list(parts.values()) == ["55.0 GB", "−25.0 GB", "+15.0 GB", "+15.0 GB", "+10.0 GB", "70.0 GB"]
    assert "Rose by 15.0 GB (+27.3%)" in page and "1 video, created after Nov 10" in page


@needs_pages
@pytest.mark.parametrize(("hour", "is_new"), [(23, False), (24, True), (25, True)])
def test_new_is_what_was_created_after_the_earlier_days_as_traffic_cuts_them(
    owner: Client, library: Account, hour: int, is_new: bool
) -> None:
    TrafficVideo.objects.filter(title="New").update(
        created_at=datetime(2026, 11, 10, tzinfo=UTC) + timedelta(hours=hour)
    )
    page = read_page(owner, f"{WHY}causes/?{DAYS.replace('UTC', 'America/Sao_Paulo')}")
    assert ("New videos" in steps(page)) is is_new
    assert ("created after Nov 10 (UTC)" in page) is is_new


@needs_pages
@pytest.mark.parametrize("refused", ["folders.list", "analytics.ranking"])
def test_refused_token_leads_to_sign_in(
    owner: Client, library: Account, monkeypatch: pytest.MonkeyPatch, refused: str
) -> None:
    def refuse(request: Any) -> Any:
        raise BadToken(refused, 401)

    split = "folders" if refused == "folders.list" else "causes"
    answer_with(monkeypatch, refuse, refused)
    forget()
    answer = owner.get(f"{WHY}{split}/?{DAYS}")
    assert answer.status_code == 302 and answer["Location"].startswith("/sign-in/")


@needs_pages
def test_videos_of_a_cause_are_its_list(owner: Client, library: Account) -> None:
    page = read_page(owner, f"{WHY}causes/?{DAYS}")
    address = re.search(r'href="([^"]+)">More plays', page)
    assert address is not None
    listed = one_line(owner.get(address[1].replace("&amp;", "&")).content.decode())
    assert "More plays: its videos" in listed and "1 of 1 videos that changed. Together +15.0 GB." in listed
    rows = listed.split("<tbody>")[1].split("</tbody>")[0]
    assert "Grows" in rows and "Lasts" not in rows


@needs_pages
def test_videos_and_folders_add_up_and_lead_deeper(owner: Client, library: Account) -> None:
    videos = steps(read_page(owner, f"{WHY}videos/?{DAYS}"))
    assert list(videos.items())[1:-1] == [
        ("Gone", "−25.0 GB"), ("Grows", "+15.0 GB"), ("New", "+15.0 GB"), ("Lasts", "+10.0 GB"),
    ]  # fmt: skip
    page = read_page(owner, f"{WHY}folders/?{DAYS}")
    assert list(steps(page).items())[1:-1] == [("Course", "+40.0 GB"), ("Other", "−25.0 GB")]
    inside = read_page(owner, f"{WHY}folders/?{DAYS}&folder=course")
    assert list(steps(inside).items())[1:-1] == [("First", "+25.0 GB"), ("Directly in this folder", "+15.0 GB")]
    assert list(steps(read_page(owner, f"{WHY}videos/?{DAYS}&folder=course&directly=yes")))[1:-1] == ["Grows"]
    assert "Videos in “Course” and below it." in inside


@needs_pages
def test_one_video_has_its_own_causes_and_anothers_is_not_shown(owner: Client, library: Account) -> None:
    page = read_page(owner, f"{WHY}causes/?{DAYS}&video={video_id(0)}")
    assert list(steps(page).items())[1:-1] == [("More plays", "+15.0 GB")] and "Grows." in page
    assert owner.get(f"{WHY}causes/?{DAYS}&video={video_id(99)}").status_code == 404
    assert owner.get(f"{WHY}videos/?{DAYS}&folder=nobodys").status_code == 404


@needs_pages
def test_file_has_the_same_parts_in_bytes(owner: Client, library: Account) -> None:
    def rows(path: str) -> list[dict[str, str]]:
        return list(csv.DictReader(io.StringIO(owner.get(f"{WHY}{path}").content.decode("utf-8-sig"))))

    causes = rows(f"causes.csv?{DAYS}")
    assert [int(row["Change, bytes"]) for row in causes] == [-25 * GIGA, 15 * GIGA, 15 * GIGA, 10 * GIGA, 15 * GIGA]
    assert [row["Video"] for row in rows(f"videos.csv?{DAYS}")] == ["Gone", "Grows", "New", "Lasts"]
    folders = rows(f"folders.csv?{DAYS}")
    assert sum(int(row["Change, bytes"]) for row in folders[:-1]) == int(folders[-1]["Change, bytes"]) == 15 * GIGA


@needs_pages
def test_plays_that_no_ranking_tells_are_a_part_of_their_own(
    owner: Client, library: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    TrafficVideo.objects.filter(title="New").update(created_at=None)
    parts = steps(read_page(owner, f"{WHY}causes/?{DAYS}"))
    assert parts["More plays"] == "+30.0 GB", "a ranking of four is whole: who is not on it was not played"
    rank(monkeypatch, NOW_PLAYS, PAST_PLAYS | {"Another": 3})
    parts = steps(read_page(owner, f"{WHY}causes/?{DAYS}"))
    assert parts["More plays"] == parts["Plays not known"] == "+15.0 GB", "a ranking of five may have been cut"


@needs_pages
def test_days_that_one_side_lacks_are_left_out_of_both_and_counted(owner: Client, library: Account) -> None:
    TrafficVideo.objects.filter(title="Quiet").update(first_day=date(2026, 11, 8))
    page = read_page(owner, f"{WHY}causes/?{DAYS}")
    assert "3 of 5 days compared." in page
    assert next(iter(steps(page).values())) == "33.00 GB" and list(steps(page).values())[-1] == "42.00 GB"


@needs_pages
@pytest.mark.parametrize("split", ["causes", "videos", "folders"])
def test_unknown_side_is_cannot_tell_with_the_reason(owner: Client, library: Account, split: str) -> None:
    assert "Choose a period to compare with" in read_page(owner, f"{WHY}{split}/?{DAYS}&compare=none")
    TrafficDay.objects.filter(day__lt=date(2026, 11, 11)).delete()
    page = read_page(owner, f"{WHY}{split}/?{DAYS}")
    assert "Can't tell" in page and "No data on both sides" in page and 'class="parts"' not in page
    TrafficVideo.objects.filter(title="New").update(read_at=None, last_day=None)
    page = read_page(owner, f"{WHY}{split}/?{DAYS}")
    assert "Can't tell" in page and "3 of 4 videos read" in page
    assert owner.get(f"{WHY}{split}.csv?{DAYS}").status_code == 302


@needs_pages
@pytest.mark.parametrize(("operation", "split"), [("analytics.ranking", "causes"), ("folders.list", "folders")])
def test_platform_that_fails_takes_only_what_needs_it(
    owner: Client, library: Account, monkeypatch: pytest.MonkeyPatch, operation: str, split: str
) -> None:
    def fail(_request: Any) -> Any:
        raise RateLimited(operation, status=429)

    answer_with(monkeypatch, fail, operation)
    forget()
    page = read_page(owner, f"{WHY}{split}/?{DAYS}")
    assert 'class="parts"' not in page and "Too many requests." in page
    assert 'class="parts"' in read_page(owner, f"{WHY}videos/?{DAYS}")


@needs_pages
def test_figures_that_are_late_come_by_themselves(owner: Client, library: Account, late: Callable[..., None]) -> None:
    late("analytics.ranking")
    page = read_page(owner, f"{WHY}causes/?{DAYS}")
    fragment = page.split('id="panel-why" hx-get="')[1].split('"')[0].replace("&amp;", "&")
    part = owner.get(fragment, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part and 'id="panel-why"' in part


@needs_pages
def test_address_without_a_split_leads_to_the_causes(owner: Client, library: Account) -> None:
    assert owner.get(f"{WHY}?{DAYS}")["Location"] == f"{WHY}causes/?{DAYS}"
    assert owner.get(f"{WHY}nobody/?{DAYS}").status_code == 404


@needs_pages
@pytest.mark.parametrize("changed", [{"read_at": NEWER}, {"listed_at": NEWER}, {"gone_at": NEWER}])
def test_what_the_worker_reads_anew_changes_the_page(owner: Client, library: Account, changed: dict[str, Any]) -> None:
    """What is made of 5,000 videos is kept for as long as nothing of it changes."""
    before = steps(read_page(owner, f"{WHY}causes/?{DAYS}"))
    TrafficDay.objects.filter(video_id=video_id(0)).delete()
    TrafficVideo.objects.filter(video_id=video_id(0)).update(title="Renamed", **changed)
    cache.clear()
    assert steps(read_page(owner, f"{WHY}causes/?{DAYS}")) != before


@pytest.mark.parametrize("rest", [None, 0.0])
def test_plays_are_the_same_when_they_were_kept(rest: float | None) -> None:
    plays = Plays({video_id(0): 12.0, video_id(1): 0.0}, rest)
    assert Plays.loaded(plays.dumped()) == plays


@pytest.mark.parametrize("data", [b"", b"{}", zlib.compress(b"{"), zlib.compress(b"[1]"), zlib.compress(b"1")])
def test_what_another_release_kept_is_read_anew(data: bytes) -> None:
    with pytest.raises(ValueError, match=r"\w"):
        Plays.loaded(data)
    condensed = listed.FOLDERS.condensed
    assert condensed is not None
    with pytest.raises(ValueError, match=r"\w"):
        condensed.load(data)


def test_folders_are_the_same_when_they_were_kept() -> None:
    shelves, condensed = (Shelf("a", "Curso “é”", ""), Shelf("b", "B", "a")), listed.FOLDERS.condensed
    assert condensed is not None and condensed.load(condensed.dump(shelves)) == shelves
