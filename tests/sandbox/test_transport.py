"""In-process, through Django, and through the bare WSGI application: the same bytes."""

import io
from types import ModuleType
from typing import Any

import httpx
import pytest
from django.test import Client, RequestFactory

from dashboard.sandbox import transport
from dashboard.sandbox.http_types import BODY_LIMIT
from dashboard.sandbox.models import Folder
from dashboard.sandbox.transport import SandboxTransport
from tests.sandbox.world import NOBODY, REVIEWER, Api, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
SHOWN = ("content-type", "etag", "age", "retry-after", "allow", "content-range", "accept-ranges", "cache-control")
Seen = tuple[int, bytes, dict[str, str]]


def shown(headers: Any) -> dict[str, str]:
    return {name: headers[name] for name in SHOWN if name in headers}


def in_process(method: str, path: str, body: bytes, headers: dict[str, str]) -> Seen:
    http_client = httpx.Client(transport=SandboxTransport(), base_url="http://platform.internal")
    response = http_client.request(method, path, content=body, headers=headers)
    return response.status_code, response.content, shown(response.headers)


def through_django(method: str, path: str, body: bytes, headers: dict[str, str]) -> Seen:
    response = Client().generic(method, path, body, content_type="application/json", headers=headers)
    return response.status_code, response.content, shown(response.headers)


def through_wsgi(method: str, path: str, body: bytes, headers: dict[str, str]) -> Seen:
    seen: list[Any] = []
    request = RequestFactory().generic(method, path, body, content_type="application/json", headers=headers)
    environ = {**request.META, "PATH_INFO": request.path_info.encode().decode("latin-1")}  # as servers write it
    content = b"".join(transport.application(environ, lambda status, sent: seen.extend((status, sent))))
    return int(seen[0].split()[0]), content, shown({name.lower(): value for name, value in seen[1]})


def requests(world: World) -> list[tuple[str, str, bytes]]:
    """Reads and refusals of every kind: what can be asked three times with the same result."""
    video, link = world.video.id, world.link().id
    world.comment(text="Ação “já” 😀")
    return [
        ("GET", "/api/videos?limit=1&title=inter", b""),
        ("GET", f"/api/videos/{video}", b""),
        ("GET", f"/api/videos/{video}?custom_fields", b""),
        ("GET", f"/api/videos/{NOBODY}", b""),
        ("GET", "/api/folders", b""),
        ("GET", "/api/folders?status=maybe", b""),
        ("GET", "/api/fold%65rs/", b""),
        ("GET", "/api/caf%C3%A9", b""),
        ("GET", "/api/nothing", b""),
        ("PATCH", "/api/folders", b"{}"),
        ("PUT", "/api/comparison/636f6d70-0000-4000-8000-000000000000", b"{}"),
        ("POST", "/api/comparison", b"{"),
        ("POST", "/api/comparison", '{"name": "ção", "video_ids": ["ü"]}'.encode()),
        ("POST", "/api/comparison", b" " * (BODY_LIMIT + 1)),
        ("POST", "/api/lives/ação/start", b""),
        ("POST", "/api/lives/ライブ/start", b""),
        ("GET", f"/api/public-video-review/{link}/comments?token={REVIEWER}", b""),
        ("GET", f"/api/public-video-review/{link}?token={REVIEWER}", b""),
        ("GET", "/traffic/analytics/traffic?video_id=", b""),
        ("GET", "/data/member-referrals", b""),
        ("GET", f"/config/{world.owner.pullzone}/{world.video.external_id}-ai.en.json", b""),
        ("GET", f"/media/{world.video.external_id}/film.mp4", b""),
        ("GET", f"/media/{world.video.external_id}/thumbnail.jpg", b""),
        ("HEAD", f"/media/{world.video.external_id}/film.mp4", b""),
    ]


@pytest.mark.parametrize("token", ["owner", "Bearer owner", "nobody"])
def test_three_ways_give_the_same_bytes(world: World, token: str) -> None:
    Folder.objects.create(organization=world.owner, user=world.users["owner"], name="Ação")
    headers = {"authorization": token, "range": "bytes=0-1023"}
    for method, path, body in requests(world):
        one, two, three = (
            way(method, f"/sandbox{path}", body, headers) for way in (in_process, through_django, through_wsgi)
        )
        assert one == two == three, (method, path)


def test_a_write_is_the_same_write_whichever_way_it_came(world: World, api: Api) -> None:
    path = f"/sandbox/api/videos/{world.video.id}?custom_fields"
    headers = {"authorization": "owner"}
    for number, way in enumerate((in_process, through_django, through_wsgi)):
        body = f'{{"key": "k{number}", "value": "ção"}}'.encode()
        assert way("POST", path, body, headers)[0] == 201
    fields = api("GET", f"/api/videos/{world.video.id}?custom_fields")[1]
    assert {one["value"] for one in fields} == {"ção"} and len(fields) == 3


def test_faults_answer_the_same_everywhere(world: World, faults: ModuleType) -> None:
    faults.set("folders.list", status=429, retry_after=3)
    ways = (in_process, through_django, through_wsgi)
    one, two, three = (way("GET", "/sandbox/api/folders", b"", {"authorization": "owner"}) for way in ways)
    assert one == two == three
    assert one[2]["retry-after"] == "3"


class Line:
    """A connection that remembers how it ended."""

    ended = False

    def shutdown(self, how: int) -> None:
        self.ended = True


@pytest.mark.parametrize("how", ["refused", "dropped", "lost", "hangs", "stalls"])
def test_over_http_a_broken_connection_is_broken(world: World, faults: ModuleType, how: str) -> None:
    faults.set("folders.list", broken=how)
    environ: dict[str, Any] = {
        "REQUEST_METHOD": "GET",
        "HTTP_AUTHORIZATION": "owner",
        "wsgi.input": io.BytesIO(),
    }
    line = Line()
    transport.answer_wsgi({**environ, "gunicorn.socket": line}, "/sandbox/api/folders", b"")
    assert line.ended
    response = Client().get("/sandbox/api/folders", headers={"authorization": "owner"})
    assert int(response["content-length"]) > len(response.content), "an answer that ends too early"


def test_an_address_outside_the_platform_has_no_server(world: World) -> None:
    http_client = httpx.Client(transport=SandboxTransport())
    with pytest.raises(httpx.ConnectError):
        http_client.get("http://platform.internal/elsewhere")
