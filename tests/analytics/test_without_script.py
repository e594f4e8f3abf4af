"""Analytics are read, chosen and tried again without script."""

from types import ModuleType
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.sandbox.seed.large import LibrarySize, seed_large
from tests.analytics.lesson_library import LESSONS, read_everything
from tests.forms import PlainBrowser
from tests.kept_traffic import keep_traffic

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_panel_that_failed_is_tried_again_and_another_count_is_chosen(
    owner: Client, faults: ModuleType, cast: dict[str, Any]
) -> None:
    faults.set("analytics.city", status=500)
    page = PlainBrowser(owner).open("/dashboard/analytics/?zone=UTC")
    assert any(one.attrs.get("class") == "line" for one in page.all("path"))
    assert page.has("a", "Table CSV")
    assert "The platform has trouble of its own." in page.text
    faults.clear()
    page.follow("Try again")
    assert "The platform has trouble of its own." not in page.text
    assert page.choose("Count", "plays").press("Show").has("h2", "Plays per day")


def test_filter_pages_and_reasons_of_lessons_are_reached(owner: Client, cast: dict[str, Any]) -> None:
    seed_large(timezone.now(), LibrarySize(videos=150, folders=60, cards=0, sub_accounts=0))
    page = PlainBrowser(owner).open(LESSONS)
    read_everything()
    page.open(LESSONS).follow("Next")
    assert "11" in next(one.words for one in page.all() if one.attrs.get("class") == "lesson__rank")
    page.follow("Previous").follow("Show all")
    assert "Can't tell" in page.text and "needed" in page.text
    folder = list(page.field("Folder and its subfolders").all("option"))[1]
    page.choose("Folder and its subfolders", folder.attrs["value"]).press("Show")
    assert "list=unjudged" in page.address and folder.attrs["value"] in page.address


def test_every_part_of_why_traffic_rose_leads_to_its_list(owner: Client, cast: dict[str, Any]) -> None:
    seed_large(timezone.now(), LibrarySize(videos=150, folders=60, cards=0, sub_accounts=0))
    keep_traffic(Account.objects.get())
    page = PlainBrowser(owner).open("/dashboard/analytics/traffic/?range=28d&zone=UTC").follow("Why")
    assert "The parts add up exactly to the difference." in page.text
    parts = [one for one in page.all("span") if one.attrs.get("class") == "parts__name"]
    page.open(next(link for part in parts for link in part.all("a")).attrs["href"])
    assert any(one.attrs.get("id") == "why-videos" and next(one.all("tbody"), None) for one in page.all())
    assert page.follow("All videos").link("By video").attrs["aria-current"] == "page"
