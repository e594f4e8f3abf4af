"""Starts of the previous release are carried over into the outbox."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

from django.utils import timezone


def test_every_start_of_the_previous_release_becomes_a_write(schema: Callable[[str, str], Any]) -> None:
    old = schema("lives", "0001_initial")
    account = old.get_model("accounts", "Account").objects.create(name="Studio", fingerprint="f", sealed_token="s")
    starts, entries = old.get_model("lives", "Start").objects, old.get_model("activity", "Entry").objects
    before = {"scheduled_at": "2026-11-30T12:00:00+00:00"}
    for live, confirmed in (("accepted", True), ("unclear", False), ("of an old entry", True)):
        starts.create(account_id=account.pk, live_id=live, confirmed=confirmed)
        if live != "of an old entry":
            entries.create(account_id=account.pk, actor="Ana", operation="lives.start", target=live, before=before)
    starts.create(account_id=uuid4(), live_id="of nobody")
    new = schema("lives", "0002_starts_become_writes")
    writes = {write.subject: write for write in new.get_model("writes", "Write").objects.select_related("entry")}
    assert {live: (write.state, write.entry and write.entry.outcome) for live, write in writes.items()} == {
        "accepted": ("done", "done"),
        "unclear": ("unconfirmed", "unconfirmed"),
        "of an old entry": ("done", None),
    }
    now = timezone.now()
    assert writes["unclear"].due_at <= now
    assert writes["unclear"].request == {"live_id": "unclear"}
    assert writes["unclear"].before == before
