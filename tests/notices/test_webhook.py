"""Webhooks: signed JSON, posted until it is taken, and never into the network of this server."""

import hashlib
import hmac
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from dashboard.accounts.models import Account
from dashboard.notices import webhooks
from dashboard.notices.models import Webhook, WebhookAttempt
from dashboard.notices.webhooks import NoAnswer, WrongAddress
from dashboard.writes.models import State, Write
from review_portal.models import ReviewLink
from tests.conftest import be_elsewhere, signed_in
from tests.due import run_due
from tests.moments import at_statement, measure_span
from tests.notices.conftest import answer, work
from tests.pages import read_page
from tests.review_portal.conftest import Reviewer

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PAGE = "/dashboard/notices/webhook/"


class Receiver:
    """A server of the account's people on this machine: `answers` are statuses in turn, then 204."""

    def __init__(self) -> None:
        self.answers: list[int] = []
        self.taken: list[tuple[dict[str, str], bytes]] = []
        receiver = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                receiver.taken.append((dict(self.headers), body))
                status = receiver.answers.pop(0) if receiver.answers else 204
                self.send_response(status)
                if status in (301, 302, 307, 308):
                    self.send_header("Location", "http://127.0.0.1:1/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: Any) -> None:
                return

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        self.address = f"http://127.0.0.1:{self.server.server_port}/hook?token=of-theirs"


@pytest.fixture
def receiver(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Receiver]:
    """A receiver, in production, with the check of addresses relaxed."""
    settings.WEBHOOKS_TO_THIS_NETWORK = True
    be_elsewhere(monkeypatch)
    receiver = Receiver()
    yield receiver
    receiver.server.shutdown()
    receiver.server.server_close()


def set_up(desk: Client, address: str) -> str:
    """The secret that the page shows once."""
    response = desk.post(PAGE, {"address": address})
    assert response.status_code == 200, response.content.decode()
    return str(re.findall(r'id="secret" value="([^"]+)"', response.content.decode())[0])


@pytest.mark.loopback
def test_a_comment_is_posted_as_json_whose_signature_holds(
    receiver: Receiver, desk: Client, link: ReviewLink, account: Account
) -> None:
    secret = set_up(desk, receiver.address)
    assert (
        secret not in read_page(desk, PAGE)
        and "of-theirs" not in read_page(desk, PAGE)
        and "127.0.0.1" in read_page(desk, PAGE)
    )
    Reviewer(link.pk, "Ana Prado").post("Lower the wordmark.", time="0:42")
    answer(desk, link)
    work()
    with measure_span() as span:
        run_due(2)
    (headers, body), *rest = receiver.taken
    assert rest == [], "own answers are not posted"
    at, signature = re.fullmatch(r"t=(\d+),v1=([0-9a-f]{64})", headers["Reelroom-Signature"]).groups()  # type: ignore[union-attr]
    assert hmac.compare_digest(
        hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest(), signature
    )
    assert int(span.began.timestamp()) <= int(at) <= int(span.ended.timestamp())
    told = json.loads(body)
    assert (told["event"], told["item"]["text"], told["item"]["seconds"]) == (
        "comment.created",
        "Lower the wordmark.",
        42,
    )
    assert (told["account"]["id"], told["link"]["id"]) == (str(account.pk), str(link.pk))
    assert headers["Reelroom-Delivery"] == told["id"] and headers["Host"].startswith("127.0.0.1:")
    work(400)
    assert len(receiver.taken) == 1
    assert "HTTP 204" in read_page(desk, PAGE)


@pytest.mark.loopback
def test_what_is_not_taken_is_posted_again_with_the_same_delivery(receiver: Receiver, desk: Client) -> None:
    set_up(desk, receiver.address)
    receiver.answers = [500, 302]
    for _press in range(2):
        desk.post(PAGE, {"do": "test", "key": "a"})
    run_due(2)
    due_at = Write.objects.get(operation=webhooks.SEND).due_at
    run_due(11)
    run_due(61)
    assert [json.loads(body)["event"] for _headers, body in receiver.taken] == ["test"] * 3
    assert len({headers["Reelroom-Delivery"] for headers, _body in receiver.taken}) == 1 and due_at
    assert list(WebhookAttempt.objects.order_by("pk").values_list("status", flat=True)) == [500, 302, 204]
    assert Write.objects.get(operation=webhooks.SEND).state == State.DONE
    page = read_page(desk, PAGE)
    assert re.search(r'<button [^>]*name="do" value="test">Post a test</button>', page)
    log = page[page.index('id="attempts-title"') :]
    assert [log.count(f"HTTP {status}") for status in (500, 302, 204)] == [1, 1, 1], "each attempt is in the log"


@pytest.mark.loopback
def test_a_receiver_that_says_gone_or_never_takes_it_ends_it(receiver: Receiver, desk: Client) -> None:
    set_up(desk, receiver.address)
    receiver.answers = [410]
    desk.post(PAGE, {"do": "test", "key": "a"})
    run_due(2)
    assert Write.objects.get(operation=webhooks.SEND).state == State.REFUSED
    receiver.answers = [500] * 40
    desk.post(PAGE, {"do": "test", "key": "b"})
    for _look in range(30):
        run_due(301)
    assert len(receiver.taken) == 1 + webhooks.MOST_ATTEMPTS
    assert not Write.objects.filter(operation=webhooks.SEND, state=State.HELD).exists()


@pytest.mark.loopback
def test_a_sender_that_was_killed_posts_again_what_the_receiver_can_recognise(receiver: Receiver, desk: Client) -> None:
    class Died(BaseException):
        """The process ends here."""

    set_up(desk, receiver.address)
    desk.post(PAGE, {"do": "test", "key": "a"})

    def die() -> None:
        raise Died

    with at_statement('INSERT INTO "notices_webhookattempt"', die), pytest.raises(Died):
        run_due(2)
    for _look in range(6):
        run_due(120)
    assert len(receiver.taken) == 2 and len({headers["Reelroom-Delivery"] for headers, _body in receiver.taken}) == 1


@pytest.mark.loopback
def test_no_word_of_a_switched_off_link_is_posted(receiver: Receiver, desk: Client, link: ReviewLink) -> None:
    set_up(desk, receiver.address)
    Reviewer(link.pk, "Ana").post("Secret words.", time="0:10")
    work()
    ReviewLink.objects.update(status="inactive")
    run_due(2)
    assert receiver.taken == []


@pytest.mark.loopback
def test_a_receiver_that_never_ends_its_answer_is_left_after_the_deadline(
    settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.WEBHOOKS_TO_THIS_NETWORK = True
    monkeypatch.setattr(webhooks, "DEADLINE", 0.5)
    listening = socket.create_server(("127.0.0.1", 0))

    def trickle() -> None:
        connection, _address = listening.accept()
        try:
            for _byte in range(600):
                connection.sendall(b"H")
                threading.Event().wait(0.1)
        except OSError:
            return
        finally:
            connection.close()

    thread = threading.Thread(target=trickle, daemon=True)
    thread.start()
    started = time.monotonic()
    with pytest.raises(NoAnswer):
        webhooks.post(f"http://127.0.0.1:{listening.getsockname()[1]}/", b"{}", {})
    assert time.monotonic() - started < 30
    thread.join(5)
    listening.close()


@pytest.mark.parametrize(
    "host",
    [
        "127.0.0.1", "10.1.2.3", "172.16.0.1", "192.168.1.1", "169.254.169.254", "0.0.0.0", "100.64.0.1", "224.0.0.1",  # noqa: S104
        "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "ff02::1",
        "fec0::1", "::7f00:1",
    ],
)  # fmt: skip
def test_addresses_of_this_network_are_refused_however_they_are_written(
    host: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert not webhooks.is_public(host)
    public = (socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443))
    private = (socket.AF_INET, socket.SOCK_STREAM, 6, "", (host, 443))
    for found in ([private], [public, private], [private, public]):
        monkeypatch.setattr(socket, "getaddrinfo", lambda *args, found=found, **how: found)
        with pytest.raises(WrongAddress, match="private"):
            webhooks.resolve("https://hooks.example.com/x")


@pytest.mark.parametrize("host", ["93.184.215.14", "8.8.8.8", "2606:4700::1111"])
def test_addresses_of_the_internet_are_taken(host: str) -> None:
    assert webhooks.is_public(host)


@pytest.mark.parametrize(
    "address",
    ["http://hooks.example.com/", "ftp://h/", "https://", "https://me:pass@h.example/", "https://h:99999/", "https://h.example/#x",
     "https://h example/", "https://é.example/", "javascript:alert(1)", "https://h.example/" + "a" * 2000],
)  # fmt: skip
def test_what_is_no_https_address_is_refused_at_the_field(desk: Client, address: str) -> None:
    response = desk.post(PAGE, {"address": address})
    assert response.status_code == 422 and 'role="alert"' in response.content.decode()
    assert not Webhook.objects.exists()


def test_the_address_that_was_checked_is_the_one_that_is_called(monkeypatch: pytest.MonkeyPatch) -> None:
    """A name that leads elsewhere a moment later leads nowhere: it is resolved once."""
    asked: list[Any] = []
    found = [(socket.AF_INET, socket.SOCK_STREAM, 6, "", ("93.184.215.14", 443))]

    def look_up(*args: Any, **how: Any) -> Any:
        asked.append(args)
        return found

    monkeypatch.setattr(socket, "getaddrinfo", look_up)
    called: list[Any] = []

    def connect(address: Any, *args: Any, **how: Any) -> Any:
        called.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(NoAnswer):
        webhooks.post("https://hooks.example.com/x", b"{}", {})
    assert called == [("93.184.215.14", 443)] and len(asked) == 1


def test_the_demo_posts_nothing_and_says_so(desk: Client) -> None:
    set_up(desk, "https://hooks.example.com/x")
    desk.post(PAGE, {"do": "test", "key": "a"})
    run_due(2)
    assert "Not posted: this is the demo" in read_page(desk, PAGE)


def test_a_second_press_shows_the_secret_that_the_first_made_and_a_later_one_does_not(desk: Client) -> None:
    secret = set_up(desk, "https://hooks.example.com/x")
    assert set_up(desk, "https://hooks.example.com/x") == secret
    assert desk.post(PAGE, {"address": "https://hooks.example.com/y"}).status_code == 302, "a change shows no secret"
    Webhook.objects.update(created_at=timezone.now() - webhooks.SECOND_PRESS)
    assert desk.post(PAGE, {"address": "https://hooks.example.com/y"}).status_code == 302


def test_a_webhook_is_sealed_and_asked_about_before_it_goes(desk: Client, stranger: Account) -> None:
    secret = set_up(desk, "https://hooks.example.com/x")
    row = Webhook.objects.get()
    assert secret not in row.sealed_secret and "hooks" not in row.sealed_address and row.secret == secret
    other = signed_in(Client(), stranger.token)
    assert "hooks.example.com" not in read_page(other, PAGE)
    other.post(PAGE, {"do": "delete"})
    assert Webhook.objects.count() == 1
    assert "Delete the webhook?" in read_page(desk, f"{PAGE}?ask=delete") and Webhook.objects.count() == 1
    renewed = desk.post(PAGE, {"do": "secret"}).content.decode()
    assert Webhook.objects.get().secret in renewed and Webhook.objects.get().secret != secret
    desk.post(PAGE, {"address": "https://hooks.example.com/y"})
    assert Webhook.objects.get().address == "https://hooks.example.com/y"
    desk.post(PAGE, {"do": "delete"})
    assert not Webhook.objects.exists()
