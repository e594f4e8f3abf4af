"""What a page says of an open write, and what its author can do about it."""

import uuid
from html import unescape

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.platform_api import errors
from dashboard.playlists.writes import list_deletions
from dashboard.writes import outbox, pages
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from tests.conftest import signed_in
from tests.due import run_due
from tests.writes.conftest import NAME, Platform, registered, reload

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

LOST = errors.Unreachable("tests.note", sent=True)


@pytest.fixture
def mine(owner: Client) -> Intent:
    """An intent of the account that is signed in."""
    account = Account.objects.get()
    return Intent(NAME, str(account.pk), uuid.uuid4(), {"text": "hello"}, account, actor="Ana", label="Hello")


def notice(write: Write) -> pages.WriteNotice:
    return pages.build_notice(reload(write), "/dashboard/")


def press(client: Client, write: Write, act: str) -> None:
    answer = client.post(
        f"/dashboard/activity/writes/{write.pk}/",
        {"act": act, "attempt": str(write.attempt), "next": "/dashboard/lives/"},
    )
    assert answer["Location"] == "/dashboard/lives/"


def test_a_notice_says_what_happens_next_in_every_open_state(platform: Platform, mine: Intent) -> None:
    platform.error, platform.arrives, platform.tells = LOST, False, False
    write = outbox.perform(mine)
    assert (notice(write).sentence, notice(write).confirm) == ("Not confirmed. We keep checking automatically.", False)
    run_due(60)
    assert notice(write).confirm and notice(write).send_again, "it stays open, so its author may decide"
    platform.tells = True
    run_due(600)
    lost = notice(write)
    assert lost.sentence == "It did not reach the platform. Nothing was changed."
    assert (lost.poll, lost.confirm, lost.send_again, lost.dismiss) == ("", False, True, True)


def test_the_open_writes_of_a_page_are_those_of_its_operations_and_its_thing(platform: Platform, mine: Intent) -> None:
    platform.error, platform.arrives = LOST, False
    write = outbox.perform(mine)
    account = write.account
    assert account is not None
    assert [one.id for one in pages.load_notices(account, NAME, back="/")] == [str(write.pk)]
    assert pages.load_notices(account, "tests.other", back="/") == ()
    assert pages.load_notices(account, NAME, back="/", subject="another") == ()


def test_a_refusal_that_was_told_at_its_form_is_not_told_again(platform: Platform, mine: Intent) -> None:
    platform.error, platform.arrives = errors.Refused(NAME, 400, "No"), False
    with pytest.raises(errors.Refused):
        outbox.perform(mine)
    assert mine.account is not None
    assert pages.load_notices(mine.account, NAME, back="/") == ()


def test_a_poll_answers_204_until_something_changes_and_then_the_end(
    owner: Client, platform: Platform, mine: Intent
) -> None:
    platform.error = LOST
    write = outbox.perform(mine)
    poll, script = notice(write).poll, {"HX-Request": "true"}
    assert owner.get(poll, headers=script).status_code == 204
    run_due(3)
    ended = owner.get(poll, headers=script).content.decode()
    assert "Done." in ended and "hx-get" not in ended


def test_its_author_confirms_or_sends_again_and_two_presses_send_once(
    owner: Client, platform: Platform, mine: Intent
) -> None:
    registered(settle=None)
    platform.error, platform.arrives = LOST, False
    write = outbox.perform(mine)
    entry = Entry.objects.get()
    page = unescape(owner.get(f"/dashboard/activity/{entry.pk}/").content.decode())
    assert "It arrived" in page and "Send again" in page
    platform.error = None
    for _press in range(2):
        press(owner, write, "send_again")
    assert platform.notes == ["hello"]
    assert Entry.objects.get().outcome == Outcome.DONE


def test_what_never_arrived_is_sent_again_as_one_new_write(owner: Client, platform: Platform, mine: Intent) -> None:
    platform.error, platform.arrives = LOST, False
    write = outbox.perform(mine)
    run_due(60)
    assert reload(write).state == State.REFUSED
    platform.error = None
    for _press in range(2):
        press(owner, write, "send_again")
    assert platform.notes == ["hello"]
    assert sorted(Write.objects.values_list("state", flat=True)) == ["done", "refused"]
    assert pages.load_notices(Account.objects.get(), NAME, back="/") == ()


def test_a_write_that_waits_for_a_token_is_sent_or_discarded(owner: Client, platform: Platform, mine: Intent) -> None:
    registered(waits=False)
    platform.error, platform.arrives = errors.BadToken(NAME, 401), False
    with pytest.raises(errors.BadToken):
        outbox.perform(mine)
    write = Write.objects.get()
    assert notice(write).send_again and notice(write).dismiss
    press(owner, write, "dismiss")
    assert reload(write).state == State.CANCELLED


def test_nobody_else_finds_it(
    client: Client, platform: Platform, mine: Intent, cast: dict[str, dict[str, str]]
) -> None:
    write = outbox.perform(mine)
    other = signed_in(Client(), cast["tokens"]["other"])
    assert other.post(f"/dashboard/activity/writes/{write.pk}/", {"act": "confirm"}).status_code == 404


def test_a_button_leads_nowhere_else(owner: Client, platform: Platform, mine: Intent) -> None:
    write = outbox.perform(mine)
    answer = owner.post(f"/dashboard/activity/writes/{write.pk}/", {"act": "x", "next": "https://example.com/"})
    assert answer["Location"] == "/dashboard/activity/"


@pytest.mark.skipif(connection.vendor != "sqlite", reason="the words of the plan are those of SQLite")
def test_open_and_recent_writes_are_found_by_indexes_however_many_are_settled(owner: Client) -> None:
    account = Account.objects.get()
    with CaptureQueriesContext(connection) as asked:
        pages.load_notices(account, NAME, "tests.other", back="/")
        list(list_deletions(account)[:20])
    with connection.cursor() as cursor:
        shown, recent = (
            str(cursor.execute(f"EXPLAIN QUERY PLAN {query['sql']}").fetchall()) for query in asked.captured_queries
        )
    assert "write_shown" in shown, shown
    assert "write_recent" in recent and "TEMP B-TREE" not in recent, recent
