"""The library: grid and table, filters in the address, gaps looked up within bounds, and a platform in trouble."""

import re
from collections.abc import Callable
from types import ModuleType
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from dashboard import clients
from dashboard.platform_api import Platform, errors
from dashboard.sandbox.models import Folder, Video
from dashboard.upstream import library
from dashboard.videos import rules
from tests.conftest import signed_in
from tests.forgetting import forget
from tests.one_line import one_line

pytestmark = pytest.mark.django_db(databases=["default", "sandbox"])


def text_of(client: Client, query: str = "", **headers: str) -> str:
    answer = client.get(f"/dashboard/videos/{query}", headers=headers)
    assert answer.status_code == 200
    return one_line(answer.content.decode())


def titles_within(folder: UUID) -> set[str]:
    """Of the videos of a folder and of all folders in it."""
    found = set(Video.objects.filter(folder_id=folder).values_list("title", flat=True))
    for child in Folder.objects.filter(parent_id=folder).values_list("pk", flat=True):
        found |= titles_within(child)
    return found


def titles(text: str) -> list[str]:
    return re.findall(r'class="card-video__title" href="[^"]+">([^<]+)<', text)


def test_the_first_page_shows_24_with_the_count_and_the_way_on(owner: Client) -> None:
    text = text_of(owner)
    assert len(titles(text)) == 24
    assert "75 videos" in text and "1 to 24 of 75" in text and "Page 1 of 4" in text
    assert 'rel="next"' in text and 'rel="prev"' not in text


def test_the_last_page_shows_the_rest_and_the_way_back(owner: Client) -> None:
    text = text_of(owner, "?page=4")
    assert len(titles(text)) == 3
    assert 'rel="next"' not in text and 'rel="prev"' in text


def test_another_accounts_videos_never_show(owner: Client, cast: dict[str, Any]) -> None:
    text = text_of(owner, f"?sort=title&q={Video.objects.get(pk=cast['videos']['other_account']).title}")
    assert cast["videos"]["other_account"] not in text


@pytest.mark.parametrize(
    ("query", "expected"),
    [("?q=roast", "How we roast"), ("?status=FAILED", "MVI_0417 (envio interrompido).mov")],
)
def test_filters_of_the_address_are_the_platforms(owner: Client, query: str, expected: str) -> None:
    text = text_of(owner, query)
    assert expected in titles(text)
    assert len(titles(text)) < 24
    assert "remove this filter" in text


def test_a_folder_narrows_and_its_chip_says_its_name(owner: Client, cast: dict[str, Any]) -> None:
    text = text_of(owner, f"?folder={cast['folders']['root']}")
    assert set(titles(text)) <= titles_within(UUID(cast["folders"]["root"]))
    assert re.search(r'class="chip"[^>]*>Lançamento 2026', text)


@pytest.mark.parametrize("order", ["", "&sort=title"])
def test_a_folder_has_the_videos_of_the_folders_in_it_too(owner: Client, cast: dict[str, Any], order: str) -> None:
    root = Folder.objects.get(pk=cast["folders"]["root"])
    deeper = Folder.objects.create(
        organization=root.organization, user=root.user, parent=root.children.first(), name="Deep"
    )
    video = Video.objects.filter(organization=root.organization, folder=None).first()
    assert video is not None
    Video.objects.filter(pk=video.pk).update(folder=deeper, title="Four levels down")
    shown = titles(text_of(owner, f"?folder={root.pk}{order}"))
    assert set(shown) == titles_within(root.pk)
    assert "Four levels down" in shown
    assert "Four levels down" not in titles(text_of(owner, f"?folder=root{order}"))


def test_a_folder_without_folders_is_cut_by_the_platform(
    owner: Client, cast: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    text_of(owner)  # the folders are known
    leaf = Folder.objects.filter(
        organization__folders=cast["folders"]["root"], children=None, videos__isnull=False
    ).first()
    assert leaf is not None
    real, asked = library._list, set[tuple[str, int]]()

    def noted(platform: Any, wanted: Any, page: int, limit: int) -> Any:
        asked.add((wanted.folder, limit))
        return real(platform, wanted, page, limit)

    monkeypatch.setattr(library, "_list", noted)
    assert set(titles(text_of(owner, f"?folder={leaf.pk}"))) == titles_within(leaf.pk)
    assert asked == {(str(leaf.pk), rules.PER_PAGE)}


def test_orders_the_platform_does_not_know_are_made_here(owner: Client) -> None:
    lengths = [one.length for one in Video.objects.filter(title__in=titles(text_of(owner, "?sort=-length")))]
    assert max(lengths) == max(Video.objects.values_list("length", flat=True))
    first = titles(text_of(owner, "?sort=title"))
    assert first == sorted(first, key=lambda title: rules._alphabetical(title))


def test_the_table_says_its_order_and_shows_the_chosen_columns(owner: Client) -> None:
    text = text_of(owner, "?view=table&sort=-created&columns=id&columns=created")
    assert 'aria-sort="descending"' in text
    assert "<code>" in text and "Subtitles</th>" not in text


def test_an_unknown_status_is_shown_as_it_came(owner: Client, cast: dict[str, Any]) -> None:
    Video.objects.filter(pk=cast["videos"]["plain"]).update(status="RE_ENCODING_4K")
    assert "RE_ENCODING_4K" in text_of(owner, "?status=RE_ENCODING_4K")


def test_languages_come_after_the_page_each_for_its_own_row(owner: Client, cast: dict[str, Any]) -> None:
    video = cast["videos"]["with_subtitles"]
    page = text_of(owner, "?q=how+we+roast")
    assert f"/dashboard/videos/languages/?video={video}" in page
    part = owner.get("/dashboard/videos/languages/", {"video": [video, "not-an-id"]}).content.decode()
    assert f'id="languages-{video}" hx-swap-oob="true"' in part and "de, es, pt-BR" in part
    assert "de, es, pt-BR" in text_of(owner, "?q=how+we+roast"), "now they are known"


def test_without_script_a_link_waits_for_the_languages(owner: Client) -> None:
    page = text_of(owner, "?q=how+we+roast")
    link = re.search(r'<noscript><a href="([^"]+)"', page)
    assert link
    assert "de, es, pt-BR" in owner.get(link[1].replace("&amp;", "&")).content.decode()


def test_languages_of_another_accounts_video_are_not_told(owner: Client, cast: dict[str, Any]) -> None:
    video = cast["videos"]["other_account_with_subtitles"]
    part = owner.get("/dashboard/videos/languages/", {"video": video}).content.decode()
    assert "Subtitles unknown" in part


def test_chosen_videos_go_into_the_address_of_what_is_done_with_them(owner: Client, cast: dict[str, Any]) -> None:
    text = text_of(owner, "?q=how+we+roast")
    assert f'name="video" value="{cast["videos"]["with_subtitles"]}"' in text
    assert '<form class="stack" method="get"' in text


def test_a_changed_filter_answers_the_part_and_its_clean_address(owner: Client) -> None:
    answer = owner.get("/dashboard/videos/?q=roast&folder=&status=&sort=", headers={"HX-Request": "true"})
    assert answer["HX-Push-Url"] == "/dashboard/videos/?q=roast"
    text = answer.content.decode()
    assert text.lstrip().startswith('<section class="stack" id="library"')
    look = text.split('id="look" hx-swap-oob="true"')[1]
    assert 'href="/dashboard/videos/?q=roast&amp;view=table"' in look, "the switch keeps the filter that was just set"


def test_a_slow_platform_leaves_a_place_that_fetches_itself(owner: Client, late: Callable[..., None]) -> None:
    late("videos.list")
    page = text_of(owner, "?q=roast")
    fetch = re.search(r'id="library"[^>]*hx-get="([^"]+)" hx-trigger="load"', page)
    assert fetch and "wait=1" in fetch[1]
    assert f'<a href="{fetch[1]}"' in page, "the same without script"
    fetched = owner.get(fetch[1].replace("&amp;", "&"), headers={"HX-Request": "true"})
    assert "How we roast" in fetched.content.decode()
    assert "HX-Push-Url" not in fetched


@pytest.mark.parametrize(
    ("fault", "status"),
    [({"status": 403}, 403), ({"status": 404}, 404), ({"status": 429}, 503), ({"status": 500}, 502)],
)
def test_a_list_that_fails_says_what_to_do(
    owner: Client, faults: ModuleType, fault: dict[str, Any], status: int
) -> None:
    forget()
    faults.set("videos.list", **fault)
    answer = owner.get("/dashboard/videos/?q=roast&sort=title")
    assert answer.status_code == status
    text = answer.content.decode()
    assert 'name="q" value="roast"' in text, "the filters stand"
    assert 'href="/dashboard/videos/?q=roast&amp;sort=title">Try again<' in text
    assert "No video matches" not in text and "No videos yet" not in text, "nobody knows that"


def test_an_answer_that_never_comes_changed_nothing_and_says_so(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("videos.list", broken="dropped")
    answer = owner.get("/dashboard/videos/")
    assert answer.status_code == 504
    text = answer.content.decode()
    assert (
        "Nothing was changed. Try again in a minute." in text
        and "Check on the platform whether it was done" not in text
    )


@pytest.mark.parametrize("fault", [{"status": 500}, {"broken": "refused"}, {"status": 429, "retry_after": 30}])
def test_a_filter_whose_list_fails_says_so_instead_of_leaving_the_old_list(
    owner: Client, faults: ModuleType, fault: dict[str, Any]
) -> None:
    forget()
    faults.set("videos.list", **fault)
    answer = owner.get("/dashboard/videos/?q=roast", headers={"HX-Request": "true"})
    assert answer.status_code == 200, "a failure is not swapped into the page"
    assert 'id="library"' in answer.content.decode() and "Try again" in answer.content.decode()


def test_without_folder_names_the_videos_still_show(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("folders.list", status=500)
    text = text_of(owner)
    assert len(titles(text)) == 24
    assert "Folder names couldn't be loaded" in text


def test_a_refused_token_leads_to_sign_in(owner: Client, faults: ModuleType) -> None:
    forget()
    faults.set("videos.list", status=401)
    assert owner.get("/dashboard/videos/")["Location"].startswith("/sign-in/")


def test_an_account_without_videos_is_told_where_they_come_from(client: Client, cast: dict[str, Any]) -> None:
    inactive = signed_in(client, cast["tokens"]["no_permission"])
    Video.objects.filter(organization__users__tokens__value=cast["tokens"]["no_permission"]).delete()
    assert "Upload videos on the platform." in text_of(inactive)


def test_a_platform_that_refuses_thousands_at_once_is_asked_for_less(
    owner: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = library._list
    asked: list[int] = []

    def strict(platform: Any, query: Any, page: int, limit: int) -> Any:
        if isinstance(platform, Platform):  # and not only to know the question
            asked.append(limit)
            if limit > library.SAFE:
                raise errors.Refused("videos.list", 400, "limit")
        return real(platform, query, page, limit)

    monkeypatch.setattr(library, "_list", strict)
    monkeypatch.setattr(library, "SAFE", 30)
    text = text_of(owner, "?sort=title")
    assert "75 videos" in text
    assert asked == [library.WHOLE, 30, 30, 30]
    assert clients.embedded()
