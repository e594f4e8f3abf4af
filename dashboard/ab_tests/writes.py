"""Writes of A/B tests: create, update and its undo, start, finish, delete; and what is stored here with them."""

from dataclasses import replace
from datetime import timedelta
from typing import TYPE_CHECKING, Any, Final, cast

from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard.ab_tests import forecast, pages, rules
from dashboard.ab_tests.models import Decision, Terms
from dashboard.ab_tests.queries import Pace, Study, calculate_scale, load_pace
from dashboard.activity.recorder import NotUndone, actor_of, undoes
from dashboard.platform_api import Platform
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import CallError, Missing, NotAllowed, Refused
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.upstream.library import find_pullzone, known_videos
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, Operation, register
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import form_intent

if TYPE_CHECKING:
    from dashboard.activity.models import Entry

CREATE: Final = "comparisons.create"
UPDATE: Final = "comparisons.update"
START: Final = "comparisons.start"
FINISH: Final = "comparisons.finish"
DELETE: Final = "comparisons.delete"
OPERATIONS: Final = (CREATE, UPDATE, START, FINISH, DELETE)
WINNER_NAMES: Final = ("winner_video_id", "winner")
"""What the winner may be called, the likelier name first."""
BEGUN: Final = (TestStatus.IN_PROGRESS, TestStatus.COMPLETED)
CLOCKS_DIFFER: Final = timedelta(minutes=1)
"""How far the platform's clock may be behind ours."""


def create_intent(request: OwnerRequest, payload: dict[str, Any]) -> Intent:
    """The draft of a form."""
    return form_intent(request, CREATE, subject="", sends=payload, label=payload["name"], after=payload)


def update_intent(request: OwnerRequest, comparison: Comparison, changes: dict[str, Any]) -> Intent:
    """The changes of a form."""
    before = {name: value for name, value in get_values(comparison).items() if name in changes}
    sends = {"comparison_id": comparison.id, "changes": changes}
    return form_intent(
        request, UPDATE, subject=comparison.id, sends=sends, label=comparison.name, before=before, after=changes
    )


def start_intent(request: OwnerRequest, comparison_id: str) -> Intent:
    """The start of a test: its variants are fixed from then on."""
    sends = {"comparison_id": comparison_id}
    return form_intent(request, START, subject=comparison_id, sends=sends, after={"status": TestStatus.IN_PROGRESS})


def finish_intent(request: OwnerRequest, comparison_id: str, winner: str) -> Intent:
    """The end of a test and its winner."""
    sends = {"comparison_id": comparison_id, "winner": winner}
    after = {"status": TestStatus.COMPLETED, "winner": winner}
    return form_intent(request, FINISH, subject=comparison_id, sends=sends, after=after)


def delete_intent(request: OwnerRequest, comparison_id: str) -> Intent:
    """The deletion of a test for good."""
    return form_intent(request, DELETE, subject=comparison_id, sends={"comparison_id": comparison_id})


def add_description(intent: Intent, comparison: Comparison) -> Intent:
    """The intent with what the log shows of the test: its name, and what it was before."""
    before: dict[str, Any] = {"status": comparison.status}
    if intent.operation == DELETE:
        before |= get_values(comparison)
    return replace(intent, label=comparison.name, before=before)


def add_decision(request: OwnerRequest, intent: Intent, study: Study, reason: str) -> Intent:
    """Add the reason and the current read-out to the intent of a finish; they are stored once it is done."""
    decision = {
        "winner": intent.request["winner"],
        "reason": reason,
        "verdict": study.readout.verdict.value,
        "figures": pages.list_decision_figures(study),
        "actor": actor_of(request, request.account),
    }
    return replace(intent, request={**intent.request, "decision": decision})


def add_scale(request: OwnerRequest, intent: Intent, study: Study) -> Intent:
    """Add the difference worth finding to the intent of a start, from the planned or the account's own play rate.

    Nothing is added where neither is known: the first read of the running test finds what was known before it.
    """
    planned = study.terms.planned_base
    pace = Pace(planned / 100, None, "plan") if planned else load_pace(request, study.comparison)
    if pace.base is None:
        return intent
    return replace(intent, request={**intent.request, "scale": calculate_scale(study.terms, pace)})


def get_values(comparison: Comparison) -> dict[str, Any]:
    """The fields of a test that can be changed, by their names in the form and at the platform."""
    return {
        "name": comparison.name,
        "description": comparison.description,
        "video_ids": [variant.video_id for variant in comparison.videos],
    }


def _get_platform(write: Write) -> Platform:
    assert write.account is not None  # noqa: S101  (every test belongs to an account)
    return clients.platform_for(write.account)


def _send_create(write: Write) -> Comparison:
    return _get_platform(write).comparisons.create(write.request)


def _keep_created(write: Write, created: Comparison) -> None:
    if not created.id or created.id in _list_created_ids(write):
        raise ValueError("which test this form created is not known")
    write.subject = created.id
    write.result = {"comparison_id": created.id, "name": created.name}
    write.after = {**write.request, "id": created.id}


def _settle_create(write: Write) -> Found | Absence:
    """The list has a new test with this name and these variants, which no other form created."""
    taken, since = _list_created_ids(write), (write.sent_at or write.created_at) - CLOCKS_DIFFER
    tests = [
        test
        for test in _get_platform(write).comparisons.list().comparisons
        if test.id not in taken and _is_same(test, write.request) and (test.created_at or since) >= since
    ]
    if not tests:
        return ABSENT
    return Found(tests[0]) if len(tests) == 1 and tests[0].created_at is not None else UNKNOWN


def _is_same(test: Comparison, payload: dict[str, Any]) -> bool:
    """Whether a test of the list can be what a form sent; the list may leave out all but the name [4.5]."""
    videos = sorted(variant.video_id for variant in test.videos)
    return (
        test.name.strip() == payload["name"].strip()
        and test.description.strip() in ("", payload["description"].strip())
        and videos in ([], sorted(payload["video_ids"]))
    )


def _list_created_ids(write: Write) -> set[str]:
    """The tests that other forms created."""
    others = Write.objects.filter(account=write.account, operation=CREATE, state=State.DONE).exclude(pk=write.pk)
    return set(others.values_list("subject", flat=True))


def _send_update(write: Write) -> Comparison | None:
    """The test as it is after the changes: the platform ignores variants silently once it runs [4.5].

    None where it took the changes and could not be read after: what it kept is not known then.
    """
    platform, comparison_id = _get_platform(write), write.request["comparison_id"]
    platform.comparisons.update(comparison_id, write.request["changes"])
    try:
        return platform.comparisons.get(comparison_id)
    except CallError:
        return None


def _keep_updated(write: Write, updated: Comparison | None) -> None:
    if updated is not None:
        write.after = {name: value for name, value in get_values(updated).items() if name in write.request["changes"]}
    write.result = {"kept": write.after if updated is not None else None}


def _settle_update(write: Write) -> Found | Absence:
    test = _get_platform(write).comparisons.get(write.request["comparison_id"])
    now, before = get_values(test), write.before or {}
    changes = {name: value for name, value in write.request["changes"].items() if value != before.get(name)}
    if not changes or any(_is_equal(now[name], value) for name, value in changes.items()):
        return Found(test)
    return ABSENT if all(_is_equal(now[name], before.get(name)) for name in changes) else UNKNOWN


def _is_equal(value: Any, other: Any) -> bool:
    """Compare texts without surrounding space, and variants in any order."""
    if isinstance(value, list):
        return sorted(value) == sorted(other or ())
    return (value or "").strip() == (other or "").strip()


def _send_start(write: Write) -> Comparison:
    return _get_platform(write).comparisons.start(write.request["comparison_id"])


def _settle_start(write: Write) -> Found | Absence:
    test, is_public = _read_test(write)
    is_started = test.status in BEGUN if is_public else test.status != TestStatus.DRAFT
    return Found(test) if is_started else UNKNOWN if is_public else ABSENT


def _read_test(write: Write) -> tuple[Comparison, bool]:
    """The test as it is, and whether only its public file tells (gaps 15, A7), which may be behind."""
    platform, comparison_id = _get_platform(write), write.request["comparison_id"]
    try:
        return platform.comparisons.get(comparison_id), False
    except (Missing, NotAllowed):
        file = platform.public_files.comparison(find_pullzone(write.owner), comparison_id)
    own, _title = known_videos(write.owner.pk, [file.winner or ""]).get(file.winner or "", (file.winner, ""))
    return Comparison.from_json({"id": comparison_id, "status": file.status, "winner": own}), True


def _send_finish(write: Write) -> Comparison:
    """The test with its winner: under the name of the public file [gaps 15, A7], else under the one that was guessed before."""
    finish, test, winner = (
        _get_platform(write).comparisons.finish,
        write.request["comparison_id"],
        write.request["winner"],
    )
    try:
        return finish(test, {WINNER_NAMES[0]: winner})
    except Refused as refusal:
        try:
            return finish(test, {WINNER_NAMES[1]: winner})
        except Refused:
            raise refusal from None


def _save_scale(write: Write, _started: Comparison | None) -> None:
    """Store the difference worth finding, once, at the start."""
    if scale := write.request.get("scale"):
        Terms.objects.update_or_create(
            account_id=write.owner.pk,
            comparison_id=write.request["comparison_id"],
            defaults={**scale, "split_wrong_on": None},
        )


def _confirm_started(write: Write) -> None:
    _save_scale(write, None)


def _save_decision(write: Write, _finished: Comparison | None) -> None:
    """Store the reason for the winner and the read-out of that moment."""
    decision = write.request.get("decision")
    if decision and write.account_id is not None:
        Decision.objects.update_or_create(account_id=write.account_id, comparison_id=write.subject, defaults=decision)


def _confirm_finished(write: Write) -> None:
    _save_decision(write, None)


def _settle_finish(write: Write) -> Found | Absence:
    """Completed, with this winner: of two people who end a test the other one's winner may stand there."""
    test, is_public = _read_test(write)
    ours = test.status == TestStatus.COMPLETED and test.winner in (None, write.request["winner"])
    return Found(test) if ours else UNKNOWN if is_public else ABSENT


def _send_delete(write: Write) -> None:
    _get_platform(write).comparisons.delete(write.request["comparison_id"])


def _settle_delete(write: Write) -> Found | Absence:
    try:
        _get_platform(write).comparisons.get(write.request["comparison_id"])
    except Missing:
        return Found()
    return ABSENT


register(Operation(CREATE, _send_create, _keep_created, _settle_create))
register(Operation(UPDATE, _send_update, _keep_updated, _settle_update, calls=3))
register(Operation(START, _send_start, _save_scale, _settle_start, confirmed=_confirm_started, calls=2))
register(
    Operation(
        FINISH,
        _send_finish,
        _save_decision,
        _settle_finish,
        confirmed=_confirm_finished,
        calls=3,
    )
)
register(Operation(DELETE, _send_delete, settle=_settle_delete))


def save_plan(request: OwnerRequest, study: Study, typed: dict[str, Any]) -> int | None:
    """Save the days that a lift needs, in whole weeks. None if the figures give no plan."""
    base, daily, lift = typed.get("base"), typed.get("daily"), typed.get("lift")
    if not (base and daily and lift):
        return None
    variants, alpha = max(len(study.variants), rules.VARIANTS_MIN), 1 - study.terms.level / 100
    seen = load_pace(request, study.comparison).seen_before
    rows = forecast.list_plan_rows(float(base) / 100, float(daily), variants, [float(lift) / 100], alpha, seen)
    if not rows or rows[0].weeks is None:
        return None
    days = rows[0].weeks * rules.WEEK
    values: dict[str, Any] = {
        "planned_lift": lift,
        "planned_days": days,
        "planned_base": float(base),
        "planned_daily": float(daily),
    }
    Terms.objects.update_or_create(account_id=request.account.pk, comparison_id=study.comparison.id, defaults=values)
    return days


TEXTS = ("name", "description")


@undoes(UPDATE)
def undo_update(request: HttpRequest, entry: "Entry") -> Write:
    """Send the name and description of before. Variants are left alone: they may be fixed by now.

    Raises `NotUndone` where one of the two was changed again since.
    """
    before = {name: value for name, value in (entry.before or {}).items() if name in TEXTS}
    after = {name: value for name, value in (entry.after or {}).items() if name in TEXTS}
    intent = form_intent(
        cast(OwnerRequest, request),
        UPDATE,
        subject=entry.target,
        sends={"comparison_id": entry.target, "changes": before},
        label=entry.label,
        before=after,
        after=before,
        undoes=entry,
    )
    if outbox.find(intent.scope, intent.key) is None:
        test = clients.platform(request).comparisons.get(entry.target)
        if any((getattr(test, name) or "") != (value or "") for name, value in after.items()):
            raise NotUndone(_("The test was changed again since: change it on its page."))
    return outbox.perform(intent)
