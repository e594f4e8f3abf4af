"""Numbers and dates as charts write them: the reader's way, and fast enough for thousands of cells.

Babel decides how (its symbols and patterns are asked once per language); formatting itself is plain string work.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from functools import lru_cache
from math import floor, log10
from typing import Final

from babel import Locale, dates
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dashboard.shared import formats

POINT_DIGITS_MOST: Final = 4


class Unit(StrEnum):
    """What the values of a chart are."""

    COUNT = "count"
    SHARE = "share"
    """0.421, shown as 42.1%."""
    BYTES = "bytes"
    """Shown in the unit that fits, powers of 1000."""
    MONEY = "money"
    """An amount in the currency that the title names."""


@dataclass(frozen=True)
class Numbers:
    """How one language writes numbers. Take it once for hundreds of them: to find the reader's language takes longest."""

    separators: Mapping[int, str]

    def count(self, value: float, digits: int = 0) -> str:
        """12480 as 12,480 (en) or 12.480 (pt-BR, es)."""
        text = f"{value:,.{digits}f}"
        if text.startswith("-"):
            text = "0" if float(text.replace(",", "")) == 0 and not digits else text
        return text if text.isdecimal() else text.translate(self.separators)

    def percent(self, share: float, digits: int = 1) -> str:
        """0.125 as 12.5%."""
        return f"{self.count(share * 100, digits)}%"

    def format_value(self, value: float, unit: Unit) -> str:
        """A value in the words of its unit, for tables and sentences."""
        match unit:
            case Unit.SHARE:
                return self.percent(value)
            case Unit.BYTES:
                return self._bytes(value)
            case Unit.MONEY:
                return self.count(value, 2)
            case _:
                return self.count(value, 0 if float(value).is_integer() else 1)

    def change(self, now: float, past: float | None) -> str:
        """By how much `now` differs from `past`: +11.4%, −3.0%, "new" where there was nothing, empty where unknown."""
        if past is None or (past == 0 and now == 0):
            return ""
        if past == 0:
            return _("new")
        share = now / past - 1
        text = self.percent(abs(share), 1 if abs(share) < 10 else 0)
        sign = "" if text == self.percent(0) else "+" if share > 0 else "−"
        return f"{sign}{text}"

    def _bytes(self, size: float) -> str:
        """What `formats.file_size` writes, without asking Babel for each."""
        name, of_unit = formats.fit_unit(size)
        return f"{self.count(size / of_unit, formats.get_unit_digits(size / of_unit) if of_unit > 1 else 0)} {name}"


def get_numbers() -> Numbers:
    """How the reader's language writes them."""
    return _load_numbers(get_language() or "en")


def count(value: float, digits: int = 0) -> str:
    """12480 as 12,480 (en) or 12.480 (pt-BR, es)."""
    return get_numbers().count(value, digits)


def percent(share: float, digits: int = 1) -> str:
    """0.125 as 12.5%."""
    return get_numbers().percent(share, digits)


def format_value(value: float, unit: Unit) -> str:
    """A value in the words of its unit, for tables and sentences."""
    return get_numbers().format_value(value, unit)


def change(now: float, past: float | None) -> str:
    """By how much `now` differs from `past`, as `Numbers.change` says it."""
    return get_numbers().change(now, past)


@dataclass(frozen=True)
class Change:
    """How a figure moved, as the tag `change` writes it: by how much in words, and whether up, down or neither."""

    words: str
    up: bool = False
    down: bool = False


def build_change(now: float, past: float | None, numbers: Numbers | None = None) -> Change | None:
    """The change of a figure out of its unrounded values; None where nothing is compared.

    `numbers`: how they are written, where there are many.
    """
    if past is None:
        return None
    text = (numbers or get_numbers()).change(now, past)
    is_new = past == 0 and now > 0
    return Change(text.lstrip("+−"), up=is_new or text.startswith("+"), down=text.startswith("−"))


def get_point_digits(gap: float) -> int:
    """The decimals of a difference of two rates in points: two digits, and at least one decimal."""
    return min(max(1 - floor(log10(abs(gap) * 100)), 1), POINT_DIGITS_MOST) if gap else 1


def points(gap: float, digits: int) -> str:
    """0.0081 as 0.81 points: a percentage of a percentage would be read as points in a hurry."""
    return _("%(value)s points") % {"value": count(abs(gap) * 100, digits)}


def build_points_change(now: float, past: float) -> Change:
    """By how many points a rate moved, out of its unrounded values."""
    gap = round(now - past, POINT_DIGITS_MOST + 2)
    digits = get_point_digits(gap)
    step = 0.01 / 10**digits
    return Change(points(round((now - past) / step) * step, digits), gap > 0, gap < 0)


def signed(value: float, digits: int = 1) -> str:
    """+2.5, −0.4 (with a real minus), 0.0."""
    return f"{'+' if value > 0 else '−' if value < 0 else ''}{count(abs(value), digits)}"


def axis(value: float, step: float, top: float, unit: Unit) -> str:
    """A value at the side of a chart, with as many decimals as its step needs, in the unit that fits the `top`."""
    match unit:
        case Unit.SHARE:
            return percent(value, 0 if step >= 0.01 else 1)
        case Unit.BYTES:
            name, of_unit = formats.fit_unit(top)
            return f"{count(value / of_unit, _decimals(step / of_unit))} {name}" if value else "0"
        case _:
            return count(value, _decimals(step))


def day(value: date, *, weekday: bool = False, year: bool = False) -> str:
    """24 Oct, Sat 24 Oct, 24 Oct 2026, the reader's way."""
    return _day(value, get_language() or "en", f"{'y' if year else ''}MMM{'E' if weekday else ''}d")


def period(start: date, end: date) -> str:
    """Oct 24 – Nov 20, 2026."""
    return _period(start, end, get_language() or "en")


def clock(seconds: float) -> str:
    """75 as 1:15."""
    return formats.clock(seconds)


def _decimals(step: float) -> int:
    return next((digits for digits in range(4) if round(step, digits) == round(step, 6)), 3)


@lru_cache(maxsize=64)
def _locale(language: str) -> Locale:
    return Locale.parse(language.replace("-", "_"), sep="_")


@lru_cache(maxsize=64)
def _load_numbers(language: str) -> Numbers:
    symbols = _locale(language).number_symbols["latn"]
    return Numbers(str.maketrans({",": symbols["group"], ".": symbols["decimal"]}))


@lru_cache(maxsize=16_384)
def _day(value: date, language: str, skeleton: str) -> str:
    return str(dates.format_skeleton(skeleton, value, locale=_locale(language)))


@lru_cache(maxsize=1024)
def _period(start: date, end: date, language: str) -> str:
    return str(dates.format_interval(start, end, "yMMMd", locale=_locale(language)))
