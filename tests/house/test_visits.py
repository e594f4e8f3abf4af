"""Every address as its owner sees it: it opens, is kept by nobody, leads back to its page, and is valid HTML.

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

from dashboard.upstream import clients
from tests.house import outlines
from tests.house.addresses import ALL
from tests.house.sources import assert_none
from tests.house.test_addresses import GUARDED
from tests.house.visits import Visits, visit_all
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
    **dict.fromkeys(("lives:again", "lives:arrived"), "the live was never started"),
    **dict.fromkeys(("lives:finish_again", "lives:finish_arrived"), "the live was never finished"),
}
"""Addresses that answer 404 to their owner here, because they were told too little."""


@pytest.fixture(scope="module")
def visits(cast: dict[str, Any], django_db_blocker: Any) -> Iterator[Visits]:
    """Every address, visited once for all tests."""
    clients.circuits().close()  # what a test before this one opened would refuse the sign-in
    with django_db_blocker.unblock(), visit_all(cast) as found:
        yield found


def test_every_address_opens_for_the_owner(visits: Visits) -> None:
    """Else the test that no other account finds them (`test_addresses.py`) proves nothing."""
    offenders = [*visits.raised]
    for name in visits.by_name.keys() & GUARDED:
        visit = visits.by_name[name]
        answer = visit.read if visit.page is None else visit.sent
        if answer.status >= 500 or (answer.status == 404 and name not in EMPTY_FORM):
            offenders.append(f"{name}: {answer.status}")
    assert_none(offenders)


def test_every_response_passes_every_check(visits: Visits) -> None:
    assert_none(visits.wrong)


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
