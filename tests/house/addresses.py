"""Walks over every address of the product, out of the URL resolver."""

import logging
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from copy import copy
from typing import Any
from uuid import uuid4

from django.db import transaction
from django.http import HttpResponse, HttpResponseBase, StreamingHttpResponse
from django.test import Client
from django.urls import URLResolver, get_resolver, reverse

from dashboard.accounts.sessions import SessionStore, hash_key
from dashboard.sandbox.clock import Frozen, Wall, set_clock
from tests.forgetting import forget


def addresses(
    resolver: URLResolver, spaces: tuple[str, ...] = (), above: dict[str, Any] | None = None
) -> Iterator[tuple[str, dict[str, Any]]]:
    """Every address by its full name, with the converters of its arguments."""
    for one in resolver.url_patterns:
        converters = {**(above or {}), **one.pattern.converters}
        if isinstance(one, URLResolver):
            yield from addresses(one, (*spaces, one.namespace) if one.namespace else spaces, converters)
        else:
            assert one.name, f"{one.pattern} has no name"
            yield ":".join([*spaces, one.name]), converters


ALL = dict(addresses(get_resolver()))
"""Every address by its name, with the converters of its arguments."""


def another_session() -> str:
    """The stored key of a session of somebody else's browser."""
    session = SessionStore()
    session.create()
    return hash_key(session.session_key)


def opened(client: Client, path: str) -> HttpResponseBase:
    """Open an address; what is only ever sent to is sent an empty form."""
    answer = client.get(path)
    return client.post(path) if answer.headers.get("Allow") == "POST" else answer


def body(answer: HttpResponseBase) -> str:
    """What was answered, as text."""
    if isinstance(answer, StreamingHttpResponse):
        return b"".join(answer.streaming_content).decode(errors="replace")  # type: ignore[arg-type]  # not asynchronous
    assert isinstance(answer, HttpResponse)
    return answer.content.decode(errors="replace")


def whereto(answer: HttpResponseBase) -> str:
    """Where an answer leads."""
    return answer.headers.get("Location", "") + answer.headers.get("HX-Redirect", "")


def stand_in(converter: Any) -> str:
    """Something that a converter takes: an address needs it before anybody is let in."""
    tried = (str(uuid4()), "636f6d70-0000-4000-8000-000000000001", "1", "pt-BR", "csv", "variants", "abcdef", "x")
    return next(one for one in tried if re.fullmatch(converter.regex, one))


def stand_in_address(name: str) -> str:
    """The address `name` with something in it that its converters take."""
    return reverse(name, kwargs={argument: stand_in(converter) for argument, converter in ALL[name].items()})


@contextmanager
def undone(client: Client) -> Iterator[None]:
    """Whatever is done inside is undone: rows of both databases, cookies, what is cached, and the time that passed."""
    savepoints = {alias: transaction.savepoint(using=alias) for alias in ("default", "sandbox")}
    cookies = copy(client.cookies)
    set_clock(Frozen(Wall().now()))
    forget()
    try:
        yield
    finally:
        for alias, savepoint in savepoints.items():
            transaction.set_rollback(False, using=alias)
            transaction.savepoint_rollback(savepoint, using=alias)
        client.cookies = cookies
        forget()
        set_clock(Wall())


def walk(client: Client, paths: dict[str, str], judge: Callable[[str, str], list[str]]) -> list[str]:
    """What `judge(name, path)` finds wrong at each address, as `address: what was wrong`.

    Every address is opened in the same world: what the one before it did is undone. An exception is an offence like others.
    """
    assert len(paths) > 5, "a walk over nothing proves nothing"
    offenders = []
    logging.disable()  # a walk that fails shows its list, not the log of a thousand requests
    try:
        for name, path in paths.items():
            with undone(client):
                try:
                    offenders += [f"{name}: {problem}" for problem in judge(name, path)]
                except Exception as error:  # the walk goes on, and the list names it
                    offenders.append(f"{name}: raised {type(error).__name__}: {error}")
    finally:
        logging.disable(logging.NOTSET)
    return offenders
