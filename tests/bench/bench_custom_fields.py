"""50,000 custom fields: the table, its search, and a file of as many lines."""

import uuid
from functools import partial

from django.test import Client
from django.utils import timezone
from django.utils.module_loading import import_string

from dashboard.custom_fields import rules
from dashboard.custom_fields.models import Field, Reading
from tests.bench.figure import Figure, cpu, wall
from tests.bench.upstream import OURS_MS, TIMES, far_away, over

FEW, MANY = 5_000, 50_000
VIEWS = {
    "first page": "",
    "search that finds": "?find=value+42",
    "search that finds nothing": "?find=zzzz",
    "last page": "?page=100",
}
MOST, RUNS = 200, 6


def figures() -> list[Figure]:
    """Milliseconds of each view at 50,000 fields, and how they grow from 5,000."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    client = Client()
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    account = uuid.UUID(client.session["account"])
    few, many = _measure(client, account, FEW), _measure(client, account, MANY)
    found = [Figure(f"{name}, {MANY:,} fields", many[name], MOST, "ms") for name in VIEWS]
    with far_away() as calls:
        ask = partial(client.get, f"/dashboard/custom-fields/videos/{roles['videos']['plain']}/")
        late = min(over(ask, calls) for _run in range(RUNS))
    found.append(Figure(f"fields of one video, but for {OURS_MS} ms", late, TIMES, "of slowest call"))
    found.append(
        Figure("slowest view, ten times the fields", max(many[name] / few[name] for name in VIEWS), 10, "ratio")
    )
    short, long = (cpu(partial(_read, count), runs=3) for count in (FEW, MANY))
    return [
        *found,
        Figure(f"reading a file of {MANY:,} lines", long, 3000, "ms"),
        Figure("reading a file, ten times the lines", long / short, 12, "ratio"),
    ]


def _read(count: int) -> int:
    video = "3f2b6c1e-0000-4000-8000-000000000000"
    text = "video_id,key,value\n" + "".join(f"{video},key{number},value {number}\n" for number in range(count))
    return sum(1 for _line in rules.parse_lines(text.encode()))


def _measure(client: Client, account: uuid.UUID, count: int) -> dict[str, float]:
    now = timezone.now()
    Field.objects.all().delete()
    Reading.objects.update_or_create(account_id=account, defaults={"started_at": now, "finished_at": now})
    Field.objects.bulk_create(
        (
            Field(
                account_id=account,
                video_id=str(uuid.UUID(int=number // 50)),
                title=f"Video {number // 50:05}",
                field_id=str(uuid.UUID(int=number)),
                key=f"key{number % 50:02}",
                value=f"value {number}",
                read_at=now,
            )
            for number in range(count)
        ),
        batch_size=2000,
    )
    return {
        name: wall(partial(client.get, f"/dashboard/custom-fields/{query}"), runs=5) for name, query in VIEWS.items()
    }
