"""Rotating TOKEN_KEYS: everything sealed is sealed anew with the newest key, while the product and its worker run.

How far it got is written nowhere: what the newest key opens is done. So it can be killed and run again, and several at once
do each other no harm. A row that somebody changes meanwhile keeps that change.
"""

from collections.abc import Iterator
from dataclasses import astuple, dataclass
from typing import Any, Final

from django.apps import apps
from django.db import IntegrityError, models, transaction

from dashboard.accounts import identity
from dashboard.accounts.models import Account
from dashboard.shared import vault

BATCH: Final = 100
"""Rows of one transaction: a few milliseconds, so that nobody waits for it."""


@dataclass(frozen=True)
class SealedColumn:
    """A column of sealed text, wherever in the product it is."""

    model: type[models.Model]
    name: str

    def __str__(self) -> str:
        return f"{self.model._meta.label}.{self.name}"

    def batches(self) -> Iterator[list[tuple[Any, str]]]:
        """Every row that holds something, by its key, as (key, sealed text)."""
        rows = self.model._default_manager.exclude(**{self.name: ""}).order_by("pk")
        batch = list(rows.values_list("pk", self.name)[:BATCH])
        while batch:
            yield batch
            batch = list(rows.filter(pk__gt=batch[-1][0]).values_list("pk", self.name)[:BATCH])

    def write(self, pk: Any, sealed: str, *, instead_of: str) -> int:
        """Store `sealed`, unless the row has changed since it was read. How many rows that were."""
        unchanged = self.model._default_manager.filter(pk=pk, **{self.name: instead_of})
        return unchanged.update(**{self.name: sealed})


@dataclass
class Tally:
    """How many sealed texts there are: under the newest key, under an older one, and under none of TOKEN_KEYS."""

    newest: int = 0
    older: int = 0
    lost: int = 0

    def count(self, sealed: str) -> None:
        """Count one more."""
        if vault.is_newest(sealed):
            self.newest += 1
        elif is_lost(sealed):
            self.lost += 1
        else:
            self.older += 1


def sealed_columns() -> list[SealedColumn]:
    """Every sealed column, the identity key first: it is what a key that was removed too early would hurt most."""
    columns = [
        SealedColumn(model, field.name)
        for model in apps.get_models()
        for field in model._meta.local_fields
        if isinstance(field, vault.SealedField)
    ]
    return sorted(columns, key=lambda column: (column.model is not identity.IdentityKey, str(column)))


def tally(column: SealedColumn) -> Tally:
    """Look at every row of a column."""
    counted = Tally()
    for batch in column.batches():
        for _pk, sealed in batch:
            counted.count(sealed)
    return counted


def tally_all() -> Tally:
    """Look at every row of every sealed column."""
    counts = [tally(column) for column in sealed_columns()]
    return Tally(*(sum(values) for values in zip(*(astuple(count) for count in counts), strict=True)))


def reseal(column: SealedColumn) -> Iterator[int]:
    """Seal a column anew, batch by batch; yields how many rows each batch changed."""
    for batch in column.batches():
        old = [(pk, sealed) for pk, sealed in batch if not vault.is_newest(sealed) and not is_lost(sealed)]
        renewed = [(pk, sealed, vault.rotate(sealed)) for pk, sealed in old]
        with transaction.atomic():
            changed = sum(column.write(pk, fresh, instead_of=sealed) for pk, sealed, fresh in renewed)
        yield changed


def forget_lost(column: SealedColumn) -> int:
    """Empty what no key opens any more. Accounts are then disconnected; the same token finds them again."""
    lost = ((pk, sealed) for batch in column.batches() for pk, sealed in batch if is_lost(sealed))
    return sum(column.write(pk, "", instead_of=sealed) for pk, sealed in lost)


def is_lost(sealed: str) -> bool:
    """Whether none of TOKEN_KEYS opens it."""
    try:
        vault.unseal(sealed)
    except vault.Unreadable:
        return True
    return False


def renew_fingerprints() -> tuple[int, int]:
    """Let every connected account be found by the identity key: how many were not, and how many share another's token."""
    renewed = twins = 0
    for account in Account.objects.connected().iterator(chunk_size=BATCH):
        try:
            fresh = identity.fingerprint(account.token)
        except vault.Unreadable:
            continue
        if fresh == account.fingerprint:
            continue
        unchanged = Account.objects.filter(pk=account.pk, fingerprint=account.fingerprint)
        try:
            with transaction.atomic():
                renewed += unchanged.update(fingerprint=fresh)
        except IntegrityError:
            twins += 1
    return renewed, twins
