"""Writes of A/B tests: what each of them asks for, how it is settled by reading, and what is kept here with it."""

import uuid
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client

from dashboard.ab_tests import writes
from dashboard.accounts.models import Account
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import Missing, PlatformDown
from dashboard.platform_api.request import Request
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Found, registered
from tests.answering import answer_with

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

TEST = "0198a3a0-0000-4000-8000-000000000001"
A, B, C = (
    "0198a3a0-0000-4000-8000-00000000000a",
    "0198a3a0-0000-4000-8000-00000000000b",
    "0198a3a0-0000-4000-8000-00000000000c",
)
AT = datetime(2026, 11, 20, 12, tzinfo=UTC)
PAYLOAD = {"name": "Thumbnails", "description": "Two stills", "video_ids": [A, B]}
TOLD: dict[str, Any] = {
    "id": TEST,
    "name": "Thumbnails",
    "description": "Two stills",
    "status": "DRAFT",
    "videos": [{"id": A}, {"id": B}],
}
READ = Comparison.from_json(TOLD)


@pytest.fixture
def request_of(owner: Client) -> Any:
    """A request of the owner's browser."""
    return owner.get("/language/").wsgi_request


def written(account: Account, operation: str, sends: dict[str, Any], **about: Any) -> Write:
    usual = {"account": account, "scope": str(account.pk), "key": uuid.uuid4(), "subject": TEST}
    return Write.objects.create(**usual | {"operation": operation, "request": sends} | about)


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """`told(status="COMPLETED")`: how the test reads, `error=` what is raised instead; `told(first, second)`: the list."""

    def tell(*tests: Any, **about: Any) -> None:
        def make(request: Request) -> Any:
            if request.operation == "comparisons.list":
                return {"comparisons": list(tests)}
            assert request.path == ("comparison", TEST)
            if isinstance(error := about.get("error"), Exception):
                raise error
            return TOLD | about

        answer_with(monkeypatch, make, "comparisons.get", "comparisons.list")

    return tell


def settled(write: Write) -> Any:
    settle = registered(write.operation).settle
    assert settle is not None
    return settle(write)


def test_each_intent_says_what_is_sent_and_what_becomes_of_the_test(request_of: Any) -> None:
    this = {"comparison_id": TEST}
    changes = {"description": "Three stills", "video_ids": [A, B, C]}
    for intent, operation, subject, sends, label, before, after in (
        (writes.create_intent(request_of, PAYLOAD), writes.CREATE, "", PAYLOAD, "Thumbnails", None, PAYLOAD),
        (
            writes.update_intent(request_of, READ, changes),
            writes.UPDATE,
            TEST,
            this | {"changes": changes},
            "Thumbnails",
            {"description": "Two stills", "video_ids": [A, B]},
            changes,
        ),
        (writes.start_intent(request_of, TEST), writes.START, TEST, this, "", None, {"status": "IN_PROGRESS"}),
        (
            writes.finish_intent(request_of, TEST, B),
            writes.FINISH,
            TEST,
            this | {"winner": B},
            "",
            None,
            {"status": "COMPLETED", "winner": B},
        ),
        (writes.delete_intent(request_of, TEST), writes.DELETE, TEST, this, "", None, None),
    ):
        assert (intent.operation, intent.subject, intent.request, intent.label) == (operation, subject, sends, label)
        assert (intent.before, intent.after) == (before, after)


def test_the_log_shows_the_test_as_it_was_and_all_of_one_that_is_deleted(request_of: Any) -> None:
    start = writes.add_description(writes.start_intent(request_of, TEST), READ)
    assert (start.label, start.before) == ("Thumbnails", {"status": "DRAFT"})
    assert start.request == {"comparison_id": TEST}
    delete = writes.add_description(writes.delete_intent(request_of, TEST), READ)
    assert (delete.label, delete.before) == ("Thumbnails", {"status": "DRAFT"} | PAYLOAD)


def test_a_created_test_is_known_from_then_on(account: Account) -> None:
    write = written(account, writes.CREATE, PAYLOAD, subject="")
    registered(writes.CREATE).keep(write, READ)
    assert (write.subject, write.result) == (TEST, {"comparison_id": TEST, "name": "Thumbnails"})
    assert write.after == PAYLOAD | {"id": TEST}


def test_an_answer_that_does_not_say_which_test_it_made_is_none(account: Account) -> None:
    write = written(account, writes.CREATE, PAYLOAD, subject="")
    with pytest.raises(ValueError, match="not known"):
        registered(writes.CREATE).keep(write, replace(READ, id=""))
    written(account, writes.CREATE, PAYLOAD, state=State.DONE)  # another form made this one
    with pytest.raises(ValueError, match="not known"):
        registered(writes.CREATE).keep(write, READ)
    assert write.subject == ""


NEW = TOLD | {"created_at": AT.isoformat()}


@pytest.mark.parametrize(
    ("tests", "end"),
    [
        ([], ABSENT),
        ([NEW], "found"),
        ([NEW | {"name": " Thumbnails ", "description": " Two stills\n"}], "found"),
        ([NEW | {"description": "", "videos": []}], "found"),  # the list leaves them out
        ([NEW | {"videos": [{"id": B}, {"id": A}]}], "found"),
        ([NEW | {"name": "Others"}], ABSENT),
        ([NEW | {"description": "Others"}], ABSENT),
        ([NEW | {"videos": [{"id": A}]}], ABSENT),
        ([NEW | {"created_at": (AT - timedelta(seconds=60)).isoformat()}], "found"),  # its clock is a minute behind
        ([NEW | {"created_at": (AT - timedelta(seconds=61)).isoformat()}], ABSENT),
        ([TOLD], UNKNOWN),  # nothing says that it is new
        ([NEW, NEW | {"id": "another"}], UNKNOWN),
        ([NEW | {"id": "taken"}], ABSENT),
        ([NEW | {"id": "taken"}, NEW], "found"),
        ([NEW | {"name": "Others", "id": "other"}, NEW], "found"),
    ],
)
def test_a_creation_is_found_in_the_list_by_all_that_was_sent(
    account: Account, told: Callable[..., None], tests: list[dict[str, Any]], end: Any
) -> None:
    told(*tests)
    written(account, writes.CREATE, PAYLOAD, subject="taken", state=State.DONE)
    written(account, writes.CREATE, PAYLOAD, state=State.REFUSED)
    written(account, writes.UPDATE, PAYLOAD, state=State.DONE)
    other = Account.objects.create(name="Another")
    written(other, writes.CREATE, PAYLOAD, state=State.DONE)
    write = written(account, writes.CREATE, PAYLOAD, subject="", sent_at=AT)
    found = settled(write)
    if end == "found":
        assert isinstance(found, Found) and found.answer.id == TEST
    else:
        assert found is end


def test_a_creation_that_never_left_is_looked_for_from_when_it_was_asked_for(
    account: Account, told: Callable[..., None]
) -> None:
    write = written(account, writes.CREATE, PAYLOAD, subject="")
    told(TOLD | {"created_at": (write.created_at - timedelta(seconds=59)).isoformat()})
    assert isinstance(settled(write), Found)
    told(TOLD | {"created_at": (write.created_at - timedelta(seconds=61)).isoformat()})
    assert settled(write) is ABSENT


def test_a_description_of_spaces_is_none(account: Account, told: Callable[..., None]) -> None:
    told(NEW | {"description": ""})
    assert isinstance(settled(written(account, writes.CREATE, PAYLOAD | {"description": " "}, sent_at=AT)), Found)


def update_of(account: Account, changes: dict[str, Any], **about: Any) -> Write:
    before = {name: PAYLOAD[name] for name in changes}
    sends = {"comparison_id": TEST, "changes": changes}
    return written(account, writes.UPDATE, sends, **{"before": before, "after": changes} | about)


def test_an_update_sends_its_changes_and_reads_what_the_platform_kept(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[Request] = []

    def make(request: Request) -> Any:
        left.append(request)
        if len(left) > 2:
            raise PlatformDown(request.operation, 500)
        return TOLD | {"name": "Stills"}

    answer_with(monkeypatch, make, "comparisons.update", "comparisons.get")
    write = update_of(account, {"name": "Stills", "video_ids": [A, C]})
    kept = registered(writes.UPDATE).send(write)
    assert [(request.operation, request.path[-1]) for request in left] == [
        ("comparisons.update", TEST),
        ("comparisons.get", TEST),
    ]
    assert left[0].body == {"name": "Stills", "video_ids": [A, C]}
    registered(writes.UPDATE).keep(write, kept)
    assert write.after == {"name": "Stills", "video_ids": [A, B]}, "it takes no variants once it runs"
    assert write.result == {"kept": write.after}


def test_what_was_kept_of_an_update_is_not_known_where_it_cannot_be_read(
    account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    def make(request: Request) -> Any:
        if request.operation == "comparisons.get":
            raise PlatformDown(request.operation, 500)
        return TOLD

    answer_with(monkeypatch, make, "comparisons.update", "comparisons.get")
    write = update_of(account, {"name": "Stills"})
    registered(writes.UPDATE).keep(write, registered(writes.UPDATE).send(write))
    assert (write.after, write.result) == ({"name": "Stills"}, {"kept": None})


@pytest.mark.parametrize(
    ("changes", "now", "end"),
    [
        ({"name": "Stills"}, {"name": "Stills"}, "found"),
        ({"name": "Stills"}, {"name": " Stills "}, "found"),
        ({"name": "Stills"}, {}, ABSENT),
        ({"name": "Stills"}, {"name": " Thumbnails"}, ABSENT),
        ({"name": "Stills"}, {"name": "Others"}, UNKNOWN),
        ({"name": "Thumbnails"}, {"name": "Others"}, "found"),  # nothing was to change
        ({"name": "Stills", "description": "Two stills"}, {"description": "Others"}, ABSENT),
        ({"name": "Stills", "video_ids": [A, C]}, {"name": "Stills"}, "found"),  # variants are ignored once it runs
        ({"name": "Stills", "video_ids": [A, C]}, {"videos": [C, A]}, "found"),
        ({"name": "Stills", "video_ids": [A, C]}, {"videos": [B, A]}, ABSENT),
        ({"name": "Stills", "video_ids": [A, C]}, {"videos": [A]}, UNKNOWN),
        ({"description": ""}, {"description": None}, "found"),
    ],
)
def test_an_update_arrived_where_one_of_its_changes_is_there(
    account: Account, told: Callable[..., None], changes: dict[str, Any], now: dict[str, Any], end: Any
) -> None:
    told(**now)
    found = settled(update_of(account, changes))
    if end == "found":
        assert isinstance(found, Found) and found.answer.id == TEST
    else:
        assert found is end


@pytest.mark.parametrize(("now", "end"), [({"name": "Stills"}, "found"), ({"name": ""}, ABSENT), ({}, UNKNOWN)])
def test_an_update_of_a_test_of_which_nothing_was_known(
    account: Account, told: Callable[..., None], now: dict[str, Any], end: Any
) -> None:
    told(**now)
    found = settled(update_of(account, {"name": "Stills"}, before=None))
    assert isinstance(found, Found) if end == "found" else found is end
    told(videos=[])
    assert settled(update_of(account, {"video_ids": [A, C]}, before=None)) is ABSENT


@pytest.mark.parametrize(
    ("operation", "now", "arrived"),
    [
        (writes.START, {"status": "DRAFT"}, False),
        (writes.START, {"status": "IN_PROGRESS"}, True),
        (writes.START, {"status": "COMPLETED"}, True),
        (writes.FINISH, {"status": "IN_PROGRESS"}, False),
        (writes.FINISH, {"status": "IN_PROGRESS", "winner": B}, False),
        (writes.FINISH, {"status": "COMPLETED", "winner": B}, True),
        (writes.FINISH, {"status": "COMPLETED"}, True),  # nobody says who won
        (writes.FINISH, {"status": "COMPLETED", "winner": A}, False),
        (writes.DELETE, {}, False),
    ],
)
def test_a_start_a_finish_and_a_deletion_are_settled_by_how_the_test_stands(
    account: Account, told: Callable[..., None], operation: str, now: dict[str, Any], arrived: bool
) -> None:
    told(**now)
    found = settled(written(account, operation, {"comparison_id": TEST, "winner": B}))
    if arrived:
        assert isinstance(found, Found) and found.answer.id == TEST
    else:
        assert found is ABSENT


def test_a_test_that_is_gone_was_deleted(account: Account, told: Callable[..., None]) -> None:
    told(error=Missing("comparisons.get", 404, ""))
    assert settled(written(account, writes.DELETE, {"comparison_id": TEST})) == Found()
    with pytest.raises(Missing):
        settled(written(account, writes.START, {"comparison_id": TEST}))


@pytest.mark.parametrize(
    ("operation", "query", "body"),
    [
        (writes.CREATE, {}, PAYLOAD),
        (writes.START, {"type": "start"}, None),
        (writes.FINISH, {"type": "finish"}, {"winner_video_id": B}),
        (writes.DELETE, {}, {"id": TEST}),
    ],
)
def test_each_write_is_one_call_with_what_was_asked_for(
    account: Account, monkeypatch: pytest.MonkeyPatch, operation: str, query: dict[str, str], body: Any
) -> None:
    left: list[Request] = []

    def make(request: Request) -> Any:
        left.append(request)
        return TOLD

    answer_with(monkeypatch, make, operation)
    sends = PAYLOAD if operation == writes.CREATE else {"comparison_id": TEST, "winner": B}
    answer = registered(operation).send(written(account, operation, sends))
    (request,) = left
    assert (dict(request.query), request.body) == (query, body)
    assert (TEST in request.path) is (operation in {writes.START, writes.FINISH})
    assert operation == writes.DELETE or answer.id == TEST
