"""The owner's desk of review links without script."""

import csv
import io
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from tests.forms import PlainBrowser

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def test_link_is_created_and_comments_are_resolved_and_searched(owner: Client, cast: dict[str, Any]) -> None:
    page = PlainBrowser(owner).open(f"/dashboard/review-links/create/?video={cast['videos']['reviewed']}")
    page.fill("Name of the link", "No script").press("Create review link")
    assert re.search("[0-9a-f-]{36}$", page.field("Address for reviewers").value)
    page.follow("All links of this video").press("Resolve", near="The ridge line runs straight")
    assert "Resolved the comment of Priya Nair at 0:05." in page.text
    page.fill("Words or name", "ridge").press("Search", near="Words or name")
    assert len(list(page.all("article"))) == 1
    assert "show=resolved" in page.follow("Resolved").address


def test_exports_are_downloaded_and_their_settings_stay(owner: Client, open_link: str) -> None:
    page = PlainBrowser(owner).open(f"{open_link}?show=open").follow("Spreadsheet CSV")
    rows = list(csv.reader(io.StringIO(page.answer.content.decode("utf-8-sig"), newline="")))
    assert len(rows) == 11 and "Serra Alta, launch film - Cut 3.csv" in page.answer.headers["Content-Disposition"]
    page.choose("Frame rate", "29.97df").fill("Timeline starts at", "00:00:00:00").press("DaVinci Resolve EDL")
    content = page.answer.content.decode()
    assert "FCM: DROP FRAME" in content and content.count("|C:ResolveColorBlue") == 10
    page.press("Final Cut Pro FCPXML")
    assert len(list(ET.fromstring(page.answer.content).iter("marker"))) == 10
    page.open("")
    assert (page.field("Frame rate").value, page.field("Timeline starts at").value) == ("29.97df", "00:00:00;00")
