"""From the planner to a run: what the button sends, what a run cannot keep, and what a form keeps beside its table."""

import uuid
from collections.abc import Callable
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from dashboard.runs.models import Run
from dashboard.sandbox.models import Video
from dashboard.subtitles import planner, rules
from dashboard.subtitles.forms import LibraryFilter, PlanForm, PlanRequest
from dashboard.videos import tasks
from tests.forms import Form, read_forms
from tests.pages import page_of
from tests.subtitles.conftest import PLAN, PLANNER, Library

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
ORDER = "type=TRANSLATION&tier=pro&from_lang=pt-BR&to_lang=es&to_lang=fr"
CHECK = "/dashboard/runs/check/"
BUTTON = 'name="check" value="1" formaction'


@pytest.fixture
def chosen(owner: Client) -> list[str]:
    """Two videos more than a plan takes. The first lacks French."""
    first = Video.objects.get(title="Meet Joaquim")
    others = Video.objects.filter(organization=first.organization).exclude(pk=first.pk)
    return [str(first.pk), *(str(pk) for pk in others.order_by("pk").values_list("pk", flat=True)[:51])]


def query_of(videos: list[str], *more: str) -> str:
    """The address of these videos, with a library that shows no other."""
    return "&".join([ORDER, "q=zzz", *(f"video={video}" for video in videos), *more])


def planner_form(owner: Client, query: str) -> Form:
    page = owner.get(f"{PLANNER}?{query}").content.decode()
    return next(form for form in read_forms(page, PLANNER) if form.id == "planner")


def sent(form: Form) -> dict[str, list[str]]:
    data: dict[str, list[str]] = {}
    for name, value in form.values:
        data.setdefault(name, []).append(value)
    return data


def understood(data: dict[str, list[str]]) -> rules.CellChoice:
    """The choice that the planner reads out of a form."""
    source = QueryDict(mutable=True)
    for name, values in data.items():
        source.setlist(name, values)
    return PlanForm(source, person_sent=True).plan_request.choice


@pytest.mark.parametrize(("count", "is_offered"), [(50, False), (51, True)])
def test_more_chosen_videos_than_a_plan_takes_become_a_run_of_them_all(
    owner: Client, chosen: list[str], count: int, is_offered: bool
) -> None:
    page = page_of(owner.get(f"{PLANNER}?{query_of(chosen[:count])}"))
    assert ("A run takes more." in page, BUTTON in page) == (is_offered, is_offered)
    if is_offered:
        data = sent(planner_form(owner, query_of(chosen[:count])))
        assert owner.post(CHECK, data | {"check": ["1"]}).status_code == 302, "the check itself, with one press"
        assert {str(video) for video in Run.objects.get().items.values_list("video_id", flat=True)} == set(
            chosen[:count]
        )


@pytest.mark.parametrize("cells", ["not", "also"])
def test_no_run_is_offered_of_cells_that_were_changed_one_by_one_and_it_is_said_why(
    owner: Client, chosen: list[str], cells: str
) -> None:
    packed = f"not={chosen[0][:8]}.fr" if cells == "not" else f"also={chosen[0]}.sv"
    page = page_of(owner.get(f"{PLANNER}?{query_of(chosen, packed)}"))
    assert BUTTON not in page
    assert "It can't add or leave out single cells." in page
    assert "To keep your single cells, choose 50 videos at most and check the plan." in page
    step = owner.get(f"{PLANNER}?{query_of(chosen, packed)}").context["coverage"].run_note.href
    undone = page_of(owner.get(step))
    assert BUTTON in undone and "leave out single cells." not in undone
    assert all(video in step for video in chosen)


def test_run_of_everything_is_not_offered_either_where_single_cells_were_changed(
    owner: Client, chosen: list[str]
) -> None:
    changed = f"{ORDER}&video={chosen[0]}&not={chosen[0][:8]}.fr"
    assert BUTTON in page_of(owner.get(f"{PLANNER}?{ORDER}&video={chosen[0]}"))
    page = page_of(owner.get(f"{PLANNER}?{changed}"))
    assert BUTTON not in page and "leave out single cells." in page
    assert "To keep your single cells" not in page, "a plan takes as many"


def test_plan_of_few_videos_says_nothing_of_runs(owner: Client, chosen: list[str]) -> None:
    page = page_of(owner.get(f"{PLANNER}?{query_of(chosen[:1], f'not={chosen[0][:8]}.fr')}"))
    assert "leave out single cells." not in page


def test_cell_that_is_unticked_just_before_the_press_is_refused_with_the_reason(
    owner: Client, chosen: list[str]
) -> None:
    data = sent(planner_form(owner, query_of(chosen)))
    data["cell"].remove(f"{chosen[0]}.fr")
    answer = owner.post(CHECK, data | {"check": ["1"]})
    page = page_of(answer)
    assert answer.status_code == 422 and not Run.objects.exists()
    assert "Nothing was sent." in page and "single cells" in page
    again = next(form for form in read_forms(page, CHECK) if form.action.endswith(CHECK))
    assert owner.post(CHECK, sent(again) | {"check": ["1"]}).status_code == 302, "knowing that, it goes on"
    assert Run.objects.get().items.count() == len(chosen)


def test_gaps_of_a_transcription_are_sought_in_its_extra_languages_alone() -> None:
    def query(from_lang: str, *to: str) -> str:
        order = rules.Order("TRANSCRIPTION", "pro", from_lang, to)
        return planner.format_query(PlanRequest(order, rules.CellChoice(), LibraryFilter(q="a", gaps=True)))

    assert query("auto", "fr", "es") == 'missing:fr,es "a"'
    assert query("pt-BR", "fr") == 'missing:pt-BR,fr "a"'
    assert query("auto") == query("") == '"a"'


def test_gaps_of_a_transcription_that_detects_its_language_become_a_run(
    owner: Client, plan_takes: Callable[[int], None]
) -> None:
    tasks.read_library.call()
    plan_takes(1)
    query = "type=TRANSCRIPTION&tier=pro&from_lang=auto&gaps=1"
    for nothing_wanted in (query, "gaps=1"):
        coverage = owner.get(f"{PLANNER}?{nothing_wanted}").context["coverage"]
        assert (coverage.run, coverage.gap_count) == (None, ""), "nothing says what a gap is"
    data = sent(planner_form(owner, f"{query}&to_lang=fr"))
    answer = owner.post(CHECK, data | {"check": ["1"]})
    assert answer.status_code == 302 and "/runs/" in answer["Location"]
    assert Run.objects.get().options["from_lang"] == "auto"


def test_a_changed_setting_keeps_the_order_of_more_videos_than_the_table_shows(
    owner: Client, chosen: list[str]
) -> None:
    data = sent(planner_form(owner, query_of(chosen)))
    assert understood(data).videos == tuple(chosen)


def test_a_changed_setting_keeps_the_cells_of_videos_that_the_table_does_not_show(
    owner: Client, chosen: list[str]
) -> None:
    left, also = f"not={chosen[0][:8]}.fr&not={chosen[51][:8]}.fr", f"also={chosen[50]}.sv"
    data = sent(planner_form(owner, query_of(chosen, left, also)))
    choice = understood(data)
    assert choice.left_out == {(chosen[0], "fr"), (chosen[51], "fr")}
    assert choice.also == {(chosen[50], "sv")}
    data["tier"] = ["advanced"]
    shown = owner.post(PLAN, data, follow=True).redirect_chain[-1][0]
    assert f"not={chosen[51][:8]}.fr" in shown and f"also={chosen[50]}.sv" in shown


def test_a_video_of_the_table_can_be_unticked_whatever_its_place_in_the_choice(
    owner: Client, chosen: list[str]
) -> None:
    title = Video.objects.get(pk=chosen[51]).title
    data = sent(planner_form(owner, query_of(chosen).replace("q=zzz", f"q={title}")))
    assert data["video"].count(chosen[51]) == 1
    data["video"].remove(chosen[51])
    assert chosen[51] not in understood(data).videos


def test_a_single_cell_stays_chosen_while_only_gaps_hides_its_video(owner: Client, library: Library) -> None:
    query = f"type=TRANSLATION&tier=pro&from_lang=pt-BR&to_lang=es&q=zzz&gaps=1&also={library.rich}.sv"
    assert understood(sent(planner_form(owner, query))).also == {(library.rich, "sv")}


def test_all_of_a_folder_beside_what_is_chosen_leave_none_out(
    owner: Client, chosen: list[str], cast: dict[str, Any]
) -> None:
    root = cast["folders"]["root"]
    answer = owner.post(
        f"{PLAN}?", {"folder": root, "video": chosen[:40], "to_lang": "es", "choose": "all"}, follow=True
    )
    choice = answer.context["coverage"]
    videos = answer.context["form"].plan_request.choice.videos
    assert len(videos) > rules.MOST_VIDEOS and set(videos) > set(chosen[:40])
    assert choice.run is not None and f"Check {len(videos)} chosen videos as a run" in page_of(answer)


@pytest.mark.parametrize(("count", "is_led"), [(80, True), (110, False)])
@pytest.mark.parametrize("headers", [{}, {"HX-Request": "true"}], ids=["plain", "htmx"])
def test_choice_that_no_address_can_hold_is_shown_all_the_same(
    owner: Client, count: int, is_led: bool, headers: dict[str, str]
) -> None:
    videos = [str(uuid.uuid4()) for _number in range(count)]
    answer = owner.post(PLAN, {"video": videos, "to_lang": "es"}, headers=headers)
    assert (answer.status_code == 302 or "HX-Replace-Url" in answer) is is_led
    if not is_led:
        assert answer.context["form"].plan_request.choice.videos == tuple(videos)
        assert "A run takes more." in page_of(answer)
