"""Builds charts and key figures from answers. Pages, files and pictures show the same chart."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from zoneinfo import ZoneInfo

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext_lazy

from dashboard.analytics import rules
from dashboard.analytics.rules import find_rate_columns
from dashboard.analytics.state import AnalyticsState, build_rate_why_address, build_why_address, get_day_pairs
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import formats, metrics
from dashboard.shared.charts import figures
from dashboard.shared.charts.bars import Bar, BarChart
from dashboard.shared.charts.bubbles import DRAWN, BubbleMap, City
from dashboard.shared.charts.drawing import build_sparkline
from dashboard.shared.charts.figures import Change, Unit, build_change
from dashboard.shared.charts.lines import ComparedTotals, Measure, Point, TimeChart
from dashboard.shared.charts.plot import Mark
from dashboard.shared.charts.prepared import Chart
from dashboard.shared.charts.week import HOURS, WEEKDAYS, Slot, WeekChart
from dashboard.shared.metrics import Metric, find_metric
from dashboard.shared.ranges import Bucket, Days, Selection, list_hours

MEASURES = {
    Metric.VIEWS: Measure(gettext_lazy("Views"), ngettext_lazy("%(shown)s view", "%(shown)s views", "number")),
    Metric.PLAYS: Measure(gettext_lazy("Plays"), ngettext_lazy("%(shown)s play", "%(shown)s plays", "number")),
    Metric.VIEWERS: Measure(
        gettext_lazy("Unique viewers"), ngettext_lazy("%(shown)s unique viewer", "%(shown)s unique viewers", "number")
    ),
    Metric.PLAYERS: Measure(
        gettext_lazy("People who played"),
        ngettext_lazy("%(shown)s person who played", "%(shown)s people who played", "number"),
    ),
}


def build_traffic_measure(videos: str) -> Measure:
    """Bytes of the videos that `videos` names ("5 chosen videos"): a sum of some is never called the account's."""
    title = _("Traffic of %(videos)s") % {"videos": videos}
    return Measure(title, _("%(size)s of %(videos)s") % {"size": "%(shown)s", "videos": videos}, Unit.BYTES)


def get_measure(column: str) -> Measure:
    """The measure of a column. An unknown column keeps its name."""
    metric = find_metric(column)
    return MEASURES[metric] if metric else Measure(column.replace("%", "%%"), "%(shown)s")


def format_explanation(column: str) -> str:
    """Explain what a figure counts, in one or two sentences."""
    match find_metric(column):
        case Metric.VIEWS:
            return _("A view is a page that loaded the player. It is not a play, and one person can have many.")
        case Metric.PLAYS:
            return _("A play is a player that was started. Pages that only loaded it do not count.")
        case Metric.VIEWERS:
            return _("People who loaded the player. A person who returns on another day is counted again.")
        case Metric.PLAYERS:
            return _("People who started the player. A person who returns on another day is counted again.")
        case _other:
            return _("The platform calls this “%(column)s” and does not say what it counts.") % {"column": column}


Sums = Mapping[metrics.Moment, float]


def format_days(days: Days) -> str:
    """Format days as text."""
    return figures.period(days.start, days.end)


def format_foot(selection: Selection, *, compared: bool = True) -> str:
    """The line below a chart: the days that are added up, the compared days, the time zone, and the days left out."""
    windows = selection.windows
    values = {"days": format_days(windows.counted), "zone": selection.zone.key}
    if windows.past is None or not compared:
        text = _("%(days)s, %(zone)s") % values
    else:
        text = _("%(days)s against %(against)s, %(zone)s") % {**values, "against": format_days(windows.past)}
    if windows.unfinished is None:
        return text
    return f"{text}. {_('%(days)s: incomplete, not added up') % {'days': format_days(windows.unfinished)}}"


def build_points(
    selection: Selection,
    now: Sums,
    past: Sums | None,
    now_covered: metrics.Covered | None,
    past_covered: metrics.Covered | None,
) -> tuple[Point, ...]:
    """The buckets of a range with their sums. A bucket without a row is zero if the answer covers it, else unknown."""
    points = []
    for bucket, partner in zip(selection.buckets(), selection.partners(), strict=True):
        met = partner if past is not None else None
        points.append(
            Point(
                key=bucket.key,
                label=format_bucket(bucket),
                short=_format_short(bucket),
                value=_get_sum(now, now_covered, bucket) if bucket.begun else None,
                whole=bucket.whole,
                past_key=met.key if met else "",
                past_label=format_bucket(met) if met else "",
                past=_get_sum(past, past_covered, met) if past is not None and met else None,
                begun=bucket.begun,
            )
        )
    return tuple(points)


def _get_sum(sums: Sums, known: metrics.Covered | None, bucket: Bucket) -> float | None:
    moment = (bucket.day, bucket.hour)
    return sums.get(moment, 0.0) if known is not None and known.holds(moment) else None


def count_unpaired(selection: Selection) -> int:
    """Count the compared buckets without a counterpart: an hour skipped by a clock change."""
    partners = selection.partners()
    return len(selection.past_buckets()) - sum(partner is not None for partner in partners)


def format_bucket(bucket: Bucket) -> str:
    """Sat, Oct 24, or Sat, Oct 24, 13:00."""
    day = figures.day(bucket.day, weekday=True)
    return day if bucket.hour is None else f"{day}, {bucket.hour:02}:00"


def _format_short(bucket: Bucket) -> str:
    day = figures.day(bucket.day)
    return f"{day}, {bucket.hour:02}:00" if bucket.hour is not None else day


def build_line_chart(
    state: AnalyticsState, column: str, now: Table, past: Table | None, marks: tuple[Mark, ...]
) -> TimeChart | None:
    """A column over the range. None if the answer has no dates."""
    zone, grain = state.selection.zone, state.selection.granularity
    sums = metrics.sum_over_time(now.rows, column, zone, grain)
    before = metrics.sum_over_time(past.rows, column, zone, grain) if past else None
    return None if sums is None else build_time_chart(state, column, sums, before, marks)


def build_time_chart(
    state: AnalyticsState, column: str, sums: Sums, before: Sums | None, marks: tuple[Mark, ...] = ()
) -> TimeChart:
    """Sums by bucket over the range, beside those of what it is compared with."""
    selection, grain = state.selection, state.selection.granularity
    past_days = selection.windows.past
    compared = before is not None and past_days is not None
    title = _("%(measure)s per hour") if grain is Granularity.HOUR else _("%(measure)s per day")
    return TimeChart(
        name="events",
        title=title % {"measure": get_measure(column).title},
        note=format_explanation(column),
        measure=get_measure(column),
        bucket_title=_("Hour") if grain is Granularity.HOUR else _("Day"),
        points=build_points(
            selection, sums, before if compared else None, metrics.get_covered(sums), metrics.get_covered(before or {})
        ),
        now_name=format_days(selection.windows.shown_days),
        past_name=format_days(past_days) if compared and past_days else "",
        foot=format_foot(selection, compared=compared),
        marks=marks,
        unpaired=count_unpaired(selection) if compared else 0,
    )


def build_week_chart(
    state: AnalyticsState, column: str, sums: Sums, before: Sums | None, days: TimeChart, hours: Callable[[], TimeChart]
) -> WeekChart:
    """The averages of a column by hour of the week, over the days that are added up."""
    selection, windows = state.selection, state.selection.windows
    ours = _calculate_averages(sums, windows.counted, selection.zone)
    theirs = _calculate_averages(before if before and days.past_name else {}, windows.compared, selection.zone)
    slots = tuple(
        tuple(Slot(ours.get((hour, weekday)), theirs.get((hour, weekday))) for weekday in range(WEEKDAYS))
        for hour in range(HOURS)
    )
    title = _("%(measure)s by hour of the week") % {"measure": get_measure(column).title}
    return WeekChart(
        "events", title, format_explanation(column), slots=slots, by_day=days, by_hour=hours, foot=days.foot
    )


def _calculate_averages(sums: Sums, days: Days | None, zone: ZoneInfo) -> dict[tuple[int, int], float]:
    """By hour and weekday; an hour without a row is none where the answer covers it, else it does not count."""
    known = metrics.get_covered(sums)
    if known is None or days is None:
        return {}
    added: dict[tuple[int, int], list[float]] = {}
    for day in days:
        if not known.has_day(day):
            continue
        is_edge = day in (known.first[0], known.last[0])
        weekday = day.weekday()
        for hour in list_hours(day, zone):
            if not is_edge or known.holds((day, hour)):
                added.setdefault((hour, weekday), []).append(sums.get((day, hour), 0.0))
    return {slot: sum(values) / len(values) for slot, values in added.items()}


def build_day_chart(state: AnalyticsState, column: str, sums: Sums, before: Sums | None) -> TimeChart:
    """Build a chart by day from hours."""
    by_day = replace(state, selection=state.selection.by_day())
    return build_time_chart(by_day, column, _sum_by_day(sums), None if before is None else _sum_by_day(before), ())


def _sum_by_day(sums: Sums) -> Sums:
    days: dict[metrics.Moment, float] = {}
    for (day, _hour), value in sums.items():
        days[day, None] = days.get((day, None), 0.0) + value
    return days


def build_bar_chart(
    state: AnalyticsState, name: str, title: str, label_title: str, column: str, now: Table, past: Table | None
) -> BarChart:
    """A column by label, largest first, with what each label had before."""
    selection = state.selection
    zone, grain = selection.zone, selection.by_day().granularity
    sums = metrics.sum_by_label(now.rows, column, days=selection.windows.counted, zone=zone, granularity=grain)
    against = selection.windows.compared
    compared = past is not None and against is not None
    before = (
        metrics.sum_by_label(past.rows, column, days=against, zone=zone, granularity=grain) if past and compared else {}
    )
    # In the order of the answer, which is mostly sorted already: then ten times the rows are ten times the work.
    labels = sorted({**sums, **before}, key=lambda label: (-sums.get(label, 0), -before.get(label, 0), label))
    bars = tuple(
        Bar(format_label(label), sums.get(label, 0), before.get(label, 0) if compared else None, key=label)
        for label in labels
    )
    return build_bars(selection, name, title, column, label_title, bars, compared=compared)


def build_bars(
    selection: Selection,
    name: str,
    title: str,
    column: str,
    label_title: str,
    bars: tuple[Bar, ...],
    *,
    compared: bool,
    absent: str = "",
) -> BarChart:
    """Bars of a column, with what it counts and the days below them."""
    note, measure, foot = format_explanation(column), get_measure(column), format_foot(selection, compared=compared)
    return BarChart(
        name,
        title,
        note,
        measure=measure,
        label_title=label_title,
        bars=bars,
        compared=compared,
        foot=foot,
        absent=absent,
    )


def format_label(label: str) -> str:
    """The label of a row; "unknown" where the platform gives none."""
    return label or _("unknown")


def build_city_map(
    state: AnalyticsState, column: str, places: Sequence[rules.PlaceFigures], *, compared: bool, limit: int = DRAWN
) -> BubbleMap:
    """These cities on the map, as far as they are within the country and region of the address."""
    selection = state.selection
    if state.country:
        places = tuple(place for place in places if place.country.casefold() in {state.country.casefold(), ""})
    if state.region:
        places = tuple(place for place in places if place.region.casefold() in {state.region.casefold(), ""})
    unknown, names = format_label(""), {"": ""}
    names.update((code, formats.country_name(code)) for code in {place.country for place in places} - {""})
    cities = tuple(
        City(
            name=place.city or unknown,
            region=place.region,
            country=names[place.country],
            value=place.now,
            past=place.past if compared else None,
            latitude=place.latitude,
            longitude=place.longitude,
            country_code=place.country,
            key=place.city,
        )
        for place in places
    )
    return BubbleMap(
        name="cities",
        title=_("Cities"),
        note=format_explanation(column),
        measure=get_measure(column),
        cities=cities,
        compared=compared,
        foot=format_foot(selection, compared=compared),
        close=bool(state.country),
        limit=limit,
    )


@dataclass(frozen=True)
class KeyFigure:
    """One figure: where it stood before, its shape over time, and in `base` what it is a part of, or is made of.

    `why`: the page that splits the change; "" where nothing can. `address`: the panel that shows more of it.
    """

    label: str
    value: str
    change: Change | None = None
    was: str = ""
    base: str = ""
    why: str = ""
    address: str = ""
    spark: str = ""


def build_stats(
    state: AnalyticsState, charts: Mapping[str, Chart | None], browsers: Table | None, before: Table | None
) -> tuple[KeyFigure, ...]:
    """The figures whose charts are there; a figure that is not known is left out, not shown as zero."""
    stats = []
    events, bars = charts["events"], charts["browsers"]
    events = events.by_day if isinstance(events, WeekChart) else events
    why = build_why_address("browsers", state)
    if isinstance(events, TimeChart):
        known = [point.value for point in events.points if point.whole] if events.totals.now is not None else []
        stat = build_total_figure(events, figures.count, why)
        stats.append(replace(stat, address="#panel-events", spark=build_sparkline(known)))
    elif isinstance(bars, BarChart):
        stats.append(_build_stat(str(bars.measure.title), bars.total, bars.past_total, "browsers", why))
    if browsers is not None and (rate := _build_rate(state, browsers, before)):
        stats.append(rate)
    cities = charts["cities"]
    if isinstance(cities, BubbleMap):
        past = sum(bool(city.past) for city in cities.cities) if cities.compared else None
        number, why = sum(city.value > 0 for city in cities.cities), build_why_address("cities", state)
        stats.append(_build_stat(_("Cities with viewers"), number, past, "cities", why))
    sites = charts["referrers"]
    if isinstance(sites, BarChart):
        past = sum(bool(bar.past) for bar in sites.bars) if sites.compared else None
        number, why = sum(bar.value > 0 for bar in sites.bars), build_why_address("sites", state)
        stats.append(_build_stat(_("Sites that sent viewers"), number, past, "referrers", why))
    return tuple(stats)


def format_heading(state: AnalyticsState) -> str:
    """Which days the figures count: whole ones, or what there is so far."""
    selection = state.selection
    if not selection.windows.partial:
        return _("Key figures of whole days")
    today = selection.windows.counted.start == selection.today
    return _("Key figures of today so far") if today else _("Key figures so far, of days that are not over")


def build_total_figure(chart: TimeChart, write: Callable[[float], str], why: str, note: str = "") -> KeyFigure:
    """The total of a chart over time, so that both cannot differ. `write` prints its values, `note` is said of it first."""
    totals, label = chart.totals, str(chart.measure.title)
    if totals.now is None:
        return KeyFigure(label, _("No data"), why=why)
    compared, moved, was = totals.compared, None, ""
    if compared is not None and (compared.complete or compared.pairs):
        moved, was = build_change(compared.now, compared.past), _format_past(compared, write, hourly=chart.hourly)
    if totals.known < totals.buckets:
        values = {"known": figures.count(totals.known), "count": figures.count(totals.buckets)}
        over = (_("%(known)s of %(count)s hours") if chart.hourly else _("%(known)s of %(count)s days")) % values
        note = ", ".join(filter(None, (note, over)))
    return KeyFigure(label, write(totals.now), moved, was=was, base=note, why=why)


def _format_past(compared: ComparedTotals, write: Callable[[float], str], *, hourly: bool) -> str:
    """What it was before. A comparison that is not made over all days says over how many."""
    if compared.complete:
        return _("from %(value)s") % {"value": write(compared.past)}
    values = {
        "past": write(compared.past),
        "now": write(compared.now),
        "pairs": figures.count(compared.pairs),
        "count": figures.count(compared.buckets),
    }
    if hourly:
        return _("from %(past)s to %(now)s over %(pairs)s of %(count)s hours") % values
    return _("from %(past)s to %(now)s over %(pairs)s of %(count)s days") % values


def _build_stat(label: str, now: float, past: float | None, panel: str, why: str) -> KeyFigure:
    was = "" if past is None else _("from %(value)s") % {"value": figures.count(past)}
    return KeyFigure(label, figures.count(now), build_change(now, past), was, why=why, address=f"#panel-{panel}")


def _build_rate(state: AnalyticsState, now: Table, before: Table | None) -> KeyFigure | None:
    """How many of the views were plays; of people, only where the platform counts nothing else."""
    windows = state.selection.windows
    shares = _get_share(state, now, windows.counted)
    if shares is None:
        return None
    past = _get_past_share(state, now, before) if before is not None and windows.compared is not None else None
    moved, was = None, ""
    if past is not None:
        moved = figures.build_points_change(shares.rate, past.rate)
        was = _("from %(value)s") % {"value": figures.percent(past.rate)}
    why = build_rate_why_address(state) if moved is not None else ""
    rate = figures.percent(shares.rate)
    return KeyFigure(_("Play rate"), rate, moved, was=was, base=shares.words, why=why, address="#panel-browsers")


def _get_past_share(state: AnalyticsState, now: Table, before: Table) -> "Share | None":
    """The rate of the compared days; None where not every day has numbers on both sides."""
    pairs = get_day_pairs(state, now, before)
    windows = state.selection.windows
    if windows.compared is None or (pairs is not None and not pairs.complete):
        return None
    return _get_share(state, before, windows.compared)


@dataclass(frozen=True)
class Share:
    """A rate with what it is a part of: 1,817 of 5,190 views."""

    rate: float
    words: str


def _get_share(state: AnalyticsState, table: Table, days: Container[date]) -> Share | None:
    columns = find_rate_columns(table)
    if columns is None:
        return None
    selection = state.selection
    part, whole = metrics.sum_columns(
        table.rows, columns, days=days, zone=selection.zone, granularity=selection.by_day().granularity
    )
    of_people = columns[0] in metrics.NAMES[Metric.PLAYERS]
    text = _("%(part)s of %(whole)s unique viewers played") if of_people else _("%(part)s plays of %(whole)s views")
    values = {"part": figures.count(part), "whole": figures.count(whole)}
    return Share(part / whole, text % values) if whole else None
