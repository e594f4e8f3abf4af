"""A/B tests [2.5, 3, 4.5]. Only their paths and rules are specified: bodies and refusals are assumed."""

from typing import Final

from dashboard.platform_api.vocabulary import TestStatus
from dashboard.sandbox import serializers
from dashboard.sandbox.http_types import Answer, Json, SandboxRequest, bad_request, not_found, ok
from dashboard.sandbox.models import Comparison, ComparisonVideo, Video
from dashboard.sandbox.validators import Field, ListOf, Nullable, Shape, Text, Uuid, video_of

NAME_MAX: Final = 255
DESCRIPTION_MAX: Final = 5000
_DESCRIPTION: Final = Field("description", Nullable(Text(0, DESCRIPTION_MAX)))
_VIDEOS: Final = Field("video_ids", ListOf(Uuid()))
NEW: Final = Shape((Field("name", Text(1, NAME_MAX), required=True), _DESCRIPTION, _VIDEOS))
CHANGES: Final = Shape((Field("name", Text(1, NAME_MAX)), _DESCRIPTION, _VIDEOS))
WINNER_NAMES: Final = ("winner_video_id", "winner", "winner_id", "video_id")
WINNER: Final = Shape((Field("winner", Uuid(), required=True, note="Id of an attached video"),))
CHOSEN: Final = Shape((Field("id", Text(1), required=True, note="Id of the A/B test"),))


def list_comparisons(request: SandboxRequest) -> Answer:
    """GET /comparison: newest first, with the zone name beside the list [2.5]."""
    every = request.organization.comparisons.prefetch_related("variants__video").order_by("-created_at", "id")
    comparisons = [serializers.comparison(comparison, None) for comparison in every]
    return ok({"comparisons": comparisons, "pullzone": request.organization.pullzone})


def get(request: SandboxRequest) -> Answer:
    """GET /comparison/{id}."""
    return _shown(request, _addressed(request))


def create(request: SandboxRequest) -> Answer:
    """POST /comparison: a DRAFT."""
    organization = request.organization
    body = NEW.check(request.json())
    videos = _videos(request, body.get("video_ids", []))
    comparison = Comparison.objects.create(
        organization=organization,
        name=body["name"],
        description=body.get("description") or "",
        created_at=request.now,
        updated_at=request.now,
    )
    _attach(comparison, videos)
    return _shown(request, comparison)


def update(request: SandboxRequest) -> Answer:
    """PUT /comparison/{id}?type=update: `video_ids` counts only while DRAFT and is silently ignored after [3]."""
    comparison = _addressed(request)
    body = CHANGES.check(request.json())
    comparison.name = body.get("name", comparison.name)
    if "description" in body:
        comparison.description = body["description"] or ""
    if "video_ids" in body and comparison.status == TestStatus.DRAFT:
        videos = _videos(request, body["video_ids"])
        comparison.variants.all().delete()
        _attach(comparison, videos)
    return _saved(request, comparison)


def start(request: SandboxRequest) -> Answer:
    """PUT /comparison/{id}?type=start: DRAFT with two or more variants to IN_PROGRESS."""
    comparison = _addressed(request)
    if comparison.status != TestStatus.DRAFT:
        raise bad_request("Only a comparison in DRAFT can be started")
    if comparison.variants.count() < 2:
        raise bad_request("A comparison needs at least two videos to be started")
    comparison.status, comparison.started_at = TestStatus.IN_PROGRESS, request.now
    return _saved(request, comparison)


def finish(request: SandboxRequest) -> Answer:
    """PUT /comparison/{id}?type=finish: IN_PROGRESS to COMPLETED with a winner among its variants."""
    comparison = _addressed(request)
    winner = _winner(request.json())
    if comparison.status != TestStatus.IN_PROGRESS:
        raise bad_request("Only a comparison in IN_PROGRESS can be finished")
    variant = comparison.variants.select_related("video").filter(video_id=winner).first()
    if variant is None:
        raise bad_request("winner must be a video of the comparison")
    comparison.status, comparison.finished_at = TestStatus.COMPLETED, request.now
    comparison.winner = variant.video
    return _saved(request, comparison)


def delete(request: SandboxRequest) -> Answer:
    """DELETE /comparison: the id in the body, or in the query."""
    identifier = request.query.get("id") or CHOSEN.check(request.json())["id"]
    _found(request, identifier).delete()
    return ok({"message": "Comparison deleted"})


def _winner(body: Json) -> str:
    if isinstance(body, dict):
        named = next((name for name in WINNER_NAMES if name in body), "winner")
        body = {"winner": body[named]} if named in body else body
    winner: str = WINNER.check(body)["winner"]
    return winner


def _addressed(request: SandboxRequest) -> Comparison:
    return _found(request, request.arguments["comparison_id"])


def _found(request: SandboxRequest, identifier: str) -> Comparison:
    comparison = request.organization.comparisons.filter(pk=identifier.lower()).first()
    if comparison is None:
        raise not_found("Comparison not found")
    return comparison


def _videos(request: SandboxRequest, identifiers: list[str]) -> list[Video]:
    return [video_of(request.organization, identifier) for identifier in dict.fromkeys(identifiers)]


def _attach(comparison: Comparison, videos: list[Video]) -> None:
    """Attach variants; the part of the loads that are played differs from variant to variant, and always the same way."""
    for position, video in enumerate(videos):
        rate = 0.30 + (video.id.int % 20) / 100
        ComparisonVideo.objects.create(comparison=comparison, video=video, position=position, play_rate=rate)


def _saved(request: SandboxRequest, comparison: Comparison) -> Answer:
    comparison.updated_at = request.now
    comparison.save()
    return _shown(request, comparison)


def _shown(request: SandboxRequest, comparison: Comparison) -> Answer:
    fresh = Comparison.objects.prefetch_related("variants__video").get(pk=comparison.pk)
    return ok(serializers.comparison(fresh, request.organization.pullzone))
