"""An account's people hear of comments and decisions: at once, hourly, daily or never; for all links or for one."""

import json
import uuid
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.notices import rules, subscriptions
from dashboard.notices.models import Mail, Subscription
from dashboard.notices.rules import Every
from dashboard.writes.models import Write
from review_portal.models import Comment, ReviewLink
from tests.conftest import signed_in
from tests.notices.conftest import answer, confirm_all, sent, work
from tests.review_portal.conftest import Reviewer, World, imported
from tests.review_portal.test_drawings import SKETCH

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SETTINGS = "/dashboard/notices/settings/"


def add(desk: Client, address: str = "teo@example.com", every: str = "now") -> Any:
    return desk.post(SETTINGS, {"address": address, "every": every})


def add_confirmed(desk: Client, every: str = "now") -> Subscription:
    assert add(desk, every=every).status_code == 302
    confirm_all()
    return Subscription.objects.get(account__isnull=False)


def get_due() -> list[datetime]:
    """When the bundles that wait will leave."""
    news = [str(pk) for pk in Mail.objects.filter(kind="news", composed_at=None).values_list("pk", flat=True)]
    return sorted(write.due_at for write in Write.objects.filter(state="held", subject__in=news) if write.due_at)


def test_an_owner_adds_an_address_and_hears_of_comments_and_decisions_but_not_of_own_answers(
    desk: Client, link: ReviewLink
) -> None:
    add_confirmed(desk)
    page = desk.get(SETTINGS).content.decode()
    assert "t…@example.com" in page and "teo@example.com" not in page and "Confirmed" in page
    ana = Reviewer(link.pk, "Ana Prado")
    ana.post("Lower the wordmark.", time="0:42")
    ana.client.post(
        f"/{link.pk}/decision",
        {"key": str(uuid.uuid4()), "verdict": "round", "text": "Shorter.", "user_name": "Ana Prado"},
    )
    answer(desk, link)
    work()
    work(301)
    (mail,) = sent()
    assert mail.subject == "1 new comment, 1 decision on “Serra Alta, launch film”"
    assert (
        "Lower the wordmark." in mail.text
        and "Another round\nShorter." in mail.text
        and "Done, thank you." not in mail.text
    )
    assert f"/dashboard/review-links/{link.pk}/#c-" in mail.text and "Open at 0:42" in mail.text


def test_a_decision_withdrawn_before_the_mail_leaves_is_not_told(desk: Client, link: ReviewLink) -> None:
    add_confirmed(desk)
    ana = Reviewer(link.pk, "Ana Prado")
    ana.post("Lower the wordmark.", time="0:42")
    for verdict in ("approve", "none"):
        form = {"key": str(uuid.uuid4()), "verdict": verdict, "user_name": "Ana Prado"}
        assert ana.client.post(f"/{link.pk}/decision", form).status_code == 302
        work()
    work(301)
    (mail,) = sent()
    assert "Lower the wordmark." in mail.text and "Approved" not in mail.text


def decide(ana: Reviewer, verdict: str) -> None:
    form = {"key": str(uuid.uuid4()), "verdict": verdict, "text": "Shorter.", "user_name": "Ana Prado"}
    assert ana.client.post(f"/{ana.link}/decision", form).status_code == 302


def test_a_decision_withdrawn_after_the_mail_about_it_left_is_told(desk: Client, ana: Reviewer) -> None:
    add_confirmed(desk)
    decide(ana, "changes")
    work()
    work(301)
    decide(ana, "none")
    work(301)
    work(602)
    mail = sent()[-1]
    assert mail.subject == "Ana Prado withdrew the decision on “Serra Alta, launch film”: Approved with changes"
    assert "Withdrawn: Approved with changes" in mail.text and "Shorter." not in mail.text
    assert len(sent()) == 2
    decide(ana, "approve")
    work(602)
    work(903)
    assert "Ana Prado decided on" in sent()[-1].subject and len(sent()) == 3


def test_a_decision_withdrawn_and_made_anew_before_the_next_mail_is_told_as_it_stands(
    desk: Client, ana: Reviewer
) -> None:
    add_confirmed(desk)
    decide(ana, "changes")
    work()
    work(301)
    decide(ana, "none")
    decide(ana, "approve")
    work(301)
    work(602)
    assert "decided on “Serra Alta, launch film”: Approved" in sent()[-1].subject and "withdrew" not in sent()[-1].text


def test_a_second_withdrawal_tells_nothing_new(desk: Client, ana: Reviewer) -> None:
    add_confirmed(desk)
    decide(ana, "changes")
    work()
    work(301)
    decide(ana, "none")
    work(301)
    decide(ana, "none")
    work(602)
    work(903)
    assert len(sent()) == 2


def test_mail_quotes_the_words_of_a_drawn_comment_and_not_the_address_of_its_still(desk: Client, ana: Reviewer) -> None:
    add_confirmed(desk)
    ana.post("Lower it.", time="0:42", drawing=json.dumps(SKETCH))
    drawn = Comment.objects.get(text__startswith="Lower it.")
    assert "/d/" in drawn.text
    Reviewer(ana.link, "Jonas").post("Yes.", reply_to=str(drawn.comment_id))
    work()
    work(301)
    (mail,) = sent()
    assert "Lower it." in mail.text and "/d/" not in mail.text
    for part in (mail.text, mail.html):
        assert "Drawing: Rectangle, in the centre, 54% wide, 16% high, yellow;" in part
    assert "<img" not in mail.html, "a poster beside it would be taken for the frame"


def test_an_address_added_again_before_it_is_confirmed_gets_the_rhythm_chosen_last(desk: Client) -> None:
    add(desk, every="now")
    add(desk, every="day")
    assert Subscription.objects.get().every == "day"


def test_an_address_gets_nothing_before_it_is_confirmed_and_nothing_from_before(desk: Client, ana: Reviewer) -> None:
    add(desk)
    ana.post("Early.", time="0:10")
    work()
    work(301)
    confirm_all()
    work()
    work(301)
    assert sent() == []


@pytest.mark.parametrize(
    ("every", "now", "due"),
    [
        (Every.NOW, "2026-11-20T10:05:30", "2026-11-20T10:10:30"),
        (Every.HOUR, "2026-11-20T10:05:30", "2026-11-20T11:00:00"),
        (Every.HOUR, "2026-11-20T23:59:59", "2026-11-21T00:00:00"),
        (Every.HOUR, "2026-11-20T10:00:00", "2026-11-20T11:00:00"),
        (Every.DAY, "2026-11-20T07:59:59", "2026-11-20T08:00:00"),
        (Every.DAY, "2026-11-20T08:00:00", "2026-11-21T08:00:00"),
        (Every.NONE, "2026-11-20T08:00:00", None),
    ],
)
def test_a_rhythm_says_when_the_next_mail_leaves(every: Every, now: str, due: str | None) -> None:
    at = rules.get_due_time(every, datetime.fromisoformat(now).replace(tzinfo=UTC))
    assert at == (datetime.fromisoformat(due).replace(tzinfo=UTC) if due else None)


def test_one_link_can_have_a_rhythm_of_its_own(desk: Client, link: ReviewLink, account: Account, world: World) -> None:
    add_confirmed(desk, every="day")
    other = imported(account, world.link(name="Other"), world.video.pk)
    url = f"/dashboard/notices/links/{link.pk}/"
    assert desk.post(url, {"every": "now"}).headers["Location"] == f"/dashboard/review-links/{link.pk}/"
    Reviewer(link.pk, "Ana").post("Here at once.", time="0:10")
    Reviewer(other.pk, "Jonas").post("There tomorrow.", time="0:20")
    work()
    soon, later = get_due()
    at_once = timezone.now() + timedelta(minutes=5)
    assert soon <= at_once < later
    work(301)
    assert [("Here at once." in mail.text, "There tomorrow." in mail.text) for mail in sent()] == [(True, False)]
    desk.post(url, {"every": "none"})
    Reviewer(link.pk, "Ana").post("Never.", time="0:11")
    work()
    work(86_400)
    assert [("Never." in mail.text, "There tomorrow." in mail.text) for mail in sent()] == [
        (False, False),
        (False, True),
    ]


def test_a_link_that_follows_the_rest_again_leaves_other_links_their_rhythm(
    desk: Client, link: ReviewLink, account: Account, world: World, stranger: Account
) -> None:
    other = imported(account, world.link(name="Other"), world.video.pk)
    for review_link in (link, other):
        desk.post(f"/dashboard/notices/links/{review_link.pk}/", {"every": "day"})
    subscriptions.choose_for_link(stranger, str(link.pk), Every.HOUR)
    desk.post(f"/dashboard/notices/links/{link.pk}/", {"every": ""})
    places = ((account, link), (account, other), (stranger, link))
    choices = [subscriptions.get_choice(owner, str(place.pk)) for owner, place in places]
    assert choices == [None, Every.DAY, Every.HOUR]


def test_a_test_mail_that_waits_leaves_although_the_rhythm_changes(desk: Client) -> None:
    row = add_confirmed(desk)
    url = f"/dashboard/notices/addresses/{row.pk}/"
    desk.post(url, {"do": "test", "key": "a"})
    desk.post(url, {"every": "day"})
    work(2)
    assert len(sent("test")) == 1


def test_the_same_address_in_two_accounts_is_an_address_of_each(desk: Client, stranger: Account) -> None:
    row = add_confirmed(desk)
    assert add(signed_in(Client(), stranger.token)).status_code == 302
    assert set(Subscription.objects.values_list("account", flat=True)) == {row.account_id, stranger.pk}
    assert Subscription.objects.get(account=stranger).confirmed_at is None


def test_an_address_that_is_deleted_or_changes_its_rhythm_keeps_no_mail_of_another_one_back(
    desk: Client, link: ReviewLink
) -> None:
    rows = {}
    for name in ("ana", "beto", "caio"):
        add(desk, f"{name}@example.com")
        rows[name] = Subscription.objects.get(confirmed_at=None)
        confirm_all()
    Reviewer(link.pk, "Ana").post("Hello.", time="0:10")
    work()
    desk.post(f"/dashboard/notices/addresses/{rows['ana'].pk}/", {"do": "delete"})
    desk.post(f"/dashboard/notices/addresses/{rows['beto'].pk}/", {"every": "none"})
    work(301)
    assert [mail.subscription for mail in sent()] == [rows["caio"]]


def test_the_addresses_of_an_account_are_listed_oldest_first(desk: Client) -> None:
    days = {"second": 2, "third": 1, "first": 3}
    for name in days:
        add(desk, f"{name}@example.com")
    for row in Subscription.objects.all():
        Subscription.objects.filter(pk=row.pk).update(
            asked_at=timezone.now() - timedelta(days[row.address.split("@")[0]])
        )
    page = desk.get(SETTINGS).content.decode()
    assert page.index("f…@") < page.index("s…@") < page.index("t…@")


def test_what_waits_leaves_in_the_rhythm_chosen_later(desk: Client, link: ReviewLink) -> None:
    row = add_confirmed(desk, every="day")
    Reviewer(link.pk, "Ana").post("Hello.", time="0:10")
    work()
    desk.post(f"/dashboard/notices/addresses/{row.pk}/", {"every": "now"})
    work(301)
    assert [mail.text.count("Hello.") for mail in sent()] == [1]
    work(90_000)
    assert len(sent()) == 1


def test_never_is_never_and_delete_forgets_the_address(desk: Client, link: ReviewLink) -> None:
    row = add_confirmed(desk)
    desk.post(f"/dashboard/notices/addresses/{row.pk}/", {"every": "none"})
    Reviewer(link.pk, "Ana").post("Hello.", time="0:10")
    work()
    work(90_000)
    assert sent() == []
    desk.post(f"/dashboard/notices/addresses/{row.pk}/", {"do": "delete", "every": "now"})
    assert not Subscription.objects.exists()


def test_a_test_mail_is_sent_once_for_a_form_and_only_to_a_confirmed_address(desk: Client) -> None:
    add(desk)
    row = Subscription.objects.get()
    url = f"/dashboard/notices/addresses/{row.pk}/"
    page = desk.post(url, {"do": "test", "key": "a"}, follow=True).content.decode()
    assert "Confirm the address first." in page
    confirm_all()
    for _press in range(2):
        assert desk.post(url, {"do": "test", "key": "a"}).status_code == 302
    work(2)
    assert [mail.subject for mail in sent("test")] == ["Test e-mail"]


def test_another_account_finds_neither_address_nor_link_nor_mail(
    desk: Client, link: ReviewLink, stranger: Account
) -> None:
    row = add_confirmed(desk)
    work(2)
    (mail,) = Mail.objects.all()
    other = signed_in(Client(), stranger.token)
    assert other.post(f"/dashboard/notices/addresses/{row.pk}/", {"do": "delete"}).status_code == 404
    assert other.post(f"/dashboard/notices/links/{link.pk}/", {"every": "none"}).status_code == 404
    assert other.get(f"/dashboard/notices/mailbox/{mail.pk}/").status_code == 404
    assert other.get(f"/dashboard/notices/mailbox/{mail.pk}/html/").status_code == 404
    assert "example.com" not in other.get(SETTINGS).content.decode()
    assert Client().get(SETTINGS).status_code == 302


@pytest.mark.parametrize("wrong", [{"address": "x"}, {"address": ""}, {"every": "weekly"}])
def test_a_wrong_form_is_explained_and_keeps_what_was_typed(desk: Client, wrong: dict[str, str]) -> None:
    response = desk.post(SETTINGS, {"address": "teo@example.com", "every": "hour"} | wrong)
    assert response.status_code == 422 and 'role="alert"' in response.content.decode()
    assert not Subscription.objects.exists()


def test_an_owner_in_another_account_of_the_link_hears_too(desk: Client, link: ReviewLink, stranger: Account) -> None:
    link.accounts.add(stranger)
    request = signed_in(Client(), stranger.token)
    assert add(request, "other@example.com").status_code == 302
    confirm_all()
    Reviewer(link.pk, "Ana").post("Hello.", time="0:10")
    answer(desk, link)
    work()
    work(301)
    (mail,) = sent()
    assert "Hello." in mail.text and "Done, thank you." in mail.text
    assert subscriptions.list_of_account(stranger)[0] == mail.subscription
