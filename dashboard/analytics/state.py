"""Parses the address of an analytics page into its state, and builds addresses from it."""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Final
from urllib.parse import quote_plus

from django.http import QueryDict
from django.utils.functional import cached_property

from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.days import Days
from dashboard.shared.metrics import Metric, parse_metric
from dashboard.shared.ranges import Compare, RangeProblem, Selection, get_compared_days, parse_range

VIDEO_ID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
VIDEOS_MOST: Final = 8
"""More lines than this cannot be told apart."""

NAME_MOST: Final = 120
SITE_MOST: Final = 500
SEARCH_MOST: Final = 1_000
PAGE_MOST: Final = 100_000
UNKNOWN: Final = "unknown://"
"""A site or city without a name, in addresses of every language; no real one can be called that."""

RANGE_WORDS: Final = ("range", "start", "end", "granularity", "compare", "against", "zone")
SORTS: Final = ("value", "change", "name")


class UnknownVideo(Exception):
    """The address contains an impossible video identifier."""


@dataclass(frozen=True)
class AnalyticsState:
    """What an address asks for. `videos` are identifiers, not yet known to exist; texts are as typed, shortened."""

    selection: Selection
    metric: Metric = Metric.VIEWS
    videos: tuple[str, ...] = ()
    country: str = ""
    region: str = ""
    sort: str = SORTS[0]
    page: int = 1
    find: str = ""
    cause: str = ""
    folder: str = ""
    directly: bool = False
    """Of `folder`, only the videos that are in it directly."""
    city: str = ""
    site: str = ""
    """A city of `region`, and a site that sent viewers: whose change a page splits."""
    search: str = ""
    """A query of the list of videos: only those that match count."""

    @property
    def video(self) -> str | None:
        """The one video a page is about, if it is about one."""
        return self.videos[0] if self.videos else None

    def query(self, **changes: object) -> str:
        """The query string of this state, with some words changed; None takes a word out."""
        encoded = {**self._encoded, **{name: _encode(name, value) for name, value in changes.items()}}
        return "&".join(filter(None, encoded.values()))

    def vary(self, *names: str, **changes: object) -> Callable[..., str]:
        """`query` for each row of a table: what differs between its rows are the values of `names`, in their order."""
        same = self.query(**changes, **dict.fromkeys(names))
        return lambda *values: "&".join(filter(None, [same, *map(_encode, names, values)]))

    @cached_property
    def _encoded(self) -> dict[str, str]:
        """The words of this state as an address writes them, "" for none: a table asks for an address in each of its rows."""
        words: dict[str, object] = {
            **self.selection.query(),
            "metric": self.metric.value if self.metric is not Metric.VIEWS else None,
            "video": list(self.videos),
            "country": self.country,
            "region": self.region,
            "sort": self.sort if self.sort != SORTS[0] else None,
            "page": self.page if self.page > 1 else None,
            "find": self.find,
            "cause": self.cause,
            "folder": self.folder,
            "directly": "yes" if self.directly else None,
            "city": self.city,
            "site": self.site,
            "search": self.search,
        }
        return {name: _encode(name, value) for name, value in words.items()}

    def with_days(self, days: Days) -> "AnalyticsState":
        """The same view of other days; a comparison that was chosen by date becomes the period before."""
        compare = self.selection.compare if self.selection.compare is not Compare.CHOSEN else Compare.PREVIOUS
        return replace(
            self,
            selection=replace(self.selection, days=days, compare=compare, against=get_compared_days(days, compare)),
            page=1,
        )

    def with_compare(self, compare: Compare) -> "AnalyticsState":
        """The same days, compared with something else."""
        against = get_compared_days(self.selection.days, compare)
        return replace(self, selection=replace(self.selection, compare=compare, against=against))

    def hidden(self, *changed: str) -> tuple[tuple[str, str], ...]:
        """Names and values of the hidden fields that keep the rest of the state in a form."""
        words = QueryDict(self.query())
        return tuple((name, value) for name, values in words.lists() if name not in changed for value in values)


def _encode(name: str, value: object) -> str:
    """A word of ours with what it says, once for each value of a list."""
    if not value:
        return ""
    if isinstance(value, list | tuple):
        return "&".join([f"{name}={quote_plus(str(part))}" for part in value])
    return f"{name}={quote_plus(str(value))}"


@dataclass(frozen=True)
class ParsedState:
    """A parsed address: a state, or its problems. `typed`: the values to show again in the form."""

    state: AnalyticsState | None
    problems: tuple[RangeProblem, ...]
    typed: Mapping[str, str]


def parse_state(query: QueryDict, *, now: datetime, zone: str) -> ParsedState:
    """Parse an address. Raises `UnknownVideo` for an impossible video id."""
    texts = {
        name: query.get(name, "")[:NAME_MOST]
        for name in ("range", "start", "end", "granularity", "compare", "against", "zone")
    }
    parsed_range = parse_range(texts, now=now, zone=zone)
    if parsed_range.selection is None:
        return ParsedState(None, parsed_range.problems, texts)
    videos = tuple(dict.fromkeys(text.strip().lower() for text in query.getlist("video") if text.strip()))
    if len(videos) > VIDEOS_MOST or not all(VIDEO_ID.fullmatch(text) for text in videos):
        raise UnknownVideo
    sort = query.get("sort", "")
    state = AnalyticsState(
        parsed_range.selection,
        parse_metric(query.get("metric", "")),
        videos,
        clean_name(query.get("country", "")),
        clean_name(query.get("region", "")),
        sort if sort in SORTS else SORTS[0],
        _parse_page(query.get("page", "")),
        clean_name(query.get("find", "")),
        clean_name(query.get("cause", "")),
        clean_name(query.get("folder", "")),
        query.get("directly", "") == "yes",
        clean_name(query.get("city", "")),
        clean_name(query.get("site", ""), SITE_MOST),
        clean_name(query.get("search", ""), SEARCH_MOST),
    )
    return ParsedState(state, (), texts)


def clean_name(text: str, most: int = NAME_MOST) -> str:
    """A name as addresses write it: without what cannot be printed, shortened to `most` letters."""
    return "".join(letter for letter in text if letter.isprintable()).strip()[:most].strip()


def clean_label(label: str, most: int = NAME_MOST) -> str:
    """A site or city as addresses write it, also where the platform gives it no name."""
    return clean_name(label, most) or UNKNOWN


def _parse_page(text: str) -> int:
    return min(max(1, int(text)), PAGE_MOST) if text.isascii() and text.isdigit() and len(text) < 8 else 1


def group_by_day(state: AnalyticsState) -> AnalyticsState:
    """The same state by day, for answers without hours."""
    if state.selection.granularity is Granularity.DAY:
        return state
    return replace(state, selection=replace(state.selection, granularity=Granularity.DAY))


def get_bucket_days(selection: Selection, days: Days) -> Days:
    """The days to ask for so that every local hour of `days` is there, with a row before and after to tell it by.

    The platform cuts its days in UTC, and the clocks may change between any two of the days: a day more on each side
    holds the hours of every zone. It also tells a quiet hour at the edge from one without data.
    """
    if selection.granularity is not Granularity.HOUR:
        return days
    today = selection.now.astimezone(UTC).date()
    start, end = days.start - timedelta(days=1), days.end + timedelta(days=1)
    return Days(min(start, today), min(end, today))
