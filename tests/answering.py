"""Answers in the place of the platform's: the call is made and its question known, and nothing is sent."""

import json
from collections.abc import Callable
from dataclasses import replace
from datetime import date
from typing import Any

import pytest

from dashboard.platform_api.answers import Answer
from dashboard.platform_api.errors import PlatformDown
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Sender
from dashboard.platform_api.values import Unreadable


def answer_with(monkeypatch: pytest.MonkeyPatch, make: Callable[[Request], Any], *operations: str) -> None:
    """Calls of these operations are answered with the JSON that `make` gives for the request, or with what it raises."""
    send = Sender.send

    def answer(self: Sender, request: Request, read: Callable[[Answer], Any]) -> Any:
        if request.operation not in operations:
            return send(self, request, read)
        try:
            return read(Answer(200, {}, json.dumps(make(request)).encode()))
        except Unreadable as error:
            raise PlatformDown(request.operation, 200) from error

    monkeypatch.setattr(Sender, "send", answer)


def change_answers(monkeypatch: pytest.MonkeyPatch, change: Callable[[Any], Any], operation: str) -> None:
    """The platform's answers to calls of an operation come as what `change` makes of their JSON."""
    send = Sender.send

    def changed(self: Sender, request: Request, read: Callable[[Answer], Any]) -> Any:
        def read_changed(answer: Answer) -> Any:
            return read(replace(answer, body=json.dumps(change(answer.json())).encode()))

        return send(self, request, read_changed if request.operation == operation else read)

    monkeypatch.setattr(Sender, "send", changed)


def count_calls(monkeypatch: pytest.MonkeyPatch, operation: str) -> list[Request]:
    """The requests of an operation that are sent from now on."""
    sent: list[Request] = []
    send = Sender.send

    def noted(self: Sender, request: Request, read: Callable[[Answer], Any]) -> Any:
        if request.operation == operation:
            sent.append(request)
        return send(self, request, read)

    monkeypatch.setattr(Sender, "send", noted)
    return sent


def asked_of(request: Request) -> dict[str, Any]:
    """The query of a request by name, without what was left out."""
    return {name: value for name, value in request.query if value is not None}


def days_of(request: Request) -> tuple[date, date]:
    """The first and the last day that a request about days names."""
    asked = asked_of(request)
    return date.fromisoformat(asked["start_date"]), date.fromisoformat(asked["end_date"])
