"""One call for one video of a batch: what may still be made is claimed and sent, and nothing is said of what did not leave."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.request import Request
from dashboard.platform_api.sending import Sender
from dashboard.shared.vault import Unreadable
from dashboard.subtitles import writes
from dashboard.subtitles.models import Batch
from dashboard.subtitles.queries import SubtitleReader
from dashboard.subtitles.rules import Order
from dashboard.upstream.reads import Reads
from dashboard.writes.failures import ParentTokenHeld
from dashboard.writes.models import State, Write
from dashboard.writes.operations import NotWanted
from tests.moments import measure_span
from tests.subtitles.calls import (
    OPERATION,
    OTHER_VIDEO,
    VIDEO,
    account,
    account_of,
    answer,
    batch,
    batch_of,
    cell_of,
    job,
    states,
    told,
    transcription,
    write_of,
)

__all__ = ["account", "batch", "transcription"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_a_batch_asks_for_each_language_once_and_a_transcription_for_its_extra_ones(
    batch: Batch, transcription: Batch
) -> None:
    cells = [cell_of(batch, "fr"), cell_of(batch, "it"), cell_of(batch, "fr", video_id=OTHER_VIDEO)]
    assert writes.order_of(batch, cells) == Order("TRANSLATION", "pro", "pt-BR", ("fr", "it"))
    cells = [cell_of(transcription, "pt-BR"), cell_of(transcription, "es")]
    assert writes.order_of(transcription, cells) == Order("TRANSCRIPTION", "pro", "pt-BR", ("es",))


def test_the_cells_of_a_write_are_those_of_its_video_in_its_batch(account: Account, batch: Batch) -> None:
    cells = [cell_of(batch, "fr"), cell_of(batch, "it")]
    cell_of(batch, "fr", video_id=OTHER_VIDEO)
    cell_of(batch_of(account), "fr")
    assert list(writes.cells_of(write_of(batch))) == cells


def test_the_open_writes_of_a_batch_are_in_the_order_of_sending(account: Account, batch: Batch) -> None:
    now = timezone.now()
    made = [write_of(batch, name) for name in "abc"]
    for minutes, write in zip((2, 3, 1), made, strict=True):
        Write.objects.filter(pk=write.pk).update(created_at=now - timedelta(minutes=minutes))
    write_of(batch, "d", settled_at=now)
    write_of(batch, "e", operation="playlists.create")
    write_of(batch_of(account), "f")
    write_of(batch, "g", scope="another")
    assert [write.subject for write in writes.open_writes(batch)] == ["b", "a", "c"]


def test_the_next_video_is_released_after_the_pause_and_no_other(batch: Batch) -> None:
    waiting = [write_of(batch, name) for name in "ab"]
    before = timezone.now()
    writes.release_next(batch, after=timedelta(seconds=30))
    first, second = (Write.objects.get(pk=write.pk).due_at for write in waiting)
    assert first is not None and second is None
    assert timedelta(seconds=30) <= first - before < timedelta(seconds=60)


@pytest.mark.parametrize(("state", "is_released"), [(State.SENDING, False), (State.UNCONFIRMED, True)])
def test_the_next_video_waits_while_one_is_being_sent(batch: Batch, state: State, is_released: bool) -> None:
    write_of(batch, "a", state=state)
    waits = write_of(batch, "b")
    writes.release_next(batch)
    waits.refresh_from_db()
    assert (waits.due_at is not None) is is_released


def test_what_may_still_be_made_is_claimed_and_sent_in_one_call(batch: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    earlier = job("fr", "old", status="ERROR")
    left = answer(monkeypatch, langs=["pt-BR", "de"], jobs=[earlier], created=[job("fr"), job("it", "newer")])
    french, german, italian = (cell_of(batch, lang, reason="tried before") for lang in ("fr", "de", "it"))
    refused = cell_of(batch, "es", status="REFUSED")
    write = write_of(batch)
    with measure_span() as span:
        assert [one.id for one in OPERATION.send(write)] == ["new", "newer"]
    shared = {"type": "TRANSLATION", "video_id": VIDEO, "from_lang": "pt-BR", "tier": "pro"}
    body = [{**shared, "to_lang": "fr"}, {**shared, "to_lang": "it"}]
    assert [(operation, sent) for operation, sent in left if sent is not None] == [(writes.CREATE, body)]
    assert write.after == body
    assert told(german) == ("DROPPED", "target_exists")
    assert told(refused) == ("REFUSED", "")
    assert told(french) == told(italian) == ("SENDING", "")
    assert (french.earlier, italian.earlier) == (["old"], [])
    assert span.holds(french.sending_at)


def test_extra_languages_leave_with_their_transcription(transcription: Batch, monkeypatch: pytest.MonkeyPatch) -> None:
    left = answer(monkeypatch, langs=["de"], created=[job("pt-BR", kind="TRANSCRIPTION")])
    cells = [cell_of(transcription, lang) for lang in ("es", "de", "pt-BR")]
    OPERATION.send(write_of(transcription))
    body = {"type": "TRANSCRIPTION", "video_id": VIDEO, "from_lang": "pt-BR", "tier": "pro"}
    assert left[-1] == (writes.CREATE, {**body, "additional_langs": [{"lang": "es"}]})
    assert states(*cells) == ["SENDING", "DROPPED", "SENDING"]


def test_extra_languages_are_not_made_without_their_transcription(
    transcription: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = answer(monkeypatch, langs=["pt-BR"])
    source, spanish = cell_of(transcription, "pt-BR"), cell_of(transcription, "es")
    ended = cell_of(transcription, "fr", status="REFUSED", reason="no")
    with pytest.raises(NotWanted):
        OPERATION.send(write_of(transcription))
    assert told(source) == ("DROPPED", "source_exists")
    assert told(spanish) == ("DROPPED", "needs_transcription")
    assert told(ended) == ("REFUSED", "no")
    assert writes.CREATE not in dict(left)


REFUSED = errors.Refused("videos.subtitles", 400, "no")


@pytest.mark.parametrize(
    ("langs", "jobs", "status", "message"),
    [
        (REFUSED, (), 400, "no"),
        (("pt-BR",), errors.Refused("ai_workflow.jobs", 422, "nor these"), 422, "nor these"),
        (REFUSED, errors.Refused("ai_workflow.jobs", 422, "nor these"), 400, "no"),
        (("pt-BR",), errors.PlatformDown("ai_workflow.jobs", 500, "down"), 500, "down"),
    ],
)
def test_a_read_that_fails_says_nothing_about_the_call(
    batch: Batch, monkeypatch: pytest.MonkeyPatch, langs: Any, jobs: Any, status: int, message: str
) -> None:
    cell = cell_of(batch, "fr")
    left = answer(monkeypatch, langs=langs, jobs=jobs)
    with pytest.raises(errors.Unreachable) as raised:
        OPERATION.send(write_of(batch))
    error = raised.value
    assert (error.operation, error.status, error.message, error.sent) == (writes.CREATE, status, message, False)
    assert told(cell) == ("PLANNED", "") and writes.CREATE not in dict(left)


@pytest.mark.parametrize(
    "error",
    [
        errors.Missing("ai_workflow.jobs", 404, "gone"),
        errors.RateLimited("ai_workflow.jobs", 429, "slow"),
        errors.BadToken("ai_workflow.jobs", 401, "who"),
    ],
)
def test_a_read_that_is_refused_for_what_the_call_would_be_too_is_told_as_such(
    batch: Batch, monkeypatch: pytest.MonkeyPatch, error: errors.CallError
) -> None:
    cell = cell_of(batch, "fr")
    answer(monkeypatch, jobs=error)
    with pytest.raises(type(error)) as raised:
        OPERATION.send(write_of(batch))
    assert raised.value.operation == "ai_workflow.jobs" and states(cell) == ["PLANNED"]


def test_a_video_whose_subtitles_are_not_told_is_known_by_its_jobs(
    batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = [job("pt-BR", "a", kind="TRANSCRIPTION", status="FINISHED"), job("de", "b", status="FINISHED")]
    answer(monkeypatch, langs=errors.Missing("videos.subtitles", 404, ""), jobs=there, created=[job("fr")])
    cells = [cell_of(batch, "fr"), cell_of(batch, "de")]
    OPERATION.send(write_of(batch))
    assert states(*cells) == ["SENDING", "DROPPED"]


def child_of(account: Account) -> Batch:
    return batch_of(account_of("School", account))


@pytest.mark.parametrize("operation", ["ai_workflow.jobs", writes.CREATE])
def test_a_parent_s_token_that_is_refused_is_not_the_person_s_own(
    account: Account, monkeypatch: pytest.MonkeyPatch, operation: str
) -> None:
    batch = child_of(account)
    cell_of(batch, "fr")
    error = errors.BadToken(operation, 401, "who is this")
    answer(monkeypatch, **{"jobs" if operation == "ai_workflow.jobs" else "created": error})
    with pytest.raises(ParentTokenHeld) as raised:
        OPERATION.send(write_of(batch))
    assert (raised.value.operation, raised.value.status, raised.value.message) == (operation, 401, "who is this")


def test_the_call_of_a_sub_account_has_its_parent_s_token(account: Account, monkeypatch: pytest.MonkeyPatch) -> None:
    tokens: dict[str, str] = {}
    send = Sender.send

    def noted(self: Sender, request: Request, read: Any) -> Any:
        tokens[request.operation] = str(self.token)
        return send(self, request, read)

    answer(monkeypatch, created=[job("fr")])
    send = Sender.send
    monkeypatch.setattr(Sender, "send", noted)
    batch = child_of(account)
    cell_of(batch, "fr")
    OPERATION.send(write_of(batch))
    assert tokens[writes.CREATE] == "token of Studio"


@pytest.mark.parametrize("is_sub_account", [True, False])
def test_a_token_that_cannot_be_read_any_more_is_the_parent_s_only_where_there_is_one(
    account: Account, monkeypatch: pytest.MonkeyPatch, is_sub_account: bool
) -> None:
    batch = child_of(account) if is_sub_account else batch_of(account)
    cell_of(batch, "fr")
    write = write_of(batch)
    answer(monkeypatch)
    Account.objects.filter(pk=account.pk).update(sealed_token="sealed with a key that is gone")
    write = Write.objects.get(pk=write.pk)
    with pytest.raises(errors.BadToken if is_sub_account else Unreadable) as raised:
        writes._call_as_parent(write.owner, lambda platform: platform.ai_workflow.jobs(VIDEO))
    assert isinstance(raised.value, ParentTokenHeld) is is_sub_account
    if is_sub_account:
        assert getattr(raised.value, "operation", "") == writes.CREATE


@pytest.mark.parametrize(
    ("about", "is_left"),
    [
        ({"status": "SENDING"}, True),
        ({"status": "UNCONFIRMED"}, True),
        ({"status": "QUEUE"}, True),  # the platform may not show it yet
        ({"status": "QUEUE", "seconds": 88}, True),
        ({"status": "QUEUE", "seconds": 92}, False),
        ({"status": "FINISHED"}, False),
        ({"status": "REFUSED"}, False),
        ({"status": "QUEUE", "video_id": OTHER_VIDEO}, False),
        ({"status": "SENDING", "video_id": OTHER_VIDEO}, False),
        ({"status": "SENDING", "lang": "it"}, False),
    ],
)
def test_what_another_batch_is_sending_is_left_to_it(
    account: Account, batch: Batch, monkeypatch: pytest.MonkeyPatch, about: dict[str, Any], is_left: bool
) -> None:
    sent_at = timezone.now() - timedelta(seconds=about.pop("seconds", 0))
    theirs = cell_of(batch_of(account), about.pop("lang", "fr"), sending_at=sent_at, **about)
    cell, beside = cell_of(batch, "fr"), cell_of(batch, "es")
    left = answer(monkeypatch, created=[job("es")])
    OPERATION.send(write_of(batch))
    cell.refresh_from_db()
    assert (cell.status, cell.sending_at is None) == (("HELD", True) if is_left else ("SENDING", False))
    assert states(theirs, beside) == [about["status"], "SENDING"]
    assert [one["to_lang"] for one in left[-1][1]] == (["es"] if is_left else ["fr", "es"])


def test_a_transcription_knows_the_transcriptions_of_before(
    transcription: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    there = [job("pt-BR", "old", kind="TRANSCRIPTION", status="ERROR"), job("pt-BR", "other", status="ERROR")]
    answer(monkeypatch, langs=[], jobs=there, created=[job("pt-BR", kind="TRANSCRIPTION")])
    cell = cell_of(transcription, "pt-BR")
    OPERATION.send(write_of(transcription))
    cell.refresh_from_db()
    assert cell.earlier == ["old"]


def test_the_video_is_read_anew_although_an_answer_of_a_moment_ago_is_kept(
    account: Account, batch: Batch, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer(monkeypatch)
    reader = SubtitleReader(account, Reads(account))
    assert reader.reads.get(reader.jobs(VIDEO)) == () and reader.reads.get(reader.subtitles(VIDEO)) == {"pt-br"}
    answer(monkeypatch, langs=["pt-BR", "it"], jobs=[job("fr")])
    cells = [cell_of(batch, "fr"), cell_of(batch, "it")]
    with pytest.raises(NotWanted):
        OPERATION.send(write_of(batch))
    assert states(*cells) == ["DROPPED", "DROPPED"]
