"""What the previous schema kept is carried over."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.custom_fields.models import Change, Line, LineState
from dashboard.writes.models import State, Write
from tests.migrated import newest, schema_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_changes_go_on_and_lines_without_an_answer_are_settled_by_the_worker_after_an_upgrade() -> None:
    models = schema_of("custom_fields", "0002_taking_back")
    account = Account.objects.create(name="Studio", sealed_token="x", fingerprint="f")
    now = timezone.now()
    change = models("custom_fields", "Change").objects.create(account_id=account.pk, name="f.csv", stage="sending")
    done = models("custom_fields", "Change").objects.create(account_id=account.pk, name="old.csv", stage="done")
    line: dict[str, Any] = {"video_id": "v", "key": "k", "value": "new", "before": "old", "field_id": "f"}
    states = ["change", "sending", "done", "failed", "unconfirmed", "refused"]
    for number, state in enumerate(states, start=2):
        message = "Refused: too long" if state == "failed" else ""
        models("custom_fields", "Line").objects.create(
            change=change, number=number, state=state, sent_at=now, message=message, **line
        )
    models("custom_fields", "Line").objects.create(
        change=done, number=2, state="unconfirmed", sent_at=now - timedelta(days=9), **line
    )
    after = {"video_id": "v", "field_id": "f", "key": "k", "value": "new"}
    entry = Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="custom_fields.update", target="v", after=after
    )
    newest("custom_fields")
    assert Change.objects.get(pk=change.pk).due_at is not None
    assert Change.objects.get(pk=done.pk).due_at is None
    kept = [LineState.UNCONFIRMED if state == "sending" else state for state in states]
    assert list(Line.objects.filter(change_id=change.pk).values_list("state", flat=True)) == kept
    writes = {write.request["line"]: write for write in Write.objects.all()}
    assert len(writes) == 3 and {write.state for write in writes.values()} == {State.UNCONFIRMED}
    assert sorted(write.shown for write in writes.values()) == [False, True, True], "old ones are not shown any more"
    assert [write.entry for write in writes.values() if write.entry] == [entry]
