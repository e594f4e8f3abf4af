"""The check of the player without script: a person says whether it plays."""

from typing import Any

import pytest
from django.test import Client

from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_person_says_whether_it_plays(owner: Client, cast: dict[str, Any]) -> None:
    owner.cookies["language"] = "pt-br"
    page = PlainBrowser(owner).open("/dashboard/getting-started/").follow("Não toca")
    assert any("data-fails" in one.attrs and "hidden" not in one.attrs for one in page.all())
    played = next(one for one in page.press("Toca").all() if one.attrs.get("id") == "played")
    assert "Toca" in played.words
    assert page.press("Tudo configurado").address == "/dashboard/"
