"""Only the platform refuses people: what we hold back are background reads, and after a 429 what is known already."""

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.test import Client
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import RateLimited
from dashboard.upstream import reads
from dashboard.upstream.models import KnownAnswer
from dashboard.upstream.reads import Reads
from dashboard.videos import tasks
from dashboard.writes.models import State, Write
from tests.conftest import AtPlatform, signed_in
from tests.due import run_due
from tests.forgetting import make_old
from tests.moments import replace_time

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
LIMIT = 180
PAGES = (
    "", "review-links/inbox/", "videos/", "videos/?sort=title", "folders/", "playlists/", "lives/", "ab-tests/", "funnels/",
    "assistants/", "review-links/", "subtitles/", "credits/", "activity/", "analytics/", "analytics/traffic/", "runs/",
    "search/?q=course", "referrals/", "custom-fields/",
)  # fmt: skip
PLAYLISTS = "/dashboard/playlists/"
NEXT_PRESS = re.compile(r"Too many requests\. Updates automatically after \d\d:\d\d:\d\d")


@pytest.fixture(autouse=True)
def production(settings: Settings, one_window: None) -> None:
    """The default of a real platform."""
    settings.PLATFORM_CALLS_PER_MINUTE = LIMIT


@pytest.fixture
def sent(at_platform: AtPlatform) -> list[str]:
    """The operations that the embedded platform was asked for."""
    operations: list[str] = []
    at_platform.arrives("*", lambda _request: operations.append(at_platform.operation))
    return operations


def forget_answers() -> None:
    """Nothing is known of the platform, as for people who open each page for the first time; what was counted stays."""
    KnownAnswer.objects.all().delete()
    reads._records.clear()


def test_sixty_pages_of_three_owners_and_rooms_beside_them_are_refused_by_nobody(
    cast: dict[str, Any], sent: list[str]
) -> None:
    owners = [signed_in(Client(), cast["tokens"][role]) for role in ("owner", "other", "trial")]
    rooms = [f"/{link}" for link in cast["review_links"].values()]
    answers, told = {}, []
    for number, page in enumerate(PAGES):
        address = f"/dashboard/{page}"
        for owner in owners:
            forget_answers()
            answer = owner.get(address, follow=True)
            answers[f"{number} {address} {owners.index(owner)}"] = answer.status_code
            told += [address] if "requests" in answer.content.decode() else []
        room = rooms[number % len(rooms)]
        answers[f"{number} {room}"] = Client().get(room).status_code
    text = Client().get(f"/{cast['review_links']['open']}").content.decode()
    assert len(sent) > LIMIT, "as many calls as the budget once had"
    assert not {address: status for address, status in answers.items() if status in (429, 500, 502, 503, 504)}
    assert "Too many requests" not in text
    assert not told, "nor is a part of a page"
    assert signed_in(Client(), cast["tokens"]["owner"]).get(PLAYLISTS).status_code == 200, "signing in works, too"


@pytest.mark.parametrize("number", [60])
def test_attempts_to_sign_in_take_no_calls_of_others(owner: Client, cast: dict[str, Any], number: int) -> None:
    """A stranger with many addresses, so that the limits of sign-in hold none of the attempts back."""
    for attempt in range(number * 4):
        address = f"{20 + attempt}.{attempt % 250}.3.4"
        Client(REMOTE_ADDR=address).post("/sign-in/", {"token": f"wrong-token-{attempt:06}"})
    forget_answers()
    assert owner.get(PLAYLISTS).status_code == 200
    assert Client(REMOTE_ADDR="9.9.9.9").post("/sign-in/", {"token": cast["tokens"]["owner"]}).status_code == 302


def test_background_reading_that_uses_up_its_share_holds_nobody_back(
    owner: Client, settings: Settings, cast: dict[str, Any], sent: list[str]
) -> None:
    settings.PLATFORM_CALLS_PER_MINUTE = 20
    assert tasks.read_library.call() > 0
    assert len(sent) <= 12, "six tenths"
    before = len(sent)
    assert tasks.read_library.call() == 0
    assert len(sent) == before
    room = f"/{cast['review_links']['open']}"
    guest = Client()
    assert guest.get(room).status_code == 200
    assert "public_review.comments" in sent[before:], "a first look at a room is nobody's background"
    for page in PAGES:
        assert owner.get(f"/dashboard/{page}", follow=True).status_code == 200, page
    fields = {"key": str(uuid4()), "user_name": "Ana", "text": "At once", "time": "0:01"}
    guest.post(f"{room}/comments", fields)
    assert Write.objects.get(operation="public_review.create_comment").state == State.DONE


def test_poll_of_a_room_that_is_held_back_is_no_trouble(
    owner: Client, settings: Settings, cast: dict[str, Any], sent: list[str]
) -> None:
    room = f"/{cast['review_links']['open']}"
    guest = Client()
    guest.get(room)
    settings.PLATFORM_CALLS_PER_MINUTE = 1
    tasks.read_library.call()
    cache.delete_many([f"review-merge:{link}" for link in cast["review_links"].values()])
    before = len(sent)
    assert guest.get(f"{room}/comments?v=0", headers={"HX-Request": "true"}).status_code == 200
    assert len(sent) == before, "polls that read anew are background"
    assert "Too many requests" not in guest.get(room).content.decode()


def test_after_a_429_of_the_platform_pages_show_what_is_known_and_its_age_until_the_time_it_named(
    owner: Client, faults: ModuleType, cast: dict[str, Any], sent: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert owner.get(PLAYLISTS).status_code == 200
    make_old()
    faults.set("playlists.list", status=429, retry_after=40, times=1)
    first = owner.get(PLAYLISTS)
    assert first.status_code == 200, "the 429 is the platform's, and what is known is shown"
    before = len(sent)
    page = owner.get(PLAYLISTS)
    assert page.status_code == 200
    assert "Last updated 1 h ago." in page.content.decode()
    assert NEXT_PRESS.search(page.content.decode())
    assert len(sent) == before, "what is known is not read again before"
    assert tasks.read_library.call() == 0
    assert len(sent) == before, "nor does the worker read"
    assert owner.get("/dashboard/lives/").status_code == 200, "what nobody has read yet is asked for"
    assert "lives.list" in sent[before:]
    assert Client().get(f"/{cast['review_links']['open']}").status_code == 200
    replace_time(monkeypatch, "dashboard.upstream.budget", time=lambda: 1_800_000_051.0)
    cache.delete_many([f"unread:{Account.objects.get().pk}:{row.digest}" for row in KnownAnswer.objects.all()])
    before = len(sent)
    owner.get(PLAYLISTS)
    assert "playlists.list" in sent[before:]


def test_after_a_429_a_change_waits_in_the_outbox_and_leaves_by_itself(
    owner: Client, faults: ModuleType, cast: dict[str, Any], calls: Callable[[str], int]
) -> None:
    faults.set("lives.list", status=429, retry_after=40, times=1)
    assert owner.get("/dashboard/lives/").status_code == 503, "nothing is known: that is the platform's own answer"
    switch = f"{cast['assistants']['main']} {cast['videos']['plain']} 1"
    fields = {"switch": switch, "write_key": ""}
    told = owner.post("/dashboard/assistants/switch/", fields, headers={"HX-Request": "true"}).content.decode()
    write = Write.objects.get()
    assert (write.state, calls(write.operation)) == (State.HELD, 0)
    assert "Your change is saved here and will be sent automatically after" in told
    cache.clear()  # the time that it named has come
    run_due(400)
    write.refresh_from_db()
    assert (write.state, calls(write.operation)) == (State.DONE, 1)


def test_a_429_at_one_room_holds_back_no_other(cast: dict[str, Any], faults: ModuleType, sent: list[str]) -> None:
    rooms = [f"/{cast['review_links'][name]}" for name in ("open", "no_status_edit")]
    for room in rooms:
        Client().get(room)
    faults.set("public_review.create_comment", status=429, retry_after=40, times=1)
    states = []
    for room in (rooms[0], rooms[0], rooms[1]):
        guest = Client()
        guest.get(room)
        fields = {"key": str(uuid4()), "user_name": "Ana", "text": "Hello", "time": "0:01"}
        guest.post(f"{room}/comments", fields)
        states.append(Write.objects.latest("created_at").state)
    assert states == [State.HELD, State.HELD, State.DONE]
    assert sent.count("public_review.create_comment") == 2


def test_signing_in_goes_to_the_platform_although_the_account_pauses(
    owner: Client, faults: ModuleType, cast: dict[str, Any]
) -> None:
    faults.set("playlists.list", status=429, retry_after=40, times=1)
    assert owner.get(PLAYLISTS).status_code == 503
    assert signed_in(Client(), cast["tokens"]["owner"]).get("/dashboard/lives/").status_code == 200


def test_form_that_compares_with_the_platform_asks_it_although_the_account_pauses(
    owner: Client, faults: ModuleType, sent: list[str]
) -> None:
    owner.get(PLAYLISTS)
    faults.set("lives.list", status=429, retry_after=40, times=1)
    owner.get("/dashboard/lives/")
    reader, before = Account.objects.get(), len(sent)
    assert Reads(reader, seconds=0.0).get(lambda platform: platform.playlists.list())
    make_old()
    assert Reads(reader).get(lambda platform: platform.playlists.list()), "what is known, where that is enough"
    assert sent[before:] == ["playlists.list"]
    faults.set("folders.list", status=429, retry_after=40)
    with pytest.raises(RateLimited):
        Reads(reader).get(lambda platform: platform.folders.list())
