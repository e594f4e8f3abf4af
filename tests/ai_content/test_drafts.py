"""What a version that arrives does to what is typed: sent drafts end, later edits go on from it, nothing typed is lost."""

import uuid
from datetime import UTC, datetime
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from dashboard.ai_content import versions
from dashboard.ai_content.models import (
    Blob,
    Document,
    Draft,
    Step,
    Version,
    get_blob,
    get_content,
    get_file_key,
    pack,
    unpack,
)
from dashboard.ai_content.rules.package import Block, Package, get_fingerprint
from tests.ai_content.packages import question
from tests.moments import measure_span

pytestmark = pytest.mark.django_db


def content(*numbers: int, **more: Any) -> Package:
    return {"abstract": "Text.", "questions": [question(number) for number in numbers], "other": 1, **more}


@pytest.fixture
def document() -> Document:
    return Document.objects.create(
        account_id=uuid.uuid4(), video_id=uuid.uuid4(), lang="en", external_id="e", pullzone="p"
    )


def start(document: Document, base: Package, block: Block = Block.QUIZ, **values: Any) -> Draft:
    handles = [f"h{place}" for place in range(len(values.get("questions", [])))]
    return Draft.objects.create(
        document=document, block=block, base=get_blob(document, base), body=pack(values), handles=handles
    )


def send(document: Document, package: Package, *sent: Draft, **more: Any) -> Version:
    """A version with these drafts in it, as they are now."""
    return Version.objects.create(
        document=document,
        blob=get_blob(document, package),
        kind=Version.Kind.SENDING,
        sent={draft.block: [draft.pk, draft.revision] for draft in sent},
        **more,
    )


def body(draft: Draft) -> Any:
    return unpack(draft.body)


def test_drafts_are_listed_by_their_block_with_their_bases_in_one_query(
    document: Document, django_assert_num_queries: Any
) -> None:
    assert versions.list_drafts(document) == {}
    quiz, ebook = start(document, content(1)), start(document, content(2), Block.EBOOK, abstract="x")
    with django_assert_num_queries(1):
        found = versions.list_drafts(document)
        assert {draft.base for draft in found.values()} == {quiz.base, ebook.base}
    assert found == {Block.QUIZ: quiz, Block.EBOOK: ebook}


def test_change_is_counted_and_told_to_other_windows_with_its_author(document: Document) -> None:
    same = Document.objects.get(pk=document.pk)
    versions.note_change(document, tab="one", actor="Ana", place="quiz")
    with measure_span() as span:
        versions.note_change(same, tab="two", actor="Bo", place="ebook")
    assert (document.revision, same.revision) == (2, 3), "each counts on from what is stored"
    assert Document.objects.get().revision == 3
    change = versions.get_foreign_change(document.pk, "one", 0)
    assert change is not None
    assert (change.revision, change.tab, change.actor, change.place) == (3, "two", "Bo", "ebook")
    assert span.holds(datetime.fromtimestamp(change.at, UTC))
    assert versions.get_foreign_change(document.pk, "two", 2) is None
    first = versions.get_foreign_change(document.pk, "two", 1)
    assert first is not None
    assert (first.actor, first.place) == ("Ana", "quiz")
    versions.note_change(document)
    unnamed = versions.get_foreign_change(document.pk, "two", 0)
    assert unnamed is not None
    assert (unnamed.revision, unnamed.tab, unnamed.actor, unnamed.place) == (4, "", "", "")


def test_last_step_is_the_newest_of_its_draft(document: Document) -> None:
    draft, other = start(document, content(1)), start(document, content(1), Block.EBOOK)
    assert versions.get_last_step(None) is None
    assert versions.get_last_step(draft) is None
    steps = [Step.objects.create(draft=each, code="text", before=pack("x")) for each in (draft, draft, other)]
    assert versions.get_last_step(draft) == steps[1]


def test_the_twenty_newest_deleted_questions_can_be_put_back(document: Document) -> None:
    draft = start(document, content(1))
    assert versions.list_deleted_questions(None) == []
    assert versions.list_deleted_questions(draft) == []
    deleted = [Step.objects.create(draft=draft, code="question_deleted", label=str(number)) for number in range(21)]
    Step.objects.create(draft=draft, code="question_moved")
    assert versions.list_deleted_questions(draft) == deleted[:0:-1]


def test_draft_edited_since_goes_on_from_the_version_with_both_changes(document: Document) -> None:
    draft = start(document, content(1, 2), questions=[question(1, enunciate="Mine?"), question(2)])
    onto = get_blob(document, content(1, 2, 3, abstract="Another."))
    versions.rebase_draft(draft, onto)
    stored = Draft.objects.get()
    assert body(stored) == {"questions": [question(1, enunciate="Mine?"), question(2), question(3)]}
    assert (stored.base, stored.revision) == (onto, 2)
    assert stored.handles[:2] == ["h0", "h1"]
    assert len(set(stored.handles)) == 3


def test_draft_is_moved_with_the_values_that_are_given(document: Document) -> None:
    draft = start(document, content(1, 2), questions=[question(1, enunciate="Mine?"), question(2)])
    versions.rebase_draft(draft, get_blob(document, content(1, 3)), {"questions": [question(2), question(3)]})
    stored = Draft.objects.get()
    assert body(stored) == {"questions": [question(2), question(3)]}
    assert stored.handles[0] == "h1"
    assert stored.handles[1] not in ("h0", "h1")


def test_draft_of_another_block_keeps_its_handles(document: Document) -> None:
    draft = start(document, content(1), Block.EBOOK, abstract="Mine.")
    Draft.objects.update(handles=["kept"])
    draft.refresh_from_db()
    versions.rebase_draft(draft, get_blob(document, content(2, abstract_summary="New.")))
    stored = Draft.objects.get()
    assert (body(stored), stored.handles) == ({"abstract": "Mine.", "abstract_summary": "New."}, ["kept"])


@pytest.mark.parametrize("values", [None, {"questions": [question(1, enunciate="Same?")]}])
def test_draft_that_says_what_the_version_says_ends(document: Document, values: Package | None) -> None:
    draft = start(document, content(1), questions=[question(1, enunciate="Same?")])
    there: Package = {**content(1), "questions": [question(1, enunciate="Same?")]}
    versions.rebase_draft(draft, get_blob(document, there), values)
    assert not Draft.objects.exists()


def test_draft_whose_body_is_no_object_counts_as_empty(document: Document) -> None:
    draft = start(document, content(1))
    draft.body = pack(["no object"])
    versions.rebase_draft(draft, get_blob(document, content(1, 2)), {"questions": []})
    stored = Draft.objects.get()
    assert (body(stored), stored.handles) == ({"questions": []}, [])


def test_content_as_the_platform_stores_it_replaces_ours_and_drafts_move_on_to_it(document: Document) -> None:
    sent = content(1, 2)
    version = send(document, sent)
    mine = start(document, sent, questions=[question(1), question(2, enunciate="Mine?")])
    elsewhere = start(document, content(9), Block.EBOOK, abstract="Mine.")
    there: Package = {**sent, "questions": [question(1, given=1), question(2, given=2)]}
    versions.adopt_content(version, there, get_fingerprint(there))
    version.refresh_from_db()
    mine.refresh_from_db()
    assert get_content(version.blob) == there
    assert mine.base == version.blob
    assert body(mine) == {"questions": [question(1, given=1), question(2, given=2, enunciate="Mine?")]}
    elsewhere.refresh_from_db()
    assert (get_content(elsewhere.base), elsewhere.revision) == (content(9), 1)


def test_same_content_changes_neither_the_version_nor_any_draft(document: Document) -> None:
    version = send(document, content(1))
    draft = start(document, content(1), questions=[question(1, enunciate="Mine?")])
    before = version.blob
    versions.adopt_content(version, content(1), get_fingerprint(content(1)))
    version.refresh_from_db()
    draft.refresh_from_db()
    assert (version.blob, draft.revision, Blob.objects.count()) == (before, 1, 1)


def test_what_is_noted_elsewhere_meanwhile_is_not_undone(document: Document) -> None:
    version, now = send(document, content(1)), timezone.now()
    draft = start(document, content(1), questions=[question(1, enunciate="Mine?")])
    Version.objects.update(public_at=now)
    Draft.objects.update(choice="html")
    there = content(1, stamp=1)
    versions.adopt_content(version, there, get_fingerprint(there))
    versions.rebase_draft(draft, get_blob(document, content(1, 2)))
    versions.keep_version(version, None)
    stored = Version.objects.get()
    assert (stored.public_at, stored.kind, get_content(stored.blob)) == (now, Version.Kind.SAVED, there)
    assert Draft.objects.get().choice == "html"


def test_version_ends_the_drafts_it_was_sent_with_and_takes_later_edits_along(document: Document) -> None:
    base = content(1, mindmap={"label": "Old"})
    quiz = start(document, base, questions=[question(1, enunciate="Sent?")])
    ebook = start(document, base, Block.EBOOK, abstract="Sent.")
    mindmap = start(document, base, Block.MINDMAP, mindmap={"label": "Not sent"})
    there: Package = {**base, "abstract": "Sent.", "questions": [question(1, enunciate="Sent?")]}
    version = send(document, there, quiz, ebook)
    Draft.objects.filter(pk=ebook.pk).update(body=pack({"abstract": "Typed since."}), revision=2)
    versions.finish_drafts(document, version)
    assert set(versions.list_drafts(document)) == {Block.EBOOK, Block.MINDMAP}
    ebook.refresh_from_db()
    mindmap.refresh_from_db()
    assert (ebook.base, ebook.revision, body(ebook)) == (version.blob, 3, {"abstract": "Typed since."})
    assert (mindmap.base, mindmap.revision) == (get_blob(document, base), 1)


def test_draft_that_began_after_the_sent_one_ended_stays_as_it_is(document: Document) -> None:
    sent = start(document, content(1), questions=[question(1, enunciate="Sent?")])
    version = send(document, {**content(1), "questions": [question(1, enunciate="Sent?")]}, sent)
    sent.delete()
    newer = start(document, content(1), questions=[question(1, enunciate="Newer?")])
    versions.finish_drafts(document, version)
    newer.refresh_from_db()
    assert (get_content(newer.base), newer.revision) == (content(1), 1)


@pytest.mark.parametrize("is_read", [False, True])
def test_version_that_arrived_is_saved_and_its_drafts_and_its_refusal_end(document: Document, is_read: bool) -> None:
    other = Document.objects.create(
        account_id=document.account_id, video_id=document.video_id, lang="es", refusal={"message": "stays"}
    )
    Document.objects.filter(pk=document.pk).update(refusal={"message": "ends"})
    cache.set(f"read:{get_file_key(document)}", "old")
    draft = start(document, content(1), questions=[question(1, enunciate="Sent?")])
    sent: Package = {**content(1), "questions": [question(1, enunciate="Sent?")]}
    version = send(document, sent, draft, actor="Ana")
    there: Package = {**sent, "stamp": 1, "video_id": "v"}
    versions.keep_version(version, there if is_read else None, "one")
    stored = Version.objects.get()
    assert (stored.kind, get_content(stored.blob)) == (Version.Kind.SAVED, there if is_read else sent)
    assert not Draft.objects.exists()
    assert cache.get(f"read:{get_file_key(document)}") is None
    assert Document.objects.get(pk=document.pk).refusal is None
    other.refresh_from_db()
    assert other.refusal == {"message": "stays"}
    change = versions.get_foreign_change(document.pk, "two", 1)
    assert change is not None
    assert (change.revision, change.tab, change.actor, change.place) == (2, "one", "Ana", "saved")
