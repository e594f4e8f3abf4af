"""Two who write through two links of one video at the same moment both get through."""

import threading
import uuid
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

import pytest
from django.db import connection, connections, transaction
from django.test.utils import CaptureQueriesContext

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.writes.models import State, Write
from review_portal import owners, sync
from review_portal.models import Comment, ReviewLink
from tests.review_portal.conftest import World, imported

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)


@pytest.fixture
def both(world: World, account: Account) -> list[ReviewLink]:
    """Two links of the account that show the same comment."""
    world.comment("Seen on both.")
    both = [imported(account, world.link(), world.video.pk) for _link in range(2)]
    for link in both:
        assert sync.merge(link) is None
    return both


def test_an_owner_who_acts_through_two_links_at_once_waits_for_no_deadlock(
    both: list[ReviewLink], account: Account, monkeypatch: pytest.MonkeyPatch
) -> None:
    comment_id = Comment.objects.filter(link=both[0]).get().comment_id
    store, both_stored = sync.store_comment, threading.Barrier(2, timeout=0.5)

    def store_together(*given: Any) -> Comment:
        stored = store(*given)
        with suppress(threading.BrokenBarrierError):
            both_stored.wait()  # each holds its own link now, if nothing keeps one of them
        return stored

    monkeypatch.setattr(sync, "store_comment", store_together)

    def resolve(link: ReviewLink) -> str:
        try:
            key = uuid.uuid4()
            return owners.set_status(account, link, comment_id, CommentStatus.RESOLVED, key=key).state
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        assert list(threads.map(resolve, both)) == [State.DONE, State.DONE]
    assert Write.objects.filter(state=State.DONE).count() == 2
    assert set(Comment.objects.values_list("status", flat=True)) == {"resolved"}


def test_links_are_locked_in_the_order_of_their_ids(both: list[ReviewLink]) -> None:
    with transaction.atomic(), CaptureQueriesContext(connection) as statements:
        sync.lock([link.pk for link in both])
    (locks,) = [
        query["sql"] for query in statements.captured_queries if 'FROM "review_portal_reviewlink"' in query["sql"]
    ]
    assert locks.startswith('SELECT "review_portal_reviewlink"."id" AS "pk" FROM') and "ORDER BY 1 ASC" in locks
