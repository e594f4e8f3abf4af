"""Many chats at once: each is counted as it ended, and what another account or another chat waits for is not touched."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.assistants.models import Switch
from dashboard.writes.models import State, Write
from tests.assistants.test_assistants import ADDRESS, LIST, WRITE, chosen, press
from tests.conftest import AtPlatform, signed_in
from tests.due import outlast
from tests.moments import hurry
from tests.pages import read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def switch(owner: Client, pair: tuple[str, str], videos: list[str]) -> str:
    body = {"video": videos, "assistant": pair[0], "visible": "1"}
    return owner.post(f"{ADDRESS}several/", body, follow=True).content.decode()


def test_a_table_that_cannot_be_read_is_no_mistake_of_who_chose(
    owner: Client, pair: tuple[str, str], faults: ModuleType
) -> None:
    faults.set("*", status=503)
    answer = owner.post(f"{ADDRESS}several/", {"video": pair[1], "assistant": pair[0], "visible": "1"})
    page = answer.content.decode()
    assert answer.status_code == 502 and "to fix" not in page and "Choose " not in page
    assert not Switch.objects.exists() and not Write.objects.exists()


@pytest.mark.parametrize(
    ("fault", "counts"),
    [
        ({}, ["3 chats were changed."]),
        ({"status": 403, "times": 1}, ["2 chats were changed.", "1 was not changed:"]),
        ({"broken": "lost", "times": 2}, ["1 chat was changed.", "2 are not confirmed."]),
        ({"status": 429, "times": 1}, ["0 chats were changed.", "3 chats are waiting"]),
    ],
    ids=["sent", "refused", "lost", "put off"],
)
def test_each_is_counted_as_it_ended(
    owner: Client, pair: tuple[str, str], faults: ModuleType, fault: dict[str, Any], counts: list[str]
) -> None:
    videos = chosen(owner)
    faults.set(WRITE, **fault)
    page = switch(owner, pair, videos)
    assert all(count in page for count in counts)
    assert ("not confirmed" in page, "are waiting" in page, "was not changed" in page) == (
        "not confirmed" in " ".join(counts), "are waiting" in " ".join(counts), "was not changed" in " ".join(counts),
    )  # fmt: skip


def test_after_one_that_is_not_answered_in_time_the_others_are_left_to_the_worker(
    owner: Client, pair: tuple[str, str], monkeypatch: pytest.MonkeyPatch, at_platform: AtPlatform
) -> None:
    videos = chosen(owner)
    at_platform.answers(WRITE, lambda _request: outlast())
    hurry(monkeypatch, "dashboard.writes.beside")
    assert "3 chats are waiting" in switch(owner, pair, videos)
    assert sorted(Write.objects.values_list("state", flat=True)) == [State.HELD, State.HELD, State.SENDING]


def test_only_switches_count_as_waiting(owner: Client, pair: tuple[str, str], faults: ModuleType) -> None:
    faults.set(WRITE, status=429)
    press(owner, pair)
    assert "1 chat is waiting" in read_page(owner, ADDRESS)
    Write.objects.update(operation="playlists.delete")
    assert "chat is waiting" not in read_page(owner, ADDRESS)


@pytest.mark.parametrize("other", ["operation", "assistant"])
def test_later_press_cancels_no_other_write_of_the_same_video(
    owner: Client, pair: tuple[str, str], faults: ModuleType, other: str
) -> None:
    faults.set(WRITE, status=429)
    press(owner, pair)
    write = Write.objects.get()
    if other == "operation":
        Write.objects.update(operation="playlists.delete")
    else:
        Write.objects.update(request=write.request | {"assistant_id": "another"})
    press(owner, pair, show=False)
    write.refresh_from_db()
    assert write.state == State.HELD


def test_refused_switch_leaves_what_is_not_confirmed_of_another_account_and_what_is_confirmed(
    owner: Client, pair: tuple[str, str], faults: ModuleType, cast: dict[str, Any]
) -> None:
    signed_in(Client(), cast["tokens"]["trial"])
    place = {"assistant_id": pair[0], "video_id": pair[1], "visible": True}
    mine = Account.objects.get(pk=owner.session["account"])
    other = Account.objects.exclude(pk=mine.pk).first()
    assert other is not None
    Switch.objects.create(account_id=other.pk, confirmed=False, **place)
    Switch.objects.create(account_id=mine.pk, confirmed=True, **place)
    faults.set(LIST, status=404)
    faults.set(WRITE, status=403)
    press(owner, pair, show=False)
    assert list(Switch.objects.order_by("confirmed").values_list("confirmed", "visible")) == [
        (False, True),
        (True, True),
    ]
