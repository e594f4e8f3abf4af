"""What a write through a link sends, keeps beside its comment, finds again after a lost answer, and learns from a refusal."""

import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from dashboard.platform_api import errors
from dashboard.writes.models import State, Write
from dashboard.writes.operations import NotRead
from review_portal import sync, writes
from review_portal.models import Comment, CommentDrawing, CommentFrame, CutCheck, ReviewLink
from tests.kept_rows import KeptRows
from tests.moments import measure_span
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
NEW: dict[str, Any] = {"text": "Louder.", "user_name": "Ana", "reply_to": None, "time": 5}


@pytest.fixture
def write(opened: Reviewer, kept_rows: KeptRows) -> Write:
    """The write of a comment that was posted with its frame."""
    opened.client.cookies["film_rates"] = f"{str(opened.link)[:8]}:25"
    kept_rows.take(lambda: opened.post("Louder here.", "0:42", frame="42440000"), opened.client)
    return Write.objects.get(operation=writes.CREATE)


@pytest.mark.parametrize(
    ("changes", "body"),
    [
        ({}, {"text": "Louder.", "user_name": "Ana", "time": 5}),
        ({"reply_to": "c1"}, {"text": "Louder.", "user_name": "Ana", "reply_to": "c1"}),
        ({"drawing": {"address": "https://r/d/1"}}, {"text": "Louder.\nhttps://r/d/1", "user_name": "Ana", "time": 5}),
        ({"drawing": {"short": "1"}}, {"text": "Louder.", "user_name": "Ana", "time": 5}),
        ({"drawing": {"address": ""}}, {"text": "Louder.", "user_name": "Ana", "time": 5}),
    ],
)
def test_body_has_a_time_or_what_it_answers_and_ends_with_the_address_of_its_drawing(
    changes: dict[str, Any], body: dict[str, Any]
) -> None:
    assert writes.build_payload(NEW | changes) == body


def test_frame_is_kept_with_its_rate_and_the_comment_is_named_by_its_write(write: Write) -> None:
    frame, comment = CommentFrame.objects.get(), Comment.objects.get()
    assert (frame.comment_id, frame.link_id) == (comment.comment_id, comment.link_id)
    assert (frame.microseconds, frame.rate) == (42_440_000, "25")
    assert writes.get_comment_id(write) == comment.comment_id
    assert writes.get_comment_id(Write(request={}, result=None)) is None


def test_drawing_is_kept_with_its_comment_and_writer_and_a_changed_one_replaces_it(write: Write) -> None:
    comment = Comment.objects.get()
    for short in ("first", "second"):
        write.request["drawing"] = {"short": short, "sketch": {"shapes": []}}
        writes._keep_beside(write, comment)
        drawing = CommentDrawing.objects.get()
        assert (drawing.short, drawing.comment_id, drawing.link_id) == (short, comment.comment_id, comment.link_id)
        assert (drawing.name, drawing.time) == (comment.user_name, 42)


def test_comment_that_a_read_has_brought_becomes_its_writer_s_once_and_raises_the_version(write: Write) -> None:
    comment = Comment.objects.get()
    reviewer = comment.reviewer
    Comment.objects.update(reviewer=None, version=0)
    outsider = Comment.objects.create(
        link_id=comment.link_id,
        comment_id=uuid.uuid4(),
        user_name="Bia",
        text="Mine.",
        status="open",
        time=1,
        born=1,
        version=1,
        written_at=timezone.now(),
    )
    writes._keep_created(write, comment)
    comment.refresh_from_db()
    outsider.refresh_from_db()
    version = ReviewLink.objects.get(pk=comment.link_id).version
    assert (comment.reviewer, comment.version, outsider.reviewer) == (reviewer, version, None)
    with pytest.raises(ValueError, match="another write of the same words"):
        writes._keep_created(write, comment)


def test_answer_about_the_cut_before_is_told_which_comment_its_own_write_made(write: Write) -> None:
    comment = Comment.objects.get()
    before = [
        Comment.objects.create(
            link_id=comment.link_id,
            comment_id=uuid.uuid4(),
            user_name="Bia",
            text=text,
            status="open",
            time=1,
            born=1,
            version=1,
            written_at=timezone.now(),
        )
        for text in ("One.", "Two.")
    ]
    for row, key in zip(before, (write.key, uuid.uuid4()), strict=True):
        CutCheck.objects.create(link_id=comment.link_id, comment=row, fixed=False, name="Bia", key=key)
    Comment.objects.filter(pk=comment.pk).update(reviewer=None)
    writes._keep_created(write, comment)
    added = dict(CutCheck.objects.values_list("comment__text", "added_id"))
    assert added == {"One.": comment.comment_id, "Two.": None}


def test_comment_of_the_same_words_is_one_of_this_link_of_nobody_here_at_the_same_place(
    world: World, write: Write
) -> None:
    comment = Comment.objects.get()
    assert not writes._list_same(write).exists(), "it is somebody's already"
    Comment.objects.update(reviewer=None)
    assert writes._list_same(write).get() == comment
    other = Reviewer(world.link(name="Second"), "Bia")
    other.open()
    assert list(writes._list_same(write)) == [comment], "the other link of the video has a copy of its own"
    for changes in (
        {"time": 43},
        {"text": "Softer here."},
        {"user_name": "Bia"},
        {"created_at": write.created_at - timedelta(minutes=3)},
    ):
        Comment.objects.filter(pk=comment.pk).update(**changes)
        assert not writes._list_same(write).exists(), changes
        Comment.objects.filter(pk=comment.pk).update(**{name: getattr(comment, name) for name in changes})
    Comment.objects.filter(pk=comment.pk).update(created_at=None)
    assert writes._list_same(write).exists(), "a platform that tells no times"


def test_reply_of_the_same_words_is_found_whatever_time_it_inherits(write: Write) -> None:
    parent = uuid.uuid4()
    Comment.objects.update(reviewer=None, reply_to=parent, time=7)
    write.request["reply_to"] = str(parent)
    assert writes._list_same(write).exists()
    write.request["reply_to"] = str(uuid.uuid4())
    assert not writes._list_same(write).exists()


@pytest.mark.parametrize("seconds", [None, -1.0, 0.0, 0.5])
def test_only_what_was_read_after_the_end_of_the_call_tells_anything_of_it(
    write: Write, monkeypatch: pytest.MonkeyPatch, seconds: float | None
) -> None:
    ended, link = timezone.now(), ReviewLink.objects.get()
    write.ended_at = ended
    read_at = None if seconds is None else ended + timedelta(seconds=seconds)
    monkeypatch.setattr(sync, "merge", lambda _link: None)
    monkeypatch.setattr(sync, "is_readable", lambda: True)
    monkeypatch.setattr(sync, "get_read_at", lambda _link: read_at)
    if seconds and seconds > 0:
        assert writes._get_read_delay(link, write) == timedelta(seconds=seconds)
        write.ended_at = None
    with pytest.raises(NotRead):
        writes._get_read_delay(link, write)
    write.ended_at = ended - timedelta(hours=1)
    monkeypatch.setattr(sync, "is_readable", lambda: False)
    with pytest.raises(NotRead):
        writes._get_read_delay(link, write)


CLOSED = {
    "Link is EXPIRED": "expires_at",
    "This link is inactive": "status",
    "allow_comment is off": "allow_comment",
    "allow_status_edit is off": "allow_status_edit",
    "Something else": "",
}


@pytest.mark.parametrize("message", CLOSED)
@pytest.mark.parametrize("status", [403, 404])
def test_refusal_says_of_its_own_link_what_the_copy_does_not_know(
    world: World, write: Write, message: str, status: int
) -> None:
    other = Reviewer(world.link(name="Second"))
    other.open()
    before = dict(ReviewLink.objects.values_list("pk", "version"))
    fields = ("expires_at", "status", "allow_comment", "allow_status_edit")
    known = {row.pk: [getattr(row, name) for name in fields] for row in ReviewLink.objects.all()}
    write.status, write.message = status, message
    with measure_span() as span:
        writes._note_refusal(write)
    link = ReviewLink.objects.get(pk=write.scope)
    changed = [name for name, value in zip(fields, known[link.pk], strict=True) if getattr(link, name) != value]
    assert changed == ([CLOSED[message]] if status == 403 and CLOSED[message] else [])
    assert (link.version > before[link.pk]) == bool(changed)
    untouched = ReviewLink.objects.get(pk=other.link)
    assert [getattr(untouched, name) for name in fields] == known[other.link]
    if changed == ["expires_at"]:
        assert span.holds(link.expires_at)
    assert link.status == ("inactive" if changed == ["status"] else "active")
    assert link.allow_comment == (changed != ["allow_comment"])
    assert link.allow_status_edit == (changed != ["allow_status_edit"])


@pytest.mark.parametrize(
    ("state", "reason", "is_read_anew"),
    [
        (State.REFUSED, errors.NotAllowed.__name__, True),
        (State.REFUSED, errors.Missing.__name__, True),
        (State.REFUSED, errors.Refused.__name__, False),
        (State.DONE, errors.Missing.__name__, False),
    ],
)
def test_link_is_read_anew_after_a_refusal_that_is_about_the_link(
    write: Write, state: State, reason: str, is_read_anew: bool
) -> None:
    key = sync._link_key(uuid.UUID(write.scope))
    cache.set(key, 1, 60)
    version = ReviewLink.objects.get().version
    write.state, write.reason, write.status = state, reason, 404
    writes._tell_watchers(write)
    assert (cache.get(key) is None) == is_read_anew
    assert ReviewLink.objects.get().version == version + 1


def test_watchers_of_every_link_of_the_video_are_told_of_a_change_once(world: World, write: Write) -> None:
    first, second = ReviewLink.objects.get(), Reviewer(world.link(name="Second"))
    second.open()
    third = ReviewLink.objects.create(id=uuid.uuid4(), video_id=uuid.uuid4(), name="Another video")
    comment = Comment.objects.filter(link=first).get()
    versions = dict(ReviewLink.objects.values_list("pk", "version"))
    change = Write(
        operation=writes.UPDATE,
        scope=str(first.pk),
        request={"comment_id": str(comment.comment_id)},
        state=State.SENDING,
    )
    writes._tell_watchers(change)
    told = {row.pk: row.version - versions[row.pk] for row in ReviewLink.objects.all()}
    assert told == {first.pk: 1, second.link: 1, third.pk: 0}
    assert {copy.version for copy in Comment.objects.filter(comment_id=comment.comment_id)} == {
        row.version for row in ReviewLink.objects.exclude(pk=third.pk)
    }
