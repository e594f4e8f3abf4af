"""python -m tests.bench.store_size [--records N] [--json]: pages over a store of 5,000 known answers, and of 5,000,000.

On a PostgreSQL of its own, filled by SQL: a thousand accounts with five thousand answers each, in the shares that a library
of 1,200 videos brings. The account whose pages are opened is one of them. It takes some minutes and 5 GB of disk, so it
is no topic of the bench; `--records` fills less.

A page costs this process's CPU and the time that it waits for PostgreSQL. It is opened over one store and over the other by
turns; what is told is the median of many such pairs, because other work on the machine meets both. Everything that the page
shows is known and new, so the platform is not asked.
"""

import argparse
import json
import os
import platform
import sys
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from statistics import median
from typing import Any, Final

from tests.bench.figure import Figure
from tests.bench.pages import pages_of
from tests.installation import servers

EACH: Final = 5_000
"""Answers of one account."""
ACCOUNTS: Final = 1_000
RUNS: Final = 25
NEVER: Final = float("inf")
COPY: Final = """
CREATE SCHEMA few;
CREATE TABLE few.upstream_knownanswer (LIKE public.upstream_knownanswer INCLUDING ALL);
INSERT INTO few.upstream_knownanswer SELECT * FROM public.upstream_knownanswer;
ANALYZE few.upstream_knownanswer
"""
"""The answers of one account beside everybody's: a page is drawn from one and the other by turns, so that a busy moment of the
machine meets both."""
ANSWERS_PER_VIDEO: Final = 4
"""What pages ask of one video: itself, its subtitles, its jobs and its review links (`upstream.store.MOST`)."""
FILL: Final = """
INSERT INTO upstream_knownanswer (account_id, operation, about, digest, body, size, read_at, changed_at)
SELECT account, operation, CASE WHEN operation LIKE '%%.list' THEN '' ELSE gen_random_uuid()::text END,
       md5(account::text || n), substr(bytes, (n * 37) %% 50000, size), size,
       now() - n * interval '5 minutes', now() - n * interval '7 minutes'
FROM unnest(%s::uuid[]) AS account, generate_series(1, %s) AS n,
     (SELECT decode(string_agg(md5(part::text), ''), 'hex') AS bytes FROM generate_series(1, 4000) AS part) AS random,
     LATERAL (SELECT CASE WHEN n %% 100 = 0 THEN 'videos.list' WHEN n %% 100 = 1 THEN 'folders.list'
                          WHEN n %% 100 = 2 THEN 'analytics.general' WHEN n %% 4 = 0 THEN 'videos.get'
                          WHEN n %% 4 = 1 THEN 'videos.subtitles' WHEN n %% 4 = 2 THEN 'ai_workflow.jobs'
                          ELSE 'review_links.list' END AS operation,
                     CASE n %% 100 WHEN 0 THEN 6400 WHEN 1 THEN 1600 WHEN 2 THEN 960 ELSE 160 + n %% 380 END AS size) AS kinds
"""
"""Bodies as deflated JSON is, which does not compress: 6.4 kB of a page of videos, 160 to 540 B of most."""
INDEXES: Final = """
SELECT indexname, indexdef FROM pg_indexes
WHERE schemaname = 'public' AND tablename = 'upstream_knownanswer' AND indexname NOT LIKE '%pkey'
"""


def main() -> int:
    """Measure, print, and say by the exit status whether every bound is kept."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench.store_size")
    parser.add_argument("--records", type=int, default=EACH * ACCOUNTS)
    parser.add_argument("--json", action="store_true", help="print JSON instead of a table")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="reelroom-store-") as name, servers.running(Path(name) / "it") as variables:
        os.environ["TEST_DATABASE_URL"] = variables["DATABASE_URL"]
        os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
        os.environ.setdefault("LOG_LEVEL", "error")
        import django

        django.setup()
        from tests.bench.__main__ import databases, rows_of, table

        with databases():
            rows = rows_of("store_size", figures(options.records))
    if options.json:
        print(json.dumps({"python": platform.python_version(), "cores": os.cpu_count(), "figures": rows}, indent=1))  # noqa: T201
    else:
        print(table(rows))  # noqa: T201
    return 0 if all(row["holds"] for row in rows) else 1


def figures(records: int) -> list[Figure]:
    """What pages cost with one account's answers, and with everybody's."""
    visits = _visits()
    _run(COPY)
    begun = time.perf_counter()
    _fill_others(records // EACH - 1)
    sys.stderr.write(f"filled in {time.perf_counter() - begun:.0f} s\n")
    costs = {name: _costs(visit) for name, visit in visits.items()}
    few, many = (sum(median(cost[of] for cost in turns) for turns in costs.values()) for of in (0, 1))
    found = [Figure(f"all pages: over {records:,} answers, of {EACH:,}", many / few, 1.3, "times")]
    for name, turns in costs.items():
        found.append(Figure(f"{name}: the same", median(among / alone for alone, among in turns), 1.3, "times"))
    scans = sum("Seq Scan" in plan for visit in visits.values() for plan in _plans(visit))
    count = _value("SELECT count(*) FROM upstream_knownanswer")
    size = _value("SELECT pg_total_relation_size('upstream_knownanswer')") / count
    return [
        *found,
        Figure("statements of pages that read all answers", scans, 0, ""),
        *_work(),
        Figure("a stored answer, with its indexes", size, NEVER, "B"),
        Figure("a stored video, with its indexes", size * ANSWERS_PER_VIDEO, NEVER, "B"),
    ]


def _work() -> list[Figure]:
    """What the store is asked beside pages: to keep an answer, to call answers old, and to drop them."""
    from django.utils import timezone

    from dashboard.accounts.models import Account
    from dashboard.platform_api.answers import Answer
    from dashboard.platform_api.platform import Question
    from dashboard.upstream import store

    account = Account.objects.exclude(name__startswith="Studio ").get().pk
    answers = (Answer(200, {}, b'{"n": %d}' % number) for number in range(1_000))
    question = Question("videos.get", "a video", "f" * 32)
    work: dict[str, Callable[[], object]] = {
        "an answer is kept": lambda: store.keep(account, question, next(answers), timezone.now()),
        "the answers about a video become old": lambda: store.mark_changed(account, "playlists.delete", "a video"),
        "what nobody asks for is dropped": store.prune,
    }
    return [Figure(f"{name}, with everybody's answers", _cost(act), NEVER, "ms") for name, act in work.items()]


def _visits() -> dict[str, Callable[[], object]]:
    """Pages of the demo's owner, everything on them known, new for another day, and beside 5,000 answers."""
    from django.test import Client
    from django.utils.module_loading import import_string

    from dashboard.accounts.models import Account

    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    client = Client()
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    paths = pages_of(roles)
    for path in (*paths.values(), *paths.values()):
        client.get(path)
    _run("UPDATE upstream_knownanswer SET read_at = now() + interval '1 day', outdated_at = NULL")
    _run(FILL, [[Account.objects.get().pk], EACH - _value("SELECT count(*) FROM upstream_knownanswer")])
    _run("VACUUM ANALYZE upstream_knownanswer")
    return {name: partial(client.get, path) for name, path in paths.items()}


def _fill_others(count: int) -> None:
    """As many answers for each of `count` other accounts, some of them at a time."""
    from dashboard.accounts.models import Account

    accounts = Account.objects.bulk_create(
        Account(name=f"Studio {number}", sealed_token="-", fingerprint=f"{number:064}") for number in range(count)
    )
    indexes = _rows(INDEXES)
    _run("SET session_replication_role = replica; ALTER TABLE upstream_knownanswer SET UNLOGGED")
    _run("ALTER TABLE upstream_knownanswer DROP CONSTRAINT one_answer_per_question")
    _run(f"DROP INDEX IF EXISTS {', '.join(name for name, _definition in indexes)}")
    for first in range(0, count, 50):
        _run(FILL, [[account.pk for account in accounts[first : first + 50]], EACH])
    for _name, definition in indexes:
        _run(definition)
    _run("SET session_replication_role = origin")
    _run("VACUUM ANALYZE upstream_knownanswer")


def _costs(visit: Callable[[], object]) -> list[tuple[float, float]]:
    """Seconds of visits over this account's answers alone, and of one over everybody's right after each."""
    turns = []
    for _turn in range(RUNS):
        _run("SET search_path TO few, public")
        alone = _once(visit)
        _run("SET search_path TO public")
        turns.append((alone, _once(visit)))
    return turns


def _cost(visit: Callable[[], object]) -> float:
    """Milliseconds of CPU and of waiting for the database: the least of some runs."""
    return min(_once(visit) for _turn in range(7)) * 1000


def _once(visit: Callable[[], object]) -> float:
    waited = 0.0

    def note(execute: Callable[..., Any], *statement: Any) -> Any:
        nonlocal waited
        clock, used = time.perf_counter(), time.process_time()
        try:
            return execute(*statement)
        finally:
            waited += (time.perf_counter() - clock) - (time.process_time() - used)

    from django.db import connection

    begun = time.process_time()
    with connection.execute_wrapper(note):
        visit()
    return time.process_time() - begun + waited


def _plans(visit: Callable[[], object]) -> list[str]:
    """How PostgreSQL runs each statement of a visit that reads known answers."""
    from django.db import connection

    asked: list[tuple[str, Any]] = []

    def note(execute: Callable[..., Any], sql: str, parameters: Any, *rest: Any) -> Any:
        if sql.startswith("SELECT") and "upstream_knownanswer" in sql:
            asked.append((sql, parameters))
        return execute(sql, parameters, *rest)

    with connection.execute_wrapper(note):
        visit()
    plans = []
    with connection.cursor() as cursor:
        for sql, parameters in asked:
            cursor.execute(f"EXPLAIN {sql}", parameters)
            plans.append("\n".join(row[0] for row in cursor.fetchall()))
    return plans


def _run(sql: str, parameters: Any = None) -> None:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql, parameters)


def _rows(sql: str) -> list[Any]:
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute(sql)
        return list(cursor.fetchall())


def _value(sql: str) -> Any:
    return _rows(sql)[0][0]


if __name__ == "__main__":
    sys.exit(main())
