"""`manage.py sandbox`: the embedded platform as a process of its own, with latency, over a real socket."""

import io
import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from django.core.management import call_command
from django.core.management.base import CommandError

from dashboard.sandbox.management.commands import sandbox as alone

ROOT = Path(__file__).resolve().parents[2]
LATENCY_MS = 120
PROGRAM = """
import os, sys
os.environ |= {"DJANGO_SETTINGS_MODULE": "dashboard.settings", "DEBUG": "on", "LOG_LEVEL": "error"}
from django.conf import settings
for alias in settings.DATABASES:
    settings.DATABASES[alias]["NAME"] = f"{sys.argv[1]}/{alias}.sqlite3"
import django
django.setup()
from django.core.management import call_command
call_command("sandbox", port=int(sys.argv[2]), latency_ms=float(sys.argv[3]))
"""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A running server on an empty folder: it migrates and seeds what it needs."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    folder = str(tmp_path_factory.mktemp("alone"))
    command = [sys.executable, "-c", PROGRAM, folder, str(port), str(LATENCY_MS)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        said = server.stdout.readline()
        assert f"http://127.0.0.1:{port}/sandbox/" in said
        _wait(port)
        yield f"http://127.0.0.1:{port}"
        server.send_signal(signal.SIGTERM)
        assert server.wait(10) == 0


def _wait(port: int) -> None:
    for _ in range(100):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.05)
    raise AssertionError("the server does not listen")


@pytest.mark.loopback
@pytest.mark.django_db(databases=["default", "sandbox"])
def test_it_migrates_seeds_and_serves_with_the_latency_it_was_told(address: str, cast: dict[str, Any]) -> None:
    headers = {"authorization": cast["tokens"]["owner"]}
    with httpx.Client(base_url=f"{address}/sandbox", headers=headers) as api:
        before = time.monotonic()
        video = api.get(f"/api/videos/{cast['videos']['plain']}").json()
        assert time.monotonic() - before >= LATENCY_MS / 1000
        assert video["video_player"].startswith(f"{address}/sandbox/media/player/embed/?v="), (
            "addresses name this server"
        )
        film = api.get(video["video_mp4"], headers={"range": "bytes=0-99"})
        assert (film.status_code, len(film.content)) == (206, 100)
        assert api.get(video["video_player"]).status_code == 200
        assert api.get("/openapi.json").json()["openapi"] == "3.1.0"
        assert api.get("/").status_code == 200


@pytest.mark.loopback
def test_nothing_but_the_platform_is_served(address: str) -> None:
    for path in ("/", "/dashboard/", "/sign-in/", "/healthz", "/sandbox"):
        response = httpx.get(f"{address}{path}")
        assert (response.status_code, response.json()["errMsg"]) == (404, "Route not found"), path


@pytest.mark.loopback
@pytest.mark.django_db(databases=["default", "sandbox"])
def test_a_lost_answer_is_lost_and_the_write_is_not(address: str, cast: dict[str, Any]) -> None:
    headers = {"authorization": cast["tokens"]["owner"]}
    with httpx.Client(base_url=f"{address}/sandbox", headers=headers) as api:
        page = api.get("/")
        fields = {"operation": "comparisons.create", "answer": "lost", "times": "1"}
        token = page.cookies["csrftoken"]
        api.post("/", data={**fields, "csrfmiddlewaretoken": token}, headers={"referer": f"{address}/sandbox/"})
        with pytest.raises(httpx.RemoteProtocolError):
            api.post("/api/comparison", json={"name": "Lost answer"})
        assert "Lost answer" in api.get("/api/comparison").text
        assert api.get("/api/folders").status_code == 200, "the server goes on"


def test_it_refuses_what_it_cannot_do(settings: Any) -> None:
    with pytest.raises(CommandError, match="milliseconds"):
        call_command("sandbox", latency_ms=-1, stdout=io.StringIO())
    with pytest.raises(CommandError, match=r"There is no operation lives\.gte"):
        call_command("sandbox", without="lives.gte,lives.list", stdout=io.StringIO())
    settings.SANDBOX = False
    with pytest.raises(CommandError, match="off"):
        call_command("sandbox", stdout=io.StringIO())


def test_calls_go_past_djangos_pages_and_pages_through_them() -> None:
    seen: list[str] = []

    def pages(environ: dict[str, Any], start_response: Any) -> list[bytes]:
        seen.append(environ["PATH_INFO"])
        return [b""]

    serve = alone.application(pages)  # type: ignore[arg-type]  # a stand-in for Django's handler
    for path in (
        "/sandbox/",
        "/sandbox/openapi.json",
        "/sandbox/media/player/embed/",
        "/static/css/app.css",
        "/theme/",
    ):
        serve({"PATH_INFO": path, "REQUEST_METHOD": "GET"}, lambda status, headers: None)
    assert seen == [
        "/sandbox/",
        "/sandbox/openapi.json",
        "/sandbox/media/player/embed/",
        "/static/css/app.css",
        "/theme/",
    ]
