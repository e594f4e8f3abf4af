"""What became of what was sent: only a reading is believed, and never an old job for a new one."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from dashboard.platform_api.ai_workflow import Job
from dashboard.subtitles import rules
from dashboard.subtitles.rules import ParentCell, SentCell, Status, VideoState

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


def job(status: str = "RUNNING", kind: str = "TRANSLATION", to: str | None = "fr", id: str = "new") -> Job:
    return Job(id, "v", kind, status, "pt-BR", to, {}, NOW)


def sent(status: str = "UNCONFIRMED", **more: Any) -> SentCell:
    values: dict[str, Any] = dict(kind="TRANSLATION", lang="fr", job_id="", earlier=frozenset({"old"}), sending_at=NOW)  # noqa: C408
    values.update(more)
    return SentCell(status=status, **values)


def after(
    seconds: float, cell: SentCell, *jobs: Job, have: tuple[str, ...] = (), parent: ParentCell | None = None
) -> str:
    return rules.cell_outcome(cell, VideoState(frozenset(have), jobs), NOW + timedelta(seconds=seconds), parent).status


@pytest.mark.parametrize("status", ["QUEUE", "RUNNING", "FINISHED", "ERROR", "SKIPPED", "PAUSED"])
def test_a_cell_is_as_its_job_is(status: str) -> None:
    assert after(1, sent("QUEUE", job_id="new"), job(status)) == status


def test_an_answer_that_never_came_is_made_good_by_the_job_that_is_there() -> None:
    found = rules.cell_outcome(sent(), VideoState(frozenset(), (job("QUEUE"),)), NOW)
    assert (found.status, found.job_id) == ("QUEUE", "new")


def test_a_job_of_before_is_not_taken_for_the_one_that_was_sent() -> None:
    assert after(1, sent(), job("ERROR", id="old")) == Status.UNCONFIRMED


@pytest.mark.parametrize(("seconds", "status"), [(0, "UNCONFIRMED"), (60, "UNCONFIRMED"), (61, "MISSING")])
def test_it_is_missing_only_when_the_platform_still_shows_nothing_after_a_minute(seconds: int, status: str) -> None:
    assert after(seconds, sent()) == status
    assert after(seconds, sent("SENDING")) == status.replace("UNCONFIRMED", "SENDING")


def test_subtitles_that_appeared_prove_it_without_any_job() -> None:
    assert after(300, sent(), have=("fr",)) == Status.FINISHED


def test_jobs_that_could_not_be_read_change_nothing() -> None:
    unread = VideoState(frozenset({"fr"}), None)
    assert rules.cell_outcome(sent(), unread, NOW + timedelta(days=1)).status == Status.UNCONFIRMED


@pytest.mark.parametrize("status", sorted(rules.NOT_SENT | rules.ENDED))
def test_what_is_settled_stays_so(status: str) -> None:
    assert after(1, sent(status), job("RUNNING")) == status


def test_a_transcription_and_a_translation_of_one_language_are_not_confused() -> None:
    spoken = job(kind="TRANSCRIPTION", to=None)
    assert after(1, sent(lang="pt-BR", kind="TRANSCRIPTION"), spoken) == "RUNNING"
    assert after(1, sent(lang="pt-BR"), spoken) == Status.UNCONFIRMED


class TestExtraLanguages:
    waiting = staticmethod(lambda: sent("WAITING", kind="EXTRA"))

    @pytest.mark.parametrize("parent", ["QUEUE", "RUNNING", "FINISHED"])
    def test_it_waits_for_its_transcription_and_a_while_after_it(self, parent: str) -> None:
        assert after(5, self.waiting(), parent=ParentCell(parent, NOW)) == Status.WAITING

    def test_its_own_job_counts_as_soon_as_there_is_one(self) -> None:
        assert after(5, self.waiting(), job("QUEUE"), parent=ParentCell("FINISHED", NOW)) == "QUEUE"

    @pytest.mark.parametrize("parent", ["ERROR", "SKIPPED"])
    def test_it_is_skipped_when_its_transcription_brought_nothing(self, parent: str) -> None:
        assert after(5, self.waiting(), parent=ParentCell(parent, NOW)) == Status.SKIPPED

    @pytest.mark.parametrize("parent", ["REFUSED", "MISSING"])
    def test_it_never_left_when_its_transcription_did_not(self, parent: str) -> None:
        assert after(5, self.waiting(), parent=ParentCell(parent, NOW)) == parent

    @pytest.mark.parametrize(("seconds", "status"), [(600, "WAITING"), (601, "MISSING")])
    def test_it_is_missing_when_nothing_came_ten_minutes_after(self, seconds: int, status: str) -> None:
        assert after(seconds, self.waiting(), parent=ParentCell("FINISHED", NOW)) == status


def test_a_tally_counts_what_left_what_ended_and_what_is_in_doubt() -> None:
    count = rules.tally(["PLANNED", "REFUSED", "QUEUE", "UNCONFIRMED", "FINISHED", "ERROR", "WAITING"])
    assert (count.sent, count.ended, count.planned, count.unsent, count.doubtful, count.again) == (5, 2, 1, 1, 1, 2)
