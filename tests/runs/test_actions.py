"""The actions that become runs: what each finds out before it sends, and what it sends."""

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.custom_fields.models import Field
from dashboard.runs import sending
from dashboard.runs.models import Run, RunItem, RunState
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.models import CustomField, Job, Subtitle
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.subtitles.tasks import follow_jobs
from dashboard.upstream.library import Selection
from dashboard.videos.tasks import read_library
from dashboard.writes.models import LABEL_MAX
from dashboard.writes.run_actions import ItemState
from review_portal.models import ReviewLink
from tests.forgetting import forget
from tests.runs.conftest import CHECK, Steps

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
FRENCH = {"type": "TRANSLATION", "tier": "pro", "from_lang": "pt-BR", "to_lang": ["fr"]}


@pytest.fixture
def sources(steps: Steps) -> Steps:
    """Three videos with Portuguese subtitles alone, and no job."""
    Job.objects.filter(video_id__in=steps.videos[:3]).delete()
    Subtitle.objects.filter(video_id__in=steps.videos[:3]).delete()
    for video_id in steps.videos[:3]:
        Subtitle.objects.create(video_id=video_id, lang="pt-BR", label="Português", vtt="WEBVTT")
    return steps


def account_id() -> Any:
    """The account that is signed in."""
    return Account.objects.get().pk


def know(steps: Steps, *video_ids: str) -> None:
    """Have the subtitles of these videos read, as the worker does."""
    for video_id in video_ids:
        steps.client.get(f"/dashboard/subtitles/videos/{video_id}/fr/")
        steps.client.get(f"/dashboard/videos/{video_id}/")


def test_subtitles_are_made_for_every_video_and_followed_to_their_end(
    sources: Steps, clock: Frozen, calls: Callable[[str], int]
) -> None:
    run = sources.start("subtitles", 3, **FRENCH)
    sources.work(run)
    assert calls("ai_workflow.create") == 3
    assert sending.count_states(run) == {ItemState.WAITING: 3} and run.state == RunState.RUNNING
    assert "waiting on the platform" in sources.page(run)
    clock.travel(3600)
    PlannedCell.objects.update(sending_at=timezone.now())
    follow_jobs.func()
    sources.page(run)
    run.refresh_from_db()
    assert sending.count_states(run) == {ItemState.DONE: 3} and run.state == RunState.FINISHED


def test_a_video_that_has_the_language_already_is_left_out_before_anything_is_sent(sources: Steps) -> None:
    Subtitle.objects.create(video_id=sources.videos[0], lang="fr", label="Français", vtt="WEBVTT")
    know(sources, *sources.videos[:3])
    run = sources.check("subtitles", 3, **FRENCH)
    page = sources.page(run)
    assert "2 of 3 videos can be sent." in page
    assert "The video already has subtitles in this language." in page and "uses AI credits" in page


def test_the_request_that_a_check_shows_is_the_one_that_is_sent(sources: Steps) -> None:
    Subtitle.objects.create(video_id=sources.videos[0], lang="fr", label="Français", vtt="WEBVTT")
    know(sources, *sources.videos[:1])
    page = sources.page(sources.check("subtitles", 1, **FRENCH | {"to_lang": ["fr", "it"]}))
    request = page.split('aria-label="Request"')[1].split("</pre>")[0]
    assert '"it"' in request and '"fr"' not in request


def test_a_video_without_the_source_leads_to_its_transcription(sources: Steps) -> None:
    Subtitle.objects.filter(video_id=sources.videos[0]).delete()
    know(sources, *sources.videos[:3])
    page = sources.page(sources.check("subtitles", 3, **FRENCH))
    assert "The video has no subtitles in the source language yet." in page and "Transcribe first" in page


def test_what_changed_after_the_check_is_not_sent_and_says_why(sources: Steps) -> None:
    run = sources.start("subtitles", 2, **FRENCH)
    Subtitle.objects.create(video_id=sources.videos[0], lang="fr", label="Français", vtt="WEBVTT")
    sources.work(run)
    assert sending.count_states(run) == {ItemState.NOT_SENT: 1, ItemState.WAITING: 1}
    assert "The video already has subtitles in this language." in sources.page(run)


def test_a_refused_translation_is_retried_in_a_batch_of_its_own(sources: Steps, faults: ModuleType) -> None:
    run = sources.start("subtitles", 2, **FRENCH)
    faults.set("ai_workflow.create", status=400, times=1)
    sources.work(run)
    assert sending.count_states(run)[ItemState.REFUSED] == 1
    sources.press(run, "retry")
    sources.work(run)
    assert sending.count_states(run) == {ItemState.WAITING: 2} and Batch.objects.count() == 2


def test_refusals_among_accepted_translations_do_not_pause_the_run(steps: Steps, faults: ModuleType) -> None:
    Job.objects.filter(video_id__in=steps.videos).delete()
    Subtitle.objects.filter(video_id__in=steps.videos).delete()
    for video_id in steps.videos:
        Subtitle.objects.create(video_id=video_id, lang="pt-BR", label="Português", vtt="WEBVTT")
    run = steps.start("subtitles", 25, **FRENCH)
    for _group in range(2):
        faults.set("ai_workflow.create", status=403, times=sending.GROUP // 2)
        steps.work(run)
    assert (run.state, run.reason) == (RunState.RUNNING, "")
    assert sending.count_states(run) == {ItemState.WAITING: 10, ItemState.REFUSED: 10, ItemState.PLANNED: 5}


def test_check_again_says_what_still_cannot_be_sent_and_nothing_of_what_the_first_press_planned(sources: Steps) -> None:
    Subtitle.objects.filter(video_id=sources.videos[0]).delete()
    know(sources, *sources.videos[:2])
    run = sources.start("subtitles", 2, **FRENCH)
    again = f"/dashboard/runs/{run.pk}/check-again/"
    sentence = "These videos still can't be sent."
    assert sentence in sources.text(sources.client.post(again, follow=True))
    Subtitle.objects.create(video_id=sources.videos[0], lang="pt-BR", label="Português", vtt="WEBVTT")
    forget()
    know(sources, *sources.videos[:2])
    for _press in range(2):
        assert sentence not in sources.text(sources.client.post(again, follow=True))
    assert sending.count_states(run) == {ItemState.PLANNED: 2}


def test_page_and_export_read_the_reasons_of_all_refused_videos_at_once(sources: Steps, faults: ModuleType) -> None:
    run = sources.start("subtitles", 3, **FRENCH)
    faults.set("ai_workflow.create", status=400)
    sources.work(run)
    assert sending.count_states(run) == {ItemState.REFUSED: 3}
    for address in ("", "progress/", "results.csv"):
        with CaptureQueriesContext(connection) as queries:
            answer = sources.client.get(f"/dashboard/runs/{run.pk}/{address}", headers={"HX-Request": "true"})
        assert sources.text(answer).count("The platform") >= 3, "each says why"
        cells = [query["sql"] for query in queries if 'WHERE ("subtitles_plannedcell"."batch_id"' in query["sql"]]
        assert len(cells) <= 2, address


def test_more_videos_than_a_plan_may_have_become_several_batches(
    sources: Steps, plan_takes: Callable[[int], None]
) -> None:
    plan_takes(2)
    sources.start("subtitles", 3, **FRENCH)
    assert sorted(batch.cells.count() for batch in Batch.objects.all()) == [1, 2]


def test_videos_of_many_batches_are_followed_by_as_many_queries_as_those_of_one(
    sources: Steps, plan_takes: Callable[[int], None]
) -> None:
    counts = []
    for most in (3, 1):
        plan_takes(most)
        run = sources.start("subtitles", 3, **FRENCH)
        RunItem.objects.filter(run=run).update(state=ItemState.WAITING)
        with CaptureQueriesContext(connection) as statements:
            sending.follow(run)
        counts.append(len(statements))
    assert counts[0] == counts[1] and Batch.objects.count() == 4


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"to_lang": []}, "Choose at least one target language."),
        ({"from_lang": ""}, "Choose the source language."),
        ({"tier": "essential", "from_lang": "fr"}, "Essential doesn't support this language."),
        ({"from_lang": "auto"}, "Only a transcription can detect it."),
    ],
)
def test_an_order_that_breaks_a_rule_is_told_at_its_field(steps: Steps, changes: dict[str, Any], sentence: str) -> None:
    form = {**FRENCH, **changes, "action": "subtitles", "check": "1", "video": steps.videos[:2]}
    answer = steps.client.post(CHECK, form)
    page = steps.text(answer)
    assert answer.status_code == 422 and sentence in page
    assert ('aria-describedby="to-hint to-error"' in page) == ('id="to-error"' in page) == (changes == {"to_lang": []})


def test_a_field_is_set_where_the_video_has_it_and_differs(steps: Steps, calls: Callable[[str], int]) -> None:
    CustomField.objects.all().delete()
    for video_id, value in zip(steps.videos[:2], ("Advanced", "Beginner"), strict=True):
        field = CustomField.objects.create(video_id=video_id, key="level", value=value)
        Field.objects.create(
            account_id=account_id(),
            video_id=video_id,
            title="",
            field_id=str(field.pk),
            key="level",
            value=value,
            read_at=timezone.now(),
        )
    run = steps.start("set_field", 3, key="level", value="Beginner")
    page = steps.page(run)
    assert "The field has this value already." in page and "Fields are created on the platform." in page
    steps.work(run)
    assert calls("custom_fields.update") == 1
    assert set(CustomField.objects.values_list("value", flat=True)) == {"Beginner"}
    assert sending.count_states(run) == {ItemState.DONE: 1, ItemState.NOT_SENT: 2}


def test_a_field_that_is_gone_since_the_check_stops_neither_its_page_nor_the_other_videos(
    steps: Steps, calls: Callable[[str], int]
) -> None:
    CustomField.objects.all().delete()
    for video_id in steps.videos[:3]:
        field = CustomField.objects.create(video_id=video_id, key="level", value="Advanced")
        values = {"title": "", "field_id": str(field.pk), "key": "level", "value": "Advanced"}
        Field.objects.create(account_id=account_id(), video_id=video_id, read_at=timezone.now(), **values)
    run = steps.check("set_field", 3, key="level", value="Beginner")
    Field.objects.filter(video_id=steps.videos[0]).delete()
    assert "Start run with 3 videos" in steps.page(run)
    steps.press(run, "start")
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 2, ItemState.NOT_SENT: 1}
    assert calls("custom_fields.update") == 2 and run.state == RunState.FINISHED
    assert "Fields are created on the platform." in steps.page(run)


def test_a_long_key_fits_into_the_title_that_is_kept(steps: Steps) -> None:
    values = {"title": "", "field_id": "f", "key": "k" * 300, "value": "x", "read_at": timezone.now()}
    Field.objects.create(account_id=account_id(), video_id=steps.videos[0], **values)
    run = steps.check("set_field", 1, key="k" * 300, value="y")
    assert len(run.title) == LABEL_MAX and "kkk" in steps.page(run)


def test_an_empty_value_is_refused_at_its_field(steps: Steps) -> None:
    Field.objects.create(
        account_id=account_id(),
        video_id=steps.videos[0],
        field_id="f",
        key="level",
        value="x",
        read_at=timezone.now(),
    )
    form = {"key": "level", "value": " ", "action": "set_field", "check": "1", "video": steps.videos[:1]}
    answer = steps.client.post(CHECK, form)
    assert answer.status_code == 422 and "Enter a value. It can't be empty." in steps.text(answer)


def test_each_video_gets_a_review_link_with_its_title(steps: Steps) -> None:
    run = steps.start("review_links", 2, name="", days="7", allow_comment="on")
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 2}
    links = ReviewLink.objects.filter(video_id__in=steps.videos[:2])
    assert links.count() == 2 and all(link.name and link.allow_comment for link in links)
    assert not any(link.allow_status_edit for link in links)


def test_the_video_of_a_new_link_is_read_when_the_link_is_kept_and_not_in_its_transaction(
    steps: Steps, calls: Callable[[str], int], django_capture_on_commit_callbacks: Callable[..., Any]
) -> None:
    """Nobody else can write while a transaction waits for the platform."""
    run = steps.start("review_links", 1, name="", days="7")
    before = calls("videos.get")
    with django_capture_on_commit_callbacks() as callbacks:
        steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 1}
    assert calls("videos.get") == before and ReviewLink.objects.get().video == {}
    for callback in callbacks:
        callback()
    assert calls("videos.get") == before + 1 and ReviewLink.objects.get().video["title"]


def test_too_many_links_at_once_wait_and_are_no_refusals(steps: Steps, faults: ModuleType) -> None:
    run = steps.start("review_links", 2, name="Round 1", days="7")
    faults.set("review_links.create", status=429, retry_after=30, times=1)
    steps.work(run)
    assert sending.count_states(run) == {ItemState.PLANNED: 2} and run.reason == "RateLimited"
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 2}
    assert ReviewLink.objects.filter(name="Round 1").count() == 2


@pytest.mark.parametrize("name", ["a/b", "x" * 256])
def test_a_name_that_no_link_may_have_is_told_at_its_field(steps: Steps, name: str) -> None:
    form = {"name": name, "days": "7", "action": "review_links", "check": "1", "video": steps.videos[:1]}
    answer = steps.client.post(CHECK, form)
    assert answer.status_code == 422 and "field--wrong" in steps.text(answer)


def test_everything_that_a_search_finds_is_chosen_without_naming_it(
    steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    titles = {video_id: f"Lesson {n}" for n, video_id in enumerate(steps.videos)}
    found = Selection(tuple(titles), titles)
    monkeypatch.setattr("dashboard.runs.creation.load_selection", lambda *_asked: found)
    form = {"action": "hide_chat", "query": "missing:fr", "all": "1"}
    page = steps.text(steps.client.get(CHECK, form))
    assert "For 25 videos." in page and 'name="query" value="missing:fr"' in page and 'name="video"' not in page
    steps.client.post(CHECK, {**form, "check": "1", "assistant": steps.assistant})
    run = Run.objects.get()
    assert run.items.count() == 25 and "25 videos from a search" in steps.page(run)


def test_a_run_on_all_videos_leads_back_to_all_videos(steps: Steps) -> None:
    form = {"action": "hide_chat", "query": "", "all": "1", "check": "1", "assistant": steps.assistant}
    steps.client.get("/dashboard/videos/")
    steps.client.post(CHECK, form)
    run = Run.objects.get()
    assert run.items.count() == 75
    assert '<a class="button" href="/dashboard/videos/">Cancel' in steps.page(run)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [("missing:fr", "Your library is still being read."), ("misssing:fr", "“misssing:fr” uses no known filter.")],
)
def test_a_search_that_is_not_complete_or_not_understood_chooses_nothing(
    steps: Steps, query: str, sentence: str
) -> None:
    answer = steps.client.post(CHECK, {"action": "hide_chat", "query": query, "all": "1"}, follow=True)
    assert sentence in steps.text(answer) and not Run.objects.exists()


@pytest.mark.parametrize(
    ("query", "ticked"),
    [
        ("missing:fr,it", {"fr", "it"}),
        ("-missing:fr", set()),
        ("café", set()),
        ("missing:PT-BR,xx", set()),
        ("", set()),
    ],
)
@pytest.mark.parametrize("every", [False, True])
def test_languages_that_the_search_asks_to_be_missing_are_the_targets_of_the_form(
    steps: Steps, query: str, ticked: set[str], every: bool
) -> None:
    while read_library.call():
        pass
    chosen = {"all": "1"} if every else {"video": steps.videos[:2]}
    page = steps.text(steps.client.get(CHECK, {"action": "subtitles", "query": query, **chosen}))
    found = set(re.findall(r'name="to_lang" value="([^"]+)" checked', page))
    assert found == (ticked if 'name="to_lang"' in page else set())
