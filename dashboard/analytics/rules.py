"""From a tolerant table to figures: which column is meant, which rows count, what they add up to. Pure.

What a column means and when a row was is read in `shared.metrics`; here are the figures of single pages.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from dashboard.platform_api.analytics import Row, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.metrics import NAMES, Metric, sum_over_time


class PlaceFigures(NamedTuple):
    """A city with its numbers now and before. There can be 50,000: a tuple is made four times as fast as a dataclass."""

    city: str
    region: str
    country: str
    latitude: float | None
    longitude: float | None
    now: float
    past: float


def parse_places(now: Sequence[Row], past: Sequence[Row], column: str) -> tuple[PlaceFigures, ...]:
    """The cities of both periods, largest first. Cities are told apart by name, region and country."""
    sums_by_place: dict[tuple[str, str, str], _Sums] = {}
    for side, rows in enumerate((now, past)):
        for row in rows:
            count = row.metrics.get(column)
            if count is None:
                continue
            key = (row.city or get_city(row), row.region or "", row.country or "")
            sums = sums_by_place.get(key)
            if sums is None:
                sums = sums_by_place[key] = _Sums()
            if side:
                sums.past += count
            else:
                sums.now += count
            if sums.latitude is None and row.latitude is not None and row.longitude is not None:
                sums.latitude, sums.longitude = row.latitude, row.longitude
    places = [
        PlaceFigures(*key, sums.latitude, sums.longitude, sums.now, sums.past) for key, sums in sums_by_place.items()
    ]
    places.sort(key=lambda place: (-place.now, -place.past, place.city))
    return tuple(places)


def get_city(row: Row) -> str:
    """The city of a row; "" for one that is about a region or a country as a whole."""
    return row.city or ("" if row.label in (row.region, row.country) else row.label)


class _Sums:
    """What a city adds up to, and where it lies once a row has said so."""

    __slots__ = ("latitude", "longitude", "now", "past")

    def __init__(self) -> None:
        self.now = self.past = 0.0
        self.latitude: float | None = None
        self.longitude: float | None = None


def group_places(cities: Iterable[PlaceFigures], level: str) -> tuple[tuple[str, float, float], ...]:
    """The sums of cities by `country` or `region`: name, now, before; largest first."""
    sums: dict[str, list[float]] = {}
    for place in cities:
        pair = sums.setdefault(getattr(place, level), [0.0, 0.0])
        pair[0] += place.now
        pair[1] += place.past
    return tuple(sorted(((name, now, past) for name, (now, past) in sums.items()), key=lambda row: (-row[1], row[0])))


@dataclass(frozen=True)
class RankedVideo:
    """A video of the ranking. Numbers that the answer does not have are None.

    `past_plays` is None without comparison, and for a video that the earlier ranking does not list (`listed`): a list has
    an end, and who is not on it may have been played all the same.
    """

    video_id: str
    title: str
    views: float | None
    plays: float | None
    rate: float | None
    past_plays: float | None
    listed: bool = True
    of_people: bool = False
    """Whether `rate` is of people, because the answer counts no plays or no views."""


def parse_ranking(now: Table, past: Table | None) -> tuple[RankedVideo, ...]:
    """The videos of a ranking, most played first (most viewed where plays are not told)."""
    before = {row.video_id or row.label: row for row in past.rows} if past else {}
    videos = [_parse_ranked_video(row, before, compared=past is not None) for row in now.rows]
    return tuple(sorted(videos, key=lambda video: (-(video.plays or 0), -(video.views or 0), video.title)))


ROUND: Final = 5
"""A ranking that has a multiple of so many rows may have been cut there."""


def count_ranked(
    ranked: Sequence[RankedVideo], count_of: Callable[[RankedVideo], float | None]
) -> tuple[dict[str, float], bool]:
    """The count of each video of a ranking, by id, and whether every video that it does not list has none."""
    counts = {video.video_id: count for video in ranked if video.video_id and (count := count_of(video)) is not None}
    is_whole = len(counts) == len(ranked) and (min(counts.values(), default=0) == 0 or len(ranked) % ROUND != 0)
    return counts, is_whole


def _parse_ranked_video(row: Row, earlier: Mapping[str, Row], *, compared: bool) -> RankedVideo:
    video_id = row.video_id
    past = earlier.get(video_id or row.label)
    views, plays = _get_metric(row, Metric.VIEWS), _get_metric(row, Metric.PLAYS)
    viewers, players = _get_metric(row, Metric.VIEWERS), _get_metric(row, Metric.PLAYERS)
    of_people = plays is None or views is None
    part, whole = (players, viewers) if of_people else (plays, views)
    rate = part / whole if part is not None and whole else None
    before = _get_metric(past, Metric.PLAYS) if past else None
    listed = past is not None or not compared
    return RankedVideo(video_id, row.label, views, plays, rate, before, listed, of_people)


def _get_metric(row: Row, metric: Metric) -> float | None:
    for name in NAMES[metric]:
        if name in row.metrics:
            return row.metrics[name]
    return None


# Traffic


TOTAL_NAMES: Final = ("total_consumed", "total", "consumed", "total_bytes")
BYTE_NAMES: Final = ("b", "bytes", "bandwidth", "traffic", "total_consumed", "consumed", "value")


def parse_daily_bytes(table: Table, zone: ZoneInfo) -> dict[date, float] | None:
    """Bytes by day out of a traffic answer; None where it names neither days nor a column of bytes."""
    column = next((name for name in BYTE_NAMES if name in table.columns), None)
    if column is None:
        return {} if not table.rows else None
    sums = sum_over_time(table.rows, column, zone, Granularity.DAY)
    return None if sums is None else {day: total for (day, _), total in sums.items()}


def parse_total_bytes(table: Table) -> float | None:
    """The total of a traffic answer that names no days; None where it has none, or more than one row."""
    source = table.totals if not table.rows else table.rows[0].metrics if len(table.rows) == 1 else {}
    return next((source[name] for name in TOTAL_NAMES if name in source), None)


# Referrers


@dataclass(frozen=True)
class Referrer:
    """A hostile text taken apart: what to show, and an address only where it is plain http."""

    host: str
    path: str
    href: str


_LABEL: Final = r"[a-z0-9_](?:[a-z0-9_-]{0,61}[a-z0-9])?"
_ADDRESS: Final = re.compile(
    rf"(?:(https?)://)?((?:{_LABEL}\.)+[a-z][a-z0-9-]{{1,62}})(:\d{{1,5}})?(/[^\s\"'<>\\]*)?", re.IGNORECASE | re.ASCII
)
"""Host names of the old alphabet only: names that merely look like another one are shown as text."""


def parse_referrer(text: str) -> Referrer:
    """Takes an address apart for showing. Anything that is not a plain web address is text and no link."""
    plain = "".join(letter for letter in text if letter.isprintable()).strip()
    match = _ADDRESS.fullmatch(plain)
    if not match:
        return Referrer(plain, "", "")
    scheme, host, port, path = match.groups()
    return Referrer(
        f"{host.lower()}{port or ''}", path or "", f"{(scheme or 'https').lower()}://{host}{port or ''}{path or ''}"
    )
