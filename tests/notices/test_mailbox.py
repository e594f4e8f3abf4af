"""The demo's mailbox shows what would be sent, and when; nothing leaves."""

import re

import pytest
from django.core import mail as django_mail
from django.test import Client

from dashboard.notices import letters
from dashboard.notices.models import Mail
from review_portal.models import ReviewLink
from tests.notices.conftest import MAILBOX, answer, confirm_all, leave_address, work
from tests.pages import read_page
from tests.review_portal.conftest import Reviewer

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_an_empty_mailbox_says_what_fills_it(desk: Client) -> None:
    assert "No e-mails yet" in read_page(desk, MAILBOX)


def test_mails_are_listed_as_sent_and_waiting_and_nothing_leaves(ana: Reviewer, desk: Client, link: ReviewLink) -> None:
    leave_address(ana)
    work(2)
    confirm_all()
    answer(desk, link)
    work()
    page = read_page(desk, MAILBOX)
    assert "Sent" in page and re.search(r"Waiting until \d\d:\d\d", page)
    assert "Confirm your e-mail address" in page and "Estudio (Owner) replied to your comment" in page
    mail = Mail.objects.get(kind="news")
    assert "Done, thank you." in read_page(desk, f"{MAILBOX}{mail.pk}/")
    desk.post(f"{MAILBOX}{mail.pk}/send/")
    work()
    assert "Waiting until" not in read_page(desk, MAILBOX)
    assert django_mail.outbox == []


def test_a_mail_server_that_does_not_answer_is_shown_with_the_time_of_the_retry(ana: Reviewer, desk: Client) -> None:
    leave_address(ana, "ana@unreachable.example")
    work(2)
    page = read_page(desk, MAILBOX)
    assert re.search(r"Retry at \d\d:\d\d", page) and "Nothing was lost: 1 e-mail will be sent again" in page


def test_the_html_of_a_mail_can_do_nothing_but_open_links(ana: Reviewer, desk: Client) -> None:
    leave_address(ana)
    work(2)
    response = desk.get(f"{MAILBOX}{Mail.objects.get().pk}/html/")
    policy = response.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy and "script-src" not in policy and "unsafe" not in policy
    assert "sandbox allow-top-navigation-by-user-activation;" in policy and letters.SOURCE in policy
    assert response.headers["X-Frame-Options"] == "SAMEORIGIN"
    assert letters.TAG in response.content.decode()
    frame = read_page(desk, MAILBOX).split("<iframe")[1].split(">")[0]
    assert 'sandbox="allow-top-navigation-by-user-activation"' in frame


def test_words_of_people_are_escaped_in_the_html(ana: Reviewer, desk: Client, link: ReviewLink) -> None:
    leave_address(ana)
    confirm_all()
    link.comments.update(text="<b>A</b><script>x</script>")
    answer(desk, link)
    work()
    body = desk.get(f"{MAILBOX}{Mail.objects.get(kind='news').pk}/html/").content.decode()
    assert "<script" not in body and "&lt;b&gt;A&lt;/b&gt;" in body
