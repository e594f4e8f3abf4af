"""View models of the A/B test templates: decisions are booleans, texts are ready to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.ab_tests import charts, forecast, messages, rules, verdicts
from dashboard.ab_tests.charts import VariantsChart
from dashboard.ab_tests.forecast import PLANNED_LIFTS
from dashboard.ab_tests.forms import PlanForm, TermsForm
from dashboard.ab_tests.messages import TrustCheck, build_checks
from dashboard.ab_tests.queries import Study, load_pace
from dashboard.ab_tests.rules import Act, CountBasis, RefusalReason, VariantCounts
from dashboard.ab_tests.standings import SECONDS, KeptStanding, Standing, Standings, find_oldest
from dashboard.ab_tests.verdicts import VerdictText
from dashboard.activity import recorder
from dashboard.activity.recorder import Event
from dashboard.platform_api.comparisons import Comparison
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared import formats, refusals
from dashboard.shared.charts import figures
from dashboard.shared.charts.drawing import on_page
from dashboard.shared.charts.figures import count, day, percent
from dashboard.shared.charts.interval import interval_shapes
from dashboard.shared.charts.lines import CurvesChart
from dashboard.shared.charts.prepared import Exports
from dashboard.shared.charts.retention import DropOff, list_drop_offs
from dashboard.shared.csv import file_name
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.figures import Trouble


@dataclass(frozen=True)
class VariantRow:
    """One variant side by side with the others."""

    letter: str
    place: int
    video_id: str
    title: str
    poster: str
    address: str
    loads: str
    played: str
    rate: str
    shapes: SafeString
    spoken: str
    winner: bool
    trouble: str


def format_scale(chart: VariantsChart | None) -> tuple[str, str]:
    """Format the two ends of the scale on which all rates are drawn."""
    if chart is None or chart.scale is None:
        return ("", "")
    return percent(chart.scale.low, 1), percent(chart.scale.high, 1)


def build_variant_row(study: Study, chart: VariantsChart | None, index: int) -> VariantRow:
    """One variant as its row shows it."""
    variant, readout = study.variants[index], study.readout
    arm, bounds = variant.counted.arm, readout.ranges[index]
    shapes, spoken = SafeString(), ""
    if chart is not None and chart.scale is not None and bounds is not None and variant.counted.rate is not None:
        pair = (bounds.low, bounds.high)
        shapes = on_page(interval_shapes(chart.scale, variant.counted.rate, wide=pair, place=index, with_zero=False))
        spoken = _("%(low)s to %(high)s") % {"low": percent(bounds.low), "high": percent(bounds.high)}
    return VariantRow(
        variant.letter,
        index % 8 + 1,
        video_id=variant.video_id,
        title=variant.title or variant.video_id,
        poster=(variant.video.thumbnail or "") if variant.video else "",
        address=reverse("analytics:browsers") + f"?video={variant.video_id}",
        loads=count(arm.loads) if arm else "",
        played=count(arm.played) if arm else "",
        rate=percent(variant.counted.rate) if variant.counted.rate is not None else "",
        shapes=shapes,
        spoken=spoken,
        winner=study.comparison.winner == variant.video_id,
        trouble=messages.format_variant_trouble(study, variant),
    )


@dataclass(frozen=True)
class StateBadge:
    """A state as a badge: its word, its colour class, its shape."""

    word: str
    look: str
    shape: str


def build_state_badge(status: str) -> StateBadge:
    """The badge of a state; an unknown state is shown as the platform sent it."""
    match status:
        case TestStatus.DRAFT:
            return StateBadge(_("Draft"), "is-draft", "draft")
        case TestStatus.IN_PROGRESS:
            return StateBadge(_("In progress"), "is-running", "running")
        case TestStatus.COMPLETED:
            return StateBadge(_("Completed"), "is-finished", "finished")
        case _other:
            return StateBadge(status or _("unknown"), "is-none", "unknown")


@dataclass(frozen=True)
class ChartPanel:
    """A chart with its files, or the trouble that keeps it from being drawn."""

    name: str
    title: str
    chart: CurvesChart | None
    exports: Exports | None
    trouble: Trouble | None = None


@dataclass(frozen=True)
class Acts:
    """For each action why it is not possible; empty if it is."""

    start: str
    finish: str
    fixed: str


@dataclass(frozen=True)
class DecisionSummary:
    """The declared winner, the reason and who declared it."""

    winner: str
    reason: str
    who: str


@dataclass(frozen=True)
class StudyPage:
    """templates/ab_tests/ab_test.html and result.html."""

    study: Study
    name: str
    state: StateBadge
    steps: tuple[tuple[str, str, str, str], ...]
    """Of the three states of a test: its name, when it was there, its shape, and whether it is "done" or "current"."""
    acts: Acts
    embed: str
    said: VerdictText | None
    checks: tuple[TrustCheck, ...]
    scale: tuple[str, str]
    variants: tuple[VariantRow, ...]
    counted: str
    unit: str
    shown: str
    unread: Trouble | None
    trouble: Trouble | None
    panels: tuple[ChartPanel, ...]
    drop_offs: tuple[DropOff, ...]
    decided: DecisionSummary | None
    progress: tuple[str, int, int] | None
    """The days of the plan that have passed in words, and of how many."""
    exports: Exports | None


def build_study_page(study: Study, events: Sequence[Event], edits: tuple[str, ...], here: str) -> StudyPage:
    """One test, as far as it is known. `events` are marks, `edits` the days on which it was changed while running,
    `here` is our own address: the embedded platform's player is one of ours."""
    comparison, drafted = study.comparison, study.draft
    chart = None if drafted else build_variants_chart(study)
    return StudyPage(
        study,
        comparison.name or comparison.id,
        state=build_state_badge(comparison.status),
        steps=build_steps(study),
        acts=build_acts(study),
        embed=urljoin(here, build_embed_address(study)) if build_embed_address(study) else "",
        said=None if drafted else verdicts.build_verdict(study),
        checks=() if drafted else build_checks(study, edits),
        scale=format_scale(chart),
        variants=tuple(build_variant_row(study, chart, index) for index in range(len(study.variants))),
        counted=charts.format_foot(study),
        unit=_("People") if study.readout.basis is CountBasis.PEOPLE else _("Page loads"),
        shown=messages.format_shown(study),
        unread=messages.build_test_trouble(study),
        trouble=messages.build_counts_trouble(study),
        panels=() if drafted else _build_panels(study, events),
        drop_offs=() if drafted else list_drop_offs(charts.list_video_curves(study)),
        decided=_build_decision(study),
        progress=_build_progress(study),
        exports=_build_exports(study, "variants") if chart else None,
    )


def build_variants_chart(study: Study) -> VariantsChart:
    """The variants as a prepared chart."""
    verdict = verdicts.build_verdict(study)
    return VariantsChart(
        "variants",
        study.comparison.name or _("A/B test"),
        note=charts.format_foot(study),
        variants=study.variants,
        readout=study.readout,
        finding=f"{verdict.word}. {verdict.why}",
        foot=charts.format_foot(study),
    )


def build_steps(study: Study) -> tuple[tuple[str, str, str, str], ...]:
    """The three states of a test with their dates."""
    run, created = study.run, study.comparison.created_at
    draft = _format_since(created) if created else ""
    running = ""
    if run.started and study.running:
        day = (timezone.now() - run.started).days + 1
        running = _("Day %(day)s, since %(when)s") % {"day": count(day), "when": formats.moment(run.started)}
    elif run.started:
        running = _format_since(run.started)
    ended = _format_since(run.finished) if run.finished and study.completed else _("When you declare a winner")
    running_shape = "running" if study.running else "finished" if study.completed else "queue"
    running_look = "done" if study.completed else "current" if study.running else ""
    return (
        (_("Draft"), draft, "draft", "current") if study.draft else (_("Draft"), draft, "finished", "done"),
        (_("In progress"), running, running_shape, running_look),
        (_("Completed"), ended, *(("finished", "current") if study.completed else ("queue", ""))),
    )


def _format_since(when: datetime) -> str:
    return formats.day(timezone.localtime(when).date())


def build_acts(study: Study) -> Acts:
    """For each action the reason why it is not possible; empty if it is."""
    status, size = study.status, study.size

    def reason(act: Act) -> str:
        refusal = rules.get_refusal(act, status, size)
        return format_refusal(refusal) if refusal else ""

    fixed = reason(Act.EDIT_VARIANTS) or _("Everything can change until the test is started.")
    return Acts(reason(Act.START), reason(Act.FINISH), fixed)


def format_refusal(why: RefusalReason) -> str:
    """Format why an action is not possible."""
    match why:
        case RefusalReason.VARIANTS_FIXED:
            return _("The variants can't be changed after the start. Name and description still can.")
        case RefusalReason.ALREADY_RUNNING:
            return _("The test is running already.")
        case RefusalReason.ALREADY_COMPLETED:
            return _("The test is completed. It can't be started or finished again.")
        case RefusalReason.NOT_RUNNING:
            return _("The test has not been started.")
        case RefusalReason.TOO_FEW_VARIANTS:
            return _("Add variants first: a test needs at least two.")


def build_embed_address(study: Study) -> str:
    """The player's address with the test in place of a video; the platform's player picks the variant.

    It is made from a variant's own player address, on the zone that the test names. Empty where none is known.
    """
    zone = study.comparison.pullzone
    for variant in study.variants:
        video = variant.video
        if video is None or not video.player_url:
            continue
        parts = urlsplit(video.player_url)
        query = dict(parse_qsl(parts.query))
        if "v" not in query:
            continue
        host = parts.netloc.replace(video.pullzone, zone) if zone and video.pullzone else parts.netloc
        return urlunsplit(parts._replace(netloc=host, query=urlencode({**query, "v": study.comparison.id})))
    return ""


def _build_panels(study: Study, events: Sequence[Event]) -> tuple[ChartPanel, ...]:
    rates, curves, trouble = (
        charts.build_rates_chart(study, events),
        charts.build_retention_chart(study),
        messages.build_retention_trouble(study),
    )
    panels = []
    if rates is not None:
        panels.append(ChartPanel("rates", rates.title, rates, _build_exports(study, "rates")))
    if curves is not None or trouble is not None:
        exports = _build_exports(study, "retention") if curves is not None else None
        panels.append(ChartPanel("retention", _("Retention"), chart=curves, exports=exports, trouble=trouble))
    return tuple(panels)


def _build_exports(study: Study, name: str) -> Exports:
    def address(extension: str) -> str:
        return reverse("ab_tests:file", args=[study.comparison.id, name, extension])

    return Exports(address("csv"), address("svg"), format_file_name(study, name, "png"), charts.format_foot(study))


def format_file_name(study: Study, name: str, extension: str) -> str:
    """The name of a file: the test, what it holds, its days and zone."""
    return file_name(f"{study.comparison.name}-{name}", study.run.part_of_name(), extension)


def _build_decision(study: Study) -> DecisionSummary | None:
    winner = study.comparison.winner
    if not winner:
        return None
    title = next((variant.name for variant in study.variants if variant.video_id == winner), winner)
    decision = study.decision
    if decision is None or decision.winner != winner:
        return DecisionSummary(title, "", "")
    who = _("%(who)s, %(when)s") % {"who": decision.actor, "when": formats.moment(decision.at)}
    return DecisionSummary(title, decision.reason, who)


def _build_progress(study: Study) -> tuple[str, int, int] | None:
    planned = study.terms.planned_days
    if not planned or study.draft:
        return None
    days = study.run.days
    values = {
        "days": count(days),
        "planned": count(planned),
        "lift": figures.signed(float(study.terms.planned_lift or 0), 0),
    }
    words = _("%(days)s of %(planned)s planned days, for a lift of %(lift)s%%") % values
    return words, min(days, planned), planned


def list_decision_figures(study: Study) -> list[dict[str, object]]:
    """The counts at the moment of a decision, to be stored."""
    rows: list[dict[str, object]] = []
    for variant in study.variants:
        counted: VariantCounts = variant.counted
        rows.append(
            {
                "video_id": variant.video_id,
                "title": variant.title,
                "loads": counted.arm.loads if counted.arm else None,
                "played": counted.arm.played if counted.arm else None,
                "rate": counted.rate,
            }
        )
    return rows


@dataclass(frozen=True)
class AbTestRow:
    """One test of the list."""

    id: str
    name: str
    description: str
    state: StateBadge
    variants: str
    when: str
    since: str
    winner: str
    standing: Standing | None
    is_judged: bool
    """Whether there is evidence, known or still to be read: a draft has none."""


@dataclass(frozen=True)
class AbTestListPage:
    """templates/ab_tests/ab_tests.html."""

    chips: tuple[tuple[str, str, str, bool], ...]
    """Filters: words, count, address, and whether it is the one in use."""
    rows: tuple[AbTestRow, ...]
    find: str
    state: str
    trouble: str
    answer: str
    """The platform's answer if it cannot be read."""
    none_at_all: bool
    evidence_age: str
    is_reading: bool
    """Whether evidence that is not known yet is being worked out: the table asks again by itself."""


NO_STANDINGS: Final = Standings({})
FILTERS = ("", TestStatus.DRAFT.value, TestStatus.IN_PROGRESS.value, TestStatus.COMPLETED.value)


def build_list_page(
    tests: Sequence[Comparison],
    state: str,
    find: str,
    standings: Standings = NO_STANDINGS,
    error: CallError | None = None,
) -> AbTestListPage:
    """The tests of a state whose name, description or a variant's title has `find` in it; running ones first."""
    state, by_test = state if state in FILTERS else "", standings.kept
    matches = [test for test in tests if _matches(test, find.casefold())]
    chips = tuple(
        (
            build_state_badge(name).word if name else _("All tests"),
            count(sum(not name or test.status == name for test in matches)),
            f"?{urlencode({key: value for key, value in (('state', name), ('find', find)) if value})}",
            name == state,
        )
        for name in FILTERS
    )
    order = {TestStatus.IN_PROGRESS.value: 0, TestStatus.DRAFT.value: 1, TestStatus.COMPLETED.value: 2}
    sorted_tests = sorted(
        (test for test in matches if not state or test.status == state), key=lambda test: order.get(test.status, 3)
    )
    explained = refusals.explain(error) if error else None
    return AbTestListPage(
        chips,
        tuple(_build_row(test, by_test.get(test.id)) for test in sorted_tests),
        find=find,
        state=state,
        trouble=explained.whole if explained else "",
        answer=explained.answer if explained else "",
        none_at_all=not tests,
        evidence_age=_format_age([by_test[test.id] for test in sorted_tests if test.id in by_test]),
        is_reading=standings.is_reading
        and any(test.status in SECONDS and test.id not in by_test for test in sorted_tests),
    )


def _format_age(standings: Sequence[KeptStanding]) -> str:
    oldest = find_oldest(standings)
    return _("Evidence read %(when)s.") % {"when": formats.ago(oldest)} if oldest else ""


def _matches(test: Comparison, find: str) -> bool:
    texts = (test.name, test.description, test.id, *(variant.title for variant in test.videos))
    return any(find in text.casefold() for text in texts)


def _build_row(test: Comparison, latest: KeptStanding | None) -> AbTestRow:
    winner = next(
        (variant.title or variant.video_id for variant in test.videos if variant.video_id == test.winner),
        test.winner or "",
    )
    size = _format_size(test)
    titles = ", ".join(variant.title for variant in test.videos if variant.title)
    return AbTestRow(
        test.id,
        test.name or test.id,
        description=test.description,
        state=build_state_badge(test.status),
        variants=f"{size}: {titles}" if titles else size,
        when=_format_day(test) or _format_when(test),
        since=_format_when(test) if _format_day(test) else "",
        winner=winner,
        standing=latest.standing if latest else None,
        is_judged=test.status in SECONDS,
    )


def _format_size(test: Comparison) -> str:
    """2 variants; or that they are unknown."""
    if test.size is None:
        return _("Variants unknown")
    return ngettext("%(count)s variant", "%(count)s variants", test.size) % {"count": test.size}


def _format_day(test: Comparison) -> str:
    """Day 14 of a running test."""
    if test.status != TestStatus.IN_PROGRESS or test.started_at is None:
        return ""
    return _("Day %(day)s") % {"day": count((timezone.now() - test.started_at).days + 1)}


def _format_when(test: Comparison) -> str:
    if test.finished_at:
        return _("Ended %(when)s") % {"when": formats.ago(test.finished_at)}
    if test.started_at:
        return _("Started %(when)s") % {"when": formats.ago(test.started_at)}
    return _("Created %(when)s") % {"when": formats.ago(test.created_at)} if test.created_at else ""


START, UPDATE, FINISH = "comparisons.start", "comparisons.update", "comparisons.finish"
CHANGES = (START, UPDATE, FINISH)


def list_events(request: OwnerRequest, study: Study) -> list[Event]:
    """List the events of a test within the counted days."""
    selection, target = study.run.selection, study.comparison.id
    events = recorder.list_events(request.account.pk, selection.days, selection.zone, operations=CHANGES, target=target)
    known = {event.operation for event in events}
    for operation, at in ((START, study.run.started), (FINISH, study.run.finished)):
        # The platform knows both moments, also of tests that were started elsewhere.
        if at is not None and operation not in known and _is_in_days(at, study):
            events.append(Event(at.astimezone(selection.zone), operation))
    return sorted(events, key=lambda event: event.at)


def _is_in_days(at: datetime, study: Study) -> bool:
    return at.astimezone(study.run.selection.zone).date() in study.run.selection.days


def build_page(request: OwnerRequest, study: Study) -> StudyPage:
    """The page of a test, with what was done to it while it ran."""
    events = list_events(request, study)
    return build_study_page(study, events, _list_edit_days(study, events), request.build_absolute_uri("/"))


def _list_edit_days(study: Study, events: list[Event]) -> tuple[str, ...]:
    """The days on which the test was changed while it ran."""
    started = study.run.started
    moments = (event.at for event in events if event.operation == UPDATE and (started is None or event.at > started))
    return tuple(dict.fromkeys(day(at.date()) for at in moments))


@dataclass(frozen=True)
class Planner:
    """The planner's form and its results."""

    form: PlanForm
    view: forecast.PlanView


def build_context(request: OwnerRequest, study: Study, **more: Any) -> dict[str, Any]:
    """Template context of a test's page; `more` adds a dialog."""
    context: dict[str, Any] = {"page": build_page(request, study), "terms": build_terms_form(study)}
    if study.draft:
        context["plan"] = build_planner(request, study)
    return {**context, **more}


def build_terms_form(study: Study, data: Any = None) -> TermsForm:
    """How the test is judged, as a form; with `data` as it was sent."""
    terms = study.terms
    now = {"level": terms.level, "equal_points": Decimal(terms.equal_points)}
    return TermsForm(data, now=now, initial={"equal_points": f"{Decimal(terms.equal_points).normalize():f}"})


def build_planner(request: OwnerRequest, study: Study) -> Planner:
    """Build the planner from the form in the query string, or from the owner's own figures."""
    pace = load_pace(request, study.comparison)
    form = PlanForm(request.GET if any(name in request.GET for name in PlanForm.base_fields) else None)
    typed = form.cleaned_data if form.is_bound and form.is_valid() else {}
    base, daily, lift = typed.get("base"), typed.get("daily"), typed.get("lift")
    lifts = sorted({*PLANNED_LIFTS, *([float(lift) / 100] if lift else [])})
    view = forecast.build_plan_view(
        study, pace, float(base) / 100 if base else None, float(daily) if daily else None, lifts
    )
    if not form.is_bound:
        form = PlanForm(initial={"base": view.base, "daily": view.daily})
    return Planner(form, view)
