"""The library is searched, and its folders walked, without script."""

from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.runs.models import Run
from dashboard.sandbox.seed.large import LibrarySize, seed_large
from dashboard.videos.tasks import read_library
from tests.forms import PlainBrowser
from tests.kept_subtitles import keep_subtitles

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_library_is_searched_and_its_folders_walked(owner: Client, cast: dict[str, Any]) -> None:
    page = PlainBrowser(owner).open("/dashboard/").follow("Show their traffic")
    assert "of traffic by these" in page.text
    page.follow("Search or jump to").fill("What are you looking for?", "lanca").press("Search")
    page.follow("Lançamento 2026").follow("Redes sociais").fill("Name contains", "curso").press(
        "Search", near="Name contains"
    )
    assert "folders" in page.text
    page.open("/dashboard/videos/")
    while read_library.call():
        pass
    page.open("").choose("Missing subtitles", "fr").press("Search", near="Missing subtitles")
    assert page.address.endswith("?q=missing%3Afr")


def test_all_that_match_get_three_languages(owner: Client, cast: dict[str, Any]) -> None:
    seed_large(timezone.now(), LibrarySize(videos=150, folders=60, cards=0, sub_accounts=0))
    keep_subtitles(Account.objects.get())
    page = PlainBrowser(owner).open("/dashboard/videos/?wait=1")
    while read_library.call():
        pass
    page.open("/dashboard/videos/").fill("Search and filter", 'folder:"Course 0001: Planting"/** missing:es,fr,it')
    page.press("Search", near="Search and filter").follow("Select all")
    assert "that match are selected" in page.text
    page.press("Create subtitles")
    assert all("checked" in one.attrs for one in page.all("input") if one.attrs.get("value") in ("es", "fr", "it"))
    page.press("Check videos").press("Start run")
    assert "waiting" in page.follow("Reload the page").text
    assert Run.objects.get().items.count() > 25
