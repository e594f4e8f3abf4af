"""The answers that are known, by account: shared by all processes, kept over restarts, each with its age."""

import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Max, QuerySet
from django.utils import timezone

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.questions import Question
from dashboard.platform_api.records.lives import without_secrets
from dashboard.platform_api.values import Unreadable
from dashboard.upstream.intervals import CHANGES, SECONDS
from dashboard.upstream.models import LARGE, KnownAnswer

LARGEST: Final = 2_000_000
"""Bytes of one answer, deflated. A larger one is not kept: whoever needs it asks for it in parts."""
MOST_LARGE: Final = 60
"""How many answers larger than `LARGE` are kept of an account: what people chose last, of days and of filters."""
MOST: Final = 50_000
"""How many answers are kept of an account: four of each video of a library of five thousand, and as much again."""
FORGOTTEN_AFTER: Final = timedelta(days=30)
"""How long an answer is kept that nobody asks for any more."""
PRUNE_STEP: Final = 1_000
LOAD: Final = """
SELECT digest, body, condensed, read_at, changed_at, outdated_at
FROM upstream_knownanswer WHERE account_id = %s AND digest IN ({places})
"""
"""Plain, because the ORM takes three times as long to write it, and every page loads something."""
READ_AT: Final = KnownAnswer._meta.get_field("read_at").cached_col
KEEP: Final = """
INSERT INTO upstream_knownanswer AS known (account_id, operation, about, digest, body, size, read_at, changed_at)
VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (account_id, digest) DO UPDATE SET
    body = excluded.body,
    size = excluded.size,
    read_at = excluded.read_at,
    changed_at = CASE WHEN known.body = excluded.body THEN known.changed_at ELSE excluded.changed_at END,
    condensed = CASE WHEN known.body = excluded.body THEN known.condensed END
WHERE known.read_at <= excluded.read_at
"""
"""The same for SQLite and PostgreSQL. The ORM cannot say what happens to single columns; it would take three statements."""


@dataclass(frozen=True, slots=True)
class Known:
    """An answer, when its read began, since when it has been the same, and whether a write of ours has changed it since."""

    packed: bytes = field(repr=False)
    read_at: datetime
    changed_at: datetime
    is_outdated: bool
    condensed: bytes | None = field(default=None, repr=False)

    @property
    def answer(self) -> Answer:
        """The answer as it came. Raises `Unreadable` for what another release kept in another way."""
        try:
            return Answer(200, {}, zlib.decompress(self.packed))
        except zlib.error as error:
            raise Unreadable("body") from error


def load(account_id: UUID, digests: Iterable[str]) -> dict[str, Known]:
    """What is known of these questions, by their digests."""
    unique = list(dict.fromkeys(digests))
    if not unique:
        return {}
    account = KnownAnswer._meta.get_field("account").get_db_prep_value(account_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(LOAD.format(places=", ".join(["%s"] * len(unique))), [account, *unique])
        rows = cursor.fetchall()
    converters = connection.ops.get_db_converters(READ_AT)
    return {digest: _known(converters, *columns) for digest, *columns in rows}


def _known(
    converters: list[Any], body: bytes, condensed: bytes | None, read_at: Any, changed_at: Any, outdated_at: Any
) -> Known:
    """A row of LOAD; `converters` make moments of what the database gives for them."""
    for convert in converters:
        read_at = convert(read_at, READ_AT, connection)
        changed_at = convert(changed_at, READ_AT, connection)
        outdated_at = convert(outdated_at, READ_AT, connection)
    is_outdated = outdated_at is not None and outdated_at >= read_at
    return Known(bytes(body), read_at, changed_at, is_outdated, condensed and bytes(condensed))


def condense(account_id: UUID, digest: str, known: Known, condensed: bytes) -> None:
    """Keep what was made of an answer, as long as that stays the same."""
    rows = KnownAnswer.objects.filter(account_id=account_id, digest=digest, changed_at=known.changed_at)
    rows.update(condensed=condensed)


@dataclass(frozen=True, slots=True)
class KnownState:
    """When the read of an answer began, and since when it has been the same."""

    read_at: datetime
    changed_at: datetime


def states(account_id: UUID, digests: Iterable[str]) -> dict[str, KnownState]:
    """How old the answers to these questions are, without the answers, by digest."""
    rows = KnownAnswer.objects.filter(account_id=account_id, digest__in=set(digests))
    return {digest: KnownState(*moments) for digest, *moments in rows.values_list("digest", "read_at", "changed_at")}


def changes_of(account_id: UUID, operation: str, since: datetime) -> dict[str, datetime]:
    """Of an operation, each subject whose answer was read after `since`, and since when that has been the same."""
    rows = KnownAnswer.objects.filter(account_id=account_id, operation=operation, read_at__gt=since)
    return dict(rows.values_list("about", "changed_at"))


def version_of(account_id: UUID, operation: str, since: datetime) -> tuple[int, datetime | None]:
    """What is another one whenever an answer of the operation that was read after `since` is new, changed or gone."""
    rows = KnownAnswer.objects.filter(account_id=account_id, operation=operation, read_at__gt=since)
    figures = rows.aggregate(count=Count("pk"), newest=Max("changed_at"))
    return figures["count"], figures["newest"]


def read_moments(account_id: UUID, operation: str) -> dict[str, datetime]:
    """Of an operation, each subject whose answer is known, and when the read of it began."""
    rows = KnownAnswer.objects.filter(account_id=account_id, operation=operation)
    return dict(rows.values_list("about", "read_at"))


def digests_of(account_id: UUID, operation: str, most: int) -> list[str]:
    """The digests of what is known of an operation, the newest first."""
    rows = KnownAnswer.objects.filter(account_id=account_id, operation=operation).order_by("-read_at")
    return list(rows.values_list("digest", flat=True)[:most])


def keep(account_id: UUID, question: Question, answer: Answer, begun: datetime) -> None:
    """Keep the answer to a read that began at `begun`, in the place of an older one; of lives without their secrets."""
    if question.operation.startswith("lives."):
        answer = without_secrets(answer)
    body = zlib.compress(answer.body, 1)
    if question.operation not in SECONDS or len(body) > LARGEST:
        return
    row = {
        "account": account_id,
        "operation": question.operation,
        "about": question.about[:100],
        "digest": question.digest,
        "body": body,
        "size": len(body),
        "read_at": begun,
        "changed_at": begun,
    }
    fields = {field.name: field for field in KnownAnswer._meta.concrete_fields}
    values = [fields[name].get_db_prep_save(value, connection) for name, value in row.items()]
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(KEEP, values)
    except IntegrityError:
        return  # the account was deleted while the platform answered
    if len(body) > LARGE:
        _drop_oldest(KnownAnswer.objects.filter(account_id=account_id, size__gt=LARGE), MOST_LARGE)


def mark_changed(account_id: UUID, operation: str, subject: str = "") -> None:
    """A write of ours went out: what it changes is read anew before it is shown, wherever that is possible."""
    for change in CHANGES.get(operation, ()):
        rows = KnownAnswer.objects.filter(account_id=account_id, operation=change.operation)
        (rows.filter(about=subject) if change.about_it else rows).update(outdated_at=timezone.now())


def forget_account(account_id: UUID) -> None:
    """Drop all that is known of an account: its token is gone, so nothing of it can be read anew."""
    KnownAnswer.objects.filter(account_id=account_id).delete()


def prune() -> int:
    """Drop answers that nobody has asked for in a while, and what an account has too many of, in small steps; how many."""
    old, dropped = KnownAnswer.objects.filter(read_at__lt=timezone.now() - FORGOTTEN_AFTER), 0
    while rows := list(old.values_list("pk", flat=True)[:PRUNE_STEP]):
        dropped += KnownAnswer.objects.filter(pk__in=rows).delete()[0]
    crowded = KnownAnswer.objects.values("account_id").annotate(answers=Count("pk")).filter(answers__gt=MOST)
    for account_id in list(crowded.values_list("account_id", flat=True)):
        dropped += _drop_oldest(KnownAnswer.objects.filter(account_id=account_id), MOST)
    return dropped


def _drop_oldest(answers: "QuerySet[KnownAnswer]", most: int) -> int:
    """Drop all but the newest `most` of these answers; how many."""
    old, dropped = list(answers.order_by("-read_at", "-pk").values_list("pk", flat=True)[most:]), 0
    for first in range(0, len(old), PRUNE_STEP):
        dropped += KnownAnswer.objects.filter(pk__in=old[first : first + PRUNE_STEP]).delete()[0]
    return dropped
