"""Every address of the product, out of the URL resolver: who may open it, and what it shows when the platform is in trouble.

Each test walks all addresses as one kind of reader, or under every kind of fault, and lists those that are wrong as
`address: what was wrong`. A new address is tested as soon as it is there. What cannot be is excused by name, with the reason.
"""

import re
from functools import partial
from html import unescape
from types import ModuleType
from typing import Any
from uuid import uuid4

import httpx
import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.platform_api import Platform, PlatformConfig
from dashboard.platform_api.sending import Call
from dashboard.upstream import clients
from tests.conftest import signed_in
from tests.house.addresses import ALL, body, opened, stand_in_address, walk, whereto
from tests.house.headers import list_wrong_headers
from tests.house.sources import assert_none
from tests.house.things import address, make_things

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

OPEN_TO_ALL = {
    "front_door": "leads to sign-in or to the dashboard",
    "healthz": "says that the process lives, to a load balancer",
    "readyz": "says what is reachable, to a load balancer",
    "metrics": "for whoever has METRICS_TOKEN; without METRICS there is no such page",
    "language": "everybody chooses a language",
    "theme": "everybody chooses light or dark",
    "accounts:sign_in": "is where people without an account go",
    "accounts:demo": "signs in",
    "notices:confirm": "its link came by e-mail, signed, to somebody without an account",
    "notices:stop": "the same; mail programs send it too",
    "reports:stop": "the same",
    "accounts:sign_out": "harmless when nobody is signed in",
}
"""Addresses that need no account."""
APART = {
    "sandbox": "the embedded platform checks its own tokens; its pages exist only with it",
    "review_portal": "reviewers come with a link and have no account; the portal's own tests cover its troubles",
}
"""Apps that need no account, as `settings.PUBLIC_APPS` says."""

NOT_AN_OBJECT = {
    "analytics:file": "its name is that of a panel",
    **dict.fromkeys(
        (
            "analytics:why",
            "analytics:why_file",
            "analytics:rate_why",
            "analytics:rate_why_file",
            "analytics:traffic_why",
            "analytics:traffic_why_file",
        ),
        "they name a way to split the account's own figures",
    ),
    "referrals:file": "its extension is all it takes",
    "ab_tests:file": "checked under its test's own page: an unknown file name is 404 for everybody",
}
"""Addresses whose arguments name nothing that belongs to an account."""
ONLY_FOR_SCRIPT = {
    "folders:children": "opened by hand it leads to the folder's page, which is 404",
    "funnels:progress": "opened by hand it leads to the funnel, which is 404",
    "custom_fields:field": "opened by hand it leads to the video's fields, which are 404",
}
"""Addresses that lead another account on, to a page that is not found."""

WITHOUT_TOKEN = {"public_review.read_link", "public_review.comments", "ai_workflow.read_package"}
"""Reads that are sent without the account's token: when they are refused, signing in again would not help."""
FROM_A_COPY = {
    **dict.fromkeys(
        (
            f"ai_content:{name}"
            for name in ["import", "mindmap_json", "preview", "question", "question_json", "settings", "version"]
        ),
        "a draft is edited here without the platform; who saves it is led to sign-in, with the draft kept",
    ),
    **dict.fromkeys(
        ("review_links:video", "review_links:video_export", "review_links:video_print"),
        "comments are read from the portal's own copy; only what the film looks like was refused",
    ),
}
"""Addresses that go on from what is kept here when a read with a refused token would only have added something."""
TROUBLES: dict[str, dict[str, Any]] = {
    "401": {"status": 401},
    "403": {"status": 403},
    "404": {"status": 404},
    "429": {"status": 429},
    "500": {"status": 500},
    "time-out": {"broken": "hangs"},
}
RIGHT: dict[str, set[int]] = {
    "401": {302},
    "403": {403, 502},
    "404": {404, 502},
    "429": {503, 502},
    "500": {502},
    "time-out": {504, 502},
}
"""What a page that cannot do without the platform answers. One that can answers as always and says what is missing."""
CALM = {200, 204, 302, 400, 404, 405, 409, 422}
"""Answers of pages that did not need what failed, or were sent an empty form."""


GUARDED = sorted(name for name in ALL if name not in OPEN_TO_ALL and name.partition(":")[0] not in APART)
OF_AN_OBJECT = [name for name in GUARDED if ALL[name] and name not in NOT_AN_OBJECT and name not in ONLY_FOR_SCRIPT]


def is_opaque(name: str) -> bool:
    """Whether the stand-in for its arguments is an identifier: one that nothing has."""
    return all(re.fullmatch(converter.regex, str(uuid4())) for converter in ALL[name].values())


@pytest.fixture
def things(owner: Client, cast: dict[str, Any]) -> dict[str, Any]:
    """What `make_things` makes, for one test."""
    return make_things(owner, cast)


@pytest.fixture
def calls(monkeypatch: pytest.MonkeyPatch) -> list[Call]:
    """Every call of the platform. Nobody waits between two attempts of a read."""
    made: list[Call] = []

    def connected(config: PlatformConfig, http: httpx.Client, token: str, **about: Any) -> Platform:
        return Platform(config, http, token, **{**about, "observe": made.append, "sleep": lambda seconds: None})

    monkeypatch.setattr(clients, "Platform", connected)
    return made


def test_excused_addresses_still_exist() -> None:
    excused = {*OPEN_TO_ALL, *NOT_AN_OBJECT, *ONLY_FOR_SCRIPT, *FROM_A_COPY}
    assert_none(sorted(excused - set(ALL)))


def test_open_addresses_never_lead_to_sign_in_by_force(
    client: Client, cast: dict[str, Any], settings: Settings
) -> None:
    settings.METRICS, settings.METRICS_TOKEN = True, "set"  # else there is no such page

    def judge(name: str, path: str) -> list[str]:
        answer = opened(client, path)
        if name in ("notices:confirm", "notices:stop", "reports:stop") and answer.status_code in {
            200,
            410,
        }:  # nobody signed this token
            return []
        forced = "next=" in answer.headers.get("Location", "")
        if answer.status_code in {200, 302, 401 if name == "metrics" else 200, 503} and not forced:
            return []
        return [f"{answer.status_code} {whereto(answer)}"]

    offenders = walk(client, {name: stand_in_address(name) for name in sorted(OPEN_TO_ALL)}, judge)
    assert_none(offenders)


@pytest.mark.parametrize(("method", "status"), [("get", 302), ("post", 307)])
def test_every_address_leads_to_sign_in_and_back_when_signed_out(client: Client, method: str, status: int) -> None:
    def judge(name: str, path: str) -> list[str]:
        answer = getattr(client, method)(path)
        onward = answer.headers.get("Location", "")
        if answer.status_code == status and onward.startswith("/sign-in/?") and "next=" in onward:
            return []
        return [f"{answer.status_code} {onward}"]

    offenders = walk(client, {name: stand_in_address(name) for name in GUARDED}, judge)
    assert_none(offenders)


def test_what_is_not_there_is_one_page_that_shows_nothing_and_leads_on_whatever_became_of_it(
    things: dict[str, Any], cast: dict[str, Any]
) -> None:
    """Another account's thing and one that never existed are told in one sentence, with a button to a page that opens."""
    other = signed_in(Client(), cast["tokens"]["other"])
    told: set[str] = set()
    led_to: dict[str, int] = {}

    def judge(name: str, path: str) -> list[str]:
        answer = opened(other, path)
        text = body(answer)
        page = text.partition('<div class="empty">')[2]
        sentence = " ".join(re.sub("<[^>]+>", " ", page.partition('<div class="button-row">')[0]).split())
        primary = re.findall('button--primary" href="([^"]+)"', page)
        problems = [] if answer.status_code == 404 else [f"{answer.status_code} instead of 404"]
        problems += list_wrong_headers(name, answer)
        if told and sentence not in told:
            problems.append(f"says “{sentence}”")
        told.add(sentence)
        for link in primary:
            if link not in led_to:
                led_to[link] = other.get(unescape(link)).status_code
        if [led_to[link] for link in primary] != [200]:
            problems.append(f"leads to {primary}")
        if "Traceback" in text:
            problems.append("a traceback")
        return [*problems, *(word for word in ("Try again", "Nothing was deleted") if word in page)]

    theirs = {name: address(name, things) for name in OF_AN_OBJECT}
    never = {f"{name} that never existed": stand_in_address(name) for name in OF_AN_OBJECT if is_opaque(name)}
    del never[
        "reports:stop_weekly that never existed"
    ]  # the same form twice is one: it says that the report is stopped
    assert_none(walk(other, theirs | never, judge))
    assert len(told) == 1 and told != {""}


def test_every_address_shows_the_right_page_when_the_platform_fails(
    owner: Client, things: dict[str, Any], faults: ModuleType, calls: list[Call]
) -> None:
    """Never a traceback, and whoever's token was refused is led to sign-in.

    An address that asks nothing of a platform that refuses its first answer asks nothing of any other: it is opened once.
    """
    asks: set[str] = set()

    # The clock stands still: a call that hangs is given up at once, by a clock that moved.
    def judge(trouble: str, name: str, path: str) -> list[str]:
        calls.clear()
        faults.set("*", **TROUBLES[trouble])
        answer = opened(owner, path)
        problems = []
        if answer.status_code not in RIGHT[trouble] | CALM:
            problems.append(str(answer.status_code))
        if "Traceback" in body(answer):
            problems.append(f"{answer.status_code} with a traceback")
        refused = {call.operation for call in calls if call.error == "BadToken"}
        turned_down = trouble == "401" and refused - WITHOUT_TOKEN
        if turned_down and name not in FROM_A_COPY and "/sign-in/" not in whereto(answer):
            problems.append(f"{answer.status_code} after {sorted(refused)}, and nobody is led to sign-in")
        if calls:
            asks.add(name)
        return [f"{trouble}: {problem}" for problem in problems]

    everywhere = {name: address(name, things) for name in GUARDED}
    first, *others = TROUBLES
    offenders = walk(owner, everywhere, partial(judge, first))
    assert len(asks) > 100
    for trouble in others:
        offenders += walk(owner, {name: everywhere[name] for name in sorted(asks)}, partial(judge, trouble))
    assert_none(offenders)
