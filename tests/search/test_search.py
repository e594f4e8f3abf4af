"""Find anything: by kind, as a page and as the palette's list, never another account's, never all or nothing."""

import re
from collections.abc import Callable, Iterator
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.review_links import tasks as link_tasks
from dashboard.sandbox.models import Comparison, Video
from dashboard.search import registry
from dashboard.search.registry import MOST, Found, Source
from dashboard.shared.http import OwnerRequest
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.pages import page_of, read_page

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])
PALETTE = {"HX-Request": "true"}


def groups(text: str) -> list[str]:
    return re.findall(r'<h2 id="group-(\w+)">', text)


def test_before_anything_is_typed_there_are_actions_and_pages(owner: Client) -> None:
    text = read_page(owner, "/dashboard/search/")
    assert groups(text) == ["actions", "pages"]
    assert "result" not in text.split("<main")[1].split("found")[0]


def test_videos_folders_and_actions_are_found_by_name(owner: Client) -> None:
    text = read_page(owner, "/dashboard/search/?q=curso")
    assert {"videos", "folders"} <= set(groups(text))
    assert "<mark>Curso</mark>: Do pé à xícara" in text
    assert "results</p>" in text


def test_an_accent_that_was_not_typed_does_not_matter_for_folders(owner: Client) -> None:
    assert "<mark>Lança</mark>mento 2026" in read_page(owner, "/dashboard/search/?q=lanca")


def test_tests_are_found_with_their_state(owner: Client) -> None:
    test = Comparison.objects.filter(organization__name="Serra Alta Cafés").first()
    assert test is not None
    text = read_page(owner, f"/dashboard/search/?q={test.name[:12]}")
    assert f"/dashboard/ab-tests/{test.pk}/" in text


def test_languages_lead_to_translating_and_to_gaps(owner: Client) -> None:
    text = read_page(owner, "/dashboard/search/?q=fran%C3%A7ais")
    assert "/dashboard/subtitles/?type=TRANSLATION&to_lang=fr" in text
    assert "/dashboard/videos/?missing=fr" in text


def test_countries_lead_to_their_analytics(owner: Client) -> None:
    assert "/dashboard/analytics/cities/?country=PT" in read_page(owner, "/dashboard/search/?q=portug")


def test_a_pasted_id_finds_its_video(owner: Client, cast: dict[str, Any]) -> None:
    assert f'href="/dashboard/videos/{cast["videos"]["plain"]}/"' in read_page(
        owner, f"/dashboard/search/?q={cast['videos']['plain']}"
    )


def test_where_there_are_more_videos_the_library_shows_them_all(owner: Client) -> None:
    assert "/dashboard/videos/?q=a" in read_page(owner, "/dashboard/search/?q=a")


def test_nothing_of_another_account_is_found(owner: Client, cast: dict[str, Any]) -> None:
    other = Video.objects.get(pk=cast["videos"]["other_account"])
    for wanted in (other.title, str(other.pk)):
        assert f"/videos/{other.pk}/" not in read_page(owner, f"/dashboard/search/?q={wanted}")


def test_what_one_account_searched_is_not_shown_to_another(owner: Client, cast: dict[str, Any]) -> None:
    assert "videos" in groups(read_page(owner, "/dashboard/search/?q=how we roast"))
    second = signed_in(Client(), cast["tokens"]["other"])
    assert "How we roast" not in read_page(second, "/dashboard/search/?q=how we roast").split("<main")[1]


def test_the_palette_gets_the_list_alone_with_one_option_per_result(owner: Client) -> None:
    part = page_of(owner.get("/dashboard/search/?q=roast", headers=PALETTE))
    assert "<html" not in part and 'role="option"' in part
    ids = re.findall(r'role="option"[^>]*id="([^"]+)"', part)
    assert ids and len(ids) == len(set(ids))
    assert re.search(r'data-said="\d+ results?"', part)


def test_what_nobody_has_says_so(owner: Client) -> None:
    owner.get("/dashboard/review-links/")
    link_tasks.read_links.call()
    assert "Nothing has “xyzzy” in its name" in read_page(owner, "/dashboard/search/?q=xyzzy")
    assert 'data-said="No results"' in page_of(owner.get("/dashboard/search/?q=xyzzy", headers=PALETTE))


def test_typed_markup_is_text(owner: Client) -> None:
    text = owner.get("/dashboard/search/?q=%3Cscript%3Ealert(1)%3C/script%3E").content.decode()
    assert "<script>alert" not in text and "&lt;script&gt;alert" in text


def test_a_kind_that_fails_is_named_and_the_others_are_there(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("folders.list", status=500)
    text = read_page(owner, "/dashboard/search/?q=roast")
    assert 'href="/dashboard/search/?q=roast">Try again<' in text
    assert "Not searched: Folders." in text and "videos" in groups(text)


def test_a_kind_that_the_platform_does_not_list_is_left_out(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("playlists.list", status=404)
    assert "Not searched" not in read_page(owner, "/dashboard/search/?q=roast")


def test_a_refused_token_leads_to_sign_in(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("videos.list", status=401)
    assert owner.get("/dashboard/search/?q=roast")["Location"].startswith("/sign-in/")


def test_a_late_kind_can_be_waited_for(owner: Client, late: Callable[..., None]) -> None:
    late("*")
    text = read_page(owner, "/dashboard/search/?q=roast")
    assert 'href="/dashboard/search/?q=roast&wait=1"' in text
    assert "videos" in groups(read_page(owner, "/dashboard/search/?q=roast&wait=1"))


def test_a_feature_adds_its_kind_and_may_go_on_forever(owner: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    def endless(request: OwnerRequest, wanted: str) -> Iterator[Found]:
        while True:
            yield Found("/dashboard/", "tag", f"Field {wanted}")

    monkeypatch.setattr(registry, "SOURCES", {"fields": Source("fields", "Fields", 1, endless)})
    text = read_page(owner, "/dashboard/search/?q=color")
    assert groups(text) == ["fields"] and text.count("Field <mark>color</mark>") == MOST


def test_the_palette_stands_on_every_page_with_its_way_without_script(owner: Client) -> None:
    text = read_page(owner, "/dashboard/search/")
    assert 'id="palette"' in text and 'role="combobox"' in text
    assert 'href="/dashboard/search/" data-find' in text


def test_nobody_signed_out_sees_it(client: Client) -> None:
    assert client.get("/dashboard/search/?q=a")["Location"].startswith("/sign-in/")


@pytest.mark.parametrize(
    ("typed", "address"),
    [("trafic", "/dashboard/analytics/traffic/"), ("anlytics 90", "range=90d"), ("expotr activity", "/activity.csv")],
)
def test_a_slip_of_the_finger_still_finds(owner: Client, typed: str, address: str) -> None:
    assert address in read_page(owner, f"/dashboard/search/?q={typed}")


def test_actions_that_a_form_does_are_offered_and_done(owner: Client, cast: dict[str, Any]) -> None:
    text = read_page(owner, "/dashboard/search/?q=dark theme")
    assert 'action="/theme/"' in text and 'name="theme" value="dark"' in text
    options = page_of(owner.get("/dashboard/search/?q=sign out", headers=PALETTE))
    assert 'formaction="/sign-out/"' in options and 'form="act"' in options and 'role="option"' in options
    owner.post("/sign-in/", {"token": cast["tokens"]["trial"]})
    assert "</mark> to Account" in read_page(owner, "/dashboard/search/?q=switch") and "/use/" in read_page(
        owner, "/dashboard/search/?q=switch"
    )


@pytest.mark.parametrize("page", ["", "videos/", "activity/", "search/", "analytics/"])
def test_every_page_has_the_sheet_of_its_keys(owner: Client, page: str) -> None:
    sheet = owner.get(f"/dashboard/{page}").content.decode().split('id="all-keys"')[1].split("</dialog>")[0]
    assert "Ctrl K" in sheet and "data-single-keys" in sheet
    assert ("This month" in sheet) == (page == "analytics/")


def test_live_is_found_by_its_id_where_lives_are_not_listed(
    owner: Client, cast: dict[str, Any], faults: ModuleType
) -> None:
    faults.set("lives.list", status=404)
    live = cast["lives"]["scheduled"]
    assert f'href="/dashboard/lives/{live}/"' in read_page(owner, f"/dashboard/search/?q={live}")
