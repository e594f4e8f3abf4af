"""An order and a deletion of AI content: kept once with what they ask, settled by reading, told to those who look."""

import json
import uuid
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.ai_content import versions, writes
from dashboard.ai_content.models import Version, get_content
from dashboard.ai_content.rules.package import Package
from dashboard.sandbox.models import AiFile, Job, Video
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from tests.ai_content.conftest import Hands
from tests.ai_content.packages import package
from tests.ai_content.test_resources import DELETE, GENERATE, KINDS, NAMED, REMOVE, form_of, order, page_of, remove
from tests.answering import asked_of, count_calls
from tests.moments import replace_time

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
READ = "ai_workflow.read_package"


def add_job(video: Video, seconds: float, **more: Any) -> Job:
    """A job that the platform made so many seconds before the order was sent."""
    sent = Write.objects.get().sent_at
    assert sent is not None
    at = sent.replace(microsecond=0)  # the platform tells whole seconds
    Write.objects.update(sent_at=at)
    values = {"type": "AI_CONTENT", "from_lang": "en", "resources": ["quiz"], **more}
    at -= timedelta(seconds=seconds)
    return Job.objects.create(video=video, created_at=at, starts_at=at, ends_at=at, **values)


class TestGenerate:
    def test_order_is_kept_with_what_it_asks_and_the_jobs_it_made(self, owner: Client, video: Video) -> None:
        order(owner, video)
        write, job = Write.objects.get(), Job.objects.get(video=video, from_lang="en")
        assert (write.operation, write.subject, write.label) == (GENERATE, str(video.pk), video.title)
        assert write.request == {"lang": "en", "kinds": ["ebook", "mindmap", "quiz"], "form": write.request["form"]}
        assert str(uuid.UUID(write.request["form"])) == write.request["form"]
        assert write.result == {"jobs": [str(job.pk)]}
        entry = Entry.objects.get()
        assert (entry.before, entry.after) == (None, {"lang": "en", "kinds": ["ebook", "mindmap", "quiz"]})
        assert writes.get_generation_page(write) == page_of(video)

    def test_of_a_language_one_order_is_open_and_another_language_is_another_order(
        self, owner: Client, video: Video, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent = count_calls(monkeypatch, GENERATE)
        faults.set(GENERATE, broken="dropped")
        assert [order(owner, video).status_code for _form in range(2)] == [302, 302]
        assert (len(sent), Write.objects.count()) == (1, 1)
        order(owner, video, lang="es")
        assert (len(sent), Write.objects.count()) == (2, 2)

    def test_same_form_of_a_refused_order_meets_the_refusal_and_is_not_sent_again(
        self, owner: Client, video: Video, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        form = {**form_of(owner, page_of(video)), "lang": "en"}
        faults.set(GENERATE, status=403)
        sent = count_calls(monkeypatch, GENERATE)
        assert [owner.post(page_of(video), form).status_code for _press in range(2)] == [422, 422]
        faults.clear()
        assert owner.post(page_of(video), form).status_code == 422
        assert len(sent) == 1
        assert order(owner, video).status_code == 302, "a form that was opened since is an order of its own"

    def test_same_form_waits_for_the_press_before_it(
        self, owner: Client, video: Video, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        form = {**form_of(owner, page_of(video)), "lang": "en"}
        owner.post(page_of(video), form)
        Write.objects.update(state=State.SENDING)
        waited: list[int] = []

        def let_it_end(_seconds: float) -> None:
            waited.append(Write.objects.update(state=State.DONE))

        replace_time(monkeypatch, "dashboard.writes.beside", sleep=let_it_end)
        assert owner.post(page_of(video), form).status_code == 302
        assert waited == [1] and Write.objects.count() == 1

    def test_same_form_of_an_order_that_never_left_says_so(self, owner: Client, video: Video) -> None:
        form = {**form_of(owner, page_of(video)), "lang": "en"}
        owner.post(page_of(video), form)
        Write.objects.update(state=State.REFUSED, reason="not_sent")
        answer = owner.post(page_of(video), form)
        assert answer.status_code == 422
        assert "cannot be reached" in answer.content.decode()

    def test_preview_of_a_form_that_was_sent_is_shown_and_sends_nothing(
        self, owner: Client, video: Video, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        form = {**form_of(owner, page_of(video)), "lang": "en"}
        owner.post(page_of(video), form)
        sent = count_calls(monkeypatch, GENERATE)
        assert "$PLATFORM_TOKEN" in owner.post(page_of(video), {**form, "_dry_run": "1"}).content.decode()
        assert not sent

    @pytest.mark.parametrize(
        ("seconds", "more", "state"),
        [
            (30, {}, State.DONE),
            (31, {}, State.UNCONFIRMED),
            (-5, {}, State.DONE),
            (-5, {"from_lang": "EN"}, State.DONE),
            (-5, {"from_lang": "es"}, State.UNCONFIRMED),
            (-5, {"from_lang": "es", "to_lang": "en"}, State.DONE),
            (-5, {"type": "TRANSCRIPTION"}, State.UNCONFIRMED),
        ],
    )
    def test_job_that_began_with_the_order_or_after_settles_it(
        self, owner: Client, video: Video, faults: ModuleType, seconds: float, more: dict[str, str], state: State
    ) -> None:
        faults.set(GENERATE, broken="dropped")
        order(owner, video)
        faults.clear()
        job = add_job(video, seconds, **more)
        write = outbox.settle_by_reading(Write.objects.get())
        assert write.state == state
        assert write.result == ({"jobs": [str(job.pk)]} if state == State.DONE else None)

    def test_order_is_found_by_its_form_its_account_and_its_operation(self, owner: Client, video: Video) -> None:
        order(owner, video)
        write = Write.objects.get()
        form = uuid.UUID(write.request["form"])
        assert writes.find_by_form(write.owner, GENERATE, form) == write
        assert writes.find_by_form(write.owner, DELETE, form) is None
        assert writes.find_by_form(write.owner, GENERATE, uuid.uuid4()) is None
        assert writes.find_by_form(Account(pk=uuid.uuid4()), GENERATE, form) is None
        newer = Write.objects.create(
            scope=write.scope, key=uuid.uuid4(), operation=GENERATE, account=write.account, request=write.request,
            subject=str(uuid.uuid4()),
        )  # fmt: skip
        assert writes.find_by_form(write.owner, GENERATE, form) == newer
        Write.objects.filter(pk=newer.pk).update(state=State.CANCELLED)
        assert writes.find_by_form(write.owner, GENERATE, form) == write
        assert list(writes.list_generations(write.owner, str(video.pk))) == [write]
        assert list(writes.list_generations(write.owner, newer.subject)) == [newer]
        assert list(writes.list_generations(Account(pk=uuid.uuid4()), str(video.pk))) == []


def lose(hands: Hands, faults: ModuleType, *kinds: str, broken: str = "dropped") -> Write:
    """A deletion whose answer never came; by default it did not arrive."""
    form = {**form_of(hands.client, hands.address(REMOVE), KINDS), "kinds": kinds or ["quiz"]}
    faults.set(DELETE, broken=broken)
    hands.post(REMOVE, form)
    faults.clear()
    write = Write.objects.get()
    assert write.state == State.UNCONFIRMED
    return write


class TestDelete:
    def test_deletion_is_kept_with_the_version_it_was_made_of(self, hands: Hands) -> None:
        hands.text()
        version = hands.versions[-1]
        remove(hands, "quiz")
        write = Write.objects.get()
        sends = {"lang": "en", "kinds": ["quiz"], "version": version.pk}
        assert (write.operation, write.subject) == (DELETE, str(hands.video.pk))
        assert write.label == hands.document.title != ""
        assert write.request == {**sends, "form": write.request["form"]}
        entry = Entry.objects.get()
        assert (entry.before, entry.after) == (sends, None)
        assert writes.get_deletion_page(write) == hands.address()

    def test_what_is_left_is_a_version_that_names_what_went_and_other_windows_are_told(self, hands: Hands) -> None:
        hands.text()
        before = hands.versions[-1]
        remove(hands, "quiz")
        left = hands.versions[-1]
        assert (left.kind, left.actor) == (Version.Kind.SAVED, Write.objects.get().actor)
        assert left.actor
        gone = ("questions", "questions_config")
        assert get_content(left.blob) == {key: value for key, value in package(5).items() if key not in gone}
        assert left.changes_count > 0
        assert Version.objects.filter(pk=before.pk).exists()
        change = versions.get_foreign_change(hands.document.pk, "two", 0)
        assert change is not None
        assert (change.place, change.actor, change.tab) == ("file", left.actor, "")
        assert change.revision == hands.document.revision

    def test_page_after_a_deletion_reads_the_file_anew(self, hands: Hands) -> None:
        assert "Not in this language." not in hands.text()
        remove(hands, "quiz")
        page = hands.client.get(hands.address()).content.decode()
        assert page.count("Not in this language.") == 1

    @pytest.mark.parametrize(
        ("content", "state"),
        [
            (package(5), State.UNCONFIRMED),
            ({"mindmap": package(5)["mindmap"]}, State.DONE),
            ({"questions_config": {}}, State.UNCONFIRMED),
            ({}, State.DONE),
            ({"deep": json.loads("[" * 100 + "]" * 100)}, State.UNCONFIRMED),
        ],
    )
    def test_file_without_what_was_deleted_settles_the_deletion(
        self, hands: Hands, faults: ModuleType, content: Package, state: State
    ) -> None:
        write = lose(hands, faults)
        hands.overwrite(content)
        assert outbox.settle_by_reading(write).state == state
        assert (hands.versions[-1].kind == Version.Kind.SAVED) is (state == State.DONE)

    def test_file_that_is_gone_past_every_cache_settles_the_deletion(
        self, hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write = lose(hands, faults, "ebook", "mindmap", "quiz")
        AiFile.objects.filter(video=hands.video, lang="en").delete()
        reads = count_calls(monkeypatch, READ)
        assert outbox.settle_by_reading(write).state == State.DONE
        assert [set(asked_of(read)) for read in reads] == [{"fresh"}]

    def test_file_that_cannot_be_read_settles_nothing(self, hands: Hands, faults: ModuleType) -> None:
        write = lose(hands, faults, broken="lost")
        faults.set(READ, status=500)
        assert outbox.settle_by_reading(write).state == State.UNCONFIRMED
        faults.clear()
        assert outbox.settle_by_reading(write).state == State.DONE

    def test_deletion_that_its_author_sends_again_goes_out_once_more(
        self, hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write = lose(hands, faults)
        sent = count_calls(monkeypatch, DELETE)
        outbox.send_again(write)
        assert (len(sent), Write.objects.get().state) == (1, State.DONE)
        assert "questions" not in hands.file

    @pytest.mark.parametrize("fault", [{"status": 500}, {"status": 404}, {"broken": "refused"}])
    def test_deletion_is_not_sent_again_while_the_file_cannot_be_compared(
        self, hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any]
    ) -> None:
        write = lose(hands, faults)
        faults.set(READ, **fault)
        sent = count_calls(monkeypatch, DELETE)
        outbox.send_again(write)
        assert (sent, Write.objects.get().state) == ([], State.UNCONFIRMED)

    def test_deletion_is_not_sent_again_when_the_file_is_no_content_any_more(
        self, hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write = lose(hands, faults)
        hands.overwrite({"deep": json.loads("[" * 100 + "]" * 100)})
        sent = count_calls(monkeypatch, DELETE)
        outbox.send_again(write)
        assert (sent, Write.objects.get().state) == ([], State.UNCONFIRMED)

    @pytest.mark.parametrize("how", ["gone", "of another account"])
    def test_deletion_without_its_version_is_neither_sent_nor_settled_by_reading(
        self, hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch, how: str
    ) -> None:
        write = lose(hands, faults, broken="lost")
        if how == "gone":
            Version.objects.all().delete()
        else:
            type(hands.document).objects.update(account_id=uuid.uuid4())
        count = Version.objects.count()
        assert outbox.settle_by_reading(write).state == State.UNCONFIRMED
        sent = count_calls(monkeypatch, DELETE)
        outbox.send_again(write)
        assert sent == []
        outbox.confirm(write)
        assert Version.objects.count() == count

    def test_of_a_language_one_deletion_is_open_and_another_language_is_another_deletion(
        self, hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        other = Hands(hands.client, hands.video, "es")
        file = AiFile.objects.filter(video=hands.video, lang="en").latest("id")
        file.pk, file.lang = None, "es"
        file.save()
        lose(hands, faults)
        sent = count_calls(monkeypatch, DELETE)
        assert remove(hands, "mindmap").status_code == 302
        assert (len(sent), Write.objects.count()) == (0, 1)
        assert remove(other, "mindmap").status_code == 302
        assert (len(sent), Write.objects.count()) == (1, 2)

    def test_what_its_author_says_arrived_is_kept_like_what_was_answered(
        self, hands: Hands, faults: ModuleType
    ) -> None:
        write = lose(hands, faults)
        outbox.confirm(write)
        left = hands.versions[-1]
        assert (left.kind, "questions" in get_content(left.blob)) == (Version.Kind.SAVED, False)

    def test_legacy_file_is_deleted_without_a_language(
        self, hands: Hands, cast: dict[str, Any], faults: ModuleType
    ) -> None:
        hands.video = Video.objects.get(pk=cast["videos"]["legacy_ai_content"])
        hands.lang = ""
        write = lose(hands, faults)
        assert (write.request["lang"], writes.get_deletion_page(write)) == ("", hands.address())
        outbox.send_again(write)
        assert "questions" not in hands.file
        assert set(hands.file) & set(NAMED)
