"""The change of a field as it is kept, sent, settled by reading and copied: each of this field of this account alone."""

import uuid
from dataclasses import replace
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.custom_fields import writes
from dashboard.custom_fields.models import Change, Field, Line, LineState
from dashboard.custom_fields.rules import FieldProblem
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.request import Request
from dashboard.platform_api.videos import CustomField
from dashboard.writes.failures import REPLACED
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, SUPERSEDED, UNKNOWN, Found, NotRead, registered
from tests.answering import answer_with
from tests.conftest import undo_shown

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

VIDEO, OTHER_VIDEO = "0198a3a0-0000-4000-8000-000000000001", "0198a3a0-0000-4000-8000-000000000002"
FIELD, OTHER_FIELD = "0198a3a0-0000-4000-8000-00000000000a", "0198a3a0-0000-4000-8000-00000000000b"
PLACE = {"video_id": VIDEO, "field_id": FIELD}
WAS = PLACE | {"key": "color", "value": "red"}
COLOR = CustomField(FIELD, VIDEO, "color", "red", None, None)
NAMED = {"id": FIELD, "video_id": VIDEO}


@pytest.fixture
def other(account: Account) -> Account:
    return Account.objects.create(name="Another")


def written(account: Account, value: str = "green", **about: Any) -> Write:
    """A change of the color."""
    after = WAS | {"value": value}
    usual = {
        "account": account,
        "scope": str(account.pk),
        "key": uuid.uuid4(),
        "operation": writes.UPDATE,
        "subject": VIDEO,
        "request": after,
        "before": WAS,
        "after": after,
    }
    return Write.objects.create(**usual | about)


def copied(account: Account, **about: Any) -> Field:
    """The color in the searchable copy."""
    usual = WAS | {"account_id": account.pk, "title": "Film", "read_at": timezone.now()}
    return Field.objects.create(**usual | about)


def line_of(change: Change, **about: Any) -> Line:
    usual = {"change": change, "number": 2, "video_id": VIDEO, "field_id": FIELD, "key": "color", "value": "green"}
    return Line.objects.create(**usual | {"before": "red"} | about)


def answered(monkeypatch: pytest.MonkeyPatch, fields: Any) -> None:
    """The platform's list of the fields of the video; an error is raised."""

    def make(_request: Request) -> Any:
        if isinstance(fields, Exception):
            raise fields
        return {"custom_fields": fields}

    answer_with(monkeypatch, make, "custom_fields.list")


@pytest.mark.parametrize(("key", "before"), [("color", WAS), ("", None)])
def test_a_change_keeps_what_the_field_was_where_that_is_known(
    owner: Client, account: Account, key: str, before: dict[str, str] | None
) -> None:
    request: Any = owner.get("/dashboard/custom-fields/").wsgi_request
    intent = writes.field_intent(request, replace(COLOR, key=key), key="hue", value="green", label="color, Film")
    after = PLACE | {"key": "hue", "value": "green"}
    assert (intent.operation, intent.subject, intent.label) == (writes.UPDATE, VIDEO, "color, Film")
    assert (intent.before, intent.after, intent.request) == (before, after, after)
    assert intent.undoes is None


def test_a_change_that_takes_one_back_says_which(owner: Client, account: Account) -> None:
    request: Any = owner.get("/dashboard/custom-fields/").wsgi_request
    entry = Entry.objects.create(account_id=account.pk, operation=writes.UPDATE, target=VIDEO)
    intent = writes.field_intent(request, COLOR, key="color", value="green", label="color", undoes=entry)
    assert intent.undoes == entry


def test_the_change_of_a_line_says_who_asked_for_it_and_what_it_changes(account: Account, other: Account) -> None:
    copied(other, title="Film of others")
    copied(account, video_id=OTHER_VIDEO, title="Another film")
    change = Change.objects.create(account_id=account.pk, name="fields.csv", actor="Camila")
    intent = writes.line_intent(change, account, line_of(change))
    assert (intent.actor, intent.subject, intent.label) == ("Camila", VIDEO, "color")
    assert (intent.operation, intent.account, intent.scope) == (writes.UPDATE, account, str(account.pk))
    copied(account)
    line = line_of(change, number=3, new_key="hue")
    intent = writes.line_intent(change, account, line)
    after = PLACE | {"key": "hue", "value": "green"}
    assert intent.label == "color, Film"
    assert (intent.before, intent.after, intent.request) == (WAS, after, after | {"line": line.pk})


def test_the_change_of_a_line_is_the_account_s_where_nobody_is_named_and_fits_the_log(account: Account) -> None:
    change = Change.objects.create(account_id=account.pk, name="fields.csv")
    copied(account, title="F" * 300)
    intent = writes.line_intent(change, account, line_of(change))
    assert intent.actor == account.name
    assert intent.label == f"color, {'F' * 293}" and len(intent.label) == 300


def test_a_line_leaves_once_whoever_sends_it_and_another_line_is_another(account: Account) -> None:
    change = Change.objects.create(account_id=account.pk, name="fields.csv")
    second, third = line_of(change), line_of(change, number=3)
    key = writes.line_intent(change, account, second).key
    assert writes.line_intent(change, account, second).key == key != writes.line_intent(change, account, third).key


def waiting(account: Account, other: Account) -> tuple[Write, list[Write]]:
    """A change of the color that waits, and changes that a newer one of it does not concern."""
    beside = [
        written(account, request=WAS | {"field_id": OTHER_FIELD}),
        written(account, subject=OTHER_VIDEO),
        written(account, operation="videos.update"),
        written(other),
        *(written(account, state=state) for state in State if state != State.HELD),
    ]
    return written(account), beside


def states(rows: list[Write]) -> list[str]:
    return [Write.objects.get(pk=row.pk).state for row in rows]


def test_a_newer_change_cancels_the_waiting_ones_of_its_field_alone(account: Account, other: Account) -> None:
    earlier, beside = waiting(account, other)
    before = states(beside)
    newer = written(account, "blue")
    later = written(account, "pink", state=State.HELD)
    Write.objects.filter(pk=later.pk).update(created_at=newer.created_at + timedelta(seconds=1))
    writes.cancel_earlier(newer)
    assert states([earlier, newer, later]) == [State.CANCELLED, State.HELD, State.HELD]
    assert states(beside) == before


def saved(client: Client, value: str, key: uuid.UUID) -> Write:
    request: Any = client.get("/dashboard/custom-fields/").wsgi_request
    intent = writes.field_intent(request, COLOR, key="color", value=value, label="color")
    return writes.save(replace(intent, key=key))


def test_saving_cancels_the_waiting_changes_of_its_field_alone_and_the_same_form_again_none(
    owner: Client, account: Account, other: Account, faults: ModuleType
) -> None:
    earlier, beside = waiting(account, other)
    before = states(beside)
    faults.set(writes.UPDATE, status=429)
    first, second = uuid.uuid4(), uuid.uuid4()
    one, two = saved(owner, "blue", first), saved(owner, "pink", second)
    assert states([earlier, one, two]) == [State.CANCELLED, State.CANCELLED, State.HELD]
    assert saved(owner, "blue", first).pk == one.pk
    assert states([one, two]) == [State.CANCELLED, State.HELD]
    assert states(beside) == before


def test_showing_an_undo_cancels_nothing_that_waits(
    owner: Client, account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(monkeypatch, [NAMED | {"key": "color", "value": "green"}])
    waits = written(account, "pink")
    entry = Entry.objects.create(
        account_id=account.pk,
        operation=writes.UPDATE,
        outcome=Outcome.DONE,
        target=VIDEO,
        before=WAS,
        after=WAS | {"value": "green"},
    )
    assert "custom_fields&id=" in undo_shown(owner, entry)
    assert states([waits]) == [State.HELD]


def test_the_fields_that_were_changed_here_are_as_they_were_answered_last(account: Account, other: Account) -> None:
    size = PLACE | {"field_id": OTHER_FIELD, "key": "size", "value": "xl"}
    written(account, state=State.DONE)
    written(account, state=State.DONE, request=size, after=size)
    written(account, "blue", state=State.DONE)
    written(account, "pink", state=State.REFUSED)
    written(account, "pink", state=State.DONE, after=None)
    written(account, "pink", state=State.DONE, subject=OTHER_VIDEO)
    written(account, "pink", state=State.DONE, operation="videos.update")
    written(other, "pink", state=State.DONE)
    earlier = written(account, "pink", state=State.DONE)
    Write.objects.filter(pk=earlier.pk).update(created_at=earlier.created_at - timedelta(days=1))
    assert writes.list_changed(account, VIDEO) == (
        replace(COLOR, value="blue"),
        CustomField(OTHER_FIELD, VIDEO, "size", "xl", None, None),
    )


@pytest.mark.parametrize(
    ("before", "key", "body"),
    [
        (WAS, "color", {"value": "green"}),
        (WAS, "hue", {"key": "hue", "value": "green"}),
        (None, "hue", {"key": "hue", "value": "green"}),
        (None, "", {"value": "green"}),  # of a field of which only the id was known
    ],
)
def test_the_key_leaves_only_where_it_changes(
    account: Account, monkeypatch: pytest.MonkeyPatch, before: Any, key: str, body: dict[str, str]
) -> None:
    left: list[Request] = []

    def make(request: Request) -> Any:
        left.append(request)
        return {"custom_field": NAMED | {"key": "hue", "value": "green"}}

    answer_with(monkeypatch, make, writes.UPDATE)
    registered(writes.UPDATE).send(written(account, before=before, request=WAS | {"key": key, "value": "green"}))
    (request,) = left
    assert request.body == body
    assert (request.path, dict(request.query)["id"]) == (("videos", VIDEO), FIELD)


@pytest.mark.parametrize(
    ("answer", "after"),
    [
        (replace(COLOR, key="Color", value="GREEN"), {"key": "Color", "value": "GREEN"}),
        (replace(COLOR, key="", value=""), {"key": "color", "value": "green"}),  # it says only which
        (None, {"key": "color", "value": "green"}),
    ],
)
def test_what_the_platform_says_that_it_saved_is_kept(
    account: Account, answer: CustomField | None, after: dict[str, str]
) -> None:
    write = written(account)
    registered(writes.UPDATE).keep(write, answer)
    assert write.after == PLACE | after


def settled(write: Write) -> Any:
    settle = registered(writes.UPDATE).settle
    assert settle is not None
    return settle(write)


@pytest.mark.parametrize(
    ("fields", "end"),
    [
        ([NAMED | {"key": "color", "value": "green"}], Found()),
        ([NAMED | {"key": "color", "value": "red"}], ABSENT),
        ([NAMED | {"key": "hue", "value": "green"}], UNKNOWN),
        ([NAMED | {"key": "color", "value": "blue"}], UNKNOWN),
        ([{"id": OTHER_FIELD, "key": "color", "value": "green"}], UNKNOWN),
        ([], UNKNOWN),
        (Missing("custom_fields.list", 404, ""), UNKNOWN),
    ],
)
def test_reading_tells_whether_a_change_arrived(
    account: Account, monkeypatch: pytest.MonkeyPatch, fields: Any, end: Any
) -> None:
    answered(monkeypatch, fields)
    assert settled(written(account, sent_at=timezone.now())) == end


def test_of_a_field_of_which_nothing_was_known_reading_cannot_tell_that_it_did_not_arrive(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(monkeypatch, [NAMED | {"key": "color", "value": "red"}])
    assert settled(written(account, sent_at=timezone.now(), before=None)) is UNKNOWN


@pytest.mark.parametrize(("state", "end"), [(State.DONE, SUPERSEDED), (State.REFUSED, ABSENT)])
def test_a_change_is_over_once_a_later_one_of_its_field_is_done(
    account: Account, other: Account, monkeypatch: pytest.MonkeyPatch, state: State, end: Any
) -> None:
    answered(monkeypatch, [NAMED | {"key": "color", "value": "red"}])
    sent_at = timezone.now()
    write = written(account, state=State.UNCONFIRMED, sent_at=sent_at)
    later: dict[str, Any] = {"state": state, "sent_at": sent_at + timedelta(seconds=1)}
    written(other, **later)
    written(account, request=WAS | {"field_id": OTHER_FIELD}, **later)
    assert settled(write) is ABSENT, "none of these is of this field"
    written(account, "blue", **later)
    assert settled(write) is end


def test_a_change_waits_for_the_end_of_a_later_one_of_its_field(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(monkeypatch, [NAMED | {"key": "color", "value": "red"}])
    write = written(account, state=State.UNCONFIRMED, sent_at=timezone.now())
    written(account, state=State.UNCONFIRMED, sent_at=timezone.now() + timedelta(seconds=1))
    with pytest.raises(NotRead):
        settled(write)


def copy_after(write: Write) -> None:
    registered(writes.UPDATE).changed(write)


def test_the_copy_follows_what_was_saved_of_this_field_of_this_account(account: Account, other: Account) -> None:
    mine, theirs, beside = copied(account), copied(other), copied(account, field_id=OTHER_FIELD)
    copy_after(written(account, state=State.DONE, after=WAS | {"key": "k" * 301, "value": "green"}))
    for row in (mine, theirs, beside):
        row.refresh_from_db()
    assert (mine.key, mine.value) == ("k" * 300, "green")
    assert (theirs.value, beside.value) == ("red", "red")
    copy_after(written(account, "blue", state=State.DONE, after=None))
    mine.refresh_from_db()
    assert (mine.key, mine.value) == ("color", "blue")


@pytest.mark.parametrize("about", [{"state": State.DONE, "reason": REPLACED}, {"state": State.REFUSED}])
def test_the_copy_does_not_follow_what_did_not_become_the_value(account: Account, about: dict[str, str]) -> None:
    mine = copied(account)
    copy_after(written(account, **about))
    mine.refresh_from_db()
    assert mine.value == "red"


@pytest.mark.parametrize(
    ("about", "line"),
    [
        ({"state": State.HELD}, (LineState.CHANGE, "old", "old")),  # it has not left
        ({"state": State.HELD, "attempt": 1}, (LineState.CHANGE, "old", "old")),
        ({"state": State.SENDING, "attempt": 1}, (LineState.SENDING, "", "")),
        (
            {"state": State.UNCONFIRMED, "attempt": 1, "reason": "Unreachable", "message": "gone"},
            (LineState.UNCONFIRMED, "Unreachable", "gone"),
        ),
        ({"state": State.DONE, "attempt": 1}, (LineState.DONE, "", "")),
        (
            {"state": State.REFUSED, "attempt": 1, "reason": "R" * 31, "message": "no"},
            (LineState.FAILED, "R" * 30, "no"),
        ),
        ({"state": State.CANCELLED}, (LineState.REFUSED, FieldProblem.CHANGED_SINCE, "")),
    ],
)
def test_a_line_is_what_became_of_its_change(
    account: Account, about: dict[str, Any], line: tuple[str, str, str]
) -> None:
    change = Change.objects.create(account_id=account.pk, name="fields.csv")
    row = line_of(change, state=LineState.CHANGE, reason="old", message="old")
    beside = line_of(change, number=3, state=LineState.CHANGE)
    copy_after(written(account, request=WAS | {"value": "green", "line": row.pk}, **about))
    for one in (row, beside):
        one.refresh_from_db()
    assert (row.state, row.reason, row.message) == line
    assert beside.state == LineState.CHANGE


def test_a_line_whose_change_waits_for_its_first_sending_is_left_as_it_is(account: Account) -> None:
    row = line_of(Change.objects.create(account_id=account.pk, name="fields.csv"), state=LineState.SENDING)
    copy_after(written(account, request=WAS | {"line": row.pk}))
    row.refresh_from_db()
    assert row.state == LineState.SENDING
    copy_after(written(account, request=WAS | {"line": row.pk}, attempt=1))
    row.refresh_from_db()
    assert row.state == LineState.CHANGE, "it certainly never arrived, and waits again"
