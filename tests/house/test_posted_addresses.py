"""Addresses that only take a form lead to their page when they are opened. `test_addresses.py` asks this of all of them."""

import pytest
from django.test import Client
from django.urls import resolve

from tests.house.addresses import stand_in_address
from tests.house.sources import assert_none

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

LEADS_TO = {
    "language": "/",
    "theme": "/",
    "accounts:demo": "/sign-in/",
    "accounts:sign_out": "/",
    "accounts:use": "/accounts/{account_id}/",
    "accounts:discard_kept": "/accounts/",
    "subtitles:plan": "/dashboard/subtitles/",
    "subtitles:send": "/dashboard/subtitles/batches/{batch_id}/",
    "ai_content:undo": "/dashboard/ai-content/{video_id}/{lang}/",
    "review_portal:submission": "/{link_id}",
    "sandbox:clear": "/sandbox/",
}
"""What a sample of them leads to."""


def test_an_address_that_takes_a_form_leads_to_the_page_of_the_form(owner: Client) -> None:
    offenders = []
    for name, onward in LEADS_TO.items():
        path = stand_in_address(name)
        answer = owner.get(path)
        if answer.headers.get("Location") != onward.format(**resolve(path).kwargs):
            offenders.append(f"{name}: {answer.status_code} {answer.headers.get('Location')}")
    assert_none(offenders)


def test_a_write_in_a_wrong_method_is_still_refused(owner: Client) -> None:
    answer = owner.put("/theme/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_a_program_that_reads_a_wrong_address_of_the_embedded_platform_is_told_405(client: Client) -> None:
    assert client.delete("/sandbox/api/videos").status_code == 405
    assert client.get("/sandbox/api/ai-workflow").status_code in {404, 405}
