"""A full room writes the beginning of each thread; the other replies come when they are near, or by their link."""

import re
import uuid
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.sandbox import models as platform
from review_portal import threads
from review_portal.models import Comment, ReviewLink
from tests.review_portal.conftest import PART, Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

LATE = threads.WRITTEN_AT_FIRST - 2
"""The number of a reply that a first view of one full thread leaves out."""


def said(page: object) -> list[int]:
    """The numbers of the replies that an answer writes, in its order."""
    return [int(found) for found in re.findall(r"Reply number (\d+)\.", page.content.decode())]  # type: ignore[attr-defined]  # a response of the test client


def rests(page: object) -> list[tuple[int, int]]:
    """Where replies are left out: the number of the first, and how many."""
    found = re.findall(r'data-from="(\d+)" data-rest="(\d+)"', page.content.decode())  # type: ignore[attr-defined]  # a response of the test client
    return [(int(begun), int(count)) for begun, count in found]


def thread(world: World, replies: int, **fields: object) -> platform.ReviewComment:
    """A comment with so many replies, a minute apart, in the order of their numbers."""
    top, begun = world.comment("A long thread."), timezone.now() - timedelta(days=2)
    platform.ReviewComment.objects.bulk_create(
        platform.ReviewComment(
            video=world.video,
            token=uuid.uuid4(),
            user_name="Outsider",
            time=7,
            reply_to=top,
            text=f"Reply number {number}.",
            created_at=begun + timedelta(minutes=number),
            updated_at=begun + timedelta(minutes=number),
            **fields,
        )
        for number in range(replies)
    )
    return top


def test_room_of_a_hundred_and_thirty_comments_writes_all_and_one_with_one_more_leaves_the_rest_out(
    world: World, reviewer: Reviewer
) -> None:
    top = thread(world, threads.WRITTEN_AT_FIRST - 1)
    assert rests(reviewer.open()) == []
    second = Reviewer(world.link(name="Second"))
    platform.ReviewComment.objects.create(
        video=world.video, token=uuid.uuid4(), user_name="One more", time=7, reply_to=top, text="The last one."
    )
    page = second.open()
    assert said(page) == list(range(threads.WRITTEN_AT_FIRST - 1))
    assert rests(page) == [(threads.WRITTEN_AT_FIRST - 1, 1)]
    assert "Show 1 more reply" in page.content.decode()


def test_what_is_left_out_comes_in_order_and_whole(world: World, reviewer: Reviewer) -> None:
    top = thread(world, 300)
    page = reviewer.open()
    found = said(page)
    while rests(page):
        ((begun, count),) = rests(page)
        page = reviewer.client.get(f"/{reviewer.link}/comments/{top.pk}/replies?from={begun}&rest={count}", **PART)
        assert len(said(page)) <= threads.NEXT_REPLIES
        found += said(page)
    assert found == list(range(300))


def test_replies_of_the_reader_are_written_where_they_stand(world: World, reviewer: Reviewer) -> None:
    top, *_others = [thread(world, 29) for _ in range(8)]
    (begun, count), *_more = rests(reviewer.open())
    assert (begun, count) == (15, 14)
    reviewer.post("Mine, in between.", reply_to=str(top.pk))
    between = timezone.now() - timedelta(days=2) + timedelta(minutes=25, seconds=30)
    for comments in (platform.ReviewComment.objects, Comment.objects):
        comments.filter(text="Mine, in between.").update(created_at=between)
    page = reviewer.open()
    assert "Mine, in between." in page.content.decode()
    assert rests(page)[:2] == [(15, 11), (27, 3)]


def test_search_and_filters_for_single_replies_write_all_of_what_they_find(world: World, reviewer: Reviewer) -> None:
    thread(world, 300)
    for query in (f"?q=number+{LATE}", "?by=Outsider", "?show=new&since=0"):
        page = reviewer.open(query)
        assert said(page) == list(range(300)), query


def test_filter_by_state_leaves_out_as_the_whole_list_does(world: World, reviewer: Reviewer) -> None:
    thread(world, 300)
    assert rests(reviewer.open("?show=open")) == rests(reviewer.open())


def test_the_link_without_script_writes_its_thread_and_the_one_at_the_end_every_thread(
    world: World, reviewer: Reviewer
) -> None:
    tops = [thread(world, 150), thread(world, 150)]
    page = reviewer.open().content.decode()
    assert f'href="?thread={tops[0].pk}#c-{tops[0].pk}"' in page
    assert "Show every reply" in page
    assert len(rests(reviewer.open())) == 2
    assert len(rests(reviewer.open(f"?thread={tops[0].pk}"))) == 1
    whole = reviewer.open("?thread=every")
    assert rests(whole) == []
    assert len(said(whole)) == 300
    assert "Show every reply" not in whole.content.decode()


def test_the_address_of_one_reply_leads_to_its_thread_as_a_whole(world: World, reviewer: Reviewer) -> None:
    top = thread(world, 300)
    reviewer.open()
    late = Comment.objects.get(text=f"Reply number {LATE}.")
    answer = reviewer.client.get(f"/{reviewer.link}/comments/{late.comment_id}")
    assert answer["Location"] == f"/{reviewer.link}?t=7&thread={top.pk}#c-{str(late.comment_id)[:8]}"
    assert LATE in said(reviewer.client.get(answer["Location"].partition("#")[0]))


def test_a_thread_that_changed_comes_whole_to_who_has_the_rest_of_the_list(world: World, reviewer: Reviewer) -> None:
    top, *_others = [thread(world, 29) for _ in range(8)]
    version = re.search(r'data-v="(\d+)" data-after', reviewer.open().content.decode())
    assert version is not None
    Reviewer(reviewer.link, name="Somebody else").post("One more.", reply_to=str(top.pk))
    page = reviewer.poll(version[1], f"&after={version[1]}")
    assert (said(page), rests(page)) == (list(range(29)), [])
    assert "One more." in page.content.decode()


@pytest.mark.parametrize(
    "query", ["", "?from=0", "?from=0&rest=0", "?from=0&rest=x", "?from=-1&rest=-1", "?rest=99999999999999999999"]
)
def test_a_rest_of_nothing_is_not_found(world: World, reviewer: Reviewer, query: str) -> None:
    top = thread(world, 3)
    reviewer.open()
    assert reviewer.client.get(f"/{reviewer.link}/comments/{top.pk}/replies{query}").status_code == 404


def test_a_rest_beyond_the_thread_is_empty_and_replies_of_another_thread_or_link_are_not_found(
    world: World, reviewer: Reviewer
) -> None:
    top = thread(world, 3)
    reviewer.open()
    address = f"/{reviewer.link}/comments/{top.pk}/replies"
    assert said(reviewer.client.get(f"{address}?from=2&rest=900")) == [2]
    assert said(reviewer.client.get(f"{address}?from=900&rest=900")) == []
    assert reviewer.client.get(f"/{reviewer.link}/comments/{uuid.uuid4()}/replies?rest=1").status_code == 404
    assert reviewer.client.get(f"/{uuid.uuid4()}/comments/{top.pk}/replies?rest=1").status_code == 404


def test_replies_of_a_resolved_thread_are_not_shown_where_the_link_hides_it(world: World) -> None:
    hiding = Reviewer(world.link(show_resolved=False))
    top = thread(world, 3)
    top.status = "resolved"
    top.save()
    hiding.open()
    assert hiding.client.get(f"/{hiding.link}/comments/{top.pk}/replies?rest=3").status_code == 404


def test_replies_of_a_link_that_was_switched_off_are_not_shown(world: World, reviewer: Reviewer) -> None:
    top = thread(world, 300)
    reviewer.open()
    platform.ReviewLink.objects.filter(pk=reviewer.link).update(status="inactive")
    ReviewLink.objects.filter(pk=reviewer.link).update(status="inactive")
    answer = Client().get(f"/{reviewer.link}/comments/{top.pk}/replies?from=200&rest=100")
    assert answer.status_code == 403
    assert said(answer) == []


def test_page_of_a_closed_link_which_no_script_completes_writes_every_reply(world: World) -> None:
    closed = Reviewer(world.link())
    thread(world, 300)
    closed.open()
    past = timezone.now() - timedelta(minutes=1)
    platform.ReviewLink.objects.filter(pk=closed.link).update(expires_at=past)
    ReviewLink.objects.filter(pk=closed.link).update(expires_at=past)
    page = closed.open("?read=1")
    assert len(said(page)) == 300
    assert rests(page) == []
