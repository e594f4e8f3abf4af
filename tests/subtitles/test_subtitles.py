"""The planner: the library by language, everything in the address, and every trouble of the platform in its own panel."""

import gzip
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from types import ModuleType
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client
from hypothesis import given
from hypothesis import strategies as st
from pytest_django import DjangoAssertNumQueries, Settings

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.sandbox.models import Video
from dashboard.subtitles.forms import LibraryFilter, PlanForm, PlanRequest
from dashboard.subtitles.rules import CellChoice, Order
from dashboard.upstream import parallel
from tests.forgetting import forget
from tests.pages import page_of
from tests.subtitles.conftest import PLANNER, Library, SignIn, list_checked, planned, send, translation

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def cells(client: Client, query: str) -> dict[str, dict[str, Any]]:
    """The table: by title, by language, the cell as the template gets it."""
    matrix = client.get(f"{PLANNER}?{query}").context["coverage"].matrix
    heads = [column.code for column in matrix.columns]
    return {row.title: dict(zip(heads, row.cells, strict=True)) for row in matrix.rows}


def test_signed_out_people_sign_in_and_come_back(db: None) -> None:
    response = Client().get(f"{PLANNER}?q=coffee")
    assert response.status_code == 302
    assert response["Location"] == "/sign-in/?next=%2Fdashboard%2Fsubtitles%2F%3Fq%3Dcoffee"


def test_it_shows_how_each_video_stands_in_each_language(owner: Client, cast: dict[str, Any]) -> None:
    table = cells(owner, f"folder={cast['folders']['root']}&to_lang=fr&to_lang=en-US&from_lang=pt-BR")
    cherry = table["From cherry to cup"]
    assert cherry["pt-BR"].state.word == "Available"
    assert cherry["en-US"].state.word == "Done"
    assert (cherry["fr"].state.word, cherry["fr"].field) == ("Error", "again"), (
        "an error can be ticked to be sent again"
    )
    launch = table["Serra Alta, launch film"]
    assert (launch["fr"].state.word, launch["fr"].id[:2]) == ("Running", "s-"), "what runs has a live part"
    assert table["Meet Joaquim"]["fr"].field == "cell"


def test_a_video_without_source_subtitles_is_blocked_with_the_reason_and_the_step_that_unblocks_it(
    owner: Client, library: Library
) -> None:
    blocked = cells(owner, f"video={library.bare}&to_lang=fr&to_lang=de&from_lang=pt-BR&type=TRANSLATION&tier=pro")
    cell = blocked["Visita guiada à fazenda"]["fr"]
    assert cell.blocked
    assert "has no subtitles in the source language yet. Transcribe it first" in cell.why
    step = owner.get(cell.href)
    assert step.context["order"].transcribes, "the step leads to a transcription"
    assert "Check 3 jobs" in page_of(step), "of pt-BR, with both languages as extra ones"


def test_a_video_that_has_its_source_is_translated_instead_of_transcribed(owner: Client, library: Library) -> None:
    query = f"video={library.source_only}&type=TRANSCRIPTION&tier=pro&from_lang=pt-BR&to_lang=fr"
    cell = cells(owner, query)["Meet Joaquim"]["fr"]
    assert cell.blocked
    assert "Check 1 job" in page_of(owner.get(cell.href))


def test_the_address_holds_what_was_chosen(owner: Client, library: Library) -> None:
    query = (
        f"q=aula&type=TRANSLATION&tier=advanced&from_lang=pt-BR&to_lang=fr&to_lang=it&video={library.source_only}"
        f"&video={library.second}&not={library.second[:8]}.it&also={library.rich}.sv"
    )
    response = owner.get(f"{PLANNER}?{query}")
    page = page_of(response)
    assert "Check 4 jobs" in page
    assert [row.title for row in response.context["coverage"].matrix.rows if row.selected] == [
        "Meet Joaquim",
        "Aula 10. O primeiro estalo",
    ]
    assert list_checked(page, "tier") == ["advanced"]
    assert 'name="q" value="aula"' in page


languages = st.sampled_from(LANGUAGES)
videos = st.uuids().map(str)


@given(
    st.builds(
        PlanRequest,
        st.builds(
            Order,
            st.sampled_from(["TRANSCRIPTION", "TRANSLATION"]),
            st.sampled_from(["essential", "pro", "advanced"]),
            languages,
            st.lists(languages, unique=True, max_size=12).map(tuple),
        ),
        st.lists(videos, unique_by=lambda one: one[:8], max_size=50).flatmap(
            lambda chosen: st.builds(
                CellChoice,
                st.just(tuple(chosen)),
                st.frozensets(st.tuples(st.sampled_from(chosen), languages), max_size=9)
                if chosen
                else st.just(frozenset()),
                st.frozensets(st.tuples(videos, languages), max_size=9),
            )
        ),
        st.builds(
            LibraryFilter,
            st.text(max_size=30).map(str.strip),
            videos | st.just("root"),
            st.integers(1, 9999),
            st.booleans(),
        ),
    )
)
def test_any_choice_survives_its_address(plan_request: PlanRequest) -> None:
    assert PlanForm(QueryDict(plan_request.query())).plan_request == plan_request


def test_the_longest_address_fits_in_a_request_line() -> None:
    chosen = tuple(f"{number:08x}-0000-4000-8000-000000000000" for number in range(50))
    langs = ("pt-BR", "es-MX", "en-US", "fr-be", "de-at", "it-ch", "fil", "zh", "hi", "ko", "vi", "th")
    left_out = frozenset((video, lang) for video in chosen for lang in langs)
    plan_request = PlanRequest(
        Order("TRANSLATION", "advanced", "pt-BR", langs),
        CellChoice(chosen, left_out),
        LibraryFilter("x" * 200, "root", 9, True),
    )
    assert len(f"GET {PLANNER}?{plan_request.query()} HTTP/1.1") < 8190


def test_another_accounts_video_is_left_out_and_nothing_of_it_is_told(owner: Client, library: Library) -> None:
    response = owner.get(f"{PLANNER}?video={library.foreign}&to_lang=fr&from_lang=pt-BR")
    assert "1 chosen video is not in this account and was left out." in page_of(response)
    assert Video.objects.get(pk=library.foreign).title not in page_of(response)


def test_more_than_fifty_videos_are_too_many(owner: Client) -> None:
    query = "&".join(f"video={number:08x}-0000-4000-8000-000000000000" for number in range(51))
    text = page_of(owner.get(f"{PLANNER}?{query}"))
    assert "Choose 50 videos at most for one plan. A run takes more." in text


def test_a_search_finds_titles_and_says_so_when_it_finds_none(owner: Client) -> None:
    lessons = Video.objects.filter(title__icontains="lesson").values_list("title", flat=True)
    assert set(cells(owner, "q=lesson")) == set(lessons)
    assert "No video matches" in page_of(owner.get(f"{PLANNER}?q=xyzzy"))


def test_only_gaps_hides_videos_that_lack_nothing(owner: Client, cast: dict[str, Any]) -> None:
    query = f"folder={cast['folders']['root']}&from_lang=pt-BR&to_lang=es"
    complete = {
        "From cherry to cup",
        "How we roast",
        "Answers from the farm",
        "Serra Alta, launch film",
        "Brewing at altitude",
    }
    assert complete <= set(cells(owner, query))
    assert set(cells(owner, f"{query}&gaps=1")) & complete == set()


@pytest.mark.parametrize(
    "junk", ["page=-1", "page=x", "type=ALL", "tier=gold", "also=.", "also=a.b.c", "not=...", "from_lang=%00"]
)
def test_an_address_that_means_nothing_is_forgiven(owner: Client, junk: str) -> None:
    assert owner.get(f"{PLANNER}?{junk}").status_code == 200


class TestTrouble:
    @pytest.mark.parametrize(
        ("fault", "sentence"),
        [
            ({"status": 500}, "The platform has trouble of its own."),
            ({"status": 403}, "This account may not do that."),
            ({"status": 404}, "It was not found on the platform"),
            ({"status": 429, "retry_after": 30}, "Try again after "),
            ({"broken": "refused"}, "The platform cannot be reached right now."),
        ],
    )
    def test_a_library_that_cannot_be_read_leaves_the_form_and_says_why(
        self, owner: Client, faults: ModuleType, fault: dict[str, Any], sentence: str
    ) -> None:
        faults.set("videos.list", **fault)
        response = owner.get(f"{PLANNER}?to_lang=fr&from_lang=es&tier=advanced")
        assert response.status_code == 200
        assert sentence in page_of(response)
        assert list_checked(page_of(response), "to_lang") == ["fr"]

    @pytest.mark.parametrize("operation", ["videos.subtitles", "ai_workflow.jobs"])
    def test_what_cannot_be_read_of_a_video_is_not_checked_and_not_planned(
        self, owner: Client, library: Library, faults: ModuleType, operation: str
    ) -> None:
        faults.set(operation, status=500)
        query = f"video={library.source_only}&to_lang=fr&to_lang=it&from_lang=pt-BR&type=TRANSLATION&tier=pro"
        assert cells(owner, query)["Meet Joaquim"]["fr"].state.word == "Not checked"
        page = page_of(owner.get(f"{PLANNER}?{query}"))
        assert "Check the plan" in page
        assert "2 cells could not be checked and are not planned" in page

    def test_folders_that_cannot_be_read_cost_only_the_folders(self, owner: Client, faults: ModuleType) -> None:
        faults.set("folders.list", status=500)
        assert len(owner.get(PLANNER).context["coverage"].matrix.rows) == 10

    def test_a_token_that_is_refused_in_the_middle_of_work_leads_to_sign_in_and_back(
        self, owner: Client, faults: ModuleType
    ) -> None:
        faults.set("videos.list", status=401)
        response = owner.get(f"{PLANNER}?q=aula&tier=advanced")
        assert response.status_code == 302
        assert response["Location"].startswith(
            "/sign-in/?next=%2Fdashboard%2Fsubtitles%2F%3Fq%3Daula%26tier%3Dadvanced&refused="
        )


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
class TestSlowness:
    """With threads, as over a network: the embedded platform alone answers in line."""

    @pytest.fixture(autouse=True)
    def threads(self, owner: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings) -> Iterator[None]:
        settings.READ_SIDE_BY_SIDE = True
        settings.PAGE_PATIENCE_MS = 250
        with ThreadPoolExecutor(8) as parts, ThreadPoolExecutor(8) as reads:  # so that no straggler outlives its test
            monkeypatch.setattr(parallel, "_of_pages", (parts, reads))
            yield

    def test_a_page_does_not_wait_for_a_straggler_and_shows_it_when_it_has_come(
        self, owner: Client, library: Library, faults: ModuleType
    ) -> None:
        faults.set("ai_workflow.jobs", latency_ms=600)
        query = f"q=joaquim&video={library.source_only}&to_lang=fr&from_lang=pt-BR"
        late = owner.get(f"{PLANNER}?{query}")
        assert "Some videos are still loading" in page_of(late)
        assert 'hx-trigger="load delay:1s"' in page_of(late)
        faults.clear()
        forget()
        complete = owner.get(f"{PLANNER}?{query}", headers={"HX-Request": "true"})
        assert "Some videos are still loading" not in page_of(complete)
        assert "Check 1 job" in page_of(complete)

    def test_a_library_that_is_late_leaves_the_form_to_work_with(self, owner: Client, faults: ModuleType) -> None:
        faults.set("videos.list", latency_ms=600)
        late = owner.get(f"{PLANNER}?to_lang=fr&from_lang=pt-BR")
        assert late.status_code == 200
        assert late.context["coverage"].late


def test_a_sub_account_is_told_whose_token_and_whose_credits_are_used(sign_in: SignIn) -> None:
    page = page_of(sign_in("sub_account", parent="owner").get(PLANNER))
    assert "with the token of the parent account “Account owner”" in page
    assert "Each job uses AI credits of the parent account “Account owner”." in page


def test_batches_that_are_under_way_are_shown_below_the_plan(owner: Client, library: Library) -> None:
    send(owner, planned(owner, translation(library.source_only)))
    page = page_of(owner.get(PLANNER))
    assert "Meet Joaquim to fr, it" in page
    assert "0 of 2 ended" in page
    assert "by you, tier Pro" in page


def test_fifty_videos_in_twelve_languages_stay_light(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    chosen = Video.objects.filter(organization_id=cast["organizations"]["owner"])[:50]
    query = "&".join([f"video={video.pk}" for video in chosen] + [f"to_lang={lang}" for lang in LANGUAGES[8:20]])
    body = owner.get(f"{PLANNER}?from_lang=pt-BR&{query}").content
    table = re.search(rb"<table.*</table>", body, re.S)
    assert table is not None
    assert table[0].count(b"<td>") >= 600
    assert len(gzip.compress(table[0])) < 18_000
    assert len(gzip.compress(body)) < 26_000


def test_a_page_of_ten_videos_costs_the_database_few_queries(
    owner: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    owner.get(PLANNER)
    with django_assert_max_num_queries(21):  # two for what one press would complete, one for what of it is in progress
        owner.get(PLANNER)
