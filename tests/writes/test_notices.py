"""The words, the look and the buttons of a notice, in each state of its write."""

import uuid
from datetime import datetime, timedelta
from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.writes import failures, pages
from dashboard.writes.models import State, Write

NAME = "playlists.delete"
KEEPS = "We keep checking automatically."
CHOOSE = f"{KEEPS} If you know whether it arrived, choose below."
CHECK = "Check on the platform whether it arrived."
RESTORED = "Reelroom was restored from a backup. This may have been sent after the backup, so it is not sent by itself."


def write(state: State, **fields: Any) -> Write:
    """A write of a moment ago that is looked after; `late`: one that has been unconfirmed for minutes."""
    now = timezone.now()
    if fields.pop("late", False):
        fields["ended_at"] = now - timedelta(minutes=5)
    return Write(**{"operation": NAME, "state": state, "attempt": 1, "created_at": now, "due_at": now} | fields)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({}, f"Not confirmed. {KEEPS}"),
        ({"late": True}, f"Not confirmed. {CHOOSE}"),
        ({"due_at": None}, f"The platform didn't answer, so this is not confirmed. {CHECK}"),
        ({"reason": failures.RESTORED}, f"{RESTORED} {KEEPS}"),
        ({"reason": failures.RESTORED, "late": True}, f"{RESTORED} {CHOOSE}"),
        ({"reason": failures.RESTORED, "due_at": None}, f"{RESTORED} {CHECK}"),
    ],
)
def test_an_unconfirmed_write_says_who_finds_out_how_it_ended(fields: dict[str, Any], sentence: str) -> None:
    assert pages.build_notice(write(State.UNCONFIRMED, **fields), "/").sentence == sentence


@pytest.mark.parametrize(
    ("state", "reason", "sentence"),
    [
        (State.SENDING, "", "Sending. This page updates automatically."),
        (State.DONE, "", "Done."),
        (State.CANCELLED, "", "Cancelled. Nothing was sent."),
        (State.REFUSED, failures.NOT_SENT, "It did not reach the platform. Nothing was changed."),
        (State.REFUSED, "", "The platform refused."),
        (State.HELD, "Unreachable", "The platform didn't answer. Your change is saved here and will be sent automatically."),
    ],
)  # fmt: skip
def test_a_write_says_how_it_stands(state: State, reason: str, sentence: str) -> None:
    assert pages.build_notice(write(state, reason=reason), "/").sentence == sentence


def test_a_write_that_waits_for_the_platform_s_pause_says_until_when() -> None:
    until = timezone.now() + timedelta(minutes=5)
    held = write(State.HELD, reason="RateLimited", due_at=until)
    assert f"automatically after {timezone.localtime(until):%H:%M:%S}." in pages.waiting_sentence(held)
    held.due_at = timezone.now() - timedelta(seconds=1)
    assert "automatically." in pages.waiting_sentence(held)


@pytest.mark.parametrize(
    ("state", "fields", "look", "buttons"),
    [
        (State.DONE, {}, "plain", ""),
        (State.SENDING, {}, "warning", ""),
        (State.UNCONFIRMED, {}, "warning", ""),
        (State.UNCONFIRMED, {"late": True}, "warning", "confirm send_again"),
        (State.UNCONFIRMED, {"due_at": None}, "warning", "confirm send_again"),
        (State.HELD, {"reason": "Unreachable"}, "warning", ""),
        (State.HELD, {"reason": "BadToken", "due_at": None}, "warning", "send_again dismiss"),
        (State.REFUSED, {"reason": "Refused", "due_at": None}, "trouble", "dismiss"),
        (State.REFUSED, {"reason": failures.NOT_RECEIVED, "due_at": None}, "trouble", "send_again dismiss"),
    ],
)
def test_a_notice_looks_and_offers_what_can_be_done(
    state: State, fields: dict[str, Any], look: str, buttons: str
) -> None:
    notice = pages.build_notice(write(state, **fields), "/dashboard/")
    assert notice.look == look
    assert [name for name in ("confirm", "send_again", "dismiss") if getattr(notice, name)] == buttons.split()


def test_a_notice_that_can_change_is_read_again_at_its_own_address() -> None:
    asked = write(State.UNCONFIRMED, label="Summer", subject="p1", late=True, attempt=3)
    notice = pages.build_notice(asked, "/dashboard/lives/?page=2")
    assert (notice.id, notice.attempt, notice.back) == (str(asked.pk), 3, "/dashboard/lives/?page=2")
    assert notice.address == f"/dashboard/activity/writes/{asked.pk}/"
    poll = urlsplit(notice.poll)
    assert poll.path == notice.address
    assert parse_qs(poll.query) == {"v": ["unconfirmed3d"], "back": ["/dashboard/lives/?page=2"]}
    assert notice.title.endswith(": Summer")
    nameless = pages.build_notice(write(State.UNCONFIRMED, subject="p1", due_at=None), "/")
    assert nameless.title.endswith(": p1") and nameless.poll == ""
    assert pages.version(write(State.SENDING, attempt=2)) == "sending2"


def store(account: Account, state: State, subject: str = "p1", **fields: Any) -> Write:
    return Write.objects.create(
        operation=NAME, account=account, scope=str(account.pk), key=uuid.uuid4(), state=state, subject=subject, **fields
    )


def subjects(account: Account, **limits: Any) -> list[str]:
    notices = pages.load_notices(account, NAME, back="/here/", **limits)
    assert all(notice.back == "/here/" for notice in notices)
    return [notice.title.rpartition(": ")[2] for notice in notices]


@pytest.mark.django_db
def test_notices_are_of_what_is_open_or_refused_and_was_sent_at_least_once(account: Account) -> None:
    for state in State:
        store(account, state, subject=state, attempt=1)
    store(account, State.HELD, "never sent")
    store(account, State.REFUSED, "seen", attempt=1, shown=False)
    assert subjects(account) == ["held", "sending", "unconfirmed", "refused"]
    assert subjects(account, waiting=False) == ["unconfirmed", "refused"]
    assert subjects(account, subject="refused") == ["refused"]


@pytest.mark.django_db
def test_a_page_shows_ten_notices_the_oldest_first(account: Account) -> None:
    for place in range(12):
        store(account, State.REFUSED, f"{place}")
    assert subjects(account) == [f"{place}" for place in range(10)]


def ended(account: Account, state: State, status: int, at: datetime) -> None:
    reason = {200: "", 405: "Missing"}.get(status, "Refused")
    past = store(account, state, reason=reason, status=status)
    Write.objects.filter(pk=past.pk).update(operation="lives.create", created_at=at)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("last", "said"), [((State.REFUSED, 405), True), ((State.DONE, 200), False), ((State.REFUSED, 400), False)]
)
def test_that_an_operation_is_not_offered_is_said_where_that_was_the_last_word(
    account: Account, last: tuple[State, int], said: bool
) -> None:
    now = timezone.now()
    assert pages.not_offered(account, "lives.create") == ""
    ended(account, State.DONE if said else State.REFUSED, 200 if said else 405, now - timedelta(days=2))
    ended(account, *last, now - timedelta(days=1))
    sentence = pages.not_offered(account, "lives.create")
    assert ("does not offer this" in sentence) is said
    assert pages.not_offered(account, NAME) == ""


def test_a_write_that_has_not_been_tried_is_not_told_as_refused() -> None:
    assert pages.build_notice(write(State.HELD, attempt=0), "/").sentence == "Waiting to be sent."
