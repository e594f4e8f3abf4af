"""Chips, counts and folders of the planner speak of the library, not of the page that is shown."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from dashboard.platform_api.vocabulary import VideoStatus
from dashboard.runs.models import Run, RunState
from dashboard.sandbox.models import Folder, Subtitle, Video
from dashboard.subtitles import rules
from dashboard.subtitles.queries import ROWS
from dashboard.videos import tasks
from tests.forgetting import make_old
from tests.subtitles.conftest import PLAN, PLANNER
from tests.videos.test_videos import titles_within

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
IN_SPANISH = "type=TRANSLATION&tier=pro&from_lang=pt-BR&to_lang=es"


@pytest.fixture
def looked_up(owner: Client) -> None:
    """The worker has read the list and the subtitles of every video."""
    tasks.read_library.call()


def coverage(owner: Client, query: str) -> Any:
    return owner.get(f"{PLANNER}?{query}").context["coverage"]


def lacking(lang: str) -> set[str]:
    """The titles of the owner's videos without subtitles in a language."""
    everything = Video.objects.filter(organization=Video.objects.get(title="From cherry to cup").organization)
    have = Subtitle.objects.filter(lang__iexact=lang).values("video")
    return set(everything.exclude(pk__in=have).values_list("title", flat=True))


def all_rows(owner: Client, query: str) -> list[str]:
    """The titles of all pages."""
    titles: list[str] = []
    page = 1
    while page:
        shown = coverage(owner, f"{query}&page={page}")
        titles += [row.title for row in shown.matrix.rows]
        page = shown.next
    return titles


@pytest.mark.usefixtures("looked_up")
@pytest.mark.parametrize("shows", ["", "&gaps=1", "&gaps=1&page=2"], ids=["all", "gaps", "the second page of gaps"])
def test_chips_count_the_whole_library(owner: Client, shows: str) -> None:
    shown = coverage(owner, f"{IN_SPANISH}{shows}")
    assert len(shown.matrix.rows) == ROWS
    assert shown.gap_count == str(len(lacking("es")))
    assert shown.row_count == "75"


@pytest.mark.usefixtures("looked_up")
def test_only_gaps_lists_every_video_with_one_and_no_other(owner: Client) -> None:
    found = all_rows(owner, f"{IN_SPANISH}&gaps=1")
    assert sorted(found) == sorted(lacking("es"))
    assert coverage(owner, f"{IN_SPANISH}&gaps=1").progress == ""


def test_videos_that_nobody_has_looked_at_are_listed_last_and_said(owner: Client) -> None:
    video = Video.objects.get(title="From cherry to cup")
    Subtitle.objects.filter(video=video, lang="es").delete()
    owner.get(f"/dashboard/videos/{video.pk}/")  # the page of one video looks at that one alone
    shown = coverage(owner, f"{IN_SPANISH}&gaps=1")
    assert shown.matrix.rows[0].title == "From cherry to cup"
    assert shown.progress == ("The subtitles of 1 of 75 videos have been looked up. The others are listed last.")
    assert shown.gap_count == "1+"
    assert shown.row_count == "75"


@pytest.mark.usefixtures("looked_up")
def test_a_folder_counts_and_lists_the_folders_in_it(owner: Client, cast: dict[str, Any]) -> None:
    root = Folder.objects.get(pk=cast["folders"]["root"])
    titles = titles_within(root.pk)
    query = f"{IN_SPANISH}&folder={root.pk}"
    assert set(all_rows(owner, query)) == titles
    assert set(all_rows(owner, f"{query}&gaps=1")) == titles & lacking("es")
    shown = coverage(owner, query)
    assert shown.caption.startswith(f"{len(titles)} videos in {root.name}")
    assert shown.gap_count == str(len(titles & lacking("es")))


def test_all_videos_of_a_folder_are_chosen_by_one_press(owner: Client, cast: dict[str, Any]) -> None:
    query = f"{IN_SPANISH}&folder={cast['folders']['root']}"
    count = int(coverage(owner, query).row_count)
    assert ROWS < count <= rules.MOST_VIDEOS
    assert coverage(owner, query).choose_all == f"Choose all {count} videos"
    form = dict(pair.split("=") for pair in query.split("&"))
    answer = owner.post(PLAN, {**form, "choose": "all"}, follow=True)
    chosen = re.findall(r"video=([0-9a-f-]{36})", answer.redirect_chain[-1][0])
    assert len(chosen) == count
    assert len(answer.context["coverage"].matrix.rows) == count
    assert all(row.selected for row in answer.context["coverage"].matrix.rows)


@pytest.mark.parametrize(("count", "is_offered"), [(ROWS, False), (ROWS + 1, True), (50, True), (51, False)])
def test_all_are_offered_where_they_are_more_than_a_page_and_fit_a_plan(
    owner: Client, count: int, is_offered: bool
) -> None:
    mould = Video.objects.get(title="From cherry to cup")
    folder = Folder.objects.create(organization=mould.organization, user=mould.user, name="Counted")
    made = [
        Video(
            organization=mould.organization, user=mould.user, title=f"{n}", folder=folder, status=VideoStatus.CONVERTED
        )
        for n in range(count)
    ]
    Video.objects.bulk_create(made)
    assert bool(coverage(owner, f"folder={folder.pk}").choose_all) is is_offered


def test_counts_that_are_not_known_are_not_said(owner: Client) -> None:
    shown = coverage(owner, IN_SPANISH)
    assert shown.gap_count == ""
    assert shown.row_count == "75", "the platform says that itself"


@pytest.mark.usefixtures("looked_up")
def test_a_day_old_count_says_that_there_may_be_more(owner: Client) -> None:
    make_old(25 * 3600)
    cache.clear()
    assert coverage(owner, f"{IN_SPANISH}&gaps=1").progress != ""


def press_run(owner: Client, query: str, **chosen: Any) -> Any:
    """Press the button that leads from the planner to a run, with what is chosen there."""
    before, action = owner.get(f"{PLANNER}?{query}").content.decode().split('formaction="')
    part = before.rpartition('name="action" value="subtitles"')[2]
    settings = {
        "type": ["TRANSLATION"],
        "tier": ["pro"],
        "from_lang": ["pt-BR"],
        "action": ["subtitles"],
        "check": ["1"],
    }
    data: dict[str, list[str]] = settings | chosen
    for name, value in re.findall(r'type="hidden" name="([^"]+)" value="([^"]*)"', part):
        data.setdefault(name, []).append(unescape(value))
    answer = owner.post(action.split('"')[0], data)
    assert answer.status_code == 302, "the check itself, with one press"
    return Run.objects.get(pk=answer["Location"].rstrip("/").rsplit("/", 1)[-1])


@pytest.mark.usefixtures("looked_up")
@pytest.mark.parametrize("query", ["", "&q=a", "&gaps=1"])
def test_more_videos_than_a_plan_takes_become_a_run_in_the_same_languages_with_one_press(
    owner: Client, query: str, plan_takes: Callable[[int], None]
) -> None:
    shown = coverage(owner, IN_SPANISH + query)
    many = int(shown.gap_count if "gaps" in query else shown.row_count)
    plan_takes(many)
    assert coverage(owner, IN_SPANISH + query).run is None, "a plan takes as many"
    plan_takes(many - 1)
    assert coverage(owner, IN_SPANISH + query).run.words == f"Check all {many} videos as a run"
    run = press_run(owner, IN_SPANISH + query, to_lang=["es", "fr"])
    assert run.items.count() == many > 1 and run.options["to"] == ["es", "fr"] and run.state == RunState.CHECKED


@pytest.mark.usefixtures("looked_up")
def test_all_of_a_folder_become_a_run_with_its_subfolders(owner: Client, plan_takes: Callable[[int], None]) -> None:
    plan_takes(1)
    folder = Folder.objects.get(name="Curso: Do pé à xícara")
    total = int(coverage(owner, f"{IN_SPANISH}&folder={folder.pk}").row_count)
    assert press_run(owner, f"{IN_SPANISH}&folder={folder.pk}", to_lang=["es"]).items.count() == total > 1
    outside = int(coverage(owner, f"{IN_SPANISH}&folder=root").row_count)
    assert press_run(owner, f"{IN_SPANISH}&folder=root", to_lang=["es"]).items.count() == outside > 1


def test_run_form_opens_for_languages_that_the_platform_makes_no_subtitles_in(owner: Client) -> None:
    Subtitle.objects.all().delete()
    for video in Video.objects.filter(organization=Video.objects.get(title="From cherry to cup").organization):
        Subtitle.objects.create(video=video, lang="gn", label="Guarani", vtt="WEBVTT")
    tasks.read_library.call()
    query = {"action": "subtitles", "all": "1", "query": "missing:qu,es"}
    answer = owner.get("/dashboard/runs/check/", query)
    page = unescape(answer.content.decode())
    assert answer.status_code == 200 and "The platform doesn’t create subtitles in Quechua." in page
    assert re.search(r'name="to_lang" value="es" checked', page) and 'value="qu"' not in page
    sent = query | {"check": "1", "type": "TRANSLATION", "tier": "pro", "from_lang": "gn", "to_lang": ["qu"]}
    answer = owner.post("/dashboard/runs/check/", sent)
    assert answer.status_code == 422 and "qu" in answer.content.decode()
