"""The last good answers about figures, kept in the database: a cache in memory forgets when the process ends, and any
cache may drop what it has. A question is written when it was really asked, and read back only when it fails or is late.
"""

import json
import zlib
from collections.abc import Iterable
from datetime import UTC, datetime
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.platform_api.records.analytics import Analytics
from dashboard.shared.models import LastGood
from dashboard.shared.single_flight import Reading

MOST: Final = 200
"""Answers kept for one account; the oldest go first."""

LARGEST: Final = 512 * 1024
"""Bytes of one answer, deflated. A larger one (some 100,000 cities) lives in the cache alone."""


def keep(account_id: UUID, question: str, answer: Analytics) -> None:
    """Keeps an answer that just came, in the place of the one before, and no more of them than `MOST`."""
    packed = zlib.compress(json.dumps(answer.raw, ensure_ascii=False, separators=(",", ":")).encode(), 1)
    if len(packed) > LARGEST:
        return
    row = LastGood(account_id=account_id, question=question, answer=packed, read_at=timezone.now())
    try:
        with transaction.atomic():
            LastGood.objects.bulk_create(
                [row],
                update_conflicts=True,
                unique_fields=["account", "question"],
                update_fields=["answer", "read_at"],
            )
    except IntegrityError:
        return  # the account was disconnected while the platform answered: nothing of it is kept
    _trim(account_id)


def _trim(account_id: UUID) -> None:
    mine = LastGood.objects.filter(account_id=account_id)
    beyond = mine.order_by("-read_at").values_list("read_at", flat=True)[MOST : MOST + 1]
    for edge in beyond:
        mine.filter(read_at__lte=edge).delete()


def kept(account_id: UUID, questions: Iterable[str]) -> dict[str, Reading[Analytics]]:
    """What is kept of these questions."""
    rows = LastGood.objects.filter(account_id=account_id, question__in=list(questions))
    return {row.question: Reading(_unpacked(bytes(row.answer)), _seconds(row.read_at)) for row in rows}


def forget(account_id: UUID) -> None:
    """Drops everything that is kept for an account: its token is gone, so nothing of it can be read anew."""
    LastGood.objects.filter(account_id=account_id).delete()


def _unpacked(packed: bytes) -> Analytics:
    return Analytics.from_json(json.loads(zlib.decompress(packed)))


def _seconds(moment: datetime) -> float:
    return moment.astimezone(UTC).timestamp()
