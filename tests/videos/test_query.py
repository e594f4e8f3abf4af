"""The query of the list of videos: what people type becomes a query and back, and every mistake names its word."""

from datetime import date
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dashboard.shared.entries import Entry
from dashboard.videos.catalog import Catalog, Sets, Setting, match_term
from dashboard.videos.query import (
    CHOICES,
    COMPARISONS,
    MOST_TERMS,
    UNITS,
    Amount,
    Depth,
    FilterName,
    Measure,
    NotAQuery,
    Problem,
    ProblemKind,
    Term,
    Value,
    VideoQuery,
    format_query,
    parse_dates,
    parse_query,
)

TEXTS = st.text(st.characters(blacklist_categories=("Cs", "Cc")), min_size=1, max_size=12)
LANGUAGES = st.sampled_from(["fr", "pt-BR", "en-us", "es"])
DATES = st.sampled_from(["2026", "2026-11", "2026-11-01", "2026-11-01..2026-11-20", "28d"])
WORDS = st.builds(lambda text, is_without: Term("", (Value(text),), is_without), TEXTS, st.booleans())


def values_of(name: FilterName) -> st.SearchStrategy[Value]:
    if name in CHOICES:
        return st.sampled_from(CHOICES[name]).map(Value)
    if name in (FilterName.MISSING, FilterName.SUBTITLES, FilterName.LANGUAGE):
        return LANGUAGES.map(Value)
    if name is FilterName.CREATED:
        return DATES.map(Value)
    if name is FilterName.FOLDER:
        return st.builds(Value, TEXTS, st.sampled_from(list(Depth)))
    return TEXTS.map(Value)


@st.composite
def filters(draw: st.DrawFn) -> Term:
    name = draw(st.sampled_from(list(FilterName)))
    values = tuple(draw(st.lists(values_of(name), min_size=1, max_size=3)))
    key = draw(TEXTS) if name is FilterName.FIELD else ""
    return Term(name.value, values, draw(st.booleans()), key)


@st.composite
def comparisons(draw: st.DrawFn) -> Term:
    measure = draw(st.sampled_from(list(Measure)))
    units = list(UNITS.get(measure, {"": 1}))
    places = 2 if measure in UNITS else 0
    number = draw(st.decimals(min_value=0, max_value=10**9, places=places))
    amount = Amount(number, draw(st.sampled_from(units)))
    return Term(measure.value, (), draw(st.booleans()), "", draw(st.sampled_from(COMPARISONS)), amount)


QUERIES = st.builds(
    lambda terms: VideoQuery(tuple(terms)), st.lists(st.one_of(WORDS, filters(), comparisons()), max_size=5)
)


@given(QUERIES)
def test_query_that_is_written_is_read_as_the_same_query(query: VideoQuery) -> None:
    assert parse_query(format_query(query)) == query


@given(st.text(max_size=60))
def test_whatever_is_typed_is_a_query_or_one_problem_within_the_text(text: str) -> None:
    query, problem = read(text)
    if problem is not None:
        assert 0 <= problem.start < problem.end <= len(text)
        assert text[problem.start : problem.end] == problem.word
    if query is not None:
        assert parse_query(format_query(query)) == query
        assert all(text[term.start : term.end].strip() == text[term.start : term.end] for term in query.terms)


def read(text: str) -> tuple[VideoQuery | None, Problem | None]:
    """The query, or what is wrong with it."""
    try:
        return parse_query(text), None
    except NotAQuery as error:
        return None, error.problem


def problem_of(text: str) -> Problem:
    with pytest.raises(NotAQuery) as caught:
        parse_query(text)
    return caught.value.problem


def term_of(text: str) -> Term:
    (term,) = parse_query(text).terms
    return term


def test_query_of_the_issue_is_six_terms() -> None:
    text = 'folder:"Do pé à xícara"/** missing:fr has:quiz traffic>10GB comments:open views:falling'
    query = parse_query(text)
    assert format_query(query) == text
    assert query.terms[0].values == (Value("Do pé à xícara", Depth.BELOW),)
    assert (query.terms[3].comparison, query.terms[3].amount) == (">", Amount(Decimal(10), "GB"))
    assert text[query.terms[1].start : query.terms[1].end] == "missing:fr"


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("folder:Plants", (Value("Plants"),)),
        ("folder:Plants/*", (Value("Plants", Depth.CHILDREN),)),
        ("folder:Plants/**", (Value("Plants", Depth.BELOW),)),
        ('folder:"Plants/*"', (Value("Plants/*"),)),
        ('folder:"a b"/**,c', (Value("a b", Depth.BELOW), Value("c"))),
        ("missing:fr,es", (Value("fr"), Value("es"))),
        ('in:"say \\"hi\\""', (Value('say "hi"'),)),
        ('in:"a\\\\"', (Value("a\\"),)),
    ],
)
def test_values_are_read_with_their_quotes_commas_and_depths(text: str, values: tuple[Value, ...]) -> None:
    assert term_of(text).values == values


@pytest.mark.parametrize(
    "text", ["http://example.org/x", "9:30", "-", "a>b"[:1], "caf\N{LATIN SMALL LETTER E WITH ACUTE}"]
)
def test_what_is_no_filter_is_a_word(text: str) -> None:
    assert term_of(text) == Term("", (Value(text),))


def test_minus_in_front_means_without() -> None:
    assert term_of("-has:chat").is_without
    assert term_of('-"two words"') == Term("", (Value("two words"),), is_without=True)


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("length>1,5h", Decimal("1.5")),
        ("length>1.5h", Decimal("1.5")),
        ("plays>1.000", Decimal(1000)),
        ("plays>1,000,000", Decimal(1_000_000)),
        ("plays>10", Decimal(10)),
    ],
)
def test_comma_and_point_are_read_as_people_of_either_language_write_them(text: str, number: Decimal) -> None:
    amount = term_of(text).amount
    assert amount is not None and amount.number == number


@pytest.mark.parametrize(
    ("text", "kind", "repaired"),
    [
        ("a missng:fr b", ProblemKind.UNKNOWN_NAME, "a missing:fr b"),
        ("pasta:X", ProblemKind.UNKNOWN_NAME, "folder:X"),
        ('carpeta:"X y" z', ProblemKind.UNKNOWN_NAME, 'folder:"X y" z'),
        ("has:quizz", ProblemKind.UNKNOWN_VALUE, "has:quiz"),
        ("has:quiz,mindmp", ProblemKind.UNKNOWN_VALUE, "has:quiz,mindmap"),
        ("missing:french", ProblemKind.UNKNOWN_LANGUAGE, "missing:fr"),
        ("traffic>10", ProblemKind.NO_UNIT, "traffic>10GB"),
        ("length<5", ProblemKind.NO_UNIT, "length<5min"),
        ("traffic>10BG", ProblemKind.UNKNOWN_UNIT, "traffic>10GB"),
        ("traffic:10GB x", ProblemKind.NOT_A_FILTER, "traffic>10GB x"),
        ("folder>x", ProblemKind.NOT_COMPARED, "folder:x"),
        ("traffic>about10", ProblemKind.NO_NUMBER, "traffic>10GB"),
        ("created:lately", ProblemKind.NO_DATE, "created:28d"),
        ('folder:"X y', ProblemKind.NO_QUOTE, 'folder:"X y"'),
        ('folder:"X"y', ProblemKind.AFTER_QUOTE, 'folder:"X" y'),
    ],
)
def test_mistake_names_its_word_and_offers_one_repair(text: str, kind: ProblemKind, repaired: str) -> None:
    problem = problem_of(text)
    assert problem.kind is kind
    assert problem.repaired(text) == repaired


def test_every_repair_is_a_query() -> None:
    for text in ("missng:fr", "has:quizz", "traffic>10", "traffic:10GB", 'in:"a', "missing:french", 'in:"a"b'):
        parse_query(problem_of(text).repaired(text))


@pytest.mark.parametrize(
    "text", ["folder:", "folder: x", "has:,quiz", 'folder:""', "field:x", "comments>many", "xyzzyq:1"]
)
def test_mistake_that_nobody_can_repair_offers_nothing(text: str) -> None:
    assert problem_of(text).repair == ""


def test_wrong_word_can_be_searched_for_as_it_is() -> None:
    text = "a missng:fr b"
    assert parse_query(problem_of(text).as_phrase(text)).terms[1] == Term("", (Value("missng:fr"),))


def test_query_has_an_end() -> None:
    assert problem_of("a " * 501).kind is ProblemKind.TOO_LONG
    assert problem_of("a " * (MOST_TERMS + 1)).kind is ProblemKind.TOO_MANY
    assert len(parse_query("a " * MOST_TERMS).terms) == MOST_TERMS


def test_dates_are_whole_years_months_days_ranges_and_the_last_days() -> None:
    today = date(2026, 11, 25)
    spans = {text: parse_dates(text, today) for text in ("2026", "2026-12", "2026-11-03", "2026-10..2026-11-20", "28d")}
    assert spans == {
        "2026": (date(2026, 1, 1), date(2026, 12, 31)),
        "2026-12": (date(2026, 12, 1), date(2026, 12, 31)),
        "2026-11-03": (date(2026, 11, 3), date(2026, 11, 3)),
        "2026-10..2026-11-20": (date(2026, 10, 1), date(2026, 11, 20)),
        "28d": (date(2026, 10, 29), today),
    }
    for text in (
        "2026-13",
        "2026-02-30",
        "0000",
        "0d",
        "2026-11-20..2026-11-01",
        "tomorrow",
        "2026..",
        "9999-12",
        "9999-12-31",
    ):
        assert parse_dates(text, today) is None, text


def test_what_is_true_of_one_value_is_not_unknown_because_of_another() -> None:
    entry = Entry("a", "A", "converted", "", 1.0, None, None, None, "", False)
    catalog = Catalog((entry,), columns={"languages": [frozenset({"fr"})], "resources": [None]})
    assert match_term(term_of("language:fr"), catalog, Setting(date(2026, 11, 25))) == Sets(1, 0)
    assert match_term(term_of("language:es"), catalog, Setting(date(2026, 11, 25))) == Sets(0, 1)
