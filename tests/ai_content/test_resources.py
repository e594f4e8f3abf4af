"""Generating and deleting AI content: once, by capability, with a version kept before anything is deleted."""

from datetime import timedelta
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.activity.models import Entry, Outcome
from dashboard.ai_content.models import Document, Version
from dashboard.sandbox.models import AiFile, CreditEntry, Job, Video
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from tests.ai_content.conftest import Hands, fields
from tests.ai_content.packages import package
from tests.answering import change_answers, count_calls
from tests.due import run_due
from tests.forgetting import forget
from tests.pages import one_line, read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
GENERATE, DELETE = "ai_workflow.generate_package", "ai_workflow.delete_package"
REMOVE = "resources/delete/"
KINDS = 'name="kinds"'


def page_of(video: Video) -> str:
    return f"/dashboard/ai-content/{video.pk}/generate/"


def form_of(client: Client, address: str, marker: str = 'name="lang"') -> dict[str, Any]:
    page = client.get(address).content.decode()
    inner = next(piece.split("</form>")[0] for piece in page.split("<form")[1:] if marker in piece.split("</form>")[0])
    return fields(f'<form id="here"{inner}</form>', "here")


def order(client: Client, video: Video, **typed: Any) -> Any:
    return client.post(page_of(video), {**form_of(client, page_of(video)), "lang": "en", **typed})


class TestGenerate:
    def test_the_form_says_what_is_known_of_the_cost_before_anything_is_sent(self, owner: Client, video: Video) -> None:
        page = read_page(owner, page_of(video))
        assert "one for each minute of video that has begun" in page and "AI credit balance of" in page
        assert "are generated together" in page and "kinds" not in form_of(owner, page_of(video)), "no choice of kinds"
        assert "Generate AI content" in read_page(owner, f"/dashboard/ai-content/{video.pk}/")

    def test_it_is_ordered_once_and_its_job_is_followed(self, owner: Client, video: Video, clock: Any) -> None:
        before = CreditEntry.objects.count()
        assert order(owner, video).status_code == 302
        job = Job.objects.get(video=video, from_lang="en")
        assert job.resources == ["ebook", "mindmap", "quiz"] and CreditEntry.objects.count() == before + 1
        page = read_page(owner, page_of(video))
        assert "In queue" in page and "eBook, Mind map, Quiz" in page and 'data-poll="3"' in page
        clock.at = job.ends_at
        forget()
        part = owner.get(f"{page_of(video)}jobs/", headers={"HX-Request": "true"}).content.decode()
        assert "Finished" in part and "data-poll" not in part
        assert f'href="/dashboard/ai-content/{video.pk}/en/"' in part
        forget()
        assert "questions" in read_page(owner, f"/dashboard/ai-content/{video.pk}/en/")

    def test_the_polled_part_answers_nothing_while_nothing_changes(
        self, owner: Client, video: Video, clock: Any
    ) -> None:
        order(owner, video)
        page = read_page(owner, page_of(video))
        poll = page.split("<main")[1].split('hx-get="')[1].split('"')[0]
        assert owner.get(poll).status_code == 204

    def test_the_same_form_is_one_order_and_another_one_meets_the_refusal(
        self, owner: Client, video: Video, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        sent = count_calls(monkeypatch, GENERATE)
        form = {**form_of(owner, page_of(video)), "lang": "en"}
        assert [owner.post(page_of(video), form).status_code for _press in range(2)] == [302, 302]
        assert len(sent) == 1 and Write.objects.count() == 1
        again = order(owner, video)
        assert again.status_code == 422 and "in progress" in unescape(again.content.decode())
        assert "selected" in again.content.decode(), "what was chosen is still there"

    @pytest.mark.parametrize(
        ("typed", "text"), [({"lang": ""}, "Choose a language."), ({"kinds": []}, "Choose at least one.")]
    )
    def test_what_is_missing_is_asked_for_and_nothing_is_sent(
        self, owner: Client, video: Video, settings: Settings, typed: dict[str, Any], text: str
    ) -> None:
        settings.PLATFORM_PATHS = {GENERATE: "/ai/resources"} if "kinds" in typed else {}
        answer = order(owner, video, **typed)
        assert answer.status_code == 422 and text in unescape(answer.content.decode())
        assert not Write.objects.exists()

    @pytest.mark.parametrize("status", [404, 405])
    def test_a_platform_without_it_is_said_in_the_reader_s_language(
        self, owner: Client, video: Video, faults: ModuleType, status: int
    ) -> None:
        faults.set(GENERATE, status=status)
        answer = order(owner, video)
        assert answer.status_code == 422
        assert "does not offer generating AI content over its API" in unescape(answer.content.decode())
        answer = owner.post(page_of(video), {"lang": "en"}, headers={"Accept-Language": "pt-BR"})
        assert "não oferece gerar conteúdo de IA pela API" in unescape(answer.content.decode())
        assert {entry.outcome for entry in Entry.objects.all()} == {Outcome.REFUSED}

    def test_a_video_that_is_gone_is_no_missing_operation(self, owner: Client, video: Video) -> None:
        form = {**form_of(owner, page_of(video)), "lang": "en"}
        Video.objects.filter(pk=video.pk).delete()
        text = unescape(one_line(owner.post(page_of(video), form).content.decode()))
        assert "does not offer" not in text and "This video was not found in this account." in text

    @pytest.mark.parametrize(("broken", "state"), [("lost", State.DONE), ("dropped", State.UNCONFIRMED)])
    def test_a_lost_answer_is_looked_for_and_never_sent_again_by_itself(
        self, owner: Client, video: Video, faults: ModuleType, clock: Any, broken: str, state: str
    ) -> None:
        faults.set(GENERATE, broken=broken)
        assert order(owner, video).status_code == 302
        faults.clear()
        assert Write.objects.get().state == State.UNCONFIRMED
        assert "Not confirmed" in read_page(owner, page_of(video))
        run_due(3)
        assert Write.objects.get().state == state
        assert Job.objects.filter(video=video, from_lang="en").count() == (1 if broken == "lost" else 0)

    def test_another_path_can_be_set(
        self, owner: Client, video: Video, settings: Settings, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        settings.PLATFORM_PATHS = {GENERATE: "/ai/resources"}
        answer = order(owner, video)
        assert answer.status_code == 422 and "does not offer generating" in unescape(answer.content.decode())
        assert form_of(owner, page_of(video))["kinds"] == ["ebook", "mindmap", "quiz"], "the former body names kinds"
        text = unescape(order(owner, video, kinds=["quiz"], _dry_run="1").content.decode())
        assert "/ai/resources" in text and '"lang":"en","resources":["quiz"]' in text
        settings.PLATFORM_PATHS = {GENERATE: "/aiworkflow"}
        text = unescape(order(owner, video, _dry_run="1").content.decode())
        assert '"from_lang":"en","type":"ALL_TEXT_ITEMS"' in text, "the published path has the published body"

    def test_activity_tells_what_was_ordered(self, owner: Client, video: Video) -> None:
        order(owner, video)
        assert "AI content ordered" in read_page(owner, "/dashboard/activity/")


def remove(hands: Hands, *kinds: str, **more: Any) -> Any:
    form = form_of(hands.client, hands.address(REMOVE), KINDS)
    return hands.post(REMOVE, {**form, "kinds": list(kinds), **more})


class TestDelete:
    def test_the_content_is_a_version_before_it_is_deleted_and_stays_one(self, hands: Hands) -> None:
        page = hands.text(REMOVE)
        assert "kept as a version before it is deleted" in page and AiFile.objects.filter(video=hands.video).count() > 1
        version = hands.versions[-1]
        assert remove(hands, "quiz").status_code == 302
        assert "questions" not in hands.file and "mindmap" in hands.file
        assert Version.objects.filter(pk=version.pk).exists() and hands.versions[-1].kind == Version.Kind.SAVED
        page = hands.text()
        assert "Not in this language." in page
        assert "Question 1: deleted" in hands.text("versions/")

    def test_a_deleted_kind_can_be_restored_from_the_kept_version(self, hands: Hands) -> None:
        hands.text()
        version = hands.versions[-1]
        remove(hands, "ebook", "mindmap", "quiz")
        assert hands.file == {key: value for key, value in package(5).items() if key not in NAMED}
        assert hands.post(f"versions/{version.pk}/restore/").status_code == 302
        assert hands.save().status_code == 302
        assert hands.file["questions"] and hands.file["mindmap"]

    def test_a_language_without_any_file_left_still_has_its_versions(self, hands: Hands, clock: Any) -> None:
        hands.overwrite({key: value for key, value in package(5).items() if key in NAMED})
        hands.text()
        forget()
        hands.text()
        remove(hands, "ebook", "mindmap", "quiz")
        assert hands.file == {}
        clock.travel(60)
        forget()
        page = hands.text()
        assert "has no file for this language" not in page and "could not be read" not in page
        assert page.count("Not in this language.") == 3
        assert hands.client.get(hands.address("versions/")).status_code == 200
        assert Document.objects.get().versions.count() >= 2

    @pytest.mark.parametrize("fault", [{"status": 500}, {"status": 404}, {"broken": "dropped"}])
    def test_what_cannot_be_kept_is_not_deleted(
        self, hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch, fault: dict[str, Any]
    ) -> None:
        sent = count_calls(monkeypatch, DELETE)
        form = {**form_of(hands.client, hands.address(REMOVE), KINDS), "kinds": ["quiz"]}
        forget()
        faults.set("ai_workflow.read_package", **fault)
        answer = hands.post(REMOVE, form)
        assert answer.status_code == 422
        assert "Nothing was deleted: the content could not be read" in unescape(answer.content.decode())
        assert not sent and "questions" in hands.file

    def test_what_somebody_else_wrote_meanwhile_is_kept_too(self, hands: Hands) -> None:
        form = {**form_of(hands.client, hands.address(REMOVE), KINDS), "kinds": ["quiz"]}
        newer = package(5) | {"questions": package(2)["questions"]}
        hands.overwrite(newer)
        forget()
        hands.post(REMOVE, form)
        assert "questions" not in hands.file
        contents = [len(v.changes) for v in hands.versions]
        assert hands.versions[-2].kind == Version.Kind.LOADED and contents

    @pytest.mark.parametrize("kinds", [("quiz",), ("ebook", "mindmap", "quiz")])
    def test_a_file_that_follows_late_does_not_bring_back_what_was_deleted(
        self, hands: Hands, slow_cdn: ModuleType, kinds: tuple[str, ...]
    ) -> None:
        hands.overwrite({key: value for key, value in package(5).items() if key in NAMED})
        hands.text()
        forget()
        remove(hands, *kinds)
        forget()
        page = hands.text()
        assert page.count("Not in this language.") == len(kinds) and "Viewers have this version" not in page
        assert hands.versions[-1].kind == Version.Kind.SAVED
        for file in AiFile.objects.filter(video=hands.video):
            AiFile.objects.filter(pk=file.pk).update(published_at=file.written_at)
        forget()
        hands.text()
        assert "Viewers have this version" in hands.text()
        assert hands.versions[-1].kind == Version.Kind.SAVED, "nobody else changed it"

    def test_a_deletion_sent_once_more_is_compared_with_the_kept_version_first(
        self, hands: Hands, faults: ModuleType, clock: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        form = {**form_of(hands.client, hands.address(REMOVE), KINDS), "kinds": ["quiz"]}
        faults.set(DELETE, broken="dropped")
        hands.post(REMOVE, form)
        faults.clear()
        hands.overwrite(package(5) | {"questions": package(2)["questions"]})
        sent = count_calls(monkeypatch, DELETE)
        outbox.send_again(Write.objects.select_related("account").get())
        assert not sent and Write.objects.get().state == State.UNCONFIRMED
        assert "questions" in hands.file

    def test_it_is_never_one_click_and_sent_once(self, hands: Hands, monkeypatch: pytest.MonkeyPatch) -> None:
        sent = count_calls(monkeypatch, DELETE)
        form = {**form_of(hands.client, hands.address(REMOVE), KINDS), "kinds": ["quiz"]}
        assert not sent, "a look sends nothing"
        assert [hands.post(REMOVE, form).status_code for _press in range(3)] == [302] * 3
        assert len(sent) == 1

    @pytest.mark.parametrize("status", [404, 405])
    def test_a_platform_without_it_is_said_plainly(self, hands: Hands, faults: ModuleType, status: int) -> None:
        form = {**form_of(hands.client, hands.address(REMOVE), KINDS), "kinds": ["quiz"]}
        faults.set(DELETE, status=status)
        answer = hands.post(REMOVE, form)
        assert answer.status_code == 422
        assert "does not offer deleting AI content over its API. Nothing was deleted." in unescape(
            answer.content.decode()
        )
        assert hands.versions[-1].kind != Version.Kind.SAVED

    @pytest.mark.parametrize(("broken", "state"), [("lost", State.DONE), ("dropped", State.UNCONFIRMED)])
    def test_a_lost_answer_is_looked_for(
        self, hands: Hands, faults: ModuleType, clock: Any, broken: str, state: str
    ) -> None:
        form = {**form_of(hands.client, hands.address(REMOVE), KINDS), "kinds": ["quiz"]}
        faults.set(DELETE, broken=broken)
        assert hands.post(REMOVE, form).status_code == 302
        faults.clear()
        assert "Not confirmed" in hands.text()
        run_due(3)
        assert Write.objects.get().state == state

    def test_an_unconfirmed_save_comes_first(self, hands: Hands, faults: ModuleType, clock: Any) -> None:
        hands.write(2, "Edited?")
        faults.set("ai_workflow.save_package", broken="dropped")
        hands.save()
        faults.clear()
        form = {**form_of(hands.client, hands.address(REMOVE), KINDS), "kinds": ["quiz"]}
        answer = hands.post(REMOVE, form)
        assert answer.status_code == 422 and "not confirmed yet" in unescape(answer.content.decode())

    def test_activity_tells_what_was_deleted(self, hands: Hands) -> None:
        remove(hands, "quiz")
        assert "AI content deleted" in read_page(hands.client, "/dashboard/activity/")


NAMED = (
    *("abstract", "abstract_html", "abstract_summary", "abstract_cover"),
    *("mindmap", "questions", "questions_config"),
)


@pytest.mark.parametrize("is_there", [True, False])
def test_ai_content_that_only_the_player_knows_is_shown_without_a_language(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch, faults: ModuleType, is_there: bool
) -> None:
    video_id = cast["videos"]["with_ai_content"]
    change_answers(monkeypatch, lambda video: {**video, "config": {}, "ai_url": None}, "videos.get")
    if not is_there:
        faults.set("public_files.video", status=404)
    page = one_line(owner.get(f"/dashboard/ai-content/{video_id}/").content.decode())
    panel = one_line(owner.get(f"/dashboard/videos/{video_id}/panels/ai_content/").content.decode())
    owner.get("/dashboard/ai-content/")  # reads the files beside the page
    rows = one_line(owner.get("/dashboard/ai-content/").content.decode())
    assert ("This video has: eBook, Mind map, Quiz." in page) is is_there
    assert (f'href="/dashboard/ai-content/{video_id}/pt-BR/"' in page) is is_there, "the languages of its subtitles"
    assert ("The platform does not report which AI content exists." in page) is not is_there
    assert ("doesn't list the AI content" in panel) is not is_there and ("Mind map" in panel) is is_there
    assert ("Language unknown: eBook, Mind map, Quiz" in rows) is is_there


@pytest.mark.parametrize("is_there", [True, False])
def test_the_pdfs_of_a_video_are_linked(hands: Hands, faults: ModuleType, is_there: bool) -> None:
    if not is_there:
        faults.set("public_files.video", status=404)
    hands.text()
    page = hands.text()
    stem = f"/sandbox/config/{hands.video.organization.pullzone}/{hands.video.external_id}"
    assert all((f'href="{stem}/{name}.pdf"' in page) is is_there for name in ("abstract", "mindmap"))
    for name in ("abstract", "mindmap"):
        pdf = hands.client.get(f"{stem}/{name}.pdf")
        assert pdf.status_code == 200 and pdf["Content-Type"] == "application/pdf"
        content = pdf.content
        start = int(content.split(b"startxref\n")[1].split()[0])
        assert content.startswith(b"%PDF-") and content[start : start + 4] == b"xref"
        places = [int(line[:10]) for line in content[start:].splitlines()[3:8]]
        assert all(content[at:].startswith(b"%d 0 obj" % number) for number, at in enumerate(places, start=1))
    assert hands.client.get(f"{stem}/quiz.pdf").status_code == 404


def test_pdf_says_when_it_was_made_and_that_it_is_older_than_the_last_save(
    hands: Hands, faults: ModuleType, monkeypatch: pytest.MonkeyPatch
) -> None:
    older, undated = "older than your last save,", "say when it made them"

    def look() -> str:
        forget()
        for _ in range(3):  # the file is read beside the page, and then the PDFs
            page = hands.text()
        return page

    assert look().count("<small>made ") == 2 and older not in look(), "nothing was saved from here"
    hands.write(1, "What is new?")
    hands.save()
    assert look().count(older) == 2 and undated not in look(), "they are still of what was there before"
    AiFile.objects.filter(video=hands.video).update(published_at=timezone.now())
    assert look().count("<small>made ") == 2 and older not in look(), "they were made of what was saved"
    AiFile.objects.filter(video=hands.video).update(published_at=timezone.now() - timedelta(hours=1))
    faults.set("public_files.document", status=500)
    assert older not in look() and undated not in look(), "nobody knows"
    faults.clear("public_files.document")
    monkeypatch.setattr("dashboard.sandbox.handlers.public_files.format_datetime", lambda *_, **__: "")
    assert f"{undated}: they may be" in look() and older in look()
