"""Custom fields of a video [2.6, 4.6]; list and create in the public shapes (gaps 1)."""

from typing import Final

from dashboard.platform_api.vocabulary import FIELD_KEY, FIELD_KEY_MAX, FIELD_VALUE_MAX
from dashboard.sandbox import serializers
from dashboard.sandbox.http_types import Answer, SandboxRequest, as_uuid, bad_request, not_found, ok
from dashboard.sandbox.lookup import addressed_video
from dashboard.sandbox.models import CustomField, Video
from dashboard.sandbox.validators import Field, Shape, Text

FIELDS_MAX: Final = 50
_KEY: Final = Text(1, FIELD_KEY_MAX, FIELD_KEY, r"^[A-Za-z0-9]+$")
_VALUE: Final = Field("value", Text(1, FIELD_VALUE_MAX), required=True)
NEW: Final = Shape((Field("key", _KEY, required=True), _VALUE))
CHANGES: Final = Shape((Field("key", _KEY), _VALUE))


def list_custom_fields(request: SandboxRequest) -> Answer:
    """GET /videos/{video_id}?custom_fields: a bare array."""
    return ok(
        [
            serializers.custom_field(field)
            for field in addressed_video(request).custom_fields.order_by("created_at", "id")
        ]
    )


def create(request: SandboxRequest) -> Answer:
    """POST /videos/{video_id}?custom_fields: 201, at most 50 per video."""
    video = addressed_video(request)
    body = NEW.check(request.json())
    _check_free(video, body["key"])
    if video.custom_fields.count() >= FIELDS_MAX:
        raise bad_request(f"A video can have at most {FIELDS_MAX} custom fields")
    field = CustomField.objects.create(
        video=video, key=body["key"], value=body["value"], created_at=request.now, updated_at=request.now
    )
    return Answer(201, serializers.custom_field(field))


def update(request: SandboxRequest) -> Answer:
    """PUT /videos/{video_id}?custom_fields&id={custom_field_id}. `value` is validated on every call."""
    video = addressed_video(request)
    if "id" not in request.query:
        raise bad_request("id is required")
    identifier = as_uuid(request.query["id"])
    field = video.custom_fields.filter(pk=identifier).first() if identifier else None
    if field is None:
        raise not_found("Custom field not found")
    body = CHANGES.check(request.json())
    key = body.get("key", field.key)
    if key != field.key:
        _check_free(video, key)
    field.key, field.value, field.updated_at = key, body["value"], request.now
    field.save()
    return ok(serializers.custom_field(field))


def _check_free(video: Video, key: str) -> None:
    if video.custom_fields.filter(key=key).exists():
        raise bad_request("key already exists for this video")
