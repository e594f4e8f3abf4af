"""The embedded platform's own page: faults set and cleared by people, the CDN's delay, tokens shown on request."""

from datetime import timedelta
from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.sandbox import clock
from dashboard.sandbox.models import Fault, Token
from tests.pages import one_line, page_of
from tests.sandbox.world import NOW, Api, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PAGE = "/sandbox/"


def post(client: Client, path: str = PAGE, **fields: Any) -> Any:
    return client.post(path, fields, follow=True)


def test_it_opens_without_signing_in_and_says_that_everything_works(world: World, client: Client) -> None:
    response = client.get(PAGE)
    assert response.status_code == 200
    assert "Everything works" in page_of(response)
    assert "http://testserver/sandbox/api" in page_of(response)


def test_a_fault_set_here_hits_the_next_call_and_is_listed(world: World, api: Api, client: Client) -> None:
    response = post(client, operation="videos.list", answer="429", retry_after="5", times="2")
    assert "Answers 429 · Retry-After 5 s" in page_of(response) and "2 more calls" in page_of(response)
    assert api.send("GET", "/api/videos").headers["retry-after"] == "5"
    assert "1 more call" in page_of(client.get(PAGE))


@pytest.mark.parametrize("broken", ["refused", "dropped", "lost", "hangs", "stalls"])
def test_every_way_to_break_a_connection_can_be_chosen(world: World, client: Client, broken: str) -> None:
    post(client, operation="*", answer=broken)
    assert Fault.objects.get().broken == broken


def test_a_latency_alone_is_a_fault_too(world: World, client: Client) -> None:
    response = post(client, operation="videos.get", latency_ms="300", jitter_ms="50")
    assert "300 ms late, give or take 50" in page_of(response)
    assert "Until cleared" in page_of(response)


@pytest.mark.parametrize(
    ("fields", "sentence"),
    [
        ({"operation": "videos.get"}, "Choose a problem or a latency."),
        ({"operation": "nothing", "answer": "500"}, "Select a valid choice"),
        ({"operation": "*", "answer": "200"}, "Select a valid choice"),
        ({"operation": "*", "latency_ms": "-1"}, "greater than or equal to 0"),
        ({"operation": "*", "answer": "500", "times": "0"}, "greater than or equal to 1"),
    ],
)
def test_what_cannot_be_set_is_said_at_the_field_with_what_was_chosen(
    world: World, client: Client, fields: dict[str, str], sentence: str
) -> None:
    response = post(client, **fields)
    assert response.status_code == 422
    assert sentence in page_of(response)
    assert not Fault.objects.exists()


def test_faults_are_cleared_one_by_one_or_all(world: World, client: Client, faults: ModuleType) -> None:
    for name in ("videos.get", "videos.list", "lives.start"):
        faults.set(name, status=500)
    post(client, "/sandbox/clear/", operation="videos.get")
    assert {fault.pk for fault in Fault.objects.all()} == {"videos.list", "lives.start"}
    assert "Everything works" in page_of(post(client, "/sandbox/clear/"))


def test_the_cdn_can_be_made_slower_and_deafer(world: World, client: Client) -> None:
    post(client, "/sandbox/options/", cdn_delay="120", ignores_query="on")
    assert clock.cdn_delay() == timedelta(seconds=120)
    assert clock.cdn_ignores_query()
    assert 'value="120"' in page_of(client.get(PAGE))
    post(client, "/sandbox/options/", cdn_delay="0")
    assert clock.cdn_delay() == timedelta(0) and not clock.cdn_ignores_query()
    assert post(client, "/sandbox/options/", cdn_delay="-1").status_code == 422


def test_a_token_is_shown_only_when_somebody_asks_for_it(world: World, client: Client) -> None:
    Token.objects.filter(pk="owner").update(value="demo-secret-of-the-owner")
    assert "demo-secret-of-the-owner" not in page_of(client.get(PAGE))
    shown = page_of(post(client, "/sandbox/token/", account=str(world.users["owner"].pk)))
    assert shown.count("demo-secret-of-the-owner") == 1
    assert "demo-secret-of-the-owner" not in page_of(post(client, "/sandbox/token/", account="42"))


def test_a_token_that_cannot_be_used_yet_is_not_shown(world: World, client: Client) -> None:
    world.owner.children.update(ready_at=NOW + timedelta(seconds=1))
    response = post(client, "/sandbox/token/", account=str(world.users["sub"].pk))
    assert "Being created" in page_of(response)
    assert "<code class=" not in page_of(response)


@pytest.mark.parametrize(
    ("language", "sentence"),
    [("en", "Embedded platform"), ("pt-br", "Plataforma embutida"), ("es", "Plataforma integrada")],
)
def test_it_speaks_three_languages(world: World, client: Client, language: str, sentence: str) -> None:
    assert f"<h1>{sentence}</h1>" in page_of(client.get(PAGE, headers={"accept-language": language}))


def test_its_forms_need_the_token_that_keeps_other_sites_out(world: World) -> None:
    strict = Client(enforce_csrf_checks=True)
    for path in (PAGE, "/sandbox/clear/", "/sandbox/options/", "/sandbox/token/"):
        assert strict.post(path, {"operation": "*", "answer": "500"}).status_code == 403
    for path in ("/sandbox/clear/", "/sandbox/options/", "/sandbox/token/"):
        assert strict.get(path)["Location"] == PAGE, "opened as an address, it leads to its page and does nothing"


def test_calls_of_other_clients_need_no_such_token(world: World) -> None:
    headers = {"authorization": "owner"}
    response = Client(enforce_csrf_checks=True).post(
        "/sandbox/api/comparison", '{"name": "x"}', content_type="application/json", headers=headers
    )
    assert response.status_code == 200


def test_the_player_is_a_page_that_other_pages_may_embed(world: World, client: Client) -> None:
    world.subtitle("pt-BR")
    address = api_player(world, client)
    response = client.get(address)
    assert response.status_code == 200
    assert "X-Frame-Options" not in response.headers
    assert "frame-ancestors *" in response.headers["Content-Security-Policy"]
    assert f'data-player="{world.video.external_id}"' in page_of(response)
    assert f"/sandbox/media/{world.video.external_id}/film.mp4" in page_of(response)
    assert 'srclang="pt-BR"' in page_of(response)
    assert " muted" not in page_of(response) and " autoplay" not in page_of(response)
    started = one_line(page_of(client.get(f"{address}&startTime=12&muted=true&autoplay=true")))
    assert 'data-start="12" muted autoplay' in started


def api_player(world: World, client: Client) -> str:
    """The address of the player, as the platform answers it."""
    headers = {"authorization": "owner"}
    return str(client.get(f"/sandbox/api/videos/{world.video.id}", headers=headers).json()["video_player"])


@pytest.mark.parametrize("query", ["", "?v=", "?v=42", "?v=00000000-0000-4000-8000-00000000dead"])
def test_a_player_without_a_video_is_not_found(world: World, client: Client, query: str) -> None:
    assert client.get(f"/sandbox/media/player/embed/{query}").status_code == 404


def test_in_production_nobody_makes_the_platform_fail(world: World, client: Client, settings: Settings) -> None:
    settings.LOCAL = False
    Fault.objects.create(pk="videos.get", status=500)
    page = page_of(client.get(PAGE))
    assert "This is a public demo" in page
    assert [words for words in ("Set fault", "Set delay", 'action="/sandbox/clear/"') if words in page] == []
    for path, fields in (
        (PAGE, {"operation": "*", "answer": "500"}),
        (f"{PAGE}clear/", {}),
        (f"{PAGE}options/", {"cdn_delay": "3600"}),
    ):
        assert client.post(path, fields).status_code == 403, path
    assert Fault.objects.get().pk == "videos.get"
