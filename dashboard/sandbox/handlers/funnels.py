"""Funnels [2.9, 4.10]; list and get are assumed."""

from typing import Final

from django.db.models import Prefetch

from dashboard.platform_api.vocabulary import Message
from dashboard.sandbox import serializers
from dashboard.sandbox.http_types import (
    Answer,
    JsonObject,
    SandboxRequest,
    as_uuid,
    bad_request,
    forbidden,
    not_found,
    ok,
)
from dashboard.sandbox.models import Funnel, FunnelVideo, Organization, Video
from dashboard.sandbox.validators import Boolean, Field, ListOf, Number, Shape, Uuid

COORDINATES: Final = Shape((Field("x", Number(), required=True), Field("y", Number(), required=True)))
PLACE: Final = Shape(
    (
        Field("id", Uuid(), required=True),
        Field("front_coordinates", COORDINATES, required=True),
        Field("is_first", Boolean(), note="true for exactly one item"),
    )
)
PLACES: Final = Shape((Field("id", Uuid(), required=True), Field("videos", ListOf(PLACE, least=1), required=True)))
_WHICH: Final = Shape((Field("id", Uuid(), required=True),))
_PLACED: Final = Prefetch("placed", FunnelVideo.objects.select_related("video").order_by("-is_first", "id"))


def list_funnels(request: SandboxRequest) -> Answer:
    """GET /funnels."""
    funnels = request.organization.funnels.prefetch_related(_PLACED).order_by("-created_at", "id")
    return ok({"funnels": [serializers.funnel(funnel) for funnel in funnels]})


def get(request: SandboxRequest) -> Answer:
    """GET /funnels/{funnel_id}."""
    identifier = as_uuid(request.arguments["funnel_id"])
    funnel = (
        request.organization.funnels.prefetch_related(_PLACED).filter(pk=identifier).first() if identifier else None
    )
    if funnel is None:
        raise not_found("Funnel not found")
    return ok(serializers.funnel(funnel))


def add_videos(request: SandboxRequest) -> Answer:
    """POST /funnels/add_videos. Checks: 404 (funnel), 403 (another organization's), then the 400s in order [7]."""
    organization, sent = request.organization, request.json()
    funnel = Funnel.objects.filter(pk=_WHICH.check(sent)["id"]).first()
    if funnel is None:
        raise not_found("Funnel not found")
    if funnel.organization_id != organization.id:
        raise forbidden("User does not belong to the funnel's organization")
    places: list[JsonObject] = PLACES.check(sent)["videos"]
    firsts = sum(place.get("is_first", False) for place in places)
    if firsts == 0:
        raise bad_request(Message.FUNNEL_NEEDS_FIRST)
    if firsts > 1:
        raise bad_request(Message.FUNNEL_ONE_FIRST)
    videos = _videos(organization, places)
    funnel.placed.update(is_first=False)
    for place in places:
        _place(funnel, videos[place["id"]], place)
    Video.objects.filter(pk__in=[video.pk for video in videos.values()]).update(
        folder=funnel.folder_id, updated_at=request.now
    )
    funnel.updated_at = request.now
    funnel.save()
    return ok({"message": "Videos added to the funnel"})


def _videos(organization: Organization, places: list[JsonObject]) -> dict[str, Video]:
    by_id = {str(video.id): video for video in organization.videos.filter(pk__in=[place["id"] for place in places])}
    if any(place["id"] not in by_id for place in places):
        raise bad_request(Message.FUNNEL_VIDEO_UNKNOWN)
    return by_id


def _place(funnel: Funnel, video: Video, place: JsonObject) -> None:
    """Put a video at its coordinates; one that is there already moves."""
    values = {**place["front_coordinates"], "is_first": place.get("is_first", False)}
    FunnelVideo.objects.update_or_create(funnel=funnel, video=video, defaults=values)
