"""View models of decisions: the reader's own, its form, and everybody's."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from dashboard.shared import formats
from review_portal import decisions, messages, rules
from review_portal.context import Visit, create_key
from review_portal.models import Decision, ReviewLink
from review_portal.rules import Problem

Verdict = Decision.Verdict

LABELS = {
    Verdict.APPROVED: gettext_noop("Approved"),
    Verdict.CHANGES: gettext_noop("Approved with changes"),
    Verdict.ROUND: gettext_noop("Another round"),
}
YOURS = {
    Verdict.APPROVED: gettext_noop("You approved this video"),
    Verdict.CHANGES: gettext_noop("You approved this video with changes"),
    Verdict.ROUND: gettext_noop("You asked for another round"),
}
CHOICES = (
    (Verdict.APPROVED, gettext_noop("Approve"), gettext_noop("The video can go out as it is.")),
    (Verdict.CHANGES, gettext_noop("Approve with changes"), gettext_noop("Fine once the changes are made. No new review.")),
    (Verdict.ROUND, gettext_noop("Needs another round"), gettext_noop("You want to review the next cut.")),
)  # fmt: skip


@dataclass(frozen=True)
class VerdictOption:
    """A verdict to choose. `kind` is its shape and colour."""

    value: str
    kind: str
    title: str
    hint: str
    chosen: bool


@dataclass(frozen=True)
class DecisionForm:
    """The form that decides. `name` is asked where the reviewer has none."""

    key: str
    choices: tuple[VerdictOption, ...]
    note: str
    note_hint: str
    name: str
    named: bool
    open_until: str
    cancel: str = ""
    """Where the decision stands unchanged; "" where there is none."""
    errors: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class DecisionRow:
    """One reviewer's decision."""

    kind: str
    label: str
    name: str
    note: str
    when: str
    is_new: bool = False
    """No owner has opened the page that shows it before."""


@dataclass(frozen=True)
class OwnDecision:
    """The reader's decision. `since`: what others wrote after it. `withdraw`: a key for the form; "" on a closed link."""

    title: str
    decided: DecisionRow
    seen: str
    since: str
    change: str
    withdraw: str


@dataclass(frozen=True)
class PendingReviewer:
    """A reviewer who wrote comments and has not decided."""

    name: str
    wrote: str


@dataclass(frozen=True)
class DecisionPage:
    """templates/review_portal/_decision.html."""

    action: str
    form: DecisionForm | None
    own: OwnDecision | None
    everybody: tuple[DecisionRow, ...]
    undecided: tuple[PendingReviewer, ...]


def build_decision_page(
    visit: Visit, typed: Mapping[str, str] | None = None, problems: list[Problem] | None = None
) -> DecisionPage:
    """Decisions of a link for one reader; `typed` and `problems` of a form that was refused."""
    every = decisions.list_decisions(visit.link)
    own = next((row for row in every if visit.reviewer and row.reviewer_id == visit.reviewer.pk), None)
    is_open = rules.why_no_writing(visit.link, visit.now) is None
    has_form = is_open and (own is None or typed is not None or "change" in visit.request.GET)
    return DecisionPage(
        action=f"/{visit.link.pk}/decision",
        form=_build_form(visit, own, typed, problems or []) if has_form else None,
        own=_build_own(visit, own, is_open=is_open) if own and not has_form else None,
        everybody=tuple(build_row(row, mine=row is own) for row in every),
        undecided=tuple(
            PendingReviewer(reviewer.name, _format_count(reviewer.written))  # type: ignore[attr-defined]  # annotated by the query
            for reviewer in decisions.list_undecided(visit.link, every)
        ),
    )


def build_row(decision: Decision, *, mine: bool = False) -> DecisionRow:
    """A decision as a row: whose, what, when."""
    name = _("%(name)s (you)") % {"name": decision.name} if mine else decision.name
    verdict = Verdict(decision.verdict)
    when = formats.moment_or_time(decision.made_at)
    return DecisionRow(
        verdict.value, describe_verdict(decision), name, decision.note, when, is_new=decision.seen_at is None
    )


def describe_verdict(decision: Decision) -> str:
    """The verdict in words: Approved with changes."""
    return _(LABELS[Verdict(decision.verdict)])


def load_rows_as_owner(link: ReviewLink) -> tuple[DecisionRow, ...]:
    """The decisions of a link for its owner, newest first; marks them as seen."""
    values = tuple(build_row(row) for row in decisions.list_decisions(link))
    decisions.mark_seen(link)
    return values


def _build_form(
    visit: Visit, own: Decision | None, typed: Mapping[str, str] | None, problems: list[Problem]
) -> DecisionForm:
    errors: dict[str, tuple[str, ...]] = {}
    for problem in problems:
        errors[problem.field] = (*errors.get(problem.field, ()), messages.describe_problem(problem))
    before = {"verdict": own.verdict, "text": own.note} if own else {}
    values, name = typed if typed is not None else before, visit.reviewer.name if visit.reviewer else ""
    expires_at = visit.link.expires_at
    return DecisionForm(
        key=create_key(),
        choices=tuple(
            VerdictOption(verdict.value, verdict.value, _(title), _(hint), verdict.value == values.get("verdict"))
            for verdict, title, hint in CHOICES
        ),
        note=values.get("text", ""),
        note_hint=_build_note_hint(visit),
        name=values.get("user_name", name),
        named=bool(name) and "user_name" not in errors,
        open_until=formats.moment(expires_at) if expires_at else "",
        cancel=f"/{visit.link.pk}/finish#decision" if own else "",
        errors=errors,
    )


def _build_note_hint(visit: Visit) -> str:
    mine = sum(thread.is_open and thread.first.mine for thread in visit.threads)
    hint = _("Required unless you approve the video as it is.")
    if not mine:
        return hint
    count = ngettext("Your %(count)s open comment goes with it.", "Your %(count)s open comments go with it.", mine)
    return f"{hint} {count % {'count': mine}}"


def _build_own(visit: Visit, decision: Decision, *, is_open: bool) -> OwnDecision:
    return OwnDecision(
        title=_(YOURS[Verdict(decision.verdict)]),
        decided=build_row(decision),
        seen=_("The owner has seen it.") if decision.seen_at else _("The owner has not opened it yet."),
        since=_describe_since(*decisions.count_since(decision, visit.threads)),
        change=f"/{visit.link.pk}/finish?change=1#decision" if is_open else "",
        withdraw=create_key() if is_open else "",
    )


def _describe_since(comments: int, replies: int) -> str:
    first = ngettext("%(count)s comment", "%(count)s comments", comments) % {"count": comments}
    second = ngettext("%(count)s reply", "%(count)s replies", replies) % {"count": replies}
    if not comments and not replies:
        return ""
    parts = [part for part, count in ((first, comments), (second, replies)) if count]
    return _("New since your decision: %(parts)s.") % {"parts": ", ".join(parts)}


def _format_count(count: int) -> str:
    return ngettext("%(count)s comment", "%(count)s comments", count) % {"count": formats.number(count)}
