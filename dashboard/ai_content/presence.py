"""Who has this language open, so that two windows know of each other. Kept in the cache for a minute: a hint, no lock."""

import time
from dataclasses import dataclass
from typing import Final

from django.core.cache import cache

from dashboard.activity.recorder import actor_of
from dashboard.ai_content.models import Document
from dashboard.shared.http import OwnerRequest

NOTED: Final = 30
STAYS: Final = 75.0
"""Seconds after its last sign of life in which a window counts as open; the slowest poll is half of it."""


def _key(document: Document) -> str:
    return f"ai-content:windows:{document.pk}"


def tab_of(request: OwnerRequest) -> str:
    """The name of the window that asks; "" without script."""
    return (request.headers.get("X-Tab", "") or request.POST.get("tab", ""))[:40]


def seen(request: OwnerRequest, document: Document, tab: str) -> None:
    """This window shows the language now. Two at the same instant may miss each other until the next poll."""
    if not tab:
        return
    now = time.time()
    known: dict[str, tuple[str, float]] = cache.get(_key(document)) or {}
    alive = {name: entry for name, entry in known.items() if now - entry[1] < STAYS}
    alive[tab[:40]] = (actor_of(request, request.account), now)
    cache.set(_key(document), alive, STAYS * 2)


def others(document: Document, tab: str) -> list[str]:
    """Who has it open in other windows; one entry per window. Nothing for a window that has no name."""
    if not tab:
        return []
    now = time.time()
    known: dict[str, tuple[str, float]] = cache.get(_key(document)) or {}
    return [actor for name, (actor, at) in sorted(known.items()) if name != tab and now - at < STAYS]


@dataclass(frozen=True)
class Happened:
    """A change: its revision, the window it came from ("" for one without a name), who, where, and when (epoch seconds)."""

    revision: int
    tab: str
    actor: str
    place: str
    at: float


def note(document: Document, happened: Happened) -> None:
    """Remember a change for the windows that poll."""
    known: list[Happened] = cache.get(_changes_key(document)) or []
    cache.set(_changes_key(document), [*known, happened][-NOTED:], STAYS * 20)


def elsewhere(document: Document, tab: str, since: int) -> Happened | None:
    """The last change after revision `since` that this window did not make itself."""
    known: list[Happened] = cache.get(_changes_key(document)) or []
    foreign = [each for each in known if each.revision > since and (each.tab != tab or not tab)]
    return foreign[-1] if foreign else None


def _changes_key(document: Document) -> str:
    return f"ai-content:changes:{document.pk}"
