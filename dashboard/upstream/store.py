"""The answers that are known, by account: shared by all processes, kept over restarts, each with its age.

What a page reads is known in its process at once, and in the database as soon as the page has gone (`parallel.afterwards`): writing it takes as
long as reading it did. Until then its turn is not over, so no other process asks for the same (`reads.Turn`).

What threads of this process write at the same moment goes into one transaction (`GroupCommit`): a database file has one writer at a
time. Twenty reads beside a page that each wrote their answer in a transaction of its own kept a comment waiting for 0.8 s: each of
them held the file while the others had the interpreter.
"""

import threading
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final, Generic, TypeVar
from uuid import UUID

from django.core.cache import cache
from django.db import IntegrityError, connection, transaction
from django.db.models import Count, Max, QuerySet
from django.utils import timezone
from django.utils.functional import cached_property

from dashboard.platform_api.answers import Answer, without_secrets
from dashboard.platform_api.platform import Question
from dashboard.platform_api.values import Unreadable
from dashboard.upstream import parallel
from dashboard.upstream.intervals import CHANGES, SECONDS
from dashboard.upstream.models import LARGE, Capability, KnownAnswer

T = TypeVar("T")
TURN_PATIENCE: Final = 1.0
"""Seconds. Where somebody else holds the database, a page says so sooner than the thread that has the turn may."""


class GroupCommit(Generic[T]):
    """`write` puts rows into the database. It gets all that was brought while another thread's call of it was under way."""

    def __init__(self, write: Callable[[Sequence[T]], object]) -> None:
        self._write = write
        self._brought: list[T] = []
        self._lock, self._turn = threading.Lock(), threading.Lock()

    def put(self, rows: Sequence[T]) -> None:
        """Return when these rows are written, by this thread or by another one that had its turn before.

        What `write` raises is raised in the thread that called it; to the others whose rows it had, nothing is said. Who has no
        turn within `TURN_PATIENCE` writes without: rows may be written twice.
        """
        if not rows:
            return
        if connection.in_atomic_block:  # the turn may be with a thread that waits for the end of this transaction
            self._write(rows)
            return
        with self._lock:
            self._brought += rows
        if not self._turn.acquire(timeout=TURN_PATIENCE):
            self._write(rows)
            return
        try:
            with self._lock:
                brought, self._brought = self._brought, []
            if brought:
                self._write(brought)
        finally:
            self._turn.release()


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
COLUMNS: Final = ("account", "operation", "about", "digest", "body", "size", "read_at", "changed_at")
KEEP: Final = """
INSERT INTO upstream_knownanswer AS known (account_id, operation, about, digest, body, size, read_at, changed_at)
VALUES {rows}
ON CONFLICT (account_id, digest) DO UPDATE SET
    body = excluded.body,
    size = excluded.size,
    read_at = excluded.read_at,
    changed_at = CASE WHEN known.body = excluded.body THEN known.changed_at ELSE excluded.changed_at END,
    condensed = CASE WHEN known.body = excluded.body THEN known.condensed END
WHERE known.read_at <= excluded.read_at
"""
"""The same for SQLite and PostgreSQL. The ORM cannot say what happens to single columns; it would take three statements."""
MOST_AT_ONCE: Final = 50
"""Answers that one statement keeps."""
CHANGED_SECONDS: Final = 120
"""How long it is remembered what a write of ours has changed: longer than any read takes that was out meanwhile."""


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


@dataclass(frozen=True)
class _Unwritten:
    """An answer that is known in this process and not in the database yet."""

    account_id: UUID
    question: Question
    answer: Answer = field(repr=False)
    begun: datetime

    @property
    def key(self) -> tuple[UUID, str]:
        return self.account_id, self.question.digest

    @cached_property
    def body(self) -> bytes:
        return zlib.compress(self.answer.body, 1)

    @property
    def known(self) -> Known:
        return Known(self.body, self.begun, self.begun, is_outdated=False)

    @property
    def row(self) -> list[object]:
        """The columns of KEEP."""
        question, size = self.question, len(self.body)
        about, begun = question.about[:100], self.begun
        return [self.account_id, question.operation, about, question.digest, self.body, size, begun, begun]


_unwritten: dict[tuple[UUID, str], _Unwritten] = {}
_lock = threading.Lock()


def load(account_id: UUID, digests: Iterable[str]) -> dict[str, Known]:
    """What is known of these questions, by their digests."""
    unique = list(dict.fromkeys(digests))
    if not unique:
        return {}
    # Before the rows are read: what is written meanwhile is found here or there.
    unwritten = {digest: fresh for digest in unique if (fresh := _unwritten.get((account_id, digest)))}
    account = KnownAnswer._meta.get_field("account").get_db_prep_value(account_id, connection)
    with connection.cursor() as cursor:
        cursor.execute(LOAD.format(places=", ".join(["%s"] * len(unique))), [account, *unique])
        rows = cursor.fetchall()
    converters = connection.ops.get_db_converters(READ_AT)
    known = {digest: _known(converters, *columns) for digest, *columns in rows}
    for digest, fresh in unwritten.items():
        written = known.get(digest)
        if written is None or (written.read_at < fresh.begun and not written.is_outdated):
            known[digest] = fresh.known
    return known


def _known(
    converters: list[Any], body: bytes, condensed: bytes | None, read_at: Any, changed_at: Any, outdated_at: Any
) -> Known:
    """A row of LOAD; `converters` make moments of what the database gives for them."""
    for convert in converters:
        read_at = convert(read_at, READ_AT, connection)
        changed_at = convert(changed_at, READ_AT, connection)
        outdated_at = convert(outdated_at, READ_AT, connection)
    is_outdated = outdated_at is not None and outdated_at >= read_at
    return Known(
        bytes(body), read_at, changed_at=changed_at, is_outdated=is_outdated, condensed=condensed and bytes(condensed)
    )


def condense(account_id: UUID, digest: str, known: Known, condensed: bytes) -> None:
    """Keep what was made of an answer, as long as that stays the same."""
    _write_early(account_id, lambda question: question.digest == digest)
    rows = KnownAnswer.objects.filter(account_id=account_id, digest=digest, changed_at=known.changed_at)
    rows.update(condensed=condensed)


@dataclass(frozen=True, slots=True)
class KnownState:
    """When the read of an answer began, and since when it has been the same."""

    read_at: datetime
    changed_at: datetime


def states(account_id: UUID, digests: Iterable[str]) -> dict[str, KnownState]:
    """How old the answers to these questions are, without the answers, by digest."""
    unique = set(digests)
    _write_early(account_id, lambda question: question.digest in unique)
    rows = KnownAnswer.objects.filter(account_id=account_id, digest__in=unique)
    return {digest: KnownState(*moments) for digest, *moments in rows.values_list("digest", "read_at", "changed_at")}


def changes_of(account_id: UUID, operation: str, since: datetime) -> dict[str, datetime]:
    """Of an operation, each subject whose answer was read after `since`, and since when that has been the same."""
    _write_early(account_id, lambda question: question.operation == operation)
    rows = KnownAnswer.objects.filter(account_id=account_id, operation=operation, read_at__gt=since)
    return dict(rows.values_list("about", "changed_at"))


def version_of(account_id: UUID, operation: str, since: datetime) -> tuple[int, datetime | None]:
    """What is another one whenever an answer of the operation that was read after `since` is new, changed or gone."""
    _write_early(account_id, lambda question: question.operation == operation)
    rows = KnownAnswer.objects.filter(account_id=account_id, operation=operation, read_at__gt=since)
    figures = rows.aggregate(count=Count("pk"), newest=Max("changed_at"))
    return figures["count"], figures["newest"]


def read_moments(account_id: UUID, operation: str) -> dict[str, datetime]:
    """Of an operation, each subject whose answer is known, and when the read of it began."""
    _write_early(account_id, lambda question: question.operation == operation)
    rows = KnownAnswer.objects.filter(account_id=account_id, operation=operation)
    return dict(rows.values_list("about", "read_at"))


def digests_of(account_id: UUID, operation: str, most: int) -> dict[str, str]:
    """The digests of what is known of an operation, the newest first, each with its subject."""
    _write_early(account_id, lambda question: question.operation == operation)
    rows = KnownAnswer.objects.filter(account_id=account_id, operation=operation).order_by("-read_at")
    return dict(rows.values_list("digest", "about")[:most])


def keep(account_id: UUID, question: Question, answer: Answer, begun: datetime) -> None:
    """Keep the answer to a read that began at `begun`, in the place of an older one; of lives without their secrets."""
    if question.operation not in SECONDS:
        return
    if question.operation.startswith("lives."):
        answer = without_secrets(answer)
    fresh = _Unwritten(account_id, question, answer, begun)
    with _lock:
        waiting = _unwritten.get(fresh.key)
        if waiting is None or waiting.begun <= begun:
            _unwritten[fresh.key] = fresh
    parallel.afterwards(_write, fresh)


def get_unwritten(account_id: UUID, digest: str) -> tuple[datetime, int] | None:
    """When the read began whose answer is known in this process alone for now, and how many bytes it has; None for no such."""
    fresh = _unwritten.get((account_id, digest))
    return None if fresh is None else (fresh.begun, len(fresh.answer.body))


def is_unwritten(account_id: UUID, digest: str) -> bool:
    """Whether the answer to this question is known in this process alone for now."""
    return (account_id, digest) in _unwritten


def _write(answers: Sequence[_Unwritten]) -> None:
    """Put answers into the database."""
    try:
        _group.put(answers)
    finally:
        _drop_written(answers)


def _insert_unwritten(answers: Sequence[_Unwritten]) -> None:
    """What was written, forgotten or read anew meanwhile is left out."""
    _insert(list({fresh.key: fresh for fresh in answers if _unwritten.get(fresh.key) is fresh}.values()))


_group = GroupCommit(_insert_unwritten)


def _drop_written(answers: Iterable[_Unwritten]) -> None:
    with _lock:
        for fresh in answers:
            if _unwritten.get(fresh.key) is fresh:
                del _unwritten[fresh.key]


def _write_early(account_id: UUID, is_asked: Callable[[Question], bool]) -> None:
    """Whoever asks the table itself finds there what this process knows of the questions that are asked about.

    The others wait: a page of which nothing is known does not write the list of all videos before it is there. What is
    too large for the table stays known until its page has gone.
    """
    if not _unwritten:
        return
    with _lock:
        answers = [
            fresh for fresh in _unwritten.values() if fresh.account_id == account_id and is_asked(fresh.question)
        ]
    written = [fresh for fresh in answers if len(fresh.body) <= LARGEST]
    _group.put(written)
    _drop_written(written)


def _insert(answers: Sequence[_Unwritten]) -> None:
    by_account: dict[UUID, list[_Unwritten]] = {}
    for fresh in answers:
        if len(fresh.body) <= LARGEST:
            by_account.setdefault(fresh.account_id, []).append(fresh)
    for account_id, rows in by_account.items():
        for first in range(0, len(rows), MOST_AT_ONCE):
            _insert_rows(account_id, rows[first : first + MOST_AT_ONCE])


def _insert_rows(account_id: UUID, rows: Sequence[_Unwritten]) -> None:
    by_name = {field.name: field for field in KnownAnswer._meta.concrete_fields}
    fields = [by_name[name] for name in COLUMNS]
    columns = [column for fresh in rows for column in zip(fields, fresh.row, strict=True)]
    values = [field.get_db_prep_save(value, connection) for field, value in columns]
    places = ", ".join([f"({', '.join(['%s'] * len(COLUMNS))})"] * len(rows))
    try:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(KEEP.format(rows=places), values)
    except IntegrityError:
        return  # the account was deleted while the platform answered
    _mark_changed_meanwhile(account_id, rows)
    if any(len(fresh.body) > LARGE for fresh in rows):
        _drop_oldest(KnownAnswer.objects.filter(account_id=account_id, size__gt=LARGE), MOST_LARGE)


def _mark_changed_meanwhile(account_id: UUID, rows: Sequence[_Unwritten]) -> None:
    """What a write of ours has changed while an answer was under way, which no row could be told then."""
    names = {
        _changed_name(account_id, fresh.question.operation, about): fresh
        for fresh in rows
        for about in ("", fresh.question.about)
    }
    for name, moment in cache.get_many(names).items():
        outdated = KnownAnswer.objects.filter(account_id=account_id, read_at__lte=moment)
        outdated.filter(operation=names[name].question.operation, digest=names[name].question.digest).update(
            outdated_at=moment
        )


def _changed_name(account_id: UUID, operation: str, about: str) -> str:
    return f"changed:{account_id}:{operation}:{sha256(about.encode()).hexdigest()[:32] if about else ''}"


def mark_changed(account_id: UUID, operation: str, subject: str = "") -> None:
    """A write of ours went out: what it changes is read anew before it is shown, wherever that is possible."""
    now = timezone.now()
    changed = {change.operation for change in CHANGES.get(operation, ())}
    _write_early(account_id, lambda question: question.operation in changed)
    for change in CHANGES.get(operation, ()):
        about = subject if change.about_it else ""
        cache.set(_changed_name(account_id, change.operation, about), now, CHANGED_SECONDS)
        rows = KnownAnswer.objects.filter(account_id=account_id, operation=change.operation)
        (rows.filter(about=about) if change.about_it else rows).update(outdated_at=now)


def forget_account(account_id: UUID) -> None:
    """Drop all that is known of an account: its token is gone, so nothing of it can be read anew."""
    with _lock:
        for key in [key for key in _unwritten if key[0] == account_id]:
            del _unwritten[key]
    KnownAnswer.objects.filter(account_id=account_id).delete()


def bring_back(slack: timedelta) -> None:
    """What was read more than `slack` from now, by a clock that ran ahead, was read now: else nothing newer takes its place."""
    now = datetime.now(UTC)
    for model, name in ((KnownAnswer, "read_at"), (Capability, "checked_at")):
        rows = model._default_manager.filter(**{f"{name}__gt": now + slack})
        if rows.exists():
            rows.update(**{name: now})


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
