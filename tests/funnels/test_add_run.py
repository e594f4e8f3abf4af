"""Many videos added to a funnel by a run: checked, sent in one request, never over what others changed."""

import json
from collections.abc import Callable
from functools import partial
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.funnels import rules, writes
from dashboard.funnels.rules import Card
from dashboard.platform_api.vocabulary import Message
from dashboard.runs import sending
from dashboard.runs.models import ALL_REFUSED, Run, RunItem, RunState
from dashboard.sandbox.http_types import SandboxRequest, bad_request
from dashboard.sandbox.models import Funnel, Organization, Video
from dashboard.upstream.clients import platform_for
from dashboard.writes import outbox
from dashboard.writes.failures import RESTORED
from dashboard.writes.models import State, Write
from dashboard.writes.recovery import restored
from dashboard.writes.run_actions import ItemState, RunAction
from tests.answering import answer_with
from tests.conftest import AtPlatform
from tests.forgetting import forget
from tests.funnels.test_funnels import WRITE, main, moved, now
from tests.runs.conftest import CHECK, Steps

__all__ = ["main"]

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def steps(owner: Client, main: str) -> Steps:
    """The demo's owner, with 25 videos that are in no funnel."""
    placed = {video.id for video in now(main).videos}
    organization = Funnel.objects.get(pk=main).organization
    Video.objects.filter(organization=organization).update(status="CONVERTED")  # others are left out
    videos = Video.objects.filter(organization=organization).exclude(pk__in=placed).order_by("created_at")[:25]
    return Steps(owner, "", [str(video.pk) for video in videos])


def check(steps: Steps, funnel_id: str, count: int = 25) -> Run:
    return steps.check("add_to_funnel", count, funnel=funnel_id)


def start(steps: Steps, funnel_id: str, count: int = 25) -> Run:
    run = check(steps, funnel_id, count)
    steps.press(run, "start")
    return run


def test_all_videos_leave_in_one_request_and_the_entry_stays(
    steps: Steps, main: str, calls: Callable[[str], int]
) -> None:
    before = now(main)
    run = check(steps, main)
    page = steps.page(run)
    assert "25 of 25 videos can be sent." in page and "move to the folder of the funnel" in page
    assert "more request" not in page and calls(WRITE) == 0
    steps.press(run, "start")
    assert "Up to 100 videos are sent in one request." in steps.page(run)
    steps.work(run)
    assert calls(WRITE) == 1 and run.state == RunState.FINISHED
    assert sending.count_states(run) == {ItemState.DONE: 25}
    after = now(main)
    assert rules.get_entry_id(after) == rules.get_entry_id(before)
    assert {video.id for video in after.videos} == {video.id for video in before.videos} | set(steps.videos)
    where = {video.id: (video.x, video.y) for video in after.videos}
    assert all(where[video.id] == (video.x, video.y) for video in before.videos), "what was there did not move"
    assert len(set(where.values())) == len(where), "no card covers another"


def test_a_run_splits_itself_and_every_part_names_the_same_entry(
    steps: Steps, main: str, calls: Callable[[str], int], part_has: Callable[[int], None]
) -> None:
    part_has(10)
    run = start(steps, main)
    steps.work(run, times=3)
    assert calls(WRITE) == 3 and sending.count_states(run) == {ItemState.DONE: 25}
    assert sum(video.is_first for video in now(main).videos) == 1


def test_the_first_video_of_an_empty_funnel_is_its_entry_in_every_part(
    steps: Steps, main: str, part_has: Callable[[int], None]
) -> None:
    part_has(10)
    Funnel.objects.get(pk=main).placed.all().delete()
    run = start(steps, main)
    steps.work(run, times=3)
    assert sending.count_states(run) == {ItemState.DONE: 25}
    there = now(main)
    assert len(there.videos) == 25 and rules.get_entry_id(there) == steps.videos[0]


def test_a_video_that_is_in_the_funnel_is_left_out_with_its_reason(steps: Steps, main: str) -> None:
    steps.videos = [now(main).videos[0].id, *steps.videos]
    page = steps.page(check(steps, main, 3))
    assert "2 of 3 videos can be sent." in page and "The video is in this funnel already." in page


@pytest.mark.parametrize("change", ["entry", "place", "video"])
def test_what_others_changed_since_is_not_overwritten_and_can_be_checked_again(
    steps: Steps, main: str, calls: Callable[[str], int], change: str
) -> None:
    run = start(steps, main, 3)
    _change_elsewhere(main, change, steps.videos[0])
    sent = calls(WRITE)
    steps.work(run)
    assert calls(WRITE) == sent and sending.count_states(run) == {ItemState.NOT_SENT: 3}
    assert "The funnel has changed since the check: nothing was added." in steps.page(run)
    other = now(main)
    steps.press(run, "check-again")
    steps.work(run)
    assert rules.get_entry_id(now(main)) == rules.get_entry_id(other)
    done = 2 if change == "video" else 3
    assert sending.count_states(run)[ItemState.DONE] == done


def _change_elsewhere(funnel_id: str, change: str, video_id: str) -> None:
    """What another person does on the platform."""
    entry = next(video for video in now(funnel_id).videos if video.is_first)
    other = next(video for video in now(funnel_id).videos if not video.is_first)
    assert entry.x is not None and entry.y is not None and other.x is not None and other.y is not None
    here, there = (entry.x, entry.y), (other.x, other.y)
    items = {
        "entry": [rules.build_item(other.id, there, is_first=True)],
        "place": [rules.build_item(entry.id, (here[0] + 20, here[1]), is_first=True)],
        "video": [
            rules.build_item(entry.id, here, is_first=True),
            rules.build_item(video_id, (5.0, 5.0), is_first=False),
        ],
    }[change]
    platform_for(Account.objects.get()).funnels.add_videos(funnel_id, items)


def test_a_place_that_was_taken_since_is_left_free_and_checked_again(
    steps: Steps, main: str, calls: Callable[[str], int]
) -> None:
    first = start(steps, main, 3)
    steps.videos = steps.videos[3:]
    other = check(steps, main, 3)
    steps.press(other, "start")  # both would stand below the board as it was
    steps.work(first)
    sent = calls(WRITE)
    steps.work(other)
    assert calls(WRITE) == sent and sending.count_states(other) == {ItemState.NOT_SENT: 3}
    assert "Sent 3 videos" in steps.page(first) and "Sent 3 videos" not in steps.page(other)
    steps.press(other, "check-again")
    steps.work(other)
    assert sending.count_states(other) == {ItemState.DONE: 3} and "Sent 3 videos" in steps.page(other)
    places = [(video.x, video.y) for video in now(main).videos]
    assert len(set(places)) == len(places), "no card covers another"


def test_a_part_that_is_refused_pauses_the_run_with_its_number(
    steps: Steps, main: str, faults: ModuleType, part_has: Callable[[int], None]
) -> None:
    part_has(20)
    run = start(steps, main, 25)
    faults.set(WRITE, status=403)
    steps.work(run)
    assert (run.state, run.reason) == (RunState.PAUSED, ALL_REFUSED)
    assert "the platform refused 20 videos in a row" in steps.page(run)


@pytest.mark.parametrize(
    ("fault", "state", "sent"),
    [
        ({"status": 403}, ItemState.REFUSED, 1),
        ({"status": 429}, ItemState.PLANNED, 1),
        ({"broken": "lost"}, ItemState.UNCONFIRMED, 1),
    ],
)
def test_all_videos_of_a_request_share_its_end(
    steps: Steps, main: str, faults: ModuleType, fault: dict[str, Any], state: ItemState, sent: int
) -> None:
    run = start(steps, main, 12)
    faults.set(WRITE, **fault)
    steps.work(run)
    assert sending.count_states(run) == {state: 12}


def test_a_request_whose_answer_was_lost_is_found_by_reading_and_not_sent_again(
    steps: Steps, main: str, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = start(steps, main, 3)
    faults.set(WRITE, broken="lost")
    steps.work(run)
    faults.clear()
    write = Write.objects.get(operation=WRITE)
    assert outbox.settle_by_reading(write).state == State.DONE
    sent = calls(WRITE)
    steps.work(run)
    sending.follow(run)
    assert calls(WRITE) == sent and sending.count_states(run) == {ItemState.DONE: 3}


def test_a_run_restored_from_a_backup_adds_nothing_that_was_added_after_it(
    steps: Steps, main: str, calls: Callable[[str], int]
) -> None:
    run = start(steps, main, 3)
    kept = Write.objects.count()
    items = list(run.items.values_list("data", "video_id"))
    entry = items[0][0]["entry"]
    added = [rules.build_item(video_id, data["place"], is_first=False) for data, video_id in items]
    platform_for(Account.objects.get()).funnels.add_videos(main, [entry, *added])  # what was sent after the backup
    restored.send(sender=None)
    run.refresh_from_db()
    assert (run.state, run.reason, Write.objects.count()) == (RunState.PAUSED, RESTORED, kept)
    sent = calls(WRITE)
    steps.press(run, "continue")
    steps.work(run)
    assert calls(WRITE) == sent and sending.count_states(run) == {ItemState.NOT_SENT: 3}
    steps.press(run, "check-again")
    assert "The video is in this funnel already." in steps.page(run)


def test_refused_videos_are_retried_together(
    steps: Steps, main: str, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = start(steps, main, 3)
    faults.set(WRITE, status=403)
    steps.work(run)
    faults.clear()
    assert "Retry 3 refused" in steps.page(run)
    before = calls(WRITE)
    steps.press(run, "retry")
    steps.work(run)
    assert calls(WRITE) == before + 1 and sending.count_states(run) == {ItemState.DONE: 3}


@pytest.fixture
def part_has(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """`part_has(10)`: one request names so many videos."""
    return partial(monkeypatch.setattr, writes.AddToFunnel, "size")


@pytest.fixture
def names_refused(at_platform: AtPlatform) -> None:
    """The platform's refusals name the videos that it has no longer."""

    def refuse(request: SandboxRequest) -> None:
        asked = [video["id"] for video in json.loads(request.body)["videos"]]
        gone = set(map(str, Video.objects.filter(organization__name="Elsewhere").values_list("pk", flat=True)))
        if named := [video for video in asked if video in gone]:
            raise bad_request(f"Not found: {' '.join(named)}")

    at_platform.arrives(WRITE, refuse)


def take_away(*videos: str) -> None:
    """The platform has these videos no longer, and refuses every request that names one of them."""
    Video.objects.filter(pk__in=videos).update(organization=Organization.objects.create(name="Elsewhere"))


@pytest.mark.parametrize("place", [0, 1, 12, 24])
def test_one_refused_video_is_named_and_the_others_are_added(
    steps: Steps, main: str, calls: Callable[[str], int], place: int
) -> None:
    run = start(steps, main)
    bad = steps.videos[place]
    take_away(bad)
    steps.work(run, times=12)
    assert sending.count_states(run) == {ItemState.DONE: 24, ItemState.REFUSED: 1} and run.state == RunState.FINISHED
    assert [item.video_id for item in run.items.filter(state=ItemState.REFUSED)] == [bad]
    assert {video.id for video in now(main).videos} >= set(steps.videos) - {bad}
    page = steps.page(run)
    assert "A request for 25 videos was refused" in page and Message.FUNNEL_VIDEO_UNKNOWN in page
    assert calls(WRITE) <= 12, "halves, not one by one"
    sent = [item["id"] for write in Write.objects.filter(operation=WRITE, state=State.DONE) for item in added(write)]
    assert len(sent) == len(set(sent)) == 24, "nothing was posted twice"


def added(write: Write) -> list[dict[str, Any]]:
    return [item for item in write.request["videos"] if not item["is_first"]]


def test_a_refusal_that_names_its_videos_leaves_the_others_in_one_request(
    steps: Steps, main: str, calls: Callable[[str], int], names_refused: None
) -> None:
    run = start(steps, main)
    take_away(steps.videos[7])
    steps.work(run, times=4)
    assert sending.count_states(run) == {ItemState.DONE: 24, ItemState.REFUSED: 1}
    assert calls(WRITE) == 4, "all, those before it, it alone, those after it"


def test_the_refused_entry_of_an_empty_funnel_is_not_the_entry_of_the_others(steps: Steps, main: str) -> None:
    Funnel.objects.get(pk=main).placed.all().delete()
    run = start(steps, main)
    take_away(steps.videos[0])
    steps.work(run, times=14)
    assert sending.count_states(run) == {ItemState.DONE: 24, ItemState.REFUSED: 1}
    assert rules.get_entry_id(now(main)) == steps.videos[1]


@pytest.mark.parametrize(("bad", "state"), [(9, RunState.FINISHED), (25, RunState.PAUSED)])
def test_ten_refused_in_a_row_pause_the_run_before_all_are_tried_alone(
    steps: Steps, main: str, calls: Callable[[str], int], bad: int, state: RunState
) -> None:
    run = start(steps, main)
    take_away(*steps.videos[:bad])
    steps.work(run, times=40)
    assert run.state == state
    counts = sending.count_states(run)
    if state == RunState.FINISHED:
        assert counts == {ItemState.DONE: 16, ItemState.REFUSED: 9}
    else:
        assert counts == {ItemState.REFUSED: 10, ItemState.PLANNED: 15} and calls(WRITE) < 25
        assert "the platform refused 10 videos in a row" in steps.page(run)
        steps.press(run, "continue")
        steps.work(run)
        assert sending.count_states(run)[ItemState.REFUSED] > 10, "somebody let it go on"


def test_a_worker_that_dies_before_it_splits_a_refused_request_leaves_that_to_the_next_one(
    steps: Steps, main: str, calls: Callable[[str], int], monkeypatch: pytest.MonkeyPatch
) -> None:
    run = start(steps, main)
    take_away(steps.videos[3])
    with monkeypatch.context() as dying:
        dying.setattr(sending, "split_refused", _die)
        with pytest.raises(KeyboardInterrupt):
            steps.work(run)
    assert sending.count_states(run) == {ItemState.WAITING: 25} and calls(WRITE) == 1
    assert "25 waiting" in steps.page(run), "a page that is looked at does it as well"
    assert sending.count_states(run) == {ItemState.PLANNED: 25}
    steps.work(run, times=12)
    assert sending.count_states(run) == {ItemState.DONE: 24, ItemState.REFUSED: 1}


def _die(_run: Run, _action: RunAction, items: list[RunItem]) -> set[int]:
    if items:
        raise KeyboardInterrupt
    return set()


def test_a_request_without_an_answer_is_never_split(
    steps: Steps, main: str, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = start(steps, main)
    take_away(steps.videos[3])
    faults.set(WRITE, broken="lost")
    steps.work(run, times=3)
    assert calls(WRITE) == 1 and sending.count_states(run) == {ItemState.UNCONFIRMED: 25}


def test_a_read_that_fails_before_the_request_sends_nothing_and_waits(
    steps: Steps, main: str, faults: ModuleType, calls: Callable[[str], int]
) -> None:
    run = start(steps, main, 3)
    faults.set("funnels.get", status=500)
    sent = calls(WRITE)
    steps.work(run)
    assert calls(WRITE) == sent and sending.count_states(run) == {ItemState.PLANNED: 3}
    faults.clear()
    steps.work(run)
    assert sending.count_states(run) == {ItemState.DONE: 3}


def refusal(steps: Steps, funnel_id: str) -> str:
    answer = steps.client.post(
        CHECK, {"action": "add_to_funnel", "check": "1", "funnel": funnel_id, "video": steps.videos[:2]}
    )
    assert answer.status_code == 422 and not Run.objects.exists()
    return steps.text(answer)


def test_a_funnel_with_unsent_changes_is_refused_with_the_way_on(steps: Steps, main: str) -> None:
    moved(steps.client, main)
    assert "This funnel has changes that are not sent." in refusal(steps, main)


def test_a_funnel_without_an_entry_is_refused_until_it_has_one(steps: Steps, main: str) -> None:
    Funnel.objects.get(pk=main).placed.update(is_first=False)
    forget()
    assert "Mark one video as the entry of the funnel." in refusal(steps, main)


def test_an_entry_that_stands_nowhere_is_told_as_such(steps: Steps, main: str, monkeypatch: pytest.MonkeyPatch) -> None:
    answer = {"id": main, "name": "Main", "videos": [{"id": steps.videos[9], "title": "Entry", "is_first": True}]}
    answer_with(monkeypatch, lambda _request: answer, "funnels.get")
    forget()
    text = refusal(steps, main)
    assert "where the entry of this funnel stands" in text and "Mark one video" not in text


def test_a_platform_that_does_not_list_funnels_is_asked_by_id(steps: Steps, main: str, faults: ModuleType) -> None:
    forget()
    faults.set("funnels.list", status=404)
    answer = steps.client.get(CHECK, {"action": "add_to_funnel", "video": steps.videos[:2]})
    assert "Paste the id of one." in steps.text(answer)
    assert check(steps, main, 2).options["funnel_id"] == main
    assert "not found" in refusal_of_unknown(steps)


def refusal_of_unknown(steps: Steps) -> str:
    answer = steps.client.post(
        CHECK, {"action": "add_to_funnel", "check": "1", "funnel": "nothing", "video": steps.videos[:2]}
    )
    assert answer.status_code == 422
    return steps.text(answer)


@pytest.mark.parametrize("count", [1, 4, 17, 5000])
def test_places_below_never_meet_a_card_or_each_other(count: int) -> None:
    cards = [Card(str(n), "", 40.0 + 10 * n, 500.0 * n, False, None, False, False) for n in range(3)]
    places = rules.list_places_below(cards, count)
    assert len(set(places)) == count
    assert min(y for _x, y in places) >= max(card.y for card in cards) + rules.STEP_Y
    assert max(max(x, y) for x, y in places) <= rules.COORDINATE_MAX
    assert rules.list_places_below([], 1) == [(rules.MARGIN, rules.MARGIN)]
