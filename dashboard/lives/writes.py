"""Creating a live, starting it early (section 4.9) and finishing it: each is sent once, and settled by reading.

An accepted start clears the schedule. What creating and finishing do is not shown: a new live is in the list, and a finished
one is not on air any more.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.lives import rules
from dashboard.lives.rules import Pressed, Stage
from dashboard.platform_api.errors import Missing, Refused
from dashboard.platform_api.records.lives import Live
from dashboard.platform_api.values import moment
from dashboard.platform_api.vocabulary import LiveStatus, Message
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.single_records import Kind, open_thing, read_with
from dashboard.writes import outbox
from dashboard.writes.failures import LOST
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, Operation, register
from dashboard.writes.requests import form_intent, next_key

CREATE = "lives.create"
START = "lives.start"
FINISH = "lives.finish"
CLOCKS_DIFFER = timedelta(minutes=1)
"""How far the platform's clock may be behind ours."""
LIVES = Kind[Live](
    "live",
    get=lambda platform, live_id: platform.lives.get(live_id),
    list=lambda platform: platform.lives.list(),
    blank=lambda live_id: Live.from_json({"id": live_id}),
)


@dataclass(frozen=True)
class Presses:
    """The last start and the last finish of a live that were sent from here."""

    start: Write | None = None
    finish: Write | None = None


NO_PRESSES = Presses()


def get_next_key(account: Account, live_id: str, operation: str = START) -> UUID:
    """The key of the next start, or finish. Take it before reading the live: of a live only one of each is open."""
    return next_key(account, operation, live_id)


def start_live(request: OwnerRequest, live: Live, key: UUID) -> Write:
    """Send the start, or wait for the one that another press sends. Raises the `PlatformError` of a refusal."""
    return _press(request, START, live, key, {"scheduled_at": _schedule(live)})


def finish_live(request: OwnerRequest, live: Live, key: UUID) -> Write:
    """Send the finish, or wait for the one that another press sends. Raises the `PlatformError` of a refusal."""
    return _press(request, FINISH, live, key, {"status": live.status})


def _press(request: OwnerRequest, operation: str, live: Live, key: UUID, before: dict[str, Any]) -> Write:
    sends = {"live_id": live.id}
    intent = form_intent(request, operation, subject=live.id, sends=sends, label=live.title, before=before)
    return outbox.perform(replace(intent, key=key))


def list_presses(account: Account) -> QuerySet[Write]:
    """The starts and finishes that were sent, oldest first."""
    sent = (State.SENDING, State.UNCONFIRMED, State.DONE, State.REFUSED)
    presses = Write.objects.filter(account=account, operation__in=(START, FINISH), state__in=sent)
    return presses.order_by("created_at")


def load_presses(account: Account, lives: Sequence[Live]) -> dict[str, Presses]:
    """What was last pressed of each live, by the live's id."""
    found: dict[str, Presses] = {}
    for write in list_presses(account).select_related("account").filter(subject__in=[live.id for live in lives]):
        before = found.get(write.subject, NO_PRESSES)
        name = "start" if write.operation == START else "finish"
        found[write.subject] = replace(before, **{name: write})
    return found


def find_presses(account: Account, live: Live) -> Presses:
    """What was last pressed of one live."""
    return load_presses(account, [live]).get(live.id, NO_PRESSES)


def find_press(account: Account, live_id: str, operation: str) -> Write | None:
    """The last start, or finish, of one live, or None."""
    return list_presses(account).select_related("account").filter(subject=live_id, operation=operation).last()


def get_stage(live: Live, presses: Presses, now: datetime) -> Stage:
    """The stage of a live after what was pressed of it."""
    return rules.stage(live, pressed(live, presses.start), now, finished(presses))


def finished(presses: Presses) -> Pressed | None:
    """What is known of the finish; None where there is none, and where a later start made it old."""
    start, finish = presses.start, presses.finish
    if finish is None or finish.state == State.REFUSED:
        return None
    if start is not None and start.state != State.REFUSED and start.created_at > finish.created_at:
        return None
    return Pressed(finish.sent_at or finish.created_at, finish.state == State.DONE)


def pressed(live: Live, start: Write | None) -> Pressed | None:
    """What is known of the start of `live`. A live that is scheduled again after its start has a new one before it."""
    if start is None or start.state == State.REFUSED:
        return None
    if start.state == State.DONE and live.scheduled_at is not None:
        return None
    is_cleared = live.is_schedule_told and live.scheduled_at is None
    return Pressed(start.sent_at or start.created_at, start.state == State.DONE or is_cleared)


def is_lost(write: Write | None) -> bool:
    """Whether the last start, or finish, never reached the platform."""
    return write is not None and write.state == State.REFUSED and write.reason in LOST


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


def send_finish(write: Write) -> bool:
    """Finish the live."""
    return clients.platform_for(write.owner).lives.finish(write.request["live_id"])


def keep_finish(write: Write, accepted: Any) -> None:
    """Nothing is kept. Raises `ValueError` for an answer that says that the finish was not accepted."""
    if accepted is False:
        raise ValueError("the finish was not accepted")


def settle_finish(write: Write) -> Found | Absence:
    """A live that was on air and is not any more was finished. One that stays on air for long never got the finish."""
    try:
        live = open_thing(read_with(clients.platform_for(write.owner)), LIVES, write.request["live_id"]).record
    except Missing:
        return UNKNOWN
    if live.status in rules.FINISHED:
        return Found()
    was_on_air = (write.before or {}).get("status") == LiveStatus.ONLINE
    if live.status == LiveStatus.OFFLINE and was_on_air:
        return Found()
    is_old = timezone.now() - (write.ended_at or write.created_at) > rules.LATE_AFTER
    return ABSENT if live.status == LiveStatus.ONLINE and is_old else UNKNOWN


def create_live(request: OwnerRequest, payload: dict[str, Any]) -> Write:
    """Send the creation; the same form sent twice is one. Raises the `PlatformError` of a refusal."""
    intent = form_intent(request, CREATE, subject="", sends=payload, label=payload["title"], after=payload)
    return outbox.perform(intent)


def send_creation(write: Write) -> Live:
    """Create the live."""
    return clients.platform_for(write.owner).lives.create(write.request)


def keep_creation(write: Write, created: Live) -> None:
    """Keep the id that the platform gave it."""
    write.subject = created.id
    write.result = {"live_id": created.id}
    write.after = {**write.request, "id": created.id}


def settle_creation(write: Write) -> Found | Absence:
    """Look for a new live of this title and time that no other form created."""
    try:
        lives = clients.platform_for(write.owner).lives.list()
    except Missing:
        return UNKNOWN
    others = Write.objects.filter(account=write.account, operation=CREATE, state=State.DONE).exclude(pk=write.pk)
    taken = set(others.values_list("subject", flat=True))
    alike = [live for live in lives if live.id not in taken and _is_same(live, write.request)]
    since = (write.sent_at or write.created_at) - CLOCKS_DIFFER
    new = [live for live in alike if live.created_at is not None and live.created_at >= since]
    if len(new) == 1:
        return Found(new[0])
    is_unclear = new or any(live.created_at is None for live in alike)
    return UNKNOWN if is_unclear else ABSENT


def _is_same(live: Live, payload: dict[str, Any]) -> bool:
    """Whether a live is as it was asked for; times to the second."""
    asked = moment(payload.get("scheduled_time"))
    told = live.scheduled_at.replace(microsecond=0) if live.scheduled_at else None
    return live.title.strip() == payload["title"].strip() and told == asked


def get_page(write: Write) -> str:
    """Where the live is shown; the list, where it is not known which one it is."""
    return address("lives:live", write.subject) if write.subject else address("lives:lives")


register(Operation(START, send=send_start, keep=keep_start, settle=settle_start, page=get_page))
register(Operation(FINISH, send=send_finish, keep=keep_finish, settle=settle_finish, page=get_page))
register(Operation(CREATE, send=send_creation, keep=keep_creation, settle=settle_creation, page=get_page))
