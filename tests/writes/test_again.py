"""Sending an unconfirmed write once more, as another process sees it."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from django.db import connection

from dashboard.platform_api import errors
from dashboard.writes import operations, outbox
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from tests.writes.conftest import NAME, Platform


@pytest.mark.django_db(transaction=True)
def test_nobody_meets_a_write_held_while_it_is_sent_again(
    platform: Platform, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    met: list[str] = []

    def look(write_id: uuid.UUID) -> str:
        try:
            return Write.objects.get(pk=write_id).state
        finally:
            connection.close()

    def changed(write: Write) -> None:
        with ThreadPoolExecutor(1) as other:
            met.append(other.submit(look, write.pk).result())

    platform.error, platform.tells = errors.Unreachable(NAME, sent=True), False
    write = outbox.perform(intent)
    assert write.state == State.UNCONFIRMED
    watched = replace(operations.registered(NAME), changed=changed)
    monkeypatch.setitem(operations._registered, NAME, watched)
    platform.error = None
    assert outbox.send_again(write).state == State.DONE
    assert met == [State.UNCONFIRMED, State.UNCONFIRMED, State.SENDING], "as it was, until it is being sent"
