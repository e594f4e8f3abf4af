"""What an earlier version sent ends in Activity too, with the row that is there or with one of its own."""

import uuid
from datetime import timedelta

import pytest
from django.apps import apps
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.platform_api import errors
from dashboard.writes import outbox, recovery
from dashboard.writes.migrations._carried import complete_activity
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from tests.due import run_due
from tests.writes.conftest import NAME, Platform, reload

pytestmark = pytest.mark.django_db


def carried(intent: Intent, state: State, label: str, minutes_ago: int = 60) -> Write:
    """A write as a migration makes it: sent by the previous version, without a row in Activity."""
    now = timezone.now()
    sent_at = now - timedelta(minutes=minutes_ago)
    settled = now if state in (State.DONE, State.REFUSED) else None
    due_at = None if settled else now
    fields = vars(intent) | {"key": uuid.uuid4(), "label": label, "request": {"text": label}}
    return Write.objects.create(
        **fields, state=state, attempt=1, sent_at=sent_at, due_at=due_at, settled_at=settled,
        ended_at=sent_at,
    )  # fmt: skip


def row(account: Account, label: str, minutes_ago: int = 60) -> Entry:
    """A row that the previous version left unconfirmed."""
    entry = Entry.objects.create(account_id=account.pk, actor="Ana", operation=NAME, target="s", label=label)
    Entry.objects.filter(pk=entry.pk).update(at=timezone.now() - timedelta(minutes=minutes_ago))
    return entry


@pytest.mark.parametrize(("arrived", "outcome"), [(True, Outcome.DONE), (False, Outcome.REFUSED)])
def test_a_carried_write_without_a_row_gets_one_when_it_ends(
    platform: Platform, intent: Intent, arrived: bool, outcome: Outcome
) -> None:
    write = carried(intent, State.UNCONFIRMED, "old")
    platform.notes += ["old"] if arrived else []
    run_due()
    entry = Entry.objects.get()
    assert (entry.outcome, entry.label, entry.at) == (outcome, "old", reload(write).sent_at)


def test_a_write_that_never_left_is_not_in_activity(platform: Platform, intent: Intent) -> None:
    platform.error = errors.Unreachable(NAME, sent=False)
    write, _new = outbox.begin(intent, hold=timedelta(seconds=5))
    outbox.cancel(write)
    recovery.recover()
    assert not Entry.objects.exists()


def test_the_rows_of_the_previous_version_end_as_their_writes_did_or_will(
    platform: Platform, intent: Intent, account: Account
) -> None:
    states = {"done": State.DONE, "refused": State.REFUSED, "open": State.UNCONFIRMED}
    writes = {label: carried(intent, state, label) for label, state in states.items()}
    rows = {label: row(account, label) for label in (*states, "unknown")}
    complete_activity(apps, NAME)
    outcomes = dict(Entry.objects.values_list("label", "outcome"))
    assert outcomes == {"done": "done", "refused": "refused", "open": "unconfirmed", "unknown": "unconfirmed"}
    platform.notes.append("open")
    run_due()
    assert (reload(writes["open"]).entry, Entry.objects.count()) == (rows["open"], 4)
    assert Entry.objects.get(label="open").outcome == Outcome.DONE


def test_of_the_same_words_twice_each_row_goes_to_the_write_of_its_time(
    platform: Platform, intent: Intent, account: Account
) -> None:
    late, early = carried(intent, State.DONE, "same", 10), carried(intent, State.REFUSED, "same", 90)
    rows = row(account, "same", 91), row(account, "same", 11)
    complete_activity(apps, NAME)
    assert (reload(early).entry, reload(late).entry) == rows
