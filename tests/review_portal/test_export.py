"""A reviewer's files and print view: what the page shows, in its order, as long as the link can be read."""

import json
import uuid
from datetime import timedelta
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from django.test import Client
from django.utils import timezone

from review_portal.exports.files import EXTENSIONS
from review_portal.models import Reviewer as KeptReviewer
from tests.pages import rows_of_file
from tests.review_portal.conftest import Reviewer, World

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


@pytest.fixture
def link(world: World) -> uuid.UUID:
    """A link with three comments, one of them resolved, one answered, one a span."""
    first = world.comment("0:07-0:09 Too loud | here", user_name="Ana Prado")
    world.comment("Fixed.", user_name="Téo", reply_to=first)
    world.comment("Lovely.", user_name="Priya", time=3, status="resolved")
    world.comment("=SUM(A1)", user_name="Jonas", time=12)
    return world.link()


@pytest.mark.parametrize("extension", EXTENSIONS)
def test_every_file_is_at_the_address_of_its_extension(client: Client, link: uuid.UUID, extension: str) -> None:
    answer = client.get(f"/{link}/export.{extension}")
    assert answer.status_code == 200
    assert answer.headers["Content-Disposition"].startswith("attachment;")
    assert answer.headers["Cache-Control"] == "private, no-store"
    assert "Too loud" in answer.content.decode()


def test_the_file_follows_filter_person_search_and_order(client: Client, link: uuid.UUID) -> None:
    def texts(query: str) -> list[str]:
        return [
            comment["text"] for comment in json.loads(client.get(f"/{link}/export.json{query}").content)["comments"]
        ]

    assert texts("") == ["Lovely.", "0:07-0:09 Too loud | here", "=SUM(A1)"]
    assert texts("?show=resolved") == ["Lovely."]
    assert texts("?show=open&by=Jonas") == ["=SUM(A1)"]
    assert texts("?q=LOUD") == ["0:07-0:09 Too loud | here"]
    assert sorted(texts("?sort=newest")) == sorted(texts(""))


def test_mine_are_the_reviewer_s_own(world: World, link: uuid.UUID) -> None:
    ana, jonas = Reviewer(link), Reviewer(link, name="Jonas W")
    ana.open()
    ana.post("Only mine.", time="0:01")
    assert [row[6] for row in rows_of_file(ana.client.get(f"/{link}/export.csv?show=mine").content)[1:]] == [
        "Only mine."
    ]
    jonas.open()
    assert rows_of_file(jonas.client.get(f"/{link}/export.csv?show=mine").content)[1:] == []


def test_a_span_and_its_reply_reach_every_marker_file(client: Client, link: uuid.UUID) -> None:
    edl = client.get(f"/{link}/export.edl").content.decode()
    assert "0:07-0:09 Too loud / here / Téo: Fixed. |C:ResolveColorBlue |M:Ana Prado |D:50" in edl
    fcpxml = ET.fromstring(client.get(f"/{link}/export.fcpxml").content)
    assert [marker.get("completed") for marker in fcpxml.iter("marker")] == ["1", None, None]
    premiere = ET.fromstring(client.get(f"/{link}/export.xml").content)
    assert [(m.findtext("in"), m.findtext("out")) for m in premiere.iter("marker")] == [
        ("75", "-1"), ("175", "225"), ("300", "-1"),
    ]  # fmt: skip


def test_formulas_are_harmless(client: Client, link: uuid.UUID) -> None:
    assert "'=SUM(A1)" in [cell for row in rows_of_file(client.get(f"/{link}/export.csv").content) for cell in row]


def test_frame_rate_and_start_are_asked_once(client: Client, link: uuid.UUID) -> None:
    client.get(f"/{link}/export.edl", {"fps": "59.94df", "start": "10:00:00:00"})
    assert client.cookies["timeline"]["httponly"]
    assert client.cookies["timeline"]["samesite"] == "Lax"
    assert "10:00:03;00" in client.get(f"/{link}/export.edl").content.decode()
    page = client.get(f"/{link}").content.decode()
    assert '<option value="59.94df" selected>' in page
    assert 'value="10:00:00;00"' in page


def test_a_start_that_cannot_be_is_asked_for_again(client: Client, link: uuid.UUID) -> None:
    answer = client.get(f"/{link}/export.xml", {"fps": "24", "start": "01:00:00:24", "show": "open"})
    assert answer.status_code == 422
    page = answer.content.decode()
    assert "Use a frame from 00 to 23. At 24, a second has no more frames." in page
    assert 'name="show" value="open"' in page


@pytest.mark.parametrize("extension", ["pdf", "CSV", "csv.exe"])
def test_there_are_no_other_files(client: Client, link: uuid.UUID, extension: str) -> None:
    assert client.get(f"/{link}/export.{extension}").status_code == 404


def test_resolved_comments_that_a_link_hides_are_in_no_file(client: Client, world: World, link: uuid.UUID) -> None:
    hiding = world.link(show_resolved=False)
    for extension in EXTENSIONS:
        assert "Lovely." not in client.get(f"/{hiding}/export.{extension}").content.decode()


def test_a_closed_link_can_still_be_exported_and_printed(client: Client, world: World, link: uuid.UUID) -> None:
    closed = world.link(expires_at=timezone.now() - timedelta(days=1))
    assert len(rows_of_file(client.get(f"/{closed}/export.csv").content)) == 4
    assert "Too loud" in client.get(f"/{closed}/print").content.decode()


@pytest.mark.parametrize("path", ["export.csv", "export.edl", "print"])
def test_a_link_that_was_switched_off_gives_nothing(client: Client, world: World, path: str) -> None:
    answer = client.get(f"/{world.link(status='inactive')}/{path}")
    assert answer.status_code == 403
    assert "Content-Disposition" not in answer.headers


@pytest.mark.parametrize("path", ["export.csv", "print"])
def test_a_link_nobody_knows_is_not_there(client: Client, db: None, cast: dict[str, Any], path: str) -> None:
    assert client.get(f"/{uuid.uuid4()}/{path}").status_code == 404


def test_with_the_platform_away_the_copy_is_exported(client: Client, link: uuid.UUID, faults: Any) -> None:
    client.get(f"/{link}")
    faults.set("*", status=503)
    assert len(rows_of_file(client.get(f"/{link}/export.csv").content)) == 4


def test_paper_shows_the_list_as_the_page_does(client: Client, link: uuid.UUID) -> None:
    page = client.get(f"/{link}/print?show=open").content.decode()
    assert "2 of 3 comments shown, 1 of all resolved" in page
    assert "0:07–0:09" in page
    assert "Lovely." not in page
    assert f'href="/{link}?show=open"' in page


def test_no_session_token_is_in_any_file(world: World, link: uuid.UUID) -> None:
    ana = Reviewer(link)
    ana.open()
    ana.post("Mine.")
    token = KeptReviewer.objects.get(name="Ana Prado").token
    for extension in EXTENSIONS:
        assert token not in ana.client.get(f"/{link}/export.{extension}").content.decode()


def test_words_of_the_file_are_in_the_language_of_the_reader(client: Client, link: uuid.UUID) -> None:
    client.cookies["language"] = "es"
    head, *body = rows_of_file(client.get(f"/{link}/export.csv").content)
    assert head[0] == "Tiempo"
    assert {row[5] for row in body} == {"abierto", "resuelto"}


@pytest.mark.parametrize(
    ("measured", "chosen"),
    [("23.976", "23.976"), ("25", "25"), ("29.97", "29.97"), ("15", "30"), ("12.5", "25"), ("47", "25")],
)
def test_rate_that_was_measured_is_what_the_export_begins_with(
    client: Client, link: uuid.UUID, measured: str, chosen: str
) -> None:
    client.cookies["film_rates"] = f"00000000:24|{str(link)[:8]}:{measured}"
    page = client.get(f"/{link}").content.decode()
    assert f'<option value="{chosen}" selected>' in page
    assert f"Measured in this video: {measured} frames a second." in page


def test_rate_that_was_chosen_for_a_film_stays_and_is_not_taken_for_another_ones(
    client: Client, link: uuid.UUID
) -> None:
    client.cookies["film_rates"] = f"{str(link)[:8]}:24"
    client.get(f"/{link}/export.edl", {"fps": "59.94", "start": "01:00:00:00"})
    assert '<option value="59.94" selected>' in client.get(f"/{link}").content.decode()
    client.cookies["timeline"] = "59.94 01:00:00:00 00000000"
    assert '<option value="24" selected>' in client.get(f"/{link}").content.decode()


@pytest.mark.parametrize("kept", ["", ":", "x:24", "{link}:", "{link}:a", "{link}:99999999"])
def test_spoilt_cookie_of_rates_is_ignored(client: Client, link: uuid.UUID, kept: str) -> None:
    client.cookies["film_rates"] = kept.format(link=str(link)[:8])
    page = client.get(f"/{link}").content.decode()
    assert '<option value="25" selected>' in page
