"""What the review room costs: one link with 930 comments (30 threads of 30 replies), opened, polled, written to.

Every comment is another sentence (`sentences.py`).

CPU is this process's own, through the whole middleware, the compression of the answer included; the least of many runs,
because everything else on the machine only adds to it.
"""

import gzip
import posixpath
import random
import re
import shutil
import time
import uuid
from datetime import timedelta
from functools import cache
from pathlib import Path

from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.sandbox import models as platform
from dashboard.static_storage import BUNDLER, JoinedManifestStorage
from tests.bench.figure import Figure, cpu
from tests.bench.sentences import sentence

THREADS, REPLIES, MANY_REPLIES = 30, 30, 166
NAMES = ("Ana Lúcia Prado", "Jonas Weber", "Priya Nair", "Téo Martins", "Camila Duarte")
STATIC = Path(__file__).resolve().parents[2] / "static"
SCRIPT_IMPORT = re.compile(r'(?:from|import) ?"(\.[^"]+)"')
FIRST_VISIT, FILES = (54, 6) if shutil.which(BUNDLER) else (62, 40)
"""Kilobytes and files of a first visit: HTML, style sheet, scripts. Where modules are not bundled they are many."""


def fill(each: int = REPLIES) -> uuid.UUID:
    """A link on the embedded platform with thirty comments and `each` replies to every one. Returns its id.

    The comments have the same ids each time, and replies follow each other: what a page weighs depends on both.
    """
    dice, ids, now = random.Random(930), random.Random(each), timezone.now()
    studio, _made = platform.Organization.objects.get_or_create(name="Bench", pullzone="vz-00000000-000")
    user, _made = platform.User.objects.get_or_create(organization=studio, name="Bench", email="bench@example.org")
    video = platform.Video.objects.create(organization=studio, user=user, title="Launch film", length=1800)
    link = platform.ReviewLink.objects.create(video=video, name="Cut 3", expires_at=now + timedelta(days=3))

    def comment(second: int, ago: int, parent: platform.ReviewComment | None = None) -> platform.ReviewComment:
        at = now - timedelta(minutes=ago)
        said = {"text": sentence(dice), "user_name": dice.choice(NAMES), "time": second, "reply_to": parent}
        key = uuid.UUID(int=ids.getrandbits(128), version=4)
        return platform.ReviewComment(pk=key, video=video, token=uuid.uuid4(), created_at=at, updated_at=at, **said)

    tops = [comment(59 * n, 3000 - 60 * n) for n in range(THREADS)]
    replies = [comment(top.time, 2900 - 60 * n - m, top) for n, top in enumerate(tops) for m in range(each)]
    platform.ReviewComment.objects.bulk_create(tops + replies)
    return link.pk


def figures(runs: int = 30) -> list[Figure]:
    """Everything measured, on a database that is there and empty."""
    link = fill()
    client = Client(headers={"Accept-Encoding": "gzip"})
    address = f"/{link}"
    fixed = sizes(client, link)
    unchanged = unchanged_poll(client, address)
    full, quiet = cpu(lambda: client.get(f"{address}/comments"), runs), cpu(lambda: client.get(unchanged), runs * 3)
    many = f"/{fill(MANY_REPLIES)}"
    opened, opened_many = cpu(lambda: client.get(address), runs), cpu(lambda: client.get(many), runs)
    return [
        Figure("open 930 comments: CPU", opened, 30, "ms"),
        Figure("open 5,010 comments: CPU, over 930", opened_many / opened, 2, "times"),
        *fixed,
        Figure("unchanged poll: CPU", quiet, full / 3, "ms"),
        Figure("held card after posting", held(link), 100, "ms"),
        *desk(link, runs),
    ]


def sizes(client: Client, link: uuid.UUID) -> list[Figure]:
    """What does not depend on the machine, and is asserted in `tests/review_portal/test_weight.py` as well."""
    address = f"/{link}"
    client.get(address)  # the first visit ever reads the platform once
    opened = client.get(address)
    page = gzip.decompress(opened.content)
    unchanged = unchanged_poll(client, address)
    client.get(unchanged)
    poll = client.get(unchanged)
    asked = [queries(database, client, unchanged) for database in ("default", "sandbox")]  # before the copy is old
    full, small = first_visit(page), first_visit(gzip.decompress(client.get(f"/{fill_small()}").content))
    return [
        Figure("open 930 comments: HTML", len(page) / 1000, 130, "kB"),
        Figure("open 930 comments: compressed", len(opened.content) / 1000, 25, "kB"),
        Figure("open 930 comments: elements", elements(page), 2_500, ""),
        Figure("open 930 comments: upstream queries", queries("sandbox", client, address), 0, ""),
        Figure("first visit, 930 comments: HTML, CSS and JS, compressed", sum(full) / 1000, FIRST_VISIT, "kB"),
        Figure("first visit, 14 comments: HTML, CSS and JS, compressed", sum(small) / 1000, FIRST_VISIT - 9, "kB"),
        Figure("first visit: files of HTML, CSS and JS", len(small), FILES, ""),
        Figure("unchanged poll: queries", asked[0], 1, ""),
        Figure("unchanged poll: upstream queries", asked[1], 0, ""),
        Figure("unchanged poll: bytes with headers", weight(poll.status_code, poll.headers, poll.content), 600, "B"),
        *growth(client, opened.content),
    ]


def growth(client: Client, first: bytes) -> list[Figure]:
    """What a room with 5,010 comments shows at first, over one with 930."""
    address = f"/{fill(MANY_REPLIES)}"
    client.get(address)
    many = client.get(address).content
    grown = elements(gzip.decompress(many)) / elements(gzip.decompress(first))
    return [
        Figure("open 5,010 comments, compressed, over 930", len(many) / len(first), 1.3, "times"),
        Figure("open 5,010 comments, elements, over 930", grown, 1.3, "times"),
    ]


def elements(page: bytes) -> int:
    """How many elements a page has before script adds any."""
    return len(re.findall(rb"<[a-z]", page))


def unchanged_poll(client: Client, address: str) -> str:
    """What a room that has seen everything asks for."""
    page = gzip.decompress(client.get(address).content)
    version = re.search(rb'id="live" data-v="(\w+)"', page)[1].decode()  # type: ignore[index]  # every room has it
    return f"{address}/comments?v={version}&after={version}"


def desk(link: uuid.UUID, runs: int) -> list[Figure]:
    """The same link on its owner's desk: two queries say whose it is and which version it has."""
    client, address = owner(link), f"/dashboard/review-links/{link}/"
    unchanged = desk_poll(client, address)
    client.get(unchanged)
    poll = client.get(unchanged)
    full, quiet = cpu(lambda: client.get(address), runs), cpu(lambda: client.get(unchanged), runs * 3)
    return [
        Figure("desk, unchanged poll: queries", queries("default", client, unchanged), 2, ""),
        Figure("desk, unchanged poll: upstream queries", queries("sandbox", client, unchanged), 0, ""),
        Figure(
            "desk, unchanged poll: bytes with headers", weight(poll.status_code, poll.headers, poll.content), 600, "B"
        ),
        Figure("desk, unchanged poll: CPU", quiet, full / 3, "ms"),
    ]


def owner(link: uuid.UUID) -> Client:
    """The owner's browser, who knows the link already."""
    from dashboard.accounts.models import Account
    from review_portal import imports  # models, after Django is set up

    user = platform.User.objects.get(name="Bench")
    platform.Token.objects.create(value="bench-token", user=user)
    client = Client(headers={"Accept-Encoding": "gzip"})
    client.post("/sign-in/", {"token": "bench-token", "name": "Bench", "person": "Ana"})
    video = platform.ReviewLink.objects.get(pk=link).video_id
    imports.import_link(Account.objects.get(name="Bench"), link, video)
    return client


def desk_poll(client: Client, address: str) -> str:
    """What a desk page that has seen everything asks for."""
    page = gzip.decompress(client.get(address).content)
    return re.search(rb'hx-get="([^"]+/news/[^"]*)"', page)[1].decode().replace("&amp;", "&")  # type: ignore[index]  # every link's page polls


def queries(database: str, client: Client, address: str) -> int:
    """How often one request asks a database; `sandbox` is the embedded platform's, so any is a call upstream."""
    with CaptureQueriesContext(connections[database]) as asked:
        client.get(address)
        return len(asked)


def weight(status: int, headers: object, body: bytes) -> int:
    """Bytes of an answer as it travels, the status line and the separators included."""
    lines = [f"HTTP/1.1 {status} No Content"] + [f"{name}: {value}" for name, value in dict(headers).items()]  # type: ignore[call-overload]  # a mapping of headers
    return len("\r\n".join(lines).encode()) + 4 + len(body)


def held(link: uuid.UUID) -> float:
    """Milliseconds from posting to the card, by the clock on the wall: the median of ten reviewers' first comments."""
    spent = []
    top = platform.ReviewComment.objects.filter(video__review_links=link, reply_to=None).first()
    assert top is not None
    platform.ReviewComment.objects.filter(reply_to=top).first().delete()  # type: ignore[union-attr]  # there are thirty
    from review_portal.models import Comment  # the copy, after Django is set up

    Comment.objects.filter(link_id=link, reply_to=top.pk).first().delete()  # type: ignore[union-attr]
    for n in range(10):
        client = Client(headers={"Reelroom-Part": "1"})
        data = {
            "key": str(uuid.uuid4()),
            "user_name": "Ana",
            "text": f"Louder {n}",
            "reply_to": str(top.pk),
            "hold": "1",
        }
        began = time.perf_counter()
        answer = client.post(f"/{link}/comments", data)
        spent.append((time.perf_counter() - began) * 1000)
        assert answer.status_code == 200, answer.content
    return sorted(spent)[5]


def fill_small() -> uuid.UUID:
    """A link as most are: fourteen comments."""
    user = platform.User.objects.get(name="Bench")
    studio = platform.Organization.objects.get(name="Bench")
    video = platform.Video.objects.create(organization=studio, user=user, title="Film", length=168)
    link = platform.ReviewLink.objects.create(video=video, name="Cut 3", expires_at=timezone.now() + timedelta(days=3))
    dice = random.Random(14)
    for n in range(14):
        platform.ReviewComment.objects.create(
            video=video, token=uuid.uuid4(), user_name=NAMES[n % 5], text=sentence(dice), time=n * 11
        )
    return link.pk


def first_visit(page: bytes) -> list[int]:
    """Compressed bytes of a page, its style sheet and each of its scripts, as they are served in production."""
    return [len(gzip.compress(part)) for part in (page, served()["css/room.css"], *scripts("js/review_portal/room.js"))]


def scripts(first: str) -> list[bytes]:
    """The files that a page loads for its script, with all that they import before anybody touches it."""
    found: dict[str, bytes] = {}
    waiting = [first]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = served()[name]
            imported = SCRIPT_IMPORT.findall(found[name].decode())
            waiting += [posixpath.normpath(posixpath.join(posixpath.dirname(name), other)) for other in imported]
    return list(found.values())


@cache
def served() -> dict[str, bytes]:
    """Our style sheets and scripts, by name, as `collectstatic` makes them."""
    names = [path.relative_to(STATIC).as_posix() for path in (*STATIC.rglob("*.css"), *STATIC.rglob("*.js"))]
    return {name: text.encode() for name, text in JoinedManifestStorage.build_served_files(names).items()}
