"""Names, numbers and times in the reader's language, from CLDR through Babel."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal
from functools import lru_cache
from typing import Final

from babel import Locale, UnknownLocaleError, dates, numbers
from django.utils import timezone
from django.utils.translation import get_language, gettext, ngettext

OWN_NAMES: Final = {  # CLDR's. Babel would load nearly a megabyte for each of them and keep it: 34 MB in every process
    "ar": "العربية",
    "bg": "Български",
    "cs": "Čeština",
    "da": "Dansk",
    "de": "Deutsch",
    "de-at": "Deutsch (Österreich)",
    "de-ch": "Deutsch (Schweiz)",
    "de-li": "Deutsch (Liechtenstein)",
    "de-lu": "Deutsch (Luxemburg)",
    "el": "Ελληνικά",
    "en": "English",
    "en-uk": "English (United Kingdom)",
    "en-us": "English (United States)",
    "es": "Español",
    "es-mx": "Español (México)",
    "fi": "Suomi",
    "fil": "Filipino",
    "fr": "Français",
    "fr-be": "Français (Belgique)",
    "fr-ca": "Français (Canada)",
    "fr-ch": "Français (Suisse)",
    "fr-lu": "Français (Luxembourg)",
    "hi": "हिन्दी",
    "hr": "Hrvatski",
    "hu": "Magyar",
    "id": "Indonesia",
    "it": "Italiano",
    "it-ch": "Italiano (Svizzera)",
    "ja": "日本語",
    "ko": "한국어",
    "ms": "Melayu",
    "nl": "Nederlands",
    "no": "Norsk",
    "pl": "Polski",
    "pt": "Português",
    "pt-br": "Português (Brasil)",
    "ro": "Română",
    "ru": "Русский",
    "sk": "Slovenčina",
    "sr": "Српски",
    "sv": "Svenska",
    "sw": "Kiswahili",
    "ta": "தமிழ்",
    "th": "ไทย",
    "tr": "Türkçe",
    "uk": "Українська",
    "uz": "O‘zbek",
    "vi": "Tiếng Việt",
    "zh": "中文",
}
"""By the platform's code, in small letters."""


DATA_UNITS = ("B", "kB", "MB", "GB", "TB")
BINARY_UNITS = ("B", "KiB", "MiB", "GiB", "TiB")
NAMED_APART = {"UK": "GB"}  # the platform writes en-UK; the world writes en-GB
GROUPED_FROM = 1000
WRITTEN_OUT_BELOW = 10**20
"""Nothing that is counted has more digits; what the platform calls a number may, and cannot be grouped then."""


def locale() -> Locale:
    """The reader's locale: pt_BR, es or en."""
    return _locale(get_language() or "en")


@lru_cache(maxsize=16)
def _locale(language: str) -> Locale:
    return Locale.parse(language.replace("-", "_"), sep="_")


def language_name(code: str, *, own: bool = False) -> str:
    """`fr-be` as "French (Belgium)" in the reader's language, or with `own` in its own: "français (Belgique)".

    A code that nobody knows is returned as it came.
    """
    if own:
        return OWN_NAMES.get(code.lower()) or _language_name(code, "")
    return _language_name(code, get_language() or "en")


@lru_cache(maxsize=2048)
def _language_name(code: str, reader_language: str) -> str:
    """`reader_language`: "" for its own. Kept, because a page of subtitles names two hundred languages."""
    base, _, region = code.partition("-")
    region = NAMED_APART.get(region.upper(), region.upper())
    try:
        reader = _locale(reader_language) if reader_language else Locale.parse(base.lower())
    except (UnknownLocaleError, ValueError):
        return code
    name = reader.languages.get(base.lower())
    if name is None:
        return code
    place = reader.territories.get(region)
    name = name[:1].upper() + name[1:]
    return f"{name} ({place})" if place else name


def country_name(code: str) -> str:
    """`BR` as "Brazil" in the reader's language; unknown codes as they came."""
    return _country_name(code, get_language() or "en")


@lru_cache(maxsize=2048)
def _country_name(code: str, reader_language: str) -> str:
    return str(_locale(reader_language).territories.get(code.upper(), code))


def number(value: float | Decimal, digits: int | None = None) -> str:
    """12480 as 12,480 (en), 12.480 (pt-BR, es). `digits` fixes the decimals."""
    if digits is None and type(value) is int and 0 <= value < GROUPED_FROM:
        return str(value)  # the same in each of our languages, and lists have hundreds of them
    if not -WRITTEN_OUT_BELOW < value < WRITTEN_OUT_BELOW:
        return numbers.format_scientific(value, locale=locale())
    pattern = None if digits is None else "#,##0" + ("." + "0" * digits if digits else "")
    return numbers.format_decimal(value, format=pattern, locale=locale(), group_separator=True)


def videos(count: int) -> str:
    """12 videos."""
    return ngettext("%(count)s video", "%(count)s videos", count) % {"count": number(count)}


def at_least(count: int, *, is_all: bool) -> str:
    """A count that may be more where not everything has been looked at: 6+."""
    return number(count) if is_all else f"{number(count)}+"


def percent(share: float, digits: int = 1) -> str:
    """0.125 as 12.5%."""
    if abs(share) >= WRITTEN_OUT_BELOW:
        return f"{number(share)} × 100%"
    return numbers.format_percent(share, format="#,##0" + ("." + "0" * digits if digits else "") + "%", locale=locale())


def money(value: float | Decimal, currency: str) -> str:
    """1240.5 and BRL as R$ 1,240.50, written the reader's way; without a currency 1,240.50."""
    if not currency:
        return number(value, 2)
    if not -WRITTEN_OUT_BELOW < value < WRITTEN_OUT_BELOW:
        return f"{currency.upper()} {number(value)}"
    return numbers.format_currency(value, currency.upper(), locale=locale())


def clock(seconds: float) -> str:
    """75.9 as 1:15, 3675 as 1:01:15. Floored: a comment is second-accurate and never beyond its moment."""
    whole = max(0, int(seconds))
    hours, rest = divmod(whole, 3600)
    minutes, second = divmod(rest, 60)
    return f"{hours}:{minutes:02}:{second:02}" if hours else f"{minutes}:{second:02}"


def day(value: date, style: str = "medium") -> str:
    """A date as people write it: 20 Nov 2026."""
    return _day(value.date() if isinstance(value, datetime) else value, style, get_language() or "en")


@lru_cache(
    maxsize=4096
)  # lists say the same few days again and again, and Babel takes a tenth of a millisecond for each
def _day(value: date, style: str, language: str) -> str:
    return dates.format_date(value, format=style, locale=_locale(language))


def moment(value: datetime, style: str = "medium") -> str:
    """Date (in `style`) and time to the minute, in the zone of the page: Nov 20, 2026, 18:05."""
    return f"{day(timezone.localtime(value), style)}, {time_of_day(value)}"


def time_of_day(value: datetime, *, seconds: bool = False) -> str:
    """18:05, or with `seconds` 18:05:09, in the zone of the page: with 24 hours in every language, as charts write them."""
    return f"{timezone.localtime(value):%H:%M:%S}" if seconds else f"{timezone.localtime(value):%H:%M}"


def moment_or_time(value: datetime) -> str:
    """18:05 for today, date and time for other days."""
    is_today = timezone.localtime(value).date() == timezone.localdate()
    return time_of_day(value) if is_today else moment(value)


def zone_name() -> str:
    """The zone of the page, as its name in the database: the account's, else the reader's. America/Sao_Paulo."""
    return timezone.get_current_timezone_name()


def ago(value: datetime, now: datetime | None = None) -> str:
    """18 min ago, up to a day; then the date."""
    passed = (now or timezone.now()) - value
    if passed < timedelta(seconds=45):
        return gettext("just now")
    if passed < timedelta(hours=1):
        minutes = max(1, round(passed.total_seconds() / 60))
        return ngettext("%(count)s min ago", "%(count)s min ago", minutes) % {"count": minutes}
    if passed < timedelta(days=1):
        hours = int(passed.total_seconds() // 3600)
        return ngettext("%(count)s h ago", "%(count)s h ago", hours) % {"count": hours}
    return day(timezone.localtime(value).date())


def duration(seconds: float) -> str:
    """95 as "1 min 35 s", 200000 as "2 d 7 h", 3605 as "1 h": the largest unit and the next smaller one."""
    rest = max(0, int(seconds))
    units = ((gettext("d"), 86400), (gettext("h"), 3600), (gettext("min"), 60), (gettext("s"), 1))
    largest = next((place for place, (_unit, size) in enumerate(units) if rest >= size), 3)
    parts: list[str] = []
    for unit, size in units[largest : largest + 2]:
        count, rest = divmod(rest, size)
        parts += [f"{count} {unit}"] if count or not parts else []
    return " ".join(parts)


def file_size(size: float, units: Sequence[str] = DATA_UNITS) -> str:
    """Bytes with three digits in the unit that fits: 3.06 MB, 61.2 GB, 1.35 TB (powers of 1000; of 1024 as GiB)."""
    unit, of_unit = fit_unit(size, units)
    digits = get_unit_digits(size / of_unit) if of_unit > 1 else 0
    return f"{number(round(size / of_unit, digits), digits)} {unit}"


def fit_unit(size: float, units: Sequence[str] = DATA_UNITS) -> tuple[str, int]:
    """The unit in which `size` bytes are written, and the bytes of one of it: fewer than 1,000 once rounded."""
    of_unit, step = 1, 1024 if units is BINARY_UNITS else 1000
    for unit in units[:-1]:
        if round(abs(size) / of_unit) < 1000:
            return unit, of_unit
        of_unit *= step
    return units[-1], of_unit


def get_unit_digits(value: float) -> int:
    """The decimals with which an amount in its unit has three digits."""
    return 0 if abs(value) >= 99.95 else 1 if abs(value) >= 9.995 else 2


def named(names: Sequence[str], most: int, count: int | None = None) -> str:
    """“A, B and 3 more”: at most `most` of the names; `count` is how many there are where not all are in `names`."""
    listed = ", ".join(names[:most])
    rest = (len(names) if count is None else count) - min(most, len(names))
    if rest <= 0:
        return listed
    return ngettext("%(names)s and %(count)s more", "%(names)s and %(count)s more", rest) % {
        "names": listed,
        "count": number(rest),
    }
