"""What a step of a fixture left in both databases and in the cache when a test first took it: the next test gets it as rows.

Signing in, reading a library or posting a comment takes a dozen pages and calls; their rows are there again in a millisecond.
"""

import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from django.core.cache import cache
from django.db import connections
from django.test import Client

FRESH_SECONDS = 60.0
"""What was read is asked again when it is old: an older step is taken anew."""
Rows = dict[int, tuple[Any, ...]]
"""The rows of a table by SQLite's number."""
Place = tuple[str, str]
"""A database and one of its tables."""


@dataclass
class Step:
    """What a step changed. `found` is what it began from: the number of rows, and the highest, of each table it changed."""

    found: dict[Place, tuple[int, int]]
    written: dict[Place, Rows]
    deleted: dict[Place, set[int]]
    cached: tuple[dict[str, Any], dict[str, Any]]
    cookies: dict[str, str]
    taken_at: float = field(default_factory=time.monotonic)


class KeptRows:
    """The steps that tests of this process have taken, by what the step is."""

    def __init__(self) -> None:
        self.steps: dict[Any, Step] = {}

    def take(self, step: Callable[[], object], client: Client | None, *about: object) -> None:
        """Take a step, or put down what it left when it was taken from the same state. `client` gets its cookies.

        `about`: what the step depends on beside its own lines. A test that really commits, or runs on PostgreSQL, takes each.
        """
        if not all(connections[alias].vendor == "sqlite" and connections[alias].in_atomic_block for alias in connections):
            step()
            return
        key = (getattr(step, "__code__", step), *about)
        kept = self.steps.get(key)
        if kept and time.monotonic() - kept.taken_at < FRESH_SECONDS and all(
            measure_table(place) == found for place, found in kept.found.items()
        ):
            put_down(kept, client)
            return
        before = read_rows()
        step()
        self.steps[key] = compare(before, read_rows(), client)


def execute(alias: str, sql: str, *rows: tuple[Any, ...]) -> Any:
    """Run a statement past Django, which would convert every value; with several rows, once for each."""
    raw = connections[alias].connection
    return raw.executemany(sql, rows) if rows else raw.execute(sql)


def measure_table(place: Place) -> tuple[int, int]:
    """How many rows a table has, and the highest number of one."""
    alias, table = place
    return tuple(execute(alias, f'SELECT count(*), coalesce(max(rowid), 0) FROM "{table}"').fetchone())  # noqa: S608


def read_rows() -> dict[Place, Rows]:
    """Every row of every table."""
    found = {}
    for alias in connections:
        named = execute(alias, "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        for (table,) in named.fetchall():
            rows = execute(alias, f'SELECT rowid, * FROM "{table}"').fetchall()  # noqa: S608
            found[alias, table] = {row[0]: tuple(row) for row in rows}
    return found


def compare(before: dict[Place, Rows], after: dict[Place, Rows], client: Client | None) -> Step:
    """What there is now that was not there before."""
    changed = [place for place in after if after[place] != before[place]]
    return Step(
        {place: (len(before[place]), max(before[place], default=0)) for place in changed},
        {place: {n: row for n, row in after[place].items() if before[place].get(n) != row} for place in changed},
        {place: before[place].keys() - after[place].keys() for place in changed},
        (dict(cache._cache), dict(cache._expire_info)),
        {name: cookie.value for name, cookie in client.cookies.items()} if client else {},
    )


def put_down(step: Step, client: Client | None) -> None:
    """Bring both databases, the cache and the client where the step left them."""
    for (alias, table), rows in step.written.items():
        if gone := [(number,) for number in step.deleted[alias, table] | rows.keys()]:
            execute(alias, f'DELETE FROM "{table}" WHERE rowid = ?', *gone)  # noqa: S608
        if rows:
            columns = [f'"{name}"' for (name,) in execute(alias, f'SELECT name FROM pragma_table_info("{table}")')]
            places = ", ".join("?" * (len(columns) + 1))
            execute(alias, f'INSERT INTO "{table}" (rowid, {", ".join(columns)}) VALUES ({places})', *rows.values())  # noqa: S608
    entries, ends = step.cached
    cache._cache.update(entries)
    cache._expire_info.update(ends)
    if client:
        client.cookies.load(step.cookies)
