"""A panel that fails or is late says so in its place, keeps its last good data with its age, and can be tried alone."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client, override_settings

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import PlatformDown
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Sender
from dashboard.upstream.models import KnownAnswer
from tests.answering import answer_with, asked_of, days_of
from tests.conftest import signed_in
from tests.forgetting import forget, make_old
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

Seen = Callable[..., str]
Late = Callable[..., None]
WEEK = "start=2026-11-01&end=2026-11-07&zone=UTC"
HTMX = {"HX-Request": "true"}
TROUBLE = "The platform has trouble of its own."
AGED = "These are the last numbers received, 13"
WAITING = "The platform is still answering this question."


@dataclass(frozen=True)
class Place:
    """A panel of a page: the operation it depends on, the id of its part, and what is only there with its data."""

    path: str
    operation: str
    part: str
    data: str


PLACES = {
    "overview": Place("", "browser", "panel-events", "views in this period"),
    "browsers": Place("browsers/", "browser", "panel-browsers", "bar__value"),
    "cities": Place("cities/", "city", "panel-cities", "world__bubble"),
    "referrers": Place("referrers/", "referrer", "panel-referrers", "l.instagram.com"),
    "ranking": Place("ranking/", "ranking", "panel-ranking", "Answers from the farm</a>"),
    "traffic": Place("traffic/", "traffic", "numbers", "stat__value"),
    "retention": Place("retention/", "retention", "numbers", "area--band"),
}
every_page = pytest.mark.parametrize("name", PLACES)


@pytest.fixture
def seen(seen: Seen, cast: dict[str, Any]) -> Seen:
    """The same, where pages and files of traffic are those of two videos."""
    return lambda path, *args, **more: seen(choose_videos(path, cast), *args, **more)


def choose_videos(path: str, cast: dict[str, Any]) -> str:
    is_traffic = path.startswith("traffic") and "video=" not in path
    return f"{path}&video={cast['videos']['plain']}&video={cast['videos']['with_subtitles']}" if is_traffic else path


def part_of(text: str, place: Place) -> str:
    found = text.split(f'id="{place.part}"', 1)
    assert len(found) == 2, f"{place.part} is not there"
    return found[1]


def after_a_restart(hours: int = 13) -> None:
    """The cache is gone, as it is in memory after a restart, and what is known is older than days that are over may be."""
    cache.clear()
    make_old(hours * 3600)


@every_page
def test_what_fails_is_said_in_its_place_keeps_its_data_and_comes_back_alone(
    name: str, seen: Seen, faults: ModuleType
) -> None:
    place = PLACES[name]
    faults.set(f"analytics.{place.operation}", status=500)
    part = part_of(seen(f"{place.path}?{WEEK}"), place)
    assert TROUBLE in part and "Try again" in part and "last numbers received" not in part and place.data not in part
    retry = re.search(
        r'href="([^"]+)" hx-get="([^"]+)" hx-target="#([^"]+)" hx-swap="outerHTML" data-again', one_line(part)
    )
    assert retry and "panel=" in retry[2] and "panel=" not in retry[1], "a page without script, a part with it"
    assert retry[3] == place.part
    faults.clear()
    alone = seen(retry[2].removeprefix("/dashboard/analytics/").replace("&amp;", "&"), **HTMX)
    assert f'id="{place.part}"' in alone and "<html" not in alone
    if name not in {"traffic", "retention"}:  # there the others follow, one video after the other
        assert place.data in alone and TROUBLE not in alone
    assert place.data in part_of(seen(f"{place.path}?{WEEK}"), place)
    after_a_restart()
    faults.set(f"analytics.{place.operation}", status=500)
    part = part_of(seen(f"{place.path}?{WEEK}"), place)
    assert TROUBLE in part and AGED in part and place.data in part and "stale" in seen(f"{place.path}?{WEEK}")


@every_page
def test_what_is_late_is_said_in_its_place_and_keeps_its_data(name: str, seen: Seen, late: Late) -> None:
    place = PLACES[name]
    late(f"analytics.{place.operation}")
    text = seen(f"{place.path}?{WEEK}")
    part = part_of(text, place)
    assert WAITING in part and "Look again" in part and place.data not in part
    opening = re.search(rf'<[^>]*id="{place.part}"[^>]*>', text)
    assert opening and 'hx-trigger="load"' in opening[0], "it fetches itself"
    seen(re.findall(r'hx-get="/dashboard/analytics/([^"]+)"', opening[0])[0].replace("&amp;", "&"), **HTMX)
    after_a_restart()
    text = seen(f"{place.path}?{WEEK}")
    part = part_of(text, place)
    assert WAITING in part and AGED in part and place.data in part and "Look again" in part
    opening = re.search(rf'<[^>]*id="{place.part}"[^>]*>', text)
    assert opening and "hx-trigger" not in opening[0], "nobody who reads it loses the place"


@every_page
def test_another_account_never_sees_what_was_kept(
    name: str, seen: Seen, cast: dict[str, Any], faults: ModuleType
) -> None:
    place = PLACES[name]
    seen(f"{place.path}?{WEEK}")
    kept = KnownAnswer.objects.count()
    assert kept
    other = signed_in(Client(), cast["tokens"]["sub_account"])
    cache.clear()
    faults.set("*", status=500)
    text = other.get(f"/dashboard/analytics/{choose_videos(f'{place.path}?{WEEK}', cast)}").content.decode()
    assert TROUBLE in text and "last numbers received" not in text and place.data not in text
    assert KnownAnswer.objects.count() == kept


@pytest.fixture
def bytes_asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The videos whose traffic was asked for, in order; each has 2 GB a day."""
    asked: list[str] = []

    def traffic(request: Request) -> Any:
        asked.append(str(asked_of(request)["video_id"]))
        return two_gigabytes_a_day(request)

    answer_with(monkeypatch, traffic, "analytics.traffic")
    return asked


def two_gigabytes_a_day(request: Request) -> dict[str, Any]:
    start, end = days_of(request)
    days = [start + timedelta(days=n) for n in range((end - start).days + 1)]
    return {"data": [{"t": day.isoformat(), "b": 2 * 10**9} for day in days]}


def test_one_video_of_several_is_tried_alone_and_the_others_stand_as_they_are(
    seen: Seen, cast: dict[str, Any], bytes_asked: list[str], monkeypatch: pytest.MonkeyPatch, faults: ModuleType
) -> None:
    one, two = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    query = f"{WEEK}&video={one}&video={two}"
    works = Sender.send
    monkeypatch.undo()
    faults.set("analytics.traffic", status=500, times=1)
    part = part_of(seen(f"traffic/?{query}"), PLACES["traffic"])
    assert part.count(TROUBLE) == 1 and f"panel={one}" in part and f"panel={two}" not in part
    assert "the numbers are missing." in part and "Traffic per day" in part and "Traffic by video" not in part
    monkeypatch.setattr(Sender, "send", works)
    alone = seen(f"traffic/?{query}&panel={one}", **HTMX)
    assert bytes_asked == [one], "nobody else was asked"
    assert TROUBLE not in alone and "Traffic by video" in alone and "the numbers are missing" not in alone
    seen(f"traffic/?{query}&panel={cast['videos']['with_ai_content']}", status=404, **HTMX)


def test_a_video_that_was_not_tried_keeps_its_age_and_is_not_asked(
    seen: Seen, cast: dict[str, Any], bytes_asked: list[str]
) -> None:
    one, two = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    query = f"{WEEK}&video={one}&video={two}"
    seen(f"traffic/?{query}")
    after_a_restart()
    bytes_asked.clear()
    alone = seen(f"traffic/?{query}&panel={one}", **HTMX)
    assert bytes_asked == [one] and "Traffic by video" in alone


def test_a_curve_of_several_is_tried_alone(seen: Seen, cast: dict[str, Any], faults: ModuleType) -> None:
    one, two = cast["videos"]["with_ai_content"], cast["videos"]["with_subtitles"]
    query = f"{WEEK}&video={one}&video={two}"
    faults.set("analytics.retention", status=500, times=1)
    part = part_of(seen(f"retention/?{query}"), PLACES["retention"])
    assert part.count(TROUBLE) == 1 and part.count("area--band") == 1 and "the numbers are missing." in part
    alone = seen(f"retention/?{query}&panel={one}", **HTMX)
    assert alone.count("area--band") == 2 and TROUBLE not in alone and "Try again" not in alone


def test_people_that_cannot_be_counted_take_the_band_away_and_say_why(
    seen: Seen, cast: dict[str, Any], faults: ModuleType
) -> None:
    faults.set("analytics.general", status=500)
    query = f"{WEEK}&video={cast['videos']['with_ai_content']}&video={cast['videos']['with_subtitles']}"
    part = part_of(seen(f"retention/?{query}"), PLACES["retention"])
    assert part.count(TROUBLE) == 1 and part.count("data-again") == 3, "told once, each tried alone, or both"
    assert "area--band" not in part and "chart__svg" in part and "How many people watched is not known" in part


def test_a_comparison_of_traffic_that_failed_is_no_comparison_and_not_a_zero(
    seen: Seen, cast: dict[str, Any], bytes_asked: list[str], monkeypatch: pytest.MonkeyPatch, faults: ModuleType
) -> None:
    def traffic(request: Request) -> Any:
        if days_of(request)[1].year < 2025:
            raise PlatformDown("analytics.traffic", 500)
        return two_gigabytes_a_day(request)

    answer_with(monkeypatch, traffic, "analytics.traffic")
    query = f"{WEEK}&compare=chosen&against=2024-03-01&video={cast['videos']['plain']}"
    part = part_of(seen(f"traffic/?{query}"), PLACES["traffic"])
    assert "14.0 GB of 1 chosen video in this period." in part and TROUBLE in part
    assert "none in the one it is compared with" not in part and "line--past" not in part


def test_a_ranking_that_failed_is_not_an_account_without_videos(seen: Seen, faults: ModuleType, late: Late) -> None:
    faults.set("analytics.ranking", status=500)
    part = part_of(seen(f"retention/?{WEEK}"), PLACES["retention"])
    assert "Most played videos:" in part and TROUBLE in part and "Choose a video" not in part
    faults.clear()
    late("analytics.ranking")
    text = seen(f"retention/?{WEEK}")
    assert WAITING in text and 'panel=numbers" hx-trigger="load"' in text and "Choose a video" not in text
    assert "area--band" in seen(f"retention/?{WEEK}&panel=numbers", **HTMX)


# A platform that wants the token of traffic in another form


@pytest.mark.parametrize(("now", "other"), [("bearer", "raw"), ("raw", "bearer")])
def test_traffic_alone_refusing_the_token_names_the_setting_and_leads_nobody_to_sign_in(
    seen: Seen, owner: Client, faults: ModuleType, now: str, other: str
) -> None:
    faults.set("analytics.traffic", status=401)
    with override_settings(PLATFORM_TRAFFIC_AUTH=now):
        part = part_of(seen(f"traffic/?{WEEK}"), PLACES["traffic"])
    assert "The platform accepts this token, but not for traffic." in part
    assert f"can set PLATFORM_TRAFFIC_AUTH to {other}; it is {now} now." in part and "Try all again" in part
    assert owner.get("/dashboard/").status_code == 200, "nor does the overview"
    assert "PLATFORM_TRAFFIC_AUTH" in seen(f"traffic.csv?{WEEK}", status=502)


def test_traffic_refusing_a_token_that_works_nowhere_leads_to_sign_in(owner: Client, faults: ModuleType) -> None:
    owner.get(f"/dashboard/analytics/traffic/?{WEEK}")  # titles and lists are in the cache
    faults.set("analytics.traffic", status=401)
    faults.set("videos.list", status=401)
    forget()
    answer = owner.get(f"/dashboard/analytics/traffic/?{WEEK}")
    assert answer.status_code == 302 and "/sign-in/" in answer["Location"]


# What is kept


def account_of(client: Client) -> Account:
    return Account.objects.get(pk=client.session["account"])


def test_disconnecting_forgets_what_was_kept(owner: Client, seen: Seen) -> None:
    seen(f"browsers/?{WEEK}")
    assert KnownAnswer.objects.exists()
    owner.post(f"/accounts/{owner.session['account']}/disconnect/")
    assert not KnownAnswer.objects.exists()
