"""Names, numbers and times in the reader's language."""

from datetime import UTC, datetime, timedelta
from decimal import Decimal

import pytest
from django.utils import timezone, translation

from dashboard.platform_api.vocabulary import LANGUAGES
from dashboard.shared import formats

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


@pytest.mark.parametrize(("seconds", "written"), [(0, "0 s"), (95, "1 min 35 s"), (200_000, "2 d 7 h"), (3600, "1 h")])
def test_a_duration_names_its_two_largest_units(seconds: int, written: str) -> None:
    assert formats.duration(seconds) == written


@pytest.mark.parametrize(
    ("reader", "written"),
    [("en", "Nov 20, 2026, 09:05"), ("pt-br", "20 de nov. de 2026, 09:05"), ("es", "20 nov 2026, 09:05")],
)
def test_a_moment_is_told_to_the_minute_in_the_reader_s_zone(reader: str, written: str) -> None:
    with translation.override(reader), timezone.override("America/Sao_Paulo"):
        assert formats.moment(datetime(2026, 11, 20, 12, 5, 40, tzinfo=UTC)) == written


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
