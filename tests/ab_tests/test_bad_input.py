"""Forged addresses, senseless forms and strange tests: a clear sentence or a right page, never a traceback."""

from datetime import datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.sandbox.models import Comparison, ComparisonVideo
from dashboard.writes.models import Write
from tests.ab_tests.conftest import General, Seen, people
from tests.answering import count_calls

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

VIDEO = "11111111-1111-4111-8111-111111111111"


@pytest.mark.parametrize(
    "query",
    [
        {"state": "HACKED", "find": "\0\u202e<script>"},
        {"id": "nonsense"},
        {"find": "x" * 5000},
    ],
    ids=["forged-state", "unknown-key", "long-words"],
)
def test_a_forged_address_of_the_list_is_the_list(owner: Client, query: dict[str, str]) -> None:
    answer = owner.get(f"/dashboard/ab-tests/?{urlencode(query)}")
    assert answer.status_code == 200 and "<script>" not in answer.content.decode().split("<main")[1]


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"base": "NaN", "daily": "Infinity"}, "Write a number between 0 and 100."),
        ({"base": "1e400"}, "less than or equal to 99.99"),
        ({"base": "0", "daily": "400"}, "greater than or equal to 0.01"),
        ({"lift": "-5"}, "greater than or equal to 0.1"),
        ({"base": "99", "daily": "400"}, "each of these lifts would exceed 100%"),
        ({"base": "0,01", "daily": "0,01"}, "over ten years"),
    ],
    ids=["no-numbers", "huge", "zero", "negative", "no-room", "tiny"],
)
def test_figures_that_give_no_plan_say_why(
    owner: Client, cast: dict[str, Any], typed: dict[str, str], sentence: str
) -> None:
    answer = owner.get(f"/dashboard/ab-tests/{cast['ab_tests']['draft']}/?{urlencode(typed)}")
    assert answer.status_code == 200 and sentence in answer.content.decode()


@pytest.mark.parametrize("typed", [{}, {"base": "x"}, {"base": "30", "daily": "400", "lift": "9999"}])
def test_a_forged_plan_keeps_nothing_and_says_so(owner: Client, cast: dict[str, Any], typed: dict[str, str]) -> None:
    answer = owner.post(f"/dashboard/ab-tests/{cast['ab_tests']['draft']}/plan/", typed, follow=True)
    text = answer.content.decode()
    assert "Choose a lift from the plan that can be found within ten years." in text and "In the plan" not in text


def test_a_plan_for_a_running_test_is_refused(owner: Client, running: str) -> None:
    values = {"base": "30", "daily": "400", "lift": "10"}
    text = owner.post(f"/dashboard/ab-tests/{running}/plan/", values, follow=True).content.decode()
    assert "Choose a lift from the plan" in text and "planned days" not in text


@pytest.mark.parametrize(
    ("act", "typed", "sentence"),
    [
        ("create", {"name": "a\0b"}, "Null characters are not allowed."),
        ("create", {"name": "x", "description": "x" * 5001}, "5000 characters"),
        ("edit", {"name": " "}, "Give the test a name."),
        ("start", {"sure": ""}, "Tick the box to start the test."),
        ("delete", {"name": ""}, "Type the name of the test to delete it."),
        ("finish", {"winner": VIDEO, "reason": "x" * 2001}, "Choose one of the variants."),
        ("terms", {"level": "95", "equal_points": "NaN"}, "Write a number, like 0.5."),
    ],
    ids=["null", "long", "blank", "unticked", "unnamed", "forged-winner", "no-number"],
)
def test_each_form_names_what_is_wrong(
    owner: Client, cast: dict[str, Any], act: str, typed: dict[str, str], sentence: str
) -> None:
    test = cast["ab_tests"]["draft" if act in {"start", "delete"} else "in_progress"]
    answer = owner.post(f"/dashboard/ab-tests/{'' if act == 'create' else f'{test}/'}{act}/", typed)
    assert answer.status_code == 422 and sentence in answer.content.decode()


def test_a_forged_key_of_the_form_creates_a_test_like_a_new_form(owner: Client) -> None:
    answer = owner.post("/dashboard/ab-tests/create/", {"name": "Forged", "write_key": "x"})
    assert answer.status_code == 302 and Comparison.objects.filter(name="Forged").count() == 1


def test_a_key_of_somebody_else_tells_nothing_about_their_test(owner: Client) -> None:
    Write.objects.create(
        scope="another account", key=VIDEO, operation="comparisons.create", subject="theirs", state="done"
    )
    answer = owner.post("/dashboard/ab-tests/create/", {"name": "Mine", "write_key": VIDEO})
    assert "theirs" not in answer["Location"] and Comparison.objects.filter(name="Mine").count() == 1


def test_an_address_that_names_a_thousand_videos_asks_the_platform_for_few(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = count_calls(monkeypatch, "videos.get")
    many = "&".join(f"video={number:08x}-0000-4000-8000-000000000000" for number in range(1000))
    assert owner.get(f"/dashboard/ab-tests/create/?{many}").status_code == 200
    assert len(asked) <= 24


def test_a_running_test_with_one_variant_or_none_has_nothing_to_compare(
    seen: Seen, cast: dict[str, Any], owner: Client
) -> None:
    lonely = cast["ab_tests"]["draft_lonely"]
    Comparison.objects.filter(pk=lonely).update(status="IN_PROGRESS", started_at=timezone.now() - timedelta(days=9))
    text = seen(lonely)
    assert "Nothing to compare" in text and "A test needs two variants." in text
    assert owner.get(f"/dashboard/ab-tests/{lonely}/variants.svg").status_code == 200
    ComparisonVideo.objects.filter(comparison_id=lonely).delete()
    assert "Nothing to compare" in seen(lonely) and "finish" in seen(lonely, "finish/")


@pytest.mark.parametrize(
    "answers",
    [
        (people(0, 0), people(0, 0)),
        (people(500, 0), people(500, 0)),
        (people(500, 500), people(500, 500)),
        ({"views_data": {"2026-13-77": {"unique_view": 5, "unique_play": 2}}}, people(500, 100)),
        ({"play_rate": 31.5}, {"play_rate": 250}),
        ([], None),
    ],
    ids=["zero-views", "nobody-plays", "everybody-plays", "no-date", "rates", "nothing"],
)
def test_any_counts_give_a_page_a_result_and_files(
    owner: Client, seen: Seen, running: str, general: General, answers: tuple[Any, ...]
) -> None:
    general(*answers)
    assert "is better" not in seen(running) and "is better" not in seen(running, "result/")
    assert owner.get(f"/dashboard/ab-tests/{running}/variants.csv").status_code == 200
    assert owner.get(f"/dashboard/ab-tests/{running}/variants.svg").status_code == 200
    assert owner.get(f"/dashboard/ab-tests/{running}/rates.svg").status_code in {200, 404}


@pytest.mark.parametrize(
    "started",
    [datetime(1626, 1, 1, tzinfo=timezone.get_default_timezone()), timezone.now() + timedelta(days=30)],
    ids=["400-years-ago", "in-the-future"],
)
def test_a_start_that_cannot_be_is_a_page_of_a_sane_length(seen: Seen, running: str, started: datetime) -> None:
    Comparison.objects.filter(pk=running).update(started_at=started)
    text = seen(running)
    assert "Opening: valley or cup" in text and len(text) < 600_000
