"""A reviewer leaves an address, confirms it, hears of answers, and stops; nobody else learns the address."""

import re
from datetime import timedelta
from html import unescape

import pytest
from django.db import IntegrityError
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.notices import letters, subscriptions
from dashboard.notices import tasks as notice_tasks
from dashboard.notices.models import Mail, Notice, Subscription
from dashboard.sandbox import models as platform
from dashboard.writes.models import Write
from dashboard.writes.recovery import restored
from review_portal import tasks
from review_portal.models import Comment, ReviewLink
from tests.moments import at_statement
from tests.notices.conftest import answer, confirm_all, leave_address, sent, work
from tests.pages import read_page
from tests.review_portal.conftest import Reviewer, imported

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def find_link(text: str, part: str) -> str:
    """The path of the first link of an e-mail with this part."""
    found = re.search(rf"http://testserver(/\S*{part}\S*)", text)
    assert found, text
    return found[1]


def test_reviewer_leaves_an_address_confirms_hears_of_the_answer_and_stops(
    ana: Reviewer, desk: Client, link: ReviewLink
) -> None:
    assert "Get answers by e-mail" in unescape(ana.open().content.decode())
    assert leave_address(ana).url == f"/{link.pk}/finish#email"
    page = read_page(ana.client, f"/{link.pk}/finish")
    assert "Press the button in the e-mail to a…@example.com" in page and "ana@example.com" not in page
    work(2)
    (confirmation,) = sent("confirm")
    path = find_link(confirmation.text, "/confirm/")
    visitor = Client()
    assert "Confirm address" in visitor.get(path).content.decode()
    assert not Subscription.objects.get().is_on, "a visit confirms nothing: scanners open links"
    assert "confirmed" in visitor.post(path).content.decode()
    assert "a…@example.com gets answers on this link." in read_page(ana.client, f"/{link.pk}/finish")

    answer(desk, link)
    work(299)
    assert sent() == []
    work(2)
    (mail,) = sent()
    assert mail.subject == "Estudio (Owner) replied to your comment on “Serra Alta, launch film”"
    assert "You: Lower the wordmark." in mail.text and "Estudio (Owner)" in mail.text
    assert "Done, thank you." in mail.html and "<table" not in mail.html
    room = Client().get(find_link(mail.text, "/comments/"))
    place = room.headers["Location"]
    assert room.status_code == 302 and "t=42" in place and "#c-" in place

    stop = find_link(mail.text, "/stop/")
    assert "Stop these e-mails" in Client().get(stop).content.decode()
    assert Subscription.objects.get().is_on
    program = Client(enforce_csrf_checks=True)
    assert program.post(stop, {"List-Unsubscribe": "One-Click"}).status_code == 200
    gone = Subscription.objects.get()
    assert (gone.sealed_address, gone.fingerprint, gone.is_on) == ("", "", False)
    assert "E-mails are stopped" in read_page(ana.client, f"/{link.pk}/finish")
    answer(desk, link, "One more.")
    work(400)
    assert len(sent()) == 0 and not Write.objects.filter(operation="notices.send_mail", state="held").exists()


def test_the_address_is_sealed_and_in_no_page_or_export_of_others(
    ana: Reviewer, desk: Client, link: ReviewLink
) -> None:
    leave_address(ana)
    row = Subscription.objects.get()
    assert "ana@" not in row.sealed_address and row.address == "ana@example.com"
    others = [
        desk.get(f"/dashboard/review-links/{link.pk}/"),
        Client().get(f"/{link.pk}"),
        Client().get(f"/{link.pk}/finish"),
    ]
    others += [Client().get(f"/{link.pk}/export.{kind}") for kind in ("json", "csv", "txt")]
    for response in others:
        assert b"@example.com" not in response.content


@pytest.mark.parametrize(
    "wrong",
    [
        "",
        "ana",
        "ana@",
        "ana @example.com",
        "ana@example.com\nBcc: x@example.com",
        "a" * 250 + "@e.com",
        "root@localhost",
        "root@[127.0.0.1]",
    ],
)
def test_a_malformed_address_is_refused_at_the_field_with_what_was_typed(
    ana: Reviewer, link: ReviewLink, wrong: str
) -> None:
    response = leave_address(ana, wrong)
    assert response.status_code == 422
    assert "This is no e-mail address" in response.content.decode() and not Subscription.objects.exists()
    assert not Write.objects.filter(operation="notices.send_mail").exists()


@pytest.mark.parametrize(("length", "status"), [(254, 302), (255, 422)])
def test_an_address_can_have_254_characters(ana: Reviewer, length: int, status: int) -> None:
    assert leave_address(ana, "a" * (length - 6) + "@e.com").status_code == status
    assert Subscription.objects.count() == (status == 302)


def test_two_reviewers_of_a_link_each_keep_their_address(ana: Reviewer, link: ReviewLink) -> None:
    jonas = Reviewer(link.pk, "Jonas")
    jonas.post("Louder.", time="0:05")
    for reviewer, address in ((ana, "ana@example.com"), (jonas, "jonas@example.com")):
        assert leave_address(reviewer, address).status_code == 302
    assert sorted(row.address for row in Subscription.objects.all()) == ["ana@example.com", "jonas@example.com"]


def test_a_burst_of_answers_is_one_mail_and_ones_own_words_are_none(
    ana: Reviewer, desk: Client, link: ReviewLink
) -> None:
    leave_address(ana)
    confirm_all()
    for text in ("First.", "Second.", "Third."):
        answer(desk, link, text)
        work(60)
    comment = Comment.objects.get(text="Lower the wordmark.")
    ana.post("Thanks!", reply_to=str(comment.comment_id))
    work(200)
    (mail,) = sent()
    assert mail.subject == "3 new comments on “Serra Alta, launch film”"
    assert all(text in mail.text for text in ("First.", "Second.", "Third.")) and "Thanks!" not in mail.text
    work(4000)
    assert len(sent()) == 1
    answer(desk, link, "Fourth.")
    work()
    work(301)
    assert [mail.text.count("Second.") for mail in sent()] == [1, 0]


def test_another_reviewer_in_the_thread_is_heard_and_elsewhere_not(ana: Reviewer, link: ReviewLink) -> None:
    leave_address(ana)
    confirm_all()
    jonas = Reviewer(link.pk, "Jonas")
    comment = Comment.objects.get(text="Lower the wordmark.")
    jonas.post("I agree.", reply_to=str(comment.comment_id))
    jonas.post("Something else.", time="0:50")
    work()
    work(301)
    (mail,) = sent()
    assert "I agree." in mail.text and "Something else." not in mail.text


def test_no_word_of_a_link_that_was_switched_off_leaves(ana: Reviewer, desk: Client, link: ReviewLink) -> None:
    leave_address(ana)
    confirm_all()
    answer(desk, link)
    work()
    ReviewLink.objects.update(status="inactive")
    platform.ReviewLink.objects.update(status="inactive")
    work(301)
    assert sent() == []
    assert (
        Write.objects.get(operation="notices.send_mail", request__mail=str(Mail.objects.get(kind="news").pk)).state
        == "cancelled"
    )


def test_a_resolved_thread_that_the_link_hides_is_told_to_no_reviewer(
    ana: Reviewer, desk: Client, link: ReviewLink
) -> None:
    leave_address(ana)
    confirm_all()
    answer(desk, link)
    work()
    ReviewLink.objects.update(show_resolved=False)
    Comment.objects.filter(reply_to=None).update(status="resolved")
    work(301)
    assert sent() == []


def test_a_second_press_on_the_confirmation_loses_nothing_that_waits(
    ana: Reviewer, desk: Client, link: ReviewLink
) -> None:
    leave_address(ana)
    confirm_all()
    answer(desk, link)
    work()
    token = letters.build_confirmation(Subscription.objects.get())
    assert "is confirmed" in Client().post(f"/dashboard/notices/confirm/{token}/").content.decode()
    work(301)
    assert len(sent()) == 1


def test_a_confirmation_works_once_in_time_and_only_the_newest(ana: Reviewer, link: ReviewLink) -> None:
    leave_address(ana)
    first = letters.build_confirmation(Subscription.objects.get())
    work(2)
    leave_address(ana, do="again")
    second = letters.build_confirmation(Subscription.objects.get())
    assert Client().post(f"/dashboard/notices/confirm/{first}/").status_code == 410
    Subscription.objects.update(asked_at=timezone.now() - timedelta(days=2, seconds=1))
    assert Client().post(f"/dashboard/notices/confirm/{second}/").status_code == 410
    assert "has expired" in read_page(ana.client, f"/{link.pk}/finish")
    Subscription.objects.update(asked_at=timezone.now() - timedelta(days=2) + timedelta(minutes=1))
    assert Client().post(f"/dashboard/notices/confirm/{second}/").status_code == 200
    row = Subscription.objects.get()
    Client().post(f"/dashboard/notices/stop/{letters.build_stop(row)}/")
    assert Client().post(f"/dashboard/notices/confirm/{second}/").status_code == 410, "it does not begin again"


@pytest.mark.parametrize(("do", "address"), [("", "new@example.com"), ("stop", "")])
def test_a_press_that_was_on_its_way_confirms_no_later_address_and_none_that_was_stopped(
    ana: Reviewer, do: str, address: str
) -> None:
    leave_address(ana)
    pressed = Subscription.objects.get()
    leave_address(ana, address, do=do)
    subscriptions.confirm(pressed)
    assert not Subscription.objects.get().is_on and Subscription.objects.get().confirmed_at is None


def test_a_restore_confirms_no_address(ana: Reviewer) -> None:
    leave_address(ana)
    restored.send(None)
    assert Subscription.objects.get().confirmed_at is None


def test_a_form_pressed_twice_sends_one_confirmation(ana: Reviewer) -> None:
    leave_address(ana)
    token = letters.build_confirmation(Subscription.objects.get())
    leave_address(ana)
    work(2)
    assert len(sent("confirm")) == 1
    assert Client().post(f"/dashboard/notices/confirm/{token}/").status_code == 200


@pytest.mark.parametrize("token", ["x", "a" * 300, "%00", "636f6d70~0", "é"])
def test_a_token_that_nobody_signed_confirms_and_stops_nothing(ana: Reviewer, token: str) -> None:
    leave_address(ana)
    assert Client().post(f"/dashboard/notices/confirm/{token}/").status_code in (404, 410)
    assert Client().post(f"/dashboard/notices/stop/{token}/").status_code in (200, 404)
    row = Subscription.objects.get()
    assert row.confirmed_at is None and row.stopped_at is None


def test_one_address_gets_three_confirmations_a_day_and_nothing_tells(
    ana: Reviewer, link: ReviewLink, account: Account, one_window: None
) -> None:
    for _n in range(4):
        assert leave_address(ana).status_code == 302
        work(2)
    jonas = Reviewer(link.pk, "Jonas")
    jonas.post("Mine.", time="0:10")
    response = leave_address(jonas, "ANA@example.com")
    assert response.status_code == 302
    assert "Press the button in the e-mail" in read_page(jonas.client, f"/{link.pk}/finish")
    work(2)
    path = find_link(sent("confirm")[-1].text, "/confirm/")
    assert len(sent("confirm")) == 3
    assert Client().get(path).status_code == 200, "the last that was sent works, however often it is asked for"
    assert not Mail.objects.filter(subscription__person=str(link.reviewers.get(name="Jonas").pk)).exists()


def test_a_network_and_a_link_have_limits(ana: Reviewer, link: ReviewLink, one_window: None) -> None:
    statuses = [leave_address(ana, f"a{number}@example.com").status_code for number in range(11)]
    assert statuses == [302] * 10 + [429]


def test_somebody_without_a_comment_cannot_make_us_write_to_an_address(link: ReviewLink) -> None:
    assert Client().post(f"/{link.pk}/email", {"address": "x@example.com"}).status_code == 302
    assert not Subscription.objects.exists()


def test_addresses_go_thirty_days_after_their_link_has_closed(ana: Reviewer, link: ReviewLink) -> None:
    leave_address(ana)
    confirm_all()
    ReviewLink.objects.update(expires_at=timezone.now() - timedelta(days=30) + timedelta(minutes=1))
    tasks.forget_addresses.call()
    assert Subscription.objects.count() == 1
    ReviewLink.objects.update(expires_at=timezone.now() - timedelta(days=30, minutes=1))
    tasks.forget_addresses.call()
    assert (
        not Subscription.objects.exists()
        and not Mail.objects.exists()
        and not Notice.objects.filter(account=None).exists()
    )


@pytest.mark.parametrize("told", [True, False], ids=["the platform told when", "it did not"])
def test_addresses_go_thirty_days_after_their_link_was_switched_off(
    ana: Reviewer, link: ReviewLink, told: bool
) -> None:
    leave_address(ana)
    ReviewLink.objects.update(status="inactive", updated_at=timezone.now() - timedelta(days=30) + timedelta(minutes=1))
    tasks.forget_addresses.call()
    assert Subscription.objects.count() == 1
    long_ago = timezone.now() - timedelta(days=30, minutes=1)
    changed = {"updated_at": long_ago} if told else {"updated_at": None, "known_since": long_ago}
    ReviewLink.objects.update(**changed)
    tasks.forget_addresses.call()
    assert not Subscription.objects.exists()


def test_an_address_that_two_presses_leave_at_once_is_kept_once(ana: Reviewer) -> None:
    def refuse() -> None:
        raise IntegrityError("the other press was faster")

    with at_statement('INSERT INTO "notices_subscription"', refuse):
        assert leave_address(ana).status_code == 302
    assert Subscription.objects.count() == 1 and Mail.objects.count() == 1


def test_an_address_stays_another_thirty_days_only_on_its_own_link(
    ana: Reviewer, link: ReviewLink, account: Account, world: object
) -> None:
    leave_address(ana)
    other = imported(account, world.link(name="Other"), world.video.pk)  # type: ignore[attr-defined]  # a World
    ReviewLink.objects.filter(pk=other.pk).update(expires_at=timezone.now() - timedelta(days=40))
    tasks.forget_addresses.call()
    assert Subscription.objects.count() == 1


def answer_and_work(desk: Client, link: ReviewLink, text: str) -> None:
    answer(desk, link, text)
    work()
    work(301)


def test_an_address_that_was_changed_or_stopped_and_left_again_hears_of_answers(
    ana: Reviewer, desk: Client, link: ReviewLink
) -> None:
    leave_address(ana, "old@example.com")
    confirm_all()
    answer_and_work(desk, link, "First.")
    for address in ("new@example.com", "third@example.com"):
        ana.client.post(f"/{link.pk}/email", {"do": "stop"})
        leave_address(ana, address)
        confirm_all()
        answer_and_work(desk, link, f"For {address}")
        assert [f"For {address}" in mail.text for mail in sent()] == [True]


@pytest.mark.parametrize(
    ("asked", "confirmed", "refused", "stays"),
    [
        (29, None, None, True),
        (31, None, None, False),
        (31, 31, None, True),
        (31, 31, 29, True),
        (31, 31, 31, False),
    ],
)
def test_address_is_deleted_30_days_after_nobody_confirmed_it_or_it_was_refused(
    ana: Reviewer, desk: Client, link: ReviewLink, asked: int, confirmed: int | None, refused: int | None, stays: bool
) -> None:
    leave_address(ana)
    days = {"asked_at": asked, "confirmed_at": confirmed, "refused_at": refused}
    now = timezone.now()
    Subscription.objects.update(**{name: None if ago is None else now - timedelta(ago) for name, ago in days.items()})
    notice_tasks.forget_old.call()
    assert Subscription.objects.exists() is stays


def test_news_are_told_once_also_when_the_first_mails_are_deleted_after_90_days(
    ana: Reviewer, desk: Client, link: ReviewLink
) -> None:
    leave_address(ana)
    confirm_all()
    answer(desk, link, "First.")
    work()
    answer(desk, link, "In the same e-mail.")
    work()
    work(301)
    answer_and_work(desk, link, "Later.")
    old = Mail.objects.filter(kind="news").order_by("created_at").first()
    assert old is not None
    long_ago = timezone.now() - timedelta(days=90)
    last, first = old.notices.order_by("-pk")
    Mail.objects.filter(pk=old.pk).update(created_at=long_ago - timedelta(minutes=1))
    Notice.objects.filter(pk=first.pk).update(created_at=long_ago - timedelta(minutes=1))
    Notice.objects.filter(pk=last.pk).update(created_at=long_ago + timedelta(minutes=4))
    notice_tasks.forget_old.call()
    assert not Notice.objects.filter(pk=first.pk).exists() and Notice.objects.filter(pk=last.pk).exists()
    answer_and_work(desk, link, "Today.")
    assert [mail.text.count("In the same") + 2 * mail.text.count("Today.") for mail in sent()][-1] == 2
    Notice.objects.filter(pk=last.pk).update(created_at=long_ago - timedelta(minutes=1))
    notice_tasks.forget_old.call()
    assert not Mail.objects.filter(pk=old.pk).exists()
    answer_and_work(desk, link, "Tomorrow.")
    assert "Tomorrow." in sent()[-1].text


@pytest.mark.parametrize(
    ("language", "words"),
    [
        ("en", "replied to your comment"),
        ("pt-br", "respondeu ao seu comentário"),
        ("es", "respondió a tu comentario"),
    ],
)
def test_mails_are_in_the_language_of_whoever_asked(
    ana: Reviewer, desk: Client, link: ReviewLink, language: str, words: str
) -> None:
    ana.client.cookies["language"] = language
    leave_address(ana)
    confirm_all()
    answer(desk, link)
    work()
    work(301)
    (mail,) = sent()
    assert f'lang="{language}"' in mail.html and words in mail.subject
