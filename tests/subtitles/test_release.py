"""The videos of a batch leave one after the other, also where two of them end at the same moment."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from threading import Event

import pytest
from django.db import connections, transaction

from dashboard.accounts.models import Account
from dashboard.subtitles.models import Batch
from dashboard.subtitles.writes import CREATE, release_next
from dashboard.writes import outbox
from dashboard.writes.models import State, Write

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)


@pytest.fixture
def batch() -> Batch:
    account = Account(name="Studio")
    account.keep_token("token")
    account.save()
    return Batch.objects.create(account=account, actor="Ana", type="translation", tier="pro", from_lang="pt-BR")


def video(batch: Batch, name: str, state: State) -> Write:
    """A video of the batch that is on its way, or waits for its turn."""
    return Write.objects.create(
        scope=str(batch.account_id), key=uuid.uuid4(), operation=CREATE, account=batch.account, subject=name,
        request={"batch": str(batch.pk), "video_id": name}, state=state, attempt=int(state == State.SENDING),
    )  # fmt: skip


def test_the_next_video_leaves_when_two_end_at_the_same_moment(batch: Batch) -> None:
    first, second = video(batch, "a", State.SENDING), video(batch, "b", State.SENDING)
    for name in "cd":
        video(batch, name, State.HELD)
    first_ended, second_ended = Event(), Event()

    def end_first() -> None:
        try:
            with transaction.atomic():
                outbox.move(first, State.DONE)
                first_ended.set()
                second_ended.wait(0.3)  # the second one ends before this transaction does, if nothing keeps it
        finally:
            connections.close_all()

    def end_second() -> None:
        try:
            assert first_ended.wait(5)
            outbox.move(second, State.DONE)
            second_ended.set()
        finally:
            connections.close_all()

    with ThreadPoolExecutor(2) as threads:
        for ended in [threads.submit(end_first), threads.submit(end_second)]:
            ended.result()
    due = set(Write.objects.exclude(due_at=None).values_list("subject", flat=True))
    assert due == {"c"}, "one of them, and only one"


def test_the_next_video_waits_while_one_is_due_already(batch: Batch) -> None:
    video(batch, "a", State.HELD)
    video(batch, "b", State.HELD)
    for _time in range(2):
        release_next(batch)
    assert list(Write.objects.exclude(due_at=None).values_list("subject", flat=True)) == ["a"]
