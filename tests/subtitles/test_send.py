"""Sending: one request a video, never the same twice, and what was not a clear yes is read before anything is said."""

from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from threading import Barrier
from types import ModuleType
from typing import Any

import pytest
from django.db import IntegrityError, connections, transaction
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Job, Subtitle, Token
from dashboard.subtitles import rules
from dashboard.subtitles.models import PlannedCell
from dashboard.writes.models import State, Write
from tests.due import run_due
from tests.forgetting import forget
from tests.moments import hurry
from tests.pages import page_of
from tests.subtitles.conftest import (
    Library,
    SignIn,
    address,
    failed_job,
    planned,
    send,
    statuses,
    transcription,
    translation,
    upstream,
)

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
NEW = [("TRANSLATION", "pt-BR", "fr"), ("TRANSLATION", "pt-BR", "it")]


def new_jobs(video: str) -> list[tuple[str, str, str]]:
    """The translations that the platform has for a video that had none."""
    return sorted(job for job in upstream(video) if job[0] == "TRANSLATION")


def test_each_video_is_one_request_and_is_written_into_the_activity(owner: Client, library: Library) -> None:
    batch = planned(owner, translation(library.source_only, library.second))
    response = send(owner, batch)
    assert (response.status_code, response["Location"]) == (302, address(batch))
    assert new_jobs(library.source_only) == new_jobs(library.second) == NEW
    entries = Entry.objects.filter(operation="ai_workflow.create").order_by("label")
    assert [entry.label for entry in entries] == ["Aula 10. O primeiro estalo: fr, it", "Meet Joaquim: fr, it"]
    assert {entry.outcome for entry in entries} == {"done"}


def test_a_transcription_with_its_extra_languages_is_one_object(owner: Client, library: Library) -> None:
    batch = planned(owner, transcription(library.bare, extra=("fr", "es")))
    send(owner, batch)
    job = Job.objects.get(video_id=library.bare, settled=False)
    assert (job.type, job.from_lang, job.additional_langs) == ("TRANSCRIPTION", "pt-BR", ["fr", "es"])


class TestNeverTwice:
    def test_pressing_twice_sends_once(self, owner: Client, library: Library) -> None:
        batch = planned(owner, translation(library.source_only))
        send(owner, batch)
        send(owner, batch)
        assert new_jobs(library.source_only) == NEW
        assert Entry.objects.filter(operation="ai_workflow.create").count() == 1

    def test_pressing_again_after_everything_has_ended_sends_nothing(self, owner: Client, library: Library) -> None:
        batch = planned(owner, translation(library.source_only))
        send(owner, batch)
        Job.objects.all().delete()
        forget()
        send(owner, batch)
        assert new_jobs(library.source_only) == []

    def test_two_tabs_with_the_same_plan_send_once(self, owner: Client, library: Library) -> None:
        first, second = (planned(owner, translation(library.source_only)) for _tab in range(2))
        send(owner, first)
        send(owner, second)
        assert new_jobs(library.source_only) == NEW
        assert set(statuses(second).values()) == {"DROPPED"}
        assert "Subtitles in this language are being made already." in page_of(owner.get(address(second)))

    @pytest.mark.parametrize(("seconds", "is_left"), [(0, True), (88, True), (92, False)])
    def test_what_somebody_else_has_just_sent_is_left_to_them_until_the_platform_shows_it(
        self, owner: Client, library: Library, seconds: int, is_left: bool
    ) -> None:
        batch, other = (planned(owner, translation(library.source_only)) for _tab in range(2))
        sent_at = timezone.now() - timedelta(seconds=seconds)
        PlannedCell.objects.filter(batch=other, lang="fr").update(status="QUEUE", sending_at=sent_at)
        send(owner, batch)
        assert (statuses(batch)["Meet Joaquim", "fr"] == "HELD") is is_left
        assert new_jobs(library.source_only) == (NEW[1:] if is_left else NEW)
        assert ("Not sent: someone else was sending the same job." in page_of(owner.get(address(batch)))) is is_left

    @pytest.mark.parametrize("status", ["ERROR", "REFUSED"])
    def test_what_has_just_failed_for_somebody_else_can_be_sent_at_once(
        self, owner: Client, library: Library, status: str
    ) -> None:
        batch, other = (planned(owner, translation(library.source_only)) for _tab in range(2))
        PlannedCell.objects.filter(batch=other).update(status=status, sending_at=timezone.now())
        send(owner, batch)
        assert new_jobs(library.source_only) == NEW

    def test_of_two_that_send_at_the_same_moment_the_database_lets_one(self, owner: Client, library: Library) -> None:
        first, second = (planned(owner, translation(library.source_only, to=("fr",))) for _tab in range(2))
        PlannedCell.objects.filter(batch=first).update(status="SENDING", sending_at=timezone.now())
        with pytest.raises(IntegrityError), transaction.atomic():
            PlannedCell.objects.filter(batch=second).update(status="SENDING")
        send(owner, second)
        assert statuses(second)["Meet Joaquim", "fr"] == "HELD"
        assert new_jobs(library.source_only) == []

    def test_what_was_refused_can_be_sent_again_at_once(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        batch = planned(owner, translation(library.source_only, to=("fr",)))
        faults.set("ai_workflow.create", status=403)
        send(owner, batch)
        faults.clear()
        again = planned(owner, translation(library.source_only, to=("fr",)))
        send(owner, again)
        assert new_jobs(library.source_only) == NEW[:1]


class TestRefused:
    @pytest.mark.parametrize(
        ("status", "sentence"),
        [
            (400, "The platform refused."),
            (403, "This account may not do that."),
            (404, "It was not found on the platform, or it belongs to another account."),
            (418, "The platform refused."),
        ],
    )
    def test_a_refusal_is_told_cell_by_cell_and_the_other_videos_go_on(
        self, owner: Client, library: Library, faults: ModuleType, status: int, sentence: str
    ) -> None:
        batch = planned(owner, translation(library.source_only, library.second))
        faults.set("ai_workflow.create", status=status, times=1)
        send(owner, batch)
        assert statuses(batch) == {
            ("Meet Joaquim", "fr"): "REFUSED",
            ("Meet Joaquim", "it"): "REFUSED",
            ("Aula 10. O primeiro estalo", "fr"): "QUEUE",
            ("Aula 10. O primeiro estalo", "it"): "QUEUE",
        }
        page = owner.get(address(batch))
        assert sentence in page_of(page)
        assert "Plan 2 jobs again" in page_of(page)

    def test_a_known_sentence_of_the_platform_becomes_ours(
        self, owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        batch = planned(owner, translation(library.source_only, to=("fr",)))
        monkeypatch.setattr(rules, "rejection_reason", lambda *about: None)
        Subtitle.objects.create(video_id=library.source_only, lang="fr", label="fr", vtt="WEBVTT")
        send(owner, batch)
        page = page_of(owner.get(address(batch)))
        assert "The video already has subtitles in that language." in page
        assert "Delete them on the platform first if they must be made again." in page

    def test_what_changed_since_the_dry_run_is_not_sent(self, owner: Client, library: Library) -> None:
        batch = planned(owner, translation(library.source_only))
        Subtitle.objects.create(video_id=library.source_only, lang="fr", label="fr", vtt="WEBVTT")
        send(owner, batch)
        assert statuses(batch) == {("Meet Joaquim", "fr"): "DROPPED", ("Meet Joaquim", "it"): "QUEUE"}
        assert new_jobs(library.source_only) == NEW[1:]

    @pytest.mark.parametrize(
        ("fault", "sentence"),
        [
            ({"status": 429, "retry_after": 40}, "Too many requests."),
            ({"broken": "refused"}, "The platform cannot be reached right now."),
        ],
    )
    @pytest.mark.parametrize("by_hand", [True, False])
    def test_what_certainly_did_not_arrive_waits_and_is_sent_later_with_no_page_open(
        self, owner: Client, library: Library, faults: ModuleType, fault: dict[str, Any], sentence: str, by_hand: bool
    ) -> None:
        batch = planned(owner, translation(library.source_only, library.second))
        faults.set("ai_workflow.create", **fault)
        send(owner, batch)
        assert set(statuses(batch).values()) == {"PLANNED"}
        page = page_of(owner.get(address(batch)))
        assert sentence in page
        assert "4 jobs are waiting and will be sent automatically." in page
        assert "data-poll" in page, "the page shows by itself when they have left"
        faults.clear()
        if by_hand:
            send(owner, batch)
        else:
            run_due(60)  # the first video leaves
            run_due()  # and with it the second one was released
        assert new_jobs(library.source_only) == new_jobs(library.second) == NEW
        assert set(Entry.objects.values_list("outcome", flat=True)) == {"done"}

    def test_a_video_that_cannot_be_read_just_before_is_not_sent(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        batch = planned(owner, translation(library.source_only))
        faults.set("ai_workflow.jobs", status=500)
        send(owner, batch)
        faults.clear()
        assert set(statuses(batch).values()) == {"PLANNED"}
        assert new_jobs(library.source_only) == []
        assert Write.objects.get().state == State.HELD, "a read that failed says nothing about the call"
        run_due(10)
        assert new_jobs(library.source_only) == NEW


class TestNoClearAnswer:
    @pytest.mark.parametrize("how", ["lost", "stalls"])
    def test_what_was_accepted_is_found_by_reading_and_not_sent_again(
        self, owner: Client, library: Library, faults: ModuleType, clock: Frozen, how: str
    ) -> None:
        batch = planned(owner, translation(library.source_only))
        faults.set("ai_workflow.create", broken=how, times=1)
        send(owner, batch)
        assert set(statuses(batch).values()) == {"UNCONFIRMED"}, "the request does not wait for a read"
        run_due(3)
        assert Write.objects.get().state == State.DONE
        assert Entry.objects.get().outcome == "done"
        assert set(statuses(batch).values()) <= {"QUEUE", "RUNNING", "FINISHED"}
        assert all(PlannedCell.objects.filter(batch=batch).exclude(job_id="").values_list("job_id", flat=True))
        send(owner, batch)
        assert new_jobs(library.source_only) == NEW

    @pytest.mark.parametrize("fault", [{"broken": "dropped"}, {"broken": "hangs"}, {"status": 500}, {"status": 502}])
    def test_what_is_not_there_is_not_confirmed_at_first_and_missing_after_a_minute(
        self, owner: Client, library: Library, faults: ModuleType, clock: Frozen, fault: dict[str, Any]
    ) -> None:
        batch = planned(owner, translation(library.source_only))
        faults.set("ai_workflow.create", **fault, times=1)
        send(owner, batch)
        assert set(statuses(batch).values()) == {"UNCONFIRMED"}
        page = owner.get(address(batch))
        assert "The platform didn't answer for 2 jobs." in page_of(page)
        assert page.context["again"] == "", "what may still arrive is not offered"
        run_due(50)
        assert set(statuses(batch).values()) == {"UNCONFIRMED"}
        run_due(30)
        assert Entry.objects.get().outcome == "refused"
        offered = page_of(owner.get(address(batch)))
        assert set(statuses(batch).values()) == {"MISSING"}
        assert "Plan 2 jobs again" in offered
        assert new_jobs(library.source_only) == []

    def test_job_of_before_is_not_taken_for_the_one_whose_answer_was_lost(
        self, owner: Client, library: Library, faults: ModuleType, clock: Frozen
    ) -> None:
        earlier = failed_job(library.source_only, "fr", clock.now())
        batch = planned(owner, translation(library.source_only, to=("fr",), again=f"{library.source_only}.fr"))
        faults.set("ai_workflow.create", broken="dropped", times=1)
        send(owner, batch)
        run_due(80)
        cell = PlannedCell.objects.get(batch=batch)
        assert (cell.status, cell.job_id) == ("MISSING", "")
        assert Entry.objects.get().outcome == "refused"
        assert [str(job.pk) for job in Job.objects.filter(video_id=library.source_only, to_lang="fr")] == [earlier]

    def test_language_without_a_new_job_stays_unconfirmed_although_an_earlier_job_is_there(
        self, owner: Client, library: Library, faults: ModuleType, clock: Frozen
    ) -> None:
        failed_job(library.source_only, "it", clock.now())
        batch = planned(owner, translation(library.source_only, again=f"{library.source_only}.it"))
        faults.set("ai_workflow.create", broken="lost", times=1)
        send(owner, batch)
        Job.objects.filter(video_id=library.source_only, to_lang="it", settled=False).delete()
        run_due(3)
        cells = {cell.lang: cell for cell in PlannedCell.objects.filter(batch=batch)}
        assert cells["fr"].job_id and not cells["it"].job_id
        assert cells["it"].status == "UNCONFIRMED"

    def test_only_what_is_missing_is_offered_again(self, owner: Client, library: Library, faults: ModuleType) -> None:
        batch = planned(owner, translation(library.source_only, library.second))
        faults.set("ai_workflow.create", status=500, times=1)
        send(owner, batch)
        run_due(90)
        again = owner.get(address(batch)).context["again"]
        rows = owner.get(again).context["coverage"].matrix.rows
        ticked = {row.title for row in rows if any(cell.checked for cell in row.cells)}
        assert ticked == {"Meet Joaquim"}

    def test_what_may_still_arrive_cannot_be_sent_by_another_plan(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        batch = planned(owner, translation(library.source_only, to=("fr",)))
        other = planned(owner, translation(library.source_only, to=("fr",), again=f"{library.source_only}.fr"))
        faults.set("ai_workflow.create", broken="dropped", times=1)
        send(owner, batch)
        send(owner, other)
        assert statuses(other)["Meet Joaquim", "fr"] == "HELD"
        assert new_jobs(library.source_only) == []

    def test_a_platform_that_answers_nothing_is_not_asked_video_after_video(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        batch = planned(owner, translation(library.source_only, library.second))
        faults.set("ai_workflow.create", broken="dropped", times=1)
        send(owner, batch)
        assert sorted(set(statuses(batch).values())) == ["PLANNED", "UNCONFIRMED"]
        run_due(20)
        assert new_jobs(library.second) == []
        run_due(15)
        assert new_jobs(library.second) == NEW, "after a pause the worker goes on with the next video"

    def test_a_transcription_whose_answer_was_lost_takes_its_extra_languages_along(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        batch = planned(owner, transcription(library.bare, extra=("fr",)))
        faults.set("ai_workflow.create", broken="lost", times=1)
        send(owner, batch)
        run_due(3)
        assert sorted(statuses(batch).values()) == ["QUEUE", "WAITING"]


class TestToken:
    def test_a_refused_token_leads_to_sign_in_and_what_was_not_sent_stays_planned(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        batch = planned(owner, translation(library.source_only, library.second))
        faults.set("ai_workflow.create", status=401)
        response = send(owner, batch)
        assert response["Location"].startswith("/sign-in/?next=")
        assert "refused=" in response["Location"]
        assert set(statuses(batch).values()) == {"PLANNED"}
        faults.clear()
        assert "Send it now" not in page_of(owner.get("/dashboard/subtitles/"))
        send(owner, batch)
        assert set(statuses(batch).values()) == {"QUEUE"}

    def test_a_sub_account_sends_and_watches_with_its_parents_token(
        self, sign_in: SignIn, cast: dict[str, Any], faults: ModuleType
    ) -> None:
        school = sign_in("sub_account", parent="owner")
        video = cast["videos"]["of_sub_account"]
        form = translation(video, to=("fr",))
        batch = planned(school, form) if Subtitle.objects.filter(video_id=video, lang="pt-BR").exists() else None
        batch = batch or planned(school, transcription(video))
        Token.objects.filter(value=cast["tokens"]["owner"]).update(value="renewed")
        send(school, batch)
        page = page_of(school.get(address(batch)))
        assert "The platform no longer accepts the token of the parent account" in page
        assert set(statuses(batch).values()) == {"PLANNED"}
        Token.objects.filter(value="renewed").update(value=cast["tokens"]["owner"])
        send(school, batch)
        assert set(statuses(batch).values()) == {"QUEUE"}


def test_a_parents_token_whose_key_is_gone_is_told_like_a_refused_one(sign_in: SignIn, cast: dict[str, Any]) -> None:
    school = sign_in("sub_account", parent="owner")
    Account.objects.filter(name="Account owner").update(sealed_token="sealed with a key that is gone")
    page = page_of(school.get(f"/dashboard/subtitles/videos/{cast['videos']['of_sub_account']}/jobs/"))
    assert "The platform no longer accepts the token of the parent account “Account owner”." in page


def test_a_sending_that_takes_too_long_for_one_request_is_finished_by_the_worker(
    owner: Client, library: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = planned(owner, translation(library.source_only, library.second))
    hurry(monkeypatch, "dashboard.subtitles.writes")
    send(owner, batch)
    assert "2 jobs are waiting and will be sent automatically." in page_of(owner.get(address(batch)))
    run_due()
    assert set(statuses(batch).values()) == {"QUEUE"}
    assert new_jobs(library.source_only) == new_jobs(library.second) == NEW


def test_reading_a_batch_never_sends_it(owner: Client, library: Library) -> None:
    batch = planned(owner, translation(library.source_only))
    assert owner.get(f"{address(batch)}send/")["Location"] == address(batch)
    owner.get(address(batch))
    assert new_jobs(library.source_only) == []


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_eight_presses_at_the_same_moment_in_two_tabs_send_once(owner: Client, library: Library) -> None:
    tabs = [planned(owner, translation(library.source_only, library.second)) for _tab in range(2)]
    start = Barrier(8)

    def press(number: int) -> int:
        browser = Client()
        browser.cookies = owner.cookies
        start.wait()
        try:
            return send(browser, tabs[number % 2]).status_code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(8) as people:
        assert set(people.map(press, range(8))) == {302}
    assert new_jobs(library.source_only) == new_jobs(library.second) == NEW
    assert not PlannedCell.objects.filter(status__in=["PLANNED", "SENDING", "UNCONFIRMED"]).exists()
