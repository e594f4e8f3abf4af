"""Writing down what happened, once, for whom it concerns; and e-mails about it planned in the same transaction."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from dashboard.notices import mailing, webhooks
from dashboard.notices.models import Notice, NoticeReader, Subscription, Webhook
from dashboard.notices.subscriptions import list_of_account


@dataclass(frozen=True)
class Happening:
    """Something that happened: `accounts` and the reviewers (`people`) whom it concerns; never who did it."""

    source: str
    scope: str
    ref: str
    at: datetime
    accounts: Collection[UUID] = ()
    people: Collection[str] = ()


def record(happenings: Iterable[Happening]) -> None:
    """Write down what is new, and plan its e-mails. The same again changes nothing."""
    happenings = list(happenings)
    subscriptions = _load_subscriptions(happenings)
    with transaction.atomic():
        Notice.objects.bulk_create(
            [notice for happening in happenings for notice in _build_notices(happening, subscriptions)],
            ignore_conflicts=True,
        )
        webhooks.plan(
            {account_id for happening in happenings for account_id in happening.accounts},
            {happening.ref for happening in happenings},
        )
        for subscription in _list_concerned(happenings, subscriptions):
            mailing.plan(subscription)


def list_subscribers(scope: str) -> set[str]:
    """The reviewers of a link whose address is on."""
    rows = Subscription.objects.filter(account=None, scope=scope, stopped_at=None).exclude(confirmed_at=None)
    return set(rows.values_list("person", flat=True))


def was_told(source: str, ref: str) -> bool:
    """Whether somebody heard of it: by an e-mail, on the page of notices, or through a webhook."""
    notices = Notice.objects.filter(source=source, ref=ref)
    read = NoticeReader.objects.filter(account=OuterRef("account"), seen_at__gte=OuterRef("created_at"))
    posted = Webhook.objects.filter(account=OuterRef("account"))
    return notices.filter(Q(mails__isnull=False) | Exists(read) | Exists(posted)).exists()


def _load_subscriptions(happenings: Iterable[Happening]) -> dict[tuple[str, str], Subscription]:
    scopes = {happening.scope for happening in happenings if happening.people}
    rows = Subscription.objects.filter(account=None, scope__in=scopes)
    return {(row.scope, row.person): row for row in rows}


def _build_notices(happening: Happening, subscriptions: dict[tuple[str, str], Subscription]) -> Iterable[Notice]:
    same = {"source": happening.source, "scope": happening.scope, "ref": happening.ref, "at": happening.at}
    for account_id in happening.accounts:
        yield Notice(account_id=account_id, **same)
    for person in happening.people:
        if subscription := subscriptions.get((happening.scope, person)):
            yield Notice(subscription=subscription, **same)


def _list_concerned(
    happenings: Iterable[Happening], subscriptions: dict[tuple[str, str], Subscription]
) -> Iterable[Subscription]:
    people = {(happening.scope, person) for happening in happenings for person in happening.people}
    yield from (row for key, row in subscriptions.items() if key in people)
    for account_id in {account_id for happening in happenings for account_id in happening.accounts}:
        yield from list_of_account(account_id)
