"""View models of the webhook."""

import json
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from django.utils.translation import gettext as _

from dashboard.notices.models import Webhook, WebhookAttempt
from dashboard.notices.webhooks import DEMO
from dashboard.shared import formats
from dashboard.shared.vault import Unreadable
from dashboard.upstream import clients

LISTED: Final = 30
SAMPLE: Final = {
    "id": "5f0c…",
    "event": "comment.created",
    "created_at": "2026-11-20T13:05:00+00:00",
    "account": {"id": "8d4d…", "name": "Serra Alta"},
    "link": {"id": "e3fa…", "name": "Cut 3", "title": "Launch", "address": "/dashboard/review-links/e3fa…/"},
    "item": {
        "id": "90ab…",
        "author": "Priya Nair",
        "by_owner": False,
        "namesake": False,
        "text": "Lower the wordmark.",
        "verdict": "",
        "seconds": 42,
        "address": "/dashboard/review-links/e3fa…/#c-90ab…",
    },
}
REASONS: dict[str, Callable[[], str]] = {
    "no-address": lambda: _("This is no address. Write one that begins with https:// and has no name or password."),
    "not-https": lambda: _("The address must begin with https://."),
    "unknown-host": lambda: _("No server has this name. Check the address for typing errors."),
    "private": lambda: _("This address belongs to a private network. Use one that is reachable from the internet."),
    "no-connection": lambda: _("No connection"),
    "time-out": lambda: _("No answer in time"),
    "broken": lambda: _("The connection broke"),
    DEMO: lambda: _("Not posted: this is the demo"),
}
"""What each word of `webhook_client` means."""


@dataclass(frozen=True)
class AttemptRow:
    """A line of the log."""

    when: str
    event: str
    delivery: str
    kind: str
    result: str
    took: str


@dataclass(frozen=True)
class WebhookQuestion:
    """What is asked before something that cannot be undone."""

    act: str
    title: str
    sentence: str
    verb: str


@dataclass(frozen=True)
class WebhookPage:
    """notices/webhook.html. `secret` only once, after it was made."""

    host: str
    secret: str
    key: str
    sample: str
    demo: bool
    attempts: tuple[AttemptRow, ...]
    ask: WebhookQuestion | None


def describe_reason(reason: str) -> str:
    """Why nothing was taken, in words."""
    return REASONS[reason]() if reason in REASONS else reason


def _build_question(act: str) -> WebhookQuestion | None:
    if act == "delete":
        sentence = _("Nothing is posted any more, and the secret and the log are lost.")
        return WebhookQuestion(act, _("Delete the webhook?"), sentence, _("Delete webhook"))
    if act == "secret":
        sentence = _("What is posted from then on is signed with the new one. Your server has to know it first.")
        return WebhookQuestion(act, _("Create a new secret?"), sentence, _("Create secret"))
    return None


def build_webhook_page(webhook: Webhook | None, secret: str, asked: str) -> WebhookPage:
    """The webhook with its last attempts."""
    attempts = webhook.attempts.order_by("-at", "-pk")[:LISTED] if webhook else ()
    return WebhookPage(
        host=_get_host(webhook) if webhook else "",
        secret=secret,
        key=str(uuid.uuid4()),
        sample=json.dumps(SAMPLE, indent=2, ensure_ascii=False),
        demo=clients.embedded(),
        attempts=tuple(map(_build_row, attempts)),
        ask=_build_question(asked) if webhook else None,
    )


def _get_host(webhook: Webhook) -> str:
    """Only the host: the rest of an address may be a secret."""
    try:
        return urlsplit(webhook.address).hostname or ""
    except Unreadable:
        return _("unreadable address")


def _build_row(attempt: WebhookAttempt) -> AttemptRow:
    taken = attempt.status is not None and 200 <= attempt.status < 300
    result = describe_reason(attempt.error) if attempt.status is None else f"HTTP {attempt.status}"
    return AttemptRow(
        when=formats.moment_or_time(attempt.at),
        event=attempt.event,
        delivery=str(attempt.delivery)[:8],
        kind="finished" if taken else "none" if attempt.error == DEMO else "error",
        result=result,
        took=_("%(count)s ms") % {"count": formats.number(attempt.milliseconds)} if attempt.status else "",
    )
