"""A batch's page: before it is sent, exactly what would leave; after, how far it has come."""

import json
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.activity.models import Entry
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import Subtitle
from dashboard.subtitles.models import PlannedCell
from tests.forgetting import forget
from tests.pages import page_of
from tests.subtitles.conftest import (
    PLANNER,
    Library,
    SignIn,
    address,
    later,
    planned,
    send,
    statuses,
    transcription,
    translation,
    upstream,
)

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


class TestDryRun:
    def test_it_says_what_will_be_sent_and_whose_credits_it_uses_and_sends_nothing(
        self, owner: Client, library: Library
    ) -> None:
        batch = planned(owner, translation(library.source_only, library.second))
        page = page_of(owner.get(address(batch)))
        assert "Send 4 jobs?" in page
        assert "2 requests, one for each video" in page
        assert "French, fr; Italian, it" in page
        assert "Each job uses AI credits of “Account owner”." in page
        assert "A job can't be cancelled after it is sent" in page
        assert upstream(library.source_only) == []

    @pytest.mark.parametrize("kind", [translation, transcription])
    def test_the_request_it_shows_is_the_request_that_leaves(self, owner: Client, library: Library, kind: Any) -> None:
        video = library.source_only if kind is translation else library.bare
        batch = planned(owner, kind(video))
        shown = json.loads(owner.get(address(batch)).context["videos"][0][1].body)
        send(owner, batch)
        assert Entry.objects.get(operation="ai_workflow.create").after == shown

    def test_no_token_is_in_it(self, owner: Client, library: Library, cast: dict[str, Any]) -> None:
        page = page_of(owner.get(address(planned(owner, translation(library.source_only)))))
        assert cast["tokens"]["owner"] not in page

    def test_what_changed_since_the_plan_stays_out_with_its_reason(self, owner: Client, library: Library) -> None:
        batch = planned(owner, translation(library.source_only))
        Subtitle.objects.create(video_id=library.source_only, lang="fr", label="fr", vtt="WEBVTT")
        forget()
        page = owner.get(address(batch))
        assert "Send 1 job<" in page_of(page)
        assert [(cell.language, reason) for cell, reason in page.context["dropped"]] == [
            ("French", "The video already has subtitles in this language.")
        ]

    def test_the_way_back_holds_the_plan(self, owner: Client, library: Library) -> None:
        batch = planned(owner, translation(library.source_only, tier="advanced"))
        back = owner.get(f"{PLANNER}?{owner.get(address(batch)).context['batch'].plan}")
        assert "Check 2 jobs" in page_of(back)

    def test_when_the_platform_is_down_it_says_so_and_offers_nothing_to_send(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        batch = planned(owner, translation(library.source_only))
        forget()
        faults.set("ai_workflow.jobs", status=500)
        response = owner.get(address(batch))
        assert response.status_code == 200
        assert "The platform has trouble of its own." in page_of(response)
        assert "/send/" not in page_of(response)


class TestSent:
    def test_it_is_remembered_with_its_time_its_sender_and_its_tier(
        self, owner: Client, sign_in: SignIn, library: Library
    ) -> None:
        batch = planned(owner, translation(library.source_only, library.second))
        send(owner, batch)
        mine = page_of(owner.get(address(batch)))
        assert "Meet Joaquim and 1 more to fr, it" in mine
        assert "by you, tier Pro" in mine
        assert "0 of 4 ended" in mine
        assert "by Ana, tier Pro" in page_of(sign_in(person="Bruno").get(address(batch)))

    def test_every_cell_is_followed_to_its_end(self, owner: Client, library: Library, clock: Frozen) -> None:
        batch = planned(owner, translation(library.source_only, to=("fr", "sw", "ta")))
        send(owner, batch)
        assert set(statuses(batch).values()) == {"QUEUE"}
        later(clock, 60)
        page = page_of(owner.get(address(batch)))
        assert statuses(batch) == {
            ("Meet Joaquim", "fr"): "FINISHED",
            ("Meet Joaquim", "sw"): "ERROR",
            ("Meet Joaquim", "ta"): "SKIPPED",
        }
        assert "3 of 3 ended" in page
        assert "The platform says: “The translation could not be completed”." in page
        assert "data-poll" not in page.split("<main")[1], "there is nothing left to wait for"

    def test_extra_languages_are_followed_after_their_transcription(
        self, owner: Client, library: Library, clock: Frozen
    ) -> None:
        batch = planned(owner, transcription(library.bare, extra=("fr",)))
        send(owner, batch)
        assert statuses(batch)["Visita guiada à fazenda", "fr"] == "WAITING"
        later(clock, 41)
        owner.get(address(batch))
        assert statuses(batch)["Visita guiada à fazenda", "pt-BR"] == "FINISHED"
        later(clock, 41)
        owner.get(address(batch))
        assert statuses(batch)["Visita guiada à fazenda", "fr"] == "FINISHED"

    def test_extra_languages_of_a_transcription_that_brought_nothing_say_why(
        self, owner: Client, cast: dict[str, Any], clock: Frozen
    ) -> None:
        batch = planned(owner, transcription(cast["videos"]["silent"], extra=("fr",)))
        send(owner, batch)
        later(clock, 60)
        page = page_of(owner.get(address(batch)))
        assert set(statuses(batch).values()) == {"SKIPPED"}
        assert "The platform says: “No speech was found in the audio”." in page
        assert "The transcription it needs did not finish." in page

    def test_what_did_not_work_out_is_offered_again_exactly(
        self, owner: Client, library: Library, clock: Frozen
    ) -> None:
        batch = planned(owner, translation(library.source_only, to=("fr", "sw")))
        send(owner, batch)
        later(clock, 60)
        page = owner.get(address(batch))
        assert "Plan 1 job again" in page_of(page)
        assert "Check 1 job" in page_of(owner.get(page.context["again"]))

    def test_no_time_is_told_that_nobody_saw(self, owner: Client, library: Library, clock: Frozen) -> None:
        batch = planned(owner, translation(library.source_only, to=("fr",)))
        send(owner, batch)
        later(clock, 6)
        owner.get(address(batch))
        cell = PlannedCell.objects.get(batch=batch)
        assert (cell.status, cell.started_at is not None, cell.ended_at) == ("RUNNING", True, None)
        assert "Running since about" in page_of(owner.get(address(batch)))


@pytest.mark.parametrize("path", ["", "send/"])
def test_another_accounts_batch_is_nowhere(owner: Client, sign_in: SignIn, library: Library, path: str) -> None:
    batch = planned(owner, translation(library.source_only))
    stranger = sign_in("trial")
    where = f"{address(batch)}{path}"
    assert (stranger.post(where) if path else stranger.get(where)).status_code == 404
    assert statuses(batch)["Meet Joaquim", "fr"] == "PLANNED"


def test_signed_out_people_sign_in_first(owner: Client, library: Library) -> None:
    batch = planned(owner, translation(library.source_only))
    assert Client().get(address(batch))["Location"].startswith("/sign-in/?next=")


def test_a_sent_batch_can_be_read_while_the_platform_is_down(
    owner: Client, library: Library, faults: ModuleType
) -> None:
    batch = planned(owner, translation(library.source_only))
    send(owner, batch)
    faults.set("*", status=500)
    response = owner.get(address(batch))
    assert response.status_code == 200
    assert "0 of 2 ended" in page_of(response)
