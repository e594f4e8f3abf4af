"""Decisions as comments where the video ends, where the owner wishes it: once, changed with the decision, told when full."""

import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from types import ModuleType
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from dashboard.activity.models import Entry
from dashboard.sandbox import models as platform
from dashboard.writes.models import State, Write
from review_portal import decisions
from review_portal.models import Comment, Decision, ReviewLink
from review_portal.reviewers import create_reviewer
from tests.conftest import signed_in
from tests.due import run_due
from tests.moments import at_statement
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def link(link: ReviewLink) -> ReviewLink:
    ReviewLink.objects.filter(pk=link.pk).update(send_decisions=True)
    return link


def decide(client: Client, link: ReviewLink, **fields: str) -> Any:
    data = {"key": str(uuid.uuid4()), "verdict": "changes", "text": "Lower it.", "user_name": "Ana Prado"} | fields
    return client.post(f"/{link.pk}/decision", data)


def texts(world: World) -> list[str]:
    comments = platform.ReviewComment.objects.filter(video=world.video, reply_to=None)
    return list(comments.exclude(text__startswith="The cup").order_by("created_at").values_list("text", flat=True))


def test_a_decision_is_a_comment_at_the_end_once(ana: Reviewer, link: ReviewLink, world: World) -> None:
    key = str(uuid.uuid4())
    for _press in range(2):
        assert decide(ana.client, link, key=key).status_code == 302
    assert texts(world) == ["Approved with changes: Lower it."]
    comment = platform.ReviewComment.objects.get(text__startswith="Approved")
    assert (comment.time, comment.user_name) == (int(world.video.length or 0), "Ana Prado")
    assert Comment.objects.get(text__startswith="Approved").reviewer == Decision.objects.get().reviewer


def test_a_link_whose_owner_does_not_wish_it_posts_nothing(ana: Reviewer, link: ReviewLink, world: World) -> None:
    ReviewLink.objects.update(send_decisions=False)
    decide(ana.client, link)
    assert texts(world) == []


def test_a_changed_decision_changes_its_comment_and_a_withdrawn_one_withdraws_it(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    decide(ana.client, link)
    decide(ana.client, link, verdict="approve", text="")
    assert texts(world) == ["Approved"]
    decide(ana.client, link, verdict="none")
    assert texts(world) == ["Withdrawn by its writer."]
    assert platform.ReviewComment.objects.get(text__startswith="Withdrawn").status == "resolved"


def test_a_decision_after_a_withdrawn_one_opens_its_comment_again(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    for verdict in ("approve", "none", "changes"):
        decide(ana.client, link, verdict=verdict)
    assert texts(world) == ["Approved with changes: Lower it."]
    assert platform.ReviewComment.objects.get(text__startswith="Approved").status == "open"


def test_a_comment_that_its_owner_resolved_stays_resolved_when_the_decision_changes(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    decide(ana.client, link)
    for comments in (platform.ReviewComment.objects, Comment.objects):
        comments.filter(text__startswith="Approved").update(status="resolved")
    decide(ana.client, link, verdict="approve")
    assert platform.ReviewComment.objects.get(text__startswith="Approved").status == "resolved"


@contextmanager
def dies_once_saved() -> Iterator[None]:
    """Inside, the process ends with a decision that is saved and whose comment has not been thought of."""
    begun = at_statement('FROM "writes_write"', sys.exit, after='INSERT INTO "review_portal_decision"')
    with begun, pytest.raises(SystemExit):
        yield


def test_a_decision_whose_first_press_ended_before_its_comment_left_is_posted_by_the_second(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    key = str(uuid.uuid4())
    with dies_once_saved():
        decide(ana.client, link, key=key)
    assert texts(world) == []
    decide(ana.client, link, key=key)
    assert texts(world) == ["Approved with changes: Lower it."]


def test_an_old_form_that_is_sent_again_changes_nothing_of_a_newer_decision(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    key = str(uuid.uuid4())
    with dies_once_saved():
        decide(ana.client, link, key=key)
    decide(ana.client, link, verdict="approve", text="")
    decide(ana.client, link, key=key)
    assert texts(world) == ["Approved"]


def test_a_decision_whose_answer_was_lost_is_changed_and_not_posted_twice(
    ana: Reviewer, link: ReviewLink, world: World, faults: ModuleType
) -> None:
    faults.set("public_review.create_comment", broken="lost")
    decide(ana.client, link)
    assert Write.objects.filter(state=State.UNCONFIRMED).count() == 1
    faults.clear()
    cache.delete(f"review-merge:{link.pk}")
    decide(ana.client, link, verdict="approve", text="")
    assert texts(world) == ["Approved"]


@pytest.mark.parametrize(
    ("note", "text"),
    [
        ("Cut <b>it</b> -> 0:05 [now]", "Approved with changes: Cut ‹b›it‹/b› → 0:05 (now)"),
        ("x" * 600, "Approved with changes: " + "x" * 476 + "…"),
        ("😀" * 300, "Approved with changes: " + "😀" * 238 + "…"),
    ],
)
def test_what_the_platform_refuses_is_replaced_or_cut_off(
    ana: Reviewer, link: ReviewLink, world: World, note: str, text: str
) -> None:
    decide(ana.client, link, text=note)
    assert texts(world) == [text]
    assert Decision.objects.get().note == note


def test_it_waits_for_the_platform_and_the_newest_decision_is_the_one_that_leaves(
    ana: Reviewer, link: ReviewLink, world: World, faults: ModuleType
) -> None:
    faults.set("public_review.create_comment", status=429)
    decide(ana.client, link)
    assert Write.objects.filter(state=State.HELD).count() == 1
    decide(ana.client, link, verdict="approve", text="")
    faults.clear()
    Write.objects.filter(state=State.HELD).update(due_at=timezone.now())
    run_due()
    assert texts(world) == ["Approved"]


def test_a_full_video_keeps_the_decision_here_and_its_owner_is_told(
    ana: Reviewer, link: ReviewLink, world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("review_portal.threads.count_main_comments", lambda link: 30)
    assert decide(ana.client, link).status_code == 302
    assert texts(world) == [] and Decision.objects.count() == 1
    page = signed_in(Client(), world.token.value).get(f"/dashboard/review-links/{link.pk}/").content.decode()
    assert "The video has 30 comments, the most the platform allows. New decisions stay in Reelroom." in page


def test_the_owner_starts_and_stops_it_and_activity_notes_it(link: ReviewLink, world: World) -> None:
    owner, address = signed_in(Client(), world.token.value), f"/dashboard/review-links/{link.pk}/"
    assert "Stop posting decisions" in owner.get(address).content.decode()
    owner.post(f"{address}decisions/", {"decisions": "off"})
    link.refresh_from_db()
    assert not link.send_decisions
    entry = Entry.objects.get(operation="review_links.set_decisions")
    assert (entry.before, entry.after) == ({"send_decisions": True}, {"send_decisions": False})
    assert "Off: decisions stay in Reelroom." in owner.get(address).content.decode()


def test_of_two_decisions_in_the_same_moment_one_is_the_comment_whichever_is_sent_first(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    """Both looked for a comment before either had begun one: the later one changes that of the first."""
    reviewer = Comment.objects.get(text__startswith="The cup").reviewer
    assert reviewer is not None
    first = decisions.save_decision(link, reviewer, uuid.uuid4(), "changes", "First.")

    def make_another() -> None:
        made = decisions.save_decision(link, reviewer, uuid.uuid4(), "changes", "Second.")
        decisions.send_decision(made)

    link.refresh_from_db()
    first.link = link
    with at_statement("SAVEPOINT", make_another):
        decisions.send_decision(first)
    assert texts(world) == ["Approved with changes: Second."]


def test_decision_that_looked_before_the_one_before_it_was_begun_changes_its_comment(
    ana: Reviewer, link: ReviewLink, world: World
) -> None:
    reviewer = Comment.objects.get(text__startswith="The cup").reviewer
    assert reviewer is not None
    link.refresh_from_db()
    first = decisions.save_decision(link, reviewer, uuid.uuid4(), "changes", "First.")
    second = decisions.save_decision(link, reviewer, uuid.uuid4(), "changes", "Second.")
    first.link = second.link = link
    other = create_reviewer(link, "Jonas", uuid.uuid4())

    def begin_the_first() -> None:
        rows = Decision.objects.filter(pk=second.pk)
        rows.update(reviewer=other)  # the first one looks before the second is there to see
        decisions.send_decision(first)
        assert texts(world) == ["Approved with changes: First."]
        rows.update(reviewer=reviewer)

    with at_statement("SAVEPOINT", begin_the_first):
        decisions.send_decision(second)
    assert texts(world) == ["Approved with changes: Second."]
