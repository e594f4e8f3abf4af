"""From tolerant tables and curves to figures: which rows count, what they add up to, what a video loses. Pure.

What a column means and when a row was is read in `shared.metrics`; here are the figures of single pages.
"""

import re
from bisect import bisect_left, insort
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum
from itertools import pairwise
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from dashboard.platform_api.analytics import Row, Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared.metrics import NAMES, Metric, sum_over_time
from dashboard.shared.retention import Curve, get_ks_half_widths


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
    return RankedVideo(
        video_id, row.label, views, plays=plays, rate=rate, past_plays=before, listed=listed, of_people=of_people
    )


def _get_metric(row: Row, metric: Metric) -> float | None:
    for name in NAMES[metric]:
        if name in row.metrics:
            return row.metrics[name]
    return None


def tell_apart(titles: Mapping[str, str]) -> dict[str, str]:
    """The titles by video; videos with the same title get part of their id."""
    counts = Counter(titles.values())
    return {video: f"{title} ({video[:8]})" if counts[title] > 1 else title for video, title in titles.items()}


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


def find_rate_columns(table: Table) -> tuple[str, str] | None:
    """The columns that a play rate is made of: plays and views, or where one is missing the people who played and viewed."""
    for pair in ((Metric.PLAYS, Metric.VIEWS), (Metric.PLAYERS, Metric.VIEWERS)):
        columns = [next((name for name in NAMES[metric] if name in table.columns), "") for metric in pair]
        if all(columns):
            return columns[0], columns[1]
    return None


STEPS: Final = 120
SHARES: Final = 10_000
"""Shares are whole ten-thousandths, so that a kept curve is short and sums are exact."""
PLAYS_LEAST: Final = 100
DAYS_LEAST: Final = 7
ALIKE_LEAST: Final = 8
SHORTEST, LONGEST = 0.8, 1.2
"""How long a like video is, compared with the video."""
POINTS_LEAST: Final = 3
FALL_STEPS: Final = 4
"""Steps over which the gap's growth is looked for: a single one may be noise."""
LATER: Final = 60.0
"""Seconds after the moment at which both curves are told."""
SLACK: Final = 1e-9


class Verdict(StrEnum):
    """What can be said of a video. From `FEW_PLAYS` on: why nothing can."""

    LOSES = "loses"
    USUAL = "usual"
    FEW_PLAYS = "few_plays"
    PLAYS_UNKNOWN = "plays_unknown"
    NEW = "new"
    NO_LENGTH = "no_length"
    NO_CURVE = "no_curve"
    FEW_ALIKE = "few_alike"


JUDGED: Final = (Verdict.LOSES, Verdict.USUAL)


@dataclass(frozen=True)
class PlayedVideo:
    """A video that can be compared: its length in seconds, its plays, and its curve."""

    id: str
    length: float
    plays: int
    curve: tuple[int, ...]


@dataclass(frozen=True)
class Moment:
    """Where more people leave than usual, in seconds, and the shares still watching a little later (0 to 1)."""

    at: float
    later: float
    share: float
    usual: float


@dataclass(frozen=True)
class Loss:
    """What a video loses, in minutes, and the typical curve that it was compared with.

    `moment` is None where it loses no more than chance explains; `minutes` is 0 then.
    """

    minutes: float
    typical: tuple[float, ...]
    moment: Moment | None


def find_obstacle(plays: float | None, length: float | None, days: int | None) -> Verdict | None:
    """Why a video cannot be judged whatever its curve is; None where it may be. `days`: whole days it has been there."""
    if plays is None:
        return Verdict.PLAYS_UNKNOWN
    if plays < PLAYS_LEAST:
        return Verdict.FEW_PLAYS
    if days is not None and days < DAYS_LEAST:
        return Verdict.NEW
    return None if length is not None and length > 0 else Verdict.NO_LENGTH


def sample_curve(curve: Curve, length: float) -> tuple[int, ...] | None:
    """The curve at equal steps of the length; None where it has too few seconds to be one.

    Before its first second everybody is there who is there then; after its last one nobody else leaves.
    """
    if len(curve.seconds) < POINTS_LEAST or length <= 0:
        return None
    first, last = curve.seconds[0], curve.seconds[-1]
    seconds = (min(max(length * step / STEPS, first), last) for step in range(STEPS + 1))
    return tuple(round((curve.at(second) or 0.0) * SHARES) for second in seconds)


def list_losses(videos: Sequence[PlayedVideo]) -> Iterator[tuple[PlayedVideo, int, Loss | None]]:
    """Each video, how many others are of like length, and its loss; None where they are fewer than `ALIKE_LEAST`.

    The like videos are a window that moves along the lengths: each curve enters its sorted columns once and leaves them once.
    """
    by_length = sorted(videos, key=lambda video: (video.length, video.id))
    columns: list[list[int]] = [[] for _step in range(STEPS + 1)]
    start = end = 0
    for video in by_length:
        while end < len(by_length) and by_length[end].length <= video.length * LONGEST + SLACK:
            for column, share in zip(columns, by_length[end].curve, strict=True):
                insort(column, share)
            end += 1
        while by_length[start].length < video.length * SHORTEST - SLACK:
            for column, share in zip(columns, by_length[start].curve, strict=True):
                del column[bisect_left(column, share)]
            start += 1
        alike = end - start - 1
        if alike < ALIKE_LEAST:
            yield video, alike, None
        else:
            typical = tuple(map(_get_median_without, columns, video.curve))
            yield video, alike, measure_loss(video, typical)


def _get_median_without(column: Sequence[int], own: int) -> float:
    """The median of a sorted column of which one value, its `own`, does not count."""
    position, rest = bisect_left(column, own), len(column) - 1
    low, high = ((rest - 1) // 2, rest // 2)
    return (column[low + (low >= position)] + column[high + (high >= position)]) / 2


def measure_loss(video: PlayedVideo, typical: tuple[float, ...]) -> Loss:
    """What the video loses against its typical curve. A gap that so few plays open by chance counts as none."""
    gaps = [usual - own for usual, own in zip(typical, video.curve, strict=True)]
    if max(gaps) <= get_ks_half_widths([video.plays])[0] * SHARES:
        return Loss(0.0, typical, None)
    area = sum(map(_integrate_above_zero, gaps, gaps[1:])) / STEPS / SHARES
    return Loss(area * video.length / 60 * video.plays, typical, _find_moment(video, typical, gaps))


def _integrate_above_zero(first: float, second: float) -> float:
    """The area above zero of a straight line over one step."""
    if first >= 0 and second >= 0:
        return (first + second) / 2
    above = max(first, second)
    return above * above / (abs(first) + abs(second)) / 2 if above > 0 else 0.0


def _find_moment(video: PlayedVideo, typical: Sequence[float], gaps: Sequence[float]) -> Moment:
    """Where the gap grows most within a few steps, at the step where that begins; one that is there from the start is at 0."""
    growth = [after - before if after > 0 else 0.0 for before, after in zip(gaps, gaps[FALL_STEPS:], strict=False)]
    best = max(growth)
    if gaps[0] >= best:
        step, end = 0, max(index for index, gap in enumerate(gaps[: FALL_STEPS + 1]) if gap > 0)
    else:
        begin = next(index for index, grown in enumerate(growth) if grown >= best - SLACK)
        end = begin + FALL_STEPS
        steps = [after - before for before, after in pairwise(gaps[begin : end + 1])]
        step = begin + next(index for index, grown in enumerate(steps) if grown >= max(steps) / 2)
    at = video.length * step / STEPS
    minute_later = (at + LATER) / video.length * STEPS
    if at + LATER < video.length and interpolate(gaps, minute_later) > 0:
        later, told = at + LATER, minute_later
    else:
        later, told = video.length * end / STEPS, float(end)
    return Moment(at, later, interpolate(video.curve, told) / SHARES, interpolate(typical, told) / SHARES)


def interpolate(values: Sequence[float], step: float) -> float:
    """The value between two steps, on a straight line."""
    index = min(int(step), len(values) - 2)
    return values[index] + (values[index + 1] - values[index]) * (step - index)
