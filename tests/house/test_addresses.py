"""Every address of the product, out of the URL resolver: who may open it, what it shows and says, also when the platform fails.

It opens, is kept by nobody, leads back to its page, and is valid HTML. Each test lists the addresses that are wrong as
`address: what was wrong`. A new address is tested as soon as it is there. What cannot be is excused by name, with the reason.

Each identifier once, no empty address of a form, names only where a role can have one: that is checked everywhere.
Where `html-validate` is installed (`npm install --global html-validate@9`, as `.ci/run` does where npm is), it checks
the rest.
"""

import json
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pytest_django import Settings

from dashboard.upstream import clients
from tests.house import outlines
from tests.house.addresses import (
    ALL,
    GUARDED,
    NOT_AN_OBJECT,
    ONLY_FOR_SCRIPT,
    OPEN_TO_ALL,
    opened,
    stand_in_address,
    walk,
    whereto,
)
from tests.house.sources import assert_none
from tests.house.visits import FROM_A_COPY, Visits, visit_all
from tests.valid_pages import find_faults

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

VALIDATOR = shutil.which(os.environ.get("HTML_VALIDATE", "html-validate"))
RULES = {
    "extends": ["html-validate:standard"],
    "rules": {
        # Manner, not validity.
        "attr-quotes": "off", "attribute-boolean-style": "off", "attribute-empty-style": "off", "doctype-style": "off",
        "no-trailing-whitespace": "off", "no-implicit-button-type": "off", "no-raw-characters": "off",
        "void-style": "off", "long-title": "off", "require-sri": "off", "valid-id": ["error", {"relaxed": True}],
        "prefer-native-element": "off", "no-redundant-role": "off", "no-inline-style": "off", "tel-non-breaking": "off",
        "wcag/h30": "off", "wcag/h63": "off", "input-missing-label": "off", "text-content": "off",
        "prefer-tbody": "off", "no-redundant-for": "off", "unique-landmark": "off", "hidden-focusable": "off",
        "no-autoplay": "off", "form-dup-name": "off", "multiple-labeled-controls": "off", "wcag/h32": "off",
        "heading-level": "off", "no-implicit-input-type": "off",
        "valid-autocomplete": "off",  # on boxes it keeps a browser from bringing old ticks back after a reload
    },
}  # fmt: skip
"""What an accessibility check in a browser (axe, in the journeys) judges better is left to it."""


EMPTY_FORM = {
    "ai_content:discard": "there is no draft to discard",
    "ai_content:undo": "there is no step to undo",
    "assistants:switch": "the empty form names no assistant",
    "referrals:file": "nothing was kept on the first day",
    **dict.fromkeys(("funnels:again", "funnels:arrived"), "the funnel was never sent"),
}
"""Addresses that answer 404 to their owner here, because they were told too little."""


@pytest.fixture(scope="module")
def visits(cast: dict[str, Any], django_db_blocker: Any) -> Iterator[Visits]:
    """Every address, visited once for all tests."""
    clients.circuits().close()  # what a test before this one opened would refuse the sign-in
    with django_db_blocker.unblock(), visit_all(cast) as found:
        yield found


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


def test_what_is_not_there_is_one_page_that_shows_nothing_and_leads_on_whatever_became_of_it(visits: Visits) -> None:
    """Another account's thing and one that never existed are told in one sentence, with a button to a page that opens."""
    assert_none(visits.wrong_for_another)
    assert len(visits.told) == 1 and visits.told != {""}


def test_every_address_shows_the_right_page_when_the_platform_fails(visits: Visits) -> None:
    assert len(visits.asking) > 100
    assert_none(visits.wrong_in_trouble)


def test_every_address_opens_for_the_owner(visits: Visits) -> None:
    """Else the test that no other account finds them proves nothing."""
    offenders = [*visits.raised]
    for name in visits.by_name.keys() & GUARDED:
        visit = visits.by_name[name]
        answer = visit.read if visit.page is None else visit.sent
        if answer.status >= 500 or (answer.status == 404 and name not in EMPTY_FORM):
            offenders.append(f"{name}: {answer.status}")
    assert_none(offenders)


def test_every_response_passes_every_check(visits: Visits) -> None:
    assert_none(visits.wrong_headers)


def test_every_address_that_takes_a_form_leads_its_reader_to_a_page_above(
    visits: Visits,
) -> None:
    offenders = []
    for name, visit in visits.by_name.items():
        onward = visit.read.headers.get("Location", "")
        above = visit.path.startswith(onward.rstrip("/")) and visit.page in {200, 302, 404}
        if visit.read.status == 405 or ("Allow" in visit.read.headers and not above):
            offenders.append(f"{name}: {visit.read.status} {onward} {visit.page}")
    assert_none(offenders)


def test_excused_empty_forms_still_exist() -> None:
    assert_none(sorted(EMPTY_FORM.keys() - set(ALL)))


def test_identifiers_addresses_of_forms_and_names_are_valid_on_every_page(visits: Visits) -> None:
    assert len(visits.pages) > 150
    assert_none([f"{name}: {wrong}" for name, text in visits.pages.items() for wrong in find_faults(text)])


def test_every_page_offers_what_its_outline_says(visits: Visits) -> None:
    lines = list(outlines.build_outlines(visits.pages))
    if os.environ.get("WRITE_OUTLINES"):
        outlines.FILE.write_text("\n".join([*lines, ""]))
    written, shown = outlines.pair_lines(outlines.FILE.read_text().splitlines()), outlines.pair_lines(lines)
    assert_none(sorted([*(f"lost: {one}" for one in written - shown), *(f"new: {one}" for one in shown - written)]))


@pytest.mark.skipif(VALIDATOR is None, reason="html-validate is not installed: npm install --global html-validate@9")
def test_every_page_is_valid_html(visits: Visits, tmp_path: Path) -> None:
    names = {f"{at}.html": name for at, name in enumerate(visits.pages)}
    for file, name in names.items():
        (tmp_path / file).write_text(visits.pages[name])
    (tmp_path / ".htmlvalidate.json").write_text(json.dumps({"root": True, **RULES}))
    command = [str(VALIDATOR), "--config", ".htmlvalidate.json", "--formatter", "json=told.json", "*.html"]
    told = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, timeout=300)
    assert (tmp_path / "told.json").exists(), told.stderr
    offenders = [
        f"{names[Path(result['filePath']).name]}: {message['ruleId']} {message['message']} at {message['line']}"
        for result in json.loads((tmp_path / "told.json").read_text())
        for message in result["messages"]
        if message["severity"] == 2
    ]
    assert_none(offenders)
