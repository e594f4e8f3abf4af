"""The outbox at a million settled writes: polls and pages cost what they cost with none.

Both are measured in one run: without any, with a million, and without any again. A ratio is to the slower of the two runs
without, because a machine that others use drifts. CPU is this process's own, the least of many runs.
"""

import json
import uuid
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

from django.core.cache import cache
from django.db import connection
from django.db.backends.utils import CursorWrapper
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.sandbox import models as platform
from dashboard.writes.models import Write
from review_portal.models import Reviewer
from tests.bench import bench_review
from tests.bench.figure import Figure, cpu

ROWS = 1_000_000
ACCOUNTS = 40
"""Of all writes the account that looks has a quarter; of the rest, each of these has its part."""
LOOKS = 4
OF_THE_ROOM = 500
"""One write of so many is of the room that is opened, half of those by the reviewer who opens it: a busy year."""
OPERATIONS = (
    "public_review.create_comment", "public_review.update_comment", "public_review.create_comment",
    "public_review.update_comment", "custom_fields.update", "custom_fields.update", "ai_workflow.create",
    "assistants.update_chat_visibility", "comparisons.update", "comparisons.start", "comparisons.finish",
    "comparisons.create", "review_links.create", "funnels.add_videos", "lives.start", "playlists.delete",
    "organizations.create_sub_account",
)  # fmt: skip
MOST = 1.10
RUNS = 40
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
  1, at, at, at, '', '', json_object('comment_id', 'c-' || n), n %% 40 = 0 AND n %% 4000 < 40
FROM told
"""


def figures() -> list[Figure]:
    """The ratio of each poll and page, and how many queries of the outbox each of them makes."""
    pages = dict(_pages())
    before = _measure(pages)
    with _settled():
        full = _measure(pages)
    after = _measure(pages)
    found = []
    for name in pages:
        ratio = full[name] / max(before[name], after[name])
        found.append(Figure(f"{name}: CPU with {ROWS:,} writes over none", ratio, MOST, "ratio"))
    return found + [Figure(f"{name}: CPU with {ROWS:,} writes", full[name], 1000, "ms") for name in pages]


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


def _measure(pages: dict[str, Callable[[], object]]) -> dict[str, float]:
    cache.clear()
    return {name: cpu(page, RUNS) for name, page in pages.items()}


@contextmanager
def _settled() -> Iterator[None]:
    """A million settled writes of all operations and forty accounts, over 400 days."""
    reviewer = Reviewer.objects.get(name="Ana", account=None)
    mine = Account.objects.get(name="Bench")
    others = Account.objects.bulk_create(
        Account(name=f"Account {n}", sealed_token="", fingerprint=f"f{n}") for n in range(ACCOUNTS)
    )
    before = list(Write.objects.values_list("pk", flat=True))
    given: dict[str, str | int] = {
        "rows": ROWS, "kinds": len(OPERATIONS), "room_every": OF_THE_ROOM, "looks": LOOKS, "others": ACCOUNTS,
        "operations": _json(OPERATIONS), "accounts": _json([mine.pk, *(one.pk for one in others)]),
        "link": str(reviewer.link_id), "reviewer": str(reviewer.pk),
    }  # fmt: skip
    with _much_memory() as cursor:
        cursor.execute(FILL, given)
        cursor.execute("ANALYZE")
    yield
    with _much_memory() as cursor:
        cursor.execute("DELETE FROM writes_write WHERE id NOT IN (SELECT value FROM json_each(%s))", [_json(before)])
        cursor.execute("ANALYZE")
    Account.objects.filter(pk__in=[one.pk for one in others]).delete()


@contextmanager
def _much_memory() -> Iterator[CursorWrapper]:
    """For a million rows with eight indexes; pages are measured with as little as they have in production."""
    with connection.cursor() as cursor:
        (usual,) = cursor.execute("PRAGMA cache_size").fetchone()
        cursor.execute("PRAGMA cache_size=-900000")
        yield cursor
        cursor.execute(f"PRAGMA cache_size={usual}")


def _json(values: Iterable[object]) -> str:
    """A list as SQLite reads it; identifiers as they are stored."""
    return json.dumps([value.hex if isinstance(value, uuid.UUID) else value for value in values])
