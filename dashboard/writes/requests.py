"""From a form of the dashboard to an intent: whose it is, who acts, and which key it carries."""

import json
import uuid
from typing import Any

from django.http import HttpRequest

from dashboard.accounts.models import Account
from dashboard.activity.models import Entry
from dashboard.activity.recorder import actor_of
from dashboard.platform_api.errors import BadToken
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import parse_uuid
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.models import SETTLED, State, Write
from dashboard.writes.outbox import Intent

KEY_FIELD = "write_key"
"""The hidden field that `{% write_key %}` puts into a form."""
ATTEMPT_FIELD = "attempt"
"""The hidden field of a form about an unconfirmed write: which attempt the person saw."""


def form_intent(
    request: OwnerRequest,
    operation: str,
    *,
    subject: str,
    sends: dict[str, Any],
    label: str = "",
    before: Any = None,
    after: Any = None,
    undoes: Entry | None = None,
) -> Intent:
    """The intent of the form in `request`. One form may write several things: the key carries what is sent as well.

    `sends` is what `Operation.send` reads, JSON only.
    """
    text = json.dumps([operation, subject, sends], sort_keys=True)
    return Intent(
        operation=operation,
        scope=scope_of(request.account),
        key=uuid.uuid5(form_key(request), text),
        request=sends,
        account=request.account,
        actor=actor_of(request, request.account),
        subject=subject,
        label=label,
        before=before,
        after=after,
        undoes=undoes,
    )


def submit(intent: Intent) -> Write:
    """Like `outbox.perform`, for operations that wait: the write is returned however it ended. Raises `BadToken`.

    `Write.state` says what to tell: a held one will be sent by the worker, a refused one has its `error`.
    """
    if clients.is_rehearsing():
        return outbox.perform(intent)
    write, _new = outbox.begin(intent)
    if write.state == State.HELD:
        outbox.deliver(write)
    if write.state == State.SENDING:
        outbox.wait_for_answer(write)
    if write.state == State.HELD and isinstance(write.raised, BadToken):
        raise write.raised
    return write


def scope_of(account: Account) -> str:
    """Whose keys an account's forms carry."""
    return str(account.pk)


def next_key(account: Account, operation: str, subject: str, **part: str) -> uuid.UUID:
    """The key of a write of which only one may be open at a time, whoever asks for it, in whichever tab.

    `part` names a part of the subject by what its writes have in their request, such as one language of a video.

    It changes when the one before is settled. Take it before you read whether the write may still be begun: what settles
    in between is then found under this key, and not begun a second time.
    """
    settled = Write.objects.filter(operation=operation, subject=subject, account=account, state__in=SETTLED)
    settled = settled.filter(**{f"request__{name}": value for name, value in part.items()})
    last = settled.order_by("settled_at").values_list("pk", flat=True).last()
    return uuid.uuid5(account.pk, " ".join([operation, subject, *part.values(), str(last)]))


def is_current(request: HttpRequest, write: Write) -> bool:
    """Whether the form of `components/_open_write.html` was drawn for the last attempt of `write`.

    "Send again", pressed twice, is then one sending, also where the first one ended unconfirmed again.
    """
    return request.POST.get(ATTEMPT_FIELD) == str(write.attempt)


def form_key(request: HttpRequest) -> uuid.UUID:
    """The key that came with the form; a form without one is a new write each time."""
    return parse_uuid(request.POST.get(KEY_FIELD)) or uuid.uuid4()
