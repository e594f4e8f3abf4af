"""Writes of lives: create, start early (section 4.9) and finish. Each is sent once; an unclear end is settled by reading.

An accepted start clears the schedule. A new live is found in the list, and a finished one is no longer on air: the
platform's documents do not say more.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.lives import rules
from dashboard.lives.rules import Attempt, Fact, Stage
from dashboard.platform_api.errors import CallError, Missing, Refused
from dashboard.platform_api.lives import Live
from dashboard.platform_api.public_files import LiveFile
from dashboard.platform_api.values import moment
from dashboard.platform_api.vocabulary import LiveStatus, Message
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.upstream.library import find_pullzone
from dashboard.upstream.single_records import Kind, Opened, Read, Source, is_untold, open_thing, read_with
from dashboard.writes import outbox
from dashboard.writes.failures import LOST
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, Operation, register
from dashboard.writes.requests import form_intent, next_key

CREATE = "lives.create"
START = "lives.start"
FINISH = "lives.finish"
CLOCKS_DIFFER = timedelta(minutes=1)
"""How far the platform's clock may be behind this server's."""
LIVES = Kind[Live](
    "live",
    get=lambda platform, live_id: platform.lives.get(live_id),
    list=lambda platform: platform.lives.list(),
    blank=lambda live_id: Live.from_json({"id": live_id}),
)


def open_live(read: Read, account: Account, live_id: str) -> Opened[Live]:
    """What is known of a live: where the platform's API does not show it, from its public file (gaps 15, A8).

    The file does not tell the schedule, and every state that is not one of the player's has not begun. Raises like `open_thing`.
    """
    opened = open_thing(read, LIVES, live_id)
    zone = find_pullzone(account) if opened.is_unknown else ""
    if not zone:
        return opened
    try:
        file: LiveFile = read(lambda platform: platform.public_files.live(zone, live_id))
    except CallError as error:
        return opened if is_untold(error) else replace(opened, error=error)
    status = file.status if file.status in {LiveStatus.ONLINE, *rules.FINISHED} else LiveStatus.OFFLINE
    known = {"id": live_id, "title": file.title, "status": status, "thumbnail": file.thumbnail_url}
    return Opened(Live.from_json(known), Source.PUBLIC)


@dataclass(frozen=True)
class SentWrites:
    """The last start and the last finish of one live that were sent from here; None for none."""

    start: Write | None = None
    finish: Write | None = None


NOTHING_SENT = SentWrites()


def get_next_key(account: Account, live_id: str, operation: str = START) -> UUID:
    """The key of the next start (or finish) of a live. Get it before reading the live: only one of each can be open."""
    return next_key(account, operation, live_id)


def start_live(request: OwnerRequest, live: Live, key: UUID) -> Write:
    """Send the start, or wait for the same start in another request. Raises the `PlatformError` of a refusal."""
    return _send(request, START, live, key, {"scheduled_at": _format_schedule(live)})


def finish_live(request: OwnerRequest, live: Live, key: UUID) -> Write:
    """Send the finish, or wait for the same finish in another request. Raises the `PlatformError` of a refusal."""
    return _send(request, FINISH, live, key, {"status": live.status})


def _send(request: OwnerRequest, operation: str, live: Live, key: UUID, before: dict[str, Any]) -> Write:
    sends = {"live_id": live.id}
    intent = form_intent(request, operation, subject=live.id, sends=sends, label=live.title, before=before)
    return outbox.perform(replace(intent, key=key))


def list_sent_writes(account: Account) -> QuerySet[Write]:
    """The account's starts and finishes that were sent, oldest first."""
    states = (State.SENDING, State.UNCONFIRMED, State.DONE, State.REFUSED)
    writes = Write.objects.filter(account=account, operation__in=(START, FINISH), state__in=states)
    return writes.order_by("created_at")


def load_sent_writes(account: Account, lives: Sequence[Live]) -> dict[str, SentWrites]:
    """The last start and finish of each of these lives, by the live's id."""
    by_live: dict[str, SentWrites] = {}
    for write in list_sent_writes(account).select_related("account").filter(subject__in=[live.id for live in lives]):
        previous = by_live.get(write.subject, NOTHING_SENT)
        name = "start" if write.operation == START else "finish"
        by_live[write.subject] = replace(previous, **{name: write})
    return by_live


def find_sent_writes(account: Account, live: Live) -> SentWrites:
    """The last start and finish of one live."""
    return load_sent_writes(account, [live]).get(live.id, NOTHING_SENT)


def find_last_write(account: Account, live_id: str, operation: str) -> Write | None:
    """The last write of `operation` on one live, or None."""
    return list_sent_writes(account).select_related("account").filter(subject=live_id, operation=operation).last()


def get_stage(live: Live, sent_writes: SentWrites, now: datetime) -> Stage:
    """The stage of a live, from the platform's status and the writes sent from here."""
    return rules.get_stage(live, get_start_attempt(live, sent_writes), now, get_finish_attempt(live, sent_writes))


def get_finish_attempt(_live: Live, sent_writes: SentWrites) -> Attempt | None:
    """The last finish; None if there is none, if it was refused, or if a later start was sent."""
    start, finish = sent_writes.start, sent_writes.finish
    if finish is None or finish.state == State.REFUSED:
        return None
    if start is not None and start.state != State.REFUSED and start.created_at > finish.created_at:
        return None
    return Attempt(finish.sent_at or finish.created_at, finish.state == State.DONE)


def get_start_attempt(live: Live, sent_writes: SentWrites) -> Attempt | None:
    """The last start; None if there is none, if it was refused, or if the live was scheduled again after it."""
    start = sent_writes.start
    if start is None or start.state == State.REFUSED:
        return None
    if start.state == State.DONE and live.scheduled_at is not None:
        return None
    is_cleared = live.is_schedule_told and live.scheduled_at is None
    return Attempt(start.sent_at or start.created_at, start.state == State.DONE or is_cleared)


def is_lost(write: Write | None) -> bool:
    """Whether this start or finish never reached the platform."""
    return write is not None and write.state == State.REFUSED and write.reason in LOST


def _format_schedule(live: Live) -> str | None:
    return live.scheduled_at.isoformat() if live.scheduled_at else None


def send_start(write: Write) -> None:
    """Start the live. "Already started" counts as success if an earlier attempt got no answer: that attempt arrived."""
    try:
        clients.platform_for(write.owner).lives.start(write.request["live_id"])
    except Refused as error:
        if write.ended_at is None or error.message.strip() != Message.LIVE_ALREADY_STARTED:
            raise


def settle_start(write: Write) -> Found | Absence:
    """Whether the start was accepted: it cleared the schedule, or the live is offline at the time it had before."""
    return _settle(write, _was_started)


def _was_started(live: Live, write: Write) -> Fact:
    is_cleared = live.is_schedule_told and live.scheduled_at is None
    if is_cleared or live.status == LiveStatus.ONLINE:
        return Fact.YES
    if live.scheduled_at is None:
        return Fact.UNKNOWN
    before = (write.before or {}).get("scheduled_at")
    is_unchanged = live.status == LiveStatus.OFFLINE and _format_schedule(live) == before
    return Fact.NO if is_unchanged else Fact.UNKNOWN


def _settle(write: Write, was_done: Callable[[Live, Write], Fact]) -> Found | Absence:
    """Read the live and decide by `was_done` what became of the write."""
    try:
        read = read_with(clients.platform_for(write.owner))
        live = open_live(read, write.owner, write.request["live_id"]).record
    except Missing:
        return UNKNOWN
    match was_done(live, write):
        case Fact.YES:
            return Found()
        case Fact.NO:
            return ABSENT
    return UNKNOWN


def send_finish(write: Write) -> None:
    """Finish the live."""
    clients.platform_for(write.owner).lives.finish(write.request["live_id"])


def settle_finish(write: Write) -> Found | Absence:
    """Whether the finish was accepted: the live left the air, or is still on air after `LATE_AFTER`."""
    return _settle(write, _was_finished)


def _was_finished(live: Live, write: Write) -> Fact:
    was_on_air = (write.before or {}).get("status") == LiveStatus.ONLINE
    if live.status in rules.FINISHED or (live.status == LiveStatus.OFFLINE and was_on_air):
        return Fact.YES
    is_old = timezone.now() - (write.ended_at or write.created_at) > rules.LATE_AFTER
    return Fact.NO if live.status == LiveStatus.ONLINE and is_old else Fact.UNKNOWN


def create_live(request: OwnerRequest, payload: dict[str, Any]) -> Write:
    """Send the creation; a form posted twice creates one live. Raises the `PlatformError` of a refusal."""
    intent = form_intent(request, CREATE, subject="", sends=payload, label=payload["title"], after=payload)
    return outbox.perform(intent)


def send_creation(write: Write) -> Live:
    """Create the live."""
    return clients.platform_for(write.owner).lives.create(write.request)


def keep_creation(write: Write, created: Live) -> None:
    """Store the id that the platform gave the live."""
    write.subject = created.id
    write.after = {**write.request, "id": created.id}


def settle_creation(write: Write) -> Found | Absence:
    """Search the list for a new live of this title and time that no other write created."""
    try:
        lives = clients.platform_for(write.owner).lives.list()
    except Missing:
        return UNKNOWN
    other_creations = Write.objects.filter(account=write.account, operation=CREATE, state=State.DONE).exclude(
        pk=write.pk
    )
    known_ids = set(other_creations.values_list("subject", flat=True))
    same_lives = [live for live in lives if live.id not in known_ids and _is_same(live, write.request)]
    since = (write.sent_at or write.created_at) - CLOCKS_DIFFER
    new_lives = [live for live in same_lives if live.created_at is not None and live.created_at >= since]
    if len(new_lives) == 1:
        return Found(new_lives[0])
    is_unclear = new_lives or any(live.created_at is None for live in same_lives)
    return UNKNOWN if is_unclear else ABSENT


def _is_same(live: Live, payload: dict[str, Any]) -> bool:
    """Whether a live has the title and the scheduled time of the request; times to the second."""
    scheduled_time = moment(payload.get("scheduled_time"))
    live_time = live.scheduled_at.replace(microsecond=0) if live.scheduled_at else None
    return live.title.strip() == payload["title"].strip() and live_time == scheduled_time


def get_page(write: Write) -> str:
    """Address of the live's page; of the list if its id is not known."""
    return address("lives:live", write.subject) if write.subject else address("lives:lives")


register(Operation(START, send=send_start, settle=settle_start, page=get_page))
register(Operation(FINISH, send=send_finish, settle=settle_finish, page=get_page))
register(Operation(CREATE, send=send_creation, keep=keep_creation, settle=settle_creation, page=get_page))
