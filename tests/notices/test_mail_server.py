"""What the mail server says decides what happens to an e-mail; it is never sent twice."""

from collections.abc import Callable
from datetime import timedelta
from smtplib import SMTPDataError, SMTPNotSupportedError, SMTPRecipientsRefused, SMTPServerDisconnected
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.environment import MailServer, parse_email_url
from dashboard.notices import mailing
from dashboard.notices.models import Mail, Subscription
from dashboard.upstream import clients
from dashboard.writes import recovery
from dashboard.writes.models import State, Write
from review_portal.models import ReviewLink
from tests.conftest import be_elsewhere
from tests.due import run_due
from tests.moments import measure_span
from tests.notices.conftest import answer, confirm_all, leave_address, work
from tests.review_portal.conftest import Reviewer

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


class Died(BaseException):
    """The process ends here."""


class Server:
    """A mail server: `fails` on opening, `answers` with an error to each e-mail in turn."""

    def __init__(self) -> None:
        self.taken: list[EmailMultiAlternatives] = []
        self.fails: list[BaseException] = []
        self.answers: list[BaseException] = []
        self.takes_first = False

    def __call__(self) -> "Server":
        return self

    def open(self) -> None:
        if self.fails:
            raise self.fails.pop(0)

    def send_messages(self, messages: list[EmailMultiAlternatives]) -> int:
        if self.answers and not self.takes_first:
            raise self.answers.pop(0)
        self.taken += messages
        if self.answers:
            raise self.answers.pop(0)
        return 1

    def close(self) -> None:
        return


@pytest.fixture
def server(
    ana: Reviewer, desk: Client, link: ReviewLink, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> Server:
    """The server, in production, with an answer for Ana that waits to be sent."""
    leave_address(ana)
    confirm_all()
    work(2)
    answer(desk, link)
    work()
    server = Server()
    settings.EMAIL_FROM = settings.DEFAULT_FROM_EMAIL = "Reelroom <reelroom@example.com>"
    settings.MAIL_SERVER = MailServer("mail.example.com")
    monkeypatch.setattr(mailing, "get_connection", server)
    be_elsewhere(monkeypatch)
    return server


def get_write() -> Write:
    return Write.objects.get(subject=str(Mail.objects.get(kind="news").pk))


def test_an_email_leaves_with_both_parts_and_headers_to_stop_it(server: Server) -> None:
    run_due(301)
    (message,) = server.taken
    assert (message.to, message.from_email) == (["ana@example.com"], "Reelroom <reelroom@example.com>")
    assert message.extra_headers["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    assert message.extra_headers["List-Unsubscribe"].startswith("<http://testserver/dashboard/notices/stop/")
    assert message.extra_headers["Message-ID"] == f"<{Mail.objects.get(kind='news').pk}@testserver>"
    (html, kind), *_rest = message.alternatives
    assert kind == "text/html" and "Done, thank you." in str(html) and "Done, thank you." in str(message.body)
    assert "style=" not in str(html) and "<table" not in str(html) and "prefers-color-scheme:dark" in str(html)
    mail = Mail.objects.get(kind="news")
    assert (mail.subject, mail.text, mail.html) == ("", "", ""), "in production no copy is kept"
    assert str(message.message()), "it can be written as a message"


@pytest.mark.parametrize(
    "trouble",
    [ConnectionRefusedError(), TimeoutError(), SMTPServerDisconnected("closed")],
)
def test_without_a_connection_it_is_sent_again_later(server: Server, trouble: Exception) -> None:
    server.fails = [trouble]
    with measure_span() as span:
        run_due(301)
    write = get_write()
    assert (write.state, server.taken) == (State.HELD, [])
    assert span.holds(write.due_at, later=timedelta(seconds=10))
    run_due(11)
    assert len(server.taken) == 1 and get_write().state == State.DONE
    run_due(4000)
    assert len(server.taken) == 1


@pytest.mark.parametrize(
    ("answer_of_server", "state", "refused"),
    [
        (SMTPRecipientsRefused({"ana@example.com": (450, b"busy")}), State.HELD, False),
        (SMTPRecipientsRefused({"ana@example.com": (550, b"unknown")}), State.REFUSED, True),
        (SMTPDataError(451, b"later"), State.HELD, False),
        (SMTPDataError(554, b"no"), State.REFUSED, False),
        (SMTPNotSupportedError("SMTPUTF8"), State.REFUSED, False),
    ],
)
def test_a_refusal_for_now_waits_and_one_for_good_ends(
    server: Server, answer_of_server: Exception, state: State, refused: bool
) -> None:
    server.answers = [answer_of_server]
    run_due(301)
    assert get_write().state == state
    assert (Subscription.objects.get().refused_at is not None) == refused
    run_due(11)
    assert len(server.taken) == (1 if state == State.HELD else 0)


def test_a_server_that_falls_silent_after_it_took_the_email_gets_it_once(server: Server) -> None:
    server.takes_first, server.answers = True, [TimeoutError()]
    run_due(301)
    for _look in range(5):
        run_due(600)
    assert len(server.taken) == 1 and get_write().state == State.DONE and get_write().reason == "replaced"


def test_a_process_killed_in_the_middle_does_not_send_twice(server: Server) -> None:
    server.takes_first, server.answers = True, [Died()]
    with pytest.raises(Died):
        run_due(301)
    assert get_write().state == State.SENDING
    for _look in range(5):
        run_due(600)
    assert len(server.taken) == 1 and get_write().state == State.DONE


def test_after_a_day_it_is_given_up(server: Server) -> None:
    server.fails = [ConnectionRefusedError()]
    run_due(301)
    Mail.objects.update(composed_at=timezone.now() - timedelta(days=1, seconds=1))
    run_due(11)
    assert (get_write().state, server.taken) == (State.REFUSED, [])


def test_a_restored_backup_sends_nothing_of_what_was_open(server: Server) -> None:
    recovery.doubt_restored()
    for _look in range(4):
        run_due(600)
        work()
    assert server.taken == []


def test_after_a_restore_what_is_new_is_told(
    server: Server, desk: Client, link: ReviewLink, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    recovery.doubt_restored()
    for _look in range(4):
        run_due(600)
    with monkeypatch.context() as demo:
        demo.setattr(clients, "embedded", lambda: True)
        answer(desk, link, "After the restore.")
    work()
    work(301)
    (message,) = server.taken
    assert "After the restore." in str(message.body) and "Done, thank you." not in str(message.body)


def test_stopping_while_it_waits_sends_nothing(server: Server, ana: Reviewer) -> None:
    ana.client.post(f"/{ana.link}/email", {"do": "stop"})
    run_due(400)
    assert server.taken == []


def test_without_a_mail_server_pages_offer_no_email(ana: Reviewer, desk: Client, platform_elsewhere: None) -> None:
    assert "by e-mail" not in ana.client.get(f"/{ana.link}/finish").content.decode()
    assert "by e-mail" not in ana.open().content.decode()
    page = desk.get("/dashboard/notices/settings/").content.decode()
    assert "E-mail is not set up on this server" in page and 'name="address"' not in page
    assert desk.post("/dashboard/notices/settings/", {"address": "a@example.com", "every": "now"}).status_code == 404
    assert leave_address(ana).status_code == 302 and not Subscription.objects.exists()
    assert desk.get("/dashboard/notices/mailbox/").status_code == 404


Parse = Callable[[str], Any]


@pytest.mark.parametrize(
    ("url", "server"),
    [
        ("", MailServer()),
        ("smtps://me:p%40ss@mail.example.com", MailServer("mail.example.com", 465, "me", "p@ss", tls=True)),
        ("submission://mail.example.com:2525", MailServer("mail.example.com", 2525, starttls=True)),
        ("smtp://localhost", MailServer("localhost", 25)),
    ],
)
def test_email_url_is_read(url: str, server: MailServer) -> None:
    assert parse_email_url(url) == server


@pytest.mark.parametrize(
    "url", ["mail.example.com", "https://mail.example.com", "smtp://", "smtp://h/path", "smtp://h:x", "smtp://h?x=1"]
)
def test_what_is_no_email_url_is_refused(url: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_email_url(url)
