"""What the tests of custom fields share: files that are given, compared and sent, and what the worker does with them."""

from html import unescape
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.custom_fields import tasks
from dashboard.custom_fields.models import MOVING, Change, Field, Reading, Stage
from dashboard.upstream.clients import platform_for
from tests.conftest import signed_in
from tests.pages import one_line

ADDRESS = "/dashboard/custom-fields/"
KEY = "0e5cbb12-95f0-4a4a-8f4e-0c4a9e0d7a11"
"""The key of a form that is sent more than once."""


@pytest.fixture(scope="module")
def read_once(cast: dict[str, Any], django_db_blocker: Any) -> tuple[list[Field], Reading]:
    """What one walk through the whole library finds; nothing of it stays in the database."""
    with django_db_blocker.unblock(), transaction.atomic(), transaction.atomic(using="sandbox"):
        client = signed_in(Client(), cast["tokens"]["owner"])
        while not Reading.objects.exclude(finished_at=None).exists():
            client.post(f"{ADDRESS}read/")
        found = list(Field.objects.order_by("pk")), Reading.objects.get()
        transaction.set_rollback(True)
        transaction.set_rollback(True, using="sandbox")
    return found


@pytest.fixture
def rows(owner: Client, read_once: tuple[list[Field], Reading]) -> list[Field]:
    """Every field of the account, as it was read."""
    fields, reading = read_once
    reading.account_id = Account.objects.get().pk
    for row in fields:
        row.account_id = reading.account_id
    Field.objects.bulk_create(fields)
    Reading.objects.bulk_create([reading])
    return list(Field.objects.order_by("pk"))


def give(client: Client, text: str, name: str = "fields.csv", write_key: str = "") -> Any:
    file = SimpleUploadedFile(name, text.encode())
    return client.post(f"{ADDRESS}changes/", {"file": file, "write_key": write_key})


def work() -> None:
    """What the worker does in a while with changes that are due."""
    for _step in range(30):
        for change in Change.objects.filter(stage__in=MOVING):
            tasks.run_change.func(str(change.pk))


def changed(rows: list[Field], value: str = "new") -> str:
    return "video_id,key,value\n" + "".join(f"{row.video_id},{row.key},{value}\n" for row in rows if row.key.isalnum())


def stepped(client: Client, change: Change, **extra: Any) -> Any:
    """The answer of the step that ended the stage: a slow machine needs several."""
    stage = change.stage
    for _step in range(30):
        answer = client.post(f"{ADDRESS}changes/{change.pk}/step/", **extra)
        change.refresh_from_db()
        if change.stage != stage or stage == Stage.DONE:
            return answer
    raise AssertionError("the stage did not end")


def compared(client: Client, text: str) -> Change:
    """A file that was given and compared."""
    give(client, text)
    change = Change.objects.latest("at")
    stepped(client, change)
    assert change.stage == Stage.READY
    return change


def sent(client: Client, change: Change) -> None:
    client.post(f"{ADDRESS}changes/{change.pk}/send/")
    change.refresh_from_db()
    stepped(client, change)


def shown(client: Client, change: Change, lines: str = "") -> str:
    return unescape(one_line(client.get(f"{ADDRESS}changes/{change.pk}/", {"lines": lines}).content.decode()))


def values() -> set[str]:
    platform = platform_for(Account.objects.get())
    return {
        one.value
        for video in set(Field.objects.values_list("video_id", flat=True))
        for one in platform.custom_fields.list(video)
    }


def done(client: Client, text: str) -> Change:
    """A file that was given, compared and sent."""
    change = compared(client, text)
    sent(client, change)
    assert change.stage == Stage.DONE
    return change


def now(row: Field) -> str:
    """The value that the platform has."""
    fields = platform_for(Account.objects.get()).custom_fields.list(row.video_id)
    return next(one.value for one in fields if one.id == row.field_id)
