"""Assistants and the visibility of their chat [4.13]; the list is a guess."""

from typing import Final

from django.db.models import Prefetch

from dashboard.sandbox import serializers
from dashboard.sandbox.http_types import Answer, SandboxRequest, as_uuid, not_found, ok
from dashboard.sandbox.lookup import video_of
from dashboard.sandbox.models import ChatVisibility
from dashboard.sandbox.validators import Boolean, Field, Shape, Text

VISIBILITY: Final = Shape(
    (
        Field("assistant_id", Text(1), required=True),
        Field("video_id", Text(1), required=True),
        Field("chat_is_visible", Boolean(), required=True),
    )
)
_CHATS: Final = Prefetch("chats", ChatVisibility.objects.order_by("id"))


def list_assistants(request: SandboxRequest) -> Answer:
    """GET /assist-ai."""
    assistants = request.organization.assistants.prefetch_related(_CHATS).order_by("name", "id")
    return ok({"assistants": [serializers.assistant(assistant, request.now) for assistant in assistants]})


def get(request: SandboxRequest) -> Answer:
    """GET /assist-ai/assistant_by_id/{assistant_id} (gaps 15, A10)."""
    identifier = as_uuid(request.arguments["assistant_id"])
    found = (
        request.organization.assistants.prefetch_related(_CHATS).filter(pk=identifier).first() if identifier else None
    )
    if found is None:
        raise not_found("Assistant not found")
    return ok(serializers.assistant(found, request.now))


def update_chat_visibility(request: SandboxRequest) -> Answer:
    """POST /assist-ai/update_chat_visibility."""
    organization = request.organization
    body = VISIBILITY.check(request.json())
    identifier = as_uuid(body["assistant_id"])
    assistant = organization.assistants.filter(pk=identifier).first() if identifier else None
    if assistant is None:
        raise not_found("Assistant not found")
    video = video_of(organization, body["video_id"])
    ChatVisibility.objects.update_or_create(
        assistant=assistant, video=video, defaults={"visible": body["chat_is_visible"]}
    )
    return ok({"status": True})
