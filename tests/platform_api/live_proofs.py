"""Proofs of the assumptions about lives and sub-accounts."""

import json
from dataclasses import asdict
from datetime import UTC, datetime

import httpx
import pytest
from django.http import QueryDict

from dashboard.lives.forms import LiveForm
from dashboard.platform_api import errors, vocabulary
from dashboard.platform_api.answers import Answer, without_secrets
from dashboard.platform_api.lives import Ingest
from tests.platform_api.conftest import Answering, Recorder, error_of
from tests.platform_api.operations import LIVE, OPERATIONS, methods
from tests.platform_api.proving import ask, leaves, proves


@proves("LIVE_READS")
def _(answering: Answering, recorder: Recorder) -> None:
    for key in ("scheduled_at", "scheduled_time"):
        (live,) = ask(answering, "lives.list", {"lives": [{"id": LIVE, "title": "x", key: "2026-01-01T00:00:00Z"}]})
        assert live.scheduled_at == datetime(2026, 1, 1, tzinfo=UTC)
    assert leaves(recorder) == "GET /v2/lives"


@proves("LIVE_STATES")
def _(answering: Answering, recorder: Recorder) -> None:
    assert ask(answering, "lives.get", {"id": LIVE, "status": "FINISHED"}).status == vocabulary.LiveStatus.FINISHED


@proves("LIVE_KEYS")
def _(answering: Answering, recorder: Recorder) -> None:
    told = {"id": LIVE, "title": "A", "stream_key": "k3y", "encoder": {"rtmp_url": "k3y"}}
    kept = without_secrets(Answer(200, {}, json.dumps({"lives": [told]}).encode()))
    assert kept.json() == {"lives": [{"id": LIVE, "title": "A", "encoder": {}}]}
    assert Ingest.from_json({"rtmp": {"url": "rtmp://in"}, "stream_key": "k3y"}).rtmp == "rtmp://in"
    assert "k3y" not in str(asdict(ask(answering, "lives.get", {"id": LIVE, "stream_key": "k3y", "rtmp": "k3y"})))


@proves("LIVE_CREATE")
def _(answering: Answering, recorder: Recorder) -> None:
    told = {"id": LIVE, "title": "Lançamento", "rtmp": "rtmp://in.example/x", "stream_key": "k3y"}
    for value in (told, {"live": told}, {"data": told}):
        created = ask(answering, "lives.create", value)
        assert (created.id, created.title) == (LIVE, "Lançamento")
        assert "k3y" not in str(asdict(created))
    assert leaves(recorder) == "POST /v2/live"


@proves("LIVE_CREATE_VALUES")
def _(answering: Answering, recorder: Recorder) -> None:
    form = LiveForm(QueryDict("title=A&bitrate=720p&scheduled_time=2099-12-01T20:00"), folders={})
    assert form.is_valid()
    assert form.to_payload() == {"title": "A", "scheduled_time": "2099-12-01T20:00:00Z", "bitrate": ["720p"]}
    alone = LiveForm(QueryDict("title=A"), folders={})
    assert alone.is_valid() and alone.to_payload() == {"title": "A"}


@proves("LIVE_FINISH")
def _(answering: Answering, recorder: Recorder) -> None:
    for response in (httpx.Response(204), httpx.Response(200, text="done"), httpx.Response(200, json={"status": "ok"})):
        OPERATIONS["lives.finish"].call(answering(response))
    denied = error_of("lives.finish", answering(httpx.Response(200, json={"status": False})))
    assert isinstance(denied, errors.PlatformDown)
    assert leaves(recorder) == f"POST /v2/lives/{LIVE}/finish"
    assert recorder.requests[-1].content == b""


@proves("SUB_ACCOUNT_LATER")
def _(answering: Answering, recorder: Recorder) -> None:
    value = {"organization_id": "1", "status": "ready at last"}
    assert ask(answering, "organizations.create_sub_account", value).status == "ready at last"
    assert [name for name in methods() if name.startswith("organizations.") and "create" not in name] == [
        "organizations.usage"
    ], "what they use says nothing of it"


@proves("SUB_ACCOUNT_USAGE")
def _(answering: Answering, recorder: Recorder) -> None:
    told = {"organization_id": "1", "name": "Escola", "videos_count": "3", "usage": {"storage": 700}}
    for value in ([told], {"sub_accounts": [told]}, {"data": {"organizations": [told]}}, {"data": {"Escola": told}}):
        (one,) = ask(answering, "organizations.usage", value)
        assert (one.name, one.figures) == ("Escola", {"videos_count": 3, "storage": 700})
    with pytest.raises(errors.PlatformDown):
        ask(answering, "organizations.usage", {"status": "soon"})
    assert leaves(recorder) == "GET /v2/organizations?action=list-sub-accounts-usage"
