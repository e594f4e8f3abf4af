"""What leaves for the platform when a test is changed, recorded before it leaves; and what we keep beside it."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.db import IntegrityError, transaction

from dashboard import clients
from dashboard.ab_tests import forecast, pages, rules
from dashboard.ab_tests.models import Creation, Decision, Terms
from dashboard.ab_tests.reading import Pace, Study, pace_of, scale_of, test_ask
from dashboard.ab_tests.rules import Act
from dashboard.activity.recorder import actor_of, ambiguous, recorded
from dashboard.platform_api import Platform
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.platform_api.operations import Operations
from dashboard.platform_api.records.comparisons import Comparison
from dashboard.shared.http import OwnerRequest
from dashboard.shared.single_flight import forget


@dataclass(frozen=True)
class Step:
    """An act that cannot be taken back: how it is sent, what is true after it, what is kept of it before."""

    name: str
    act: Act
    send: Callable[[Operations], object]
    after: dict[str, Any]
    keep: Callable[[], None] | None = None


def reserved(request: OwnerRequest, key: uuid.UUID) -> str | None:
    """None for a form that is sent for the first time; else the test it created, empty while that is not confirmed."""
    try:
        with transaction.atomic():
            Creation.objects.create(key=key, account_id=request.account.pk)
    except IntegrityError:
        known = Creation.objects.filter(key=key, account_id=request.account.pk).first()
        return known.comparison_id if known else ""
    return None


def created(request: OwnerRequest, key: uuid.UUID, payload: dict[str, Any]) -> Comparison:
    """Create a draft. The key of a clear refusal is free again; that of an answer that never came stays taken, so that
    pressing again does not create a second test while nobody knows about the first."""
    try:
        with recorded(request, "comparisons.create", label=payload["name"], after=payload) as entry:
            found = clients.platform(request).comparisons.create(payload)
            entry.target, entry.after = found.id, {**payload, "id": found.id}
    except PlatformError as error:
        if not ambiguous(error):
            Creation.objects.filter(key=key).delete()
        raise
    Creation.objects.filter(key=key).update(comparison_id=found.id)
    return found


def values(comparison: Comparison) -> dict[str, Any]:
    """What of a test can be changed, as the form and the platform call it."""
    return {
        "name": comparison.name,
        "description": comparison.description,
        "video_ids": [variant.video_id for variant in comparison.videos],
    }


def update(request: OwnerRequest, comparison: Comparison, changes: dict[str, Any]) -> Comparison | None:
    """Send the changes and read the test again: the platform ignores variants silently once it runs [4.5].

    None where it took the changes and could not be read after: what it kept is not known then.
    """
    before = {name: value for name, value in values(comparison).items() if name in changes}
    operation, label, target = "comparisons.update", comparison.name, comparison.id
    platform = clients.platform(request)
    with recorded(request, operation, target=target, label=label, before=before, after=changes) as entry:
        platform.comparisons.update(comparison.id, changes)
        forget_test(request, comparison.id)
        updated = _read_again(platform, comparison.id)
        if updated is not None:
            entry.after = {name: value for name, value in values(updated).items() if name in changes}
    return updated


def _read_again(platform: Platform, comparison_id: str) -> Comparison | None:
    try:
        return platform.comparisons.get(comparison_id)
    except BadToken:
        raise
    except PlatformError:
        return None


def send(request: OwnerRequest, study: Study, step: Step) -> None:
    """Send a step that cannot be taken back. Raises the `PlatformError` of a refusal."""
    comparison = study.comparison
    if step.keep:
        step.keep()
    operation, before = f"comparisons.{step.name}", {"status": comparison.status}
    try:
        with recorded(request, operation, target=comparison.id, label=comparison.name, before=before, after=step.after):
            step.send(clients.platform(request))
    finally:
        forget_test(request, comparison.id)


def delete(request: OwnerRequest, comparison: Comparison) -> None:
    """Delete a test for good; what it contained stays in the activity log."""
    before = {**values(comparison), "status": comparison.status}
    try:
        with recorded(request, "comparisons.delete", target=comparison.id, label=comparison.name, before=before):
            clients.platform(request).comparisons.delete(comparison.id)
    finally:
        forget_test(request, comparison.id)


def decide(request: OwnerRequest, study: Study, winner: str, reason: str) -> None:
    """Keep why a test is ended as it is, with the read-out of this moment."""
    kept: dict[str, Any] = {
        "winner": winner,
        "reason": reason,
        "verdict": study.readout.verdict.value,
        "figures": pages.decided_figures(study),
        "actor": actor_of(request, request.account),
    }
    Decision.objects.update_or_create(account_id=request.account.pk, comparison_id=study.comparison.id, defaults=kept)


def keep_plan(request: OwnerRequest, study: Study, typed: dict[str, Any]) -> int | None:
    """Keep the days a lift needs, in whole weeks. None where the figures give no plan."""
    base, daily, lift = typed.get("base"), typed.get("daily"), typed.get("lift")
    if not (base and daily and lift):
        return None
    variants, alpha = max(len(study.variants), rules.VARIANTS_MIN), 1 - study.terms.level / 100
    rows = forecast.plan(float(base) / 100, float(daily), variants, [float(lift) / 100], alpha)
    if not rows or rows[0].weeks is None:
        return None
    days = rows[0].weeks * rules.WEEK
    kept: dict[str, Any] = {
        "planned_lift": lift,
        "planned_days": days,
        "planned_base": float(base),
        "planned_daily": float(daily),
    }
    Terms.objects.update_or_create(account_id=request.account.pk, comparison_id=study.comparison.id, defaults=kept)
    return days


def keep_scale(request: OwnerRequest, study: Study) -> None:
    """Keep, at the start, what difference the read-out looks for: from the planned or the account's own play rate."""
    planned = study.terms.planned_base
    pace = Pace(planned / 100, None, "plan") if planned else pace_of(request, study.comparison)
    if pace.base is None:
        return  # the first read of the running test finds what was known before it
    kept = {**scale_of(study.terms, pace), "split_wrong_on": None}
    Terms.objects.update_or_create(account_id=request.account.pk, comparison_id=study.comparison.id, defaults=kept)


def forget_test(request: OwnerRequest, comparison_id: str) -> None:
    """What is kept of a test is old after a write."""
    forget(test_ask(comparison_id).key(request.account.pk))
