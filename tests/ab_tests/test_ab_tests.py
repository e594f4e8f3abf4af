"""The list of tests and the page of one: verdict, checks, variants, address, files, whatever the platform answers."""

import csv
import io
import re
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.ab_tests.models import Terms
from tests.ab_tests.conftest import General, Seen, people
from tests.conftest import signed_in
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

LOADS = {"views": 5000, "plays": 1500}


def test_the_list_shows_every_test_by_state_and_finds_by_words(seen: Seen, owner: Client) -> None:
    text = seen()
    assert all(word in text for word in ("In progress", "Draft", "Completed", "Opening: valley or cup"))
    only = one_line(owner.get("/dashboard/ab-tests/?state=DRAFT").content.decode())
    assert "Opening: valley or cup" not in only and 'aria-current="true">Draft' in only
    found = one_line(owner.get("/dashboard/ab-tests/?find=CUP").content.decode())
    assert "Opening: valley or cup" in found and "legenda" not in found
    nothing = one_line(owner.get("/dashboard/ab-tests/?find=zzz&state=hacked").content.decode())
    assert "No test fits" in nothing


def test_all_tests_come_as_a_table(owner: Client) -> None:
    body = owner.get("/dashboard/ab-tests/tests.csv").content.decode().removeprefix("\ufeff")
    rows = list(csv.DictReader(io.StringIO(body)))
    assert {row["State"] for row in rows} == {"DRAFT", "IN_PROGRESS", "COMPLETED"}


@pytest.mark.parametrize("part", ["", "result/", "edit/", "finish/", "delete/", "variants.csv"])
def test_nobody_sees_a_test_without_signing_in(client: Client, running: str, part: str) -> None:
    answer = client.get(f"/dashboard/ab-tests/{running}/{part}")
    assert answer.status_code == 302 and "/sign-in/" in answer["Location"]


@pytest.mark.parametrize("part", ["", "result/", "edit/", "finish/", "delete/", "variants.csv"])
def test_a_test_of_another_account_is_not_found(client: Client, cast: dict[str, Any], running: str, part: str) -> None:
    signed_in(client, cast["tokens"]["sub_account"])
    assert client.get(f"/dashboard/ab-tests/{running}/{part}").status_code == 404


@pytest.mark.parametrize("wrong", ["636f6d70-", "1234", "636f6d70-../x", "11111111-1111-4111-8111-111111111111"])
def test_what_is_no_identifier_of_a_test_is_not_found(owner: Client, wrong: str) -> None:
    assert owner.get(f"/dashboard/ab-tests/{wrong}/").status_code == 404


def test_upper_case_identifiers_are_the_same_test(seen: Seen, running: str) -> None:
    assert "Opening: valley or cup" in seen(running.upper())


def test_a_running_test_says_its_verdict_its_checks_and_what_is_fixed(seen: Seen, running: str) -> None:
    text = seen(running)
    assert "Equal chance" in text and "Healthy" in text and "Checked every day since" in text
    assert "People who see several variants" in text and "Steady days" in text and "What is looked for" in text
    assert "The variants can&#x27;t be changed after the start. Name and description still can." in text
    assert "interval__wide series-1" in text and "interval__zero" in text and "To tell your team" in text
    assert "A/B test started" in text and "area--band" in text


def verdict_of(text: str) -> str:
    found = re.search(r'class="reading (is-[a-z-]+)"', text)
    assert found
    return found.group(1)


@pytest.mark.parametrize(
    ("first", "second", "word", "look"),
    [
        (people(5000, 1300), people(5000, 1700), "Settled: B is better", "is-finished"),
        (people(5000, 1700), people(5000, 1300), "Settled: A is better", "is-finished"),
        (people(5000, 1500), people(5000, 1645), "Strong evidence for B", "is-leaning"),
        (people(5000, 1500), people(5000, 1500), "No evidence yet", "is-queue"),
        (people(5000, 1300, 6), people(5000, 1700, 6), "Can&#x27;t tell: less than a week of data", "is-queue"),
        (people(5000, 1300, 1), {"views": 5000, "plays": 1700},
         "Can&#x27;t tell: there are no numbers by day", "is-queue"),
        (people(50, 10), people(60, 12), "Collecting", "is-queue"),
        (people(6000, 1500), people(4000, 1900), "No result: the variants were not shown equally often (Nov", "is-error"),
        (LOADS, {"views": 5000, "plays": 1800}, "Can&#x27;t tell: there are no numbers by day", "is-queue"),
        ({"play_rate": 30}, {"play_rate": 40}, "No result from these numbers", "is-none"),
        ({"views": 3, "plays": 9}, LOADS, "No result from these numbers", "is-none"),
        ("oops", people(5000, 1300), "No result from these numbers", "is-none"),
        (people(0, 0), people(0, 0), "Collecting", "is-queue"),
    ],
)  # fmt: skip
def test_each_verdict_has_its_word_its_shape_and_only_a_settled_one_is_green(
    seen: Seen, running: str, general: General, first: Any, second: Any, word: str, look: str
) -> None:
    general(first, second)
    text = seen(running)
    assert f"</svg>{word}" in text
    assert verdict_of(text) == look
    wide = re.findall(r'interval__wide series-1" d="M(-?\d+) 140H(-?\d+)"', text[: text.index('id="checks-title"')])
    zero = re.findall(r'interval__zero" d="M(-?\d+) 0', text)
    if wide:
        excluded = int(wide[0][0]) > int(zero[0]) or int(wide[0][1]) < int(zero[0])
        assert excluded == (look == "is-finished")
    else:
        assert look != "is-finished"


def test_the_difference_that_is_looked_for_is_set_once_and_stays(seen: Seen, running: str, general: General) -> None:
    general(people(5000, 1000), people(5000, 1000))
    text = seen(running)
    kept = Terms.objects.get()
    assert kept.worth_finding == pytest.approx(0.02) and kept.base_from == "variants"
    assert "A lift of about 10% over a play rate of 20.0%: +2.0 points." in text
    general(people(5000, 3000), people(5000, 3000))
    assert "A lift of about 10% over a play rate of 20.0%: +2.0 points." in seen(running)


def test_a_split_that_was_wrong_stays_wrong_with_its_day_when_later_numbers_hide_it(
    seen: Seen, running: str, general: General
) -> None:
    general(people(6000, 1500), people(4000, 1300))
    seen(running)
    kept = Terms.objects.get()
    assert kept.split_wrong_on is not None
    general(people(5000, 1500), people(5000, 1300))
    text = seen(running)
    assert "No result: the variants were not shown equally often (Nov" in text and "It looks right now" in text
    assert Terms.objects.get().split_wrong_on == kept.split_wrong_on


def test_a_wrong_split_takes_the_verdict_and_never_the_numbers(seen: Seen, running: str, general: General) -> None:
    general(people(6000, 1500), people(4000, 1900))
    text = seen(running)
    assert "range-row" not in text and "evidence__level" not in text
    assert "6,000" in text and "25.0%" in text and "47.5%" in text and "Equal chance almost never gives this." in text


def test_people_are_a_caution_and_a_rate_alone_is_explained(seen: Seen, running: str, general: General) -> None:
    general({"unique_views": 5000, "unique_plays": 1500}, {"unique_views": 5000, "unique_plays": 1800})
    text = seen(running)
    assert "A person who saw several variants counts in each of them." in text and 'class="number">People</th>' in text
    general({"play_rate": 30}, {"play_rate": 40})
    text = seen(running)
    assert "Without the number of page loads, it&#x27;s impossible to say" in text and "30.0%" in text


def test_a_variant_that_cannot_be_read_is_named_and_the_page_stands(
    seen: Seen, running: str, faults: ModuleType
) -> None:
    faults.set("analytics.general", status=500)
    text = seen(running)
    assert "A, B: the numbers could not be read." in text
    assert "The platform has trouble of its own." in text and "Serra Alta, launch film" in text


@pytest.mark.parametrize(
    ("fault", "status"), [({"status": 500}, 502), ({"status": 403}, 403), ({"broken": "refused"}, 504)]
)
def test_a_test_that_cannot_be_read_is_a_page_that_says_why(
    seen: Seen, running: str, faults: ModuleType, fault: dict[str, Any], status: int
) -> None:
    faults.set("comparisons.get", **fault)
    faults.set("public_files.comparison", **fault)
    assert "Try again" in seen(running, status=status)


def test_a_list_that_cannot_be_read_says_so_with_a_way_on(seen: Seen, faults: ModuleType) -> None:
    faults.set("comparisons.list", status=500)
    text = seen(status=502)
    assert "The tests could not be read." in text and "Try again" in text and "Create test" in text


def test_one_variant_has_nothing_to_be_compared_with(seen: Seen, cast: dict[str, Any]) -> None:
    text = seen(cast["ab_tests"]["draft_lonely"])
    assert "Add variants first: a test needs at least two." in text


def test_the_address_of_the_test_has_the_test_in_place_of_a_video(seen: Seen, running: str) -> None:
    text = seen(running)
    found = re.search(r'id="embed" value="([^"]+)"', text)
    assert found and f"v={running}" in found.group(1) and found.group(1).startswith("http")
    assert 'data-copied="Address copied"' in text


def test_the_result_page_has_everything_and_nothing_to_press(seen: Seen, running: str) -> None:
    text = seen(running, "result/")
    assert "To tell your team" in text and "mixture sequential interval" in text
    main = text[text.index("<main") : text.index("</main>")]
    assert "<form" not in main and "Finish test" not in main


@pytest.mark.parametrize("name", ["variants", "rates", "retention"])
def test_each_chart_of_a_test_is_a_table_and_a_drawing(owner: Client, running: str, name: str) -> None:
    table = owner.get(f"/dashboard/ab-tests/{running}/{name}.csv")
    assert table.status_code == 200 and "opening-valley-or-cup" in table["Content-Disposition"]
    assert owner.get(f"/dashboard/ab-tests/{running}/{name}.svg")["Content-Type"] == "image/svg+xml"
    assert owner.get(f"/dashboard/ab-tests/{running}/{name}.pdf").status_code == 404


def test_the_file_and_the_page_have_the_same_numbers(owner: Client, seen: Seen, running: str) -> None:
    body = owner.get(f"/dashboard/ab-tests/{running}/variants.csv").content.decode().removeprefix("\ufeff")
    text = seen(running)
    for row in csv.DictReader(io.StringIO(body)):
        assert f"{int(row['Page loads']):,}" in text and f"{float(row['Play rate']) * 100:.1f}%" in text


def test_a_draft_has_no_files(owner: Client, cast: dict[str, Any]) -> None:
    assert owner.get(f"/dashboard/ab-tests/{cast['ab_tests']['draft']}/variants.csv").status_code == 404


def test_a_draft_plans_from_its_own_figures_or_from_typed_ones(seen: Seen, cast: dict[str, Any], owner: Client) -> None:
    draft = cast["ab_tests"]["draft"]
    assert "From these videos in the last 28 days." in one_line(seen(draft))
    typed = owner.get(f"/dashboard/ab-tests/{draft}/?base=30&daily=400&lift=12,5").content.decode()
    assert "The smallest lift you can find in" in typed and "better" in typed and "+12%" in typed
    wrong = owner.get(f"/dashboard/ab-tests/{draft}/?base=300&daily=x").content.decode()
    assert "Write a number of page loads." in wrong


def test_a_plan_that_is_kept_shows_its_progress_once_the_test_runs(
    owner: Client, seen: Seen, cast: dict[str, Any]
) -> None:
    draft = cast["ab_tests"]["draft"]
    owner.post(f"/dashboard/ab-tests/{draft}/plan/", {"base": "30", "daily": "400", "lift": "10"})
    assert 'aria-pressed="true">In the plan' in one_line(seen(draft))
    owner.post(f"/dashboard/ab-tests/{draft}/start/", {"sure": "on"})
    days = Terms.objects.get(comparison_id=draft).planned_days
    assert days in (63, 70), (
        "six weeks, and more because a fifth of the loads is by people who saw another variant before"
    )
    assert f"0 of {days} planned days, for a lift of +10%" in one_line(seen(draft))


def test_how_it_is_judged_changes_the_read_out(owner: Client, seen: Seen, running: str, general: General) -> None:
    general(people(400_000, 120_000), people(400_000, 120_200))
    assert "No evidence yet" in seen(running)
    answer = owner.post(f"/dashboard/ab-tests/{running}/terms/", {"level": "99", "equal_points": "1,5"})
    assert answer.status_code == 302
    text = seen(running)
    assert "Practically equal" in text and "1.5 points you called equal" in text and verdict_of(text) == "is-resolved"


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"level": "95", "equal_points": "much"}, "Write a number, like 0.5."),
        ({"level": "50", "equal_points": "0"}, "valid choice"),
    ],
)
def test_terms_that_cannot_be_are_said_at_their_field(
    owner: Client, running: str, typed: dict[str, str], sentence: str
) -> None:
    answer = owner.post(f"/dashboard/ab-tests/{running}/terms/", typed)
    assert answer.status_code == 422 and sentence in answer.content.decode()
