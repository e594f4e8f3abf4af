"""All jobs of one video, whoever sent them, and their poll."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox import clock as sandbox_clock
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Job
from tests.forgetting import forget
from tests.pages import page_of
from tests.subtitles.conftest import Library, SignIn, later, planned, send, transcription
from tests.subtitles.test_live import ask, poll_of

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def jobs_of(video: str) -> str:
    return f"/dashboard/subtitles/videos/{video}/jobs/"


def test_it_lists_what_was_sent_elsewhere_with_what_is_known(owner: Client, library: Library) -> None:
    page = page_of(owner.get(jobs_of(library.rich)))
    assert "Transcription" in page
    assert "The platform says: “The source subtitle has too little text”." in page
    assert "Plan again" in page
    assert "No jobs in progress." in page


def test_a_kind_and_a_state_that_nobody_named_are_shown_as_they_came(owner: Client, library: Library) -> None:
    Job.objects.filter(video_id=library.rich).update(type="DUBBING", outcome="PAUSED", reason="")
    page = page_of(owner.get(jobs_of(library.rich)))
    assert "DUBBING" in page
    assert "The platform says: “PAUSED”." in page


@pytest.mark.parametrize("runs", [6, 60], ids=["began and ended", "is still under way"])
def test_its_poll_is_the_same_address_and_brings_jobs_that_began_since(
    owner: Client, library: Library, clock: Frozen, monkeypatch: pytest.MonkeyPatch, runs: int
) -> None:
    monkeypatch.setattr(
        sandbox_clock, "job_seconds", lambda job: (2, runs if job.version == 5 else 20)
    )  # version 5: the follower
    send(owner, planned(owner, transcription(library.bare, extra=("fr",))))
    where = poll_of(owner.get(jobs_of(library.bare)))
    assert where.startswith(f"{jobs_of(library.bare)}?")
    assert f"list={library.bare}~pt-BR~q" in where
    assert ask(owner, where).status_code == 204
    later(clock, 41)
    answer = ask(owner, where)
    page = page_of(answer)
    assert "Portuguese (Brazil) finished for Visita guiada à fazenda" in page
    assert page.count('hx-swap-oob="afterbegin:#job-list"') == 1, "the extra language has become a job of its own"
    listed = page_of(owner.get(jobs_of(library.bare)))
    assert page.count('<li class="job is-') == listed.count('<li class="job is-') == 2
    if runs == 60:
        where = poll_of(answer)
        assert ask(owner, where).status_code == 204, "what was brought is not brought again"
        later(clock, 60)
        answer = ask(owner, where)
    assert '<div id="live-poll"></div>' in page_of(answer)


def test_a_video_without_jobs_says_so(owner: Client, library: Library) -> None:
    assert "No AI subtitles have been requested for this video." in page_of(owner.get(jobs_of(library.bare)))


@pytest.mark.parametrize("video", ["foreign", "none", "nonsense"])
def test_another_accounts_video_is_nowhere(owner: Client, library: Library, video: str) -> None:
    ids = {"foreign": library.foreign, "none": "00000000-0000-4000-8000-000000000000", "nonsense": "x"}
    assert owner.get(jobs_of(ids[video])).status_code == 404


@pytest.mark.parametrize(
    ("status", "sentence"), [(500, "trouble of its own"), (403, "may not do that"), (429, "Too many requests")]
)
def test_jobs_that_cannot_be_read_are_said_so(
    owner: Client, library: Library, faults: ModuleType, status: int, sentence: str
) -> None:
    faults.set("ai_workflow.jobs", status=status)
    response = owner.get(jobs_of(library.rich))
    assert response.status_code == 200
    assert sentence in page_of(response)


def test_when_not_even_the_video_can_be_read_the_page_says_why(
    owner: Client, library: Library, faults: ModuleType
) -> None:
    faults.set("*", status=500)
    response = owner.get(jobs_of(library.rich))
    assert response.status_code == 502
    assert "The platform has trouble of its own." in page_of(response)


def test_a_refused_token_leads_to_sign_in(owner: Client, library: Library, faults: ModuleType) -> None:
    faults.set("*", status=401)
    assert owner.get(jobs_of(library.rich))["Location"].startswith("/sign-in/")


def test_signed_out_people_sign_in_first(library: Library) -> None:
    assert Client().get(jobs_of(library.rich))["Location"].startswith("/sign-in/?next=")


def test_a_sub_accounts_jobs_are_read_with_its_parents_token(
    sign_in: SignIn, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    school = sign_in("sub_account", parent="owner")
    page = page_of(school.get(jobs_of(cast["videos"]["of_sub_account"])))
    assert "with the token of the parent account “Account owner”" in page
    forget()
    stranger = sign_in("trial")
    assert stranger.get(jobs_of(cast["videos"]["of_sub_account"])).status_code == 404
