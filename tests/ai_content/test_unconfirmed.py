"""A save whose answer never came, or is still to come: sent once, settled by reading, never over something newer."""

import sys
import threading
from types import ModuleType
from typing import Any

import pytest
from django.db import connections
from django.test import Client

from dashboard.activity.models import Entry, Outcome
from dashboard.ai_content import writes
from dashboard.ai_content.models import Draft, Version
from dashboard.sandbox.models import AiFile
from dashboard.writes import beside, outbox
from dashboard.writes.models import State, Write
from tests.ai_content.conftest import Hands, fields
from tests.ai_content.packages import package
from tests.conftest import AtPlatform
from tests.due import dies_before_sending, outlast, pass_by, run_due
from tests.forgetting import forget
from tests.moments import hurry

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SAVE = "ai_workflow.save_package"


def texts(hands: Hands) -> list[str]:
    return [question["enunciate"] for question in hands.file["questions"]]


def forms(page: str, what: str) -> dict[str, Any]:
    """The fields of the form of a page that holds `what`."""
    inner = next(piece.split("</form>")[0] for piece in page.split("<form")[1:] if what in piece.split("</form>")[0])
    return fields(f'<form id="here"{inner}</form>', "here")


def lose(hands: Hands, faults: ModuleType, text: str = "Edited?", **fault: Any) -> Write:
    """Save a question whose save stays without an answer; by default it did not arrive."""
    hands.write(2, text)
    faults.set(SAVE, **(fault or {"broken": "dropped"}))
    assert hands.save().status_code == 504
    faults.clear()
    return Write.objects.get()


def let_spread() -> None:
    """The CDN has everything that was written."""
    for file in AiFile.objects.all():
        AiFile.objects.filter(pk=file.pk).update(published_at=file.written_at)
    forget()


@pytest.mark.parametrize("broken", ["lost", "stalls"])
def test_a_save_whose_answer_never_came_is_found_by_the_worker(
    hands: Hands, faults: ModuleType, platform_saw: list[dict[str, Any]], broken: str, clock: Any
) -> None:
    lose(hands, faults, broken=broken)
    assert Draft.objects.exists(), "until it is confirmed"
    run_due(3)
    assert len(platform_saw) == 1
    assert hands.versions[-1].kind == Version.Kind.SAVED
    assert not Draft.objects.exists()
    assert Entry.objects.get().outcome == Outcome.DONE


def test_a_save_that_arrived_is_settled_by_opening_the_language_too(hands: Hands, faults: ModuleType) -> None:
    lose(hands, faults, broken="lost")
    assert "Not confirmed" not in hands.text("quiz/")
    assert (Write.objects.get().state, Draft.objects.count()) == (State.DONE, 0)
    assert Entry.objects.get().outcome == Outcome.DONE


@pytest.mark.parametrize("fault", [{"broken": "dropped"}, {"broken": "hangs"}, {"status": 500}])
def test_a_save_that_the_file_does_not_show_stays_open_until_its_author_decides(
    hands: Hands, faults: ModuleType, platform_saw: list[dict[str, Any]], fault: dict[str, Any], clock: Any
) -> None:
    lose(hands, faults, **fault)
    text = hands.text("quiz/")
    assert "Not confirmed. We keep checking automatically." in text and "Edited?" in text
    assert "It arrived" not in text
    for seconds in (3, 25, 61):
        run_due(seconds)
    text = hands.text("quiz/")
    assert (Write.objects.get().state, len(platform_saw)) == (State.UNCONFIRMED, 1), "never sent again by itself"
    assert "It arrived" in text and "Send again" in text
    form = forms(text, 'id="send-again"')
    hands.post("save/again/", form)
    hands.post("save/again/", form)
    assert (len(platform_saw), Write.objects.get().state) == (2, State.DONE)
    assert hands.versions[-1].kind == Version.Kind.SAVED
    assert not Draft.objects.exists()
    assert Entry.objects.get().outcome == Outcome.DONE


def test_it_arrived_keeps_what_was_sent_as_saved_and_what_was_typed_since_as_a_draft(
    hands: Hands, faults: ModuleType, slow_cdn: ModuleType
) -> None:
    lose(hands, faults, broken="lost")
    hands.write(3, "Typed since?")
    run_due(61)
    hands.post("save/arrived/", forms(hands.text("quiz/"), 'id="it-arrived"'))
    assert (Write.objects.get().state, hands.versions[-1].kind) == (State.DONE, Version.Kind.SAVED)
    assert Draft.objects.count() == 1
    assert "Somebody else changed" not in hands.text("quiz/")
    assert hands.save().status_code == 302
    assert texts(hands)[1:3] == ["Edited?", "Typed since?"]


def test_a_save_that_spreads_late_is_settled_when_the_file_shows_it(
    hands: Hands, faults: ModuleType, slow_cdn: ModuleType
) -> None:
    lose(hands, faults, broken="lost")
    run_due(1000)
    assert (Write.objects.get().state, Draft.objects.count()) == (State.UNCONFIRMED, 1)
    let_spread()
    run_due(1000)
    assert (Write.objects.get().state, Draft.objects.count()) == (State.DONE, 0)


def test_a_save_that_cannot_be_read_for_two_days_is_left_to_a_person(hands: Hands, faults: ModuleType) -> None:
    lose(hands, faults)
    run_due(3 * 24 * 60 * 60)
    assert Write.objects.get().due_at is None
    assert "Check on the platform whether it arrived." in hands.text("quiz/")


def test_a_process_that_dies_while_it_saves_leaves_the_rest_to_the_worker(
    hands: Hands, at_platform: AtPlatform
) -> None:
    hands.write(2, "Edited?")
    at_platform.answers(SAVE, lambda _request: sys.exit(), once=True)
    with pytest.raises(SystemExit):
        hands.save()
    assert (Write.objects.get().state, Draft.objects.count()) == (State.SENDING, 1)
    pass_by(60)
    run_due()
    assert (Write.objects.get().state, Draft.objects.count()) == (State.DONE, 0)
    assert Entry.objects.get().outcome == Outcome.DONE


def test_a_save_whose_process_dies_before_it_left_is_not_sent_a_minute_later(
    hands: Hands, platform_saw: list[dict[str, Any]]
) -> None:
    hands.write(2, "Edited?")
    with dies_before_sending():
        hands.save()
    run_due(61)
    assert [version.kind for version in hands.versions] == [Version.Kind.LOADED]
    assert hands.save().status_code == 302


def test_the_poll_answers_204_while_a_save_is_open_and_nothing_changed(hands: Hands, faults: ModuleType) -> None:
    lose(hands, faults)
    version = hands.text("quiz/").split("pulse/?v=")[1].split('"')[0]
    assert hands.get(f"pulse/?v={version}", HTTP_HX_REQUEST="true").status_code == 204
    pass_by(61)
    calls = hands.get(f"pulse/?v={version}", HTTP_HX_REQUEST="true").content.decode()
    assert "It arrived" in calls
    version = calls.split("pulse/?v=")[1].split('"')[0]
    outbox.confirm(Write.objects.get())
    assert "Viewers still get" in hands.get(f"pulse/?v={version}", HTTP_HX_REQUEST="true").content.decode()


def test_saving_over_an_unconfirmed_save_is_a_choice_of_its_own_and_takes_its_place(
    hands: Hands, faults: ModuleType, platform_saw: list[dict[str, Any]], slow_cdn: ModuleType
) -> None:
    lose(hands, faults, broken="lost")
    hands.write(3, "Newer?")
    answer = hands.save()
    page = answer.content.decode()
    assert (answer.status_code, len(platform_saw)) == (409, 1)
    assert "The last save of this language is not confirmed." in page and "Save anyway" in page
    form = fields(page.replace("data-save-page>", 'id="save">'), "save")
    assert hands.save(**form).status_code == 302
    hands.save(**form)
    assert len(platform_saw) == 2
    assert texts(hands)[1:3] == ["Edited?", "Newer?"]
    assert (Write.objects.get().state, Write.objects.get().attempt, Draft.objects.count()) == (State.DONE, 2, 0)
    entry = Entry.objects.get()
    assert (entry.outcome, entry.after) == (Outcome.DONE, writes.describe(hands.versions[-1]))


def replace_save(hands: Hands, faults: ModuleType, **fault: Any) -> Any:
    """Save something newer in place of an unconfirmed save."""
    write = Write.objects.get()
    hands.write(3, "Newer?")
    if fault:
        faults.set(SAVE, **fault)
    answer = hands.save(instead=f"{write.pk}.{write.attempt}")
    faults.clear()
    return answer


def test_an_earlier_save_never_settles_the_one_that_took_its_place(
    hands: Hands, faults: ModuleType, slow_cdn: ModuleType
) -> None:
    lose(hands, faults, broken="lost")
    assert replace_save(hands, faults, broken="dropped").status_code == 504
    let_spread()
    run_due(100)
    assert Write.objects.get().state == State.UNCONFIRMED, "the file shows the earlier one"
    text = hands.text("quiz/")
    assert "Newer?" in text and "Somebody else changed" not in text and "Not confirmed" in text
    assert Draft.objects.count() == 1
    hands.post("save/again/", {"attempt": Write.objects.get().attempt})
    assert texts(hands)[1:3] == ["Edited?", "Newer?"]
    assert (Write.objects.get().state, Draft.objects.count()) == (State.DONE, 0)


def test_an_earlier_save_that_is_found_before_the_newer_one_leaves_keeps_the_newer_one_as_a_draft(
    hands: Hands,
    faults: ModuleType,
    slow_cdn: ModuleType,
    platform_saw: list[dict[str, Any]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = lose(hands, faults, broken="lost")
    send = outbox.deliver

    def find_first(write: Write) -> Write:
        let_spread()
        outbox.settle_by_reading(first)
        return send(write)

    monkeypatch.setattr(outbox, "deliver", find_first)
    assert replace_save(hands, faults).status_code == 409
    write = Write.objects.get()
    assert (write.state, write.request, len(platform_saw)) == (State.DONE, first.request, 1)
    assert [version.kind for version in hands.versions] == [Version.Kind.LOADED, Version.Kind.SAVED]
    monkeypatch.undo()
    assert "Newer?" in hands.text("quiz/") and hands.save().status_code == 302
    assert texts(hands)[1:3] == ["Edited?", "Newer?"]


@pytest.mark.parametrize(("fault", "status"), [({"status": 403}, 422), ({"status": 429}, 503)])
def test_reading_looks_for_the_earlier_save_again_where_the_newer_one_was_refused(
    hands: Hands, faults: ModuleType, slow_cdn: ModuleType, fault: dict[str, Any], status: int
) -> None:
    first = lose(hands, faults, broken="lost")
    assert replace_save(hands, faults, **fault).status_code == status
    write = Write.objects.get()
    assert (write.state, write.request["version"]) == (State.UNCONFIRMED, first.request["version"])
    let_spread()
    run_due(100)
    assert Write.objects.get().state == State.DONE
    assert Entry.objects.get().after == {"version": first.request["version"], "changes": 1}
    assert "Newer?" in hands.text("quiz/") and Draft.objects.count() == 1


def test_a_token_that_ends_at_the_second_sending_leaves_the_first_to_be_found(hands: Hands, faults: ModuleType) -> None:
    first = lose(hands, faults)
    assert replace_save(hands, faults, status=401)["Location"].startswith("/sign-in/")
    write = Write.objects.get()
    assert (write.state, write.request["version"]) == (State.UNCONFIRMED, first.request["version"])


def test_sending_again_overwrites_nothing_that_somebody_else_wrote_since(
    hands: Hands, faults: ModuleType, platform_saw: list[dict[str, Any]]
) -> None:
    write = lose(hands, faults)
    theirs: dict[str, Any] = package(5)
    theirs["questions"][4]["enunciate"] = "Theirs?"
    hands.overwrite(theirs)
    answer = hands.post("save/again/", {"attempt": write.attempt})
    assert (answer["Location"], len(platform_saw)) == (hands.address("merge/"), 1)


def test_an_undo_whose_answer_was_lost_is_not_proven_by_an_old_copy_of_the_same(
    hands: Hands, faults: ModuleType, slow_cdn: ModuleType
) -> None:
    hands.write(2, "Edited?")
    hands.save()
    entry = Entry.objects.get()
    faults.set(SAVE, broken="dropped")
    hands.client.post(f"/dashboard/activity/{entry.pk}/undo/")
    faults.clear()
    run_due(3)
    undoing = Write.objects.get(undoes=entry)
    assert undoing.state == State.UNCONFIRMED, "the CDN still has the version before the save"
    assert texts(hands)[1] == "Edited?"
    assert "Somebody else changed" not in hands.text("quiz/")
    assert "Not confirmed" in hands.client.get("/dashboard/activity/").content.decode()


def test_an_undo_waits_for_an_unconfirmed_save(
    hands: Hands, faults: ModuleType, platform_saw: list[dict[str, Any]]
) -> None:
    hands.write(1, "Before?")
    hands.save()
    entry = Entry.objects.get()
    hands.write(2, "Edited?")
    faults.set(SAVE, broken="dropped")
    hands.save()
    faults.clear()
    drafts = list(Draft.objects.values_list("pk", "revision"))
    text = hands.client.post(f"/dashboard/activity/{entry.pk}/undo/", follow=True).content.decode()
    assert "An earlier save of this language is not confirmed" in text
    assert list(Draft.objects.values_list("pk", "revision")) == drafts, "nothing typed is put aside"
    assert len(platform_saw) == 2


def test_the_same_form_sent_twice_is_one_save_with_one_outcome(
    hands: Hands, faults: ModuleType, platform_saw: list[dict[str, Any]]
) -> None:
    hands.write(2, "Edited?")
    form = fields(hands.text("save/").replace("data-save-page>", 'id="save">'), "save")
    faults.set(SAVE, status=403)
    assert [hands.save(**form).status_code for _press in range(2)] == [422, 422]
    faults.clear()
    form = fields(hands.text("save/").replace("data-save-page>", 'id="save">'), "save")
    answers = [hands.post("save/", form, follow=True).content.decode() for _press in range(2)]
    assert all("Saved. Viewers will get it" in answer for answer in answers)
    assert len(platform_saw) == 2, "the refused one, and the saved one"
    assert "The platform refused" not in hands.text("quiz/")


def test_another_press_while_a_save_is_being_sent_sends_nothing_and_says_so(
    hands: Hands, platform_saw: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, at_platform: AtPlatform
) -> None:
    hurry(monkeypatch, "dashboard.writes.beside")
    hands.write(2, "Edited?")
    pressed: list[Any] = []

    def press_meanwhile(_request: object) -> None:
        pressed.append(hands.save())
        hands.write(3, "Typed meanwhile?")

    at_platform.answers(SAVE, press_meanwhile, once=True)
    assert hands.save().status_code == 302
    assert (pressed[0].status_code, len(platform_saw)) == (409, 1)
    assert "Somebody is saving this language right now." in pressed[0].content.decode()
    assert Draft.objects.count() == 1, "what is typed while a save is under way stays"
    assert "Somebody else changed" not in hands.text("quiz/")
    hands.save()
    assert texts(hands)[1:3] == ["Edited?", "Typed meanwhile?"]


def test_a_save_that_is_not_answered_in_time_is_told_as_being_sent(
    hands: Hands, platform_saw: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch, at_platform: AtPlatform
) -> None:
    at_platform.answers(SAVE, lambda _request: outlast())
    hurry(monkeypatch, "dashboard.writes.beside")
    hands.write(2, "Edited?")
    answer = hands.save()
    assert answer.status_code == 302
    page = hands.client.get(answer.headers["Location"]).content.decode()
    assert "Sending. This page updates automatically." in page
    assert "Somebody is saving" not in page
    assert Draft.objects.exists(), "until it is confirmed"
    assert len(platform_saw) == 1


def test_the_language_of_a_save_that_the_previous_release_sent_is_settled_by_opening_it(
    hands: Hands, faults: ModuleType
) -> None:
    lose(hands, faults, broken="lost")
    Write.objects.all().delete()
    hands.text("quiz/")
    assert (hands.versions[-1].kind, Draft.objects.count()) == (Version.Kind.SAVED, 0)


@pytest.mark.django_db(databases=["default", "sandbox"], transaction=True)
def test_presses_at_once_of_one_form_and_of_others_make_one_save(
    hands: Hands, platform_saw: list[dict[str, Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(beside, "ANSWER_WAIT", 60.0)
    hands.write(2, "Edited?")
    same = fields(hands.text("save/").replace("data-save-page>", 'id="save">'), "save")
    barrier, codes = threading.Barrier(4), []

    def press(form: dict[str, Any]) -> None:
        browser = Client()
        browser.cookies = hands.client.cookies
        barrier.wait()
        codes.append(browser.post(hands.address("save/"), form).status_code)
        connections.close_all()

    presses = [threading.Thread(target=press, args=(form,)) for form in (same, same, {}, {})]
    for form_id in presses:
        form_id.start()
    for form_id in presses:
        form_id.join()
    assert len(platform_saw) == 1
    assert codes == [302] * 4
    assert [(write.state, write.attempt) for write in Write.objects.all()] == [(State.DONE, 1)]
    assert [version.kind for version in hands.versions] == [Version.Kind.LOADED, Version.Kind.SAVED]


def test_activity_leads_to_the_review_page_of_an_unconfirmed_save(hands: Hands, faults: ModuleType) -> None:
    write = lose(hands, faults)
    assert writes.get_page(write) == hands.address("save/")
    assert hands.address("save/") in hands.client.get(f"/dashboard/activity/{write.entry_id}/").content.decode()
