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
from dashboard.sandbox import clock as sandbox_clock
from dashboard.upstream import clients
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


OPEN_TO_ALL = {
    "front_door": "leads to sign-in or to the dashboard",
    "healthz": "says that the process lives, to a load balancer",
    "readyz": "says what is reachable, to a load balancer",
    "metrics": "for whoever has METRICS_TOKEN; without METRICS there is no such page",
    "language": "everybody chooses a language",
    "theme": "everybody chooses light or dark",
    "accounts:sign_in": "is where people without an account go",
    "accounts:demo": "signs in",
    "notices:confirm": "its link came by e-mail, signed, to somebody without an account",
    "notices:stop": "the same; mail programs send it too",
    "reports:stop": "the same",
    "accounts:sign_out": "harmless when nobody is signed in",
}
"""Addresses that need no account."""
APART = {
    "sandbox": "the embedded platform checks its own tokens; its pages exist only with it",
    "review_portal": "reviewers come with a link and have no account; the portal's own tests cover its troubles",
}
"""Apps that need no account, as `settings.PUBLIC_APPS` says."""

NOT_AN_OBJECT = {
    "analytics:file": "its name is that of a panel",
    **dict.fromkeys(
        (
            "analytics:why",
            "analytics:why_file",
            "analytics:rate_why",
            "analytics:rate_why_file",
            "analytics:traffic_why",
            "analytics:traffic_why_file",
        ),
        "they name a way to split the account's own figures",
    ),
    "referrals:file": "its extension is all it takes",
    "ab_tests:file": "checked under its test's own page: an unknown file name is 404 for everybody",
}
"""Addresses whose arguments name nothing that belongs to an account."""
ONLY_FOR_SCRIPT = {
    "folders:children": "opened by hand it leads to the folder's page, which is 404",
    "funnels:progress": "opened by hand it leads to the funnel, which is 404",
    "custom_fields:field": "opened by hand it leads to the video's fields, which are 404",
}
"""Addresses that lead another account on, to a page that is not found."""

GUARDED = sorted(name for name in ALL if name not in OPEN_TO_ALL and name.partition(":")[0] not in APART)
OF_AN_OBJECT = [name for name in GUARDED if ALL[name] and name not in NOT_AN_OBJECT and name not in ONLY_FOR_SCRIPT]


def is_opaque(name: str) -> bool:
    """Whether the stand-in for its arguments is an identifier: one that nothing has."""
    return all(re.fullmatch(converter.regex, str(uuid4())) for converter in ALL[name].values())


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
    """Whatever is done inside is undone: rows of both databases, cookies, what is cached or failed, and the time that passed."""
    savepoints = {alias: transaction.savepoint(using=alias) for alias in ("default", "sandbox")}
    cookies = copy(client.cookies)
    clock = sandbox_clock._clock
    sandbox_clock.set_clock(sandbox_clock.Frozen(sandbox_clock.Wall().now()))
    forget()
    try:
        yield
    finally:
        for alias, savepoint in savepoints.items():
            transaction.set_rollback(False, using=alias)
            transaction.savepoint_rollback(savepoint, using=alias)
        client.cookies = cookies
        forget()
        clients.circuits().close()
        sandbox_clock.set_clock(clock)


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
