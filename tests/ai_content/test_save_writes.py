"""What a save leaves behind: its version, the refusal at its question, and what other windows are told."""

import json
from types import ModuleType
from typing import Any

import pytest

from dashboard.activity.models import Entry
from dashboard.ai_content import versions, writes
from dashboard.ai_content.models import Document, Draft, Version, get_content
from dashboard.ai_content.rules.package import Package
from dashboard.platform_api import errors
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from tests.ai_content.conftest import Hands
from tests.ai_content.packages import question
from tests.answering import asked_of, count_calls
from tests.conftest import AtPlatform
from tests.due import run_due
from tests.forgetting import forget

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SAVE, READ = "ai_workflow.save_package", "ai_workflow.read_package"


def lose(hands: Hands, faults: ModuleType, **fault: Any) -> Write:
    """A save of an edited question whose answer never came; by default it did not arrive."""
    hands.write(2, "Edited?")
    faults.set(SAVE, **(fault or {"broken": "dropped"}))
    hands.save(tab="one")
    faults.clear()
    return Write.objects.get()


@pytest.mark.parametrize(
    ("message", "number"), [("questions[2] is not acceptable", 3), ("Question 1 is wrong", 1), ("no", None)]
)
def test_refusal_is_kept_with_its_words_and_the_question_it_means(
    hands: Hands, message: str, number: int | None, at_platform: AtPlatform
) -> None:
    hands.write(2, "Edited?")
    at_platform.refuses(SAVE, message)
    hands.save()
    handle = hands.handle(number) if number else ""
    assert hands.document.refusal == {"message": message, "status": 400, "handle": handle}
    assert [version.kind for version in hands.versions] == [Version.Kind.LOADED], "it was never there"
    assert Draft.objects.count() == 1


def test_refusal_of_a_block_without_handles_is_at_no_question(hands: Hands, at_platform: AtPlatform) -> None:
    hands.text()
    hands.post("ebook/", {"part": "summary", "abstract_summary": "Mine."})
    at_platform.refuses(SAVE, "questions[1] is not acceptable")
    hands.save()
    refusal = hands.document.refusal
    assert refusal is not None
    assert (refusal["message"], refusal["handle"]) == ("questions[1] is not acceptable", "")


@pytest.mark.parametrize("fault", [{"status": 429}, {"status": 401}, {"broken": "refused"}, {"status": 500}])
def test_answer_that_says_nothing_of_the_content_is_no_refusal_of_it(
    hands: Hands, faults: ModuleType, fault: dict[str, Any]
) -> None:
    lose(hands, faults, **fault)
    assert hands.document.refusal is None


@pytest.mark.parametrize(
    ("error", "says_nothing"),
    [
        (errors.BadToken(SAVE, 401), True),
        (errors.RateLimited(SAVE, 429), True),
        (errors.PlatformDown(SAVE, 500), True),
        (errors.Unreachable(SAVE, sent=True), True),
        (errors.Unreachable(SAVE, sent=False), True),
        (errors.Missing(SAVE, 404), False),
        (errors.NotAllowed(SAVE, 403), False),
    ],
)
def test_only_a_clear_answer_says_something_of_the_content(error: errors.CallError, says_nothing: bool) -> None:
    assert writes.is_no_answer(error) is says_nothing


def test_save_is_told_to_other_windows_with_the_window_it_came_from(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.save(tab="one")
    change = versions.get_foreign_change(hands.document.pk, "two", 0)
    assert change is not None
    assert (change.place, change.tab, change.actor) == ("saved", "one", hands.versions[-1].actor)
    assert change.revision == hands.document.revision


def test_what_arrived_as_its_author_says_is_told_and_kept_like_what_was_answered(
    hands: Hands, faults: ModuleType, slow_cdn: ModuleType
) -> None:
    write = lose(hands, faults)
    Document.objects.update(refusal={"message": "earlier"})
    outbox.confirm(write)
    change = versions.get_foreign_change(hands.document.pk, "two", 0)
    assert change is not None
    assert (change.place, change.tab) == ("saved", "one")
    assert (hands.versions[-1].kind, Draft.objects.count(), hands.document.refusal) == (Version.Kind.SAVED, 0, None)


def test_file_that_shows_the_save_is_read_past_every_cache_and_kept_as_the_platform_has_it(
    hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = lose(hands, faults, broken="lost")
    there: Package = {**hands.file, "stamp": 1}
    hands.overwrite(there)
    reads = count_calls(monkeypatch, READ)
    outbox.settle_by_reading(write)
    assert [set(asked_of(read)) for read in reads] == [{"fresh"}]
    assert (write.state, hands.versions[-1].kind) == (State.DONE, Version.Kind.SAVED)
    assert get_content(hands.versions[-1].blob) == there
    forget()
    assert "Somebody else changed" not in hands.text("quiz/")
    assert [version.kind for version in hands.versions] == [Version.Kind.LOADED, Version.Kind.SAVED]


@pytest.mark.parametrize(
    "change", [{"questions": [question(1)]}, {"deep": json.loads("[" * 100 + "]" * 100)}, {"abstract": "Other."}]
)
def test_file_that_is_not_what_was_sent_settles_nothing(
    hands: Hands, faults: ModuleType, change: dict[str, Any]
) -> None:
    write = lose(hands, faults, broken="lost")
    hands.overwrite({**hands.file, **change})
    run_due(100)
    write.refresh_from_db()
    assert (write.state, write.due_at is None) == (State.UNCONFIRMED, False)
    assert (hands.versions[-1].kind, Draft.objects.count()) == (Version.Kind.SENDING, 1)


def test_save_whose_version_is_saved_is_done_without_a_read(
    hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    write = lose(hands, faults)
    Version.objects.filter(kind=Version.Kind.SENDING).update(kind=Version.Kind.SAVED)
    reads = count_calls(monkeypatch, READ)
    assert outbox.settle_by_reading(write).state == State.DONE
    assert (reads, Draft.objects.count()) == ([], 0)


def test_save_whose_version_is_gone_never_arrived_and_is_not_sent(
    hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch, platform_saw: list[dict[str, Any]]
) -> None:
    write = lose(hands, faults)
    Version.objects.filter(kind=Version.Kind.SENDING).delete()
    reads = count_calls(monkeypatch, READ)
    run_due(100)
    write.refresh_from_db()
    assert (write.state, reads) == (State.REFUSED, [])
    outbox.send_again(write)
    assert Write.objects.order_by("created_at").last().state == State.CANCELLED  # type: ignore[union-attr]  # there is one
    assert len(platform_saw) == 1
    assert hands.document.refusal is None


def test_unconfirmed_save_of_which_nothing_is_there_any_more_can_still_be_called_done(
    hands: Hands, faults: ModuleType
) -> None:
    write = lose(hands, faults)
    Version.objects.filter(kind=Version.Kind.SENDING).delete()
    outbox.confirm(write)
    assert (write.state, Draft.objects.count()) == (State.DONE, 1)


@pytest.mark.parametrize("status", [403, 400])
def test_refusal_of_the_newer_save_is_told_and_the_earlier_one_is_open_again(
    hands: Hands, faults: ModuleType, slow_cdn: ModuleType, status: int
) -> None:
    earlier = lose(hands, faults, broken="lost")
    hands.write(3, "Newer?")
    faults.set(SAVE, status=status)
    hands.save(instead=f"{earlier.pk}.{earlier.attempt}", tab="two")
    faults.clear()
    write = Write.objects.get()
    form = write.request["form"]
    assert write.request == {**earlier.request, "form": form}
    assert form != earlier.request["form"], "the same form again has the same outcome"
    assert (write.state, write.after) == (State.UNCONFIRMED, earlier.after)
    refusal = hands.document.refusal
    assert refusal is not None
    assert refusal["status"] == status
    assert [version.kind for version in hands.versions] == [Version.Kind.LOADED, Version.Kind.SENDING]


def test_newer_save_that_stays_without_an_answer_keeps_its_version_and_forgets_no_earlier_one(
    hands: Hands, faults: ModuleType, slow_cdn: ModuleType
) -> None:
    earlier = lose(hands, faults, broken="lost")
    hands.write(3, "Newer?")
    faults.set(SAVE, broken="dropped")
    hands.save(instead=f"{earlier.pk}.{earlier.attempt}")
    faults.clear()
    write = Write.objects.get()
    assert write.request["version"] != earlier.request["version"]
    assert write.request[writes.EARLIER] == earlier.request
    kinds = [version.kind for version in hands.versions]
    assert kinds == [Version.Kind.LOADED, Version.Kind.SENDING, Version.Kind.SENDING]
    assert Entry.objects.get().after == writes.describe(hands.versions[-1])


def test_activity_tells_how_many_changes_a_save_made(hands: Hands) -> None:
    hands.write(2, "Edited?")
    hands.write(3, "Edited too?")
    hands.save()
    version = hands.versions[-1]
    assert writes.describe(version) == {"version": version.pk, "changes": 2}
    assert Entry.objects.get().after == {"version": version.pk, "changes": 2}


def test_page_of_a_legacy_save_is_that_of_the_legacy_file(hands: Hands, cast: dict[str, Any]) -> None:
    hands.video = type(hands.video).objects.get(pk=cast["videos"]["legacy_ai_content"])
    hands.lang = ""
    hands.write(1, "Edited?")
    hands.save()
    assert writes.get_page(Write.objects.get()) == f"/dashboard/ai-content/{hands.video.pk}/legacy/save/"


@pytest.mark.parametrize("broken", ["lost", "dropped"])
def test_legacy_save_is_found_in_the_legacy_file(
    hands: Hands, cast: dict[str, Any], faults: ModuleType, broken: str
) -> None:
    hands.video = type(hands.video).objects.get(pk=cast["videos"]["legacy_ai_content"])
    hands.lang = ""
    lose(hands, faults, broken=broken)
    run_due(100)
    assert Write.objects.get().state == (State.DONE if broken == "lost" else State.UNCONFIRMED)


class TestWaitForEnd:
    """A press that meets a write brings it to its end, or waits a moment for whoever sends it."""

    @pytest.fixture
    def done(self, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Write]]:
        """What is done to which write."""
        noted: list[tuple[str, Write]] = []
        for name in ("deliver", "wait_for_answer", "cancel"):
            monkeypatch.setattr(outbox, name, lambda write, name=name: noted.append((name, write)))
        return noted

    @pytest.mark.parametrize(
        ("state", "reason", "expected"),
        [
            (State.HELD, "", ["deliver"]),
            (State.HELD, "BadToken", ["cancel"]),
            (State.SENDING, "", ["wait_for_answer"]),
            (State.SENDING, "BadToken", ["wait_for_answer"]),
            (State.UNCONFIRMED, "", []),
            (State.UNCONFIRMED, "PlatformDown", []),
            (State.DONE, "", []),
            (State.REFUSED, "BadToken", []),
        ],
    )
    def test_write_is_sent_waited_for_or_cancelled(
        self, done: list[tuple[str, Write]], state: State, reason: str, expected: list[str]
    ) -> None:
        write = Write(operation=SAVE, state=state, reason=reason)
        writes.wait_for_end(write)
        assert done == [(name, write) for name in expected]
