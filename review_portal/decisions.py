"""Reviewers' decisions about the video of a link. They are stored here only: the platform has no such record."""

import uuid
from collections.abc import Iterable, Sequence

from django.db.models import Count
from django.utils import timezone

from dashboard.accounts.models import Account
from review_portal import sync
from review_portal.models import Decision, Reviewer, ReviewLink
from review_portal.threads import Thread


def save_decision(link: ReviewLink, reviewer: Reviewer, key: uuid.UUID, verdict: str, note: str) -> Decision:
    """Save a decision, once for each form, and raise the link's version so that polls bring it."""
    with sync.new_version(link.pk) as version:
        decision, _is_new = Decision.objects.get_or_create(
            link=link,
            key=key,
            defaults={
                "reviewer": reviewer,
                "verdict": verdict,
                "note": note,
                "name": reviewer.name,
                "version": version,
            },
        )
    return decision


def find_decision(link: ReviewLink, key: uuid.UUID) -> Decision | None:
    """The decision that a form has brought already."""
    return Decision.objects.select_related("reviewer__link").filter(link=link, key=key).first()


def list_decisions(link: ReviewLink) -> list[Decision]:
    """The decisions that count: of each reviewer the newest, unless it was withdrawn; newest first."""
    return _select_valid(Decision.objects.filter(link=link).order_by("pk"))


def list_decisions_of(links: Sequence[ReviewLink]) -> list[Decision]:
    """The decisions that count of several links, newest first, in one query."""
    return _select_valid(Decision.objects.filter(link__in=links).order_by("pk"))


def list_unseen(account: Account) -> list[Decision]:
    """Those that count, of all links of an account, whose page no owner has opened since; newest first."""
    links = Decision.objects.filter(link__accounts=account, seen_at=None).values("link")
    return [
        decision
        for decision in _select_valid(Decision.objects.filter(link__in=links).select_related("link").order_by("pk"))
        if decision.seen_at is None
    ]


def _select_valid(decisions: Iterable[Decision]) -> list[Decision]:
    newest = {decision.reviewer_id: decision for decision in decisions}
    counting = [row for row in newest.values() if row.verdict != Decision.Verdict.WITHDRAWN]
    return sorted(counting, key=lambda row: row.pk, reverse=True)


def list_undecided(link: ReviewLink, decided: Iterable[Decision]) -> list[Reviewer]:
    """Reviewers who wrote through this link and have no decision that counts; each with `written`, how many comments."""
    guests = Reviewer.objects.filter(link=link, account=None).exclude(name="")
    guests = guests.exclude(pk__in=[decision.reviewer_id for decision in decided])
    return list(guests.annotate(written=Count("comments")).filter(written__gt=0).order_by("name"))


def count_since(decision: Decision, threads: Iterable[Thread]) -> tuple[int, int]:
    """Comments and replies of other people that came after a decision, of the threads that its reviewer sees."""
    entries = [(entry, entry is thread.first) for thread in threads for entry in thread.entries]
    new = [is_first for entry, is_first in entries if entry.born > decision.version and not entry.mine]
    return sum(new), len(new) - sum(new)


def mark_seen(link: ReviewLink, reviewer_id: uuid.UUID | None = None) -> None:
    """Mark the link's decisions, or those of one reviewer, as seen by an owner."""
    unseen = Decision.objects.filter(link=link, seen_at=None)
    unseen = unseen.filter(reviewer_id=reviewer_id) if reviewer_id else unseen
    unseen.update(seen_at=timezone.now())
