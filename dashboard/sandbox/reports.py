"""The reports of analytics [4.5, 4.12, 4.15] as JSON. Shapes: `gaps.md` section 9, and `assumptions` where it knows none."""

import math
from collections.abc import Iterator, Mapping
from typing import Any, Final

from dashboard.platform_api.vocabulary import Granularity
from dashboard.sandbox.audience import (
    BROWSERS,
    METRICS,
    NOTHING,
    REFERRERS,
    Account,
    AudienceVideo,
    City,
    Counts,
    Habits,
    Ledger,
    Period,
    PlaceLedger,
    all_cities,
    chance,
    counts,
    habits,
    hours_passed,
    minus,
    place_ledger,
    video_ledger,
)

Report = dict[str, list[dict[str, Any]]]
Json = dict[str, Any]
Labels = Mapping[int, dict[str, Any]]
"""What stands before the numbers of a row, by the column of the ledger."""


def browsers(account: Account, period: Period, granularity: str, video: AudienceVideo | None = None) -> Report:
    """`{data: [{browser, [date], view, unique_view, play, unique_play}]}` of the account or of one of its videos."""
    labels = {number: {"browser": name} for number, (name, _, _) in enumerate(BROWSERS)}
    return _report(account, "browser", labels, period, granularity, video)


def referrers(account: Account, period: Period, granularity: str) -> Report:
    """`{data: [{referrer, [date], view, unique_view, play, unique_play}]}`."""
    labels = {number: {"referrer": name} for number, (name, _, _) in enumerate(REFERRERS)}
    return _report(account, "referrer", labels, period, granularity, None)


def cities(account: Account, period: Period, granularity: str, country: str = "", region: str = "") -> Report:
    """`{data: [{city, region, country, latitude, longitude, [date], view, …}]}`, of a country and region when given."""
    labels = {
        number: _place(city)
        for number, city in enumerate(all_cities())
        if _same(country, city.country) and _same(region, city.region)
    }
    return _report(account, "city", labels, period, granularity, None)


def _same(text: str, has: str) -> bool:
    return not text or text.casefold() == has.casefold()


def _place(city: City) -> dict[str, Any]:
    place = {"city": city.name, "region": city.region, "country": city.country}
    return {**place, "latitude": city.latitude, "longitude": city.longitude}


def _report(
    account: Account, kind: str, labels: Labels, period: Period, granularity: str, video: AudienceVideo | None
) -> Report:
    ledger = place_ledger(account, kind, video)
    if granularity == Granularity.DAY:
        return {"data": list(_by_day(account, ledger, labels, period))}
    if granularity == Granularity.HOUR:
        return {"data": list(_by_hour(account, ledger, labels, period))}
    return {"data": _total(account, ledger, labels, period)}


def _build_row(label: dict[str, Any], when: dict[str, str], counts: Counts) -> dict[str, Any]:
    view, unique_view, play, unique_play = counts
    return {**label, **when, "view": view, "unique_view": unique_view, "play": play, "unique_play": unique_play}


def _total(account: Account, ledger: PlaceLedger, labels: Labels, period: Period) -> list[dict[str, Any]]:
    """One row for each label, the most viewed first."""
    known, rows = ledger.known(period), []
    if known is None:
        return []
    for column, label in labels.items():
        end = ledger.until(column, known.end, account.now)
        rows.append(_build_row(label, {}, minus(end, ledger.at(column, known.start))))
    return sorted((row for row in rows if row["view"]), key=lambda row: -row["view"])


def _by_day(account: Account, ledger: PlaceLedger, labels: Labels, period: Period) -> Iterator[dict[str, Any]]:
    """One row for each day and label with a view."""
    known: dict[int, Counts] = {}
    for day in ledger.days_of(period):
        when = {"date": day.isoformat()}
        for column, label in labels.items():
            before = known.get(column) or ledger.at(column, day)
            known[column] = after = ledger.until(column, day, account.now)
            if after[0] > before[0]:
                yield _build_row(label, when, minus(after, before))


def _by_hour(account: Account, ledger: PlaceLedger, labels: Labels, period: Period) -> Iterator[dict[str, Any]]:
    """One row for each hour and label with a view; `date` is the beginning of the hour in UTC."""
    for day in ledger.days_of(period):
        over = hours_passed(day, account.now)
        marks = {column: ledger.at(column, day) for column in labels}
        columns = [column for column in labels if ledger.at(column, day, over)[0] > marks[column][0]]
        for hour in range(24):
            if hour >= over:
                break
            when = {"date": f"{day.isoformat()}T{hour:02}:00:00.000Z"}
            for column in columns:
                after = ledger.at(column, day, min(hour + 1.0, over))
                if after[0] > marks[column][0]:
                    yield _build_row(labels[column], when, minus(after, marks[column]))
                    marks[column] = after


HOURLY_DAYS: Final = 2
"""Up to so many days, views come in hours instead of days (gaps 9: it depends on the range)."""
RETENTION_POINTS: Final = 120
DROPS: Final = 0.3
"""Part of the videos that lose many viewers at one moment: a table read out line by line, a word from a sponsor."""
BYTES_PER_SECOND: Final = 86_000
"""What a second of film weighs on the way to a viewer."""


def general(account: Account, video: AudienceVideo, period: Period) -> Json:
    """`{views_data: {day or hour: {view, unique_view, play, unique_play}}}`; every bucket of the period up to now."""
    ledger, column, way = video_ledger(account), account.videos.index(video), _habits(video)
    hourly = (period.end - period.start).days < HOURLY_DAYS
    buckets: dict[str, dict[str, int]] = {}
    for day in ledger.days_of(period):
        over = hours_passed(day, account.now)
        before = counts(ledger.at(column, day), way)
        for hour in range(math.ceil(over)) if hourly else (0,):
            end = min(hour + 1.0, over) if hourly else over
            after = counts(ledger.at(column, day, end), way)
            key = f"{day.isoformat()}T{hour:02}:00:00.000Z" if hourly else day.isoformat()
            buckets[key] = _named(minus(after, before))
            before = after
    return {"views_data": buckets}


def ranking(account: Account, period: Period) -> Json:
    """`{data: [{title, video_id, video_external_id, view, unique_view, play, unique_play}]}`, the most played first."""
    ledger = video_ledger(account)
    rows: list[dict[str, Any]] = []
    for column, video in enumerate(account.videos):
        counts = _between(ledger, account, column, period)
        if counts[0]:
            names = {"title": video.title, "video_id": video.id, "video_external_id": video.external_id}
            rows.append({**names, **_named(counts)})
    return {"data": sorted(rows, key=lambda row: -row["play"])}


def retention(account: Account, video: AudienceVideo, period: Period) -> Json:
    """`{retention: {second: percent of the players who still watch}}`: it starts at 100 and never rises.

    It has the video's own shape whatever the period is; without a play in the period there is nothing to show.
    """
    if not _between(video_ledger(account), account, account.videos.index(video), period)[2] or video.length <= 0:
        return {"retention": {}}
    step = max(1, math.ceil(video.length / RETENTION_POINTS))
    seconds = [*range(0, int(video.length), step), int(video.length)]
    return {"retention": {str(second): round(100 * _watching(video, second), 1) for second in dict.fromkeys(seconds)}}


def traffic(account: Account, video: AudienceVideo, period: Period) -> Json:
    """`{data: [{t: day, b: bytes}], total_consumed, average_daily_consumption}`, every day of the period up to today."""
    ledger, column, way = video_ledger(account), account.videos.index(video), _habits(video)
    watched = sum(_watching(video, video.length * (n + 0.5) / 20) for n in range(20)) / 20 * video.length
    data: list[dict[str, Any]] = []
    for day in ledger.days_of(period):
        plays = minus(counts(ledger.until(column, day, account.now), way), counts(ledger.at(column, day), way))[2]
        luck = 0.9 + 0.2 * chance(video.id, "bytes", day)
        data.append({"t": day.isoformat(), "b": round(plays * watched * BYTES_PER_SECOND * luck)})
    total = sum(row["b"] for row in data)
    return {"data": data, "total_consumed": total, "average_daily_consumption": round(total / len(data)) if data else 0}


def account_traffic(account: Account, period: Period) -> int:
    """Bytes that the viewers of all its videos downloaded: the sum of what `traffic` tells of each."""
    return sum(int(traffic(account, video, period)["total_consumed"]) for video in account.videos)


def _between(ledger: Ledger, account: Account, column: int, period: Period) -> Counts:
    known, way = ledger.known(period), _habits(account.videos[column])
    if known is None:
        return NOTHING
    end = counts(ledger.until(column, known.end, account.now), way)
    return minus(end, counts(ledger.at(column, known.start), way))


def _habits(video: AudienceVideo) -> Habits:
    return habits(video.id, video.play_rate)


def _named(counts: Counts) -> dict[str, int]:
    return dict(zip(METRICS, counts, strict=True))


def _watching(video: AudienceVideo, second: float) -> float:
    """Part of the players who still watch at a second: many leave early, fewer in the middle, some before the credits.

    Where more people press play, the opening is the better one and fewer leave at once.
    """
    if second <= 0:
        return 1.0
    key = video.shape or video.id
    at = min(1.0, second / video.length)
    leave_early = min(0.45, max(0.08, 1.0 - 2.2 * video.play_rate))
    leave_later = 0.5 + 0.35 * chance(key, "patience") + 0.02 * chance(video.id, "luck")
    stay = 1 - leave_early * (1 - math.exp(-second / (4 + video.length / 60)))
    steady = math.exp(-leave_later * at * (1 + 0.12 * math.sin(5 * at + 6 * chance(key, "turn"))))
    return stay * steady * (1 - 0.25 * max(0.0, at - 0.94) / 0.06) * _after_drop(key, at)


def _after_drop(key: str, at: float) -> float:
    """Part of those who would watch on after the moment that many do not like; they leave within a fiftieth of the video."""
    if chance(key, "drop") >= DROPS:
        return 1.0
    since = at - (0.12 + 0.55 * chance(key, "drop at"))
    return 1 - (0.15 + 0.3 * chance(key, "drop depth")) * min(1.0, max(0.0, since / 0.02))
