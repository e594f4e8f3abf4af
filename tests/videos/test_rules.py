"""What an address of the library means, and how a list is cut and ordered."""

from typing import Any

import pytest
from django.http import QueryDict

from dashboard.platform_api.records import Video
from dashboard.shared import entries
from dashboard.shared.entries import Entry
from dashboard.videos import rules
from dashboard.videos.rules import COLUMNS, LibraryQuery, VideoColumn, VideoSort, ViewMode

FOLDER = "0b3a1c6e-9f5e-4a52-9d3b-111111111111"


def query(text: str) -> LibraryQuery:
    return rules.parse_query(QueryDict(text))


def entry(title: str = "", **values: Any) -> Entry:
    video = Video.from_json({"id": values.pop("id", title), "title": title, **values})
    return entries.entry(video)


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("", LibraryQuery()),
        ("q=%20roast%20&status=CONVERTED", LibraryQuery(q="roast", status="CONVERTED")),
        ("status=SOMETHING_NEW", LibraryQuery(status="SOMETHING_NEW")),
        (f"folder={FOLDER.upper()}", LibraryQuery(folder=FOLDER)),
        ("folder=root", LibraryQuery(folder="root")),
        ("folder=../../etc", LibraryQuery()),
        ("missing=pt-br", LibraryQuery(missing="pt-BR")),
        ("missing=klingon", LibraryQuery()),
        ("sort=-created&page=3", LibraryQuery(sort=VideoSort.CREATED_DOWN, page=3)),
        ("sort=secrets&page=0", LibraryQuery()),
        ("page=-1", LibraryQuery()),
        ("page=99999999999", LibraryQuery()),
        ("page=%D9%A3", LibraryQuery()),
        (
            "view=table&columns=none&columns=id&columns=size",
            LibraryQuery(view=ViewMode.TABLE, columns=(VideoColumn.SIZE, VideoColumn.ID)),
        ),
        ("view=table&columns=none", LibraryQuery(view=ViewMode.TABLE, columns=())),
    ],
)
def test_an_address_means_one_view_and_what_is_not_understood_counts_as_not_said(
    text: str, meant: LibraryQuery
) -> None:
    assert query(text) == meant


@pytest.mark.parametrize(
    "view",
    [
        LibraryQuery(),
        LibraryQuery(q="a&b", folder="root", status="X Y", missing="fr", sort=VideoSort.SIZE_DOWN, page=4),
        LibraryQuery(view=ViewMode.TABLE, columns=()),
        LibraryQuery(view=ViewMode.TABLE, columns=tuple(VideoColumn), languages=True),
    ],
)
def test_the_address_of_a_view_means_that_view(view: LibraryQuery) -> None:
    made = QueryDict(mutable=True)
    for name, value in view.params(page=view.page).items():
        made.setlist(name, [str(one) for one in value] if isinstance(value, list) else [str(value)])
    assert rules.parse_query(made) == view


def test_any_change_but_of_the_page_leads_to_the_first_page() -> None:
    assert "page" not in LibraryQuery(page=7).params(sort=VideoSort.TITLE)
    assert LibraryQuery(page=7, q="a").params(page=8) == {"q": "a", "page": 8}


def test_the_platforms_order_stays_where_nothing_else_is_asked() -> None:
    listed = [entry("b"), entry("a")]
    assert rules.sort_entries(listed, VideoSort.LISTED) == listed


def test_accents_and_case_do_not_send_a_title_behind_z() -> None:
    titles = [one.title for one in rules.sort_entries([entry("Zebra"), entry("água"), entry("Abril")], VideoSort.TITLE)]
    assert titles == ["Abril", "água", "Zebra"]


@pytest.mark.parametrize(
    ("sort", "order"), [(VideoSort.LENGTH, ["b", "a", "c"]), (VideoSort.LENGTH_DOWN, ["a", "b", "c"])]
)
def test_what_has_no_value_stands_last_in_both_directions(sort: VideoSort, order: list[str]) -> None:
    listed = [entry("c"), entry("a", length=20), entry("b", length=10)]
    assert [one.title for one in rules.sort_entries(listed, sort)] == order


def test_a_gap_is_a_known_video_without_that_very_language() -> None:
    listed = [entry("has"), entry("other region"), entry("none"), entry("unknown")]
    known = {"has": frozenset({"pt-br"}), "other region": frozenset({"pt"}), "none": frozenset[str]()}
    found = rules.find_gaps(listed, known, "pt-BR")
    assert [one.title for one in found.entries] == ["other region", "none"]
    assert found.known == 3
    assert found.unknown == ("unknown",)


@pytest.mark.parametrize(("page", "first", "count"), [(1, 0, 24), (2, 24, 6), (3, None, 0)])
def test_a_page_holds_24_and_the_last_one_the_rest(page: int, first: int | None, count: int) -> None:
    listed = [entry(str(number)) for number in range(30)]
    shown = rules.page_of(listed, page)
    assert len(shown) == count
    assert first is None or shown[0].title == str(first)


def test_the_table_shows_its_usual_columns_unless_the_address_chooses() -> None:
    assert query("view=table").columns == COLUMNS
