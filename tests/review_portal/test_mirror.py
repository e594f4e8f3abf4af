"""The copy and its merge: newer wins, nothing is lost, nobody waits for anybody."""

import uuid
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from types import ModuleType

import pytest
from django.core.cache import cache
from django.db import connections
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from dashboard.platform_api.reviews import Comment as CommentRecord
from dashboard.platform_api.reviews import ReviewLink as ReviewLinkRecord
from dashboard.sandbox import models as platform
from dashboard.upstream import clients
from dashboard.writes import recovery
from dashboard.writes.models import Write
from review_portal import sync
from review_portal.models import Comment, ReviewLink
from tests.moments import at_statement
from tests.review_portal.conftest import PART, Reviewer, World, copies, over, theirs

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
Later = Callable[[], None]


def test_what_others_write_past_reelroom_comes_in_with_the_next_poll(
    world: World, reviewer: Reviewer, later: Later
) -> None:
    reviewer.open()
    version = reviewer.poll().content.decode().split('data-v="')[1].split('"')[0]
    assert reviewer.poll(version).status_code == 204
    world.comment("From outside.")
    later()
    answer = reviewer.poll(version)
    assert answer.status_code == 200
    assert "From outside." in answer.content.decode()


def test_the_platform_is_read_at_most_once_in_a_few_seconds_whoever_watches(world: World, reviewer: Reviewer) -> None:
    reviewer.open()
    with CaptureQueriesContext(connections["sandbox"]) as upstream:
        for _ in range(20):
            Reviewer(reviewer.link).poll()
        assert len(upstream) == 0


def test_an_unchanged_poll_asks_one_thing_and_weighs_next_to_nothing(
    reviewer: Reviewer, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewer.open()
    version = reviewer.poll().content.decode().split('data-v="')[1].split('"')[0]
    monkeypatch.setattr(cache, "add", lambda *_: pytest.fail("asked for a turn that somebody has"))
    with CaptureQueriesContext(connections["default"]) as asked:
        answer = reviewer.poll(version)
        assert len(asked) == 1
    assert answer.status_code == 204
    assert answer.content == b""
    assert sum(len(f"{name}: {value}\r\n") for name, value in answer.headers.items()) < 560


def test_a_poll_brings_only_what_changed(world: World, reviewer: Reviewer, later: Later) -> None:
    old, new = world.comment("Old.", time=1), world.comment("New.", time=2)
    reviewer.open()
    version = ReviewLink.objects.get().version
    theirs().filter(pk=new.pk).update(text="Newer.", updated_at=timezone.now())
    later()
    part = reviewer.poll(str(version)).content.decode()
    assert f'<li data-same="c-{old.pk}"></li>' in part
    assert "Newer." in part
    assert "Old." not in part.split('id="threads"')[1]


def test_a_poll_of_what_is_new_since_a_visit_keeps_what_it_has_shown(
    world: World, reviewer: Reviewer, later: Later
) -> None:
    reviewer.open()
    visited = ReviewLink.objects.get().version
    world.comment("New.", time=2)
    later()
    reviewer.poll()
    shown = ReviewLink.objects.get().version
    world.comment("Newer.", time=3)
    later()
    page = reviewer.open(f"?show=new&since={visited}").content.decode()
    address = unescape(page.split('data-poll="')[1].split('"')[0])
    part = reviewer.client.get(f"{address}&v={shown}&after={shown}", **PART).content.decode()
    assert f'data-same="c-{theirs().get(text="New.").pk}"' in part
    assert "Newer." in part


def test_a_reader_of_a_version_that_is_not_there_yet_gets_the_whole_list(world: World, reviewer: Reviewer) -> None:
    """A database brought back from a backup counts its versions from where the backup was."""
    world.comment("Old.")
    reviewer.open()
    part = reviewer.poll(str(ReviewLink.objects.get().version + 1)).content.decode()
    assert "Old." in part.split('id="threads"')[1]
    assert 'data-after="0"' in part


def test_the_poller_of_a_closed_link_is_replaced_by_one_that_does_not_poll(
    world: World, reviewer: Reviewer, later: Later
) -> None:
    reviewer.open()
    assert "data-poll=" in reviewer.poll().content.decode()
    platform.ReviewLink.objects.update(status="inactive", updated_at=timezone.now())
    later()
    answer = reviewer.poll()
    assert answer.status_code == 403
    assert "data-poll=" not in answer.content.decode()


def test_a_poll_of_a_link_nobody_opened_is_not_found(world: World) -> None:
    assert Client().get(f"/{uuid.uuid4()}/comments").status_code == 404


def test_what_the_owner_changes_on_the_platform_reaches_the_room(
    world: World, reviewer: Reviewer, later: Later
) -> None:
    reviewer.open()
    platform.ReviewLink.objects.update(allow_comment=False, updated_at=timezone.now())
    later()
    reviewer.poll()
    assert "This link is view-only." in reviewer.open().content.decode()


def record(comment: platform.ReviewComment, **changes: object) -> CommentRecord:
    fields = {"text": comment.text, "status": comment.status, "updated_at": comment.updated_at.isoformat()} | changes
    return CommentRecord.from_json(
        {
            "id": str(comment.pk),
            "video_id": str(comment.video_id),
            "user_name": comment.user_name,
            "time": comment.time,
            "reply_to": None,
            "created_at": comment.created_at.isoformat(),
            **fields,  # type: ignore[dict-item]  # JSON values
        }
    )


def test_an_old_read_cannot_undo_a_newer_write(world: World, reviewer: Reviewer) -> None:
    reviewer.post("First.")
    made = theirs().get()
    stale, left_at = record(made), timezone.now()
    reviewer.change(made.pk, text="Second.", time="0:05")
    changed, equal = sync.merge_comments(ReviewLink.objects.get(), [stale], left_at)
    assert (changed, equal) == (False, False)
    assert copies(reviewer.link) == ["Second."]


def test_a_read_that_lacks_a_comment_deletes_nothing(world: World, reviewer: Reviewer) -> None:
    reviewer.post("Kept.")
    sync.merge_comments(ReviewLink.objects.get(), [], timezone.now() + timedelta(minutes=1))
    assert copies(reviewer.link) == ["Kept."]


def test_on_a_link_that_hides_resolved_ones_a_missing_comment_counts_as_resolved(world: World, later: Later) -> None:
    comment = world.comment("Seen.")
    reviewer = Reviewer(world.link(show_resolved=False))
    reviewer.open()
    Comment.objects.update(written_at=timezone.now() - timedelta(seconds=5))
    theirs().update(status="resolved", updated_at=timezone.now())
    later()
    reviewer.poll()
    assert "Seen." not in reviewer.open().content.decode()
    assert Comment.objects.get().status == "resolved"
    theirs().filter(pk=comment.pk).update(status="open", updated_at=timezone.now())
    later()
    reviewer.poll()
    assert "Seen." in reviewer.open().content.decode()


def test_a_comment_that_was_resolved_elsewhere_before_any_read_showed_it_counts_as_resolved_too(
    world: World, later: Later
) -> None:
    reviewer = Reviewer(world.link(show_resolved=False))
    reviewer.open()
    later()
    reviewer.poll()
    reviewer.post("Mine.")
    theirs().update(status="resolved", updated_at=timezone.now())
    Comment.objects.update(written_at=timezone.now() - timedelta(seconds=5))
    later()
    reviewer.poll()  # this read equals the one before the post
    assert Comment.objects.get().status == "resolved"


def test_times_without_order_are_decided_by_when_the_read_left(world: World, reviewer: Reviewer) -> None:
    reviewer.post("Ours.")
    made = theirs().get()
    link = ReviewLink.objects.get()
    same_time = record(made, text="Theirs.")
    assert sync.merge_comments(link, [same_time], timezone.now() - timedelta(minutes=1)) == (False, False)
    assert sync.merge_comments(link, [same_time], timezone.now() + timedelta(minutes=1)) == (True, True)
    assert copies(reviewer.link) == ["Theirs."]


def test_records_without_a_uuid_are_left_out(world: World, reviewer: Reviewer) -> None:
    reviewer.open()
    odd = CommentRecord.from_json({"id": "12", "text": "odd", "time": 1})
    assert sync.merge_comments(ReviewLink.objects.get(), [odd], timezone.now()) == (False, True)


def test_a_link_whose_name_and_state_no_column_holds_is_kept_as_far_as_they_fit(
    world: World, reviewer: Reviewer
) -> None:
    reviewer.open()
    link = ReviewLink.objects.get()
    long = ReviewLinkRecord.from_json(
        {"id": str(link.pk), "video_id": str(link.video_id), "name": "a" * 999, "status": "b" * 999}
    )
    kept = sync.store_link(long)
    assert (len(kept.name), len(kept.status)) == (255, 40)
    assert sync.store_link(long).version == kept.version


def test_an_older_answer_about_a_link_changes_nothing(world: World, reviewer: Reviewer) -> None:
    reviewer.open()
    link = ReviewLink.objects.get()
    old = ReviewLinkRecord.from_json(
        {"id": str(link.pk), "video_id": str(link.video_id), "name": "Old", "updated_at": "2020-01-01T00:00:00Z"}
    )
    assert sync.store_link(old).name == "Cut 3"


def test_while_the_platform_is_away_nobody_asks_it_again_and_again(
    world: World, reviewer: Reviewer, faults: ModuleType, later: Later
) -> None:
    reviewer.open()
    later()
    faults.set("*", status=500)
    reviewer.poll()
    with CaptureQueriesContext(connections["sandbox"]) as upstream:
        for _ in range(5):
            reviewer.poll()
        assert len(upstream) == 0


def test_where_the_platform_cannot_be_read_only_what_passed_through_is_there_and_pages_say_so(
    world: World, reviewer: Reviewer, settings: Settings, later: Later
) -> None:
    reviewer.open()
    settings.PLATFORM_REVIEW_READS = False
    clients.forget()
    later()
    world.comment("Past us.")
    reviewer.post("Through us.")
    reviewer.poll()
    page = reviewer.open().content.decode()
    assert "Through us." in page
    assert "Past us." not in page
    assert "Comments that were written outside Reelroom are not shown." in page


def test_two_links_of_a_video_keep_their_own_copies(world: World, reviewer: Reviewer, later: Later) -> None:
    reviewer.post("Seen through the first.")
    second = Reviewer(world.link(name="Second"))
    second.open()
    assert copies(second.link) == ["Seen through the first."]
    assert Comment.objects.count() == 2
    assert Comment.objects.filter(reviewer=None).count() == 1


def test_a_comment_whose_values_no_column_holds_is_shown_as_far_as_they_fit(world: World, reviewer: Reviewer) -> None:
    reviewer.open()
    link = ReviewLink.objects.get(pk=reviewer.link)
    found = CommentRecord.from_json(
        {"id": str(uuid.uuid4()), "time": 10**12, "user_name": "a" * 999, "status": "b" * 99, "text": "Seen elsewhere."}
    )
    assert sync.merge_comments(link, [found], timezone.now())[0]
    kept = link.comments.get()
    assert (kept.time, len(kept.user_name), len(kept.status)) == (sync.TIME_MOST, 255, 20)
    assert sync.merge_comments(link, [found], timezone.now()) == (False, True)


def test_a_link_counts_as_read_only_when_its_copy_holds_what_was_read(
    world: World, reviewer: Reviewer, later: Later
) -> None:
    """Else somebody who settles a write at this very moment takes a comment that has arrived for one that has not."""
    reviewer.open()
    link = ReviewLink.objects.get()
    before, seen = sync.get_read_at(link), []
    world.comment("News.")
    later()
    with at_statement('INSERT INTO "review_portal_comment"', lambda: seen.append(sync.get_read_at(link))):
        reviewer.poll()
    assert seen == [before]
    after = sync.get_read_at(link)
    assert before is not None and after is not None and after > before


def test_the_turn_of_a_reader_that_died_ends_when_none_of_its_calls_can_be_out(
    reviewer: Reviewer, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    reviewer.open()
    settings.PLATFORM_TIMEOUT = 10.0
    link, leases = ReviewLink.objects.get(), []
    monkeypatch.setattr(cache, "add", lambda key, value, timeout: leases.append(timeout))
    sync.merge(link)
    assert leases == [23], "two calls, and a moment for the merge"


def test_a_reader_that_fails_by_our_own_mistake_keeps_nobody_from_reading(
    world: World, reviewer: Reviewer, later: Later
) -> None:
    reviewer.open()
    later()
    world.comment("Past us.")
    link = ReviewLink.objects.get()
    with at_statement('INSERT INTO "review_portal_comment"', lambda: 1 / 0), pytest.raises(ZeroDivisionError):
        sync.merge(link)
    assert sync.merge(link) is None
    assert copies(link.pk) == ["Past us."]


def test_an_edit_without_an_answer_is_settled_soon_after_a_reader_of_its_link_died(
    world: World, reviewer: Reviewer, faults: ModuleType
) -> None:
    """However old it is by then: nothing was read meanwhile, so its age says nothing."""
    reviewer.post("Old words.")
    faults.set("public_review.update_comment", broken="lost")
    reviewer.change(Comment.objects.get().comment_id, text="New words.")
    faults.clear()
    link, write = ReviewLink.objects.get(), Write.objects.get(operation="public_review.update_comment")
    assert sync._take_turn(link), "and this process dies"
    Write.objects.update(ended_at=timezone.now() - timedelta(minutes=10), due_at=timezone.now())
    ReviewLink.objects.update(merged_at=timezone.now() - timedelta(minutes=11))
    cache.delete(f"review-read:{link.pk}")
    recovery.follow(Write.objects.get(pk=write.pk))
    write.refresh_from_db()
    assert write.state == "unconfirmed"
    assert write.due_at is not None
    in_31_seconds = timezone.now() + timedelta(seconds=31)
    assert write.due_at < in_31_seconds
    over(31)
    write.refresh_from_db()
    assert (write.state, copies(reviewer.link)) == ("done", ["New words."])
