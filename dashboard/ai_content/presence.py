"""Which windows have a document open, and what they changed. Stored in the cache for a minute: a hint, not a lock."""

import time
from dataclasses import dataclass
from typing import Final
from uuid import UUID

from django.core.cache import cache

from dashboard.activity.recorder import actor_of
from dashboard.shared.http import OwnerRequest

NOTED: Final = 30
STAYS: Final = 75.0
"""Seconds after its last poll in which a window counts as open; the slowest poll is half of it."""


def _get_windows_key(document: UUID) -> str:
    return f"ai-content:windows:{document}"


def get_tab(request: OwnerRequest) -> str:
    """Return the name of the requesting window; "" without JavaScript."""
    return (request.headers.get("X-Tab", "") or request.POST.get("tab", ""))[:40]


def note_window(request: OwnerRequest, document: UUID, tab: str) -> None:
    """Note that a window shows the document. Two at the same instant may miss each other until the next poll."""
    if not tab:
        return
    now = time.time()
    known: dict[str, tuple[str, float]] = cache.get(_get_windows_key(document)) or {}
    alive = {name: entry for name, entry in known.items() if now - entry[1] < STAYS}
    alive[tab[:40]] = (actor_of(request, request.account), now)
    cache.set(_get_windows_key(document), alive, STAYS * 2)


def list_others(document: UUID, tab: str) -> list[str]:
    """List who has it open in other windows, one entry per window; none for a window without a name."""
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
    """Store a change for the windows that poll."""
    known: list[WindowChange] = cache.get(_get_changes_key(document)) or []
    cache.set(_get_changes_key(document), [*known, happened][-NOTED:], STAYS * 20)


def get_foreign_change(document: UUID, tab: str, since: int) -> WindowChange | None:
    """Return the last change after revision `since` that was made in another window, or None."""
    known: list[WindowChange] = cache.get(_get_changes_key(document)) or []
    foreign = [each for each in known if each.revision > since and (each.tab != tab or not tab)]
    return foreign[-1] if foreign else None


def _get_changes_key(document: UUID) -> str:
    return f"ai-content:window-changes:{document}"
