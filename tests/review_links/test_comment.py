"""Resolving and reopening as the owner, through whichever link allows it."""

import uuid
from collections.abc import Callable
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
from review_portal import imports
from review_portal.models import Reviewer
from review_portal.models import ReviewLink as KeptLink

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def comment(here: str) -> ReviewComment:
    return ReviewComment.objects.get(time=5, reply_to=None, status="open", text__startswith="The ridge line")


def status(comment: ReviewComment) -> str:
    comment.refresh_from_db()
    return comment.status


def test_resolving_leads_back_to_the_comment_and_is_recorded(owner: Client, here: str, comment: ReviewComment) -> None:
    answer = owner.post(f"{here}comments/{comment.pk}/?show=open", {"status": "resolved"})
    assert answer.headers["Location"] == f"{here}?show=open#c-{comment.pk}"
    assert status(comment) == "resolved"
    entry = Entry.objects.get(operation="public_review.update_comment")
    about = {"comment_id": str(comment.pk), "session": "owner"}
    assert (entry.outcome, entry.actor) == (Outcome.DONE, "Camila")
    assert (entry.before, entry.after) == ({**about, "status": "open"}, {**about, "status": "resolved"})
    assert "Resolved the comment of Priya Nair at 0:05." in owner.get(here).content.decode()


def test_reopening_is_the_same_the_other_way(owner: Client, here: str, comment: ReviewComment) -> None:
    owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"})
    owner.post(f"{here}comments/{comment.pk}/", {"status": "open"})
    assert status(comment) == "open"


def test_with_script_only_the_card_comes_back_with_counts_and_undo(
    owner: Client, here: str, comment: ReviewComment
) -> None:
    answer = owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"}, headers={"HX-Request": "true"})
    part = answer.content.decode()
    assert part.count("<article") == 1
    assert f'id="c-{comment.pk}"' in part
    assert "5 of 14 resolved" in part
    assert "Resolved the comment of Priya Nair at 0:05." in part
    assert "Undo" in part
    assert 'id="news" hx-swap-oob="true"' in part


def test_the_card_comes_back_even_when_the_filter_leaves_it_out_now(
    owner: Client, here: str, comment: ReviewComment
) -> None:
    address = f"{here}comments/{comment.pk}/?show=open"
    part = owner.post(address, {"status": "resolved"}, headers={"HX-Request": "true"}).content.decode()
    assert "Reopen" in part


def test_the_owner_acts_with_one_token_of_their_own_that_nobody_sees(
    owner: Client, here: str, comment: ReviewComment, cast: dict[str, Any]
) -> None:
    for wanted in ("resolved", "open"):
        owner.post(f"{here}comments/{comment.pk}/", {"status": wanted})
    acting = Reviewer.objects.get(account__name="owner")
    assert uuid.UUID(acting.token).version == 4
    assert acting.token not in owner.get(here).content.decode()
    assert acting.token != cast["review_links"]["open"]
    assert not Entry.objects.filter(after__icontains=acting.token).exists()


def another_link(comment: ReviewComment, account: Account, **fields: Any) -> PlatformLink:
    """A second link of the same video, known here."""
    usual = {"name": "Second", "expires_at": timezone.now() + timedelta(days=2)}
    link = PlatformLink.objects.create(video=comment.video, **(usual | fields))
    imports.import_link(account, link.pk, comment.video_id)
    return link


def close(cast: dict[str, Any]) -> None:
    """The open link closes, here and on the platform."""
    past = timezone.now() - timedelta(hours=1)
    PlatformLink.objects.filter(pk=cast["review_links"]["open"]).update(expires_at=past)
    KeptLink.objects.filter(pk=cast["review_links"]["open"]).update(expires_at=past)


def test_through_a_closed_link_nothing_can_be_changed_and_the_reason_is_said(
    owner: Client, here: str, comment: ReviewComment, cast: dict[str, Any]
) -> None:
    close(cast)
    page = owner.get(here).content.decode()
    assert "No link of this video is open, and changes go through an open link." in page
    assert 'name="status"' not in page
    answer = owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"}, follow=True)
    assert "No link of this video is open" in answer.content.decode()
    assert status(comment) == "open"


def test_a_closed_link_s_comment_is_resolved_through_another_open_link_of_the_video(
    owner: Client, here: str, comment: ReviewComment, cast: dict[str, Any], account: Account
) -> None:
    another_link(comment, account)
    close(cast)
    owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"})
    assert status(comment) == "resolved"
    assert "Reopen" in owner.get(f"{here}?q=ridge").content.decode()


def test_where_status_is_locked_the_reason_is_said(
    owner: Client, here: str, comment: ReviewComment, cast: dict[str, Any]
) -> None:
    PlatformLink.objects.update(allow_status_edit=False)
    KeptLink.objects.update(allow_status_edit=False)
    assert "No open link of this video allows resolving comments." in owner.get(here).content.decode()


@pytest.mark.parametrize(
    ("fault", "sentence"),
    [
        ({"status": 403}, "The platform does not allow this change"),
        ({"status": 404}, "The platform does not have this comment."),
        ({"status": 401}, "The platform did not accept the owner&#x27;s session on this link."),
    ],
)
@pytest.mark.parametrize("script", [True, False])
def test_a_refusal_is_said_and_changes_nothing(
    owner: Client, here: str, comment: ReviewComment, faults: ModuleType, fault: Any, sentence: str, script: bool
) -> None:
    faults.set("public_review.update_comment", **fault)
    headers = {"HX-Request": "true"} if script else {}
    answer = owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"}, headers=headers, follow=not script)
    assert sentence in answer.content.decode()
    assert status(comment) == "open"
    assert not script or answer.headers["HX-Retarget"] == "#refused"


@pytest.mark.parametrize(
    ("fault", "sentence", "mark"),
    [
        ({"status": 429}, "will be sent automatically", "Change waiting"),
        ({"broken": "refused"}, "will be sent automatically", "Change waiting"),
        ({"status": 500}, "did not confirm it", "Change not confirmed"),
    ],
)
@pytest.mark.parametrize("script", [True, False])
def test_status_without_a_clear_answer_is_kept_and_marked(
    owner: Client,
    here: str,
    comment: ReviewComment,
    faults: ModuleType,
    fault: Any,
    sentence: str,
    mark: str,
    script: bool,
) -> None:
    faults.set("public_review.update_comment", **fault)
    headers = {"HX-Request": "true"} if script else {}
    answer = owner.post(f"{here}comments/{comment.pk}/", {"status": "resolved"}, headers=headers, follow=not script)
    assert sentence in answer.content.decode()
    assert mark in answer.content.decode()
    assert mark in owner.get(here).content.decode()


@pytest.mark.parametrize("sent", [{}, {"status": ""}, {"status": "deleted"}])
def test_a_status_nobody_knows_is_a_bad_request(
    owner: Client, here: str, comment: ReviewComment, sent: dict[str, str]
) -> None:
    assert owner.post(f"{here}comments/{comment.pk}/", sent).status_code == 400


def test_a_comment_of_another_video_is_not_there(owner: Client, here: str, comment: ReviewComment) -> None:
    other = ReviewComment.objects.exclude(video=comment.video).first()
    assert other is not None
    for key in (other.pk, uuid.uuid4()):
        assert owner.post(f"{here}comments/{key}/", {"status": "resolved"}).status_code == 404


def test_another_account_cannot_resolve(
    enter: Callable[[str], Client], owner: Client, here: str, comment: ReviewComment
) -> None:
    stranger = enter("other")
    assert stranger.post(f"{here}comments/{comment.pk}/", {"status": "resolved"}).status_code == 404
    address = f"/dashboard/review-links/videos/{comment.video_id}/comments/{comment.pk}/"
    assert stranger.post(address, {"status": "resolved"}).status_code == 404
    assert status(comment) == "open"


def test_a_form_of_another_site_is_refused(here: str, comment: ReviewComment, cast: dict[str, Any]) -> None:
    strict = Client(enforce_csrf_checks=True)
    assert strict.post(f"{here}comments/{comment.pk}/", {"status": "resolved"}).status_code == 403
    assert status(comment) == "open"
