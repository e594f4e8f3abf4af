"""Who has this language open, so that two windows know of each other. Kept in the cache for a minute: a hint, no lock."""

import time
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.core.cache import cache

from dashboard.activity.recorder import actor_of
from dashboard.shared.http import OwnerRequest

NOTED: Final = 30
STAYS: Final = 75.0
"""Seconds after its last sign of life in which a window counts as open; the slowest poll is half of it."""


def _get_windows_key(document: UUID) -> str:
    return f"ai-content:windows:{document}"


def get_tab(request: OwnerRequest) -> str:
    """The name of the window that asks; "" without script."""
    return (request.headers.get("X-Tab", "") or request.POST.get("tab", ""))[:40]


def note_window(request: OwnerRequest, document: UUID, tab: str) -> None:
    """This window shows the language now. Two at the same instant may miss each other until the next poll."""
    if not tab:
        return
    now = time.time()
    known: dict[str, tuple[str, float]] = cache.get(_get_windows_key(document)) or {}
    alive = {name: entry for name, entry in known.items() if now - entry[1] < STAYS}
    alive[tab[:40]] = (actor_of(request, request.account), now)
    cache.set(_get_windows_key(document), alive, STAYS * 2)


def list_others(document: UUID, tab: str) -> list[str]:
    """Who has it open in other windows; one entry per window. Nothing for a window that has no name."""
    if not tab:
        return []
    now = time.time()
    known: dict[str, tuple[str, float]] = cache.get(_get_windows_key(document)) or {}
    return [actor for name, (actor, at) in sorted(known.items()) if name != tab and now - at < STAYS]


@dataclass(frozen=True)
class WindowChange:
    """A change: its revision, the window it came from ("" for one without a name), who, where, and when (epoch seconds)."""

    revision: int
    tab: str
    actor: str
    place: str
    at: float


def note_change(document: UUID, happened: WindowChange) -> None:
    """Remember a change for the windows that poll."""
    known: list[WindowChange] = cache.get(_get_changes_key(document)) or []
    cache.set(_get_changes_key(document), [*known, happened][-NOTED:], STAYS * 20)


def get_foreign_change(document: UUID, tab: str, since: int) -> WindowChange | None:
    """The last change after revision `since` that this window did not make itself."""
    known: list[WindowChange] = cache.get(_get_changes_key(document)) or []
    foreign = [each for each in known if each.revision > since and (each.tab != tab or not tab)]
    return foreign[-1] if foreign else None


def _get_changes_key(document: UUID) -> str:
    return f"ai-content:window-changes:{document}"
