"""What the previous schema kept is carried over."""

import uuid
from typing import Any

import pytest

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.writes.models import State, Write
from tests.migrated import newest, schema_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_unconfirmed_switches_are_settled_by_the_worker_after_an_upgrade() -> None:
    switch = schema_of("assistants", "0001_initial")("assistants", "Switch")
    account = Account.objects.create(name="Studio", sealed_token="x", fingerprint="f")
    place: dict[str, Any] = {"account_id": account.pk, "assistant_id": "a"}
    switch.objects.create(**place, video_id="lost", visible=True, confirmed=False)
    switch.objects.create(**place, video_id="done", visible=True)
    switch.objects.create(account_id=uuid.uuid4(), assistant_id="a", video_id="gone", visible=True, confirmed=False)
    sent = {"assistant_id": "a", "video_id": "lost", "chat_is_visible": True}
    entry = Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="assistants.update_chat_visibility", target="lost", after=sent
    )
    newest("assistants")
    write = Write.objects.get()
    assert (write.state, write.request, write.entry, write.actor) == (State.UNCONFIRMED, sent, entry, "Ana")
