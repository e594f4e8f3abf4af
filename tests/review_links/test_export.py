"""The owner's files: what the page shows, in its order, with the timeline asked once."""

import json
import re
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client

from tests.pages import rows_of_file

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture(params=["link", "video"])
def here(request: pytest.FixtureRequest, open_link: str, cast: dict[str, Any]) -> str:
    return open_link if request.param == "link" else f"/dashboard/review-links/videos/{cast['videos']['reviewed']}/"


def test_the_menu_leads_to_every_file_with_the_filters_of_the_page(owner: Client, here: str) -> None:
    page = owner.get(here, {"show": "open", "q": "the"}).content.decode()
    for extension in ("csv", "txt", "json"):
        assert f'href="{here}export.{extension}?show=open&amp;q=the"' in page
    for extension in ("edl", "fcpxml", "xml"):
        assert f'formaction="{here}export.{extension}"' in page
    assert '<input type="hidden" name="show" value="open"><input type="hidden" name="q" value="the">' in page


@pytest.mark.parametrize(("query", "count"), [({}, 14), ({"show": "open"}, 10), ({"by": "Lucía Ferrer"}, 1)])
def test_a_spreadsheet_holds_what_the_page_shows(owner: Client, here: str, query: dict[str, str], count: int) -> None:
    answer = owner.get(f"{here}export.csv", query)
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    assert answer.headers["Content-Disposition"].startswith("attachment; filename")
    assert len(rows_of_file(answer.content)) == count + 1


def test_the_order_of_the_page_is_the_order_of_the_file(owner: Client, here: str) -> None:
    newest = json.loads(owner.get(f"{here}export.json", {"sort": "newest"}).content)["comments"]
    stamps = [comment["created_at"] for comment in newest]
    assert stamps == sorted(stamps, reverse=True)


def test_heads_and_states_are_in_the_reader_s_language(owner: Client, here: str) -> None:
    owner.cookies["language"] = "pt-br"
    head, *body = rows_of_file(owner.get(f"{here}export.csv").content)
    assert head[0] == "Tempo"
    assert {row[5] for row in body} == {"aberto", "resolvido"}


def test_markers_use_the_timeline_that_is_asked_for_and_remember_it(owner: Client, here: str) -> None:
    first = owner.get(f"{here}export.edl", {"fps": "29.97df", "start": "00:00:00:00"})
    assert "FCM: DROP FRAME" in first.content.decode()
    assert "00:01:01;00" in first.content.decode()
    assert owner.cookies["timeline"].value.startswith("29.97df 00:00:00:00 ")
    again = ET.fromstring(owner.get(f"{here}export.fcpxml").content)
    assert next(again.iter("sequence")).attrib["tcFormat"] == "DF"
    assert '<option value="29.97df" selected>' in owner.get(here).content.decode()


def test_without_any_choice_markers_are_at_25_from_one_hour(owner: Client, here: str) -> None:
    content = owner.get(f"{here}export.edl").content.decode()
    assert "001  001      V     C        01:00:02:00 01:00:02:01" in content
    assert "timeline" not in owner.cookies


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({"fps": "25", "start": "1:00"}, "Write the start timecode as hours, minutes, seconds and frames"),
        ({"fps": "25", "start": "01:00:00:25"}, "Use a frame from 00 to 24."),
        ({"fps": "29.97df", "start": "00:01:00:00"}, "Drop-frame timecode skips the first frames of this minute."),
    ],
)
def test_a_timecode_that_cannot_be_is_asked_for_again_with_what_was_typed(
    owner: Client, here: str, query: dict[str, str], sentence: str
) -> None:
    answer = owner.get(f"{here}export.edl", {**query, "show": "open"})
    page = answer.content.decode()
    assert answer.status_code == 422
    assert sentence in page
    assert f'value="{query["start"]}"' in page
    assert 'name="show" value="open"' in page
    assert "timeline" not in owner.cookies


def test_a_rate_nobody_knows_is_the_usual_one(owner: Client, here: str) -> None:
    assert "FCM: NON-DROP FRAME" in owner.get(f"{here}export.edl", {"fps": "12"}).content.decode()


@pytest.mark.parametrize("kept", ["x", "25 99:99", "\x00", "29.97df 00:01:00:00"])
def test_a_spoilt_cookie_is_ignored(owner: Client, here: str, kept: str) -> None:
    owner.cookies["timeline"] = kept
    assert owner.get(f"{here}export.edl").status_code == 200


@pytest.mark.parametrize("extension", ["exe", "CSV", "edl.exe"])
def test_there_are_no_other_files(owner: Client, here: str, extension: str) -> None:
    assert owner.get(f"{here}export.{extension}").status_code == 404


def test_every_file_can_be_read_by_its_own_kind_of_reader(owner: Client, here: str) -> None:
    assert len(json.loads(owner.get(f"{here}export.json").content)["comments"]) == 14
    assert "Serra Alta, launch film" in owner.get(f"{here}export.txt").content.decode()
    assert len(list(ET.fromstring(owner.get(f"{here}export.fcpxml").content).iter("marker"))) == 14
    assert len(list(ET.fromstring(owner.get(f"{here}export.xml").content).iter("marker"))) == 14
    assert len(re.findall(r"^\d{3}  001", owner.get(f"{here}export.edl").content.decode(), re.M)) == 14
