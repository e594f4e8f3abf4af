"""The cells of a video follow how its call ends: what it made, what reading finds, and when the next video leaves."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.subtitles import writes
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.writes.failures import NOT_RECEIVED, RESTORED
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Found
from tests.subtitles.calls import (
    OPERATION,
    OTHER_VIDEO,
    account,
    answer,
    batch,
    batch_of,
    cell_of,
    job,
    records,
    states,
    told,
    transcription,
    write_of,
)

__all__ = ["account", "batch", "transcription"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_each_cell_keeps_its_newest_new_job(batch: Batch) -> None:
    french, italian, german, spanish = (
        cell_of(batch, lang, status=status, earlier=["old"], sending_at=timezone.now())
        for lang, status in (("fr", "SENDING"), ("it", "UNCONFIRMED"), ("de", "MISSING"), ("es", "REFUSED"))
    )
    OPERATION.keep(
        write_of(batch),
        records(
            job("fr", "old", created_at="2026-11-20T12:00:00Z"),
            job("fr", "first", created_at="2026-11-20T10:00:00Z"),
            job("FR", "second", created_at="2026-11-20T11:00:00Z", status="RUNNING"),
            job("it", "third", status=""),
            job("de", "fourth"),
            job("es", "fifth"),
        ),
    )
    for cell in (french, italian, german, spanish):
        cell.refresh_from_db()
    assert (french.status, french.job_id) == ("RUNNING", "second")
    assert (italian.status, italian.job_id) == ("QUEUE", "third")
    assert (german.status, german.job_id) == ("QUEUE", "fourth")
    assert (spanish.status, spanish.job_id) == ("REFUSED", "")


@pytest.mark.parametrize(
    ("before", "after"), [("SENDING", "UNCONFIRMED"), ("UNCONFIRMED", "UNCONFIRMED"), ("MISSING",) * 2]
)
def test_a_cell_without_a_new_job_is_not_confirmed(batch: Batch, before: str, after: str) -> None:
    cell = cell_of(batch, "fr", status=before, earlier=["old"])
    OPERATION.keep(write_of(batch), records(job("fr", "old"), job("it")))
    assert states(cell) == [after]
    cell.refresh_from_db()
    assert cell.job_id == ""


def test_an_extra_language_waits_for_its_transcription(transcription: Batch) -> None:
    source, extra = (cell_of(transcription, lang, status="SENDING") for lang in ("pt-BR", "es"))
    OPERATION.keep(write_of(transcription), iter(records(job("pt-BR", kind="TRANSCRIPTION"))))
    assert states(source, extra) == ["QUEUE", "WAITING"]


def settled(write: Write) -> Any:
    assert OPERATION.settle is not None
    return OPERATION.settle(write)


def ended(seconds: float) -> datetime:
    return timezone.now() - timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("jobs", "seconds", "end"),
    [
        ([job("fr")], 90, "found"),
        ([job("it")], 90, "found"),
        ([job("fr"), job("fr", "old")], 0, "found"),
        ([], 58, UNKNOWN),  # the platform may show it yet
        ([], 62, ABSENT),
        ([job("fr", "old")], 62, ABSENT),
        ([job("de"), job("pt-BR", kind="TRANSCRIPTION")], 62, ABSENT),
        ([], None, UNKNOWN),
    ],
)
def test_a_call_arrived_where_the_video_has_a_new_job_of_it(
    batch: Batch, monkeypatch: pytest.MonkeyPatch, jobs: list[dict[str, Any]], seconds: float | None, end: Any
) -> None:
    answer(monkeypatch, jobs=jobs)
    for lang in ("fr", "it"):
        cell_of(batch, lang, status="UNCONFIRMED", earlier=["old"], sending_at=timezone.now())
    cell_of(batch, "de", status="DROPPED")  # it was not sent
    found = settled(write_of(batch, ended_at=None if seconds is None else ended(seconds)))
    if end == "found":
        assert isinstance(found, Found) and found.answer == tuple(records(*jobs))
    else:
        assert found is end


def test_extra_languages_alone_are_no_proof_of_their_transcription(
    transcription: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch, jobs=[job("es")])
    extra = cell_of(transcription, "es", status="UNCONFIRMED", sending_at=timezone.now())
    write = write_of(transcription, ended_at=ended(90))
    assert isinstance(settled(write), Found), "nothing else was sent"
    source = cell_of(transcription, "pt-BR", status="UNCONFIRMED", sending_at=timezone.now())
    assert settled(write) is ABSENT
    answer(monkeypatch, jobs=[job("pt-BR", kind="TRANSCRIPTION")])
    assert isinstance(settled(write), Found) and states(extra, source) == ["UNCONFIRMED"] * 2


@pytest.mark.parametrize(("seconds", "is_found"), [(0, True), (118, True), (122, False), (None, True)])
@pytest.mark.parametrize("reason", [RESTORED, "Unreachable"])
def test_after_a_restored_backup_only_jobs_since_the_write_are_its_own(
    batch: Batch, monkeypatch: pytest.MonkeyPatch, seconds: float | None, is_found: bool, reason: str
) -> None:
    write = write_of(batch, ended_at=ended(90), reason=reason)
    cell_of(batch, "fr", status="UNCONFIRMED", sending_at=timezone.now())
    made_at = None if seconds is None else (write.created_at - timedelta(seconds=seconds)).isoformat()
    answer(monkeypatch, jobs=[job("fr", created_at=made_at)])
    assert isinstance(settled(write), Found) is (is_found or reason != RESTORED)


def test_what_a_restored_backup_had_not_sent_counts_as_sent_without_an_answer(account: Account, batch: Batch) -> None:
    held, done = write_of(batch), write_of(batch, OTHER_VIDEO, state=State.DONE)
    cells = [cell_of(batch, "fr", reason="later"), cell_of(batch, "it", status="DROPPED", reason="there")]
    of_done = cell_of(batch, "fr", video_id=OTHER_VIDEO)
    other = batch_of(account)
    doubtful, taken = cell_of(other, "es", status="SENDING"), cell_of(batch, "es")
    writes.claim_restored()
    assert told(cells[0]) == ("SENDING", "") and cells[0].sending_at == held.created_at
    assert told(cells[1]) == ("DROPPED", "there")
    assert (states(of_done, doubtful, taken), done.state) == (["PLANNED", "SENDING", "PLANNED"], State.DONE)


def change(write: Write, *cells: PlannedCell) -> list[tuple[str, str]]:
    OPERATION.changed(write)
    return [told(cell) for cell in cells]


ERROR = {"reason": "Refused", "message": "no"}
BEFORE = ("PLANNED", "SENDING", "UNCONFIRMED", "QUEUE")


@pytest.mark.parametrize(
    ("about", "after"),
    [
        ({"state": State.HELD}, BEFORE),  # it waits for its first sending
        ({"state": State.SENDING, "attempt": 1}, BEFORE),
        ({"state": State.DONE, "attempt": 1}, BEFORE),
        ({"state": State.HELD, "attempt": 1}, ("PLANNED", "PLANNED", "PLANNED", "QUEUE")),
        ({"state": State.UNCONFIRMED, "attempt": 1}, ("PLANNED", "UNCONFIRMED", "UNCONFIRMED", "QUEUE")),
        ({"state": State.REFUSED, "attempt": 1} | ERROR, ("REFUSED", "REFUSED", "REFUSED", "QUEUE")),
        ({"state": State.REFUSED, "reason": NOT_RECEIVED}, ("MISSING", "MISSING", "MISSING", "QUEUE")),
    ],
)
def test_the_cells_follow_their_write(batch: Batch, about: dict[str, Any], after: tuple[str, ...]) -> None:
    cells = [cell_of(batch, lang, status=status) for lang, status in zip(("fr", "it", "de", "es"), BEFORE, strict=True)]
    beside = cell_of(batch, "fr", video_id=OTHER_VIDEO, status="SENDING")
    assert [status for status, _reason in change(write_of(batch, **about), *cells)] == list(after)
    assert states(beside) == ["SENDING"]


@pytest.mark.parametrize(
    ("about", "reason"),
    [
        (ERROR, "Refused|no"),
        ({"reason": "R", "message": "m" * 600}, f"R|{'m' * 498}"),
        ({"reason": "ParentTokenHeld", "message": "who"}, "ParentTokenRefused|who"),
        ({"reason": NOT_RECEIVED, "message": "lost"}, ""),
    ],
)
def test_a_cell_that_did_not_leave_says_why(batch: Batch, about: dict[str, str], reason: str) -> None:
    cell = cell_of(batch, "fr", status="SENDING", sending_at=timezone.now())
    ((_status, said),) = change(write_of(batch, state=State.REFUSED, **about), cell)
    assert (said, cell.sending_at) == (reason, None)


def test_a_cell_without_an_answer_is_looked_for_from_when_the_call_ended(batch: Batch) -> None:
    cell, at = cell_of(batch, "fr", status="SENDING"), ended(30)
    change(write_of(batch, state=State.UNCONFIRMED, ended_at=at), cell)
    assert cell.sending_at == at
    cell, before = cell_of(batch, "it", status="SENDING"), timezone.now()
    change(write_of(batch, state=State.UNCONFIRMED), cell)
    assert cell.sending_at is not None and cell.sending_at >= before


@pytest.mark.parametrize(
    ("about", "pause"),
    [
        ({"state": State.DONE}, 0),
        ({"state": State.REFUSED} | ERROR, 0),
        ({"state": State.CANCELLED}, 0),
        ({"state": State.UNCONFIRMED, "reason": "PlatformDown"}, 0),
        ({"state": State.UNCONFIRMED, "reason": "Unreachable"}, 30),  # it answers nothing: not video after video
        ({"state": State.REFUSED, "reason": "Unreachable"}, 0),
        ({"state": State.SENDING}, None),
        ({"state": State.HELD, "attempt": 1}, None),
        ({"state": State.HELD}, None),
    ],
)
def test_the_next_video_leaves_once_this_one_has(batch: Batch, about: dict[str, Any], pause: float | None) -> None:
    this, before = write_of(batch, due_at=timezone.now(), **about), timezone.now()
    following = write_of(batch, OTHER_VIDEO)
    change(this)
    following.refresh_from_db()
    if pause is None:
        assert following.due_at is None
    else:
        assert following.due_at is not None
        assert timedelta(seconds=pause) <= following.due_at - before < timedelta(seconds=pause + 20)


def test_a_cell_that_somebody_else_changed_is_left_as_it_is(batch: Batch) -> None:
    cell = cell_of(batch, "fr")
    assert not writes.update(cell, "SENDING", status="QUEUE")
    assert (cell.status, states(cell)) == ("PLANNED", ["PLANNED"])
    assert writes.update(cell, "PLANNED", status="QUEUE", job_id="new")
    assert (cell.status, cell.job_id, states(cell)) == ("QUEUE", "new", ["QUEUE"])
