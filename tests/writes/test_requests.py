"""Which key a form carries, and what is said of a write that has not ended."""

import uuid
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.activity.recorder import actor_of
from dashboard.platform_api import errors
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from dashboard.writes.pages import open_write
from dashboard.writes.requests import form_intent, form_key, is_current, next_key, submit
from tests.moments import replace_time
from tests.writes.conftest import NAME, Platform, registered, reload

pytestmark = pytest.mark.django_db


def begin_next(intent: Intent, account: Account) -> Write:
    return outbox.begin(replace(intent, key=next_key(account, NAME, "s")))[0]


def test_next_key_is_the_same_while_a_write_is_open_and_another_once_it_is_settled(
    platform: Platform, intent: Intent, account: Account
) -> None:
    first = begin_next(intent, account)
    assert begin_next(intent, account).pk == first.pk
    outbox.cancel(first)
    assert begin_next(intent, account).pk != first.pk


def test_next_key_of_a_part_changes_only_when_a_write_of_that_part_is_settled(
    platform: Platform, intent: Intent, account: Account
) -> None:
    keys = {text: next_key(account, NAME, "s", text=text) for text in ("hello", "other")}
    outbox.cancel(outbox.begin(replace(intent, key=keys["hello"]))[0])
    assert next_key(account, NAME, "s", text="hello") != keys["hello"]
    assert next_key(account, NAME, "s", text="other") == keys["other"]


def test_next_key_is_never_one_that_was_used_after_old_writes_are_pruned(
    platform: Platform, intent: Intent, account: Account
) -> None:
    made = []
    for _time in range(3):
        made.append(begin_next(intent, account))
        outbox.cancel(made[-1])
    Write.objects.filter(pk=made[0].pk).delete()
    assert begin_next(intent, account).state == State.HELD


def test_send_again_counts_only_from_a_form_that_shows_the_last_attempt(platform: Platform, intent: Intent) -> None:
    platform.error = errors.Unreachable(NAME, sent=True)
    write = outbox.perform(intent)
    form = RequestFactory().post("/", {"attempt": write.attempt})
    assert is_current(form, write)
    outbox.send_again(write)
    assert (write.state, write.attempt) == (State.UNCONFIRMED, 2)
    assert not is_current(form, write)
    assert not is_current(RequestFactory().post("/"), write)


@pytest.mark.parametrize(("seconds", "readable", "asked"), [(0, True, False), (61, True, True), (0, False, True)])
def test_the_author_decides_where_nothing_can_be_read_or_reading_has_not_told(
    platform: Platform, intent: Intent, seconds: int, readable: bool, asked: bool
) -> None:
    if not readable:
        registered(settle=None)
    platform.error = errors.Unreachable(NAME, sent=True)
    write = outbox.perform(intent)
    Write.objects.filter(pk=write.pk).update(ended_at=timezone.now() - timedelta(seconds=seconds))
    said = open_write(reload(write))
    assert said is not None and said.decide is asked
    assert ("Check on the platform" in said.sentence) is not readable


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (errors.Unreachable(NAME, sent=False), "The platform didn't answer. Your change is saved here"),
        (errors.RateLimited(NAME, 429), "too many requests"),
        (errors.BadToken(NAME, 401), "no longer accepts"),
    ],
)
def test_a_write_that_waits_says_why_and_that_it_will_be_sent(
    platform: Platform, intent: Intent, error: errors.CallError, sentence: str
) -> None:
    write, _new = outbox.begin(intent, hold=timedelta(seconds=5))
    assert open_write(write) is None, "nobody has tried to send it yet"
    platform.error, platform.arrives = error, False
    outbox.deliver(write)
    said = open_write(write)
    assert said is not None and sentence in said.sentence and not said.decide
    platform.error = None
    outbox.deliver(write)
    assert open_write(write) is None


def form(account: Account, **fields: str) -> Any:
    request: Any = RequestFactory().post("/", fields)
    request.account = account
    request.session = {}
    return request


def test_the_intent_of_a_form_says_what_whose_and_by_whom(platform: Platform, account: Account) -> None:
    undone = Entry(operation=NAME)
    request = form(account, write_key="6f2b6c1e-0000-4000-8000-000000000000")
    about: dict[str, Any] = {"label": "l", "before": {"a": 1}, "after": {"a": 2}, "undoes": undone}
    intent = form_intent(request, NAME, subject="s", sends={"text": "a", "x": 1}, **about)
    assert (intent.operation, intent.scope, intent.account) == (NAME, str(account.pk), account)
    assert (intent.subject, intent.request, intent.actor) == (
        "s",
        {"text": "a", "x": 1},
        actor_of(request, account),
    )
    assert intent.actor
    assert (intent.label, intent.before, intent.after, intent.undoes) == ("l", {"a": 1}, {"a": 2}, undone)


def test_the_key_of_a_form_carries_what_is_sent_in_whatever_order(platform: Platform, account: Account) -> None:
    request = form(account, write_key="6f2b6c1e-0000-4000-8000-000000000000")

    def key(operation: str = NAME, subject: str = "s", **sends: int) -> uuid.UUID:
        return form_intent(request, operation, subject=subject, sends=sends).key

    assert key(a=1, b=2) == key(b=2, a=1)
    assert len({key(a=1), key(a=2), key(subject="t", a=1), key("other", a=1)}) == 4


@pytest.mark.parametrize("text", ["", "no key"])
def test_a_form_without_a_key_is_a_new_write_each_time(account: Account, text: str) -> None:
    request = form(account, write_key=text) if text else form(account)
    assert form_key(request) != form_key(request)


def test_a_form_with_a_key_is_the_same_write_each_time(account: Account) -> None:
    key = "6f2b6c1e-0000-4000-8000-000000000000"
    assert form_key(form(account, write_key=key)) == form_key(form(account, write_key=key)) == uuid.UUID(key)


def test_a_write_that_waits_is_given_back_however_it_ended(platform: Platform, intent: Intent) -> None:
    platform.error, platform.arrives = errors.Refused(NAME, 400, "Too long"), False
    assert submit(intent).state == State.REFUSED
    platform.error = errors.Unreachable(NAME, sent=False)
    held = replace(intent, key=uuid.uuid4())
    assert submit(held).state == State.HELD
    platform.error = None
    assert submit(replace(intent, key=uuid.uuid4())).state == State.DONE
    assert platform.notes == ["hello"]


def test_a_refused_token_is_told_at_the_form_of_a_write_that_waits(platform: Platform, intent: Intent) -> None:
    platform.error, platform.arrives = errors.BadToken(NAME, 401), False
    with pytest.raises(errors.BadToken):
        submit(intent)
    assert Write.objects.get().state == State.HELD


def test_a_second_press_of_a_write_that_waits_waits_for_the_first(
    platform: Platform, intent: Intent, monkeypatch: pytest.MonkeyPatch
) -> None:
    write, _new = outbox.begin(intent)
    Write.objects.filter(pk=write.pk).update(state=State.SENDING, attempt=1)

    def let_it_end(_seconds: float) -> None:
        Write.objects.filter(pk=write.pk).update(state=State.DONE)

    replace_time(monkeypatch, "dashboard.writes.beside", sleep=let_it_end)
    assert (submit(intent).state, Write.objects.count(), platform.notes) == (State.DONE, 1, [])
