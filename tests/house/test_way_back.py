"""Where `next` leads: to a path of this site, whatever was written into it."""

from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client, RequestFactory

from dashboard.shared.http import own_path

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

OURS = {
    "/dashboard/lives/?state=on_air#first": "/dashboard/lives/?state=on_air#first",
    "http://testserver/dashboard/?a=1": "/dashboard/?a=1",
    "/a b/é": "/a b/é",
}
NOT_OURS = (
    "", "word", "front_door", "overview:overview", "a.b.c", "dashboard/lives/", "..", "?a=1", "#a", "//evil.example/",
    "///evil.example/", "/\\evil.example/", "\\\\evil.example", "https://evil.example/", "http:evil.example", "http:///evil",
    "javascript:alert(1)", "http://testserver//evil.example/", "http://[", "http://testserver:99999999/", "\t//evil.example",
    "http://ana@testserver/", "/" + "a" * 5_000, "data:text/html,a", " ", "\x00", "/\n//evil.example" * 300,
)  # fmt: skip
ASKED = {"/theme/": "/", "/language/": "/", "/sign-in/demo/": "/dashboard/", "/sign-in/": "/dashboard/"}


@pytest.mark.parametrize(("asked", "path"), [*OURS.items(), *((one, "") for one in NOT_OURS)])
def test_only_a_path_of_this_site_is_one(asked: str, path: str) -> None:
    assert own_path(RequestFactory().get("/"), asked) == path


@pytest.mark.parametrize(("address", "otherwise"), ASKED.items())
def test_whoever_asks_for_a_way_back_gets_one_on_this_site(
    client: Client, cast: dict[str, Any], address: str, otherwise: str
) -> None:
    form = {"token": cast["tokens"]["owner"], "theme": "dark", "language": "es"}
    for asked in (*NOT_OURS, None):
        cache.clear()  # nobody waits between two attempts
        sent = form if asked is None else {**form, "next": asked}
        answer = client.post(address, sent)
        assert (answer.status_code, answer["Location"]) == (302, otherwise), asked
    assert client.post(address, {**form, "next": "/dashboard/lives/"})["Location"] == "/dashboard/lives/"


def test_a_language_that_there_is_not_changes_nothing(client: Client) -> None:
    for language in ("a/b", "xx", "", "pt-br\n", "é"):
        answer = client.post("/language/", {"language": language, "next": "/sign-in/"})
        assert (answer["Location"], list(answer.cookies)) == ("/sign-in/", [])
    assert client.post("/language/", {"language": "pt-br"}).cookies["language"].value == "pt-br"
