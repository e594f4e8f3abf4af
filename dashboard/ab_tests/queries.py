"""Loads a test with the videos, counts and retention of its variants, in parallel, and reads the counts of an answer."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.utils import timezone

from dashboard.ab_tests.models import Decision, Terms
from dashboard.ab_tests.rules import (
    VARIANTS_MIN,
    CountBasis,
    Readout,
    VariantCounts,
    VerdictTerms,
    get_seen_before,
    list_common_days,
    read_out,
)
from dashboard.ab_tests.statistics import WORTH_FINDING, Arm
from dashboard.accounts.models import Account
from dashboard.activity.recorder import first_done
from dashboard.platform_api import comparisons
from dashboard.platform_api.analytics import Table
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import CallError, Missing, NotAllowed, Unreachable
from dashboard.platform_api.public_files import ComparisonFile
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import Granularity, TestStatus
from dashboard.shared import formats
from dashboard.shared.http import OwnerRequest
from dashboard.shared.metrics import NAMES, Metric, parse_moment, sum_over_time
from dashboard.shared.ranges import MAX_DAYS, Days, Selection, build_selection
from dashboard.upstream import parallel, reads
from dashboard.upstream.figures import (
    FigureAnswer,
    FigureQuery,
    build_query,
    build_video_query,
    get_full_timeout,
    read_figures,
)
from dashboard.upstream.library import find_titles, known_videos
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Query, Reads
from dashboard.upstream.single_records import speaks_of

TEST_SECONDS = 20
PLAN_DAYS = 28
USUAL_BASE: Final = 0.3
"""The play rate to start from where nothing at all is known."""
LOWEST_BASE: Final = 0.001
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


@dataclass(frozen=True)
class Variant:
    """One variant with what is known of it. `letter` is how the pages call it."""

    letter: str
    video_id: str
    title: str
    video: Video | None
    counted: VariantCounts
    rates: Mapping[date, float]
    general: FigureAnswer
    retention: FigureAnswer

    @property
    def name(self) -> str:
        return f"{self.letter}, {self.title}" if self.title else self.letter


@dataclass(frozen=True)
class StudyRun:
    """When a test ran. `known` is false if only its creation time is known.

    `selection` has the days that are drawn, from that of the start to that of the end; `whole` those that lie wholly inside.
    """

    selection: Selection
    started: datetime | None
    finished: datetime | None
    known: bool
    whole: Days | None

    @property
    def counted(self) -> Days:
        """The days whose numbers count: whole days, or part of a day while there is none."""
        return self.whole or self.selection.counted

    @property
    def days(self) -> int:
        """Whole days counted so far."""
        return len(self.whole) if self.whole else 0

    def part_of_name(self) -> str:
        """The days that are counted and the zone, as part of a file's name."""
        return build_selection(self.counted, now=self.selection.now, zone=self.selection.zone).file_part()


@dataclass(frozen=True)
class ComparisonSnapshot:
    """A test as the platform sent it. With `error` the latest read failed and it is from `at`.

    `shown`: what the player's public file says of it; None where that is not known.
    """

    comparison: Comparison
    at: datetime | None = None
    error: CallError | None = None
    shown: ComparisonFile | None = None


@dataclass(frozen=True)
class Study:
    """A test with everything that is known of it."""

    snapshot: ComparisonSnapshot
    run: StudyRun
    variants: tuple[Variant, ...]
    readout: Readout
    terms: Terms
    decision: Decision | None

    @property
    def comparison(self) -> Comparison:
        return self.snapshot.comparison

    @property
    def status(self) -> str:
        return self.comparison.status

    @property
    def size(self) -> int | None:
        """How many variants it has; None where that is not told."""
        return self.comparison.size

    @property
    def draft(self) -> bool:
        return self.status == TestStatus.DRAFT

    @property
    def running(self) -> bool:
        return self.status == TestStatus.IN_PROGRESS

    @property
    def completed(self) -> bool:
        return self.status == TestStatus.COMPLETED

    @property
    def late(self) -> bool:
        """Whether a read is still in progress, also if an older answer is shown meanwhile."""
        got = (answer for variant in self.variants for answer in (variant.general, variant.retention))
        return not self.draft and any(answer.late or answer.behind for answer in got)

    def error(self) -> CallError | None:
        """The first trouble with a variant's counts."""
        return next((variant.general.error for variant in self.variants if variant.general.error), None)


def build_comparison_query(comparison_id: str) -> FigureQuery:
    """Build the query of one test."""
    return FigureQuery("comparisons.get", (("comparison_id", comparison_id),), TEST_SECONDS)


def load_comparison(request: OwnerRequest, comparison_id: str) -> ComparisonSnapshot:
    """Load a test, with what the player's public file says of it [gaps 15, A7]: that is waited for where the platform tells
    too little of the test. Raises `Missing` for one of another account, and other `PlatformError`s.
    """
    parallel.meanwhile(partial(_load_judgement, request, comparison_id))
    reader = reads.of(request)
    test = Query(build_comparison_query(comparison_id).put, TEST_SECONDS)
    outcome = reader.gather(get_full_timeout(), test=test)["test"]
    error = outcome.error if isinstance(outcome, Failed) else Unreachable("comparisons.get")
    snapshot = ComparisonSnapshot(outcome.value, outcome.at, outcome.error) if isinstance(outcome, Ready) else None
    if snapshot is None and (not isinstance(error, Missing | NotAllowed) or speaks_of(error, "comparison")):
        raise error
    is_enough, zone = False, request.account.pullzone
    if snapshot is not None:
        told = snapshot.comparison
        is_enough = bool(told.status and told.are_videos_told and (told.winner or told.status != TestStatus.COMPLETED))
        zone = zone or told.pullzone or ""
    file = Query(lambda platform: platform.public_files.comparison(zone, comparison_id))
    got = reader.spare(file=file) if is_enough else reader.gather(get_full_timeout(), file=file)
    shown = got["file"].value if isinstance(got["file"], Ready) else None
    if snapshot is None and shown is None:
        raise error
    comparison = snapshot.comparison if snapshot else _find_listed(reader, comparison_id)
    if shown is not None and not is_enough:
        comparison = _complete(request.account, comparison, shown)
    return replace(snapshot or ComparisonSnapshot(comparison), comparison=comparison, shown=shown)


def _find_listed(reader: Reads, comparison_id: str) -> Comparison:
    """The test from the list that is known, else with nothing but its id."""
    listed = reader.known(tests=Query(lambda platform: platform.comparisons.list()))["tests"]
    tests = listed.value.comparisons if isinstance(listed, Ready) else ()
    return next((test for test in tests if test.id == comparison_id), Comparison.from_json({"id": comparison_id}))


def _complete(account: Account, comparison: Comparison, shown: ComparisonFile) -> Comparison:
    """The test with what only its public file tells. That names videos by their external ids."""
    external_ids = [*shown.videos, *filter(None, [shown.winner])]
    find_titles(account, external_ids, get_full_timeout())  # reads the list of videos where it has not been read lately
    videos = known_videos(account.pk, external_ids)
    variants = [comparisons.Variant(*videos.get(external_id, (external_id, ""))) for external_id in shown.videos]
    winner = videos.get(shown.winner, (shown.winner, ""))[0] if shown.winner else None
    return replace(
        comparison,
        status=comparison.status or shown.status,
        videos=comparison.videos or tuple(variants),
        winner=comparison.winner or winner,
        are_videos_told=bool(comparison.videos or variants),
    )


def load_study(request: OwnerRequest, snapshot: ComparisonSnapshot, *, patience: float | None = None) -> Study:
    """Load a test with everything its pages need. A variant that cannot be read has no numbers.

    `patience`: seconds to wait for numbers; None: those that are not known come with the next look.
    """
    comparison = snapshot.comparison
    run = get_run(request, comparison)
    asks: dict[str, FigureQuery] = {}
    for variant in comparison.videos:
        asks[f"video {variant.video_id}"] = build_video_query(variant.video_id)
        if comparison.status == TestStatus.DRAFT:
            continue
        days, settled = run.counted, run.selection.settled
        asks[f"general {variant.video_id}"] = build_query("general", days, settled, video_id=variant.video_id)
        asks[f"retention {variant.video_id}"] = build_query("retention", days, settled, video_id=variant.video_id)
    got = read_figures(request, asks, patience=patience, spare=patience is None)
    variants = tuple(
        _build_variant(index, variant.video_id, variant.title, got, run.selection.zone)
        for index, variant in enumerate(comparison.videos)
    )
    terms, decision = _load_judgement(request, comparison.id)
    terms = add_scale(request, comparison, run, terms, variants)
    readout = read_out([variant.counted for variant in variants], build_verdict_terms(terms))
    save_split(terms, readout)
    return Study(snapshot, run, variants=variants, readout=readout, terms=terms, decision=decision)


def _build_variant(index: int, video_id: str, title: str, got: Mapping[str, FigureAnswer], zone: ZoneInfo) -> Variant:
    video = got[f"video {video_id}"].value
    general = got.get(f"general {video_id}", FigureAnswer(None))
    table = general.value.table if general.value is not None else None
    return Variant(
        LETTERS[index] if index < len(LETTERS) else str(index + 1),
        video_id,
        title=title or (video.title if video else ""),
        video=video,
        counted=parse_counts(table),
        rates=get_rates_by_day(table, zone),
        general=general,
        retention=got.get(f"retention {video_id}", FigureAnswer(None)),
    )


def get_run(request: OwnerRequest, comparison: Comparison) -> StudyRun:
    """When the test ran: as the platform says, else as our own activity log knows, else since it was created."""
    started = comparison.started_at or first_done(request.account.pk, "comparisons.start", comparison.id)
    finished = comparison.finished_at or first_done(request.account.pk, "comparisons.finish", comparison.id)
    now, zone = timezone.now(), ZoneInfo(formats.zone_name())
    today = now.astimezone(zone).date()
    since = started or comparison.created_at or now - timedelta(days=PLAN_DAYS)
    ended = finished if comparison.status == TestStatus.COMPLETED else None
    end = min(today, max(_get_days(ended, zone))) if ended else today
    begin = max(min(*_get_days(since, zone), end), end - timedelta(days=MAX_DAYS - 1))
    drawn = Days(begin, end)
    selection = build_selection(drawn, now=now, zone=zone)
    whole = get_whole_days(drawn, selection.settled, started, ended)
    return StudyRun(selection, started, finished=finished, known=started is not None, whole=whole)


def _get_days(moment: datetime, zone: ZoneInfo) -> tuple[date, date]:
    """The day of a moment in UTC (the platform's days) and in the reader's zone. Both are drawn, so that no mark is lost."""
    return moment.astimezone(UTC).date(), moment.astimezone(zone).date()


def _load_judgement(request: OwnerRequest, comparison_id: str) -> tuple[Terms, Decision | None]:
    """How the owner wants a test judged, else the defaults; and what they decided about it. Once for a page."""
    test = {"account_id": request.account.pk, "comparison_id": comparison_id}
    return parallel.made_once(
        ("judgement", request.account.pk, comparison_id),
        lambda: (Terms.objects.filter(**test).first() or Terms(**test), Decision.objects.filter(**test).first()),
    )


def build_verdict_terms(terms: Terms) -> VerdictTerms:
    """The terms as the rules take them: parts of one, not percent."""
    alpha, band = round(1 - terms.level / 100, 4), float(terms.equal_points) / 100
    return VerdictTerms(alpha, band, terms.worth_finding or USUAL_BASE * WORTH_FINDING, terms.split_wrong_on)


@dataclass(frozen=True)
class Pace:
    """The owner's own figures to plan with: the play rate and the page loads of a day. None where nothing is known."""

    base: float | None
    daily: float | None
    source: str
    is_late: bool = False
    """The figures are still loading: nothing final may be saved yet."""
    seen_before: float = 0.0
    """The part of the loads by people who will have seen another variant before."""


def save_split(terms: Terms, readout: Readout) -> None:
    """Save the day on which the loads were found uneven: later numbers do not clear it."""
    since = readout.split.since if readout.split else None
    if since is None or since == date.max or terms.split_wrong_on is not None:
        return
    terms.split_wrong_on = since
    _save_terms(terms, {"split_wrong_on": since})


def add_scale(
    request: OwnerRequest, comparison: Comparison, run: StudyRun, terms: Terms, variants: Sequence[Variant]
) -> Terms:
    """Return the terms with the difference worth finding. For a test started elsewhere it is calculated from earlier figures."""
    if terms.worth_finding is not None or comparison.status == TestStatus.DRAFT:
        return terms
    start = run.counted.start
    pace = load_pace(request, comparison, start)
    if pace.base is None and not pace.is_late:
        pace = _get_first_day_pace(variants)
    scale = calculate_scale(terms, pace)
    for name, value in scale.items():
        setattr(terms, name, value)
    if pace.base is not None:
        _save_terms(terms, scale)
    return terms


def _save_terms(terms: Terms, values: dict[str, Any]) -> None:
    Terms.objects.update_or_create(account_id=terms.account_id, comparison_id=terms.comparison_id, defaults=values)


def calculate_scale(terms: Terms, pace: Pace) -> dict[str, Any]:
    """The values set once at the start of a test: its base play rate and the difference worth finding."""
    lift = float(terms.planned_lift) / 100 if terms.planned_lift else WORTH_FINDING
    base = min(max(pace.base or USUAL_BASE, LOWEST_BASE), 1 - LOWEST_BASE)
    return {"worth_finding": base * lift, "base_at_start": base, "base_from": pace.source}


def _get_first_day_pace(variants: Sequence[Variant]) -> Pace:
    """All variants together on the first day that is known of each of them."""
    days = list_common_days([variant.counted for variant in variants])
    arms = [variant.counted.days[days[0]] for variant in variants] if days else []
    loads, played = sum(arm.loads for arm in arms), sum(arm.played for arm in arms)
    return Pace(played / loads, float(loads), "first-day") if loads and played else Pace(None, None, "")


def load_pace(request: OwnerRequest, comparison: Comparison, before: date | None = None) -> Pace:
    """The variants' last 28 whole days (`before` a day, or today); where they have none, those of the whole account."""
    now, zone = timezone.now(), ZoneInfo(formats.zone_name())
    today = min(now.astimezone(zone).date(), now.astimezone(UTC).date())
    until = min(before or today, today)
    days = Days(until - timedelta(days=PLAN_DAYS), until - timedelta(days=1))
    asks = {
        variant.video_id: build_query("general", days, today, video_id=variant.video_id)
        for variant in comparison.videos
    }
    asks["account"] = build_query("browser", days, today, granularity="total")
    got, variants = read_figures(request, asks, spare=reads.is_page(request)), max(len(comparison.videos), VARIANTS_MIN)
    for source, names in (("variants", [variant.video_id for variant in comparison.videos]), ("account", ["account"])):
        if any(got[name].late for name in names):
            return Pace(None, None, "", is_late=True)
        tables = [got[name].value.table for name in names if got[name].value is not None]
        counted = [numbers for numbers in map(parse_counts, tables) if numbers.arm is not None]
        arms = [numbers.arm for numbers in counted if numbers.arm is not None]
        loads, played = sum(arm.loads for arm in arms), sum(arm.played for arm in arms)
        if loads and played:
            # whoever loads one video again would see another one as often as the same
            return Pace(played / loads, loads / PLAN_DAYS, source, seen_before=get_seen_before(counted, variants))
    return Pace(None, None, "")


PAIRS = (
    (CountBasis.LOADS, Metric.VIEWS, Metric.PLAYS),
    (CountBasis.PEOPLE, Metric.VIEWERS, Metric.PLAYERS),
)
RATES = ("play_rate", "plays_rate", "rate", "playrate", "unique_play_rate")


def get_whole_days(drawn: Days, settled: date, started: datetime | None, finished: datetime | None) -> Days | None:
    """The days that lie completely inside a run. None if there is none yet.

    The day of the start has hours before it, the day of the end has hours in which everybody gets the
    winner: both would tilt the counts. Days are cut in UTC, as the platform's are. `settled` is the first day that is not over.
    """
    first, last = drawn.start, min(drawn.end, settled - timedelta(days=1))
    if started is not None:
        at = started.astimezone(UTC)
        first = max(first, at.date() + timedelta(days=0 if at.time() == time.min else 1))
    if finished is not None:
        last = min(last, finished.astimezone(UTC).date() - timedelta(days=1))
    return Days(first, last) if first <= last else None


def parse_counts(table: Table | None) -> VariantCounts:
    """The figures of a variant: its loads, because the player draws a variant for each; its people where only they are told.

    Buckets are added up: whether they are hours or days depends on the range.
    """
    if table is None:
        return VariantCounts(CountBasis.NOTHING)
    if not table.rows:
        return VariantCounts(CountBasis.LOADS, Arm(0, 0), 0.0, people=0)
    is_impossible = False
    for basis, viewed, played in PAIRS:
        pair = _sum_column(table, viewed), _sum_column(table, played)
        if pair[0] is None or pair[1] is None:
            continue
        if pair[1] > pair[0]:
            is_impossible = True  # one load may be played several times: people may still be told
            continue
        arm = Arm(round(pair[0]), round(pair[1]))
        people = [
            _sum_column(table, metric) for metric in (Metric.VIEWERS, Metric.PLAYERS) if basis is CountBasis.LOADS
        ]
        whole = [None if number is None else round(number) for number in people]
        return VariantCounts(basis, arm, arm.rate, build_arms_by_day(table, viewed, played), *whole)
    rate = _parse_rate(table)
    if rate is not None and not is_impossible:
        return VariantCounts(CountBasis.RATE, None, rate)
    return VariantCounts(CountBasis.IMPOSSIBLE if is_impossible else CountBasis.NOTHING)


def build_arms_by_day(table: Table, viewed: Metric, played: Metric) -> dict[date, Arm]:
    """The counts of each day, as the platform cuts days. A day of which one of the two is not known is left out."""
    names = _find_column(table, viewed), _find_column(table, played)
    sums: dict[date, tuple[float, float]] = {}
    unknown: set[date] = set()
    for row in table.rows:
        moment = parse_moment(row.at, ZoneInfo("UTC"), Granularity.DAY)
        if moment is None:
            return {}
        loads, plays = (row.metrics.get(name or "") for name in names)
        if loads is None or plays is None:
            unknown.add(moment.day)
            continue
        before = sums.get(moment.day, (0.0, 0.0))
        sums[moment.day] = before[0] + loads, before[1] + plays
    # A day may count a page that was loaded before midnight as a play only.
    return {
        day: Arm(round(loads), min(round(loads), round(plays)))
        for day, (loads, plays) in sorted(sums.items())
        if day not in unknown
    }


def _sum_column(table: Table, metric: Metric) -> float | None:
    name = _find_column(table, metric)
    return None if name is None else sum(row.metrics.get(name, 0.0) for row in table.rows)


def _find_column(table: Table, metric: Metric) -> str | None:
    return next((name for name in NAMES[metric] if name in table.columns), None)


def _parse_rate(table: Table) -> float | None:
    """The only rate of an answer. Rates of several buckets cannot be added up, so they are ignored."""
    rates = [row.metrics[name] for row in table.rows for name in RATES if name in row.metrics] or [
        table.totals[name] for name in RATES if name in table.totals
    ]
    if len(rates) != 1 or not 0 <= rates[0] <= 100:
        return None
    return rates[0] / 100 if rates[0] > 1 else rates[0]


def get_rates_by_day(table: Table | None, zone: ZoneInfo) -> Mapping[date, float]:
    """The play rate of each day, by what the counts are of. Days without loads have none."""
    if table is None:
        return {}
    for _basis, viewed, played in PAIRS:
        names = _find_column(table, viewed), _find_column(table, played)
        if names[0] is None or names[1] is None:
            continue
        loads = sum_over_time(table.rows, names[0], zone, Granularity.DAY) or {}
        plays = sum_over_time(table.rows, names[1], zone, Granularity.DAY) or {}
        return {day: min(1.0, plays.get((day, None), 0.0) / total) for (day, _), total in loads.items() if total > 0}
    return {}
