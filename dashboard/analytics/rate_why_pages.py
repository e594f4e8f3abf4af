"""Why the play rate changed: its difference split by the rates and the shares of browsers, sites, countries or videos."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Final

from django.utils.translation import gettext as _

from dashboard.analytics import ranked_videos, rules
from dashboard.analytics.change_steps import Scale, WhyContent, build_steps_content
from dashboard.analytics.charts import format_label
from dashboard.analytics.pages import Tab
from dashboard.analytics.rate_changes import Effect, RateChange, RateEffect, RateSide, split_rate
from dashboard.analytics.state import AnalyticsState
from dashboard.analytics.stats import find_rate_columns
from dashboard.analytics.tables import build_site_address
from dashboard.analytics.why_pages import (
    build_equal_content,
    build_split_names,
    explain_unknown,
    format_label_title,
)
from dashboard.analytics.why_subject import WhySubject
from dashboard.platform_api.analytics import Table
from dashboard.shared import formats
from dashboard.shared.addresses import path_of
from dashboard.shared.change_parts import Side, SplitChange, split_change
from dashboard.shared.charts import figures
from dashboard.shared.csv import Cell
from dashboard.shared.days import Days
from dashboard.shared.metrics import sum_by_label

SPLITS: Final = ("browsers", "referrers", "countries", "videos")


def build_scale(change: RateChange) -> Scale:
    """Two digits of the change, in points; of one that is zero, of its largest part."""
    size = abs(change.now - change.past) or max((abs(row.size) for row in change.effects), default=0.0)
    digits = figures.get_point_digits(size)
    step = 0.01 / 10**digits
    return Scale(
        step,
        lambda value: figures.percent(value * step, digits),
        lambda value: figures.points(value * step, digits),
        is_share=True,
    )


def build_address(split: str, state: AnalyticsState) -> str:
    """The page of a split, of the same days."""
    return f"{path_of('analytics:rate_why', split)}?{state.query(page=None, metric=None, country=None, region=None)}"


def build_tabs(state: AnalyticsState, current: str) -> tuple[Tab, ...]:
    """The splits of the change. Of one video the platform tells browsers alone; a folder or a search has one."""
    if state.folder or state.search:
        return ()
    names = build_split_names()
    if state.videos:
        names = {"browsers": names["browsers"]}
    return tuple(Tab(text, build_address(name, state), name == current) for name, text in names.items())


def load_change(subject: WhySubject, split: str, state: AnalyticsState) -> RateChange | None:
    """The change of the rate, split; None where it cannot be told in both periods."""
    tables = ranked_videos.find_tables(subject, state) if subject.is_known else None
    return None if tables is None else split_rate(_list_sides(tables, split, subject, state))


def _list_sides(
    tables: tuple[Table, Table], split: str, subject: WhySubject, state: AnalyticsState
) -> Iterable[RateSide]:
    """Plays and views of each label of both answers; nothing where one of them does not count the same two."""
    now, past = tables
    columns = find_rate_columns(now)
    if columns is None or find_rate_columns(past) != columns:
        return
    names, windows = _list_names(tables, split, subject), state.selection.windows
    sums = [
        subject.select(SUMS.get(split, _sum_labels)(table, column, days, state))
        for table, days in ((now, windows.counted), (past, windows.compared))
        for column in columns
        if days is not None
    ]
    absent = None if split == "videos" else 0.0  # a ranking has an end: what it does not list may have been viewed
    for key in dict.fromkeys(key for side in sums for key in side):
        plays, views, past_plays, past_views = (side.get(key, absent) for side in sums)
        address = _find_address(key, split, state)
        yield RateSide(names.get(key) or format_label(key), plays, views, past_plays, past_views, address)


def _sum_labels(table: Table, column: str, days: Days, state: AnalyticsState) -> Mapping[str, float]:
    zone, grain = state.selection.zone, state.selection.by_day().granularity
    return sum_by_label(table.rows, column, days=days, zone=zone, granularity=grain)


def _sum_countries(table: Table, column: str, days: Days, state: AnalyticsState) -> Mapping[str, float]:
    places = rules.parse_places(table.rows, (), column)
    return {country: now for country, now, _past in rules.group_places(places, "country")}


def _sum_videos(table: Table, column: str, days: Days, state: AnalyticsState) -> Mapping[str, float]:
    return ranked_videos.sum_videos(table, column)


SUMS: Final[Mapping[str, Callable[[Table, str, Days, AnalyticsState], Mapping[str, float]]]] = {
    "countries": _sum_countries,
    "videos": _sum_videos,
}


def _list_names(tables: tuple[Table, Table], split: str, subject: WhySubject) -> Mapping[str, str]:
    """How labels are shown, where that is not how the platform names them."""
    if split == "countries":
        codes = {row.country for table in tables for row in table.rows if row.country}
        return {"": _("Country not told"), **{code: formats.country_name(code) for code in codes}}
    return ranked_videos.list_titles(tables, subject.account_id) if split == "videos" else {}


def _find_address(key: str, split: str, state: AnalyticsState) -> str:
    """Where a part leads: a country to its cities, a video to its own page, a site to its days."""
    if split == "countries":
        return f"{path_of('analytics:cities')}?{state.query(country=key, region=None)}" if key else ""
    if split == "videos":
        return ranked_videos.build_address(key, state)
    if split == "referrers":
        return build_site_address(key, state)
    return f"{path_of('analytics:browsers')}?{state.query()}"


def split_effects(change: RateChange, scale: Scale) -> SplitChange:
    """The effects as parts, in steps of the scale."""
    sides = [
        Side(_format_effect(row), row.size / scale.step, 0.0, row.side.address, _format_note(row), subject=row.side)
        for row in change.effects
    ]
    return split_change(sides, base=change.past / scale.step)


def _format_effect(row: RateEffect) -> str:
    text = _("%(label)s: play rate") if row.effect is Effect.RATE else _("%(label)s: share of views")
    return text % {"label": row.side.label}


def _format_note(row: RateEffect) -> str:
    """Both sides of an effect. A rate changed only where it is known on both."""
    side = row.side
    past, now = side.past_rate, side.rate
    if row.effect is Effect.SHARE:
        past = None if side.past_views is None else row.past_share
        now = None if side.views is None else row.share
    return _("%(past)s before, %(now)s now") % {"past": _format_side(past), "now": _format_side(now)}


def _format_side(value: float | None) -> str:
    return _("not listed") if value is None else figures.percent(value)


def build_content(subject: WhySubject, split: str, state: AnalyticsState) -> WhyContent:
    """The parts of the change, or why it cannot be split."""
    change, windows = load_change(subject, split, state), state.selection.windows
    if change is None or windows.compared is None:
        return WhyContent(unknown=explain_unknown(subject, state))
    scale = build_scale(change)
    difference = split_effects(change, scale)
    if not difference.change and not difference.parts:
        return build_equal_content(*subject.list_cautions())
    title = format_label_title(split, state)
    content = build_steps_content(difference, title, (windows.counted, windows.compared), scale, _("Before and now"))
    notes = [
        _format_sums(sum_effects(change, difference, scale), scale),
        _("The parts add up exactly to the difference."),
        *subject.list_cautions(),
    ]
    if split == "videos":
        notes += _list_ranking_notes(subject, state)
    return replace(
        content,
        note=" ".join(note for note in notes if note),
        csv=f"{path_of('analytics:rate_why_file', split)}?{state.query()}",
    )


def _list_ranking_notes(subject: WhySubject, state: AnalyticsState) -> list[str]:
    """What is said of two rankings: which videos count, and what the totals are of where one of them may be cut."""
    rankings = [rules.parse_ranking(table, None) for table in ranked_videos.find_tables(subject, state) or ()]
    notes = [ranked_videos.format_ranked()]
    if not all(rules.count_ranked(ranking, lambda video: video.views)[1] for ranking in rankings):
        notes.append(_("The platform may not list every video: both rates are of the videos that are listed."))
    return notes


def sum_effects(change: RateChange, difference: SplitChange, scale: Scale) -> dict[Effect, int]:
    """What all parts added by each effect, in steps of the scale; what rounding leaves over goes to the larger effect."""
    exact = {effect: change.sum_effect(effect) for effect in Effect}
    sizes = {effect: round(size / scale.step) for effect, size in exact.items()}
    largest = max(Effect, key=lambda effect: abs(exact[effect]))
    sizes[largest] += difference.change - sum(sizes.values())
    return sizes


def _format_sums(sizes: dict[Effect, int], scale: Scale) -> str:
    """What is said first: how much is of the rates themselves, and how much of where the views were; together all of it."""
    values = {effect.value: scale.format_signed(size) for effect, size in sizes.items()}
    return _("Play rates themselves changed it by %(rate)s, shares of the views by %(share)s.") % values


def build_file(change: RateChange, split: str, state: AnalyticsState) -> tuple[list[str], list[list[Cell]]]:
    """Heads and rows of the file: every effect, in points."""
    heads = [
        format_label_title(split, state),
        _("Plays before"),
        _("Views before"),
        _("Plays now"),
        _("Views now"),
        _("By its play rate, points"),
        _("By its share of views, points"),
    ]
    sizes: dict[RateSide, dict[Effect, float]] = {}
    for row in change.effects:
        sizes.setdefault(row.side, {})[row.effect] = row.size
    rows: list[list[Cell]] = [
        [
            side.label, side.past_plays, side.past_views, side.plays, side.views,
            *(round(by_effect.get(effect, 0.0) * 100, 6) for effect in Effect),
        ]
        for side, by_effect in sorted(sizes.items(), key=lambda item: (-abs(sum(item[1].values())), item[0].label))
    ]  # fmt: skip
    return heads, rows
