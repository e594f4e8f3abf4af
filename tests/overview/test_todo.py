"""What the other features say to the owner, each out of its own records."""

from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.request import Request
from dashboard.platform_api.reviews import ReviewLink as ReviewLinkRecord
from dashboard.sandbox.models import ReviewComment
from dashboard.subtitles.models import Batch, PlannedCell
from dashboard.writes.models import State, Write
from review_portal import imports
from review_portal.models import Comment, ReviewLink
from tests.ab_tests.conftest import people
from tests.analytics.conftest import FIGURES
from tests.answering import answer_with
from tests.forgetting import forget
from tests.looked import mark_the_quiet

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def text_of(client: Client) -> str:
    forget()
    mark_the_quiet(Account.objects.get(parent=None))
    return client.get("/dashboard/").content.decode()


@pytest.fixture(autouse=True)
def no_figures(monkeypatch: pytest.MonkeyPatch) -> None:
    """No figures can be read: nothing that waits here needs them."""

    def refuse(request: Request) -> Any:
        raise Missing(request.operation, 404)

    answer_with(monkeypatch, refuse, *FIGURES)


@pytest.fixture
def link(account: Account, cast: dict[str, Any]) -> ReviewLink:
    made = ReviewLinkRecord.from_json(
        {
            "id": str(uuid4()),
            "video_id": cast["videos"]["plain"],
            "name": "Cut 3",
            "status": "active",
            "expires_at": (timezone.now() + timedelta(days=10)).isoformat(),
        }
    )
    return imports.save_link(account, made)


def comments(link: ReviewLink, count: int, status: str = "open") -> None:
    for second in range(count):
        Comment.objects.create(
            link=link, comment_id=uuid4(), user_name="Ana", text="x", status=status, time=second,
            born=1, version=1, written_at=timezone.now(),
        )  # fmt: skip


def batch(account: Account, *statuses: str) -> Batch:
    made = Batch.objects.create(
        account=account,
        actor="Ana",
        sent_at=timezone.now(),
        label="Launch",
        type="TRANSLATION",
        tier="pro",
        from_lang="en",
    )
    for place, status in enumerate(statuses):
        PlannedCell.objects.create(
            batch=made, position=place, video_id=str(uuid4()), title="From cherry to cup", kind="TRANSLATION", lang="fr",
            work=f"{place}", status=status, ended_at=timezone.now() if status in ("ERROR", "FINISHED") else None,
        )  # fmt: skip
    return made


def test_a_job_that_failed_this_week_waits_and_an_older_one_does_not(owner: Client, account: Account) -> None:
    made = batch(account, "ERROR")
    assert "Subtitles in French failed for “From cherry to cup”" in text_of(owner)
    old = timezone.now() - timedelta(days=8)
    Batch.objects.update(sent_at=old)
    PlannedCell.objects.update(ended_at=old)
    assert "failed for “From cherry" not in text_of(owner)
    assert made.cells.count() == 1


def test_a_batch_on_its_way_says_how_many_have_ended(owner: Client, account: Account) -> None:
    batch(account, "FINISHED", "FINISHED", "RUNNING")
    text = text_of(owner)
    assert "2 of 3 jobs have ended" in text and 'max="3" value="2"' in text


def test_a_link_that_closes_within_days_waits_and_a_later_one_does_not(owner: Client, link: ReviewLink) -> None:
    assert "Review link “Cut 3” closes" not in text_of(owner)
    ReviewLink.objects.update(expires_at=timezone.now() + timedelta(days=2))
    assert "Review link “Cut 3” closes" in text_of(owner)
    ReviewLink.objects.update(expires_at=timezone.now() - timedelta(days=2))
    assert "Review link “Cut 3” closes" not in text_of(owner)


def test_open_comments_wait_and_resolved_ones_do_not(owner: Client, link: ReviewLink) -> None:
    comments(link, 2, "resolved")
    assert "Comments on “" not in text_of(owner).split('id="waiting"')[1].split("</section>")[0]
    comments(link, 1)
    assert "1 open" in text_of(owner)


@pytest.mark.parametrize(
    ("count", "said"), [(24, ""), (25, "only a few more comments"), (30, "cannot take more comments")]
)
def test_a_video_almost_out_of_comments_waits(owner: Client, link: ReviewLink, count: int, said: str) -> None:
    comments(link, count, "resolved")
    text = text_of(owner)
    assert (said in text) if said else "more comments" not in text


def test_a_running_test_waits_for_its_owner_once_it_is_settled(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    here = f"/dashboard/ab-tests/{cast['ab_tests']['in_progress']}/finish/"
    assert here not in text_of(owner)
    order: list[str] = []

    def make(request: Request) -> Any:
        order.append(str(request.path[-1]))
        return people(5000, 1300 if order[0] == order[-1] else 1800)

    answer_with(monkeypatch, make, "analytics.general")
    forget()
    text = text_of(owner)
    assert here in text and " is better" in text and "Settled" in text


def test_a_sub_account_is_on_its_way_until_it_is_connected(owner: Client, account: Account) -> None:
    Write.objects.create(
        account=account, scope=str(account.pk), key=uuid4(), state=State.DONE, label="Escola",
        operation="organizations.create_sub_account",
    )  # fmt: skip
    assert "Sub-account Escola" in text_of(owner)
    Account.objects.create(name="Escola", parent=account, fingerprint="x" * 64, sealed_token="sealed")
    assert "Sub-account Escola" not in text_of(owner)


def test_the_page_of_a_video_shows_its_links_with_their_open_comments(owner: Client, link: ReviewLink) -> None:
    comments(link, 3)
    text = owner.get(f"/dashboard/videos/{link.video_id}/").content.decode()
    assert f"/dashboard/review-links/{link.pk}/" in text and "Cut 3" in text


@pytest.mark.parametrize("wanted", ["cut 3", "{id}", "https://example.org/{id}"])
def test_links_are_found_by_name_id_and_address(owner: Client, link: ReviewLink, wanted: str) -> None:
    found = owner.get("/dashboard/search/", {"q": wanted.format(id=link.pk)}).content.decode()
    assert f'href="/dashboard/review-links/{link.pk}/"' in found


def test_another_accounts_links_neither_wait_nor_are_found(owner: Client, link: ReviewLink) -> None:
    comments(link, 1)
    link.accounts.clear()
    assert f"/review-links/{link.pk}/" not in text_of(owner)
    assert f"/review-links/{link.pk}/" not in owner.get("/dashboard/search/", {"q": "cut 3"}).content.decode()
    assert isinstance(link.pk, UUID)


def test_the_comments_of_a_video_and_the_next_link_to_close_stand_among_the_limits(
    owner: Client, link: ReviewLink
) -> None:
    comments(link, 7)
    ReviewLink.objects.filter(pk=link.pk).update(merged_at=timezone.now())
    limits = text_of(owner).split('id="limits"')[1].split("</section>")[0]
    assert "7 of 30, over all its links" in limits and 'max="30" value="7"' in limits
    assert "is open and closes" in limits


def test_jobs_that_were_sent_are_counted_where_credits_are_not_told(owner: Client, account: Account) -> None:
    batch(account, "FINISHED", "RUNNING", "REFUSED")
    assert "2 subtitle jobs were sent from here in 30 days; each uses credits." in text_of(owner)


def test_links_that_an_account_brings_along_wait_at_its_first_visit_and_their_comments_are_kept_up_to_date(
    owner: Client, cast: dict[str, Any]
) -> None:
    text = owner.get("/dashboard/").content.decode()
    assert "Review link “Teaser 15s for Berlin” closes" in text
    assert "Open comments on" in text
    assert text.count("Serra Alta, launch film (") == 1, "two links, one conversation"
    ReviewComment.objects.filter(reply_to=None).update(status="resolved")
    forget()
    for _visit in range(4):  # a few links are read anew each time, quiet ones do not hold up the others
        text = owner.get("/dashboard/").content.decode()
    assert "Serra Alta, launch film (" not in text


def test_a_platform_whose_links_cannot_be_read_is_not_asked(owner: Client, cast: dict[str, Any], settings: Any) -> None:
    settings.PLATFORM_REVIEW_READS = False
    assert "Review link “" not in text_of(owner)
    assert not ReviewLink.objects.exists()
