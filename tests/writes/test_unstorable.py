"""No text with a NUL is stored, wherever it comes from: PostgreSQL refuses it, and the write would end half-way."""

import json
import uuid
from typing import Any

import httpx
import pytest
from django.apps import apps
from django.forms.models import model_to_dict
from django.test import Client

from dashboard.platform_api import errors
from dashboard.sandbox.transport import SandboxTransport
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent
from review_portal.writes import get_comment_id
from tests.writes.conftest import Platform, reload

NUL = "\x00"
pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def rows_with_nul() -> list[str]:
    """Every row of ours in which some text has a NUL."""
    models = [model for model in apps.get_models() if model._meta.app_label not in ("sandbox", "sessions")]
    return [
        f"{model.__name__}.{name}"
        for model in models
        for row in model._default_manager.all()
        for name, value in model_to_dict(row).items()
        if NUL in str(value) or "\\u0000" in json.dumps(value, default=str)
    ]


def test_what_a_person_pastes_is_sent_and_stored_without_it(platform: Platform, intent: Intent) -> None:
    pasted = Intent(**vars(intent) | {"request": {"text": f"he{NUL}llo"}, "label": f"he{NUL}llo", "after": [NUL]})
    write = outbox.perform(pasted)
    assert (platform.notes, reload(write).label) == (["he\ufffdllo"], "he\ufffdllo")
    assert rows_with_nul() == []


def test_what_an_error_or_an_answer_says_is_stored_without_it(platform: Platform, intent: Intent) -> None:
    platform.error, platform.arrives = errors.Refused("tests.note", 400, f"N{NUL}o"), False
    with pytest.raises(errors.Refused):
        outbox.perform(intent)
    platform.error = None
    write = outbox.perform(Intent(**vars(intent) | {"key": uuid.uuid4(), "request": {"text": "ok"}}))
    outbox.move(write, State.DONE, only=(State.DONE,), result={"said": [NUL]})
    assert Write.objects.filter(state=State.REFUSED).get().message == "N\ufffdo"
    assert rows_with_nul() == []


def test_what_the_platform_answers_and_refuses_with_is_stored_without_it(
    client: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = SandboxTransport.handle_request

    def with_nul(self: SandboxTransport, request: httpx.Request) -> httpx.Response:
        answer = handle(self, request)
        answer.read()
        text = answer.text.replace("Louder", "Lou\\u0000der")
        refused = request.method == "PUT"
        body = json.dumps({"message": f"N{NUL}o"}) if refused else text
        return httpx.Response(400 if refused else answer.status_code, text=body)

    monkeypatch.setattr(SandboxTransport, "handle_request", with_nul)
    link = cast["review_links"]["open"]
    fields = {"key": str(uuid.uuid4()), "user_name": "Ana", "text": "Louder here", "time": "0:01"}
    client.post(f"/{link}/comments", fields)
    comment_id = get_comment_id(Write.objects.get())
    client.post(f"/{link}/comments/{comment_id}", {"text": "Other words", "key": str(uuid.uuid4())})
    assert sorted(Write.objects.values_list("state", flat=True)) == ["done", "refused"]
    assert "N\ufffdo" in Write.objects.values_list("message", flat=True)
    assert rows_with_nul() == []
