"""Changing what exists: one's own words, everybody's status, and the link's rules over both."""

import uuid
from types import ModuleType

import pytest
from django.test import Client

from dashboard.sandbox import models as platform
from review_portal.models import Comment
from tests.forms import PlainBrowser
from tests.kept_rows import KeptRows
from tests.pages import one_line
from tests.review_portal.conftest import Reviewer, World, over, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def mine(world: World, reviewer: Reviewer, kept_rows: KeptRows) -> platform.ReviewComment:
    kept_rows.take(lambda: reviewer.post("My words.", "0:30"), reviewer.client)
    return theirs().get()


def test_ones_own_words_and_time_can_be_changed(reviewer: Reviewer, mine: platform.ReviewComment) -> None:
    response = reviewer.change(mine.pk, text="Better words.", time="0:31")
    assert response["Location"] == f"/{reviewer.link}#c-{mine.pk}"
    mine.refresh_from_db()
    assert (mine.text, mine.time) == ("Better words.", 31)
    here = Comment.objects.get()
    assert (here.text, here.time, here.updated_at) == ("Better words.", 31, mine.updated_at)


def test_replies_move_with_their_comment(world: World, reviewer: Reviewer, mine: platform.ReviewComment) -> None:
    reviewer.post("Reply.", reply_to=str(mine.pk))
    reviewer.change(mine.pk, text="My words.", time="0:40")
    assert set(Comment.objects.values_list("time", flat=True)) == {40}


@pytest.mark.parametrize("script", [True, False])
def test_somebody_elses_words_cannot_be_changed(
    world: World, reviewer: Reviewer, mine: platform.ReviewComment, script: bool
) -> None:
    stranger = Reviewer(reviewer.link, "Bruno", script=script)
    stranger.post("I was here.")
    for fields in ({"text": "Hijacked."}, {"withdraw": "1"}):
        response = stranger.change(mine.pk, **fields)
        assert response.status_code == 403
        assert "Only the person who wrote this comment can change it" in response.content.decode()
    mine.refresh_from_db()
    assert mine.text == "My words."


def test_what_came_past_reelroom_is_nobodys_here(world: World, reviewer: Reviewer) -> None:
    outside = world.comment("Outside.")
    reviewer.open()
    reviewer.post("Hello.")
    assert reviewer.change(outside.pk, text="Mine now.").status_code == 403


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"text": "", "time": "0:30"}, "Write your comment."),
        ({"text": "a > b", "time": "0:30"}, "it cannot be sent"),
        ({"text": "Fine.", "time": "9:99"}, "Choose a time up to 2:48"),
        ({"text": "My words.", "time": "0:30"}, "Nothing was changed."),
    ],
)
def test_a_change_that_cannot_be_sent_keeps_what_was_typed(
    reviewer: Reviewer, mine: platform.ReviewComment, fields: dict[str, str], sentence: str
) -> None:
    response = reviewer.change(mine.pk, **fields)
    assert response.status_code == 422
    assert sentence in response.content.decode()
    assert f">{fields['text'].replace('>', '&gt;')}</textarea>" in response.content.decode()
    mine.refresh_from_db()
    assert mine.text == "My words."


def test_anybody_resolves_and_reopens(world: World, reviewer: Reviewer, mine: platform.ReviewComment) -> None:
    other = Reviewer(reviewer.link, "Bruno")
    other.change(mine.pk, status="resolved")
    mine.refresh_from_db()
    assert mine.status == "resolved"
    assert "1 of 1 resolved" in other.open().content.decode()
    other.change(mine.pk, status="open")
    mine.refresh_from_db()
    assert mine.status == "open"


def test_resolve_and_go_to_the_next_open_one(world: World, reviewer: Reviewer) -> None:
    first, done, second = (world.comment(f"c{n}", time=n) for n in range(3))
    theirs().filter(pk=done.pk).update(status="resolved")
    reviewer.open()
    response = reviewer.change(first.pk, status="resolved-next")
    assert response["Location"].endswith(f"#c-{second.pk}")
    assert reviewer.change(second.pk, status="resolved-next")["Location"].endswith(f"#c-{second.pk}")


def test_a_link_that_locks_the_status_refuses_before_anything_leaves(world: World) -> None:
    comment = world.comment()
    reviewer = Reviewer(world.link(allow_status_edit=False))
    reviewer.open()
    response = reviewer.change(comment.pk, status="resolved")
    assert response.status_code == 403
    assert "only the owner resolves" in response.content.decode()
    comment.refresh_from_db()
    assert comment.status == "open"


def test_where_resolved_ones_are_hidden_it_can_be_brought_back_at_once(world: World) -> None:
    comment = world.comment("Hide me.")
    reviewer = Reviewer(world.link(show_resolved=False))
    reviewer.open()
    response = reviewer.change(comment.pk, status="resolved")
    page = one_line(reviewer.client.get(response["Location"].split("#")[0]).content.decode())
    assert "Hide me." not in page
    assert f'formaction="/{reviewer.link}/comments/{comment.pk}" name="status" value="open">Undo' in page
    reviewer.change(comment.pk, status="open")
    assert "Hide me." in one_line(reviewer.open().content.decode())


def test_withdrawing_says_so_in_the_text_and_resolves(reviewer: Reviewer, mine: platform.ReviewComment) -> None:
    assert "Nothing can be deleted here." in reviewer.open(f"?withdraw={mine.pk}").content.decode()
    PlainBrowser(reviewer.client).open(f"/{reviewer.link}?withdraw={mine.pk}").press("Withdraw comment")
    mine.refresh_from_db()
    assert (mine.text, mine.status) == ("Withdrawn by its writer.", "resolved")


def test_a_withdrawal_is_sent_in_the_writers_language_and_read_in_everybodys_own(
    reviewer: Reviewer, mine: platform.ReviewComment
) -> None:
    reviewer.client.cookies["language"] = "pt-br"
    asked = reviewer.open(f"?withdraw={mine.pk}").content.decode()
    reviewer.change(mine.pk, withdraw="1")
    mine.refresh_from_db()
    assert mine.text == "Retirado por quem escreveu."
    assert f"“{mine.text}”" in asked  # the question had said so
    assert f"withdraw={mine.pk}" not in reviewer.open().content.decode()
    other = Reviewer(reviewer.link)
    for language, words in (("es", "Retirado por quien lo escribió."), ("en", "Withdrawn by its writer.")):
        other.client.cookies["language"] = language
        page = other.open().content.decode()
        assert page.count(words) >= 3  # in the thread, its folded line and its marker
        assert mine.text not in page


def test_withdrawing_where_the_status_is_locked_changes_the_text_alone(world: World) -> None:
    reviewer = Reviewer(world.link(allow_status_edit=False))
    reviewer.post("Mine.")
    mine = theirs().get()
    reviewer.change(mine.pk, withdraw="1")
    mine.refresh_from_db()
    assert (mine.text, mine.status) == ("Withdrawn by its writer.", "open")


@pytest.mark.parametrize("fields", [{"status": "resolved"}, {"text": "x"}, {"withdraw": "1"}])
def test_a_comment_of_another_link_does_not_exist_here(
    world: World, reviewer: Reviewer, fields: dict[str, str]
) -> None:
    other = platform.Video.objects.create(organization=world.organization, user=world.user, title="Other", length=60)
    foreign = world.comment("Foreign.", video=other)
    Client().get(f"/{world.link(video=other)}")
    reviewer.open()
    assert reviewer.change(foreign.pk, **fields).status_code == 404
    assert reviewer.change(uuid.uuid4(), **fields).status_code == 404
    foreign.refresh_from_db()
    assert (foreign.text, foreign.status) == ("Foreign.", "open")


@pytest.mark.parametrize(
    ("fault", "status", "sentence"),
    [
        ({"status": 403}, 403, "does not allow this change"),
        ({"status": 404}, 404, "does not have this comment"),
        ({"status": 400}, 422, "did not accept the change"),
    ],
)
@pytest.mark.parametrize("script", [True, False])
def test_refused_edit_keeps_the_words_and_says_why(
    reviewer: Reviewer,
    mine: platform.ReviewComment,
    faults: ModuleType,
    fault: dict[str, object],
    status: int,
    sentence: str,
    script: bool,
) -> None:
    reviewer.script = script
    faults.set("public_review.update_comment", **fault)
    response = reviewer.change(mine.pk, text="Better words.", time="0:30")
    assert response.status_code == status
    assert sentence in response.content.decode()
    if not script:
        assert ">Better words.</textarea>" in response.content.decode()
    assert Comment.objects.get().text == "My words."


@pytest.mark.parametrize(
    ("fault", "sentence", "mark"),
    [
        ({"broken": "refused"}, "will be sent automatically", "Change waiting"),
        ({"status": 429}, "will be sent automatically", "Change waiting"),
        ({"broken": "hangs"}, "did not confirm it", "Change not confirmed"),
        ({"status": 500}, "did not confirm it", "Change not confirmed"),
        ({"status": 503}, "did not confirm it", "Change not confirmed"),
    ],
)
@pytest.mark.parametrize("script", [True, False])
def test_edit_without_a_clear_answer_is_kept_and_marked(
    reviewer: Reviewer,
    mine: platform.ReviewComment,
    faults: ModuleType,
    fault: dict[str, object],
    sentence: str,
    mark: str,
    script: bool,
) -> None:
    reviewer.script = script
    faults.set("public_review.update_comment", **fault)
    response = reviewer.change(mine.pk, text="Better words.", time="0:30")
    assert response.status_code == (202 if script else 302)
    reviewer.script = False
    page = reviewer.open().content.decode()
    assert sentence in page and mark in page and "Better words." in page
    assert Comment.objects.get().text == "My words."


def test_a_change_whose_answer_was_lost_is_found_by_the_worker_reading(
    reviewer: Reviewer, mine: platform.ReviewComment, faults: ModuleType
) -> None:
    faults.set("public_review.update_comment", broken="lost")
    reviewer.change(mine.pk, text="Arrived all the same.", time="0:30")
    over()
    assert Comment.objects.get().text == "Arrived all the same."


def test_a_reply_can_be_edited_by_its_writer_and_keeps_its_time(
    world: World, reviewer: Reviewer, mine: platform.ReviewComment
) -> None:
    reviewer.post("Reply.", reply_to=str(mine.pk))
    reply = theirs().get(text="Reply.")
    reviewer.change(reply.pk, text="Better reply.")
    reply.refresh_from_db()
    assert (reply.text, reply.time) == ("Better reply.", 30)
