"""What an attempt to write in the room stores, when it is held, and which attempts count as the same."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.writes import operations
from dashboard.writes import outbox as writes
from dashboard.writes.models import State, Write
from dashboard.writes.operations import Operation
from review_portal import outbox
from review_portal.drawings import Sketch
from review_portal.models import Comment, Reviewer, ReviewLink
from review_portal.outbox import DrawingPost, Words
from review_portal.videos import FrameTime
from review_portal.writes import CREATE, UPDATE
from tests.moments import measure_span

pytestmark = pytest.mark.django_db

WORDS = Words("Too loud.", "Ana Prado", 12)
LOST = errors.Unreachable(CREATE, sent=True)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> list[Write]:
    """What leaves, instead of to the platform."""
    made: list[Write] = []
    for name in (CREATE, UPDATE):
        monkeypatch.setitem(operations._registered, name, Operation(name, made.append, waits=True))
    return made


@pytest.fixture
def fail(monkeypatch: pytest.MonkeyPatch) -> Callable[[errors.CallError | None], None]:
    """`fail(error)`: from now on every sending ends so."""

    def let(error: errors.CallError | None) -> None:
        def send(write: Write) -> None:
            if error is not None:
                raise error

        for name in (CREATE, UPDATE):
            monkeypatch.setitem(operations._registered, name, Operation(name, send, waits=True))

    return let


@pytest.fixture
def account() -> Account:
    account = Account(name="Studio")
    account.keep_token("token")
    account.save()
    return account


@pytest.fixture
def link(account: Account) -> ReviewLink:
    link = ReviewLink.objects.create(id=uuid.uuid4(), video_id=uuid.uuid4(), name="Cut 3")
    link.accounts.add(account)
    return link


@pytest.fixture
def ana(link: ReviewLink) -> Reviewer:
    return Reviewer.objects.create(link=link, name="Ana Prado")


@pytest.fixture
def comment(link: ReviewLink) -> Comment:
    return Comment.objects.create(
        link=link, comment_id=uuid.uuid4(), user_name="Ana Prado", text="Too loud.", time=12, born=1, version=1,
        written_at=timezone.now(),
    )  # fmt: skip


def post(link: ReviewLink, reviewer: Reviewer, words: Words = WORDS, *, hold: bool = False) -> Write:
    return outbox.submit(link, reviewer, uuid.uuid4(), words, hold=hold)


def edit(comment: Comment, reviewer: Reviewer, hold: bool = True, **changes: Any) -> Write:
    return outbox.change(comment, reviewer, uuid.uuid4(), changes, hold=hold)


def test_a_post_stores_its_words_and_whose_they_are(sent: list[Write], link: ReviewLink, ana: Reviewer) -> None:
    write = post(link, ana)
    assert (write.operation, write.scope, write.subject) == (CREATE, str(link.pk), str(link.pk))
    assert (write.author, write.actor, write.label) == (str(ana.pk), "Ana Prado", "Too loud.")
    assert write.account == link.accounts.get(), "the link's, where the reviewer has none"
    assert write.request == {"text": "Too loud.", "user_name": "Ana Prado", "time": 12, "reply_to": None}
    assert write.after == {"text": "Too loud.", "user_name": "Ana Prado", "time": 12}
    assert [leaving.pk for leaving in sent] == [write.pk]


def test_a_post_stores_what_the_platform_does_not_know_beside_its_words() -> None:
    parent = uuid.uuid4()
    drawing = DrawingPost(Sketch(1920, 1080, ()), "d1", "https://a.b/d1")
    request = Words("a", "b", 1, parent, FrameTime(480_000, "25"), drawing).request()
    assert request == {
        "text": "a",
        "user_name": "b",
        "time": 1,
        "reply_to": str(parent),
        "frame": {"microseconds": 480_000, "rate": "25"},
        "drawing": {"sketch": {"size": [1920, 1080], "shapes": []}, "short": "d1", "address": "https://a.b/d1"},
    }


def test_a_held_post_leaves_five_seconds_later(sent: list[Write], link: ReviewLink, ana: Reviewer) -> None:
    with measure_span() as span:
        write = post(link, ana, hold=True)
    assert (write.state, sent) == (State.HELD, [])
    assert span.holds(write.due_at, later=timedelta(seconds=5))


def test_the_owner_posts_for_the_own_account(sent: list[Write], link: ReviewLink) -> None:
    own = Account(name="Agency")
    own.keep_token("another token")
    own.save()
    write = post(link, Reviewer.objects.create(link=link, name="Camila", account=own))
    assert write.account == own


def test_the_same_key_again_is_the_first_attempt(sent: list[Write], link: ReviewLink, ana: Reviewer) -> None:
    key = uuid.uuid4()
    assert outbox.find_attempt(link, key) == (None, key)
    first = outbox.submit(link, ana, key, WORDS, hold=True)
    assert outbox.find_attempt(link, key) == (first, key)
    assert outbox.submit(link, ana, key, WORDS, hold=False).pk == first.pk
    assert len(sent) == 1, "whoever presses without holding sends what is held"


@pytest.mark.parametrize(
    ("state", "shown", "is_over"),
    [
        (State.CANCELLED, False, True),
        (State.REFUSED, False, True),
        (State.REFUSED, True, False),
        (State.DONE, False, False),
        (State.UNCONFIRMED, True, False),
    ],
)
def test_what_was_undone_or_discarded_is_over_and_its_form_begins_anew(
    sent: list[Write], link: ReviewLink, ana: Reviewer, state: State, shown: bool, is_over: bool
) -> None:
    key = uuid.uuid4()
    write = outbox.submit(link, ana, key, WORDS, hold=True)
    Write.objects.filter(pk=write.pk).update(state=state, shown=shown)
    found, begins_under = outbox.find_attempt(link, key)
    assert (found is None, begins_under != key) == (is_over, is_over)
    if is_over:
        again = outbox.submit(link, ana, begins_under, WORDS, hold=True)
        assert outbox.find_attempt(link, key) == (again, begins_under)


def test_a_later_press_sends_what_nobody_has_sent(sent: list[Write], link: ReviewLink, ana: Reviewer) -> None:
    write = post(link, ana, hold=True)
    assert outbox.finish_attempt(write).state == State.DONE
    assert len(sent) == 1


def test_what_the_platform_could_not_be_reached_for_is_not_sent_by_another_press(
    fail: Callable[[errors.CallError | None], None], sent: list[Write], link: ReviewLink, ana: Reviewer
) -> None:
    fail(errors.Unreachable(CREATE, sent=False))
    key = uuid.uuid4()
    write = outbox.submit(link, ana, key, WORDS, hold=False)
    assert (write.state, write.attempt) == (State.HELD, 1)
    fail(None)
    assert outbox.finish_attempt(write).attempt == 1
    assert outbox.submit(link, ana, key, WORDS, hold=False).attempt == 1


def test_a_change_stores_what_was_and_what_will_be(
    sent: list[Write], link: ReviewLink, ana: Reviewer, comment: Comment
) -> None:
    write = outbox.change(comment, ana, uuid.uuid4(), {"text": "Louder."}, beside={"drawing": None})
    about = {"comment_id": str(comment.comment_id), "session": "reviewer"}
    assert (write.operation, write.author, write.actor) == (UPDATE, str(ana.pk), "Ana Prado")
    assert (write.scope, write.subject, write.label) == (str(link.pk), str(link.pk), "Too loud.")
    assert write.account == link.accounts.get()
    assert (write.before, write.after) == (about | {"text": "Too loud."}, about | {"text": "Louder."})
    assert write.request == {
        "comment_id": str(comment.comment_id),
        "changes": {"text": "Louder."},
        "drawing": None,
    }
    assert write.state == State.DONE, "at once"


def test_a_change_is_recorded_under_the_name_that_is_known(
    sent: list[Write], link: ReviewLink, comment: Comment, account: Account
) -> None:
    nameless = Reviewer.objects.create(link=link)
    assert edit(comment, nameless, text="a").actor == "A reviewer without a name"
    owner = Reviewer.objects.create(link=link, account=account)
    write = outbox.change(comment, owner, uuid.uuid4(), {"status": "RESOLVED"}, actor="Camila")
    assert write.before is not None
    assert (write.actor, write.before["session"]) == ("Camila", "owner")


def test_a_later_change_takes_the_place_of_what_waits_of_the_same_person(
    sent: list[Write], link: ReviewLink, ana: Reviewer, comment: Comment
) -> None:
    teo = Reviewer.objects.create(link=link, name="Téo")
    other = Comment.objects.create(
        link=link,
        comment_id=uuid.uuid4(),
        user_name="b",
        text="b",
        time=1,
        born=2,
        version=2,
        written_at=timezone.now(),
    )
    text, both = edit(comment, ana, text="a"), edit(comment, ana, text="b", time=3)
    kept = edit(other, ana, text="c"), edit(comment, teo, text="d")
    assert list(outbox.list_waiting_changes(comment, ana.pk)) == [both]
    later = edit(comment, ana, text="e")
    states = {write.pk: write.state for write in Write.objects.all()}
    assert states[text.pk] == State.CANCELLED, "it changes no more than the next one"
    assert states[both.pk] == states[later.pk] == State.HELD, "it changes the time as well"
    assert {states[write.pk] for write in kept} == {State.HELD}


def test_the_same_form_of_a_change_does_not_withdraw_itself(sent: list[Write], ana: Reviewer, comment: Comment) -> None:
    key = uuid.uuid4()
    for _press in range(2):
        write = outbox.change(comment, ana, key, {"text": "a"}, hold=True)
        assert write.state == State.HELD


def test_an_unconfirmed_post_goes_on_and_a_refused_one_begins_again(
    fail: Callable[[errors.CallError | None], None], link: ReviewLink, ana: Reviewer
) -> None:
    fail(LOST)
    unclear = post(link, ana)
    fail(errors.Refused(CREATE, 400, "No."))
    refused = post(link, ana)
    fail(None)
    assert outbox.send_again(unclear).pk == unclear.pk
    again = outbox.send_again(refused)
    assert (again.pk == refused.pk, again.state, again.request) == (False, State.DONE, refused.request)
    assert Write.objects.get(pk=refused.pk).shown is False
    assert outbox.send_again(again).pk == again.pk
    assert Write.objects.count() == 3


@pytest.mark.parametrize(
    ("words", "seconds", "repeated"),
    [
        (WORDS, 0, True),
        (WORDS, 59, True),
        (WORDS, 61, False),
        (Words("Louder.", "Ana Prado", 12), 0, False),
        (Words("Too loud.", "Ana Prado", 13), 0, False),
        (Words("Too loud.", "Another name", 12), 0, True),
        (Words("Too loud.", "Ana Prado", 12, uuid.uuid4()), 0, False),
        (Words("Too loud.", "Ana Prado", 12, frame=FrameTime(1)), 0, True),
    ],
)
def test_the_same_words_at_the_same_place_within_a_minute_are_a_repeat(
    sent: list[Write], link: ReviewLink, ana: Reviewer, words: Words, seconds: int, repeated: bool
) -> None:
    write = post(link, ana)
    Write.objects.filter(pk=write.pk).update(created_at=timezone.now() - timedelta(seconds=seconds))
    assert outbox.is_repeated(link, ana, words) is repeated
    assert not outbox.is_repeated(link, Reviewer.objects.create(link=link, name="Téo"), words)
    assert not outbox.is_repeated(link, None, words)


@pytest.mark.parametrize(("state", "repeated"), [(State.CANCELLED, False), (State.REFUSED, False), (State.HELD, True)])
def test_words_that_never_stood_there_are_no_repeat(
    sent: list[Write], link: ReviewLink, ana: Reviewer, state: State, repeated: bool
) -> None:
    Write.objects.filter(pk=post(link, ana).pk).update(state=state)
    assert outbox.is_repeated(link, ana, WORDS) is repeated


@pytest.mark.parametrize(("text", "repeated"), [("Too loud.", True), ("Edited.", False)])
def test_words_that_were_edited_since_are_no_repeat(
    sent: list[Write], link: ReviewLink, ana: Reviewer, comment: Comment, text: str, repeated: bool
) -> None:
    write = post(link, ana)
    Write.objects.filter(pk=write.pk).update(result={"comment_id": str(comment.comment_id)})
    Comment.objects.update(text=text)
    assert outbox.is_repeated(link, ana, WORDS) is repeated


def test_a_reviewer_sees_the_own_attempts_that_are_not_there_the_oldest_first(
    sent: list[Write], link: ReviewLink, ana: Reviewer
) -> None:
    attempts = {state: post(link, ana, hold=True) for state in State}
    for state, write in attempts.items():
        Write.objects.filter(pk=write.pk).update(state=state)
    seen = post(link, ana, hold=True)
    writes.dismiss(seen)
    post(link, Reviewer.objects.create(link=link), hold=True)
    assert [write.state for write in outbox.list_unfinished(ana)] == ["held", "sending", "unconfirmed", "refused"]
    assert outbox.list_unfinished(None) == []


def test_changes_of_a_video_that_are_not_there_are_told_by_comment_through_any_link(
    sent: list[Write], link: ReviewLink, ana: Reviewer, comment: Comment
) -> None:
    write = edit(comment, ana, text="a")
    post(link, ana, hold=True)
    told: dict[tuple[State, int], str | None] = {}
    for state, attempt in ((State.HELD, 0), (State.SENDING, 1), (State.SENDING, 2), (State.UNCONFIRMED, 1)):
        Write.objects.filter(pk=write.pk).update(state=state, attempt=attempt)
        told[state, attempt] = outbox.load_unsettled_changes(link.video_id).get(comment.comment_id)
    assert list(told.values()) == ["waiting", None, "waiting", "unconfirmed"]
    assert list(outbox.load_unsettled_changes(link.video_id)) == [comment.comment_id], "a post is no change"
    assert outbox.load_unsettled_changes(uuid.uuid4()) == {}
    Write.objects.update(settled_at=timezone.now())
    assert outbox.load_unsettled_changes(link.video_id) == {}


def test_attempts_through_one_link_are_none_of_another(sent: list[Write], link: ReviewLink, ana: Reviewer) -> None:
    other = ReviewLink.objects.create(id=uuid.uuid4(), video_id=link.video_id, name="Cut 4")
    write = post(link, ana, hold=True)
    assert not outbox.is_repeated(other, ana, WORDS)
    assert (list(outbox.list_open_writes(link)), list(outbox.list_open_writes(other))) == ([write], [])


def test_an_edit_of_another_comment_leaves_the_words_a_repeat(
    sent: list[Write], link: ReviewLink, ana: Reviewer, comment: Comment
) -> None:
    own = Comment.objects.create(
        link=link, comment_id=uuid.uuid4(), user_name="Ana Prado", text="Too loud.", time=12, born=2, version=2,
        written_at=timezone.now(),
    )  # fmt: skip
    Write.objects.filter(pk=post(link, ana).pk).update(result={"comment_id": str(own.comment_id)})
    Comment.objects.filter(pk=comment.pk).update(text="Edited.")
    assert outbox.is_repeated(link, ana, WORDS)
