"""Where assumed reads live: the table, the setting, the rows of the assumptions and the documents say the same."""

import re
from dataclasses import replace
from pathlib import Path
from urllib.parse import urlsplit

import httpx
import pytest
from django.conf import settings as django_settings
from django.core.checks import run_checks
from pytest_django import Settings

from dashboard.environment import Environment
from dashboard.platform_api import errors
from dashboard.platform_api.assumptions import ALL
from dashboard.platform_api.config import ALTERNATIVES, ASSUMED, Place, parse_paths
from tests.platform_api.conftest import Answering, Recorder
from tests.platform_api.operations import BASE, CONFIG, EXAMPLES, Example

ROOT = Path(__file__).resolve().parents[2]
LIVE = "0d9e3e0c-9a3b-4c5d-8e7f-0123456789ab"


@pytest.mark.parametrize("example", [one for one in EXAMPLES if one.operation in ASSUMED], ids=str)
def test_an_assumed_read_leaves_where_the_table_says_and_where_it_is_set(
    example: Example, answering: Answering, recorder: Recorder
) -> None:
    usual = ASSUMED[example.operation]
    for path in (usual, f"/other{usual}"):
        config = replace(CONFIG, paths=parse_paths({example.operation: path}))
        with pytest.raises(errors.CallError):
            example.call(answering(httpx.Response(404), config))
    first, second = (urlsplit(str(request.url)).path.removeprefix(urlsplit(BASE).path) for request in recorder.requests)
    assert re.fullmatch(re.sub(r"\\\{\w+\\\}", "[^/]+", re.escape(usual)), first)
    assert second == f"/other{first}"


def test_every_assumed_read_is_among_the_examples() -> None:
    assert {one.operation for one in EXAMPLES} >= {*ASSUMED}


def test_keys_say_under_what_an_answer_holds_what_is_wanted(answering: Answering) -> None:
    config = replace(CONFIG, paths=parse_paths({"lives.list": "/v1/live#data.rows"}))
    answer = httpx.Response(200, json={"data": {"rows": [{"id": LIVE, "title": "Launch"}]}})
    assert [live.title for live in answering(answer, config).lives.list()] == ["Launch"]
    with pytest.raises(errors.PlatformDown):
        answering(httpx.Response(200, json={"rows": []}), config).lives.list()


@pytest.mark.parametrize(
    ("pairs", "sentence"),
    [
        ({"lives.start": "/live"}, "lives.start cannot be set"),
        ({"lives.get": "/live"}, "has to name live_id"),
        ({"lives.list": "live"}, "write a path such as /lives"),
        ({"lives.list": "https://elsewhere.example/lives"}, "write a path such as /lives"),
        ({"lives.list": "/lives?x=1"}, "write a path such as /lives"),
        ({"lives.list": "/lives/../users"}, "write a path such as /lives"),
        ({"lives.list": "/lives#"}, "write a path such as /lives"),
    ],
)
def test_what_is_no_path_for_a_read_is_refused_at_the_start(
    pairs: dict[str, str], sentence: str, settings: Settings
) -> None:
    with pytest.raises(ValueError, match=re.escape(sentence)):
        parse_paths(pairs)
    settings.PLATFORM_PATHS = pairs
    (problem,) = (one for one in run_checks() if one.id == "reelroom.E018")
    assert sentence in problem.msg


def test_pairs_are_read_from_the_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    environment = Environment()
    monkeypatch.setenv("PLATFORM_PATHS", "lives.list=/live#a.b, lives.get = /live/{live_id}")
    assert environment.pairs("PLATFORM_PATHS") == {"lives.list": "/live#a.b", "lives.get": "/live/{live_id}"}
    monkeypatch.setenv("PLATFORM_PATHS", "lives.list")
    assert environment.pairs("PLATFORM_PATHS") == {}
    assert "lives.list" in environment.problems["PLATFORM_PATHS"]


def test_readme_documents_assumptions_and_settings_name_the_same() -> None:
    operations, readme = (ROOT / "docs/operations.md").read_text(), (ROOT / "README.md").read_text()
    documented = {*re.findall(r"^\| `(\w+)` \|", operations, re.MULTILINE)}
    named = {name for row in ALL.values() for name in row.settings}
    assert named <= documented
    assert all(hasattr(django_settings, name) for name in named)
    silent = readme.split("## Where the specification is silent")[1].split("\n## ")[0]
    assert {*re.findall(r"PLATFORM_\w+", silent)} <= named
    settable = {name for row in ALL.values() if "PLATFORM_PATHS" in row.settings for name in row.operations}
    assert settable == {*ASSUMED}, "each read that can be set has its row, which says so"
    assert "`ASSUMED` of `dashboard/platform_api/config.py`" in operations
    assert all(Place.parse(path) for path in ALTERNATIVES.values())
