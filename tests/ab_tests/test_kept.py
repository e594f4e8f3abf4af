"""What is kept here with the writes of A/B tests: the difference worth finding, the reason of a finish, the plan."""

import uuid
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from dashboard.ab_tests import writes
from dashboard.ab_tests.models import Decision, Terms
from dashboard.ab_tests.queries import Pace
from dashboard.ab_tests.rules import Verdict
from dashboard.accounts.models import Account
from dashboard.writes.operations import registered
from tests.ab_tests.test_writes import AT, READ, TEST, A, B, request_of, written

__all__ = ["request_of"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def study_of(terms: Terms | None = None, **about: Any) -> Any:
    readout = SimpleNamespace(verdict=Verdict.NO_EVIDENCE)
    return SimpleNamespace(comparison=READ, variants=(), readout=readout, terms=terms or Terms(), **about)


def test_a_finish_carries_its_reason_and_the_read_out_of_its_moment(request_of: Any) -> None:
    request_of.session["person"] = "Camila"
    counted = SimpleNamespace(arm=SimpleNamespace(loads=100, played=30), rate=0.3)
    study = study_of()
    study.variants = (SimpleNamespace(video_id=A, title="A", counted=counted),)
    finish = writes.finish_intent(request_of, TEST, B)
    intent = writes.add_decision(request_of, finish, study, "The campaign ends.")
    assert intent == replace(finish, request=intent.request)
    assert intent.request == finish.request | {
        "decision": {
            "winner": B,
            "reason": "The campaign ends.",
            "verdict": "no-evidence",
            "figures": [{"video_id": A, "title": "A", "loads": 100, "played": 30, "rate": 0.3}],
            "actor": finish.actor,
        }
    }
    assert finish.actor


@pytest.mark.parametrize(
    ("planned", "pace", "scale"),
    [
        (40.0, Pace(0.3, 100.0, "variants"), {"worth_finding": 0.04, "base_at_start": 0.4, "base_from": "plan"}),
        (None, Pace(0.3, 100.0, "account"), {"worth_finding": 0.03, "base_at_start": 0.3, "base_from": "account"}),
        (None, Pace(None, None, ""), None),
    ],
)
def test_a_start_carries_the_difference_worth_finding_where_a_play_rate_is_known(
    request_of: Any, monkeypatch: pytest.MonkeyPatch, planned: float | None, pace: Pace, scale: dict[str, Any] | None
) -> None:
    asked: list[tuple[Any, ...]] = []

    def load_pace(*about: Any) -> Pace:
        asked.append(about)
        return pace

    monkeypatch.setattr(writes, "load_pace", load_pace)
    start = writes.start_intent(request_of, TEST)
    study = study_of(Terms(planned_base=planned, planned_lift=10))
    intent = writes.add_scale(request_of, start, study)
    found = intent.request.pop("scale", None)
    assert found == (pytest.approx(scale) if scale else None)
    assert intent == replace(start, request={"comparison_id": TEST})
    assert asked == ([] if planned else [(request_of, READ)]), "a plan needs no reading"


SCALE = {"worth_finding": 0.03, "base_at_start": 0.3, "base_from": "account"}


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_the_difference_worth_finding_is_kept_at_the_start_and_a_wrong_split_is_of_the_time_before(
    account: Account, is_confirmed: bool
) -> None:
    others = [Terms.objects.create(account_id=uuid.uuid4(), comparison_id=TEST) for _account in range(2)]
    others.append(Terms.objects.create(account_id=account.pk, comparison_id="other"))
    Terms.objects.create(account_id=account.pk, comparison_id=TEST, level=99, split_wrong_on=AT.date())
    start, operation = written(account, writes.START, {"comparison_id": TEST, "scale": SCALE}), registered(writes.START)
    operation.confirmed(start) if is_confirmed else operation.keep(start, READ)
    terms = Terms.objects.get(account_id=account.pk, comparison_id=TEST)
    assert {name: getattr(terms, name) for name in SCALE} == SCALE
    assert (terms.level, terms.split_wrong_on) == (99, None)
    assert all(Terms.objects.get(pk=one.pk).worth_finding is None for one in others)


def test_a_start_without_a_known_play_rate_keeps_nothing(account: Account) -> None:
    registered(writes.START).keep(written(account, writes.START, {"comparison_id": TEST}), READ)
    assert not planned_terms()


@pytest.mark.parametrize("is_confirmed", [False, True])
def test_the_reason_of_a_finish_is_kept_once(account: Account, is_confirmed: bool) -> None:
    decision = {"winner": B, "reason": "", "verdict": "no-evidence", "figures": [{"rate": 0.3}], "actor": "Camila"}
    sends = {"comparison_id": TEST, "winner": B, "decision": decision}
    operation = registered(writes.FINISH)
    for reason in ("First", "Second"):
        decision["reason"] = reason
        finish = written(account, writes.FINISH, sends)
        operation.confirmed(finish) if is_confirmed else operation.keep(finish, READ)
    kept = Decision.objects.get(account_id=account.pk, comparison_id=TEST)
    assert {name: getattr(kept, name) for name in decision} == decision
    assert Decision.objects.count() == 1


def test_a_finish_without_a_reason_or_of_an_account_that_is_gone_keeps_none(account: Account) -> None:
    operation, sends = registered(writes.FINISH), {"comparison_id": TEST, "winner": B}
    operation.keep(written(account, writes.FINISH, sends), READ)
    gone = written(account, writes.FINISH, sends | {"decision": {"winner": B}})
    gone.account = None
    operation.keep(gone, READ)
    assert not Decision.objects.exists()


def planned_terms() -> list[Terms]:
    return list(Terms.objects.filter(comparison_id=TEST))


TYPED = {"base": 30, "daily": 400, "lift": 10}


@pytest.mark.parametrize("missing", ["base", "daily", "lift"])
@pytest.mark.parametrize("value", [None, 0])
def test_a_plan_needs_all_three_figures(request_of: Any, missing: str, value: Any) -> None:
    assert writes.save_plan(request_of, study_of(), TYPED | {missing: value}) is None
    assert writes.save_plan(request_of, study_of(), {name: TYPED[name] for name in TYPED if name != missing}) is None
    assert not planned_terms()


@pytest.mark.parametrize("typed", [TYPED | {"base": 95}, TYPED | {"daily": 0.001}])
def test_what_cannot_be_found_is_no_plan(request_of: Any, typed: dict[str, float]) -> None:
    assert writes.save_plan(request_of, study_of(), typed) is None
    assert not planned_terms()


def days(request_of: Any, variants: int = 2, level: int = 95) -> int:
    study = study_of(Terms(level=level))
    study.variants = (None,) * variants
    planned = writes.save_plan(request_of, study, TYPED)
    assert planned is not None and planned % 7 == 0
    (terms,) = planned_terms()
    assert (terms.account_id, terms.comparison_id) == (request_of.account.pk, TEST)
    kept: tuple[Any, ...] = (terms.planned_days, terms.planned_base, terms.planned_daily, terms.planned_lift)
    assert kept == (planned, 30, 400, 10)
    return planned


def test_a_plan_is_kept_in_whole_weeks_and_grows_with_variants_and_certainty(request_of: Any) -> None:
    usual = days(request_of)
    assert 14 <= usual <= 140
    assert days(request_of, variants=0) == days(request_of, variants=1) == usual, "a test has two at least"
    assert days(request_of, variants=3) > usual
    assert days(request_of, level=99) > usual > days(request_of, level=80)
