"""Assembles the page of a test from its study, the planner and the activity log."""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any

from dashboard.ab_tests import pages, planning
from dashboard.ab_tests.forecast import PLANNED_LIFTS
from dashboard.ab_tests.forms import PlanForm, TermsForm
from dashboard.ab_tests.queries import Study, load_pace
from dashboard.activity import recorder
from dashboard.activity.recorder import Event
from dashboard.shared.charts.figures import day
from dashboard.shared.http import OwnerRequest

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


def build_page(request: OwnerRequest, study: Study) -> pages.StudyPage:
    """The page of a test, with what was done to it while it ran."""
    events = list_events(request, study)
    return pages.build_study_page(study, events, _list_edit_days(study, events), request.build_absolute_uri("/"))


def _list_edit_days(study: Study, events: list[Event]) -> tuple[str, ...]:
    """The days on which the test was changed while it ran."""
    started = study.run.started
    moments = (event.at for event in events if event.operation == UPDATE and (started is None or event.at > started))
    return tuple(dict.fromkeys(day(at.date()) for at in moments))


@dataclass(frozen=True)
class Planner:
    """The planner's form and its results."""

    form: PlanForm
    view: planning.PlanView


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
    view = planning.build_plan_view(
        study, pace, float(base) / 100 if base else None, float(daily) if daily else None, lifts
    )
    if not form.is_bound:
        form = PlanForm(initial={"base": view.base, "daily": view.daily})
    return Planner(form, view)
