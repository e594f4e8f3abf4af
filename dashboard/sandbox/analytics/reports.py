"""The reports that group views by where they came from: browsers, cities, referrers [4.15]."""

from collections.abc import Iterator, Mapping
from typing import Any

from dashboard.platform_api.vocabulary import Granularity
from dashboard.sandbox.analytics.account import Account, AudienceVideo
from dashboard.sandbox.analytics.counting import Counts, PlaceLedger, minus
from dashboard.sandbox.analytics.ledgers import place_ledger
from dashboard.sandbox.analytics.places import BROWSERS, REFERRERS, City, all_cities
from dashboard.sandbox.analytics.rhythm import hours_passed
from dashboard.sandbox.period import Period

Report = dict[str, list[dict[str, Any]]]
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
