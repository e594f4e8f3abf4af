"""A playlist is deleted without script."""

from typing import Any

import pytest
from django.test import Client

from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_playlist_is_deleted_when_the_person_says_so(owner: Client, cast: dict[str, Any]) -> None:
    page = PlainBrowser(owner).open(f"/dashboard/playlists/{cast['playlists']['own']}/delete/")
    name = next(page.all("h1")).words.split("“")[1].rstrip("”?")
    page.fill("Type the name", name).press("Delete playlist").press("Delete now")
    assert "was deleted. Its videos are still there" in page.text
