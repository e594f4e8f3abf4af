"""What is new on the platform is read beside the requests of those who watch: a platform that hangs keeps nobody waiting."""

import logging
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connections
from django.test import Client
from pytest_django import Settings

from dashboard.platform_api.errors import CallError
from dashboard.upstream import parallel
from review_portal import sync
from review_portal.models import ReviewLink
from tests.conftest import signed_in
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)

merge, start = sync._merge, parallel.start


@pytest.fixture
def released(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[threading.Event]:
    """Reads are made on threads of their own, and every read of a link's comments hangs until the event is set."""
    settings.READ_SIDE_BY_SIDE = True
    settings.PAGE_PATIENCE_MS = 20
    release, ended, begun = threading.Event(), threading.Semaphore(0), list[object]()

    def hang(link: ReviewLink) -> CallError | None:
        try:
            release.wait(20)
            return merge(link)
        finally:
            connections.close_all()
            ended.release()

    def counted(read: Callable[[], Any], patience: float) -> None:
        begun.append(read)
        start(read, patience)

    monkeypatch.setattr(sync, "_merge", hang)
    monkeypatch.setattr(sync, "start", counted)
    yield release
    release.set()
    for _read in begun:
        assert ended.acquire(timeout=20)


def news_for(reviewer: Reviewer, version: str) -> str:
    """What a poll brings, as soon as it brings something."""
    for _poll in range(200):
        answer = reviewer.poll(version)
        if answer.status_code == 200:
            return str(answer.content.decode())
        threading.Event().wait(0.05)
    raise AssertionError("nothing new came")


def test_a_room_opens_while_the_first_read_of_its_comments_hangs_and_says_so(
    world: World, released: threading.Event
) -> None:
    world.comment("Seen elsewhere.")
    reviewer = Reviewer(world.link(), script=True)
    page = reviewer.open().content.decode()
    assert "still being read" in page
    assert "Nobody has commented yet" not in page
    version = str(ReviewLink.objects.get().version)
    assert reviewer.poll(version).status_code == 204
    released.set()
    part = news_for(reviewer, version)
    assert "Seen elsewhere." in part
    assert "still being read" not in part


def test_a_link_without_comments_says_so_once_it_was_read(world: World, released: threading.Event) -> None:
    reviewer = Reviewer(world.link(), script=True)
    assert "still being read" in reviewer.open().content.decode()
    version = str(ReviewLink.objects.get().version)
    released.set()
    assert "Nobody has commented yet" in news_for(reviewer, version)


def test_polls_files_and_paper_of_a_known_room_do_not_wait_for_a_read_that_hangs(
    world: World, settings: Settings, released: threading.Event
) -> None:
    reviewer, owner = Reviewer(world.link(), script=True), signed_in(Client(), world.token.value)
    settings.READ_SIDE_BY_SIDE = False
    released.set()
    reviewer.post("Known here.")
    reviewer.open()
    owner.get("/dashboard/review-links/")  # finds the link
    settings.READ_SIDE_BY_SIDE = True
    released.clear()

    def let_read() -> None:
        cache.delete(f"review-merge:{reviewer.link}")

    let_read()
    assert "Known here." in reviewer.poll("0").content.decode()
    for page in ("print", "export.csv"):
        let_read()
        assert "Known here." in reviewer.client.get(f"/{reviewer.link}/{page}").content.decode(), page
    let_read()
    version = ReviewLink.objects.get(pk=reviewer.link).version
    assert owner.get(f"/dashboard/review-links/{reviewer.link}/news/?v={version}").status_code == 204


def test_a_mistake_in_a_read_beside_a_request_is_logged(settings: Settings, caplog: pytest.LogCaptureFixture) -> None:
    settings.READ_SIDE_BY_SIDE = True

    def mistaken() -> None:
        raise KeyError("of ours")

    with caplog.at_level(logging.ERROR):
        parallel.start(mistaken, patience=5)
    assert "KeyError" in caplog.text
