"""The inbox over all links: what it lists and counts, who has read what, and what is sent from it."""

import re
import uuid
from collections.abc import Callable
from datetime import timedelta
from types import ModuleType
from typing import Any
from unittest.mock import patch

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from dashboard.accounts.models import Account
from dashboard.review_links import inbox_items
from dashboard.review_links.inbox_items import parse_filter
from dashboard.review_links.models import InboxIndex, InboxItem
from dashboard.sandbox.models import ReviewComment
from dashboard.sandbox.models import ReviewLink as PlatformLink
from review_portal import owners, sync
from review_portal.models import Comment, CommentDrawing, CommentFrame, Decision, ReviewLink
from tests.due import run_due
from tests.moments import at_statement
from tests.review_links.inbox_rows import (
    INBOX,
    act,
    build_comment,
    chips,
    make_comment,
    make_decision,
    make_library,
    make_link,
    raise_version,
    rows,
    text,
)  # fmt: skip
from tests.review_portal.test_drawings import SKETCH

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


# What it lists


def test_every_comment_of_all_links_is_a_row_once(owner: Client, account: Account, link: ReviewLink) -> None:
    both = make_comment(link)
    other = make_link(account, video_id=link.video_id, name="For legal")
    make_comment(other, comment_id=both.comment_id)
    alone = make_comment(make_link(account, "Another film"))
    assert rows(owner) == [str(alone.comment_id), str(both.comment_id)]
    assert chips(owner) == {"Unanswered": 2, "Unread": 2, "Decisions": 0, "Open": 2, "Resolved": 0, "All": 2}


def test_a_comment_is_unanswered_until_the_last_word_is_the_owner_s(
    owner: Client, account: Account, link: ReviewLink
) -> None:
    first, now = make_comment(link), timezone.now()
    session = link.reviewers.create(account=account, sealed_token="-")
    make_comment(link, "Lowered.", reply_to=first.comment_id, reviewer=session, user_name="Camila", created_at=now)
    assert chips(owner)["Unanswered"] == 0
    assert "Answered" in text(owner, "?show=open")
    later = now + timedelta(minutes=1)
    make_comment(link, "Still too high.", reply_to=first.comment_id, created_at=later, user_name="Priya")
    assert chips(owner)["Unanswered"] == 1
    Comment.objects.filter(comment_id=first.comment_id).update(status="resolved")
    raise_version(link)
    assert chips(owner) == {"Unanswered": 0, "Unread": 1, "Decisions": 0, "Open": 0, "Resolved": 1, "All": 1}


def test_what_no_link_lets_the_owner_change_is_not_counted_as_unanswered(
    owner: Client, account: Account, link: ReviewLink
) -> None:
    make_comment(link)
    ReviewLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    raise_version(link)
    assert chips(owner)["Unanswered"] == 0
    assert inbox_items.load_waiting(account) == (0, False)  # what the navigation says
    assert "Open, link closed" in text(owner, "?show=open")
    make_link(account, video_id=link.video_id)
    assert chips(owner)["Unanswered"] == 1


def test_a_withdrawn_comment_waits_for_nobody(owner: Client, link: ReviewLink) -> None:
    make_comment(link, "Retirado por quem escreveu.")
    make_comment(link, "Withdrawn by its writer.")
    assert chips(owner)["Unanswered"] in (0, 1)
    assert chips(owner)["Resolved"] >= 1


def test_the_address_filters_by_video_person_and_words(owner: Client, account: Account, link: ReviewLink) -> None:
    lower = make_comment(link, "Lower the wordmark.", time=5)
    coffee = make_comment(link, "O café está ótimo.", time=9, user_name="Téo Martins")
    make_comment(link, "And slower.", reply_to=lower.comment_id, user_name="Priya")
    other = make_comment(make_link(account, "Another film"), "Lower the music.")
    assert rows(owner, f"?video={link.video_id}") == [str(lower.comment_id), str(coffee.comment_id)]
    assert rows(owner, "?by=T%C3%A9o+Martins") == [str(coffee.comment_id)]
    assert rows(owner, "?q=CAFE+otimo") == [str(coffee.comment_id)]
    assert rows(owner, "?q=slower") == [str(lower.comment_id)]
    assert rows(owner, "?q=lower") == [str(other.comment_id), str(lower.comment_id)]
    assert rows(owner, "?q=100%25") == []
    assert chips(owner, "?q=lower")["Unanswered"] == 2
    assert "Nothing matches" in text(owner, "?q=nothing+like+it")
    for unknown in ("?show=x", "?video=x", "?sort=x", "?page=x", "?page=99999", "?page=-1", "?q=%00", "?by=%00"):
        assert owner.get(f"{INBOX}{unknown}").status_code == 200


def test_the_order_is_in_the_address(owner: Client, account: Account, link: ReviewLink) -> None:
    old = make_comment(link, time=3, user_name="Zoe", created_at=timezone.now() - timedelta(days=2))
    new = make_comment(link, time=90, user_name="Bea", created_at=timezone.now())
    other = make_comment(make_link(account, "Ants"), user_name="Mia", created_at=timezone.now() - timedelta(days=1))
    in_order = {"": [other, old, new], "?sort=newest": [new, other, old], "?sort=person": [new, other, old]}
    for query, expected in in_order.items():
        assert rows(owner, query) == [str(comment.comment_id) for comment in expected]


def test_a_decision_is_a_row_and_the_reviewer_is_told_that_it_was_seen(owner: Client, link: ReviewLink) -> None:
    decision = make_decision(link)
    earlier = Decision.objects.create(
        link=link, reviewer=decision.reviewer, key=uuid.uuid4(), verdict="approve", name="Jonas", version=1
    )
    assert earlier.pk > decision.pk
    raise_version(link)
    assert chips(owner)["Decisions"] == 1
    assert "Approved" in text(owner, "?show=decisions")
    owner.get(f"{INBOX}{decision.reviewer_id}/")
    assert Decision.objects.filter(seen_at=None).count() == 0
    Decision.objects.create(link=link, reviewer=decision.reviewer, key=uuid.uuid4(), verdict="none", version=1)
    raise_version(link)
    assert chips(owner)["Decisions"] == 0


def test_a_link_that_is_not_the_account_s_any_more_takes_its_rows_along(
    owner: Client, link: ReviewLink, settings: Any
) -> None:
    settings.PLATFORM_REVIEW_READS = False  # else the links of the platform are taken in, as there is none
    make_comment(link)
    assert chips(owner)["All"] == 1
    link.accounts.clear()
    assert chips(owner)["All"] == 0
    assert "No comments yet" in text(owner)


LINKS = 10


def page_work(client: Client, query: str = "") -> tuple[int, int]:
    """Statements of a page whose index is up to date, and the steps that the database takes for them."""
    client.get(f"{INBOX}{query}")
    steps = 0

    def count() -> int:
        nonlocal steps
        steps += 1
        return 0

    connection.ensure_connection()
    with CaptureQueriesContext(connection) as queries:
        connection.connection.set_progress_handler(count, 1)  # SQLite counts its own instructions: no clock is asked
        client.get(f"{INBOX}{query}")
        connection.connection.set_progress_handler(None, 1)
    return len(queries), steps


@pytest.mark.skipif(connection.vendor != "sqlite", reason="only SQLite counts its steps")
@pytest.mark.parametrize("query", ["", "?show=all", "?show=unread", "?sort=newest"])
def test_the_page_of_a_thousand_comments_reads_as_little_as_that_of_thirty(
    owner: Client, account: Account, settings: Any, query: str
) -> None:
    settings.PLATFORM_REVIEW_READS = False
    make_library(account, LINKS, 3)
    statements, steps = page_work(owner, query)
    for link in ReviewLink.objects.all():
        Comment.objects.bulk_create(build_comment(link, f"More {place}.", time=place) for place in range(96))
        raise_version(link)
    many_statements, many_steps = page_work(owner, query)
    assert chips(owner)["Unanswered"] == 990
    assert many_statements <= statements
    assert many_steps < steps * 1.1


def test_the_pages_of_a_thousand_comments_are_all_there(owner: Client, account: Account, settings: Any) -> None:
    settings.PLATFORM_REVIEW_READS = False
    make_library(account, 31, 30)
    assert chips(owner)["Unanswered"] == 930
    assert len(rows(owner)) == 30
    assert "901 to 930 of 930" in text(owner, "?page=31")
    assert text(owner, "?page=500") == text(owner, "?page=31")


# Who has read what


def test_keys_are_named_as_on_keyboards_of_the_reader_s_language(owner: Client) -> None:
    owner.cookies["language"] = "es"
    page = owner.get(INBOX).content.decode()
    assert "<kbd>Espacio</kbd>" in page and "<kbd>Shift Ctrl Intro</kbd>" in page and "<kbd>Space</kbd>" not in page


def test_an_open_thread_reads_nothing_of_the_video_s_other_comments(account: Account, link: ReviewLink) -> None:
    comment = make_comment(link)
    for number in range(3):
        drawn = uuid.uuid4() if number else comment.comment_id
        CommentDrawing.objects.create(
            link=link, comment_id=drawn, short=f"{number:010}", sketch=SKETCH, name="Priya", time=5
        )
        CommentFrame.objects.create(
            link=link, comment_id=drawn, microseconds=comment.time * 1_000_000 + 200_000, rate="24" if number else ""
        )
    with CaptureQueriesContext(connection) as queries:
        thread = owners.load_thread(account, link.video_id, comment.comment_id)
    assert thread and thread.first.drawing and thread.first.frame
    assert thread.first.frame.rate == "24", "what others measured of the video still counts"
    read = [
        one["sql"] for one in queries.captured_queries if re.search(r"SELECT .*\b(sketch|microseconds)", one["sql"])
    ]
    assert len(read) == 2 and all('"comment_id" IN (' in sql for sql in read)


def test_opening_is_reading_for_one_person_and_news_are_unread_again(owner: Client, link: ReviewLink) -> None:
    comment = make_comment(link)
    owner.get(f"{INBOX}{comment.comment_id}/")
    assert chips(owner)["Unread"] == 0
    session = owner.session
    session["person"] = "Bruno"
    session.save()
    assert chips(owner)["Unread"] == 1
    session["person"] = "Camila"
    session.save()
    late = timezone.now() - timedelta(days=3)  # read late, and older than what was opened
    make_comment(link, "One more thing.", reply_to=comment.comment_id, created_at=late, user_name="Priya")
    assert chips(owner)["Unread"] == 1


def test_the_owner_s_own_reply_is_no_news(owner: Client, account: Account, link: ReviewLink) -> None:
    comment = make_comment(link)
    owner.get(f"{INBOX}{comment.comment_id}/")
    session = link.reviewers.create(account=account, sealed_token="-")
    make_comment(link, "Done.", reply_to=comment.comment_id, reviewer=session, created_at=timezone.now())
    assert chips(owner)["Unread"] == 0


def test_unread_is_a_mark_that_can_be_set_and_undone(owner: Client, link: ReviewLink) -> None:
    comment = make_comment(link)
    owner.get(f"{INBOX}{comment.comment_id}/")
    act(owner, "unread", comment.comment_id)
    assert chips(owner)["Unread"] == 1
    page = owner.get(INBOX).content.decode()
    assert "Marked 1 as unread." not in page  # told once, on the page before
    act(owner, "read", comment.comment_id)
    assert chips(owner)["Unread"] == 0


def test_everything_is_marked_as_read_that_its_page_could_know(owner: Client, link: ReviewLink) -> None:
    make_comment(link)
    page = owner.get(INBOX).content.decode()
    until = re.search(r'name="until" value="([^"]+)"', page)
    assert until
    make_comment(link, "Written after the page was drawn.")
    assert owner.post(f"{INBOX}read/", {"until": until[1]}).status_code == 302
    assert chips(owner)["Unread"] == 1
    assert owner.post(f"{INBOX}read/", {"until": "yesterday"}).status_code == 400


def test_an_owner_who_opens_the_inbox_first_sees_what_the_platform_has(enter: Callable[[str], Client]) -> None:
    page = enter("owner").get(INBOX).content.decode()
    assert "The ridge line" in page and "No comments yet" not in page


def test_an_inbox_is_empty_only_when_the_links_that_are_open_were_read(owner: Client, link: ReviewLink) -> None:
    assert "Comments could not be read" in text(owner), "the platform has no such link"
    cache.clear()
    with patch("dashboard.review_links.tasks.refresh_some"):
        assert "Comments are being read" in text(owner)
    ReviewLink.objects.update(status="inactive")
    assert "No comments yet" in text(owner), "nobody reads a link that is switched off"
    ReviewLink.objects.update(status="active", merged_at=timezone.now())
    assert "No comments yet" in text(owner)


@pytest.mark.parametrize(("fault", "sentence"), [({"status": 500}, "trouble"), ({"status": 403}, "may not do that")])
def test_links_that_cannot_be_read_are_no_empty_inbox(
    enter: Callable[[str], Client], faults: ModuleType, fault: dict[str, int], sentence: str
) -> None:
    owner = enter("owner")
    faults.set("videos.list", **fault)
    page = owner.get(INBOX).content.decode()
    assert "No comments yet" not in page and "Comments could not be read" in page
    assert sentence in page.split("Comments could not be read")[1]


def test_a_page_drawn_earlier_makes_nothing_unread_that_was_read_since(owner: Client, link: ReviewLink) -> None:
    drawn = []
    for words in ("First.", "Second."):
        make_comment(link, words)
        until = re.search(r'name="until" value="([^"]+)"', owner.get(INBOX).content.decode())
        assert until
        drawn.append(until[1])
    for until_then in reversed(drawn):
        owner.post(f"{INBOX}read/", {"until": until_then})
        assert chips(owner)["Unread"] == 0


# What stands around it


def test_the_navigation_says_how_many_wait_and_the_overview_leads_there(owner: Client, ridge: ReviewComment) -> None:
    waiting = chips(owner)["Unanswered"]
    page = owner.get("/dashboard/").content.decode()
    count = page.split('id="count-inbox">')[1].split("</a>")[0]
    assert f">{waiting}</span>" in count and f"{waiting} unanswered</span>" in count
    assert f'href="{INBOX}' in page[page.index("<main") :]


def test_the_navigation_counts_nothing_of_links_that_closed_since(owner: Client, link: ReviewLink) -> None:
    make_comment(link)
    assert chips(owner)["Unanswered"] == 1
    InboxItem.objects.update(until=timezone.now())
    InboxIndex.objects.update(closes=timezone.now())
    assert "unanswered</span>" not in owner.get("/dashboard/runs/").content.decode()
    assert chips(owner)["Unanswered"] == 0


def test_news_are_told_once_others_wrote_and_never_of_the_owner_s_own_acts(
    owner: Client, seeded: ReviewLink, ridge: ReviewComment
) -> None:
    poll = re.search(r'hx-get="([^"]+inbox/news/[^"]+)"', owner.get(INBOX).content.decode())
    assert poll
    address = poll[1].replace("&amp;", "&")
    act(owner, "resolve", ridge.pk)
    owner.post(f"{INBOX}{ridge.pk}/answer/", {"text": "Done.", "user_name": "Camila"})
    assert owner.get(address).status_code == 204
    Client().post(f"/{seeded.pk}/comments", {"user_name": "Bea", "text": "One more.", "time": "0:07"})
    run_due()
    sync.merge(seeded, at_once=True)
    answer = owner.get(address)
    assert answer.status_code == 200
    assert "New comments or changes. Load them" in answer.content.decode()


def test_a_range_is_written_once_and_an_owner_is_marked_on_the_desk(owner: Client, account: Account) -> None:
    link = make_link(account)
    session = link.reviewers.create(account=account, sealed_token="-")
    first = make_comment(link, "0:12–0:15 Too loud here.", time=12)
    make_comment(link, "Lowered.", reply_to=first.comment_id, reviewer=session, user_name="Camila")
    for address in (f"/dashboard/review-links/{link.pk}/", f"/dashboard/review-links/videos/{link.video_id}/"):
        page = owner.get(address).content.decode()
        card = page[page.index("<article") : page.index("</article")]
        assert card.count("0:12–0:15</a>") == 1, address
        assert '<p class="comment__text">Too loud here.</p>' in card, address
        assert card.count('<span class="comment__owner">Owner</span>') == 1, address


def test_the_index_is_made_again_from_nothing(owner: Client, link: ReviewLink) -> None:
    comment = make_comment(link)
    assert chips(owner)["All"] == 1
    InboxItem.objects.all().delete()
    raise_version(link)
    assert rows(owner) == [str(comment.comment_id)]
    assert PlatformLink.objects.exists()


def test_two_requests_that_find_the_same_news_index_them_once(
    account: Account,
    link: ReviewLink,
) -> None:
    make_comment(link)
    of_the_other: list[int] = []

    def be_faster() -> None:
        inbox_items.refresh(account)
        of_the_other.append(len(connection.queries))

    with CaptureQueriesContext(connection) as queries, at_statement("SAVEPOINT", be_faster):
        inbox_items.refresh(account)
    own = connection.queries[of_the_other[0] : queries.final_queries]
    assert len(own) <= 4, "the transaction's own, the lock, and the versions"
    assert not [query for query in own if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert InboxItem.objects.count() == 1


def test_a_change_of_one_link_reads_one_video_again(
    account: Account, link: ReviewLink, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_library(account, 30, 2)
    inbox_items.refresh(account)
    make_comment(link)
    with django_assert_max_num_queries(15) as queries:
        assert inbox_items.load_waiting(account)[0] == 61
    assert sum("review_portal_comment" in query["sql"] for query in queries.captured_queries) == 1
    everything = [
        query["sql"] for query in queries.captured_queries if '"review_portal_reviewlink"."video"' in query["sql"]
    ]
    assert len(everything) == 1 and '"video_id" IN' in everything[0]


@pytest.mark.parametrize(("changes", "query"), [({}, "?page=3"), ({"by": "Ana"}, "?by=Ana"), ({"page": 2}, "?page=2")])
def test_another_filter_leads_to_the_first_page(changes: dict[str, Any], query: str) -> None:
    assert parse_filter({"page": "3"}).build_query(**changes) == query
