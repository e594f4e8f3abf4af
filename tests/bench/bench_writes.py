"""The outbox at a million settled writes: polls and pages cost what they cost with a few thousand.

There are two databases, the same but for the million, both with enough to fill what pages show. Each page is asked of both in
turn, so that a machine that others use drifts for both alike. CPU is this process's own, the least of many runs; SQLite's
steps do not depend on the machine at all.
"""

import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from tempfile import TemporaryDirectory

from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from review_portal.models import Reviewer
from tests.bench import bench_review
from tests.bench.figure import Figure, cpu
from tests.forgetting import forget

ROWS = 1_000_000
FEW = 3_400
"""Fifty of each operation of the account that looks: no page shows more."""
ACCOUNTS = 40
"""Of all writes the account that looks has a quarter; of the rest, each of these has its part."""
LOOKS = 4
OF_THE_ROOM = 500
"""One write of so many is of the room that is opened, half of those by the reviewer who opens it: a busy year.

None of these is shown any more: a room that shows more costs more, with or without a million others."""
OPERATIONS = (
    "public_review.create_comment", "public_review.update_comment", "public_review.create_comment",
    "public_review.update_comment", "custom_fields.update", "custom_fields.update", "ai_workflow.create",
    "assistants.update_chat_visibility", "comparisons.update", "comparisons.start", "comparisons.finish",
    "comparisons.create", "review_links.create", "funnels.add_videos", "lives.start", "playlists.delete",
    "organizations.create_sub_account",
)  # fmt: skip
MOST = 1.10
RUNS = 20
FILL = """
WITH RECURSIVE counter(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM counter WHERE n < %(rows)s - 1),
told AS (
  SELECT n, json_extract(%(operations)s, '$[' || ((n / 7) %% %(kinds)s) || ']') AS operation, n %% %(room_every)s = 0 AS here,
    json_extract(%(accounts)s, '$[' || (CASE WHEN n %% %(looks)s = 0 THEN 0 ELSE 1 + n %% %(others)s END) || ']') AS owner,
    datetime('now', '-' || (n %% 34560000) || ' seconds') AS at
  FROM counter
)
INSERT INTO writes_write
  (id, scope, key, operation, account_id, author, actor, subject, label, request, "after", state, attempt,
   created_at, sent_at, settled_at, reason, message, result, shown)
SELECT lower(hex(randomblob(16))),
  CASE WHEN here THEN %(link)s WHEN operation LIKE 'public%%' THEN printf('link-%%06d', n %% 20000) ELSE owner END,
  lower(hex(randomblob(16))), CASE WHEN here THEN 'public_review.create_comment' ELSE operation END,
  CASE WHEN here THEN json_extract(%(accounts)s, '$[0]') ELSE owner END,
  CASE WHEN here AND n %% (2 * %(room_every)s) = 0 THEN %(reviewer)s
    WHEN operation LIKE 'public%%' THEN printf('reviewer-%%06d', n %% 60000) ELSE '' END,
  'Person ' || (n %% 9), CASE WHEN here THEN %(link)s ELSE printf('subject-%%05d', n %% 50000) END, 'Said in ' || n,
  json_object('text', 'The fade from black feels half a second long. Can we come up faster?', 'time', n %% 900),
  json_object('status', 'resolved'), CASE WHEN n %% 40 = 0 THEN 'refused' WHEN n %% 41 = 0 THEN 'cancelled' ELSE 'done' END,
  1, at, at, at, '', '', json_object('comment_id', 'c-' || n), n %% 40 = 0 AND n %% 4000 < 40 AND NOT here
FROM told
"""


def figures() -> list[Figure]:
    """The ratios of each poll and page, and how long it takes with a million."""
    pages, few, found = dict(_pages()), connections["default"], []
    _fill(FEW)
    with _second_database() as full:
        with _used(full):
            _fill(ROWS)
        for name, page in pages.items():
            steps = [_steps(page, database) for database in (few, full)]
            found.append(
                Figure(f"{name}: SQLite's steps with {ROWS:,} writes over few", steps[1] / steps[0], MOST, "ratio")
            )
            least = _compare(page, few, full)
            found.append(Figure(f"{name}: CPU with {ROWS:,} writes over few", least[1] / least[0], MOST, "ratio"))
            found.append(Figure(f"{name}: CPU with {ROWS:,} writes", least[1], 1000, "ms"))
    return found


def _steps(page: Callable[[], object], database: BaseDatabaseWrapper) -> int:
    """How many instructions of SQLite the page's queries take, in tens: the same at every run, on any machine."""
    taken = 0

    def count() -> int:
        nonlocal taken
        taken += 1
        return 0

    with _used(database):
        page()
        database.connection.set_progress_handler(count, 10)
        page()
        database.connection.set_progress_handler(None, 10)
    return taken


def _compare(page: Callable[[], object], *databases: BaseDatabaseWrapper) -> list[float]:
    """Milliseconds of CPU of a page with each database."""
    least = [float("inf")] * len(databases)
    for _run in range(RUNS):
        for place, database in enumerate(databases):
            with _used(database):
                least[place] = min(least[place], cpu(page, 1))
    return least


def _pages() -> Iterator[tuple[str, Callable[[], object]]]:
    """What is asked for, by its name. Everything has been read before: no call of the platform is measured."""
    link = bench_review.fill()
    person, owner = Client(headers={"Accept-Encoding": "gzip"}), bench_review.owner(link)
    _introduce(person, link)
    room, desk = f"/{link}", f"/dashboard/review-links/{link}/"
    person.get(room)
    yield "unchanged poll of a room", partial(person.get, bench_review.unchanged_poll(person, room))
    yield "unchanged poll of a desk", partial(owner.get, bench_review.desk_poll(owner, desk))
    yield "review room", partial(person.get, room)
    yield "review link's desk", partial(owner.get, desk)
    for word in ("playlists", "subtitles", "activity", "lives", "assistants", "review-links", "ab-tests"):
        yield word, partial(owner.get, f"/dashboard/{word}/")
    yield "overview", partial(owner.get, "/dashboard/")


def _introduce(person: Client, link: uuid.UUID) -> None:
    """A reviewer who has posted, so that their own writes are looked for at every visit."""
    film = platform.ReviewLink.objects.get(pk=link).video
    top = platform.ReviewComment.objects.filter(video=film, reply_to=None).first()
    assert top is not None
    platform.ReviewComment.objects.filter(reply_to=top).order_by("pk")[0].delete()
    person.get(f"/{link}")
    form = {"key": str(uuid.uuid4()), "user_name": "Ana", "text": "Louder here.", "reply_to": str(top.pk)}
    answer = person.post(f"/{link}/comments", form)
    assert answer.status_code == 302, answer.content


@contextmanager
def _second_database() -> Iterator[BaseDatabaseWrapper]:
    """A connection to a copy of the database as it is now."""
    with TemporaryDirectory() as folder:
        file = f"{folder}/full.sqlite3"
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")
            cursor.execute("VACUUM INTO %s", [file])
        copy = connections.create_connection("default")
        copy.settings_dict = {**copy.settings_dict, "NAME": file}
        yield copy
        copy.close()


@contextmanager
def _used(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Pages of this thread are made from `database`."""
    usual = connections["default"]
    connections["default"] = database
    forget()
    yield
    connections["default"] = usual


def _fill(rows: int) -> None:
    """Settled writes of all operations and forty accounts, over 400 days."""
    reviewer = Reviewer.objects.get(name="Ana", account=None)
    mine = Account.objects.get(name="Bench")
    others = Account.objects.bulk_create(
        Account(name=f"Account {n}", sealed_token="", fingerprint=f"{rows}-{n}") for n in range(ACCOUNTS)
    )
    given: dict[str, str | int] = {
        "rows": rows, "kinds": len(OPERATIONS), "room_every": OF_THE_ROOM, "looks": LOOKS, "others": ACCOUNTS,
        "operations": _json(OPERATIONS), "accounts": _json([mine.pk, *(one.pk for one in others)]),
        "link": str(reviewer.link_id), "reviewer": str(reviewer.pk),
    }  # fmt: skip
    with connection.cursor() as cursor:
        (usual,) = cursor.execute("PRAGMA cache_size").fetchone()
        cursor.execute(
            "PRAGMA cache_size=-900000"
        )  # for a million rows with eight indexes; pages get what they have in use
        cursor.execute(FILL, given)
        cursor.execute("ANALYZE")
        cursor.execute(f"PRAGMA cache_size={usual}")


def _json(values: Iterable[object]) -> str:
    """A list as SQLite reads it; identifiers as they are stored."""
    return json.dumps([value.hex if isinstance(value, uuid.UUID) else value for value in values])
