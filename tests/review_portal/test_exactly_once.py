"""Each write through a link leaves once: without a cookie, twice at once, after an undo, with lost answers, in two tabs."""

import uuid
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from review_portal import forms, owners
from review_portal.models import Comment, ReviewLink
from review_portal.models import Reviewer as Writer
from review_portal.rules import Problem, Reason
from tests.due import dies_before_sending
from tests.moments import at_statement
from tests.review_portal.conftest import Reviewer, World, imported, over, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def the_comment() -> Comment:
    return Comment.objects.get()


@pytest.mark.parametrize("script", [False, True])
def test_first_comment_is_posted_once_when_its_form_is_sent_twice_without_a_cookie(world: World, script: bool) -> None:
    link, key = world.link(), str(uuid.uuid4())
    first, second = Reviewer(link, script=script), Reviewer(link, script=script)
    first.post("My first.", key=key)
    second.post("My first.", key=key)
    assert world.texts() == ["My first."]
    assert Writer.objects.count() == 1
    assert "(you)" in second.open().content.decode(), "the second answer carries the same cookie"


def test_an_empty_drawing_leaves_the_key_as_a_version_without_drawings_makes_it() -> None:
    form = {"key": "2b2ab94f-08d8-4d19-a216-5c2354ff8529", "text": "My first.", "time": "0:01"}
    without = forms.read_key(form)
    assert without == uuid.uuid5(uuid.UUID(form["key"]), "My first.\n0:01\n\n\n")
    assert forms.read_key({**form, "drawing": ""}) == without != forms.read_key({**form, "drawing": "[]"})


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_first_comment_is_posted_once_when_its_form_is_sent_by_two_threads(world: World) -> None:
    link, key = world.link(), str(uuid.uuid4())
    Reviewer(link).open()

    def post(_place: int) -> int:
        try:
            return int(Reviewer(link).post("At once.", key=key).status_code)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(4) as threads:
        assert set(threads.map(post, range(4))) == {302}
    assert world.texts() == ["At once."]
    assert Writer.objects.count() == 1


@pytest.mark.parametrize("broken", ["lost", "stalls"])
def test_first_comment_is_posted_once_when_its_answer_is_lost_and_the_queue_sends_it_again(
    world: World, faults: ModuleType, broken: str
) -> None:
    link, key = world.link(), str(uuid.uuid4())
    Reviewer(link).open()
    faults.set("public_review.create_comment", broken=broken)
    Reviewer(link, script=True).post("Lost answer.", key=key, hold="1")
    over()
    faults.clear()
    Reviewer(link, script=True).post("Lost answer.", key=key, hold="")
    over(30)
    assert world.texts() == ["Lost answer."]


CLOSED: dict[str, dict[str, Any]] = {
    "expired": {"expires_at": timezone.now() - timedelta(hours=1)},
    "switched off": {"status": "inactive"},
}
FORMS = ({"status": "resolved"}, {"text": "Other words."}, {"withdraw": "1"})


@pytest.mark.parametrize("how", CLOSED)
@pytest.mark.parametrize("form", FORMS)
def test_a_repeated_change_gets_the_first_outcome_although_the_link_is_closed_since(
    world: World, how: str, form: dict[str, str], settings: Settings
) -> None:
    reviewer = Reviewer(world.link(), script=True)
    reviewer.open()
    settings.PLATFORM_REVIEW_READS = False
    reviewer.post("My words.")
    comment, form = the_comment(), form | {"key": str(uuid.uuid4())}
    assert reviewer.change(comment.comment_id, **form).status_code == 200
    ReviewLink.objects.update(**CLOSED[how])
    repeated = reviewer.change(comment.comment_id, **form)
    assert (repeated.status_code, repeated["Reelroom-State"]) == (200, "done")
    assert 'id="outbox"' in repeated.content.decode(), "what script takes for an answer"
    assert "words" not in repeated.content.decode() or how == "expired"
    without_script = Reviewer(reviewer.link, client=reviewer.client).change(comment.comment_id, **form)
    assert without_script.status_code == (302 if how == "expired" else 403)
    assert "Other words." not in without_script.content.decode(), "it was sent: nothing is given back"
    assert Write.objects.count() == 2
    assert reviewer.change(comment.comment_id, **form | {"key": str(uuid.uuid4())}).status_code in (403, 410)


@pytest.mark.parametrize("script", [False, True])
def test_a_repeated_post_gets_the_first_outcome_although_the_link_is_switched_off_since(
    world: World, script: bool, settings: Settings
) -> None:
    reviewer, key = Reviewer(world.link(), script=script), str(uuid.uuid4())
    reviewer.open()
    settings.PLATFORM_REVIEW_READS = False
    reviewer.post("My words.", key=key)
    ReviewLink.objects.update(status="inactive")
    repeated = reviewer.post("My words.", key=key)
    assert (repeated.status_code, repeated["Reelroom-State"]) == (200 if script else 403, "done")
    assert "My words." not in repeated.content.decode()


def test_a_first_resolve_without_a_cookie_is_one_change_when_sent_twice(world: World) -> None:
    comment, link, key = world.comment("Top."), world.link(), str(uuid.uuid4())
    Reviewer(link).open()
    for _press in range(2):
        Reviewer(link).change(comment.pk, status="resolved", key=key)
    assert Write.objects.count() == 1
    assert theirs().get().status == "resolved"


def test_a_repeated_form_gets_the_first_outcome_although_the_limit_is_reached_since(
    world: World, reviewer: Reviewer, faults: ModuleType
) -> None:
    for n in range(29):
        world.comment(f"c{n}")
    reviewer.open()
    key = str(uuid.uuid4())
    reviewer.post("The thirtieth.", key=key)
    repeated = reviewer.post("The thirtieth.", key=key)
    assert repeated.status_code == 302, "not refused: it is the same attempt"
    assert world.texts().count("The thirtieth.") == 1


def test_a_repeated_reply_gets_the_first_outcome_although_its_parent_is_gone_from_the_link(
    world: World, reviewer: Reviewer
) -> None:
    top = world.comment("Top.")
    reviewer.open()
    key = str(uuid.uuid4())
    reviewer.post("Reply.", key=key, reply_to=str(top.pk))
    Comment.objects.filter(comment_id=top.pk).delete()
    assert reviewer.post("Reply.", key=key, reply_to=str(top.pk)).status_code == 302


@pytest.mark.parametrize("script", [False, True])
def test_same_words_from_another_form_are_asked_about_and_posted_on_purpose(world: World, script: bool) -> None:
    reviewer = Reviewer(world.link(), script=script)
    reviewer.post("Again.")
    asked = reviewer.post("Again.")
    assert asked.status_code == 409
    page = asked.content.decode()
    assert "You posted these words a moment ago." in page
    assert 'data-sets="repeat"' in page if script else 'name="repeat" value="1"' in page
    assert world.texts() == ["Again."]
    reviewer.post("Again.", repeat="1")
    assert world.texts() == ["Again.", "Again."]


def test_same_words_are_posted_after_an_undo(world: World) -> None:
    reviewer = Reviewer(world.link(), script=True)
    reviewer.open()
    reviewer.post("Hm.", hold="1")
    reviewer.act(Write.objects.get(), "undo")
    assert reviewer.post("Hm.").status_code == 200
    assert world.texts() == ["Hm."]


@pytest.mark.parametrize("change", [{"withdraw": "1"}, {"text": "Better words."}])
def test_same_words_are_posted_after_a_withdrawal_or_an_edit(
    world: World, reviewer: Reviewer, change: dict[str, str]
) -> None:
    reviewer.post("First words.")
    reviewer.change(the_comment().comment_id, **change)
    assert reviewer.post("First words.").status_code == 302
    assert world.texts().count("First words.") == 1
    assert theirs().count() == 2


def test_the_form_of_an_undone_comment_posts_it_when_it_is_sent_again(world: World) -> None:
    reviewer, key = Reviewer(world.link(), script=True), str(uuid.uuid4())
    reviewer.open()
    reviewer.post("Undone.", key=key, hold="1")
    reviewer.act(Write.objects.get(), "undo")
    for _press in range(2):
        reviewer.post("Undone.", key=key)
    assert world.texts() == ["Undone."]


def test_an_undo_that_comes_too_late_says_so(world: World) -> None:
    reviewer = Reviewer(world.link(), script=True)
    reviewer.open()
    reviewer.post("Too late.", hold="1")
    over()
    answer = reviewer.act(Write.objects.get(), "undo")
    assert answer["Reelroom-State"] == "done"
    held = reviewer.post("In time.", hold="1")
    assert held["Reelroom-State"] == "held"
    assert reviewer.act(Write.objects.get(label="In time."), "undo")["Reelroom-State"] == "cancelled"


def test_eight_watchers_settle_a_comment_once_and_the_same_form_never_posts_it_again(
    world: World, faults: ModuleType
) -> None:
    reviewer, key = Reviewer(world.link(), script=True), str(uuid.uuid4())
    reviewer.open()
    faults.set("public_review.create_comment", broken="lost")
    reviewer.post("Who settles?", key=key)
    faults.clear()
    seen_before = [Write.objects.get() for _watcher in range(8)]
    over(30)
    for write in seen_before:
        outbox.settle_by_reading(write)
    assert Write.objects.get().state == State.DONE
    reviewer.post("Who settles?", key=key)
    assert world.texts() == ["Who settles?"]


@pytest.mark.usefixtures("account")
def test_activity_ends_with_the_truth_that_a_later_read_finds(
    world: World, account: Account, reviewer: Reviewer, faults: ModuleType
) -> None:
    reviewer.open()
    ReviewLink.objects.get().accounts.add(account)
    faults.set("public_review.create_comment", broken="lost")
    reviewer.post("Recorded.")
    assert Entry.objects.get().outcome == Outcome.UNCONFIRMED
    faults.clear()
    over(3600)
    assert Entry.objects.get().outcome == Outcome.DONE


@pytest.mark.parametrize("change", [{"text": "Changed."}, {"status": "resolved"}, {"withdraw": "1"}])
def test_a_change_waits_while_the_platform_cannot_be_reached_and_is_sent_once(
    world: World, faults: ModuleType, change: dict[str, str]
) -> None:
    reviewer = Reviewer(world.link(), script=True)
    reviewer.post("Before.")
    faults.set("public_review.update_comment", broken="refused")
    answer = reviewer.change(the_comment().comment_id, key=str(uuid.uuid4()), **change)
    assert answer.status_code == 202
    assert "will be sent automatically" in answer.content.decode()
    assert "Change waiting" in reviewer.open().content.decode()
    faults.clear()
    over(60)
    assert theirs().get().text != "Before." or theirs().get().status == "resolved"
    assert "Change waiting" not in reviewer.open().content.decode()


def test_of_two_waiting_changes_of_one_comment_the_later_is_sent(world: World, faults: ModuleType) -> None:
    reviewer = Reviewer(world.link())
    reviewer.post("One.")
    faults.set("public_review.update_comment", broken="refused")
    reviewer.change(the_comment().comment_id, text="Two.")
    reviewer.change(the_comment().comment_id, text="Three.")
    faults.clear()
    over(60)
    assert world.texts() == ["Three."]


@pytest.mark.parametrize("script", [False, True])
def test_an_edit_over_a_newer_one_shows_both_and_asks(world: World, script: bool) -> None:
    reviewer = Reviewer(world.link(), script=script)
    reviewer.post("Opened.")
    comment = the_comment().comment_id
    reviewer.change(comment, text="From the other tab.", opened_text="Opened.")
    asked = reviewer.change(comment, text="From this tab.", opened_text="Opened.")
    assert asked.status_code == 409
    page = asked.content.decode()
    assert "It now says: “From the other tab.”" in page
    assert script or "From this tab." in page
    assert world.texts() == ["From the other tab."]
    reviewer.change(comment, text="From this tab.", opened_text="From the other tab.")
    assert world.texts() == ["From this tab."]


def test_an_unchanged_poll_neither_sends_nor_settles(world: World, faults: ModuleType) -> None:
    reviewer = Reviewer(world.link(), script=True)
    reviewer.open()
    faults.set("public_review.create_comment", broken="refused")
    reviewer.post("Waits.")
    faults.clear()
    reviewer.poll()
    assert world.texts() == []


@pytest.mark.parametrize("who", ["reviewer", "owner"])
def test_a_press_that_comes_between_the_look_for_its_key_and_the_checks_gets_the_first_outcome(
    world: World, account: Account, reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch, who: str
) -> None:
    top = world.comment("Top.")
    reviewer.open()
    link = imported(account, reviewer.link, world.video.pk)
    fields = {"key": str(uuid.uuid4()), "user_name": "Ana", "text": "Once.", "time": "0:07", "reply_to": str(top.pk)}
    read_post = forms.read_post

    def press() -> Any:
        return owners.send_reply(account, link, fields) if who == "owner" else reviewer.post(**fields)

    def read_late(link: ReviewLink, data: Any, **how: Any) -> Any:
        monkeypatch.setattr(forms, "read_post", read_post)
        press()
        return replace(read_post(link, data, **how), problems=[Problem("", Reason.REPLY_LIMIT)])

    monkeypatch.setattr(forms, "read_post", read_late)
    told = press()
    assert told.arrived if who == "owner" else told.status_code == 302
    assert world.texts().count("Once.") == 1


@pytest.mark.parametrize("who", ["reviewer", "owner"])
def test_an_edit_that_another_press_of_it_saves_before_the_checks_is_not_asked_about(
    world: World, account: Account, reviewer: Reviewer, who: str
) -> None:
    top = world.comment("Top.")
    reviewer.open()
    link = imported(account, reviewer.link, world.video.pk)
    if who == "owner":
        owners.send_reply(account, link, {"user_name": "Camila", "text": "Mine.", "reply_to": str(top.pk)})
    else:
        reviewer.post("Mine.")
    mine = Comment.objects.get(text="Mine.")
    fields = {"key": str(uuid.uuid4()), "text": "Better.", "time": "0:05", "opened_text": "Mine."}

    def press() -> Any:
        if who == "owner":
            return owners.edit_reply(account, link, mine.comment_id, fields)
        return reviewer.change(mine.comment_id, **fields)

    with at_statement('FROM "review_portal_comment"', press, after='FROM "writes_write"'):
        told = press()
    assert told.arrived if who == "owner" else told.status_code == 302
    assert Write.objects.filter(operation__endswith="update_comment").count() == 1


@pytest.mark.parametrize("what", ["post", "resolve"])
def test_a_press_that_finds_the_write_of_another_one_not_sent_yet_is_answered_with_its_end(
    world: World, reviewer: Reviewer, what: str
) -> None:
    comment, key = world.comment("Top."), str(uuid.uuid4())
    reviewer.open()

    def press() -> Any:
        if what == "resolve":
            return reviewer.change(comment.pk, status="resolved", key=key)
        return reviewer.post("Once.", key=key)

    with dies_before_sending():
        press()
    assert Write.objects.get().state == State.HELD
    answer = press()
    assert (answer.status_code, Write.objects.get().state) == (302, State.DONE)
    assert "#c-" in answer["Location"]
