"""What fails or is late says so in its place, with the age of what is shown, and can be tried again alone."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.ab_tests import messages, queries
from dashboard.ab_tests.statistics import Arm
from dashboard.platform_api.analytics import Analytics
from dashboard.sandbox.models import Comparison
from dashboard.upstream import figures as readings
from dashboard.upstream.figures import FigureAnswer
from tests.ab_tests.conftest import Seen
from tests.ab_tests.test_drawn import study_of
from tests.answering import answer_with
from tests.forgetting import make_old

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def read_long_ago(seen: Seen, running: str, monkeypatch: pytest.MonkeyPatch) -> str:
    """The page of the running test as it was ten minutes ago; nothing that was read then is fresh any more."""
    text = seen(running)
    make_old(600)
    for module, name in ((readings, "CLOSED_SECONDS"), (readings, "OPEN_SECONDS"), (queries, "TEST_SECONDS")):
        monkeypatch.setattr(module, name, 0.0)
    return text


def figures(text: str) -> list[str]:
    """The counts of the variants' table."""
    return re.findall(r'data-label="(?:Page loads|Plays)">([\d,]+)<', text)


def test_old_counts_stay_with_their_age_and_can_be_tried_again_alone(
    owner: Client, seen: Seen, running: str, read_long_ago: str, faults: ModuleType
) -> None:
    faults.set("analytics.general", status=500)
    text = seen(running)
    assert "A, B: the numbers couldn&#x27;t be refreshed." in text
    assert "These are the last numbers received, 10 min ago." in text
    assert figures(text) == figures(read_long_ago) and len(figures(text)) == 4
    assert text.count("Read 10 min ago") == 2, "each variant says its own age"
    assert f'hx-get="/dashboard/ab-tests/{running}/?part=readout"' in text
    faults.clear()
    part = owner.get(f"/dashboard/ab-tests/{running}/?part=readout", HTTP_HX_REQUEST="true").content.decode()
    assert "could not be read" not in part and "<main" not in part and figures(part) == figures(read_long_ago)


def test_one_variant_that_fails_is_named_and_the_other_keeps_its_numbers(
    seen: Seen, running: str, monkeypatch: pytest.MonkeyPatch, faults: ModuleType
) -> None:
    faults.set("analytics.general", status=500, times=1)
    text = seen(running)
    assert "A: the numbers could not be read." in text and len(figures(text)) == 2
    assert "so they cannot be compared" in text


def test_old_retention_says_its_age_beside_its_own_chart(
    owner: Client, seen: Seen, running: str, read_long_ago: str, faults: ModuleType
) -> None:
    faults.set("analytics.retention", status=500)
    panel = retention(seen(running))
    assert (
        "A, B: the retention couldn&#x27;t be refreshed." in panel
        and "last numbers received, 10 min ago" in panel
        and "area--band" in panel
    )
    faults.clear()
    part = owner.get(f"/dashboard/ab-tests/{running}/?part=retention", HTTP_HX_REQUEST="true").content.decode()
    assert "could not be read" not in part and "area--band" in part and 'id="readout"' not in part


def retention(text: str) -> str:
    """The panel of retention."""
    return text[text.index('id="chart-retention"') :].split("</section>")[0]


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ({"oops": "no"}, "A, B: the platform&#x27;s answer has no retention by second."),
        ({"retention": {}}, "A, B: the platform&#x27;s answer has no retention by second."),
    ],
    ids=["unknown-shape", "no-seconds"],
)
def test_retention_that_is_not_understood_is_a_sentence_and_not_a_hole(
    seen: Seen, running: str, monkeypatch: pytest.MonkeyPatch, answer: Any, sentence: str
) -> None:
    answer_with(monkeypatch, lambda _request: answer, "analytics.retention")
    panel = retention(seen(running))
    assert sentence in panel and "Try again" in panel and '<svg class="chart__svg"' not in panel


def test_missing_seconds_are_drawn_as_far_as_they_go(seen: Seen, running: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answers: Iterator[Any] = iter([{"retention": {"0": 100, "30": 60, "72": 20}}, {"retention": {"5": 90, "10": 80}}])
    answer_with(monkeypatch, lambda _request: next(answers), "analytics.retention")
    panel = retention(seen(running))
    assert "chart__svg" in panel and "no retention by second" not in panel


def test_a_test_that_could_not_be_read_anew_says_how_old_its_state_is(
    seen: Seen, running: str, read_long_ago: str, faults: ModuleType
) -> None:
    faults.set("comparisons.get", status=500)
    text = seen(running)
    assert "The test couldn&#x27;t be refreshed." in text and "Last read 10 min ago" in text and "In progress" in text
    assert "The test couldn&#x27;t be refreshed." in seen(running, "result/")


def test_a_test_that_is_gone_is_not_shown_from_what_was_kept(seen: Seen, running: str, read_long_ago: str) -> None:
    Comparison.objects.filter(pk=running).delete()
    seen(running, status=404)


def test_it_is_said_which_days_do_not_count(seen: Seen, running: str) -> None:
    assert "The first day is left out: part of it is before the test." in seen(running)


def test_after_its_end_the_day_of_the_end_is_left_out_too(seen: Seen, cast: dict[str, Any]) -> None:
    text = seen(cast["ab_tests"]["completed"])
    assert "The first and last day are left out" in text
    assert "A/B test started" in text and "A/B test finished" in text


def test_while_a_new_answer_is_on_its_way_the_old_numbers_say_their_age_and_the_part_fetches_itself() -> None:
    study = study_of([Arm(5000, 1500), Arm(5000, 1600)])
    old = FigureAnswer(Analytics.from_json({}), timezone.now() - timedelta(minutes=10), behind=True)
    waiting = replace(study, variants=tuple(replace(one, general=old) for one in study.variants))
    found = messages.build_counts_trouble(waiting)
    assert found is not None and found.late and "last numbers received, 10 min ago" in found.aged
    assert waiting.late and not study.late


@pytest.mark.parametrize(("zone", "hour"), [("America/Sao_Paulo", 1), ("Asia/Tokyo", 23), ("UTC", 12)])
def test_the_mark_of_the_start_is_drawn_whatever_day_the_reader_has_at_that_moment(
    owner: Client, seen: Seen, running: str, zone: str, hour: int
) -> None:
    owner.cookies["zone"] = zone
    started = timezone.now().replace(hour=hour, minute=30) - timedelta(days=12)
    Comparison.objects.filter(pk=running).update(started_at=started)
    assert "A/B test started" in seen(running)
