"""The context of a request belongs to that request: no other one waits for what it loads."""

import threading
from datetime import UTC, datetime

import pytest
from django.test import RequestFactory

from dashboard.platform_api.vocabulary import LinkStatus
from review_portal import sync
from review_portal.context import Visit
from review_portal.models import ReviewLink

SECONDS = 5.0


def make_visit(link: ReviewLink) -> Visit:
    return Visit(RequestFactory().get("/"), link, datetime(2026, 1, 1, tzinfo=UTC))


def test_a_reader_waits_for_nothing_that_another_one_loads(monkeypatch: pytest.MonkeyPatch) -> None:
    """Python 3.11 has one lock for a cached property of all instances, which every poll of a process waited for."""
    slow, quick = (ReviewLink(status=LinkStatus.ACTIVE) for _link in range(2))
    is_loading, may_end = threading.Event(), threading.Event()

    def load(link: ReviewLink) -> None:
        if link is slow:
            is_loading.set()
            assert may_end.wait(SECONDS)

    monkeypatch.setattr(sync, "get_last_error", load)
    first = threading.Thread(target=lambda: make_visit(slow).platform_away)
    second = threading.Thread(target=lambda: make_visit(quick).platform_away, daemon=True)
    first.start()
    assert is_loading.wait(SECONDS)
    second.start()
    second.join(SECONDS / 2)
    waits = second.is_alive()
    may_end.set()
    first.join()
    assert not waits
