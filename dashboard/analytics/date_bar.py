"""What stands above the panels: tabs, the date bar and the video chooser."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, partial

from django.template.loader import render_to_string
from django.utils import timezone
from django.utils.functional import cached_property
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.analytics.charts import MEASURES, format_days
from dashboard.analytics.rules import tell_apart
from dashboard.analytics.state import VIDEOS_MOST, AnalyticsState, ParsedState
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import Granularity
from dashboard.shared import record_form
from dashboard.shared.addresses import path_of
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import Metric
from dashboard.shared.ranges import (
    EARLIEST,
    MAX_DAYS,
    MAX_HOUR_DAYS,
    Compare,
    Preset,
    RangeProblem,
    RangeReason,
    Selection,
    get_preset_days,
)
from dashboard.upstream import parallel
from dashboard.upstream.figures import FigureAnswer
from dashboard.upstream.reads import is_page


@dataclass(frozen=True)
class DateBar:
    """templates/analytics/_date_bar.html. `values`: what its fields show, by their names.

    `presets`: words, address, whether it is chosen, and the single key that chooses it. `days`: how many are shown; 0 for a
    wrong address. `problems`: the id of a control and what is wrong there. `metrics`: values and words.
    """

    presets: list[tuple[str, str, bool, str]]
    values: Mapping[str, str]
    latest: str
    hidden: tuple[tuple[str, str], ...]
    earlier: str = ""
    later: str = ""
    compare_switch: str = ""
    has_compares: bool = True
    has_grains: bool = True
    metrics: tuple[tuple[str, str], ...] = ()
    days: int = 0
    sentence: str = ""
    problems: tuple[tuple[str, str], ...] = ()

    @property
    def wrong(self) -> dict[str, str]:
        """What is wrong, by control."""
        return dict(self.problems)

    @cached_property
    def drawn(self) -> SafeString:
        """The bar as HTML."""
        return render_to_string("analytics/_date_bar.html", {"bar": self})


FIELDS = ("start", "end", "range", "compare", "against", "granularity", "metric", "page")


def begin_date_bar(
    request: OwnerRequest, state: AnalyticsState, metrics: Collection[Metric] = tuple(Metric), *, grains: bool = True
) -> Callable[[], DateBar]:
    """Have the bar of a page made and drawn while its reads are out. What is returned brings it."""
    build = partial(build_date_bar, state, metrics=metrics, grains=grains)
    return parallel.meanwhile(partial(_build_drawn, build)) if is_page(request) else cache(build)


def _build_drawn(build: Callable[[], DateBar]) -> DateBar:
    bar = build()
    bar.drawn  # noqa: B018  (kept with the bar)
    return bar


def build_date_bar(
    state: AnalyticsState, *, metrics: Collection[Metric] = tuple(Metric), grains: bool = True, compares: bool = True
) -> DateBar:
    """The bar of a state. `metrics`: what to count, of which one is chosen; `grains`: offer how to cut; `compares`: against what.

    Where a page compares with nothing, the choice of the other pages goes along unseen.
    """
    selection = state.selection
    carried = () if compares else ("compare", "against")
    later, earlier = selection.later(), selection.earlier()
    against = selection.against.start.isoformat() if selection.against and selection.compare is Compare.CHOSEN else ""
    other = Compare.PREVIOUS if selection.compare is Compare.NONE else Compare.NONE
    return DateBar(
        presets=_list_presets(state),
        values={
            "start": selection.days.start.isoformat(),
            "end": selection.days.end.isoformat(),
            "against": against,
            "compare": selection.compare.value,
            "granularity": selection.granularity.value,
            "metric": state.metric.value,
        },
        latest=selection.today.isoformat(),
        hidden=state.hidden(*(name for name in FIELDS if name not in carried)),
        earlier=f"?{state.with_days(earlier).query()}" if earlier else "",
        later=f"?{state.with_days(later).query()}" if later else "",
        compare_switch=f"?{state.with_compare(other).query()}" if compares else "",
        has_compares=compares,
        has_grains=grains,
        metrics=tuple((metric.value, str(measure.title)) for metric, measure in MEASURES.items() if metric in metrics),
        days=len(selection.days),
        sentence=format_range(state if compares else state.with_compare(Compare.NONE)),
    )


def build_wrong_bar(parsed_state: ParsedState) -> DateBar:
    """The date bar of an address without a valid range: typed values stay, each problem is shown at its field."""
    typed = parsed_state.typed
    return DateBar(
        presets=_list_presets(None),
        values=typed,
        latest=timezone.localdate().isoformat(),
        hidden=(),
        problems=tuple((_get_control(problem), format_problem(problem, typed)) for problem in parsed_state.problems),
    )


def _get_control(problem: RangeProblem) -> str:
    """The control a problem belongs to; a preset or a zone has none, so it leads to the first date."""
    return problem.field if problem.field in {"start", "end", "against", "compare", "granularity"} else "start"


def _list_presets(state: AnalyticsState | None) -> list[tuple[str, str, bool, str]]:
    """Links in dates, so that a copied address shows the same days tomorrow; without a state, in the words of the presets."""
    names = (
        (Preset.TODAY, _("Today"), "d"),
        (Preset.LAST_7, _("7 days"), "w"),
        (Preset.LAST_28, _("28 days"), ""),
        (Preset.LAST_90, _("90 days"), ""),
        (Preset.THIS_MONTH, _("This month"), "m"),
        (Preset.THIS_YEAR, _("This year"), "y"),
    )
    if state is None:
        return [(text, f"?range={preset.value}", False, key) for preset, text, key in names]
    presets = []
    for preset, text, key in names:
        days = get_preset_days(preset, state.selection.today)
        grain = Granularity.HOUR if preset is Preset.TODAY else _get_grain(state, len(days))
        words = state.with_days(days).query(granularity=grain.value)
        presets.append((text, f"?{words}", days == state.selection.days, key))
    return presets


def _get_grain(state: AnalyticsState, days: int) -> Granularity:
    grain = state.selection.granularity
    return Granularity.DAY if grain is Granularity.HOUR and days > 2 else grain


def format_range(state: AnalyticsState) -> str:
    """The days that are added up, those they are compared with, the zone, and what is only shown."""
    selection, windows = state.selection, state.selection.windows
    values = {"days": format_days(windows.counted), "zone": selection.zone.key}
    if windows.partial:
        parts = [_format_partial(selection)]
    elif windows.compared is None:
        parts = [_("%(days)s, whole days, %(zone)s.") % values]
    else:
        parts = [
            _("%(days)s against %(against)s, whole days, %(zone)s.")
            % {**values, "against": format_days(windows.compared)}
        ]
    if windows.unfinished is not None:
        sentence = _("%(days)s: still incomplete, shown but not added up.")
        parts.append(sentence % {"days": format_days(windows.unfinished)})
    if selection.now.astimezone(selection.zone).utcoffset():
        parts.append(_("The platform is taken to begin its days at midnight UTC."))
    return " ".join(parts)


def _format_partial(selection: Selection) -> str:
    """The sentence if no day is over yet: the numbers so far, drawn beside other days, without a total."""
    windows = selection.windows
    values = {"days": format_days(windows.counted), "zone": selection.zone.key}
    if windows.past is None:
        return _("%(days)s so far, %(zone)s: not over yet.") % values
    sentence = _("%(days)s so far, %(zone)s, drawn beside %(against)s. No total is compared until the day is over.")
    return sentence % {**values, "against": format_days(windows.past)}


def format_problem(problem: RangeProblem, typed: Mapping[str, str]) -> str:
    """Format what to do about a problem, then why."""
    text = typed.get(problem.field, "")[:40]
    match problem.reason:
        case RangeReason.PRESET_UNKNOWN:
            return _("Choose one of the periods above: “%(typed)s” is none of them.") % {"typed": text}
        case RangeReason.START_MISSING:
            return _("Give the first day as well.")
        case RangeReason.START_UNREADABLE | RangeReason.END_UNREADABLE | RangeReason.AGAINST_UNREADABLE:
            return _("Write the date as year, month, day, like 2026-11-20: “%(typed)s” is no date.") % {"typed": text}
        case RangeReason.START_TOO_EARLY | RangeReason.AGAINST_TOO_EARLY:
            return _("Choose a day from %(year)s on: there are no older numbers.") % {"year": EARLIEST.year}
        case RangeReason.END_IN_FUTURE:
            return _("Choose today or an earlier day: the future has no numbers.")
        case RangeReason.REVERSED:
            return _("Put the earlier day first: the last day lies before the first.")
        case RangeReason.TOO_LONG:
            return _("Choose at most %(count)s days.") % {"count": MAX_DAYS}
        case RangeReason.TOO_LONG_BY_HOUR:
            return _("Group by day, or choose at most %(count)s days to group by hour.") % {"count": MAX_HOUR_DAYS}
        case RangeReason.GRANULARITY_UNKNOWN:
            return _("Group by day, hour or total: “%(typed)s” is none of them.") % {"typed": text}
        case RangeReason.COMPARE_UNKNOWN:
            return _("Choose what to compare with from the list: “%(typed)s” is not in it.") % {"typed": text}
        case RangeReason.AGAINST_UNUSED:
            return record_form.describe_unused(_("Days from a chosen date"))
        case RangeReason.AGAINST_MISSING:
            return _("Give the day from which to compare.")
        case RangeReason.AGAINST_OVERLAPS:
            return _("Choose a day further away: both periods would have days in common.")
        case RangeReason.AGAINST_IN_FUTURE:
            return _("Choose an earlier day: the days to compare with are not over yet.")
        case RangeReason.ZONE_UNKNOWN:
            return _("No time zone is called “%(typed)s”. Leave it out to use your own.") % {"typed": text}


@dataclass(frozen=True)
class Tab:
    """A link to one of the pages of analytics."""

    text: str
    address: str
    current: bool


@dataclass(frozen=True)
class AnalyticsPage:
    """Every page of analytics: its head, its date bar and its panels."""

    title: str
    meta: str
    tabs: tuple[Tab, ...]
    bar: DateBar | None
    address: str
    zip_address: str
    panels: tuple[object, ...] = ()


def build_tabs(current: str, query: str = "") -> tuple[Tab, ...]:
    """Tabs of analytics. `query` keeps the days in their links; where viewers leave is told of 28 days alone."""
    names = (
        ("analytics", _("Overview")),
        ("browsers", _("Browsers")),
        ("cities", _("Cities")),
        ("referrers", _("Referrers")),
        ("ranking", _("Ranking")),
        ("traffic", _("Traffic")),
        ("retention", _("Retention")),
        ("lessons", _("Where viewers leave")),
    )
    dated = f"?{query}" if query else ""
    return tuple(
        Tab(text, f"{path_of(f'analytics:{name}')}{dated if name != 'lessons' else ''}", name == current)
        for name, text in names
    )


def get_titles(
    videos: Sequence[str], answers: Mapping[str, FigureAnswer], known: Mapping[str, str] | None = None
) -> dict[str, str]:
    """The titles of the chosen videos; `known` titles are used if a video cannot be read.

    Raises `Missing` for a video of another account or of none.
    """
    titles = {}
    for video_id in videos:
        got = answers.get(f"video {video_id}", FigureAnswer(None))
        if isinstance(got.error, Missing) and got.value is None:
            raise got.error
        video: Video | None = got.value
        titles[video_id] = (video.title if video else (known or {}).get(video_id)) or video_id
    return tell_apart(titles)


def describe_chooser(
    state: AnalyticsState, titles: Mapping[str, str], listed: FigureAnswer, *, many: bool
) -> dict[str, object]:
    """What templates/analytics/_chooser.html needs. `titles` are the chosen videos, `listed` those to choose from.

    `many`: several videos at once, each can be removed.
    """
    videos = listed.value.videos if listed.value is not None else ()
    options = {video.id: video.title or video.id for video in videos}
    chosen_ids = [key for key in titles if key in state.videos]
    if many:
        options = {key: title for key, title in options.items() if key not in titles}
    elif titles and next(iter(titles)) not in options:
        options = {next(iter(titles)): next(iter(titles.values())), **options}
    return {
        "many": many,
        "is_full": len(chosen_ids) >= VIDEOS_MOST,
        "chosen": [
            (titles[key], f"?{state.query(video=[other for other in chosen_ids if other != key], page=None)}")
            for key in chosen_ids
        ],
        "video": "" if many else next(iter(titles), ""),
        "options": options,
        "hidden": state.hidden("page", *(() if many else ("video",))),
        "find_hidden": state.hidden("find", "page"),
        "find": state.find,
        "is_read": listed.value is not None,
        "is_empty": not videos,
        "is_cut": bool(listed.value and listed.value.total and listed.value.total > len(videos)),
    }
