"""The pages that are checked as HTML: every address as its owner sees it, and its forms as they come back refused."""

from typing import Any

from django.http import HttpResponseBase
from django.test import Client

from dashboard.posted_addresses import FOR_PROGRAMS
from tests.house.addresses import ALL, body, undone
from tests.house.things import address, make_things

APART = ("sandbox:platform", "review_portal:spelled")
BROKEN_ON_PURPOSE = {"healthz", "readyz", "metrics"}
SEARCHES = {"search:search": "?q=video", "assistants:assistants": "?find=a", "videos:videos": "?missing=fr"}
"""Pages that show more when something is asked for."""


def load_pages(client: Client, cast: dict[str, Any]) -> dict[str, str]:
    """Each answer in HTML by the name of its address and how it was asked for: read, refused, or as a part of a page."""
    things = make_things(client, cast)
    found: dict[str, str] = {}
    names = sorted(set(ALL) - FOR_PROGRAMS - BROKEN_ON_PURPOSE - set(APART))
    for name in names:
        try:
            path = address(name, things)
        except AssertionError:  # it names nothing that a signed-in owner opens
            continue
        with undone(client):
            _keep(found, f"{name} read", client.get(path))
            if name in SEARCHES:
                _keep(found, f"{name} asked", client.get(path + SEARCHES[name]))
            _keep(found, f"{name} part", client.get(path, headers={"HX-Request": "true"}))
        with undone(client):
            _keep(found, f"{name} refused", client.post(path, {"loaded": "{}"}))
    return found


def _keep(found: dict[str, str], name: str, answer: HttpResponseBase) -> None:
    if answer.headers.get("Content-Type", "").startswith("text/html") and (text := body(answer)).strip():
        found[name] = text
