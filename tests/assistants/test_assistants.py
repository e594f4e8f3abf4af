"""The matrix of chats: what is known, switched one by one and several at once, taken back, and honest when it fails."""

import re
from collections.abc import Callable
from html import unescape
from types import ModuleType
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.activity.models import Entry, Outcome
from dashboard.assistants.models import Added, Switch
from dashboard.assistants.rules import Chat, LastSwitch, chat_state, is_possible_id, merge_assistants
from dashboard.platform_api.assistants import Assistant
from dashboard.sandbox.models import Assistant as AssistantOfPlatform
from dashboard.writes import failures
from dashboard.writes.models import State, Write
from tests.conftest import signed_in, undo_shown
from tests.due import run_due
from tests.forgetting import forget
from tests.moments import hurry
from tests.pages import one_line, read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

ADDRESS = "/dashboard/assistants/"
KEY = "0e5cbb12-95f0-4a4a-8f4e-0c4a9e0d7a11"
"""The key of a form that is sent more than once."""
SCRIPT = {"HX-Request": "true"}
LIST, ONE, WRITE = "assistants.list", "assistants.get", "assistants.update_chat_visibility"


def state(client: Client, pair: tuple[str, str]) -> str:
    """The word in the cell of one chat."""
    cell = read_page(client, f"{ADDRESS}?of={pair[1]}").split(f'id="chat-{pair[0]}-{pair[1]}"')[1]
    return cell.split("<span>")[1].split("</span>")[0]


def press(client: Client, pair: tuple[str, str], show: bool = True, write_key: str = "", **extra: Any) -> Any:
    form = {"switch": f"{pair[0]} {pair[1]} {int(show)}", "write_key": write_key}
    return client.post(f"{ADDRESS}switch/", form, **extra)


@pytest.mark.parametrize(
    ("read", "remembered", "waiting", "stands"),
    [
        (True, None, None, Chat.SHOWN),
        (False, LastSwitch(True, True), None, Chat.HIDDEN),
        (None, LastSwitch(True, True), None, Chat.SHOWN),
        (None, LastSwitch(True, False), None, Chat.UNCONFIRMED),
        (None, None, None, Chat.UNKNOWN),
        (True, LastSwitch(True, True), False, Chat.WILL_HIDE),
    ],
)
def test_a_chat_is_what_waits_then_what_was_read_then_what_was_switched_then_unknown(
    read: bool | None, remembered: LastSwitch | None, waiting: bool | None, stands: Chat
) -> None:
    assert chat_state(read, remembered, waiting) is stands


def test_assistant_added_by_id_stands_once_where_the_platform_lists_it() -> None:
    listed, added = [Assistant.from_json({"id": "a"})], [Assistant.from_json({"id": id}) for id in "ab"]
    assert [assistant.id for assistant in merge_assistants(listed, added)] == ["a", "b"]


@pytest.mark.parametrize(
    ("typed", "possible"),
    [("a", True), ("a" * 100, True), ("a" * 101, False), ("", False), ("a b", False), ("a/b", False)],
)
def test_an_id_is_one_word_of_at_most_100_characters(typed: str, possible: bool) -> None:
    assert is_possible_id(typed) is possible


def test_the_matrix_shows_every_assistant_and_says_what_is_not_known(owner: Client) -> None:
    page = read_page(owner, ADDRESS)
    assert page[page.index("<main") : page.index("</main>")].count('<th scope="col">') == 3
    assert "Unknown" in page


def test_a_press_switches_once_is_recorded_and_stays(owner: Client, pair: tuple[str, str]) -> None:
    answer = press(owner, pair, follow=True)
    assert "is shown on" in answer.content.decode()
    assert state(owner, pair) == "Shown"
    entry = Entry.objects.get(operation=WRITE)
    assert entry.outcome == Outcome.DONE
    assert entry.after is not None
    assert entry.after["chat_is_visible"] is True


def test_with_script_only_the_cell_comes_back_with_an_undo(owner: Client, pair: tuple[str, str]) -> None:
    press(owner, pair)
    answer = press(owner, pair, show=False, headers={"HX-Request": "true"}).content.decode()
    assert "<html" not in answer
    assert "Hidden" in answer
    assert f'value="{pair[0]} {pair[1]} 1"' in answer
    assert "Undo" in answer


def test_what_was_not_known_before_offers_no_undo(owner: Client, pair: tuple[str, str]) -> None:
    assert "Undo" not in press(owner, pair, headers={"HX-Request": "true"}).content.decode()
    assert Entry.objects.get(operation=WRITE).before is None


def test_activity_takes_a_switch_back(owner: Client, pair: tuple[str, str]) -> None:
    press(owner, pair)
    press(owner, pair, show=False)
    entry = Entry.objects.get(before__isnull=False)
    assert '"chat_is_visible": true' in undo_shown(owner, entry)
    assert state(owner, pair) == "Hidden", "looking sends nothing"
    owner.post(f"/dashboard/activity/{entry.pk}/undo/")
    assert state(owner, pair) == "Shown"
    assert Entry.objects.filter(undoes=entry, outcome=Outcome.DONE).exists()


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 403}, "may not do that"),
        ({"status": 404}, "was not found on the platform"),
        ({"status": 400}, "refused"),
    ],
)
def test_a_refusal_goes_back_to_what_is(
    owner: Client, pair: tuple[str, str], faults: ModuleType, fault: dict[str, int], sentence: str
) -> None:
    press(owner, pair)
    faults.set(WRITE, **fault)
    script = press(owner, pair, show=False, headers={"HX-Request": "true"})
    plain = press(owner, pair, show=False)
    assert (script.status_code, plain.status_code) == (422, 422)
    for answer in (script, plain):
        assert sentence in unescape(answer.content.decode())
    faults.clear()
    assert state(owner, pair) == "Shown"


def test_an_answer_that_never_came_is_settled_by_the_list(
    owner: Client, pair: tuple[str, str], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    faults.set(WRITE, broken="lost")
    for _press in range(2):
        answer = press(owner, pair, headers=SCRIPT, write_key=KEY).content.decode()
        assert "Not confirmed. We keep checking automatically." in answer
        assert "<span>Not confirmed</span>" in answer
    assert calls(WRITE) == 1
    run_due(3)
    assert Entry.objects.get().outcome == Outcome.DONE
    assert Switch.objects.get().confirmed


def test_an_answer_that_nothing_can_settle_is_settled_by_its_author(
    owner: Client, pair: tuple[str, str], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    faults.set(LIST, status=404)
    faults.set(ONE, status=404)
    owner.post(f"{ADDRESS}add/", {"assistant_id": pair[0], "name": "Lia"})
    faults.set(WRITE, broken="lost")
    press(owner, pair)
    assert state(owner, pair) == "Not confirmed"
    run_due(120)
    assert "It arrived" in read_page(owner, ADDRESS)
    owner.post(f"/dashboard/activity/writes/{Write.objects.get().pk}/", {"act": "confirm"})
    assert state(owner, pair) == "Shown"
    assert (calls(WRITE), Entry.objects.get().outcome) == (1, Outcome.DONE)


def test_a_switch_that_was_lost_leaves_the_chat_as_it_was(
    owner: Client, pair: tuple[str, str], faults: ModuleType
) -> None:
    press(owner, pair, show=False)
    faults.set(WRITE, broken="dropped")
    press(owner, pair)
    assert not Switch.objects.get().confirmed
    run_due(60)
    assert Entry.objects.latest("at").outcome == Outcome.REFUSED
    assert (Switch.objects.get().visible, Switch.objects.get().confirmed) == (False, True)


@pytest.mark.parametrize("how", ["lost", "dropped"])
def test_a_switch_that_a_later_one_replaced_is_over_whether_it_arrived_or_not(
    owner: Client, pair: tuple[str, str], faults: ModuleType, how: str
) -> None:
    press(owner, pair, show=False)
    faults.set(WRITE, broken=how)
    press(owner, pair)
    faults.clear()
    press(owner, pair, show=False)
    run_due(60)
    assert list(Write.objects.order_by("created_at").values_list("state", "reason")) == [
        ("done", ""),
        ("done", failures.REPLACED),
        ("done", ""),
    ]
    assert (Switch.objects.get().visible, Switch.objects.get().confirmed) == (False, True)
    assert state(owner, pair) == "Hidden"


@pytest.mark.parametrize("fault", [{"status": 429}, {"broken": "refused"}])
def test_a_switch_that_cannot_be_sent_now_is_sent_by_the_worker_without_a_visitor(
    owner: Client, pair: tuple[str, str], faults: ModuleType, fault: dict[str, Any]
) -> None:
    faults.set(WRITE, **fault)
    answer = press(owner, pair, headers=SCRIPT)
    assert answer.status_code == 200
    assert "Your change is saved here and will be sent automatically" in unescape(answer.content.decode())
    assert state(owner, pair) == "Waiting"
    assert "1 chat is waiting" in read_page(owner, ADDRESS)
    faults.clear()
    run_due(60)
    assert state(owner, pair) == "Shown"
    assert Entry.objects.get().outcome == Outcome.DONE
    part = owner.get(f"{ADDRESS}progress/?v=1").content.decode()
    assert "All chats were sent." in part and owner.get(f"{ADDRESS}progress/?v=0").status_code == 204


def test_a_later_press_replaces_one_that_still_waits(
    owner: Client, pair: tuple[str, str], faults: ModuleType, calls: Callable[[str], int]
) -> None:
    faults.set(WRITE, status=429)
    press(owner, pair)
    faults.clear()
    press(owner, pair, show=False)
    run_due(60)
    assert state(owner, pair) == "Hidden"
    assert calls(WRITE) == 2, "the one that the platform put off, and the later one"


def test_the_answer_to_a_press_with_script_carries_the_key_of_the_next_one(
    owner: Client, pair: tuple[str, str]
) -> None:
    answers = [press(owner, pair, show=show, headers=SCRIPT).content.decode() for show in (True, False)]
    keys = {answer.split('name="write_key" value="')[1].split('"')[0] for answer in answers}
    assert len(keys) == 2


def test_a_platform_without_a_list_is_said_and_an_assistant_can_be_added(
    owner: Client, pair: tuple[str, str], faults: ModuleType
) -> None:
    faults.set(LIST, status=404)
    faults.set(ONE, status=404)
    page = read_page(owner, ADDRESS)
    assert "doesn't list its assistants" in page
    assert "No assistants yet" in page
    assert owner.post(f"{ADDRESS}add/", {"assistant_id": pair[0], "name": "Lia"}).status_code == 302
    assert state(owner, pair) == "Unknown"
    press(owner, pair)
    assert state(owner, pair) == "Shown"
    assert "Lia" in read_page(owner, ADDRESS)


def test_an_added_assistant_is_read_by_its_id_with_its_chats_and_what_it_has_not_learned(
    owner: Client, pair: tuple[str, str], cast: dict[str, Any], faults: ModuleType
) -> None:
    faults.set(LIST, status=404)
    owner.post(f"{ADDRESS}add/", {"assistant_id": pair[0]})
    name, learned = AssistantOfPlatform.objects.get(pk=pair[0]).name, str(cast["videos"]["with_ai_content"])
    page = read_page(owner, ADDRESS)
    assert name in page and "Not ready yet" not in page and "being processed" not in page
    assert state(owner, (pair[0], learned)) == "Shown"
    AssistantOfPlatform.objects.filter(pk=pair[0]).update(created_at=timezone.now())
    forget()
    page = read_page(owner, ADDRESS)
    assert page.count("Not ready yet") == 2, "above its column, and in the list of those that were added"
    assert "4 videos are still being processed" in one_line(page)
    faults.set(ONE, status=500)
    forget()
    answer = owner.get(ADDRESS)
    assert answer.status_code == 502 and pair[0] in answer.content.decode()


def test_lost_answer_to_a_switch_is_settled_by_the_one_assistant_where_there_is_no_list(
    owner: Client, pair: tuple[str, str], faults: ModuleType
) -> None:
    faults.set(LIST, status=404)
    owner.post(f"{ADDRESS}add/", {"assistant_id": pair[0]})
    faults.set("assistants.update_chat_visibility", broken="lost")
    press(owner, pair)
    faults.clear("assistants.update_chat_visibility")
    run_due(61)
    assert Write.objects.get().state == State.DONE


def test_an_added_assistant_is_removed_here_and_nothing_is_sent(
    owner: Client, pair: tuple[str, str], faults: ModuleType, cast: dict[str, Any]
) -> None:
    faults.set(LIST, status=404)
    owner.post(f"{ADDRESS}add/", {"assistant_id": "lia-7", "name": "Lia"})
    Added.objects.create(account_id=uuid4(), assistant_id="lia-7", name="Somebody else's")
    assert "Remove: Lia" in " ".join(re.sub("<[^>]+>", "", read_page(owner, ADDRESS)).split())
    assert owner.post(f"{ADDRESS}remove/", {"assistant": "nobody"}).status_code == 302
    owner.post(f"{ADDRESS}remove/", {"assistant": "lia-7"})
    assert Added.objects.get().name == "Somebody else's"
    assert "“Lia” was removed from Reelroom. Its chats stay as they are." in read_page(owner, ADDRESS)
    assert "Remove" not in read_page(owner, ADDRESS)
    assert not Entry.objects.exists()


def test_an_assistant_of_the_platform_s_list_cannot_be_removed(owner: Client) -> None:
    assert "Remove" not in read_page(owner, ADDRESS)


def test_a_wrong_id_is_said_at_its_field_and_stays_typed(owner: Client) -> None:
    answer = owner.post(f"{ADDRESS}add/", {"assistant_id": "my bot", "name": "Lia"})
    assert answer.status_code == 422
    page = unescape(answer.content.decode())
    assert "An id is one word" in page
    assert 'value="my bot"' in page


def test_several_are_switched_and_those_that_stand_so_are_left_alone(owner: Client, pair: tuple[str, str]) -> None:
    press(owner, pair)
    Entry.objects.all().delete()
    videos = [line.split('"')[0] for line in read_page(owner, ADDRESS).split('name="video" value="')[1:4]]
    body = {"video": [*videos], "assistant": pair[0], "visible": "1"}
    first = owner.post(f"{ADDRESS}several/", body, follow=True).content.decode()
    assert "changed." in first
    sent = Entry.objects.count()
    owner.post(f"{ADDRESS}several/", body)
    assert Entry.objects.count() == sent
    assert all(state(owner, (pair[0], video)) == "Shown" for video in videos)


def chosen(owner: Client, many: int = 3) -> list[str]:
    """The first videos of the matrix."""
    return [line.split('"')[0] for line in read_page(owner, ADDRESS).split('name="video" value="')[1 : many + 1]]


def test_several_that_are_refused_are_counted_and_stay_chosen(
    owner: Client, pair: tuple[str, str], faults: ModuleType
) -> None:
    faults.set(WRITE, status=403)
    answer = owner.post(f"{ADDRESS}several/", {"video": chosen(owner), "assistant": pair[0], "visible": "0"})
    page = unescape(one_line(answer.content.decode()))
    assert answer.status_code == 422 and "3 were not changed: This account may not do that." in page
    assert page.count(" checked") >= 2


@pytest.mark.parametrize("why", ["the press's time is over", "the platform asks for a pause"])
def test_those_that_did_not_leave_with_the_press_are_sent_by_the_worker(
    owner: Client,
    pair: tuple[str, str],
    faults: ModuleType,
    calls: Callable[[str], int],
    monkeypatch: pytest.MonkeyPatch,
    why: str,
) -> None:
    body = {"video": chosen(owner), "assistant": pair[0], "visible": "1", "write_key": KEY}
    if "pause" in why:
        faults.set(WRITE, status=429, times=1)
    hurry(monkeypatch, "dashboard.assistants.writes")
    page = owner.post(f"{ADDRESS}several/", body, follow=True).content.decode()
    left = 3 if "pause" in why else 2
    assert f"{left} chats are waiting and will be sent automatically. You can close this page." in page
    assert Write.objects.count() == 3, "stored before the first one leaves"
    run_due(60)
    again = owner.post(f"{ADDRESS}several/", body, follow=True).content.decode()
    assert "3 chats were changed." in again, "the same form sent twice says how the first one ended"
    assert calls(WRITE) == 3 + ("pause" in why)
    assert all(state(owner, (pair[0], video)) == "Shown" for video in body["video"])


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"visible": "1"}, "Choose at least one video."),
        ({"video": "{video}"}, "Choose Show or Hide."),
        ({"video": "{video}", "visible": "1", "assistant": "other"}, "Choose an assistant from the list."),
    ],
)
def test_several_say_what_is_missing(owner: Client, pair: tuple[str, str], body: dict[str, str], sentence: str) -> None:
    filled = {key: value.format(video=pair[1]) for key, value in body.items()} | {"of": pair[1]}
    answer = owner.post(f"{ADDRESS}several/", filled)
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not Entry.objects.exists()


def test_show_the_request_sends_nothing_and_keeps_the_choice(owner: Client, pair: tuple[str, str]) -> None:
    body = {"video": pair[1], "of": pair[1], "assistant": "*", "visible": "1", "_dry_run": "1"}
    page = unescape(one_line(owner.post(f"{ADDRESS}several/", body).content.decode()))
    assert '"chat_is_visible": true' in page
    assert "1 more request like this one would follow." in page
    assert " checked" in page
    assert not Entry.objects.exists()


@pytest.mark.parametrize("value", ["", "a b", "a not-a-uuid 1", "a 3f2b6c1e-0000-4000-8000-000000000000 2"])
def test_a_press_that_no_button_sends_is_not_found(owner: Client, value: str) -> None:
    assert owner.post(f"{ADDRESS}switch/", {"switch": value}).status_code == 404


def test_another_account_can_neither_see_nor_switch_it(
    client: Client, cast: dict[str, Any], pair: tuple[str, str]
) -> None:
    signed_in(client, cast["tokens"]["trial"])
    assert client.get(f"{ADDRESS}?of={pair[1]}").status_code == 404
    assert press(client, pair).status_code == 404
    assert not Switch.objects.exists()


def test_signed_out_leads_to_sign_in(client: Client) -> None:
    assert client.get(ADDRESS)["Location"].startswith("/sign-in/")


@pytest.mark.parametrize("operation", [LIST, "videos.list"])
@pytest.mark.parametrize(("status", "answers"), [(403, 403), (429, 503), (500, 502), (401, 302)])
def test_a_side_that_cannot_be_read_is_said_and_the_page_stands(
    owner: Client, faults: ModuleType, operation: str, status: int, answers: int
) -> None:
    faults.set(operation, status=status)
    answer = owner.get(ADDRESS)
    assert answer.status_code == answers
    assert answers == 302 or b'role="alert"' in answer.content


def test_videos_are_found_by_title_in_pages(owner: Client) -> None:
    assert 'rel="next"' in read_page(owner, ADDRESS)
    assert 'rel="prev"' in read_page(owner, f"{ADDRESS}?page=2")
    assert "From cherry to cup" in read_page(owner, f"{ADDRESS}?find=cherry")
    assert "No video with this title" in read_page(owner, f"{ADDRESS}?find=zzzz")


def test_what_the_list_tells_of_a_chat_wins() -> None:
    read = Assistant.from_json({"id": "a", "videos": [{"video_id": "v", "chat_is_visible": False}]})
    assert chat_state(read.chat.get("v"), LastSwitch(True, True)) is Chat.HIDDEN
