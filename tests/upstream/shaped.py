"""A read, the page that shows it, and what is wrong with the page when the answer comes in another shape."""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client

from dashboard.platform_api.errors import Missing
from dashboard.platform_api.request import Request
from dashboard.shared.charts.figures import count
from dashboard.upstream.models import KnownAnswer
from tests.answering import answer_with
from tests.upstream.shapes import Json, Row

UNREAD = ("cannot be read", "couldn't be read", "shape that is not known", "contain this figure")
FIRST, SECOND = "0a0a0a0a-1111-4111-8111-0000000000a1", "0a0a0a0a-2222-4222-8222-0000000000b2"
GONE: Json = Missing
"""In the place of an answer: the platform does not have the read."""


@dataclass(frozen=True)
class Read:
    """One read that a page shows, and what is in its answer."""

    operation: str
    address: str
    rows: list[Row]
    facts: tuple[str, ...] = ()
    """The keys of a row that the page states; where the answer has none of them, its id."""
    names: tuple[str, str] = ("", "")
    """What the platform calls several and one."""
    denials: tuple[str, ...] = ()
    """What the page says where there is nothing: never, when the answer has something."""
    unread: tuple[str, ...] = ()
    """What else says that it cannot be read."""
    around: Row = field(default_factory=dict)
    """The record that lists the rows."""
    others: Mapping[str, Json] = field(default_factory=dict)
    """Answers to other reads of that page."""
    sums: tuple[str, ...] = ()
    """What the page states of every answer that it can read."""
    words: Mapping[str, str] = field(default_factory=dict)
    """How the page says what the answer calls otherwise."""

    def spoken(self, value: object) -> str:
        """A fact as the page says it."""
        return count(value) if isinstance(value, int) else self.words.get(str(value), str(value))


class Shown:
    """The text of a page's main part. What stands there as it came is no statement of the page."""

    def __init__(self, client: Client, address: str) -> None:
        answer = client.get(address, follow=True)
        page = unescape(answer.content.decode())
        found = re.search(r"<main.*?</main>", page, re.DOTALL)
        body = re.sub(r"<(script|style|pre)[^>]*>.*?</\1>", "", found.group(0) if found else page, flags=re.DOTALL)
        self.text = re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", body))
        self.status = answer.status_code

    def says(self, *sentences: str) -> bool:
        """Whether it has one of these."""
        return any(sentence in self.text for sentence in sentences)

    def offence(self, read: Read, value: Json) -> str:
        """What is wrong when this page shows this answer; "" for nothing."""
        if lies := [denial for denial in read.denials if denial in self.text]:
            return f"says {lies}"
        if self.says(*UNREAD, *read.unread):
            return ""
        if self.status >= 400:
            return f"answers {self.status}"
        leaves = set(map(str, _leaves(value)))
        told = [*read.sums, *(fact for row in read.rows for fact in _told(read, row, leaves) if not read.sums)]
        missing = [fact for fact in told if fact not in self.text]
        return f"does not say {missing}" if missing else ""


def _told(read: Read, row: Row, leaves: set[str]) -> list[str]:
    """What an answer of these leaves says of a row, as its page has to say it."""
    facts = [read.spoken(row[key]) for key in read.facts if str(row[key]) in leaves]
    return facts or [str(row.get("id") or row[fact]) for fact in read.facts[:1]]


def _leaves(value: Json) -> list[Any]:
    if isinstance(value, dict):
        return [*value, *(leaf for inner in value.values() for leaf in _leaves(inner))]
    return [leaf for inner in value for leaf in _leaves(inner)] if isinstance(value, list) else [value]


Ask = Callable[[Read, Json], Shown]


def offences(ask: Ask, read: Read, answers: Mapping[str, Json]) -> list[str]:
    """The answers, by the names of their shapes, of which the page of a read says something false, or nothing."""
    found = ((name, ask(read, value).offence(read, value)) for name, value in answers.items())
    return [f"{read.operation}, {name}: {wrong}" for name, wrong in found if wrong]


def asking(client: Client, monkeypatch: pytest.MonkeyPatch) -> Ask:
    """The page of a read that is answered like this, as if nothing had been read before; nothing of it stays."""

    def show(read: Read, value: Json) -> Shown:
        cache.clear()
        with monkeypatch.context() as patched, transaction.atomic():
            KnownAnswer.objects.all().delete()
            for operation, answer in {**read.others, read.operation: value}.items():
                answer_with(patched, _made(operation, answer), operation)
            shown = Shown(client, read.address)
            transaction.set_rollback(True)
        return shown

    return show


def _made(operation: str, value: Json) -> Callable[[Request], Json]:
    def make(request: Request) -> Json:
        if value is GONE:
            raise Missing(operation)
        return json.loads(json.dumps(value))

    return make
