"""Why a number of the report of a folder or a search moved: parts of the same two totals as the report prints."""

import re
from collections.abc import Callable
from datetime import UTC, date, datetime
from html import unescape
from types import ModuleType
from typing import Any
from urllib.parse import quote

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.analytics.models import TrafficDay, TrafficList, TrafficVideo
from dashboard.sandbox.models import Video
from dashboard.upstream.library import Selection
from tests.analytics.conftest import Answers
from tests.forgetting import forget
from tests.kept_rows import KeptRows
from tests.pages import one_line
from tests.reports.conftest import BEFORE, NOW, WEEK, Audience

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
Seen = Callable[..., str]
WHY = "/dashboard/analytics/why/"
DAYS = "start=2026-11-09&end=2026-11-15&compare=previous"
GIGA = 1_000_000_000


@pytest.fixture
def audience(
    audience: Audience, account: Account, videos: list[Video], answers: Answers, kept_rows: KeptRows
) -> Audience:
    """Every video is played more than before, the first most; and it is viewed more often without being played."""
    for place, video in enumerate(videos[:4]):
        for day in WEEK:
            audience.plays[day][str(video.pk)] = 20 + 40 * (place == 0)
    answers(lambda operation, query: add_views(audience.answer(operation, query), str(videos[0].pk), query))
    kept_rows.take(lambda: keep_traffic(account, videos))
    return audience


def add_views(answer: dict[str, Any], video: str, query: dict[str, Any]) -> dict[str, Any]:
    """The answer, where the first video had a hundred views more in the week."""
    if query["end_date"] >= str(WEEK[0]):
        for row in answer.get("data", ()):
            row["view"] += 100 * (row["video_id"] == video)
    return answer


def keep_traffic(account: Account, videos: list[Video]) -> None:
    """Traffic of every video: two GB a day before the week and one in it, of the first five and nine."""
    TrafficList.objects.create(account=account, completed_at=NOW, wanted_at=NOW)
    for video in videos:
        TrafficVideo.objects.create(
            account=account, video_id=str(video.pk), title=video.title, folder_id=str(video.folder_id or ""),
            read_at=NOW, listed_at=NOW, first_day=date(2026, 10, 1), last_day=date(2026, 11, 17),
            created_at=datetime(2026, 10, 1, tzinfo=UTC),
        )  # fmt: skip
        before, now = (5, 9) if video == videos[0] else (2, 1)
        sizes = dict.fromkeys(BEFORE, before) | dict.fromkeys(WEEK, now)
        TrafficDay.objects.bulk_create(
            TrafficDay(account=account, video_id=str(video.pk), day=day, bytes=size * GIGA)
            for day, size in sizes.items()
        )


def get_root(video: Video) -> str:
    """The uppermost folder that a video is below."""
    folder = video.folder
    while folder is not None and folder.parent is not None:
        folder = folder.parent
    assert folder is not None
    assert folder.pk != video.folder_id
    return str(folder.pk)


@pytest.fixture
def about(request: pytest.FixtureRequest, videos: list[Video]) -> str:
    """What the report is about, by the parameter of the test."""
    return {
        "folder": f"folder:{get_root(videos[0])}",
        "search": f'search:"{videos[0].title}"',
    }[request.param]


needs_scope = pytest.mark.parametrize("about", ["folder", "search"], indirect=True)


def read_stats(page: str) -> dict[str, tuple[str, str, str]]:
    """By label: the number of the week, the one before, and where its why leads."""
    stats = page.split('aria-label="Numbers of the week"')[1].split("</section>")[0].split('<div class="stat">')[1:]
    return {stat.split('stat__label">')[1].split("<")[0]: read_stat(stat) for stat in stats}


def read_stat(stat: str) -> tuple[str, str, str]:
    link = re.search(r'change__why" href="([^"]+)"', stat)
    now, past = re.search(r'stat__value">([^<]+)<', stat), re.search(r"from ([\d.,]+(?:%| .B)?)", stat)
    return now[1] if now else "", past[1] if past else "", unescape(link[1]) if link else ""


def read_totals(page: str) -> tuple[str, str]:
    """The totals of a page of why: of the week, and of the week before."""
    values = re.findall(r'parts__value">([^<]+)<', page)
    return values[-1], values[0]


@needs_scope
def test_every_number_is_split_into_parts_of_the_same_totals(
    audience: Audience, seen: Seen, owner: Client, about: str
) -> None:
    stats = read_stats(one_line(seen(f"?about={quote(about)}")))
    assert set(stats) == {"Plays", "Views", "Play rate", "Traffic"}
    for label, (now, past, link) in stats.items():
        page = one_line(owner.get(link).content.decode())
        assert "The parts add up exactly to the difference." in page, label
        assert [size(text) for text in read_totals(page)] == [size(now), size(past)], label


def size(text: str) -> float:
    """A printed number; of bytes and rates as many digits as the report prints."""
    return round(float(re.sub(r"[^\d.]", "", text)), 1)


@needs_scope
def test_parts_are_the_videos_of_the_report_alone(
    audience: Audience, seen: Seen, owner: Client, videos: list[Video], about: str
) -> None:
    outside = {v.title for v in videos if v != videos[0] and (about.startswith("search") or not v.folder_id)}
    assert outside
    for _now, _past, link in read_stats(one_line(seen(f"?about={quote(about)}"))).values():
        page = unescape(one_line(owner.get(link).content.decode()).split("<main")[1])
        parts = page.split('class="parts"')[1]
        assert videos[0].title in page
        assert not any(f">{title}<" in parts for title in outside)


@needs_scope
@pytest.mark.parametrize("split", ["videos/", "rate/videos/", "traffic/causes/"])
def test_dates_and_metric_are_chosen_without_losing_what_it_is_about(
    audience: Audience, owner: Client, about: str, split: str
) -> None:
    kind, _colon, value = about.partition(":")
    text = owner.get(f"{WHY}{split}?{DAYS}&{kind}={quote(value)}").content.decode()
    assert f'<input type="hidden" name="{kind}" value="' in text
    assert ("Videos in “" in text) is (kind == "folder") and ("Videos that match “" in text) is (kind == "search")
    if split == "videos/":
        choices = text.split('name="metric"')[1].split("</select>")[0]
        assert re.findall(r'value="(\w+)"', choices) == ["views", "plays"]


@needs_scope
@pytest.mark.parametrize("split", ["videos", "rate/videos", "traffic/causes", "traffic/videos"])
def test_file_has_the_parts_of_the_page(audience: Audience, owner: Client, about: str, split: str) -> None:
    kind, _colon, value = about.partition(":")
    query = f"{DAYS}&{kind}={quote(value)}"
    answer = owner.get(f"{WHY}{split}.csv?{query}")
    assert answer.status_code == 200 and f"{WHY}{split}.csv?" in owner.get(f"{WHY}{split}/?{query}").content.decode()
    whole = owner.get(f"{WHY}{split}.csv?{DAYS}")
    assert 0 < len(answer.content.splitlines()) < len(whole.content.splitlines()) or split == "traffic/causes"


@pytest.mark.parametrize("split", ["videos/", "rate/videos/", "traffic/causes/"])
def test_folder_that_is_not_there_is_not_found(audience: Audience, owner: Client, split: str) -> None:
    assert owner.get(f"{WHY}{split}?{DAYS}&folder=no-such-folder").status_code == 404


@pytest.mark.parametrize("split", ["videos/", "rate/videos/", "traffic/causes/"])
def test_search_that_cannot_be_read_says_what_is_wrong(audience: Audience, owner: Client, split: str) -> None:
    text = one_line(owner.get(f"{WHY}{split}?{DAYS}&search={quote('views:sideways')}").content.decode())
    assert "Can't tell" in text and "sideways" in text.split("Can't tell")[1]
    assert owner.get(f"{WHY}{split.rstrip('/')}.csv?{DAYS}&search={quote('views:sideways')}").status_code == 302


@pytest.mark.parametrize("split", ["videos/", "rate/videos/", "traffic/causes/"])
def test_videos_that_may_match_are_left_out_and_said(
    audience: Audience, owner: Client, videos: list[Video], monkeypatch: pytest.MonkeyPatch, split: str
) -> None:
    known = Selection((str(videos[0].pk),), complete=False)
    monkeypatch.setattr("dashboard.analytics.why.load_selection", lambda *_arguments: known)
    text = one_line(owner.get(f"{WHY}{split}?{DAYS}&search=has:quiz").content.decode())
    assert "Videos that may match are left out." in text and 'class="parts"' in text


@needs_scope
@pytest.mark.parametrize("split", ["videos/", "rate/videos/", "traffic/causes/"])
@pytest.mark.parametrize("status", [500, 403, 429])
def test_list_that_fails_takes_the_parts_away_and_says_so(
    audience: Audience, owner: Client, faults: ModuleType, about: str, split: str, status: int
) -> None:
    kind, _colon, value = about.partition(":")
    faults.set("folders.list" if kind == "folder" else "videos.list", status=status)
    forget()
    text = owner.get(f"{WHY}{split}?{DAYS}&{kind}={quote(value)}").content.decode()
    assert 'class="parts"' not in text and "Can't tell" not in text and "Try again" in text


@needs_scope
@pytest.mark.parametrize("split", ["videos/", "rate/videos/", "traffic/causes/"])
def test_list_that_is_late_comes_by_itself(
    audience: Audience, owner: Client, late: Callable[..., None], about: str, split: str
) -> None:
    kind, _colon, value = about.partition(":")
    forget()
    late("folders.list" if kind == "folder" else "videos.list")
    text = owner.get(f"{WHY}{split}?{DAYS}&{kind}={quote(value)}").content.decode()
    assert 'hx-trigger="load"' in text and "Still loading." in text and 'class="parts"' not in text
    fragment = text.split("<main")[1].split('hx-get="')[1].split('"')[0].replace("&amp;", "&")
    part = owner.get(fragment, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in part and 'class="parts"' in part


@needs_scope
def test_refused_token_leads_to_sign_in(audience: Audience, owner: Client, faults: ModuleType, about: str) -> None:
    kind, _colon, value = about.partition(":")
    faults.set("videos.list", status=401)
    forget()
    assert owner.get(f"{WHY}videos/?{DAYS}&{kind}={quote(value)}").status_code in (302, 401)


def test_split_by_something_else_than_videos_is_of_the_whole_account(
    audience: Audience, owner: Client, videos: list[Video]
) -> None:
    text = owner.get(f"{WHY}browsers/?{DAYS}&folder={videos[0].folder_id}&search=x").content.decode()
    assert "All videos of " in text and 'name="folder"' not in text and 'name="search"' not in text


@needs_scope
def test_where_nothing_changed_no_why_is_offered(audience: Audience, seen: Seen, about: str) -> None:
    for week in (BEFORE, WEEK):
        for day in week:
            audience.plays[day] = dict.fromkeys(audience.plays[WEEK[0]], 10)
    forget()
    page = one_line(seen(f"?about={quote(about)}"))
    assert "report__why" not in page and "from 0" not in page


@pytest.mark.parametrize("split", ["videos/", "traffic/causes/"])
def test_nothing_changed_says_as_well_what_is_left_out(
    audience: Audience, owner: Client, monkeypatch: pytest.MonkeyPatch, split: str
) -> None:
    known = Selection((), complete=False)
    monkeypatch.setattr("dashboard.analytics.why.load_selection", lambda *_arguments: known)
    text = one_line(owner.get(f"{WHY}{split}?{DAYS}&search=has:quiz").content.decode())
    assert "Videos that may match are left out." in text and "Nothing changed between the two periods." in text


@pytest.mark.parametrize("whose", ["folder", "account"])
def test_videos_that_are_directly_in_a_folder_or_in_none_have_a_why_of_their_own(
    audience: Audience, seen: Seen, owner: Client, videos: list[Video], whose: str
) -> None:
    folder = get_root(videos[0])
    direct = videos[1]
    Video.objects.filter(pk=direct.pk).update(folder_id=folder if whose == "folder" else None)
    for week, plays in ((BEFORE, 3), (WEEK, 8)):
        for day in week:
            audience.plays[day][str(direct.pk)] = plays
    forget()
    page = one_line(seen(f"?about=folder:{folder}" if whose == "folder" else ""))
    label = "Directly in this folder" if whose == "folder" else "In no folder"
    row = re.split(rf">\s*{label}\s*<", page)[1].split("</tr>")[0]
    link = re.search(r'change__why" href="([^"]+)"', row)
    now, past = (int(number) for number in re.findall(r'<td class="number"[^>]*>\s*([\d,]+)\s*</td>', row)[1:3])
    assert link, row
    split = one_line(owner.get(unescape(link[1])).content.decode())
    assert [int(text) for text in read_totals(split)] == [now, past]
    assert ("Videos directly in “" if whose == "folder" else "Videos in no active folder.") in split
