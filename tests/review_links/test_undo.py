"""Taking back from Activity what was done to comments: a status by anybody, words only where the owner's session wrote them."""

import re
import uuid
from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.sandbox.models import ReviewComment
from dashboard.sandbox.models import ReviewLink as PlatformLink
from review_portal import imports, sync
from review_portal.models import Comment
from review_portal.models import ReviewLink as KeptLink
from tests.conftest import undo_shown
from tests.forgetting import forget
from tests.review_portal.conftest import Reviewer

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def comment(here: str) -> ReviewComment:
    return ReviewComment.objects.get(text__startswith="The ridge line")


@pytest.fixture
def reviewer(here: str, cast: dict[str, Any]) -> Reviewer:
    return Reviewer(uuid.UUID(cast["review_links"]["open"]), "Bruno")


@pytest.fixture
def answer(owner: Client, here: str, comment: ReviewComment) -> ReviewComment:
    """An answer of the owner's own."""
    fields = {"key": str(uuid.uuid4()), "reply_to": str(comment.pk), "user_name": "Camila", "text": "Lowered."}
    owner.post(f"{here}answers/", fields)
    return ReviewComment.objects.get(text="Lowered.")


def last() -> Entry:
    return Entry.objects.filter(operation="public_review.update_comment").latest("at")


def offered(owner: Client, entry: Entry) -> bool:
    return f"/dashboard/activity/{entry.pk}/undo/" in owner.get("/dashboard/activity/").content.decode()


def undo(owner: Client, entry: Entry) -> str:
    """The page after pressing Undo in Activity."""
    assert offered(owner, entry)
    page: str = owner.post(f"/dashboard/activity/{entry.pk}/undo/", follow=True).content.decode()
    return page


def test_a_status_that_the_owner_set_is_taken_back(owner: Client, here: str, comment: ReviewComment) -> None:
    owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"})
    first = last()
    assert '"status": "open"' in undo_shown(owner, first).lower()
    comment.refresh_from_db()
    assert comment.status.lower() == "resolved", "looking sends nothing"
    assert "Undone: Comment changed." in undo(owner, first)
    comment.refresh_from_db()
    assert comment.status == "open"
    assert Comment.objects.get(comment_id=comment.pk).status == "open"
    assert (last().undoes, last().actor, last().outcome) == (first, "Camila", Outcome.DONE)


def test_a_status_that_a_reviewer_set_is_taken_back_with_the_owner_s_session(
    owner: Client, comment: ReviewComment, reviewer: Reviewer
) -> None:
    reviewer.post("Hello.")
    reviewer.change(comment.pk, status="resolved")
    first = last()
    assert first.actor == "Bruno"
    undo(owner, first)
    comment.refresh_from_db()
    assert comment.status == "open"
    assert last().after["session"] == "owner"  # type: ignore[index]  # always recorded


def test_who_resolves_without_ever_having_written_is_not_taken_for_the_owner(
    owner: Client, comment: ReviewComment, reviewer: Reviewer
) -> None:
    reviewer.change(comment.pk, status="resolved")
    assert last().actor == "A reviewer without a name"


def test_an_answer_of_the_owner_s_own_is_changed_and_put_back(owner: Client, here: str, answer: ReviewComment) -> None:
    page = owner.get(here, {"edit": str(answer.pk), "show": "open"}).content.decode()
    assert ">Lowered.</textarea>" in page
    address = re.search(r'id="edit" method="post" action="([^"]+)"', page)
    assert address is not None and address[1] == f"{here}comments/{answer.pk}/?show=open"
    response = owner.post(address[1], {"text": "Lowered by 80 px."})
    assert response.headers["Location"] == f"{here}?show=open#c-{answer.pk}"
    answer.refresh_from_db()
    assert answer.text == "Lowered by 80 px."
    shown = undo_shown(owner, last())
    assert '"text": ' in shown
    assert "Lowered by 80 px." not in shown
    undo(owner, last())
    answer.refresh_from_db()
    assert answer.text == "Lowered."


def test_what_was_written_after_it_is_not_written_over(owner: Client, here: str, answer: ReviewComment) -> None:
    owner.post(f"{here}comments/{answer.pk}/", {"text": "Second."})
    first = last()
    owner.post(f"{here}comments/{answer.pk}/", {"text": "Third."})
    assert "It was changed again in the meantime. Edit the comment instead." in undo(owner, first)
    answer.refresh_from_db()
    assert answer.text == "Third."


@pytest.mark.parametrize("fields", [{"text": "Better."}, {"text": "Mine.", "time": "0:09"}, {"withdraw": "1"}])
def test_a_reviewer_s_words_are_theirs_to_take_back(owner: Client, reviewer: Reviewer, fields: dict[str, str]) -> None:
    reviewer.post("Mine.", "0:05")
    mine = ReviewComment.objects.get(text="Mine.")
    reviewer.change(mine.pk, **fields)
    assert not offered(owner, last())
    assert owner.post(f"/dashboard/activity/{last().pk}/undo/").status_code == 404


def test_rows_that_name_no_comment_offer_nothing(owner: Client, account: Account, open_link: str) -> None:
    states = {"before": {"status": "open"}, "after": {"status": "resolved"}}
    old = Entry.objects.create(
        account_id=account.pk, actor="C", operation="public_review.update_comment", outcome="done", **states
    )
    assert not offered(owner, old)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"allow_status_edit": False}, "No open link of this video allows resolving comments."),
        ({"expires_at": timezone.now() - timedelta(days=1)}, "No link of this video is open"),
    ],
    ids=["locked", "closed"],
)
def test_where_no_link_lets_it_be_changed_any_more_the_reason_is_said(
    owner: Client, here: str, comment: ReviewComment, change: dict[str, Any], sentence: str
) -> None:
    owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"})
    PlatformLink.objects.update(**change)
    KeptLink.objects.update(**change)
    assert sentence in undo(owner, last())
    comment.refresh_from_db()
    assert comment.status == "resolved"


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 401}, "The platform did not accept the owner&#x27;s session on this link."),
        ({"status": 404}, "The platform does not have this comment."),
        ({"broken": "refused"}, "It is saved here and will be sent automatically."),
    ],
    ids=["401", "404", "away"],
)
def test_a_refusal_is_said_and_the_change_stays(
    owner: Client, here: str, comment: ReviewComment, faults: ModuleType, fault: Any, sentence: str
) -> None:
    owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"})
    first = last()
    faults.set("public_review.update_comment", **fault)
    assert sentence in undo(owner, first)
    faults.clear()
    comment.refresh_from_db()
    assert comment.status == "resolved"


def test_a_link_that_is_not_the_account_s_any_more_is_not_there(
    owner: Client, here: str, comment: ReviewComment, account: Account
) -> None:
    owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"})
    KeptLink.objects.get(pk=last().target).accounts.clear()
    assert "It was not found on the platform, or it belongs to another account." in undo(owner, last())


def test_only_the_owner_s_own_answers_offer_a_change(
    owner: Client, here: str, answer: ReviewComment, comment: ReviewComment
) -> None:
    assert owner.get(here).content.decode().count("?edit=") == 1
    assert "<textarea" not in owner.get(here, {"edit": str(comment.pk)}).content.decode()
    assert "<textarea" not in owner.get(here, {"edit": "x"}).content.decode()
    assert owner.post(f"{here}comments/{comment.pk}/", {"text": "Hijacked."}).status_code == 404
    assert owner.post(f"{here}comments/{uuid.uuid4()}/", {"text": "Hijacked."}).status_code == 404


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("", "Write your comment."),
        ("a > b", "it cannot be sent"),
        ("x" * 501, "Shorten it to 500 characters."),
        ("Lowered.", "Nothing was changed."),
    ],
    ids=["empty", "forbidden", "long", "same"],
)
def test_an_answer_that_cannot_be_changed_so_keeps_what_was_typed(
    owner: Client, here: str, answer: ReviewComment, typed: str, sentence: str
) -> None:
    response = owner.post(f"{here}comments/{answer.pk}/", {"text": typed})
    page = response.content.decode()
    assert response.status_code == 422
    assert sentence in page
    assert f">{typed.replace('>', '&gt;')}</textarea>" in page
    answer.refresh_from_db()
    assert answer.text == "Lowered."


def test_a_link_that_closed_meanwhile_keeps_what_was_typed(owner: Client, here: str, answer: ReviewComment) -> None:
    past = timezone.now() - timedelta(hours=1)
    PlatformLink.objects.update(expires_at=past)
    KeptLink.objects.update(expires_at=past)
    assert "?edit=" not in owner.get(here).content.decode()
    page = owner.post(f"{here}comments/{answer.pk}/", {"text": "Typed for nothing?"}).content.decode()
    assert "This review link has closed." in page
    assert ">Typed for nothing?</textarea>" in page


def test_a_refusal_of_the_platform_comes_back_to_the_form(
    owner: Client, here: str, answer: ReviewComment, faults: ModuleType
) -> None:
    faults.set("public_review.update_comment", status=400)
    page = owner.post(f"{here}comments/{answer.pk}/", {"text": "Other."}).content.decode()
    assert "The platform did not accept the change." in page
    assert ">Other.</textarea>" in page


def test_another_link_of_the_video_says_the_same_at_once(
    owner: Client, here: str, answer: ReviewComment, account: Account
) -> None:
    second = PlatformLink.objects.create(
        video=answer.video, name="Second", expires_at=timezone.now() + timedelta(days=2)
    )
    kept = imports.import_link(account, second.pk, answer.video_id)
    assert isinstance(kept, KeptLink)
    sync.merge(kept)
    forget()
    owner.post(f"{here}comments/{answer.pk}/", {"text": "Other."})
    assert kept.comments.get(comment_id=answer.pk).text == "Other."
