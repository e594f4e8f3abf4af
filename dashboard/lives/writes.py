"""Starting a live early (section 4.9): sent once, settled by reading, because an accepted start clears the schedule."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db.models import QuerySet

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.lives.rules import Pressed
from dashboard.platform_api.errors import Missing, Refused
from dashboard.platform_api.records.lives import Live
from dashboard.platform_api.vocabulary import LiveStatus, Message
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.opened import Kind, open_thing, read_with
from dashboard.writes import outbox
from dashboard.writes.failures import LOST
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, Operation, register
from dashboard.writes.requests import form_intent, next_key

START = "lives.start"
LIVES = Kind[Live](
    "live",
    get=lambda platform, live_id: platform.lives.get(live_id),
    list=lambda platform: platform.lives.list(),
    blank=lambda live_id: Live.from_json({"id": live_id}),
)


def get_next_key(account: Account, live_id: str) -> UUID:
    """The key of the next start. Take it before reading the live: of a live only one start is open."""
    return next_key(account, START, live_id)


def start_live(request: OwnerRequest, live: Live, key: UUID) -> Write:
    """Send the start, or wait for the one that another press sends. Raises the `PlatformError` of a refusal."""
    intent = form_intent(
        request,
        START,
        subject=live.id,
        sends={"live_id": live.id},
        label=live.title,
        before={"scheduled_at": _schedule(live)},
    )
    return outbox.perform(replace(intent, key=key))


def list_starts(account: Account) -> QuerySet[Write]:
    """The starts that were sent, oldest first."""
    sent = (State.SENDING, State.UNCONFIRMED, State.DONE, State.REFUSED)
    return Write.objects.filter(account=account, operation=START, state__in=sent).order_by("created_at")


def find_start(account: Account, live_id: str) -> Write | None:
    """The last start of one live, or None."""
    return list_starts(account).select_related("account").filter(subject=live_id).last()


def load_starts(account: Account, lives: Sequence[Live]) -> dict[str, Write]:
    """The last start of each live, by the live's id."""
    return {write.subject: write for write in list_starts(account).filter(subject__in=[live.id for live in lives])}


def pressed(live: Live, start: Write | None) -> Pressed | None:
    """What is known of the start of `live`. A live that is scheduled again after its start has a new one before it."""
    if start is None or start.state == State.REFUSED:
        return None
    if start.state == State.DONE and live.scheduled_at is not None:
        return None
    is_cleared = live.is_schedule_told and live.scheduled_at is None
    return Pressed(start.sent_at or start.created_at, start.state == State.DONE or is_cleared)


def is_lost(start: Write | None) -> bool:
    """Whether the last start never reached the platform."""
    return start is not None and start.state == State.REFUSED and start.reason in LOST


def _schedule(live: Live) -> str | None:
    return live.scheduled_at.isoformat() if live.scheduled_at else None


def send_start(write: Write) -> bool:
    """Start the live. "Already started", after an attempt whose answer never came, tells that this attempt arrived."""
    try:
        return clients.platform_for(write.owner).lives.start(write.request["live_id"])
    except Refused as error:
        if write.ended_at is None or error.message.strip() != Message.LIVE_ALREADY_STARTED:
            raise
        return True


def keep_start(write: Write, accepted: Any) -> None:
    """Nothing is kept. Raises `ValueError` for an answer that does not say that the start was accepted."""
    if accepted is False:
        raise ValueError("the start was not accepted")


def settle_start(write: Write) -> Found | Absence:
    """An accepted start clears the schedule; one that did not arrive leaves the live offline at the time it had."""
    try:
        live = open_thing(read_with(clients.platform_for(write.owner)), LIVES, write.request["live_id"]).record
    except Missing:
        return UNKNOWN
    is_cleared = live.is_schedule_told and live.scheduled_at is None
    if is_cleared or live.status == LiveStatus.ONLINE:
        return Found()
    if live.scheduled_at is None:
        return UNKNOWN
    unchanged = live.status == LiveStatus.OFFLINE and _schedule(live) == (write.before or {}).get("scheduled_at")
    return ABSENT if unchanged else UNKNOWN


def get_page(write: Write) -> str:
    """Where the start is shown."""
    return address("lives:live", write.subject)


register(Operation(START, send=send_start, keep=keep_start, settle=settle_start, page=get_page))
