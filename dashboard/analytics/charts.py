"""From answers to prepared charts. A chart is made here once; pages, files and pictures all show that one."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, timedelta
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _

from dashboard.analytics import rules
from dashboard.analytics.measures import explained, measure_of
from dashboard.analytics.state import State
from dashboard.platform_api.records.analytics import Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import formats, metrics
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import DRAWN, BubbleMap, City
from dashboard.shared.charts.plot import Mark
from dashboard.shared.charts.time import Point, TimeChart
from dashboard.shared.charts.week import HOURS, WEEKDAYS, Slot, WeekChart
from dashboard.shared.days import hours_of
from dashboard.shared.ranges import Bucket, Days, Selection

Sums = Mapping[metrics.Moment, float]


def span(days: Days) -> str:
    """The days in words."""
    return figures.period(days.start, days.end)


def foot(selection: Selection, *, compared: bool = True) -> str:
    """The line below a picture: the days that are added up, what they are compared with, the zone, and what is not."""
    windows = selection.windows
    values = {"days": span(windows.counted), "zone": selection.zone.key}
    if windows.past is None or not compared:
        text = _("%(days)s, %(zone)s") % values
    else:
        text = _("%(days)s against %(against)s, %(zone)s") % {**values, "against": span(windows.past)}
    if windows.unfinished is None:
        return text
    return f"{text}. {_('%(days)s: incomplete, not added up') % {'days': span(windows.unfinished)}}"


def points(
    selection: Selection,
    now: Sums,
    past: Sums | None,
    now_covered: metrics.Covered | None,
    past_covered: metrics.Covered | None,
) -> tuple[Point, ...]:
    """The buckets of a range with their sums. One without a row is zero where the answer covers it, else unknown."""
    points = []
    for bucket, partner in zip(selection.buckets(), selection.partners(), strict=True):
        met = partner if past is not None else None
        points.append(
            Point(
                bucket.key,
                bucket_label(bucket),
                _short(bucket),
                _sum_of(now, now_covered, bucket) if bucket.begun else None,
                bucket.whole,
                met.key if met else "",
                bucket_label(met) if met else "",
                _sum_of(past, past_covered, met) if past is not None and met else None,
                bucket.begun,
            )
        )
    return tuple(points)


def _sum_of(sums: Sums, known: metrics.Covered | None, bucket: Bucket) -> float | None:
    moment = (bucket.day, bucket.hour)
    return sums.get(moment, 0.0) if known is not None and known.holds(moment) else None


def unpaired(selection: Selection) -> int:
    """How many buckets of the compared days meet none of the shown ones: an hour that the clocks skipped."""
    partners = selection.partners()
    return len(selection.past_buckets()) - sum(partner is not None for partner in partners)


def bucket_label(bucket: Bucket) -> str:
    """Sat, Oct 24, or Sat, Oct 24, 13:00."""
    day = figures.day(bucket.day, weekday=True)
    return day if bucket.hour is None else f"{day}, {bucket.hour:02}:00"


def _short(bucket: Bucket) -> str:
    day = figures.day(bucket.day)
    return f"{day}, {bucket.hour:02}:00" if bucket.hour is not None else day


def over_time(state: State, column: str, now: Table, past: Table | None, marks: tuple[Mark, ...]) -> TimeChart | None:
    """A column over the range. None where the answer does not say when."""
    zone, grain = state.selection.zone, state.selection.granularity
    sums = metrics.over_time(now.rows, column, zone, grain)
    before = metrics.over_time(past.rows, column, zone, grain) if past else None
    return None if sums is None else time_chart(state, column, sums, before, marks)


def time_chart(state: State, column: str, sums: Sums, before: Sums | None, marks: tuple[Mark, ...] = ()) -> TimeChart:
    """Sums by bucket over the range, beside those of what it is compared with."""
    selection, grain = state.selection, state.selection.granularity
    past_days = selection.windows.past
    compared = before is not None and past_days is not None
    title = _("%(measure)s per hour") if grain is Granularity.HOUR else _("%(measure)s per day")
    return TimeChart(
        "events",
        title % {"measure": measure_of(column).title},
        explained(column),
        measure_of(column),
        _("Hour") if grain is Granularity.HOUR else _("Day"),
        points(selection, sums, before if compared else None, metrics.covered(sums), metrics.covered(before or {})),
        span(selection.windows.shown),
        span(past_days) if compared and past_days else "",
        foot(selection, compared=compared),
        marks,
        unpaired(selection) if compared else 0,
    )


def hours_of_week(
    state: State, column: str, sums: Sums, before: Sums | None, days: TimeChart, hours: Callable[[], TimeChart]
) -> WeekChart:
    """The averages of a column by hour of the week, over the days that are added up."""
    selection, windows = state.selection, state.selection.windows
    ours = _averages(sums, windows.counted, selection.zone)
    theirs = _averages(before if before and days.past_name else {}, windows.compared, selection.zone)
    slots = tuple(
        tuple(Slot(ours.get((hour, weekday)), theirs.get((hour, weekday))) for weekday in range(WEEKDAYS))
        for hour in range(HOURS)
    )
    title = _("%(measure)s by hour of the week") % {"measure": measure_of(column).title}
    return WeekChart("events", title, explained(column), slots, days, hours, days.foot)


def _averages(sums: Sums, days: Days | None, zone: ZoneInfo) -> dict[tuple[int, int], float]:
    """By hour and weekday; an hour without a row is none where the answer covers it, else it does not count."""
    known = metrics.covered(sums)
    if known is None or days is None:
        return {}
    added: dict[tuple[int, int], list[float]] = {}
    for day in days:
        if not known.has_day(day):
            continue
        is_edge = day in (known.first[0], known.last[0])
        weekday = day.weekday()
        for hour in hours_of(day, zone):
            if not is_edge or known.holds((day, hour)):
                added.setdefault((hour, weekday), []).append(sums.get((day, hour), 0.0))
    return {slot: sum(values) / len(values) for slot, values in added.items()}


def days_of_hours(state: State, column: str, sums: Sums, before: Sums | None) -> TimeChart:
    """The hours added up to days, as a chart over time."""
    by_day = replace(state, selection=state.selection.by_day())
    return time_chart(by_day, column, _by_day(sums), None if before is None else _by_day(before), ())


def _by_day(sums: Sums) -> Sums:
    days: dict[metrics.Moment, float] = {}
    for (day, _hour), value in sums.items():
        days[day, None] = days.get((day, None), 0.0) + value
    return days


def labelled(
    state: State, name: str, title: str, label_title: str, column: str, now: Table, past: Table | None
) -> BarChart:
    """A column by label, largest first, with what each label had before."""
    selection = state.selection
    zone, grain = selection.zone, selection.by_day().granularity
    sums = metrics.by_label(now.rows, column, days=selection.windows.counted, zone=zone, granularity=grain)
    against = selection.windows.compared
    compared = past is not None and against is not None
    before = (
        metrics.by_label(past.rows, column, days=against, zone=zone, granularity=grain) if past and compared else {}
    )
    # In the order of the answer, which is mostly sorted already: then ten times the rows are ten times the work.
    labels = sorted({**sums, **before}, key=lambda label: (-sums.get(label, 0), -before.get(label, 0), label))
    bars = tuple(Bar(_label(label), sums.get(label, 0), before.get(label, 0) if compared else None) for label in labels)
    return BarChart(
        name,
        title,
        explained(column),
        measure_of(column),
        label_title,
        bars,
        compared,
        foot(selection, compared=compared),
    )


def _label(label: str) -> str:
    return label or _("unknown")


def cities(state: State, column: str, now: Table, past: Table | None, limit: int = DRAWN) -> BubbleMap:
    """The cities of a column on the map, within the country and region of the address."""
    selection = state.selection
    compared = past is not None and selection.windows.compared is not None
    places = rules.places(now.rows, past.rows if past and compared else (), column)
    if state.country:
        places = tuple(place for place in places if place.country.casefold() in {state.country.casefold(), ""})
    if state.region:
        places = tuple(place for place in places if place.region.casefold() in {state.region.casefold(), ""})
    unknown, names = _("unknown"), {"": ""}
    names.update((code, formats.country_name(code)) for code in {place.country for place in places} - {""})
    cities = tuple(
        City(
            place.city or unknown,
            place.region,
            names[place.country],
            place.now,
            place.past if compared else None,
            place.latitude,
            place.longitude,
        )
        for place in places
    )
    return BubbleMap(
        "cities",
        _("Cities"),
        explained(column),
        measure_of(column),
        cities,
        compared,
        foot(selection, compared=compared),
        close=bool(state.country),
        limit=limit,
    )


def last_day_of_month(day: date) -> date:
    """The 30th of November for the 20th."""
    return (day.replace(day=1) + timedelta(days=32)).replace(day=1) - timedelta(days=1)
