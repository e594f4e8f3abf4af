"""The board with 300 cards: what the page and the keeping of a drag cost, and how they grow from 30."""

from functools import partial
from typing import Any

from django.test import Client
from django.utils.module_loading import import_string

from dashboard.funnels import rules
from dashboard.platform_api.funnels import Funnel
from tests.bench.figure import Figure, cpu
from tests.bench.upstream import OURS_MS, TIMES, far_away, over
from tests.forgetting import forget

FEW, MANY, RUNS = 30, 300, 12


def figures() -> list[Figure]:
    """Milliseconds of CPU at 300 cards, the embedded platform's own work included, and ratios to 30."""
    roles = import_string("dashboard.sandbox.seed.demo.cast")()
    models = import_string("dashboard.sandbox.models.FunnelVideo"), import_string("dashboard.sandbox.models.Video")
    client = Client()
    client.post("/sign-in/", {"token": roles["tokens"]["owner"]})
    few = _measure(client, roles, *models, FEW)
    many = _measure(client, roles, *models, MANY)
    with far_away() as calls:
        ask = partial(client.get, f"/dashboard/funnels/{roles['funnels']['main']}/")
        late = min(over(ask, calls) for _run in range(RUNS))
    found = [Figure(f"board page, {MANY} cards, but for {OURS_MS} ms", late, TIMES, "of slowest call")]
    found += [Figure(f"{name}, {MANY} cards", many[name], most, "ms") for name, most in BOUNDS.items()]
    return [*found, *(Figure(f"{name}, ten times the cards", many[name] / few[name], 10, "ratio") for name in GROWING)]


BOUNDS = {"board page": 400, "keep a drag": 250, "tidy up": 20}
"""Generous: a slow machine keeps them, a mistake of another order does not."""

GROWING = ("board page", "keep a drag")
"""Tidying sorts: it grows a little faster than its cards, from less than a tenth of a millisecond."""


def _measure(client: Client, roles: dict[str, Any], places: Any, videos: Any, count: int) -> dict[str, float]:
    funnel, pattern = roles["funnels"]["main"], videos.objects.get(pk=roles["videos"]["plain"])
    places.objects.filter(funnel_id=funnel).delete()
    made = [
        videos(
            organization_id=pattern.organization_id,
            user_id=pattern.user_id,
            title=f"Video {number}",
            created_at=pattern.created_at,
            updated_at=pattern.updated_at,
        )
        for number in range(count)
    ]
    videos.objects.bulk_create(made)
    places.objects.bulk_create(
        places(funnel_id=funnel, video=video, x=number % 20 * 240, y=number // 20 * 180, is_first=number == 0)
        for number, video in enumerate(made)
    )
    address = f"/dashboard/funnels/{funnel}/"
    body = {"act": "keep", "entry": str(made[0].pk)}
    body |= {f"x-{video.pk}": str(number) for number, video in enumerate(made)}
    body |= {f"y-{video.pk}": "80" for video in made}
    read: list[Any] = [{"id": str(n), "front_coordinates": {"x": n, "y": n}, "is_first": n == 0} for n in range(count)]
    forget()
    cards = rules.build_board(Funnel.from_json({"id": "f", "videos": read}), rules.Changes({}, {}))
    assert client.get(address).content.count(b"data-card=") == count
    return {
        "board page": cpu(partial(client.get, address), runs=8),
        "keep a drag": cpu(partial(client.post, f"{address}arrange/", body, headers={"HX-Request": "true"}), runs=8),
        "tidy up": cpu(partial(rules.arrange_in_grid, cards)),
    }
