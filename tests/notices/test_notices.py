"""The notices: what needs somebody, what runs, what happened; what is new for each person; the bell's count."""

import re
import uuid
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry, Outcome
from dashboard.notices import history
from dashboard.notices.models import Notice
from dashboard.subtitles.models import Batch
from review_portal import news
from review_portal.models import Comment, Decision, ReviewLink
from tests.conftest import signed_in
from tests.notices.conftest import answer
from tests.pages import read_page
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
NOTICES = "/dashboard/notices/"


def get_lines(page: str) -> list[str]:
    """The titles of the list of what happened, those that are new with ", new"."""
    return [re.sub(r"<[^>]+>", "", line).strip() for line in re.findall(r'<a class="told__text"[^>]*>(.*?)</a>', page)]


def get_count(page: str) -> str:
    return re.sub(r"<[^>]+>", "", re.findall(r'id="bell-count".*?</span>', page)[0].partition(">")[2]).strip()


def test_comments_of_a_link_are_one_line_a_decision_its_own_and_own_answers_none(
    ana: Reviewer, desk: Client, link: ReviewLink
) -> None:
    ana.post("And the music.", time="0:50")
    Reviewer(link.pk, "Jonas").post("Nice.", time="0:51")
    data = {"key": "d0000000-0000-4000-8000-000000000000", "verdict": "approve", "user_name": "Ana Prado"}
    ana.client.post(f"/{link.pk}/decision", data)
    answer(desk, link)
    news.scan()
    page = read_page(desk, NOTICES)
    assert sorted(get_lines(page)) == [
        "Ana Prado decided on “Cut 3”: Approved, new",
        "Ana Prado, Jonas: 3 comments on “Cut 3”, new",
    ]
    assert "<title>" in page and re.search(r"<title>\d+ needs? you · Notices · Reelroom</title>", page)
    assert get_count(page) == "2 new"


def test_30_decisions_cost_no_more_queries_than_one(
    desk: Client, link: ReviewLink, account: Account, django_assert_max_num_queries: Any
) -> None:
    now = timezone.now()
    for _number in range(30):
        decision = Decision.objects.create(
            link=link, reviewer=link.reviewers.create(name="Ana"), key=uuid.uuid4(), verdict="approve", name="Ana",
            version=1,
        )  # fmt: skip
        Notice.objects.create(
            account=account, source=news.SOURCE, scope=str(link.pk), ref=f"decision:{decision.pk}", at=now
        )
    with django_assert_max_num_queries(7):
        lines = history.list_lines(account, "")
    assert [line.told.title for line in lines] == ["Ana decided on “Cut 3”: Approved"] * 30
    assert len(history.list_lines(account, "", 6)) == 6


def test_the_same_news_is_written_down_once(ana: Reviewer, desk: Client, link: ReviewLink) -> None:
    for _look in range(3):
        news.scan()
        ReviewLink.objects.update(noticed_version=0)
    assert Notice.objects.count() == 1


def test_what_is_read_is_read_for_this_person_alone(
    ana: Reviewer, desk: Client, link: ReviewLink, world: World
) -> None:
    news.scan()
    other = Client()
    other.post("/sign-in/", {"token": world.token.value, "person": "Camila"})
    assert desk.get(f"{NOTICES}seen/").status_code == 302 and get_count(read_page(desk, NOTICES)) == "1 new", (
        "a visit marks nothing"
    )
    assert desk.post(f"{NOTICES}seen/").headers["Location"] == NOTICES
    assert get_count(read_page(desk, NOTICES)) == "" and get_lines(read_page(desk, NOTICES)) == [
        "Ana Prado: 1 comment on “Cut 3”"
    ]
    assert get_count(read_page(other, NOTICES)) == "1 new"
    ana.post("Later.", time="0:59")
    news.scan()
    assert get_lines(read_page(desk, NOTICES)) == [
        "Ana Prado: 1 comment on “Cut 3”, new",
        "Ana Prado: 1 comment on “Cut 3”",
    ]


def test_the_bell_asks_our_own_database_alone_and_says_nothing_while_nothing_is_new(
    ana: Reviewer, desk: Client, calls: Any
) -> None:
    news.scan()
    before = {name: calls(name) for name in ("public_review.comments", "public_review.read_link", "folders.list")}
    assert desk.get(f"{NOTICES}count/?n=1").status_code == 204
    assert "1 new" in desk.get(f"{NOTICES}count/?n=0").content.decode()
    part = desk.get(f"{NOTICES}list/", headers={"HX-Request": "true"}).content.decode()
    assert "Cut 3" in part and "<html" not in part
    assert desk.get(f"{NOTICES}list/").headers["Location"] == NOTICES
    assert {name: calls(name) for name in before} == before


def test_refused_writes_and_finished_plans_are_told(desk: Client, account: Account) -> None:
    Entry.objects.create(account_id=account.pk, operation="playlists.delete", label="Old", outcome=Outcome.REFUSED)
    long_ago = Entry.objects.create(
        account_id=account.pk, operation="lives.start", label="Older", outcome=Outcome.REFUSED
    )
    Entry.objects.filter(pk=long_ago.pk).update(at=timezone.now() - timedelta(days=7, minutes=1))
    now, plan = timezone.now(), {"type": "TRANSLATION", "tier": "pro", "from_lang": "en"}
    cell = {"video_id": "v", "title": "T", "kind": "TRANSLATION", "work": "w"}
    batch = Batch.objects.create(account=account, sent_at=now, label="14 lessons", **plan)
    for number, status in enumerate(("FINISHED", "FINISHED", "ERROR", "DROPPED")):
        batch.cells.create(position=number, lang=f"l{number}", status=status, ended_at=now, **cell)
    running = Batch.objects.create(account=account, sent_at=now, label="Running", **plan)
    running.cells.create(position=0, lang="fr", status="RUNNING", **cell)
    lines = get_lines(read_page(desk, NOTICES))
    assert "14 lessons: 2 of 3 finished, new" in lines and any(
        line.startswith("Refused: ") and "Old" in line for line in lines
    )
    assert not any("Older" in line or "Running" in line for line in lines)


def test_a_switched_off_link_is_counted_without_its_words(ana: Reviewer, desk: Client) -> None:
    news.scan()
    ReviewLink.objects.update(status="inactive")
    assert get_lines(read_page(desk, NOTICES)) == [
        "1 new comment on “Cut 3”, new"
    ] and "Lower the wordmark" not in read_page(desk, NOTICES)


def test_an_imported_link_tells_nothing_of_long_ago(desk: Client, ana: Reviewer) -> None:
    Comment.objects.update(created_at=timezone.now() - timedelta(days=7, minutes=1))
    news.scan()
    assert get_lines(read_page(desk, NOTICES)) == []


def test_another_account_hears_nothing(ana: Reviewer, desk: Client, stranger: Account) -> None:
    news.scan()
    assert get_lines(read_page(signed_in(Client(), stranger.token), NOTICES)) == []


def test_a_link_page_offers_its_own_rhythm(desk: Client, link: ReviewLink) -> None:
    page = read_page(desk, f"/dashboard/review-links/{link.pk}/")
    assert "E-mails about this link" in page and "As for all links" in page
    desk.post(f"{NOTICES}links/{link.pk}/", {"every": "hour"})
    assert '<option value="hour" selected>' in read_page(desk, f"/dashboard/review-links/{link.pk}/")
