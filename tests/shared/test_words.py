"""Names, numbers and times in the reader's language."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from babel import Locale
from django.utils import timezone, translation
from hypothesis import given
from hypothesis import strategies as st

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared import formats
from dashboard.shared.charts import figures
from dashboard.shared.formats import OWN_NAMES

NOW = datetime(2026, 11, 20, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("reader", "code", "name"),
    [
        ("en", "fr-be", "French (Belgium)"),
        ("pt-br", "fr-be", "Francês (Bélgica)"),
        ("es", "en-UK", "Inglés (Reino Unido)"),
        ("en", "klingon", "klingon"),
        ("en", "", ""),
    ],
)
def test_languages_have_their_name_in_the_reader_s_language(reader: str, code: str, name: str) -> None:
    with translation.override(reader):
        assert formats.language_name(code) == name


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_of_the_specification_has_a_name(code: str) -> None:
    assert formats.language_name(code) != code


@pytest.mark.parametrize("code", LANGUAGES)
def test_every_language_of_the_specification_calls_itself_as_cldr_says(code: str) -> None:
    assert OWN_NAMES[code.lower()] == formats.language_name(code, own=True) == formats._language_name(code, "")


@pytest.mark.parametrize(("code", "name"), [("de-CH", "Deutsch (Schweiz)"), ("ca", "Català"), ("klingon", "klingon")])
def test_a_language_calls_itself_so_however_its_code_is_written_and_wherever_it_comes_from(
    code: str, name: str
) -> None:
    assert formats.language_name(code, own=True) == name


def test_no_language_s_data_are_loaded_to_say_how_it_calls_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """Babel keeps a megabyte of each language that it ever loads."""
    monkeypatch.setattr(Locale, "parse", None)
    formats._language_name.cache_clear()
    assert formats.language_name("ja", own=True) == "日本語"


@pytest.mark.parametrize(("reader", "written"), [("en", "12,480.5"), ("pt-br", "12.480,5"), ("es", "12.480,5")])
def test_numbers_are_grouped_the_reader_s_way(reader: str, written: str) -> None:
    with translation.override(reader):
        assert formats.number(12480.5) == written


@pytest.mark.parametrize(
    ("seconds", "written"),
    [(0, "0:00"), (59.99, "0:59"), (60, "1:00"), (3599, "59:59"), (3600, "1:00:00"), (-3, "0:00")],
)
def test_a_clock_floors_and_never_rounds(seconds: float, written: str) -> None:
    assert formats.clock(seconds) == written


@pytest.mark.parametrize(
    ("passed", "written"),
    [
        (timedelta(seconds=10), "just now"),
        (timedelta(minutes=18), "18 min ago"),
        (timedelta(minutes=59, seconds=59), "60 min ago"),
        (timedelta(hours=23, minutes=59), "23 h ago"),
        (timedelta(days=1), "Nov 19, 2026"),
    ],
)
def test_ago_until_a_day_has_passed_then_the_date(passed: timedelta, written: str) -> None:
    with timezone.override("UTC"):
        assert formats.ago(NOW - passed, NOW) == written


@pytest.mark.parametrize(
    ("seconds", "written"),
    [
        (0, "0 s"),
        (95, "1 min 35 s"),
        (200_000, "2 d 7 h"),
        (3600, "1 h"),
        (3605, "1 h"),
        (86_400 + 120, "1 d"),
        (3659, "1 h"),
        (3660, "1 h 1 min"),
    ],
)
def test_a_duration_names_its_largest_unit_and_the_next_smaller_one(seconds: int, written: str) -> None:
    assert formats.duration(seconds) == written


@pytest.mark.parametrize(
    ("reader", "written"),
    [("en", "Nov 20, 2026, 09:05"), ("pt-br", "20 de nov. de 2026, 09:05"), ("es", "20 nov 2026, 09:05")],
)
def test_a_moment_is_told_to_the_minute_in_the_reader_s_zone(reader: str, written: str) -> None:
    with translation.override(reader), timezone.override("America/Sao_Paulo"):
        assert formats.moment(datetime(2026, 11, 20, 12, 5, 40, tzinfo=UTC)) == written


def test_a_moment_of_another_day_is_told_like_every_moment() -> None:
    at = datetime(2020, 11, 20, 12, 5, tzinfo=UTC)
    assert formats.moment_or_time(at) == formats.moment(at)


@pytest.mark.parametrize("value", [10**19, 10**20, 10**30, 1e300, -1e300, Decimal("1e300")])
def test_a_number_of_any_size_is_written(value: float | Decimal) -> None:
    size = abs(float(value))
    written = [
        formats.number(value),
        formats.number(value, 2),
        formats.money(value, "brl"),
        formats.percent(size),
        formats.file_size(size),
    ]
    assert all(len(one) < 40 for one in written)


@pytest.mark.parametrize(
    ("size", "written"),
    [
        (0, "0 B"),
        (999, "999 B"),
        (1000, "1.00 kB"),
        (9_994_000, "9.99 MB"),
        (9_996_000, "10.0 MB"),
        (99_960_000, "100 MB"),
        (999_400_000, "999 MB"),
        (999_600_000, "1.00 GB"),
        (53_100_000_000, "53.1 GB"),
        (1_225_000_000_000, "1.23 TB"),
        (4_000_000_000_000_000, "4,000 TB"),
    ],
)
def test_an_amount_of_data_has_three_digits_in_the_unit_that_fits(size: int, written: str) -> None:
    assert formats.file_size(size) == written


def test_the_unit_of_bills_fits_too() -> None:
    sizes = (2**20, 14 * 10**9, 1023 * 2**30)
    assert [formats.file_size(size, formats.BINARY_UNITS) for size in sizes] == ["1.00 MiB", "13.0 GiB", "1.00 TiB"]


@given(st.one_of(st.integers(0, 10**16), st.floats(0, 1e15)), st.sampled_from(["en", "pt-br", "es"]))
def test_an_amount_of_data_reads_the_same_in_facts_and_in_charts(size: float, language: str) -> None:
    with translation.override(language):
        assert figures.format_value(size, figures.Unit.BYTES) == formats.file_size(size)


def test_an_axis_has_one_unit_that_fits_its_top() -> None:
    def axis(*values: int) -> list[str]:
        return [figures.axis(value, values[1], values[-1], figures.Unit.BYTES) for value in values]

    assert axis(0, 500 * 10**9, 10**12) == ["0", "0.5 TB", "1.0 TB"]
    assert axis(0, 20 * 10**6, 40 * 10**6) == ["0", "20 MB", "40 MB"]
