"""Live broadcasts [2.9, 3, 4.9]; list, get, create and finish are assumed (gaps 6)."""

from typing import Final

from django.utils.dateparse import parse_datetime

from dashboard.platform_api.vocabulary import LIVE_BITRATES, Latency, LiveStatus, Message
from dashboard.sandbox import clock, serializers
from dashboard.sandbox.http_types import Answer, Refusal, SandboxRequest, as_uuid, bad_request, not_found, ok
from dashboard.sandbox.models import Live, live_id
from dashboard.sandbox.validators import Boolean, Choice, Field, ListOf, Nullable, Shape, Text, Uuid

TITLE_MAX: Final = 255
NEW: Final = Shape(
    (
        Field("title", Text(1, TITLE_MAX), required=True),
        Field("scheduled_at", Text(), note="ISO 8601 with an offset; `scheduled_time` means the same"),
        Field("scheduled_time", Text()),
        Field("active_dvr", Boolean()),
        Field("bitrate", ListOf(Choice(LIVE_BITRATES))),
        Field("folder_id", Nullable(Uuid())),
        Field("latency_type", Choice(tuple(Latency))),
    )
)

OPTIONS: Final = ("active_dvr", "bitrate", "folder_id", "latency_type")


def list_lives(request: SandboxRequest) -> Answer:
    """GET /lives: newest first."""
    lives = request.organization.lives.order_by("-created_at", "id")
    return ok({"lives": [serializers.live(live, request.now) for live in lives]})


def get(request: SandboxRequest) -> Answer:
    """GET /lives/{live_id}."""
    return ok(serializers.live_with_key(_addressed(request), request.now))


def create(request: SandboxRequest) -> Answer:
    """POST /live: an offline live, scheduled where a time is given. Its folder is one of the account."""
    body = NEW.check(request.json())
    text = body.get("scheduled_at") or body.get("scheduled_time")
    try:
        at = parse_datetime(text) if text else None
    except ValueError:
        at = None
    if text and (at is None or at.tzinfo is None):
        raise bad_request("scheduled_at must be an ISO 8601 time with an offset")
    options = {name: body[name] for name in OPTIONS if name in body}
    folder = options.get("folder_id")
    if folder and not request.organization.folders.filter(pk=folder).exists():
        raise not_found("folder_id: folder not found")
    live = Live.objects.create(
        pk=live_id(),
        organization=request.organization,
        title=body["title"],
        options=options,
        scheduled_at=at,
        created_at=request.now,
        updated_at=request.now,
    )
    return ok(serializers.live_with_key(live, request.now))


def start(request: SandboxRequest) -> Answer:
    """POST /lives/{live_id}/start: accepted; on air a while later. Checks: 404, then the 400s, then the 500s [7]."""
    live = _addressed(request)
    plan = request.organization.plan
    if live.status != LiveStatus.OFFLINE or live.scheduled_at is None:
        raise bad_request(Message.LIVE_ALREADY_STARTED)
    if plan == "trial":
        raise bad_request(Message.LIVE_NOT_FOR_TRIAL)
    if not plan:
        raise Refusal(500, Message.LIVE_SUBSCRIPTION_UNREAD)
    if live.ingest_broken:
        raise Refusal(500, Message.LIVE_INGEST_FAILED)
    live.scheduled_at = None
    live.online_at = request.now + clock.LIVE_ONLINE_AFTER
    live.updated_at = request.now
    live.save()
    return ok({"status": True})


def finish(request: SandboxRequest) -> Answer:
    """POST /lives/{live_id}/finish: a live that is online ends."""
    live = _addressed(request)
    if live.status_at(request.now) != LiveStatus.ONLINE:
        raise bad_request("live is not online")
    live.status, live.finished_at, live.updated_at = LiveStatus.FINISHED, request.now, request.now
    live.save()
    return ok({"status": True})


def _addressed(request: SandboxRequest) -> Live:
    text = request.arguments["live_id"]
    identifier = as_uuid(text)
    if identifier is None:
        raise bad_request(Message.LIVE_ID_INVALID.format(live_id=text))
    live = request.organization.lives.filter(pk=identifier).first()
    if live is None:
        raise not_found(Message.LIVE_NOT_FOUND.format(live_id=text))
    return live
