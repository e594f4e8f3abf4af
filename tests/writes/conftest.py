"""An operation of no feature, whose platform is a list that a test can make fail."""

import uuid
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.writes import operations
from dashboard.writes.models import Write
from dashboard.writes.operations import ABSENT, SUPERSEDED, UNKNOWN, Absence, Found, Operation
from dashboard.writes.outbox import Intent

NAME = "tests.note"


@dataclass
class Platform:
    """What arrived, and what the next calls do: raise `error` before or after the note is there."""

    notes: list[str] = field(default_factory=list)
    error: errors.CallError | None = None
    arrives: bool = True
    """Whether a call that fails leaves its note all the same."""
    readable: bool = True
    tells: bool = True
    """Whether a read shows what is there."""
    replaced: bool = False
    """Whether a read shows that something newer stands there."""
    unreadable: Exception = field(default_factory=lambda: errors.PlatformDown("tests.read", 503))
    """What a read raises while nothing is readable."""
    during: Callable[[Write], None] | None = None
    """Called while a call is out."""

    def send(self, write: Write) -> str:
        if self.during is not None:
            self.during(write)
        if self.error is None or self.arrives:
            self.notes.append(write.request["text"])
        if self.error is not None:
            raise self.error
        return f"note {len(self.notes)}"

    def settle(self, write: Write) -> Found | Absence:
        if not self.readable:
            raise self.unreadable
        if self.replaced:
            return SUPERSEDED
        if not self.tells:
            return UNKNOWN
        return Found("read") if write.request["text"] in self.notes else ABSENT


def keep(write: Write, answer: Any) -> None:
    write.result = {"answer": answer}


@pytest.fixture
def platform(monkeypatch: pytest.MonkeyPatch) -> Platform:
    made = Platform()
    registered = {NAME: Operation(NAME, made.send, keep, made.settle, waits=True)}
    monkeypatch.setattr(operations, "_registered", registered)
    return made


@pytest.fixture
def account() -> Account:
    account = Account(name="Studio")
    account.keep_token("token")
    account.save()
    return account


@pytest.fixture
def intent(account: Account) -> Intent:
    return Intent(
        NAME, str(account.pk), uuid.uuid4(), {"text": "hello"}, account, actor="Ana", subject="s", label="hello"
    )


@pytest.fixture
def queue(settings: Settings) -> None:
    """The queue of tasks is in the database, as where it is installed."""
    settings.TASKS = {"default": {"BACKEND": "dashboard.writes.task_backend.TracedBackend"}}


def reload(write: Write) -> Write:
    return Write.objects.get(pk=write.pk)


def registered(**changes: Any) -> None:
    """The operation of the tests with other manners."""
    old = operations._registered[NAME]
    operations._registered[NAME] = Operation(**{**vars(old), **changes})


def later(write: Write, seconds: float) -> Write:
    """The write as if `seconds` had passed."""
    past = timedelta(seconds=seconds)
    found = reload(write)
    for name in ("due_at", "sent_at", "ended_at", "created_at"):
        if getattr(found, name) is not None:
            setattr(found, name, getattr(found, name) - past)
    found.save()
    return found
