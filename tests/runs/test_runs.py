"""A run: checked before anything is sent, sent in groups, paused, continued, retried, and counted exactly."""

from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.runs import sending
from dashboard.runs.models import Run, RunItem, RunState
from dashboard.sandbox.http_types import Refusal
from dashboard.sandbox.models import ChatVisibility
from dashboard.videos.models import LibraryReading
from dashboard.writes import recovery
from dashboard.writes.failures import ParentTokenHeld
from dashboard.writes.models import State, Write
from dashboard.writes.run_actions import ItemState
from tests.conftest import AtPlatform, signed_in
from tests.due import dies_before_sending, run_due
from tests.forgetting import forget
from tests.moments import at_statement, measure_span
from tests.runs.conftest import CHECK, Steps

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SEND = "assistants.update_chat_visibility"


def states(run: Run) -> dict[str, int]:
    """How many videos are in each state; together they are always all that were chosen."""
    counts = sending.count_states(run)
    assert sum(counts.values()) == RunItem.objects.filter(run=run).count()
    return counts


def test_a_check_sends_nothing_and_says_what_can_be_done(steps: Steps, calls: Callable[[str], int]) -> None:
    ChatVisibility.objects.create(assistant_id=steps.assistant, video_id=steps.videos[0], visible=False)
    steps.client.get("/dashboard/assistants/?of=" + steps.videos[0])
    forget()
    steps.client.get("/dashboard/assistants/")
    run = steps.check(count=3)
    page = steps.page(run)
    assert "2 of 3 videos can be sent." in page and "The chat is hidden already." in page
    assert "Start run with 2 videos" in page and "2 requests" not in page
    assert calls(SEND) == 0 and not Write.objects.exists()


def test_a_started_run_sends_every_video_in_groups_of_ten(steps: Steps, calls: Callable[[str], int]) -> None:
    run = steps.start(count=25)
    sent = []
    for _turn in range(3):
        steps.work(run)
        sent.append(calls(SEND))
    assert sent == [10, 20, 25]
    assert run.state == RunState.FINISHED and states(run) == {ItemState.DONE: 25}
    assert ChatVisibility.objects.filter(assistant_id=steps.assistant, visible=False).count() == 25
    page = steps.page(run)
    assert "25 of 25" in page and "Sent 10 videos" in page and "data-poll" not in page.split("<main")[1]


def test_starting_twice_and_two_workers_at_once_send_each_video_once(steps: Steps, calls: Callable[[str], int]) -> None:
    run = steps.start(count=3)
    steps.press(run, "start")
    stale = Run.objects.get(pk=run.pk)
    steps.work(run)
    sending.advance(stale)
    assert calls(SEND) == 3


def test_the_same_check_form_sent_twice_is_one_run(steps: Steps) -> None:
    key = "0e5cbb12-95f0-4a4a-8f4e-0c4a9e0d7a11"
    first, second = steps.check(write_key=key), steps.check(write_key=key)
    assert first == second and first.items.count() == 3


def test_pause_stops_after_the_group_and_continue_goes_on(steps: Steps, calls: Callable[[str], int]) -> None:
    run = steps.start(count=25)
    steps.work(run)
    steps.press(run, "pause")
    steps.work(run)
    assert calls(SEND) == 10 and run.state == RunState.PAUSED
    assert states(run) == {ItemState.DONE: 10, ItemState.PLANNED: 15}
    page = steps.page(run)
    assert "Continue run" in page and "Nothing is sent while the run is paused." in page
    steps.press(run, "continue")
    steps.work(run, 2)
    assert calls(SEND) == 25 and run.state == RunState.FINISHED


def test_a_run_that_is_over_cannot_be_paused_and_one_that_was_not_started_neither(steps: Steps) -> None:
    checked, finished = steps.check(), steps.start(count=1)
    steps.work(finished)
    for run, state in ((checked, RunState.CHECKED), (finished, RunState.FINISHED)):
        steps.press(run, "pause")
        assert run.state == state


def test_retry_plans_nothing_that_was_left_out_and_no_video_of_another_run(steps: Steps, faults: ModuleType) -> None:
    runs = [steps.start(count=3) for _number in range(2)]
    for run in runs:
        faults.set(SEND, status=400, times=2)
        steps.work(run)
        left_out = run.items.filter(state=ItemState.REFUSED)[0]
        run.items.filter(pk=left_out.pk).update(state=ItemState.NOT_SENT)
    steps.press(runs[0], "retry")
    one_of_each = {ItemState.DONE: 1, ItemState.NOT_SENT: 1}
    assert [states(run) for run in runs] == [one_of_each | {ItemState.PLANNED: 1}, one_of_each | {ItemState.REFUSED: 1}]


def test_too_many_requests_make_the_run_wait_and_say_until_when(steps: Steps, faults: ModuleType) -> None:
    run = steps.start(count=3)
    faults.set(SEND, status=429, retry_after=40)
    steps.work(run)
    assert run.state == RunState.RUNNING and run.due_at is not None and run.reason == "RateLimited"
    assert "Too many requests. Continues at" in steps.page(run)
    assert states(run) == {ItemState.WAITING: 1, ItemState.PLANNED: 2}
    faults.clear()
    run_due(60)
    steps.work(run)
    assert states(run) == {ItemState.DONE: 3} and run.state == RunState.FINISHED


def test_refused_videos_are_told_with_the_reason_and_retried_alone(
    steps: Steps, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = steps.start(count=3)
    faults.set(SEND, status=400, times=1)
    steps.work(run)
    assert states(run) == {ItemState.DONE: 2, ItemState.REFUSED: 1} and run.state == RunState.FINISHED
    page = steps.page(run)
    assert "Retry 1 refused" in page and "Refused, 1" in page
    steps.press(run, "retry")
    steps.press(run, "retry")
    steps.work(run)
    assert states(run) == {ItemState.DONE: 3} and calls(SEND) == 4
    assert "Planned 1 video again" in steps.page(run)


def test_a_finished_run_with_refusals_is_removed_from_the_overview_and_put_back(
    steps: Steps, faults: ModuleType
) -> None:
    def overview() -> str:
        return steps.text(steps.client.get("/dashboard/"))

    run = steps.start(count=3)
    steps.press(run, "dismiss")
    assert run.dismissed_at is None, "it still runs"
    faults.set(SEND, status=400, times=1)
    steps.work(run)
    assert "was refused" in overview() and "Remove from overview" in steps.page(run)
    steps.press(run, "dismiss")
    steps.press(run, "dismiss")
    assert "was refused" not in overview() and states(run)[ItemState.REFUSED] == 1
    page = steps.page(run)
    assert page.count("Removed from the overview by") == 1 and "Retry 1 refused" in page
    steps.press(run, "restore")
    assert "was refused" in overview() and "Put back on the overview by" in steps.page(run)
    steps.press(run, "dismiss")
    faults.set(SEND, status=400, times=1)
    steps.press(run, "retry")
    steps.work(run)
    assert "was refused" in overview(), "refused once more, it is news"


def test_a_whole_group_of_refusals_pauses_the_run(
    steps: Steps, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = steps.start(count=25)
    faults.set(SEND, status=400)
    steps.work(run, 2)
    assert calls(SEND) == 10 and run.state == RunState.PAUSED
    assert "Paused: the platform refused 10 videos in a row." in steps.page(run)
    assert "was paused" in steps.text(steps.client.get("/dashboard/"))


def test_a_refused_token_pauses_the_run_and_continue_sends_what_waited(steps: Steps, faults: ModuleType) -> None:
    run = steps.start(count=3)
    faults.set(SEND, status=401)
    steps.work(run)
    assert run.state == RunState.PAUSED and "refused the account's token" in steps.page(run)
    faults.clear()
    steps.press(run, "continue")
    run_due(400)
    steps.work(run)
    assert states(run) == {ItemState.DONE: 3} and run.state == RunState.FINISHED


def test_a_call_without_an_answer_is_not_confirmed_and_never_sent_again(
    steps: Steps, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = steps.start(count=3)
    faults.set(SEND, broken="lost", times=1)
    steps.work(run)
    assert states(run) == {ItemState.UNCONFIRMED: 1, ItemState.PLANNED: 2}
    assert "not confirmed" in steps.page(run)
    run_due(30)
    steps.work(run)
    assert states(run) == {ItemState.DONE: 3}
    assert calls(SEND) == 3, "reading settled the first one"


def test_a_worker_that_dies_between_storing_and_sending_loses_and_doubles_nothing(
    steps: Steps, calls: Callable[[str], int]
) -> None:
    run = steps.start(count=2)

    with dies_before_sending():
        steps.work(run)
    assert Write.objects.get().state == State.HELD
    run_due(60)
    steps.work(run)
    assert states(run) == {ItemState.DONE: 2} and calls(SEND) == 2


def test_a_poll_brings_nothing_while_nothing_changes_and_the_new_state_after(
    steps: Steps, monkeypatch: pytest.MonkeyPatch
) -> None:
    run = steps.start(count=2)
    page = steps.page(run)
    poll = page.split("<main")[1].split('hx-get="')[1].split('"')[0]
    with monkeypatch.context() as patch:
        patch.delattr("dashboard.runs.pages.build_part")  # nothing is made that is not shown
        assert steps.client.get(poll, headers={"HX-Request": "true"}).status_code == 204
    steps.work(run)
    part = steps.text(steps.client.get(poll, headers={"HX-Request": "true"}))
    assert "<title>2 of 2, Hide chat of" in part and "data-poll" not in part


def test_the_export_has_every_video_with_its_result_and_reason(steps: Steps, faults: ModuleType) -> None:
    run = steps.start(count=2)
    faults.set(SEND, status=400, times=1)
    steps.work(run)
    lines = steps.client.get(f"/dashboard/runs/{run.pk}/results.csv").content.decode().splitlines()
    assert len(lines) == 3 and "Refused" in lines[1] and "Finished" in lines[2]


def test_a_run_of_another_account_does_not_exist(steps: Steps, cast: dict[str, Any]) -> None:
    run = steps.start(count=1)
    stranger = signed_in(Client(), cast["tokens"]["sub_account"])
    for path in ("", "progress/", "results.csv"):
        assert stranger.get(f"/dashboard/runs/{run.pk}/{path}").status_code == 404
    for word in ("start", "pause", "continue", "retry", "check-again"):
        assert stranger.post(f"/dashboard/runs/{run.pk}/{word}/").status_code == 404
    assert run.title not in steps.text(stranger.get("/dashboard/runs/"))


def test_videos_of_another_account_are_left_out(steps: Steps, cast: dict[str, Any]) -> None:
    steps.client.get("/dashboard/videos/")
    steps.videos = [cast["videos"]["other_account"], *steps.videos]
    steps.client.get("/dashboard/videos/?sort=title")
    run = steps.check(count=2)
    assert [item.video_id for item in run.items.all()] == steps.videos[1:2]


@pytest.mark.parametrize(
    "form", [{}, {"video": "no-uuid"}, {"all": "", "video": []}], ids=["nothing", "no identifier", "empty"]
)
def test_without_a_video_the_list_says_to_choose_one(steps: Steps, form: dict[str, Any]) -> None:
    answer = steps.client.post(CHECK, {"action": "hide_chat", **form}, follow=True)
    assert answer.redirect_chain[0][0] == "/dashboard/videos/"
    assert "Choose at least one video." in steps.text(answer)


def test_a_wrong_option_is_told_at_its_field_and_keeps_the_choice(steps: Steps) -> None:
    form = {"action": "hide_chat", "check": "1", "assistant": "nobody", "video": steps.videos[:2]}
    answer = steps.client.post(CHECK, form)
    page = steps.text(answer)
    assert answer.status_code == 422 and "Choose an assistant from the list." in page
    assert page.count('name="video"') == 2 and not Run.objects.exists()


def test_an_unknown_action_is_no_page(steps: Steps) -> None:
    assert steps.client.get(f"{CHECK}?action=explode&video={steps.videos[0]}").status_code == 404


def test_the_list_shows_each_run_with_its_counts(steps: Steps) -> None:
    run = steps.start(count=2)
    steps.work(run)
    page = steps.text(steps.client.get("/dashboard/runs/"))
    assert run.title in page and "2 of 2 finished" in page


def test_a_list_of_many_runs_costs_as_few_queries_as_one_of_one(
    steps: Steps, django_assert_max_num_queries: Any
) -> None:
    for _time in range(6):
        steps.check(count=1)
    with django_assert_max_num_queries(12):
        steps.client.get("/dashboard/runs/")


def test_videos_that_are_planned_again_while_a_worker_ends_its_last_group_are_sent(
    steps: Steps, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = steps.start(count=2)
    faults.set(SEND, status=400, times=1)
    with at_statement('UPDATE "runs_run" SET "due_at" = NULL', lambda: steps.press(run, "retry")):
        steps.work(run)
    steps.work(run)
    assert states(run) == {ItemState.DONE: 2} and run.state == RunState.FINISHED and calls(SEND) == 3


def test_a_run_that_is_continued_while_a_worker_sends_goes_on(
    steps: Steps, faults: ModuleType, at_platform: AtPlatform
) -> None:
    run = steps.start(count=3)

    def continue_meanwhile(_request: object) -> None:
        steps.press(run, "pause")
        steps.press(run, "continue")
        raise Refusal(429, "Too many requests", {"retry-after": "40"})

    at_platform.arrives(SEND, continue_meanwhile, once=True)
    with measure_span() as span:
        steps.work(run)
    assert span.holds(run.due_at) and not run.reason


def test_a_video_that_a_page_has_told_as_refused_is_not_planned_in_a_finished_run(
    steps: Steps, faults: ModuleType
) -> None:
    run = steps.start("review_links", 1, name="Round 1", days="7")
    faults.set("review_links.create", status=429, retry_after=30, times=1)
    with at_statement('UPDATE "writes_write" SET "shown"', lambda: steps.page(run)):
        steps.work(run)
    assert states(run) == {ItemState.REFUSED: 1} and run.state == RunState.FINISHED
    assert "Retry 1 refused" in steps.page(run)


def test_a_restored_run_sends_nothing_by_itself_and_says_what_to_check(
    steps: Steps, calls: Callable[[str], int]
) -> None:
    run, untouched = steps.start(count=25), steps.check(count=2)
    steps.work(run)
    recovery.doubt_restored()
    steps.work(run)
    assert calls(SEND) == 10 and run.state == RunState.PAUSED
    assert "may have been sent after the backup" in steps.page(run)
    untouched.refresh_from_db()
    assert untouched.state == RunState.CHECKED
    steps.press(run, "continue")
    steps.work(run, 2)
    assert calls(SEND) == 25 and run.state == RunState.FINISHED


def test_a_run_that_the_token_of_the_parent_stopped_asks_for_that_account(steps: Steps) -> None:
    run = steps.start(count=1)
    Run.objects.update(state=RunState.PAUSED, reason=ParentTokenHeld.__name__)
    assert "Connect the parent account again" in steps.page(run)


def test_retry_leaves_a_paused_run_paused_until_it_is_continued(
    steps: Steps, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = steps.start(count=25)
    faults.set(SEND, status=400)
    steps.work(run)
    faults.clear()
    steps.press(run, "retry")
    steps.work(run)
    assert calls(SEND) == 10 and run.state == RunState.PAUSED and states(run) == {ItemState.PLANNED: 25}
    page = steps.page(run)
    assert "Continue run" in page and "videos in a row" not in page
    steps.press(run, "continue")
    steps.work(run, 3)
    assert states(run) == {ItemState.DONE: 25}


def test_the_first_reading_of_the_library_is_a_row_above_the_runs(steps: Steps) -> None:
    account = Run.objects.get(pk=steps.check().pk).account
    assert "Reading your library" not in steps.text(steps.client.get("/dashboard/runs/"))
    LibraryReading.objects.update_or_create(
        account=account, defaults={"videos": 5_000, "read": 3_200, "left": 3_600, "wanted_at": timezone.now()}
    )
    row, _end, rest = steps.text(steps.client.get("/dashboard/runs/")).partition("Open videos")
    row = row.partition("Reading your library")[2]
    assert "<b>3,200 of 5,000 videos read</b>" in row and "minutes left." in row
    assert "Hide chat" in rest, "the runs stand below it"


def test_a_reading_that_pauses_says_why_and_when_it_continues(steps: Steps) -> None:
    account = Run.objects.get(pk=steps.check().pk).account
    until = timezone.now() + timedelta(minutes=4)
    LibraryReading.objects.update_or_create(
        account=account,
        defaults={
            "videos": 5_000, "read": 3_200, "left": 3_600, "wanted_at": timezone.now(), "reason": "videos.get RateLimited",
            "next_at": until,
        },
    )  # fmt: skip
    row = steps.text(steps.client.get("/dashboard/runs/")).partition("Reading your library")[2]
    assert "Too many requests. Continues at " in row.partition("Open videos")[0]
