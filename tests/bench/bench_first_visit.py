"""A first visit on a phone: 4 times slower CPU, 1.6 Mbit/s, 150 ms, nothing cached, a real Chromium against production's start.

Bytes are those of all answers with their headers: HTML, styles, scripts, icons. Medians of `VISITS` visits that alternate.
"Interactive" is when the composer answers a typed letter. What is compared is measured in the same run, so the bounds of
seconds alone depend on the machine: other work on it counts.
"""

from statistics import median

from playwright.sync_api import Browser

from tests.bench.chart_page import DRAWN, PACKAGE, chart_page, numbers_of
from tests.bench.demo_server import Served, production
from tests.bench.figure import Figure
from tests.bench.visits import SLOWER_CPU, STILLS, Visit, chromium, long_tasks, signed_in, visit

VISITS = 3
ANALYTICS = "/dashboard/analytics/"
OTHERS = {"overview": "/dashboard/", "videos": "/dashboard/videos/", "subtitles": "/dashboard/subtitles/"}
REQUESTS = {"overview": 16}
"""At most, where it is not ten: the most watched videos, their five curves and the news follow the page."""
CHART = "document.querySelector('.chart__svg path')?.getBoundingClientRect().width > 0"
TYPED = "The logo at the end comes one second too late, and the sound t"[:61]


def figures() -> list[Figure]:
    """Everything measured; without Chromium nothing."""
    with production() as served, chromium() as browser:
        cookies = signed_in(browser, served.address, [ANALYTICS, *OTHERS.values()])
        with chart_page(numbers_of(served.address, cookies)) as other:
            found = _analytics(browser, served.address, cookies, other)
        return [*found, *_others(browser, served.address, cookies), *_rooms(browser, served)]


def _analytics(browser: Browser, address: str, cookies: list[object], other: str | None) -> list[Figure]:
    ours, theirs = [], []
    for _turn in range(VISITS):
        ours.append(visit(browser, address + ANALYTICS, cookies=cookies, drawn=CHART))
        if other is not None:
            theirs.append(visit(browser, other, cookies=[], drawn=DRAWN))
    found = [
        Figure("analytics: all files, compressed", _of(ours, "bytes") / 1000, 40, "kB"),
        Figure("analytics: requests", _of(ours, "requests"), 8, ""),
        Figure("analytics: first paint with content", _of(ours, "painted"), 2_500, "ms"),
        Figure("analytics: line drawn", _of(ours, "seen"), 2_500, "ms"),
    ]
    if theirs:
        name = f"a page of the same numbers with {PACKAGE}"
        found += [
            Figure(f"analytics drawn, over {name}", _of(ours, "seen") / _of(theirs, "seen"), 1, "times"),
            Figure(f"analytics: bytes, over {name}", _of(ours, "bytes") / _of(theirs, "bytes"), 1, "times"),
        ]
    return found


def _others(browser: Browser, address: str, cookies: list[object]) -> list[Figure]:
    """Stills of videos are the platform's, and come when they are near."""
    found = []
    for name, path in OTHERS.items():
        sizes = visit(browser, address + path, cookies=cookies).sizes
        ours = [size for url, size in sizes.items() if STILLS not in url]
        found.append(Figure(f"{name}: all files but stills, compressed", sum(ours) / 1000, 55, "kB"))
        found.append(Figure(f"{name}: requests but for stills", len(ours), REQUESTS.get(name, 10), ""))
    return found


def _rooms(browser: Browser, served: Served) -> list[Figure]:
    small, full, many = (
        [visit(browser, served.address + room, cookies=[], types=True) for _turn in range(VISITS)]
        for room in served.rooms
    )
    room = served.address + served.rooms[2]
    return [
        Figure(
            "room, 14 comments: all files but the film's still, compressed", _of(small, "own_bytes") / 1000, 50, "kB"
        ),
        Figure("room, 14 comments: requests", _of(small, "requests"), 12, ""),
        Figure("room, 928 comments: HTML, compressed", _of(full, "page_bytes") / 1000, 25, "kB"),
        Figure("room, 928 comments: nodes", _of(full, "nodes"), 2_500, ""),
        Figure("room, 928 comments: interactive", _of(full, "answered"), 2_000, "ms"),
        Figure("room, 5,046 comments: nodes, over 928", _of(many, "nodes") / _of(full, "nodes"), 1.3, "times"),
        Figure("room, 5,046 comments: script, over 928", _of(many, "script") / _of(full, "script"), 1.3, "times"),
        Figure("room, 5,046 comments: interactive", _of(many, "answered"), 2_600, "ms"),
        Figure("room, 5,046 comments: long tasks of 61 keys", len(long_tasks(browser, room, TYPED, 1)), 0, ""),
        Figure(
            f"the same with a {SLOWER_CPU} times slower CPU", len(long_tasks(browser, room, TYPED, SLOWER_CPU)), 61, ""
        ),
    ]


def _of(visits: list[Visit], name: str) -> float:
    return float(median(getattr(one, name) for one in visits))
