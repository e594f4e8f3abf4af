"""Lives are started and finished without script, and looked at again."""

from typing import Any

import pytest
from django.test import Client

from dashboard.sandbox import faults
from dashboard.sandbox.clock import Frozen
from dashboard.sandbox.faults import Shape
from tests.forgetting import forget
from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_live_is_started_and_looked_at_until_it_is_on_air(owner: Client, cast: dict[str, Any], clock: Frozen) -> None:
    page = PlainBrowser(owner).open(f"/dashboard/lives/{cast['lives']['scheduled']}/start/").press("Start live")
    assert "Waiting for the encoder" in page.text
    clock.travel(60)
    forget()  # one read of a live serves everybody for two seconds
    assert "On air" in page.follow("Refresh").text


def test_live_is_finished_after_it_was_asked_and_its_request_is_shown_before(
    owner: Client, cast: dict[str, Any]
) -> None:
    page = PlainBrowser(owner).open(f"/dashboard/lives/{cast['lives']['online']}/").follow("Finish live")
    assert "This cannot be undone." in page.text
    assert "Nothing was sent." in page.press("Show the request").text
    page.press("Finish live")
    assert "Finished" in page.text and not page.has("a", "Finish live")


def test_live_that_the_platform_does_not_show_is_started_by_its_id(owner: Client, cast: dict[str, Any]) -> None:
    faults.use_manner(without=frozenset({"lives.get", "lives.list", "public_files.live"}), shape=Shape.STRINGS)
    try:
        page = PlainBrowser(owner).open("/dashboard/lives/")
        page.fill("Open a live by its id", cast["lives"]["scheduled"]).press("Open").follow("Start early")
        assert "Whether the live is offline is not known." in page.text
        assert "Start accepted" in page.press("Start live").text
    finally:
        faults.use_manner()
