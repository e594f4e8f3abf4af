"""Saving sends everything, after reading again; nothing is overwritten unseen and nothing typed is lost."""

import copy
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from dashboard.activity.models import Entry, Outcome
from dashboard.ai_content.models import Draft, Version
from dashboard.ai_content.rules.difference import list_changes
from dashboard.ai_content.rules.package import is_same
from dashboard.ai_content.versions import list_drafts
from dashboard.sandbox.models import AiFile
from dashboard.shared import formats
from tests.ai_content import packages as some
from tests.ai_content.conftest import Hands
from tests.ai_content.packages import package, question
from tests.conftest import AtPlatform
from tests.forgetting import forget
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def expected(number: int, **values: Any) -> dict[str, Any]:
    """The package of the tests with one question changed."""
    made: dict[str, Any] = package(5)
    made["questions"][number - 1].update(values)
    return made


def test_one_edited_question_leaves_with_the_whole_language(hands: Hands, platform_saw: list[dict[str, Any]]) -> None:
    hands.write(2, "Edited?")
    assert hands.save()["Location"] == hands.address()
    assert len(platform_saw) == 1
    sent = platform_saw[0]
    assert sent.pop("video_id") == str(hands.video.pk)
    assert sent.pop("lang") == "en"
    assert is_same(sent, expected(2, enunciate="Edited?"))
    assert list(sent) == list(package(5)), "every key in its place"


def test_the_legacy_file_is_saved_without_a_language(
    hands: Hands, cast: dict[str, Any], platform_saw: list[dict[str, Any]]
) -> None:
    hands.video = type(hands.video).objects.get(pk=cast["videos"]["legacy_ai_content"])
    hands.lang = ""
    before = copy.deepcopy(hands.file)
    hands.write(1, "Edited?")
    hands.save()
    assert "lang" not in platform_saw[0]
    assert {k: v for k, v in platform_saw[0].items() if k not in ("questions", "video_id")} == {
        k: v for k, v in before.items() if k != "questions"
    }
    assert hands.file["questions"][0]["enunciate"] == "Edited?"


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(extra=some.values, hint=some.values, text=some.text.filter(lambda t: bool(t.strip()) and "\r" not in t))
def test_whatever_the_file_holds_loading_editing_and_saving_changes_that_one_thing(
    hands: Hands, platform_saw: list[dict[str, Any]], extra: Any, hint: Any, text: str
) -> None:
    Version.objects.all().delete()
    Draft.objects.all().delete()
    forget()
    platform_saw.clear()
    content = {**package(2), "unknown": extra, "questions": [question(1, hint=hint), question(2)]}
    hands.overwrite(content)
    hands.write(2, text)
    hands.save()
    wanted = {**content, "questions": [question(1, hint=hint), question(2, enunciate=text)]}
    if is_same(content, wanted):
        assert platform_saw == []
        return
    sent = {k: v for k, v in platform_saw[0].items() if k not in ("video_id", "lang")}
    assert is_same(sent, wanted), list_changes(wanted, sent)


def test_saving_nothing_sends_nothing(hands: Hands, platform_saw: list[dict[str, Any]]) -> None:
    hands.text()
    assert "No changes to send" in hands.post("save/", follow=True).content.decode()
    assert platform_saw == []
    assert not Entry.objects.exists()


def test_an_edit_that_ends_where_it_began_leaves_no_draft(hands: Hands) -> None:
    hands.write(1, "Other?")
    assert Draft.objects.count() == 1
    page = f"quiz/questions/{hands.handle(1)}/"
    hands.post(page, {**hands.form(page), "enunciate": "Question number 1?"})
    assert Draft.objects.count() == 0


def test_a_save_is_recorded_before_and_after_and_kept_as_a_version(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save()
    loaded, saved = hands.versions
    assert (loaded.kind, saved.kind) == (Version.Kind.LOADED, Version.Kind.SAVED)
    assert saved.changes[0]["what"] == "question_text"
    entry = Entry.objects.get(operation="ai_workflow.save_package")
    assert entry.outcome == Outcome.DONE
    assert (entry.before, entry.after) == ({"version": loaded.pk}, {"version": saved.pk, "changes": 1})


def test_a_save_shows_that_it_spreads_and_then_that_viewers_have_it(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save()
    assert "Viewers still get the previous version" in hands.text("quiz/")
    AiFile.objects.all().update(published_at=AiFile.objects.latest("id").written_at)
    forget()
    text = hands.text("quiz/")
    assert "Viewers still get" not in text
    assert "Viewers have the version of" in text
    assert hands.versions[-1].public_at is not None


def test_when_viewers_have_it_is_told_as_the_time_it_was_seen_and_not_as_how_long_it_took(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save()
    AiFile.objects.all().update(published_at=AiFile.objects.latest("id").written_at)
    forget()
    hands.text("quiz/")
    version = hands.versions[-1]
    assert version.public_at is not None
    Version.objects.filter(pk=version.pk).update(at=version.public_at - timedelta(minutes=19, seconds=7))
    saved, seen = (
        formats.time_of_day(at, seconds=True)
        for at in (version.public_at - timedelta(minutes=19, seconds=7), version.public_at)
    )
    text = one_line(hands.text("quiz/"))
    assert f"Viewers have the version of {saved}. Seen at {seen}." in text
    assert "19 min" not in text


def test_the_poll_answers_204_until_there_is_something_new(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save()
    version = hands.text("quiz/").split("pulse/?v=")[1].split('"')[0]
    assert hands.get(f"pulse/?v={version}", HTTP_HX_REQUEST="true").status_code == 204
    AiFile.objects.all().update(published_at=AiFile.objects.latest("id").written_at)
    answer = hands.get(f"pulse/?v={version}", HTTP_HX_REQUEST="true")
    assert answer.status_code == 200
    assert "Viewers have the version of" in answer.content.decode()


def test_new_questions_get_their_ids_from_the_platform_and_that_is_nobodys_change(
    hands: Hands, platform_saw: list[dict[str, Any]]
) -> None:
    hands.text("quiz/")
    address = hands.post("quiz/add/")["Location"].removeprefix(hands.address())
    hands.post(
        address, {"enunciate": "New?", "option": ["0", "1"], "text": ["Yes", "No"], "correct": ["0"], "do": "keep"}
    )
    hands.save()
    assert "id" not in platform_saw[0]["questions"][-1]
    assert hands.file["questions"][-1]["id"]
    assert "Somebody else changed" not in hands.text("quiz/")
    hands.write(6, "Newer?")
    assert hands.save().status_code == 302
    assert len(platform_saw) == 2
    assert [version.kind for version in hands.versions] == [Version.Kind.LOADED, *[Version.Kind.SAVED] * 2]


def test_a_late_copy_of_our_own_is_not_taken_for_somebody_elses(
    hands: Hands, platform_saw: list[dict[str, Any]], slow_cdn: ModuleType
) -> None:
    hands.write(2, "First edit?")
    hands.save()
    assert "First edit?" in hands.text("quiz/"), "what was sent is what is edited on, whatever the CDN still shows"
    page = f"quiz/questions/{hands.handle(3)}/"
    hands.post(page, {**hands.form(page), "enunciate": "Second edit?"})
    assert hands.save()["Location"] == hands.address()
    assert len(platform_saw) == 2
    assert [q["enunciate"] for q in platform_saw[1]["questions"]][1:3] == ["First edit?", "Second edit?"]


def test_what_somebody_else_wrote_is_never_overwritten_unseen(hands: Hands, platform_saw: list[dict[str, Any]]) -> None:
    hands.write(2, "Mine?")
    hands.overwrite(expected(4, enunciate="Theirs?"))
    assert hands.save()["Location"] == hands.address("merge/")
    assert platform_saw == []
    page = hands.text("merge/")
    assert "both fit together" in page
    assert "Compare and merge" not in page and "Compare and merge" in hands.text("quiz/")
    assert "<ins>Theirs</ins>" in page
    assert "<ins>Mine</ins>" in page
    hands.post("merge/", {"seen": str(hands.versions[-1].pk), "then": "save"})
    texts = [q["enunciate"] for q in platform_saw[0]["questions"]]
    assert texts[1] == "Mine?"
    assert texts[3] == "Theirs?"


def choices(page: str) -> list[str]:
    """The names of the choices of a merge page."""
    return list(dict.fromkeys(piece.split('"')[0] for piece in page.split('type="radio" name="')[1:]))


@pytest.mark.parametrize(("side", "text"), [("mine", "Mine?"), ("theirs", "Theirs?")])
def test_what_both_changed_is_chosen_by_the_person(
    hands: Hands, platform_saw: list[dict[str, Any]], side: str, text: str
) -> None:
    hands.write(2, "Mine?")
    hands.overwrite(expected(2, enunciate="Theirs?"))
    hands.save()
    page = hands.text("merge/")
    (name,) = choices(page)
    mark = str(hands.versions[-1].pk)
    unanswered = hands.post("merge/", {"seen": mark, "then": "save"})
    assert unanswered.status_code == 422
    assert "1 choice to make" in unanswered.content.decode()
    assert platform_saw == []
    hands.post("merge/", {"seen": mark, "then": "save", name: side})
    assert hands.file["questions"][1]["enunciate"] == text
    assert len(platform_saw) == (1 if side == "mine" else 0), "taking theirs leaves nothing to send"


def test_a_file_that_changes_again_while_the_merge_page_is_open_is_shown_again(
    hands: Hands, platform_saw: list[dict[str, Any]]
) -> None:
    hands.write(2, "Mine?")
    hands.overwrite(expected(4, enunciate="Theirs?"))
    hands.save()
    hands.text("merge/")
    mark = str(hands.versions[-1].pk)
    hands.overwrite(expected(5, enunciate="Again?"))
    forget()
    answer = hands.post("merge/", {"seen": mark, "then": "save"})
    assert answer.status_code == 409
    assert "<ins>Again</ins>" in one_line(answer.content.decode())
    assert platform_saw == []


def test_a_draft_that_only_our_own_save_of_another_block_has_passed_by_needs_no_merge(
    hands: Hands, platform_saw: list[dict[str, Any]]
) -> None:
    hands.post("ebook/", {"part": "summary", "abstract_summary": "Mine."})

    hands.write(2, "Mine?")
    ebook = list_drafts(hands.document)
    assert set(map(str, ebook)) == {"ebook", "quiz"}
    hands.save()
    hands.post("ebook/", {"part": "summary", "abstract_summary": "Mine again."})
    assert hands.save()["Location"] == hands.address()
    assert len(platform_saw) == 2


def test_the_dry_run_shows_the_request_and_sends_nothing(
    hands: Hands, platform_saw: list[dict[str, Any]], cast: dict[str, Any]
) -> None:
    hands.write(2, "Edited?")
    text = hands.post("save/", {"_dry_run": "1"}).content.decode()
    assert "/aiworkflow/aipackage" in text
    assert "$PLATFORM_TOKEN" in text
    assert cast["tokens"]["owner"] not in text
    assert "Edited?" in text
    assert platform_saw == []


def test_a_question_without_text_is_not_sent_and_the_page_leads_to_it(
    hands: Hands, platform_saw: list[dict[str, Any]]
) -> None:
    hands.write(2, "")
    answer = hands.save()
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "Question 2: Write the question." in text
    assert hands.address(f"quiz/questions/{hands.handle(2)}/") in text
    assert platform_saw == []
    assert Draft.objects.count() == 1


def test_a_refusal_is_shown_at_the_question_it_means_with_everything_still_there(
    hands: Hands, faults: ModuleType, at_platform: AtPlatform
) -> None:
    hands.write(3, "Edited?")
    at_platform.refuses("ai_workflow.save_package", "questions[2].enunciate is not acceptable")
    answer = hands.save()
    assert answer.status_code == 422
    text = answer.content.decode()
    assert "questions[2].enunciate is not acceptable" in text
    there = hands.text(f"quiz/questions/{hands.handle(3)}/")
    assert "The platform refused this question." in there
    assert "Edited?" in there
    assert [version.kind for version in hands.versions] == [Version.Kind.LOADED]
    assert Entry.objects.get().outcome == Outcome.REFUSED


@pytest.mark.parametrize(
    ("fault", "status", "sentence"),
    [
        ({"status": 404}, 422, "does not have this video"),
        ({"status": 403}, 422, "refused what was sent"),
        ({"status": 400}, 422, "refused what was sent"),
        ({"status": 429}, 503, "Too many requests"),
        ({"broken": "refused"}, 503, "cannot be reached"),
    ],
)
def test_each_way_to_fail_is_said_and_keeps_what_was_typed(
    hands: Hands, faults: ModuleType, fault: dict[str, Any], status: int, sentence: str
) -> None:
    hands.write(2, "Edited?")
    faults.set("ai_workflow.save_package", **fault)
    answer = hands.save()
    assert answer.status_code == status
    assert sentence in answer.content.decode()
    assert "Edited?" in hands.text(f"quiz/questions/{hands.handle(2)}/")
    faults.clear()
    assert hands.save().status_code == 302
    assert hands.file["questions"][1]["enunciate"] == "Edited?"


def test_a_token_that_ended_leads_to_sign_in_and_the_draft_waits(hands: Hands, faults: ModuleType) -> None:
    hands.write(2, "Edited?")
    faults.set("ai_workflow.save_package", status=401)
    assert hands.save()["Location"].startswith("/sign-in/")
    faults.clear()
    assert "Edited?" in hands.text(f"quiz/questions/{hands.handle(2)}/")
