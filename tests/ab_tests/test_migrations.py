"""What the previous schema kept is carried over."""

import uuid

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.writes.models import State, Write
from tests.migrated import newest, schema_of

pytestmark = pytest.mark.django_db(transaction=True)


def test_forms_whose_test_was_not_confirmed_are_settled_by_the_worker_after_an_upgrade() -> None:
    creation = schema_of("ab_tests", "0001_initial")("ab_tests", "Creation")
    account = Account.objects.create(name="Studio", sealed_token="x", fingerprint="f")
    payload = {"name": "Valley", "description": "", "video_ids": []}
    lost, done = uuid.uuid4(), uuid.uuid4()
    creation.objects.create(key=lost, account_id=account.pk)
    creation.objects.create(key=done, account_id=account.pk, comparison_id="c")
    creation.objects.create(key=uuid.uuid4(), account_id=uuid.uuid4())
    entry = Entry.objects.create(
        account_id=account.pk, actor="Ana", operation="comparisons.create", label="Valley", after=payload
    )
    newest("ab_tests")
    write = Write.objects.get()
    assert (write.key, write.state, write.request, write.entry) == (lost, State.UNCONFIRMED, payload, entry)
    now = timezone.now()
    assert write.due_at is not None and write.due_at <= now
