"""The list of tests says each one's evidence in the words of its own page, out of what is kept, with a bounded number of
reads."""

import csv
import io
from collections.abc import Callable
from datetime import datetime
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from dashboard.ab_tests import queries, standings
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import CallError
from dashboard.shared.locks import Reading
from tests.ab_tests.conftest import General, Seen, people
from tests.forgetting import forget
from tests.moments import measure_span
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
LIST = "/dashboard/ab-tests/"


def row_of(text: str, test: str) -> str:
    """The row of a test."""
    return next(row for row in one_line(text).split("<tr>") if f"{LIST}{test}/" in row)


@pytest.mark.parametrize(
    ("first", "second", "word", "look"),
    [
        (people(5_000, 1_300), people(5_000, 1_800), "Settled: B is better", "is-finished"),
        (people(400_000, 120_000), people(400_000, 120_200), "No evidence yet", "is-queue"),
        (
            people(9_000, 1_300),
            people(5_000, 1_800),
            "No result: the variants were not shown equally often (Nov",
            "is-error",
        ),
        (people(20, 9), people(20, 8), "Collecting", "is-queue"),
    ],
)
def test_a_row_says_the_verdict_of_the_test_s_own_page(
    seen: Seen, running: str, general: General, first: Any, second: Any, word: str, look: str
) -> None:
    general(first, second)
    page = one_line(seen(running))
    row = row_of(seen(), running)
    assert word in page and word in row and f"badge {look}" in row


def test_a_row_has_the_range_the_day_and_the_days_left(seen: Seen, running: str, general: General) -> None:
    general(people(20_000, 6_000), people(20_000, 6_300))
    page = one_line(seen(running))
    row = row_of(seen(), running)
    difference = row.split("B minus A: ")[1].split("</span>")[0]
    assert difference.endswith(" points") and difference in page
    assert "Day " in row and "Started " in row
    left = row.split('data-label="Days left">')[1].split("<div>")[1].split("<")[0].strip()
    assert left != "–" and left in page


def test_a_settled_test_has_no_days_left_and_a_draft_no_evidence(
    seen: Seen, running: str, general: General, cast: dict[str, Any]
) -> None:
    general(people(5_000, 1_300), people(5_000, 1_800))
    text = seen()
    assert "<div>–</div>" in row_of(text, running).split('data-label="Days left">')[1].replace(" ", "")
    draft = row_of(text, str(cast["ab_tests"]["draft"]))
    assert "badge is-draft" in draft and draft.count("–") == 2


def test_the_list_reads_a_bounded_number_of_tests_and_none_again_while_they_are_new(
    seen: Seen, calls: Callable[[str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "MOST", 1)
    counts = []
    for _look in range(5):
        seen()
        counts.append(calls("analytics.retention"))
    assert counts == [2, 4, 6, 6, 6], "one test of two variants a look, and none of the three twice"


@pytest.mark.parametrize(
    ("fault", "word"),
    [
        ({"status": 500}, "Not read yet"),
        ({"status": 429, "retry_after": 30}, "Not read yet"),
        ({"status": 404}, "No result from these numbers"),
    ],
)
def test_numbers_that_come_later_are_no_verdict_and_a_refusal_is_one(
    seen: Seen, running: str, faults: ModuleType, fault: dict[str, Any], word: str
) -> None:
    forget()
    faults.set("analytics.general", **fault)
    assert word in row_of(seen(), running)
    faults.clear()
    cache.clear()
    forget()
    assert word not in row_of(seen(), running)


def test_a_table_that_follows_itself_reads_what_runs_and_no_other_tests(
    owner: Client, seen: Seen, running: str, calls: Callable[[str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(standings, "MOST", 0)
    assert "Not read yet" in row_of(seen(), running)
    monkeypatch.setattr(standings, "MOST", 1)
    counts = []
    for _time in range(3):
        owner.get(LIST, headers={"HX-Request": "true"})
        counts.append(calls("analytics.retention"))
    assert counts == [2, 2, 2], "the two that have ended wait for the next look"
    seen()
    assert calls("analytics.retention") == 4


def test_a_test_that_cannot_be_read_leaves_the_turn_to_the_others(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_args: Any, **_values: Any) -> Any:
        raise CallError("analytics.general")

    monkeypatch.setattr(queries, "load_study", fail)
    assert "Not read yet" in seen()
    text = seen()
    assert 'hx-trigger="load delay' not in text, "nothing is on its way"
    monkeypatch.undo()
    assert "Not read yet" in seen(), "left alone for a minute"
    cache.clear()
    assert "Not read yet" not in seen()


def test_the_judgement_of_other_terms_is_worked_out_anew(
    owner: Client, seen: Seen, running: str, general: General
) -> None:
    general(people(400_000, 120_000), people(400_000, 120_200))
    assert "No evidence yet" in row_of(seen(), running)
    owner.post(f"{LIST}{running}/terms/", {"level": "99", "equal_points": "1,5"})
    assert "Practically equal" in row_of(seen(), running)


def test_one_reading_is_told_in_every_language_with_its_age(owner: Client, running: str, general: General) -> None:
    general(people(5_000, 1_300), people(5_000, 1_800))
    owner.get(LIST)
    for language, word in (("pt-br", "Decidido: B é melhor"), ("es", "B es mejor")):
        answer = owner.get(LIST, headers={"accept-language": language})
        assert word in row_of(answer.content.decode(), running)
    assert "Evidence read " in owner.get(LIST).content.decode()


def test_the_file_of_all_tests_has_the_evidence_and_when_it_was_read(
    owner: Client, running: str, general: General
) -> None:
    general(people(5_000, 1_300), people(5_000, 1_800))
    assert not _rows(owner)["IN_PROGRESS"]["Evidence"], "no data is an empty cell"
    with measure_span() as span:
        owner.get(LIST)
    row = _rows(owner)["IN_PROGRESS"]
    assert row["Evidence"] == "Settled: B is better" and row["Range"].startswith("B minus A: ")
    read_on = datetime.fromisoformat(row["Evidence read on"])
    assert row["Days left"] == "" and read_on >= span.began.replace(microsecond=0)
    assert not _rows(owner)["DRAFT"]["Evidence"]


def _rows(owner: Client) -> dict[str, dict[str, str]]:
    body = owner.get(f"{LIST}tests.csv").content.decode().removeprefix("\ufeff")
    return {row["State"]: row for row in csv.DictReader(io.StringIO(body))}


def test_unknown_tests_come_first_and_then_the_oldest_of_those_that_run() -> None:
    def test(name: str, status: str) -> Comparison:
        return Comparison.from_json({"id": name, "status": status})

    def reading(at: float) -> Any:
        return Reading({}, at)

    tests = [
        test("ended", "COMPLETED"),
        test("new", "IN_PROGRESS"),
        test("old", "IN_PROGRESS"),
        test("none", "IN_PROGRESS"),
    ]
    readings = {"ended": None, "new": reading(20.0), "old": reading(10.0), "none": None}
    order = sorted(tests, key=lambda one: standings._age(readings, one))
    assert [one.id for one in order] == ["none", "old", "new", "ended"]
