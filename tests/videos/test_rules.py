"""The address of the list, and the form that says the same as the query."""

import pytest
from django.http import QueryDict

from dashboard.videos.query import LONGEST, build_text, is_form, parse_query, read_fields
from dashboard.videos.rules import COLUMNS, NEWEST, PAGE_MOST, ListState, SortKey, VideoColumn, VideoSort, parse_state


def state(text: str) -> ListState:
    return parse_state(QueryDict(text))


def test_address_says_only_what_is_not_usual() -> None:
    assert ListState().params() == {}
    assert state("q=a&sort=-plays&page=3&columns=quiz").params(page=3) == {
        "q": "a",
        "sort": "-plays",
        "columns": ["quiz"],
        "page": 3,
    }


def test_any_change_leads_to_the_first_page_and_ends_the_selection() -> None:
    assert state("q=a&page=3&all=1").params(q="b") == {"q": "b"}


@pytest.mark.parametrize("page", ["0", "-1", "x", "²", "100001", "9999999", ""])
def test_page_that_is_none_is_the_first(page: str) -> None:
    assert parse_state(QueryDict(mutable=True)).page == state(f"page={page}").page == 1


def test_order_and_columns_that_nobody_knows_are_the_usual_ones() -> None:
    assert state("sort=-nobody&columns=&view=grid").sort == NEWEST
    assert state("sort=title").sort == VideoSort(SortKey.TITLE, is_down=False)
    assert state("").columns == COLUMNS
    assert state("columns=none").columns == ()
    assert state("columns=languages&columns=zzz").columns == (VideoColumn.SUBTITLES,)


def test_query_has_neither_nul_nor_line_ends() -> None:
    assert state("q=a%00b%0Ac").q == "ab c"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "missing:fr has:quiz",
        "folder:X",
        'folder:"a b"/** -has:chat',
        "traffic>1.5GB created:28d",
        "x -y missing:fr,es",
        '"two words" has:quiz',
        '"missing:fr" b',
    ],
)
def test_form_filled_with_a_query_sends_that_query(text: str) -> None:
    query = parse_query(text)
    fields = read_fields(query)
    sent = {**fields.values, "rest": fields.rest, "below": "1" if fields.is_below else ""}
    assert set(parse_query(build_text(sent)).terms) == set(query.terms)


def test_only_fields_of_the_form_are_a_form() -> None:
    assert is_form({"missing": "fr"}) and is_form({"folder": ""})
    assert not is_form({"q": "a", "sort": "title"})


def test_address_brings_back_everything_that_a_view_says() -> None:
    whole = ListState("a b", VideoSort(SortKey.TITLE, is_down=False), 7, (), "view-1", True, "has:quiz")
    same = {"page": whole.page, "is_all": whole.is_all, "last": whole.last}
    params = whole.params(**same)
    assert params == {
        "q": "a b",
        "sort": "title",
        "columns": ["none"],
        "saved": "view-1",
        "page": 7,
        "all": "1",
        "last": "has:quiz",
    }
    query = QueryDict(mutable=True)
    for name, value in params.items():
        query.setlist(name, value if isinstance(value, list) else [str(value)])
    assert parse_state(query) == whole


@pytest.mark.parametrize("page", [1, 2, PAGE_MOST])
def test_pages_are_numbers_from_one_to_a_hundred_thousand(page: int) -> None:
    assert state(f"page={page}").page == page


def test_only_the_whole_selection_is_one() -> None:
    assert [state(text).is_all for text in ("all=1", "all=", "all=yes", "")] == [True, False, False, False]


def test_texts_of_the_address_end_where_nobody_types_on() -> None:
    long = "x" * 100_000
    found = state(f"q={long}&saved={long}&last={long}")
    assert (len(found.q), len(found.saved), len(found.last)) == (LONGEST + 1, 40, LONGEST + 1)
