"""The headers of answers that no walk over the addresses meets: errors, the platform's own, static files, and production's.

`test_addresses.py` looks at every address.
"""

import runpy
from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest
from django.http import HttpRequest, HttpResponse
from django.test import Client
from pytest_django import Settings

from dashboard.accounts.access import public
from tests.conftest import signed_in
from tests.house.headers import HEADERS, UNKNOWN_HOST, list_wrong_headers
from tests.house.sources import ROOT, assert_none
from tests.house.test_checks import SAFE

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
STATIC = {name: HEADERS[name] for name in ("Referrer-Policy", "X-Content-Type-Options", "Cross-Origin-Opener-Policy")}
"""What a static file says: it is answered before anything else is known."""


@public
def raise_error(request: HttpRequest) -> HttpResponse:
    """A view with a mistake."""
    raise ValueError


def test_errors_and_redirects_carry_the_headers_of_every_answer(
    client: Client, cast: dict[str, Any], faults: ModuleType, front_door: Callable[[Callable[..., Any]], None]
) -> None:
    owner = signed_in(client, cast["tokens"]["owner"])
    stranger, strict = Client(raise_request_exception=False), Client(enforce_csrf_checks=True)
    front_door(raise_error)
    answers = [
        (404, owner.get("/no-such-page")),
        (404, stranger.get("/no-such-page")),
        (404, stranger.get("/%00")),
        (301, owner.get("/dashboard/videos")),
        (301, stranger.get(f"/{cast['review_links']['open'].upper()}")),
        (302, stranger.get("/dashboard/")),
        (403, strict.post("/sign-in/", {"token": "x"})),
        (500, stranger.get("/")),
    ]
    faults.set("*", status=500)
    answers.append((502, owner.get("/dashboard/playlists/")))
    assert [answer.status_code for _status, answer in answers] == [status for status, _answer in answers]
    assert_none([f"{status}: {wrong}" for status, answer in answers for wrong in list_wrong_headers("", answer)])
    unknown_host = stranger.get("/sign-in/", headers={"Host": "elsewhere.example"})
    assert (unknown_host.status_code, list_wrong_headers("", unknown_host, HEADERS | UNKNOWN_HOST)) == (400, [])


def test_player_films_and_static_files_carry_headers_of_their_own(client: Client, cast: dict[str, Any]) -> None:
    asked = f"/sandbox/api/videos/{cast['videos']['plain']}"
    video = client.get(asked, headers={"Authorization": cast["tokens"]["owner"]}).json()
    player, still = client.get(video["video_player"]), client.get(video["thumbnail"])
    assert (player.status_code, still.status_code) == (200, 200)
    assert_none([*list_wrong_headers("sandbox:player", player), *list_wrong_headers("sandbox:platform", still)])
    style = client.get("/static/css/base.css")
    style.close()
    assert {name: style.headers.get(name) for name in STATIC} == STATIC and style.status_code == 200


def test_in_production_every_answer_and_cookie_is_for_https_alone(
    settings: Settings, monkeypatch: pytest.MonkeyPatch, cast: dict[str, Any]
) -> None:
    for variable, value in SAFE.items():
        monkeypatch.setenv(variable, value)
    for name, value in runpy.run_path(str(ROOT / "dashboard/settings.py")).items():
        if name.startswith(("SECURE_", "X_FRAME")) or name.endswith("COOKIE_SECURE"):
            setattr(settings, name, value)
    visitor = Client()
    assert visitor.get("/sign-in/")["Location"] == "https://testserver/sign-in/"
    link = cast["review_links"]["open"]
    expected = HEADERS | {"Strict-Transport-Security": "max-age=31536000; includeSubDomains"}
    form = {"token": cast["tokens"]["owner"]}
    paths = ("/dashboard/", "/accounts/", f"/{link}", f"/{link}/export.csv?start=1:00", "/no-such-page")
    answers = [visitor.post("/sign-in/", form, secure=True), *(visitor.get(path, secure=True) for path in paths)]
    settings.PLATFORM_EMBEDDED = False
    real = {**expected, "Content-Security-Policy": HEADERS["Content-Security-Policy"].replace("blob:", "blob: https:")}
    assert_none(
        [
            *(wrong for answer in answers for wrong in list_wrong_headers("", answer, expected)),
            *list_wrong_headers("", Client().get("/sign-in/", secure=True), real),
            *(name for name, cookie in visitor.cookies.items() if not cookie["secure"]),
        ]
    )
    assert visitor.cookies.keys() >= {"sessionid", "csrftoken"}
