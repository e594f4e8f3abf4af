"""The one picker of videos: what it finds, what it keeps, and what it says of a library that is read in part."""

import re
from collections.abc import Callable
from html import unescape
from types import ModuleType
from typing import Any

import pytest
from django.test import Client

from dashboard.activity.models import Entry
from dashboard.funnels.models import Draft
from dashboard.sandbox import faults as sandbox_faults
from dashboard.sandbox.models import Video
from dashboard.upstream import library
from dashboard.upstream.reads import Reads
from tests.pages import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])

CREATE_TEST = "/dashboard/ab-tests/create/"
CREATE_LINK = "/dashboard/review-links/create/"
PICKERS = ("ab_tests", "funnels", "review_links")


@pytest.fixture
def add(cast: dict[str, Any]) -> str:
    return f"/dashboard/funnels/{cast['funnels']['main']}/add/"


@pytest.fixture(params=PICKERS)
def search(request: pytest.FixtureRequest, owner: Client, add: str) -> Any:
    """Searches in a picker as its page does, and gives the page."""

    def searched(words: str, page: int = 1) -> str:
        match request.param:
            case "ab_tests":
                answer = owner.post(CREATE_TEST, {"find": words, "_find": str(page)})
            case "funnels":
                answer = owner.post(add, {"find": words, "_find": str(page)})
            case _:
                answer = owner.get(CREATE_LINK, {"q": words, "page": str(page)})
        assert answer.status_code == 200
        return unescape(one_line(answer.content.decode()))

    return searched


def in_a_folder() -> Video:
    """A video with words in its folder's name that no title has."""
    video = Video.objects.filter(organization__videos__isnull=False, folder__isnull=False).first()
    assert video is not None and video.folder is not None
    video.folder.name = "Zürich archive"
    video.folder.save()
    return video


def test_videos_are_found_by_title_folder_and_id(search: Any, cast: dict[str, Any]) -> None:
    here = str(Video.objects.get(pk=cast["videos"]["plain"]).pk)
    video = Video.objects.get(pk=here)
    video.folder = in_a_folder().folder
    video.title = "A título of its own"
    video.save()
    for words in ("titulo OF its", "zurich ARCH", here, here.upper(), here[:13]):
        page = search(words)
        assert here in page and "A título of its own" in page and "Zürich archive" in page, words
    assert "No video has this in its title, folder or id." in search("nothing has this")


def test_every_video_of_the_library_is_on_one_of_the_pages(search: Any, owner: Client, add: str) -> None:
    first, second = search(""), search("", 2)
    assert re.search(r'name="(_find|page)" value="2"', first) and "Previous" not in first.split('id="video-picker"')[1]
    assert re.search(r'name="(_find|page)" value="1" formaction="#video-picker" formnovalidate>Previous', second)
    titles = [page.split('class="video-option__title">')[1].split("<")[0] for page in (first, second)]
    assert titles[0] != titles[1]


@pytest.fixture
def read_only(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    """`read_only(3)`: of the library so many videos are read, and no others for now."""

    def read(most: int) -> None:
        monkeypatch.setattr(library, "WHOLE", most)
        monkeypatch.setattr(Reads, "spare", Reads.known)

    return read


def test_a_search_by_folder_says_how_much_of_the_library_it_looked_through(
    search: Any, monkeypatch: pytest.MonkeyPatch, read_only: Callable[[int], None]
) -> None:
    in_a_folder()
    read_only(3)
    assert "in the 3 of " in search("zurich") and "videos read so far." in search("zurich")
    monkeypatch.undo()
    assert "read so far" not in search("zurich")


def test_a_title_is_found_beyond_what_was_read(search: Any, read_only: Callable[[int], None]) -> None:
    read_only(1)
    assert "From cherry to cup" in search("cherry")


def test_a_library_that_is_not_listed_is_searched_by_id(search: Any, faults: ModuleType, cast: dict[str, Any]) -> None:
    faults.set("videos.list", status=404)
    assert "does not list its videos. Search for one by its id." in search("cherry")
    assert Video.objects.get(pk=cast["videos"]["plain"]).title in search(str(cast["videos"]["plain"]))


def test_what_was_ticked_and_typed_stays_over_a_search_in_the_funnel(
    owner: Client, add: str, cast: dict[str, Any]
) -> None:
    ticked, typed = cast["videos"]["plain"], cast["videos"]["with_subtitles"]
    sent = {"find": "cherry", "_find": "1", "video": [ticked], "ids": f"{typed} half-an-id"}
    page = unescape(owner.post(add, sent).content.decode())
    assert f'value="{ticked}" checked' in page and f'value="{typed}" checked' in page
    assert ">half-an-id</textarea>" in page and "From cherry to cup" in page
    assert "Some ids are not" not in page and not Draft.objects.exists()


def test_chosen_videos_that_cannot_be_read_stay_ticked_and_are_not_added(
    owner: Client, add: str, faults: ModuleType, cast: dict[str, Any]
) -> None:
    faults.set("videos.get", status=500)
    for sent in ({"_find": "1"}, {}):
        answer = owner.post(add, {"video": [cast["videos"]["plain"]], **sent})
        assert f'value="{cast["videos"]["plain"]}" checked' in answer.content.decode()
    assert answer.status_code == 422 and not Draft.objects.exists()


def test_a_variant_that_is_gone_stays_in_the_form_with_its_reason(owner: Client, cast: dict[str, Any]) -> None:
    gone = cast["videos"]["other_account"]
    page = unescape(owner.get(CREATE_TEST, {"video": gone}).content.decode())
    assert f'value="{gone}" checked' in page and "This video was not found in this account." in page


def test_a_video_on_the_board_says_so_and_is_not_added_again(owner: Client, add: str, cast: dict[str, Any]) -> None:
    page = one_line(owner.get(add, {"find": "Serra Alta, launch film"}).content.decode())
    assert "disabled" in page and "On the board already." in page


@pytest.mark.parametrize("status", ["DRAFT", "FAILED", "CONVERTING", "DELETING"])
def test_a_funnel_is_not_sent_with_a_video_that_viewers_cannot_play_any_more(
    owner: Client, add: str, cast: dict[str, Any], status: str
) -> None:
    video, funnel = cast["videos"]["plain"], add.removesuffix("add/")
    assert owner.post(add, {"video": [video]}).status_code == 302
    Video.objects.filter(pk=video).update(status=status)
    page = unescape(owner.post(f"{funnel}send/", follow=True).content.decode())
    assert "viewers can't play it" in page and "Send funnel" not in page
    assert not Entry.objects.exists() and Draft.objects.exists()
    Video.objects.filter(pk=video).update(status="CONVERTED")
    owner.post(f"{funnel}send/")
    assert Entry.objects.exists() and not Draft.objects.exists()


@pytest.mark.parametrize(
    ("kind", "key", "said", "address"),
    [
        ("lives", "scheduled", "This is the id of a live, not of", "/dashboard/lives/{}/"),
        ("ab_tests", "draft", "This is the id of an A/B test, not of", "/dashboard/ab-tests/{}/"),
    ],
)
def test_id_of_a_live_or_of_a_test_is_said_to_be_one_with_a_link_to_it(
    search: Any, owner: Client, cast: dict[str, Any], kind: str, key: str, said: str, address: str
) -> None:
    typed = cast[kind][key]
    for page in (search(typed), search(typed.upper())):
        assert f"{said} a video." in page and f'href="{address.format(typed)}"' in page
    for place, asked in (
        ("videos/{}/", "a video"),
        ("videos/?q={}", "a video"),
        ("custom-fields/videos/{}/", "a video"),
        ("playlists/{}/", "a playlist"),
        ("funnels/{}/", "a funnel"),
    ):
        answer = owner.get(f"/dashboard/{place.format(typed)}")
        assert answer.status_code == (200 if "?" in place else 404), place
        page = one_line(answer.content.decode())
        assert f"{said} {asked}." in page and f'href="{address.format(typed)}"' in page, place


@pytest.mark.parametrize(
    ("place", "asked"),
    [("lives", "a live"), ("ab-tests", "an A/B test"), ("playlists", "a playlist"), ("funnels", "a funnel")],
)
def test_id_of_a_known_video_is_said_to_be_one_where_something_else_is_asked_for(
    owner: Client, cast: dict[str, Any], place: str, asked: str
) -> None:
    video = cast["videos"]["plain"]
    owner.get(f"/dashboard/videos/{video}/")
    answer = owner.get(f"/dashboard/{place}/{video}/")
    page = one_line(answer.content.decode())
    assert answer.status_code == 404 and f"This is the id of a video, not of {asked}." in page
    assert f'href="/dashboard/videos/{video}/"' in page
    assert (
        "This is the id of" not in owner.get("/dashboard/lives/00000000-0000-4000-8000-000000000000/").content.decode()
    )


def test_page_of_a_live_that_is_not_there_does_not_lead_to_itself(owner: Client, cast: dict[str, Any]) -> None:
    answer = owner.get("/dashboard/lives/6c697665-0000-4000-8000-000000000000/")
    assert answer.status_code == 404 and "the id of a live" not in answer.content.decode()


def test_address_of_a_live_with_the_id_of_a_test_leads_to_the_test(owner: Client, cast: dict[str, Any]) -> None:
    sandbox_faults.use_manner(without=frozenset({"lives.get", "lives.list", "public_files.live"}))
    try:
        answer = owner.get(f"/dashboard/lives/{cast['ab_tests']['draft']}/")
    finally:
        sandbox_faults.use_manner()
    page = answer.content.decode()
    assert answer.status_code == 404 and "This is the id of an A/B test, not of a live." in page
    assert f'href="/dashboard/ab-tests/{cast["ab_tests"]["draft"]}/"' in page
