"""Webhooks as writes: what happens is posted as signed JSON, at once, and again with growing pauses until it is taken.

The body, as JSON: `id` (of the delivery, the same in every attempt), `event` (comment.created, reply.created, decision.made,
decision.withdrawn, test), `created_at`, `account`, and but for a test `link` (`id`, `name`, `title`, `address`) and `item`
(`id`, `author`, `by_owner`, `namesake`: whether another person of this name wrote before, `text`, `verdict`, `seconds`,
`address`). Headers: `Reelroom-Event`, `Reelroom-Delivery`, and `Reelroom-Signature: t=<unix>,v1=<hex>`, where v1 is the
HMAC-SHA256, with the secret, of `<unix>.<body>`. A receiver that knows the delivery already has only to answer 2xx.

The address is one that a person typed: this is the one other place, beside the platform client, that speaks HTTP. It must not become
a way into the network of this server. So the address is https, its host is resolved here, every address that it has must be public,
and the call goes to the very address that was checked; redirects are not followed, nothing of the answer but its status is kept, and
the whole call has a time.
"""

import hashlib
import hmac
import ipaddress
import json
import socket
import ssl
import threading
import time
import uuid
from collections.abc import Collection, Mapping
from datetime import timedelta
from typing import Any, Final
from urllib.parse import urlsplit

import httpx
from django.conf import settings
from django.utils import timezone
from django.utils.crypto import get_random_string

from dashboard.accounts.models import Account
from dashboard.notices import registry
from dashboard.notices.models import Notice, Webhook, WebhookAttempt
from dashboard.notices.registry import NewsKind
from dashboard.platform_api import errors
from dashboard.shared.vault import Unreadable, seal
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.failures import NOT_RECEIVED
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, Absence, NotWanted, Operation, register

TIMEOUT: Final = 10.0
"""Seconds for each of connecting, sending and waiting for the answer; the answer's body is not read."""
DEADLINE: Final = 30.0
"""Seconds for the whole call."""
LONGEST_ADDRESS: Final = 2000


class WrongAddress(ValueError):
    """Nothing was sent: the address is none that may be posted to. `reason` is a word of `pages.REASONS`."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


class NoAnswer(Exception):
    """It may have arrived: no answer came. `reason` as above."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.reason = reason


def check_form(address: str) -> None:
    """Raise `WrongAddress` for an address that can be judged without asking anybody."""
    try:
        parts = urlsplit(address)
        port = parts.port
    except ValueError:
        raise WrongAddress("no-address") from None
    is_printed = address.isascii() and address.isprintable() and " " not in address
    if not parts.hostname or not is_printed or len(address) > LONGEST_ADDRESS or port == 0:
        raise WrongAddress("no-address")
    if parts.scheme != "https" and not (parts.scheme == "http" and settings.WEBHOOKS_TO_THIS_NETWORK):
        raise WrongAddress("not-https")
    if parts.username or parts.password or parts.fragment:
        raise WrongAddress("no-address")


def resolve(address: str) -> str:
    """The public address of its host to connect to. Raises `WrongAddress` where any of them is not public."""
    parts = urlsplit(address)
    try:
        answers = socket.getaddrinfo(parts.hostname, parts.port or 443, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError):
        raise WrongAddress("unknown-host") from None
    hosts = [str(entry[4][0]).partition("%")[0] for entry in answers]
    if not hosts or not (settings.WEBHOOKS_TO_THIS_NETWORK or all(map(is_public, hosts))):
        raise WrongAddress("private")
    return hosts[0]


def is_public(host: str) -> bool:
    """Whether an IP address is one of the open internet, also inside of IPv6 forms that carry an IPv4 address."""
    address = ipaddress.ip_address(host)
    if isinstance(address, ipaddress.IPv6Address):
        inner = address.ipv4_mapped or address.sixtofour or (address.teredo[1] if address.teredo else None)
        if inner is not None:
            return is_public(str(inner))
        if address in ipaddress.ip_network("64:ff9b::/96"):  # an IPv4 address behind a translator
            return is_public(str(ipaddress.IPv4Address(int(address) & 0xFFFFFFFF)))
        if address.is_site_local:  # fec0::/10, which Python counts as global
            return False
    return address.is_global and not address.is_multicast and not address.is_reserved


def post(address: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, int]:
    """Post `body`; the status of the answer and the milliseconds it took. Raises `WrongAddress` and `NoAnswer`."""
    check_form(address)
    host = resolve(address)
    url = httpx.URL(address)
    started = time.monotonic()
    client = httpx.Client(trust_env=False, follow_redirects=False, timeout=TIMEOUT, verify=ssl.create_default_context())
    deadline = threading.Timer(DEADLINE, client.close)  # an answer that comes byte by byte never times out by itself
    deadline.daemon = True
    deadline.start()
    whole = {**headers, "Host": url.netloc.decode("ascii")}
    try:
        with client.stream(
            "POST", url.copy_with(host=host), content=body, headers=whole, extensions={"sni_hostname": url.host}
        ) as answer:
            return answer.status_code, int((time.monotonic() - started) * 1000)
    except httpx.ConnectError:
        raise NoAnswer("no-connection") from None
    except httpx.TimeoutException:
        raise NoAnswer("time-out") from None
    except (httpx.HTTPError, RuntimeError, OSError, ValueError):  # the last three: closed under its hands
        raise NoAnswer("time-out" if time.monotonic() - started >= DEADLINE else "broken") from None
    finally:
        deadline.cancel()
        client.close()


SEND: Final = "notices.send_webhook"
MOST_ATTEMPTS: Final = 24
"""After so many, in about two hours, a delivery is given up."""
PAUSES: Final = (10, 60, 300)
"""Seconds between attempts; the last one repeats."""
GONE: Final = 410
SECOND_PRESS: Final = timedelta(seconds=30)
"""How long the form that made a webhook gets the same answer."""
TEST: Final = "test"
EVENTS: Final = {
    NewsKind.COMMENT: "comment.created",
    NewsKind.REPLY: "reply.created",
    NewsKind.DECISION: "decision.made",
    NewsKind.WITHDRAWAL: "decision.withdrawn",
}
DEMO: Final = "demo"
"""In the place of an error: the demo posts nothing."""


def find(account: Account) -> Webhook | None:
    """The account's webhook, if it has one."""
    return Webhook.objects.filter(account=account).first()


def save(account: Account, address: str) -> tuple[Webhook, str]:
    """Keep the address. Raises `WrongAddress`. Returns the webhook, and its secret where that is new, else "".

    A second press of the form that made it gets the answer of the first: a browser shows only the last one.
    """
    check_form(address)
    if not clients.embedded():
        resolve(address)
    values = {"sealed_address": seal(address), "sealed_secret": seal(get_random_string(40))}
    webhook, is_new = Webhook.objects.get_or_create(account=account, defaults=values)
    if is_new or (webhook.created_at > timezone.now() - SECOND_PRESS and webhook.address == address):
        return webhook, webhook.secret
    webhook.sealed_address = values["sealed_address"]
    webhook.save(update_fields=["sealed_address"])
    return webhook, ""


def renew_secret(webhook: Webhook) -> str:
    """Sign with another secret from now on; returned once, and shown never again."""
    secret = get_random_string(40)
    webhook.sealed_secret = seal(secret)
    webhook.save(update_fields=["sealed_secret"])
    return secret


def delete(webhook: Webhook) -> None:
    """Post nothing any more; what waits is not sent."""
    webhook.delete()


def plan(account_ids: Collection[uuid.UUID], refs: Collection[str]) -> None:
    """Let the notices of these accounts about `refs` be posted, each once."""
    for webhook in Webhook.objects.filter(account_id__in=account_ids):
        new = Notice.objects.filter(account_id=webhook.account_id, ref__in=refs, created_at__gte=webhook.created_at)
        for notice in new:
            _begin(webhook, uuid.uuid5(notice_namespace(webhook), notice.ref), notice.pk)


def notice_namespace(webhook: Webhook) -> uuid.UUID:
    """What keys of this webhook's deliveries are made of."""
    return uuid.uuid5(webhook.account_id, f"webhook {webhook.pk}")


def send_test(webhook: Webhook, key: str) -> Write:
    """Post a test; the same form is the same test."""
    return _begin(webhook, uuid.uuid5(notice_namespace(webhook), f"test {key}"), None)


def _begin(webhook: Webhook, key: uuid.UUID, notice_id: int | None) -> Write:
    request = {"webhook": webhook.pk, "notice": notice_id, "delivery": str(key)}
    intent = outbox.Intent(SEND, scope=str(webhook.account_id), key=key, subject=str(webhook.pk), request=request)
    return outbox.begin(intent, hold=timedelta(seconds=1))[0]


def sign(secret: str, at: int, body: bytes) -> str:
    """The signature of a body posted at this second."""
    digest = hmac.new(secret.encode(), f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={digest}"


def _send(write: Write) -> None:
    webhook = Webhook.objects.select_related("account").filter(pk=write.request["webhook"]).first()
    if webhook is None:
        raise NotWanted
    event, payload = _build_payload(webhook, write)
    body = json.dumps(payload, ensure_ascii=False).encode()
    try:
        headers = {
            "Content-Type": "application/json; charset=utf-8",
            "User-Agent": "Reelroom",
            "Reelroom-Event": event,
            "Reelroom-Delivery": write.request["delivery"],
            "Reelroom-Signature": sign(webhook.secret, int(time.time()), body),
        }
        status, error, milliseconds = _post(webhook.address, body, headers)
    except Unreadable:  # the key of the address is gone
        raise NotWanted from None
    WebhookAttempt.objects.create(
        webhook=webhook, delivery=write.request["delivery"], event=event, status=status, error=error,
        milliseconds=milliseconds,
    )  # fmt: skip
    _judge(write, status, error)


def _post(address: str, body: bytes, headers: dict[str, str]) -> tuple[int | None, str, int]:
    """The answer's status, or the word of why there is none; nothing leaves from the demo."""
    if clients.embedded():
        return None, DEMO, 0
    try:
        status, milliseconds = post(address, body, headers)
    except (WrongAddress, NoAnswer) as problem:
        return None, problem.reason, 0
    return status, "", milliseconds


def _judge(write: Write, status: int | None, error: str) -> None:
    """Raise what keeps the write open, or ends it; return where it was taken."""
    if error == DEMO or (status is not None and 200 <= status < 300):
        return
    if status == GONE or write.attempt >= MOST_ATTEMPTS:
        raise errors.Refused(SEND, status, error)
    pause = PAUSES[min(write.attempt, len(PAUSES)) - 1]
    raise errors.Unreachable(SEND, status, error, retry_after=pause, sent=False)


def _build_payload(webhook: Webhook, write: Write) -> tuple[str, dict[str, Any]]:
    """The event and its body. Raises `NotWanted` for what may not be told any more: a link that was switched off."""
    account = webhook.account
    same = {"id": write.request["delivery"], "account": {"id": str(account.pk), "name": account.name}}
    if write.request["notice"] is None:
        return TEST, {**same, "event": TEST, "created_at": write.created_at.isoformat()}
    notice = Notice.objects.filter(pk=write.request["notice"]).first()
    place = registry.find_place(notice.scope, account) if notice else None
    if notice is None or place is None or not place.is_open or notice.source not in registry.SOURCES:
        raise NotWanted
    news = registry.SOURCES[notice.source].load_news(notice.scope, [notice.ref], account, "")
    if not news:
        raise NotWanted
    item, event = news[0], EVENTS[news[0].kind]
    link = {"id": place.scope, "name": place.name, "title": place.title, "address": place.address}
    return event, {
        **same,
        "event": event,
        "created_at": item.at.isoformat(),
        "link": link,
        "item": {
            "id": item.ref.partition(":")[2], "author": item.author, "by_owner": item.by_owner,
            "namesake": bool(item.mark) and not item.by_owner, "text": item.text, "verdict": item.shape, "seconds": item.moment,
            "address": item.address,
        },
    }  # fmt: skip


def _settle(write: Write) -> Absence:
    """Its sender died. It is posted again: a receiver knows it by its delivery."""
    return ABSENT


def _post_again(write: Write) -> None:
    if write.state != State.REFUSED or write.reason != NOT_RECEIVED:
        return
    again = outbox.Intent(
        SEND, scope=write.scope, key=uuid.uuid5(write.key, "again"), subject=write.subject, request=write.request
    )
    outbox.begin(again, hold=timedelta(seconds=1))


register(Operation(SEND, send=_send, settle=_settle, changed=_post_again, waits=True, longest_reads=4 * TIMEOUT))


def delete_old_attempts() -> None:
    """Forget attempts of long ago."""
    WebhookAttempt.objects.filter(at__lt=timezone.now() - timedelta(days=30)).delete()
