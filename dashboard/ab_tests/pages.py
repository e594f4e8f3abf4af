"""View models of the A/B test templates: decisions are booleans, texts are ready to show."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import parse_qsl, urlencode, urljoin, urlsplit, urlunsplit

from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from dashboard.ab_tests import charts, messages, rules, verdicts
from dashboard.ab_tests.charts import VariantsChart
from dashboard.ab_tests.checks import TrustCheck, build_checks
from dashboard.ab_tests.queries import Study
from dashboard.ab_tests.rules import Act, CountBasis, RefusalReason, VariantCounts
from dashboard.ab_tests.variant_table import VariantRow, build_variant_row, format_scale
from dashboard.ab_tests.verdicts import VerdictText
from dashboard.activity.recorder import Event
from dashboard.platform_api.vocabulary import TestStatus
from dashboard.shared import formats
from dashboard.shared.charts import figures
from dashboard.shared.charts.figures import count
from dashboard.shared.charts.lines import CurvesChart
from dashboard.shared.charts.prepared import Exports
from dashboard.shared.charts.retention import DropOff, list_drop_offs
from dashboard.shared.csv import file_name
from dashboard.upstream.figures import Trouble


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
class StateStep:
    """One of the three states of a test and when it was there."""

    name: str
    when: str
    look: str
    shape: str
    done: bool
    current: bool


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

    edit: str
    start: str
    finish: str
    fixed: str


@dataclass(frozen=True)
class PlanProgress:
    """Days of the plan that have passed."""

    words: str
    days: int
    planned: int


@dataclass(frozen=True)
class DecisionSummary:
    """The declared winner, the reason and who declared it."""

    winner: str
    reason: str
    who: str


@dataclass(frozen=True)
class StudyPage:
    """templates/ab_tests/ab_test.html and result.html."""

    id: str
    name: str
    description: str
    state: StateBadge
    steps: tuple[StateStep, ...]
    acts: Acts
    embed: str
    embed_missing: str
    said: VerdictText | None
    checks: tuple[TrustCheck, ...]
    range_title: str
    scale: tuple[str, str]
    variants: tuple[VariantRow, ...]
    counted: str
    unit: str
    shown: str
    unread: Trouble | None
    trouble: Trouble | None
    late: bool
    panels: tuple[ChartPanel, ...]
    drop_offs: tuple[DropOff, ...]
    decided: DecisionSummary | None
    progress: PlanProgress | None
    exports: Exports | None
    chart: VariantsChart | None
    are_variants_told: bool


def build_study_page(study: Study, events: Sequence[Event], edits: tuple[str, ...], here: str) -> StudyPage:
    """One test, as far as it is known. `events` are marks, `edits` the days on which it was changed while running,
    `here` is our own address: the embedded platform's player is one of ours."""
    comparison, drafted = study.comparison, study.draft
    chart = None if drafted else build_variants_chart(study)
    return StudyPage(
        comparison.id,
        comparison.name or comparison.id,
        description=comparison.description,
        state=build_state_badge(comparison.status),
        steps=build_steps(study),
        acts=build_acts(study),
        embed=urljoin(here, build_embed_address(study)) if build_embed_address(study) else "",
        embed_missing=_(
            "The platform doesn't give the player address of these videos, so the test's address is unknown."
        ),
        said=None if drafted else verdicts.build_verdict(study),
        checks=() if drafted else build_checks(study, edits),
        range_title=_("Range"),
        scale=format_scale(chart),
        variants=tuple(build_variant_row(study, chart, index) for index in range(len(study.variants))),
        counted=charts.format_foot(study),
        unit=_("People") if study.readout.basis is CountBasis.PEOPLE else _("Page loads"),
        shown=messages.format_shown(study),
        unread=messages.build_test_trouble(study),
        trouble=messages.build_counts_trouble(study),
        late=study.late,
        panels=() if drafted else _build_panels(study, events),
        drop_offs=() if drafted else list_drop_offs(charts.list_video_curves(study)),
        decided=_build_decision(study),
        progress=_build_progress(study),
        exports=_build_exports(study, "variants") if chart else None,
        chart=chart,
        are_variants_told=study.size is not None,
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


def build_steps(study: Study) -> tuple[StateStep, ...]:
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
    return (
        StateStep(
            _("Draft"),
            draft,
            look="is-draft" if study.draft else "is-finished",
            shape="draft" if study.draft else "finished",
            done=not study.draft,
            current=study.draft,
        ),
        StateStep(
            _("In progress"),
            running,
            look=_get_look(study),
            shape=_get_shape(study),
            done=study.completed,
            current=study.running,
        ),
        StateStep(
            _("Completed"),
            ended,
            look="is-finished" if study.completed else "is-queue",
            shape="finished" if study.completed else "queue",
            done=False,
            current=study.completed,
        ),
    )


def _get_look(study: Study) -> str:
    return "is-running" if study.running else "is-finished" if study.completed else "is-queue"


def _get_shape(study: Study) -> str:
    return "running" if study.running else "finished" if study.completed else "queue"


def _format_since(when: datetime) -> str:
    return formats.day(timezone.localtime(when).date())


def build_acts(study: Study) -> Acts:
    """For each action the reason why it is not possible; empty if it is."""
    status, size = study.status, study.size

    def reason(act: Act) -> str:
        refusal = rules.get_refusal(act, status, size)
        return format_refusal(refusal) if refusal else ""

    fixed = reason(Act.EDIT_VARIANTS) or _("Everything can change until the test is started.")
    return Acts(reason(Act.EDIT_TEXT), reason(Act.START), reason(Act.FINISH), fixed)


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


def _build_progress(study: Study) -> PlanProgress | None:
    planned = study.terms.planned_days
    if not planned or study.draft:
        return None
    days = study.run.days
    values = {
        "days": count(days),
        "planned": count(planned),
        "lift": figures.signed(float(study.terms.planned_lift or 0), 0),
    }
    return PlanProgress(
        _("%(days)s of %(planned)s planned days, for a lift of %(lift)s%%") % values, min(days, planned), planned
    )


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
