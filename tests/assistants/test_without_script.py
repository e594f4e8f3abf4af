"""Chats are switched, and assistants added and removed, without script."""

from typing import Any

import pytest
from django.test import Client

from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_several_are_switched_and_an_assistant_is_added_and_removed(owner: Client, cast: dict[str, Any]) -> None:
    page = PlainBrowser(owner).open("/dashboard/assistants/")
    for box in [one for one in page.all("input") if one.attrs.get("type") == "checkbox"][:3]:
        page.tick(box)
    assert "3 chats were changed." in page.press("Save chats").text
    assert "is shown on" in page.press("Show", near="Unknown").text
    page.fill("Id of the assistant", "lia-7").press("Add assistant")
    assert page.has("th", "lia-7")
    page.press("Remove")
    assert "“lia-7” was removed from Reelroom." in page.text and not page.has("th", "lia-7")
