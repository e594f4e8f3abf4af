"""A change is one number: what stands beside a figure is what the page of its reasons tells, to the last digit."""

import re
from typing import Any

import pytest
from django.test import Client
from django.utils.html import strip_tags
from hypothesis import example, given
from hypothesis import strategies as st

from dashboard.accounts.models import Account
from dashboard.analytics import traffic_why, why
from dashboard.analytics.changes import RateSide, VideoChange, build_bytes_change, build_steps_content, split_rate
from dashboard.analytics.traffic_why import ComparedDays
from dashboard.shared.charts.figures import build_change, build_points_change
from dashboard.shared.ranges import Days
from tests.analytics.test_agreement import FIRST, state
from tests.kept_traffic import keep_traffic
from tests.pages import one_line

DAYS = "start=2026-11-01&end=2026-11-14&zone=UTC"
BYTES = st.integers(0, 10**13).map(float)
VIDEO = st.builds(lambda now, past: VideoChange("v", "Video", now, past), BYTES, BYTES)
VIDEOS = st.lists(VIDEO, min_size=1, max_size=9)
COUNT = st.integers(0, 10**5).map(float)
SIDES = st.lists(st.builds(RateSide, st.just("Chrome"), COUNT, COUNT, COUNT, COUNT), min_size=1, max_size=5)
COMPARED = Days(FIRST, FIRST), Days(FIRST, FIRST)


@pytest.mark.parametrize("split", ["causes", "videos"])
@given(videos=VIDEOS)
@example(videos=[VideoChange("v", "Video", 999_499_500.0, 999_500_000.0)])
def test_change_of_traffic_is_the_one_that_its_reasons_tell(split: str, videos: list[VideoChange]) -> None:
    now, past = sum(video.now for video in videos), sum(video.past for video in videos)
    finding = traffic_why.build_content(videos, ComparedDays(*COMPARED), split, state(), ()).content.finding
    share = build_change(now, past)
    if now != past:
        assert share and f"{share.words})" in finding and f" {build_bytes_change(now, past).words} " in finding


@given(SIDES)
def test_change_of_a_play_rate_is_the_one_that_its_reasons_tell(sides: list[RateSide]) -> None:
    change = split_rate(sides)
    if change is None or abs(change.now - change.past) < 1e-6:
        return
    scale = why.build_scale(change)
    content = build_steps_content(why.split_effects(change, scale), "Browser", COMPARED, scale, "Before")
    assert f" {build_points_change(change.now, change.past).words}." in content.finding


@pytest.mark.parametrize(
    ("now", "past", "words"),
    [(0.1012, 0.0931, "0.81 points"), (0.12, 0.1, "2.0 points"), (0.1, 0.25, "15.0 points"), (0.1, 0.1, "0.0 points"),
     (1.0, 521 / 4758, "89.1 points")],
)  # fmt: skip
def test_points_come_from_the_unrounded_rates(now: float, past: float, words: str) -> None:
    change = build_points_change(now, past)
    assert (change.words, change.up, change.down) == (words, now > past, now < past)


@pytest.mark.parametrize(
    ("now", "past", "words", "up", "down"),
    [
        (605.9, 518.3, "16.9%", True, False), (2407, 100, "2,307%", True, False), (97, 100, "3.0%", False, True),
        (5, 0, "new", True, False), (0, 0, "", False, False), (100.01, 100, "0.0%", False, False),
    ],
)  # fmt: skip
def test_change_has_a_direction_only_where_its_words_have_one(
    now: float, past: float, words: str, up: bool, down: bool
) -> None:
    change = build_change(now, past)
    assert change is not None and (change.words, change.up, change.down) == (words, up, down)


def list_changes(page: str) -> list[tuple[str, str]]:
    """The words of each change that leads to its reasons, and where it leads."""
    pattern = r'class="change-why">(.*?)<a class="change__why" href="([^"]+)"'
    found = re.findall(pattern, page)
    return [
        (re.sub(r"^(up|down) ", "", strip_tags(words).strip()), href.replace("&amp;", "&")) for words, href in found
    ]


@pytest.mark.django_db(databases=["default", "sandbox"])
@pytest.mark.parametrize(
    "path",
    [
        "/dashboard/", f"/dashboard/analytics/?{DAYS}", f"/dashboard/analytics/?{DAYS}&metric=plays",
        f"/dashboard/analytics/traffic/?{DAYS}", f"/dashboard/analytics/ranking/?{DAYS}",
        f"/dashboard/analytics/cities/?{DAYS}&country=BR", "/dashboard/videos/", "/dashboard/reports/",
    ],
)  # fmt: skip
def test_every_change_of_a_page_is_told_by_its_reasons_in_the_same_words(
    owner: Client, cast: dict[str, Any], path: str
) -> None:
    keep_traffic(Account.objects.get(pk=owner.session["account"]))
    changes = list_changes(one_line(owner.get(path).content.decode()))
    assert changes
    differing = []
    for words, href in changes[:12]:
        reasons = one_line(owner.get(href).content.decode())
        finding = re.search(r"(?:Rose|Fell) by [^<]*", reasons)
        if words != "new" and finding and not re.search(rf"(?<![\d.,]){re.escape(words)}", finding[0]):
            differing.append((words, href, finding[0]))
    assert not differing
