"""The activity log at a million rows: a page costs as much as at a thousand."""

import uuid
from functools import partial

from django.db import connection
from django.test import Client
from django.utils.module_loading import import_string

from dashboard.activity import log
from tests.bench.figure import Figure, wall

SMALL, LARGE = 1_000, 1_000_000
FILL = """
WITH RECURSIVE counter(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM counter WHERE n < %s)
INSERT INTO activity_entry
  (id, at, account_id, actor, operation, target, label, outcome, message, milliseconds)
SELECT lower(hex(randomblob(16))), datetime('2026-11-20', '-' || (n * 20) || ' seconds'), %s,
  'Person ' || (n %% 7), CASE n %% 3 WHEN 0 THEN 'lives.start' WHEN 1 THEN 'custom_fields.update' ELSE 'playlists.delete' END,
  'target-' || (n %% 5000), 'Name ' || (n %% 5000), 'done', '', 12
FROM counter
"""
VIEWS = {
    "newest page": "",
    "filtered by operation": "?operation=lives.start",
    "filtered by person": "?person=Person+3",
    "filtered by object": "?thing=target-42",
    "filtered by name": "?thing=Name+42",
    "filtered by how many names begin": "?thing=Name+4",
    "filtered by how every name begins": "?thing=Name",
    "filtered by a name nobody has": "?thing=zzz",
    "filtered by day": "?day=2026-11-10",
}


def figures() -> list[Figure]:
    """Milliseconds of each view at a million rows, and its ratio to a thousand."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    client = Client()
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    account = uuid.UUID(client.session["account"])
    small = _measure(client, account, SMALL)
    large = _measure(client, account, LARGE)
    deep = _deep(client, account)
    found = [Figure(f"{name}, {LARGE:,} rows", large[name], 50, "ms") for name in VIEWS]
    found.append(Figure(f"page deep in the log, {LARGE:,} rows", deep, 50, "ms"))
    slowest = max(large[name] / small[name] for name in VIEWS)
    return [*found, Figure("slowest view, a thousand times the rows", slowest, 10, "ratio")]


def _measure(client: Client, account: uuid.UUID, rows: int) -> dict[str, float]:
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM activity_entry")
        cursor.execute(FILL, [rows, account.hex])
        cursor.execute("ANALYZE")
    return {name: wall(partial(client.get, f"/dashboard/activity/{query}")) for name, query in VIEWS.items()}


def _deep(client: Client, account: uuid.UUID) -> float:
    """A page half a million rows below the newest."""
    entry = log.list_entries(account, log.LogFilter())[LARGE // 2]
    return wall(lambda: client.get(f"/dashboard/activity/?after={entry.pk}"))
