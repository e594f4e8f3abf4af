"""Who asks, about what: four people, the owner's things, and what may never be answered to whom."""

import contextlib
import traceback
from collections.abc import Iterator
from dataclasses import dataclass, field
from random import Random
from typing import Any, Final
from unittest import mock
from uuid import uuid4

import httpx
from django.conf import settings
from django.core.management import call_command
from django.core.signals import got_request_exception
from django.test import Client
from django.utils.module_loading import import_string

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.ai_content.models import Version
from dashboard.custom_fields.models import Change
from dashboard.platform_api import Platform
from dashboard.sandbox import faults
from dashboard.sandbox.clock import Frozen, Wall, set_clock
from dashboard.subtitles.models import Batch
from dashboard.upstream import clients
from dashboard.writes.models import Write
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.fuzz.values import spoil
from tests.house.things import make_things
from tests.snapshots import Snapshots

PEOPLE: Final = ("owner", "reviewer", "stranger", "other")
FAULTS: Final[tuple[dict[str, Any], ...]] = (
    *({"status": status} for status in (400, 401, 403, 404, 409, 429, 500, 502, 503)),
    *({"broken": how} for how in ("refused", "dropped", "lost", "hangs", "stalls")),
    {"status": 429, "retry_after": 3600},
    {"status": 500, "times": 1},
    {"broken": "lost", "times": 1},
)
SPOILT: Final = {"spoilt": True}
"""A fault of our own: the answer arrives and is not what the specification says."""


@dataclass
class World:
    """The people, with what each may never see; the things by argument; identifiers of everybody."""

    people: dict[str, Client]
    things: dict[str, Any]
    secrets: dict[str, tuple[str, ...]]
    known: list[str]
    tokens: dict[str, str]
    raised: list[str] = field(default_factory=list)
    spoiling: Random | None = None

    def sign_in_again(self, person: str) -> None:
        """Sign in who was signed out or disconnected by what was asked."""
        if person in ("owner", "other"):
            signed_in(self.people[person], self.tokens[person])

    def note(self, **_about: object) -> None:
        """Keep an exception that no view caught."""
        self.raised.append(traceback.format_exc())


def _mark(account: Account) -> str:
    """Write words into everything of an account that only its owner may see."""
    mark = f"marked{uuid4().hex}"
    Entry.objects.filter(account_id=account.pk).update(actor=mark, label=mark)
    Change.objects.filter(account_id=account.pk).update(name=mark)
    Batch.objects.filter(account=account).update(label=mark)
    Version.objects.filter(document__account_id=account.pk).update(label=mark)
    Write.objects.filter(account=account, operation__startswith="playlists").update(label=mark)
    Account.objects.filter(pk=account.pk).update(name=mark)
    return mark


def empty(platform: Snapshots) -> dict[str, Any]:
    """Both databases as before anybody came, and the cast of the embedded platform."""
    faults.clear()
    call_command("flush", database="default", interactive=False, verbosity=0)
    platform.use("seeded", again=True)
    forget()
    clients.circuits().close()
    cast: dict[str, Any] = import_string(settings.SANDBOX_CAST)()
    return cast


def make(cast: dict[str, Any]) -> World:
    """The world after a first visit of everybody."""
    owner = signed_in(Client(raise_request_exception=False), cast["tokens"]["owner"])
    things = make_things(owner, cast)
    mark = _mark(Account.objects.get())
    other = signed_in(Client(raise_request_exception=False), cast["tokens"]["other"])
    stranger, reviewer = Client(raise_request_exception=False), Client(raise_request_exception=False)
    link = things["link_id"]
    words = {"key": str(uuid4()), "user_name": "Ana Prado", "text": "Louder here.", "time": "0:05"}
    assert reviewer.get(f"/{link}").status_code == 200
    assert reviewer.post(f"/{link}/comments", words).status_code == 302
    hidden: tuple[str, ...] = (mark,)
    return World(
        people={"owner": owner, "other": other, "stranger": stranger, "reviewer": reviewer},
        things=things,
        secrets={"owner": (), "other": hidden, "stranger": hidden, "reviewer": hidden},
        known=[str(value) for value in things.values()],
        tokens={person: token for person, token in cast["tokens"].items() if isinstance(token, str)},
    )


@contextlib.contextmanager
def calm() -> Iterator[None]:
    """Nobody waits between two attempts of a call, and a call that hangs is given up at once."""

    def connected(*about: Any, **more: Any) -> Platform:
        return Platform(*about, **{**more, "sleep": lambda seconds: None})

    with mock.patch.object(clients, "Platform", connected):
        set_clock(Frozen(Wall().now()))
        try:
            yield
        finally:
            set_clock(Wall())


@contextlib.contextmanager
def watched(world: World) -> Iterator[None]:
    """Exceptions are noted, and answers of the platform spoilt where the world says so."""
    transport = type(clients.http()._transport)
    handle = transport.handle_request

    def handled(self: httpx.BaseTransport, request: httpx.Request) -> httpx.Response:
        response = handle(self, request)
        if world.spoiling is None or world.spoiling.random() < 0.3:
            return response
        body = spoil(world.spoiling, response.read())
        headers = {k: v for k, v in response.headers.items() if k.lower() not in {"content-length", "content-encoding"}}
        return httpx.Response(response.status_code, headers=headers, content=body)

    got_request_exception.connect(world.note)
    try:
        with mock.patch.object(transport, "handle_request", handled):
            yield
    finally:
        got_request_exception.disconnect(world.note)
