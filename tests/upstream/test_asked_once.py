"""No visit to a page asks the platform for one thing twice, whatever else is not known. `test_levels.py` asks it of all pages."""

import re
import threading
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from functools import partial
from html import unescape
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.ai_content.models import Document
from dashboard.platform_api.answers import Answer
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Sender
from dashboard.platform_api.videos import Video
from dashboard.review_links import tasks
from dashboard.upstream import parallel
from review_portal.models import ReviewLink
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
LISTS_OF_LINKS = ("review_links:review_links", "review_links:inbox", "review_links:video")
PARTS = re.compile(r'<[^>]*hx-trigger="(?:load|revealed)[^>]*>')


class Background(ThreadPoolExecutor):
    """Threads for reads beside a page, which can be waited for."""

    def __init__(self) -> None:
        super().__init__(max_workers=8, thread_name_prefix="background")
        self.begun: list[Future[Any]] = []

    def submit(self, *arguments: Any, **named: Any) -> Future[Any]:
        future: Future[Any] = super().submit(*arguments, **named)
        self.begun.append(future)
        return future

    def end(self) -> None:
        """Wait for all that was begun, and for what that began."""
        while self.begun:
            wait([self.begun.pop()])


@pytest.fixture
def background(monkeypatch: pytest.MonkeyPatch) -> Iterator[Background]:
    threads = Background()
    monkeypatch.setattr(parallel, "_background", threads)
    yield threads
    threads.shutdown()


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch, settings: Settings) -> list[str]:
    """The reads that are sent, as operation and address."""
    sent: list[str] = []
    send = Sender.send

    def note(self: Sender, request: Request, read: Callable[[Answer], Any]) -> Any:
        if request.method == "GET":
            sent.append(f"{request.operation} {request.url(self.config, None).partition('/sandbox/')[2]}")
        return send(self, request, read)

    settings.READ_SIDE_BY_SIDE = True
    settings.PAGE_PATIENCE_MS = 60_000
    monkeypatch.setattr(Sender, "send", note)
    return sent


def with_parts(client: Client, path: str) -> None:
    """Open a page and the parts that it loads by itself, at once or when they come into view."""
    load_parts(client, client.get(path))


def load_parts(client: Client, answer: Any) -> None:
    """Ask for the parts that a page loads by itself."""
    if answer.headers.get("Content-Type", "").startswith("text/html") and not answer.streaming:
        for tag in PARTS.findall(answer.content.decode()):
            if (part := re.search(r'hx-get="([^"]+)"', tag)) is not None:
                client.get(unescape(part[1]), headers={"HX-Request": "true"})


def asked_twice(asked: list[str], background: Background, visit: Callable[[], object]) -> list[str]:
    """What is asked for more than once by a visit, and by what goes on beside it."""
    background.end()
    asked.clear()
    visit()
    background.end()
    return list_doubled(asked)


def list_doubled(asked: list[str]) -> list[str]:
    """The reads that were sent more than once."""
    return sorted(read for read, times in Counter(asked).items() if times > 1)


def test_page_of_what_was_never_seen_asks_for_nothing_twice(
    owner: Client,
    paths: dict[str, str],
    asked: list[str],
    background: Background,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing of Reelroom's own helps either: no version of a file, no zone of the account or of a video, no room."""
    monkeypatch.setattr(Video, "pullzone", None)
    Account.objects.update(pullzone="")

    def visit(path: str) -> None:
        Document.objects.all().delete()
        ReviewLink.objects.update(video={}, video_read_at=None)
        forget()
        with_parts(owner, path)

    visits = {name: asked_twice(asked, background, partial(visit, path)) for name, path in paths.items()}
    assert {name: twice for name, twice in visits.items() if twice} == {}


@pytest.mark.parametrize("name", ["overview:overview", "overview:waiting", "notices:notices", *LISTS_OF_LINKS])
def test_page_of_an_account_whose_links_nobody_has_taken_in_asks_for_nothing_twice(
    owner: Client, paths: dict[str, str], asked: list[str], background: Background, name: str
) -> None:
    """Links are taken in with their videos beside the page, and so is what else the page begins, of the same videos."""

    def visit() -> None:
        ReviewLink.objects.all().delete()
        forget()
        with_parts(owner, paths[name])

    assert asked_twice(asked, background, visit) == []
    assert any(read.startswith("review_links.list") for read in asked), "links were taken in"


def test_two_pages_that_take_in_the_links_of_the_same_videos_at_once_ask_for_each_once(
    owner: Client, paths: dict[str, str], asked: list[str], background: Background, monkeypatch: pytest.MonkeyPatch
) -> None:
    both_have_begun = threading.Barrier(2, timeout=30)
    take_in = tasks._import_links

    def take_in_together(account: Account, videos: Sequence[Video]) -> bool:
        both_have_begun.wait()
        return take_in(account, videos)

    monkeypatch.setattr(tasks, "_import_links", take_in_together)

    def visit() -> None:
        ReviewLink.objects.all().delete()
        forget()
        for _time in range(2):
            owner.get(paths["overview:waiting"])

    assert asked_twice(asked, background, visit) == []
    assert any(read.startswith("review_links.list") for read in asked), "links were taken in"


def test_first_opening_of_a_room_that_nobody_has_seen_asks_for_nothing_twice(
    client: Client, cast: dict[str, Any], asked: list[str], background: Background
) -> None:
    assert not ReviewLink.objects.exists()
    path = f"/{cast['review_links']['open']}"
    assert asked_twice(asked, background, lambda: client.get(path)) == []
    assert sorted(read.split()[0] for read in asked) == ["public_review.comments", "public_review.read_link"]
