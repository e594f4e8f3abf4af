"""The planner's form: shown again with everything in the address, or checked, with each refusal at its field."""

from types import ModuleType
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from dashboard.subtitles.forms import PlanForm
from dashboard.subtitles.models import Batch, PlannedCell
from tests.pages import page_of
from tests.subtitles.conftest import (
    PLAN,
    PLANNER,
    Library,
    list_checked,
    planned,
    statuses,
    transcription,
    translation,
    upstream,
)

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
HTMX = {"HX-Request": "true"}


def shown(client: Client, form: dict[str, Any]) -> str:
    """Where the form leads when it is only shown again."""
    response = client.post(PLAN, {**{k: v for k, v in form.items() if k != "check"}, "show": "1"})
    assert response.status_code == 302
    return response["Location"]


def test_showing_it_again_leads_to_an_address_with_everything_in_it(owner: Client, library: Library) -> None:
    where = shown(owner, translation(library.source_only, q="aula", tier="advanced"))
    assert where == (
        f"{PLANNER}?q=aula&type=TRANSLATION&tier=advanced&from_lang=pt-BR&to_lang=fr&to_lang=it"
        f"&video={library.source_only}#coverage"
    )


def test_a_cell_that_was_unticked_stays_unticked(owner: Client, library: Library) -> None:
    video = library.source_only
    form = translation(video, offered=f"{video}.fr.it", cell=f"{video}.it")
    where = shown(owner, form)
    assert f"&not={video[:8]}.fr" in where
    assert "Check 1 job" in page_of(owner.get(where))
    assert f"&not={video[:8]}.fr" in shown(
        owner, translation(video, left=f"{video}.fr", cell=f"{video}.it", offered=f"{video}.it")
    )


def test_a_cell_that_was_unticked_can_be_ticked_again(library: Library) -> None:
    video = library.source_only
    source = QueryDict(f"video={video}&to_lang=fr&from_lang=pt-BR&left={video}.fr&cell={video}.fr")
    assert PlanForm(source, person_sent=True).plan_request.choice.left_out == frozenset()


def test_a_single_cell_comes_along_and_a_language_that_is_taken_away_takes_its_cells(library: Library) -> None:
    video, other = library.source_only, library.second
    source = QueryDict(
        f"video={video}&to_lang=it&from_lang=pt-BR&offered={video}.fr.it&cell={video}.fr&cell={video}.it&cell={other}.sv"
    )
    choice = PlanForm(source, person_sent=True).plan_request.choice
    assert choice.also == frozenset({(other, "sv")})
    assert choice.left_out == frozenset()


def test_another_search_or_folder_begins_at_its_first_page(owner: Client) -> None:
    assert "page=3" in shown(owner, {"q": "aula", "page": "3", "of": "|aula"})
    assert "page=" not in shown(owner, {"q": "café", "page": "3", "of": "|aula"})


def test_with_script_a_changed_setting_brings_the_table_and_puts_everything_in_the_address(
    owner: Client, library: Library
) -> None:
    form = translation(library.source_only)
    del form["check"]
    response = owner.post(PLAN, form, headers=HTMX)
    page = page_of(response)
    assert response["HX-Replace-Url"].startswith(f"{PLANNER}?type=TRANSLATION&tier=pro&from_lang=pt-BR&to_lang=fr")
    assert page.lstrip().startswith('<section class="panel" id="coverage"')
    assert "Check 2 jobs" in page
    assert 'name="to_lang"' not in page, "no field is replaced"


def test_with_script_a_rule_that_is_broken_is_said_at_its_field_at_once(owner: Client, library: Library) -> None:
    form = translation(library.source_only, from_lang="fr", tier="essential")
    del form["check"]
    page = page_of(owner.post(PLAN, form, headers=HTMX))
    assert "Essential doesn't support this language. Choose pt-BR, es or en, or use Pro or Advanced." in page
    assert "data-error-summary" not in page, "nothing takes the focus while a person is choosing"


def test_ticking_a_cell_changes_the_count_and_asks_the_platform_nothing(owner: Client, faults: ModuleType) -> None:
    faults.set("*", status=500)
    response = owner.post(PLAN, {"part": "count", "cell": ["a.fr", "b.de"], "again": "c.it"}, headers=HTMX)
    assert "Check 3 jobs" in page_of(response)
    assert response["HX-Replace-Url"].endswith("also=a.fr&also=b.de&also=c.it")


class TestChecking:
    def test_it_keeps_the_plan_and_leads_to_its_dry_run(self, owner: Client, library: Library) -> None:
        batch = planned(owner, translation(library.source_only, library.bare, library.rich, to=("fr", "de")))
        assert statuses(batch) == {
            ("Meet Joaquim", "fr"): "PLANNED",
            ("Meet Joaquim", "de"): "PLANNED",
            ("How we roast", "fr"): "PLANNED",
        }, "one video is blocked, one language is there already"
        assert (batch.actor, batch.tier, batch.from_lang, batch.sent_at) == ("Ana", "pro", "pt-BR", None)
        assert upstream(library.source_only) == [], "nothing was sent"

    def test_a_transcription_keeps_its_extra_languages_beside_it(self, owner: Client, library: Library) -> None:
        batch = planned(owner, transcription(library.bare, extra=("es", "fr")))
        kinds = PlannedCell.objects.filter(batch=batch).values_list("lang", "kind")
        assert list(kinds) == [("pt-BR", "TRANSCRIPTION"), ("es", "EXTRA"), ("fr", "EXTRA")]

    @pytest.mark.parametrize(
        ("changes", "sentence", "field"),
        [
            ({"video": []}, "Choose at least one video.", "id_video"),
            ({"to_lang": []}, "Choose at least one target language.", "id_to_lang"),
            ({"to_lang": ["tlh"]}, "Choose a language from the list", "id_to_lang"),
            ({"from_lang": ""}, "Choose the source language.", "id_from_lang"),
            ({"from_lang": "auto"}, "Only a transcription can detect it", "id_from_lang"),
            ({"from_lang": "fr", "tier": "essential"}, "Essential doesn't support this language.", "id_from_lang"),
            (
                {"from_lang": "auto", "tier": "essential", "type": "TRANSCRIPTION"},
                "Essential can't detect",
                "id_from_lang",
            ),
        ],
    )
    def test_a_rule_that_is_broken_is_said_at_its_field_and_nothing_is_kept_or_lost(
        self, owner: Client, library: Library, changes: dict[str, Any], sentence: str, field: str
    ) -> None:
        response = owner.post(PLAN, {**translation(library.source_only, q="joaquim"), **changes})
        page = page_of(response)
        assert response.status_code == 422
        assert page.count(sentence) >= 2, "in the summary and at the field"
        assert f'href="#{field}"' in page
        assert f'id="{field}"' in page
        assert 'value="joaquim"' in page
        assert not Batch.objects.exists()

    def test_when_nothing_can_be_made_it_says_so(self, owner: Client, library: Library) -> None:
        response = owner.post(PLAN, translation(library.rich, to=("es", "de")))
        assert response.status_code == 422
        assert "None of these subtitles can be created now" in page_of(response)

    def test_when_the_platform_is_down_nothing_typed_is_lost(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        faults.set("*", status=503)
        response = owner.post(PLAN, translation(library.source_only, tier="advanced", q="joaquim"))
        page = page_of(response)
        assert response.status_code == 422
        assert "The platform has trouble of its own." in page
        assert list_checked(page, "tier") == ["advanced"]
        assert set(list_checked(page, "to_lang")) == {"fr", "it"}
        assert list_checked(page, "video") == [library.source_only]

    def test_when_the_token_is_refused_the_form_waits_behind_the_sign_in(
        self, owner: Client, library: Library, faults: ModuleType, cast: dict[str, Any]
    ) -> None:
        faults.set("videos.get", status=401)
        typed_on = {"Referer": f"http://testserver{PLANNER}"}
        response = owner.post(PLAN, translation(library.source_only), headers=typed_on)
        assert response["Location"].startswith("/sign-in/?next=%2Fdashboard%2Fsubtitles%2F")
        faults.clear()
        owner.post("/sign-in/", {"token": cast["tokens"]["owner"], "next": PLANNER})
        kept = page_of(owner.get(PLANNER))
        assert "signed out before it was sent" in kept
        assert f"<dd>{library.source_only}</dd>" in kept, "it is on another page of the list"

    def test_a_plan_that_was_never_sent_is_cleared_away_after_a_day(self, owner: Client, library: Library) -> None:
        old = planned(owner, translation(library.source_only))
        Batch.objects.filter(pk=old.pk).update(created_at="2026-01-01T00:00Z")
        new = planned(owner, translation(library.second))
        assert list(Batch.objects.all()) == [new]
