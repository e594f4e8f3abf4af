"""Addresses that only take a form, out of the URL resolver: each leads to its page when it is opened."""

from typing import Any

import pytest
from django.test import Client
from django.urls import resolve, reverse

from dashboard.posted_addresses import FOR_PROGRAMS
from tests.house.test_addresses import ALL, stand_in

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
"""What a sample of them leads to; the rest is held to the rule that it is a page above."""


def opened(client: Client, name: str) -> tuple[str, Any]:
    """An address with something in it that its converters take, opened."""
    values = {key: stand_in(one) for key, one in ALL[name].items()}
    path = reverse(name, kwargs=values)
    return path, client.get(path)


def test_no_address_answers_a_reader_with_405_and_nothing(owner: Client) -> None:
    empty, wrong = [], []
    for name in sorted(ALL):
        if name in FOR_PROGRAMS | {"review_portal:spelled"}:  # the second has no argument to name: it is a spelling
            continue
        path, answer = opened(owner, name)
        if answer.status_code == 405:
            empty.append(name)
        elif "Allow" in answer.headers:
            onward = answer["Location"]
            above = path.startswith(onward.rstrip("/")) and owner.get(onward).status_code in {200, 302, 404}
            wrong += [] if answer.status_code == 302 and above else [f"{name}: {answer.status_code} {onward}"]
    assert (empty, wrong) == ([], [])


@pytest.mark.parametrize(("name", "onward"), LEADS_TO.items())
def test_an_address_that_takes_a_form_leads_to_the_page_of_the_form(owner: Client, name: str, onward: str) -> None:
    path, answer = opened(owner, name)
    assert answer["Location"] == onward.format(**resolve(path).kwargs)


def test_a_write_in_a_wrong_method_is_still_refused(owner: Client) -> None:
    answer = owner.put("/theme/")
    assert (answer.status_code, answer["Allow"]) == (405, "POST")


def test_a_program_that_reads_a_wrong_address_of_the_embedded_platform_is_told_405(client: Client) -> None:
    assert client.delete("/sandbox/api/videos").status_code == 405
    assert client.get("/sandbox/api/ai-workflow").status_code in {404, 405}
