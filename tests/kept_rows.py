"""What a step of a fixture left in both databases and in the cache when a test first took it: the next test gets it as rows.

Signing in, reading a library or posting a comment takes a dozen pages and calls; their rows are there again in a millisecond, as
if the step had been taken just now: what was written at that moment, and what ends so many seconds later, moves with the clock.
"""

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from functools import cache
from typing import Any, Final

from django.core.cache import cache as of_process
from django.db import connections
from django.test import Client

FRESH_SECONDS: Final = 120.0
"""An older step is taken anew: what runs in the seed ends by the clock."""
CACHE: Final[Any] = of_process
"""In memory; what it holds and when that ends is its own affair."""
Rows = dict[int, tuple[Any, ...]]
"""The rows of a table by SQLite's number."""
Place = tuple[str, str]
"""A database and one of its tables."""


def now() -> datetime:
    """The moment in UTC, as SQLite has it."""
    return datetime.now(UTC).replace(tzinfo=None)


@dataclass
class Step:
    """What a step changed. `found` are the rows that it changed or deleted, as it found them."""

    found: dict[Place, Rows]
    written: dict[Place, Rows]
    deleted: dict[Place, set[int]]
    cached: dict[str, Any]
    cache_ends: dict[str, float | None]
    cookies: dict[str, str]
    began: datetime
    ended: datetime = field(default_factory=now)

    @property
    def age(self) -> timedelta:
        """How long ago it was taken."""
        return now() - self.ended


class KeptRows:
    """The steps that tests of this process have taken, by what the step is."""

    def __init__(self) -> None:
        self.steps: defaultdict[Any, list[Step]] = defaultdict(list)

    def take(self, step: Callable[[], object], client: Client | None = None, *about: object) -> None:
        """Take a step, or put down what it left when it was taken from the same state. `client` gets its cookies.

        `about`: what the step depends on beside its own lines. A test that really commits, or runs on PostgreSQL, takes each.
        """
        if not all(
            connections[alias].vendor == "sqlite" and connections[alias].in_atomic_block for alias in connections
        ):
            step()
            return
        key = (getattr(step, "__func__", step).__code__, *about, *(measure(alias) for alias in connections))
        for kept in self.steps[key]:
            if kept.age.total_seconds() < FRESH_SECONDS and is_as_found(kept):
                put_down(kept, client)
                return
        before, began = read_rows(), now()
        step()
        self.steps[key].insert(0, compare(before, read_rows(), client, began))


def execute(alias: str, sql: str, *rows: tuple[Any, ...]) -> Any:
    """Run a statement past Django, which would convert every value; with several rows, once for each."""
    raw = connections[alias].connection
    return raw.executemany(sql, rows) if rows else raw.execute(sql)


def measure(alias: str) -> tuple[Any, ...]:
    """How many rows each table of a database has, and the number and the key of the newest."""
    return tuple(execute(alias, measuring(alias)).fetchall())


@cache
def measuring(alias: str) -> str:
    """One query for all tables."""
    keyed = {}
    for table in list_tables(alias):
        columns = execute(alias, f'PRAGMA table_info("{table}")').fetchall()
        keyed[table] = next((name for _at, name, *_about, place in columns if place == 1), "rowid")
    parts = [f'SELECT count(*), max(rowid), "{key}" FROM "{table}"' for table, key in keyed.items()]  # noqa: S608
    return " UNION ALL ".join(parts)


def list_tables(alias: str) -> list[str]:
    """The tables of a database."""
    sql = "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
    return [name for (name,) in execute(alias, sql)]


def is_as_found(step: Step) -> bool:
    """Whether every row that the step changes says what it said then, but for moments."""
    return all(
        without_moments(execute(alias, f'SELECT rowid, * FROM "{table}" WHERE rowid = {number}').fetchone())  # noqa: S608
        == without_moments(row)
        for (alias, table), rows in step.found.items()
        for number, row in rows.items()
    )


def without_moments(row: tuple[Any, ...]) -> list[Any]:
    """A row, of which moments say only that they are there."""
    return [isinstance(value, datetime) or value for value in row]


def read_rows() -> dict[Place, Rows]:
    """Every row of every table."""
    found = {}
    for alias in connections:
        for table in list_tables(alias):
            rows = execute(alias, f'SELECT rowid, * FROM "{table}"').fetchall()  # noqa: S608
            found[alias, table] = {row[0]: tuple(row) for row in rows}
    return found


def compare(before: dict[Place, Rows], after: dict[Place, Rows], client: Client | None, began: datetime) -> Step:
    """What there is now that was not there before."""
    changed = [place for place in after if after[place] != before[place]]
    return Step(
        {place: {n: row for n, row in before[place].items() if after[place].get(n) != row} for place in changed},
        {place: {n: row for n, row in after[place].items() if before[place].get(n) != row} for place in changed},
        {place: before[place].keys() - after[place].keys() for place in changed},
        dict(CACHE._cache),
        dict(CACHE._expire_info),
        {name: cookie.value for name, cookie in client.cookies.items()} if client else {},
        began,
    )


def put_down(step: Step, client: Client | None) -> None:
    """Bring both databases, the cache and the client where the step left them."""
    age = step.age
    for (alias, table), rows in step.written.items():
        if gone := [(number,) for number in step.deleted[alias, table] | rows.keys()]:
            execute(alias, f'DELETE FROM "{table}" WHERE rowid = ?', *gone)  # noqa: S608
        if rows:
            columns = [f'"{name}"' for _at, name, *_about in execute(alias, f'PRAGMA table_info("{table}")')]
            places = ", ".join("?" * (len(columns) + 1))
            insert = f'INSERT INTO "{table}" (rowid, {", ".join(columns)}) VALUES ({places})'  # noqa: S608
            execute(alias, insert, *(move_on(row, step, age) for row in rows.values()))
    CACHE._cache.update(step.cached)
    CACHE._expire_info.update({key: end and end + age.total_seconds() for key, end in step.cache_ends.items()})
    if client:
        client.cookies.load(step.cookies)


def move_on(row: tuple[Any, ...], step: Step, age: timedelta) -> tuple[Any, ...]:
    """A row of a step as it is written, with the moments of the step as late as if it had been taken just now."""
    moved = (
        value + age if isinstance(value, datetime) and step.began <= value <= step.ended else value for value in row
    )
    return tuple(str(value) if isinstance(value, date) else value for value in moved)
