"""Work beside a page, which shows what it brought when it has ended."""

from collections.abc import Callable
from functools import partial
from logging import getLogger
from typing import Final
from uuid import UUID, uuid4

from django.core.cache import cache

from dashboard.platform_api.errors import CallError
from dashboard.upstream import parallel, used

log = getLogger(__name__)

KEPT_SECONDS: Final = 120
"""How long the end of a piece of work is known to the page that follows it."""


def begin(account_id: UUID, work: Callable[[], bool], patience: float = 0.0) -> None:
    """Begin `work`, which says whether it changed anything, and wait for it no longer than `patience` seconds.

    What is not waited for begins when the page of this request has gone. The page follows what has not ended by then. A
    `PlatformError` ends the work: what it was to bring is tried again when somebody asks for it the next time.
    """
    name = uuid4().hex
    run = partial(_run, _key(account_id, name), work)
    if patience:
        parallel.start(run, patience)
    else:
        parallel.start_afterwards(run)
    page = used.current()
    if page is not None and cache.get(_key(account_id, name)) is None:
        page.works.append(name)


def ends(account_id: UUID, names: list[str]) -> list[bool]:
    """Of the pieces of work of these names, those that have ended: whether each of them changed anything."""
    values = cache.get_many([_key(account_id, name) for name in names])
    return list(values.values())


def _run(key: str, work: Callable[[], bool]) -> None:
    is_changed = False
    try:
        is_changed = work()
    except CallError as error:
        log.info("work beside a page ended early: %s", error)
    finally:
        cache.set(key, is_changed, KEPT_SECONDS)


def _key(account_id: UUID, name: str) -> str:
    return f"work:{account_id}:{name[:32]}"
