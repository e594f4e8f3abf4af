"""View models of the list of what was open on the cut before."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX, CommentStatus
from dashboard.shared import formats
from dashboard.writes.models import State
from review_portal import cut_checks, messages, pages, rules, stills, threads
from review_portal.context import Visit, create_key
from review_portal.cut_checks import Answer, CheckItem
from review_portal.cuts import NumberedCut
from review_portal.drawing_words import describe_shapes
from review_portal.models import Comment
from review_portal.pages import Head
from review_portal.rules import LinkState, Problem, Reason
from review_portal.senders import read_sender


@dataclass(frozen=True)
class CheckRow:
    """One comment of the cut before. `was`: the answer that stands; `chosen`: the one that the form shows."""

    id: str
    kind: str
    shape: str
    state: str
    clock: str
    seconds: int
    watch: str
    author: str
    origin: str
    text: str
    still: SafeString
    """Its drawing as the cut before shows it; empty without one."""
    shapes: tuple[str, ...]
    drawing: str
    """The address of the page of the drawing alone."""
    replies: str
    thread: str
    by: str
    notes: tuple[str, ...]
    added: str
    """The address of the comment that was added here; "" without one."""
    question: str
    is_asked: bool
    was: str
    chosen: str
    time: str
    time_error: str
    is_pending: bool
    is_missed: bool


@dataclass(frozen=True)
class Checks:
    """templates/review_portal/_checks.html. `before`: whose comments these are; `beside`: that it is compared as well."""

    title: str
    counts: str
    rows: tuple[CheckRow, ...]
    empty: str
    notes: tuple[str, ...]
    why_not: str
    room: str
    action: str
    key: str
    before: str
    beside: str
    name: str
    named: bool
    saved: str
    missed: str
    """That somebody else answered first; "" where nobody did."""
    drawn: bool
    """Whether a row shows a drawing, which needs its own style sheet."""
    summary: str
    added_one: str
    added_many: str
    is_pending: bool
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(frozen=True)
class FromCutPage:
    """templates/review_portal/from_cut.html."""

    head: Head
    title: str
    number: int
    before: int
    back: str
    compare: str
    checks: Checks


def build_page(visit: Visit, before: NumberedCut, problems: list[Problem] | None = None) -> FromCutPage:
    """The page of the list beside this cut's video."""
    head = pages.build_head(visit.link, visit.shown, visit.now)
    cut_before = head.cuts.before if head.cuts else None
    return FromCutPage(
        head=head,
        title=_("From cut %(before)s") % {"before": before.number},
        number=before.number + 1,
        before=before.number,
        back=f"/{visit.link.pk}",
        compare=cut_before.compare if cut_before else "",
        checks=build_checks(visit, before, problems),
    )


def build_checks(
    visit: Visit, before: NumberedCut, problems: list[Problem] | None = None, *, beside: bool = False
) -> Checks:
    """The list with its form; `problems` of a form that was refused, whose answers are kept."""
    items = cut_checks.list_items(visit.link, before.link, visit.now)
    errors: dict[str, tuple[str, ...]] = {}
    for problem in problems or ():
        errors[problem.field] = (*errors.get(problem.field, ()), messages.describe_problem(problem))
    why_not = rules.why_no_comment(visit.link, visit.now)
    rows = tuple(_build_row(visit, before, item, errors, asks=why_not is None, beside=beside) for item in items)
    answered = sum(item.answer != Answer.NONE for item in items)
    name = visit.reviewer.name if visit.reviewer else ""
    number = before.number + 1
    return Checks(
        title=_("Open on cut %(cut)s") % {"cut": before.number},
        counts=_format_counts(len(items), answered),
        rows=rows,
        empty="" if rows else _describe_empty(before, visit),
        notes=_list_notes(visit, before) if rows else (),
        why_not=messages.describe_problem(Problem("", why_not)) if why_not and rows else "",
        room=_describe_room(visit, number) if rows and why_not is None else "",
        action=f"/{visit.link.pk}/from-cut",
        key=create_key(),
        before=str(before.link.pk),
        beside=str(before.link.pk) if beside else "",
        name=visit.request.POST.get("user_name", name),
        named=bool(name) and "user_name" not in errors,
        saved=_("Your answers are saved.") if "saved" in visit.request.GET and not errors else "",
        missed=_describe_missed(rows),
        drawn=any(row.still for row in rows),
        summary=_("{fixed} fixed, {open} not fixed, {left} not checked."),
        added_one=_("Save and add 1 to cut %(cut)s") % {"cut": number},
        added_many=_("Save and add {n} to cut %(cut)s") % {"cut": number},
        is_pending=any(row.is_pending for row in rows),
        errors=errors,
    )


def _format_counts(total: int, answered: int) -> str:
    """9 comments, 2 checked."""
    values = {"total": formats.number(total), "checked": formats.number(answered)}
    return ngettext("%(total)s comment, %(checked)s checked", "%(total)s comments, %(checked)s checked", total) % values


def _describe_empty(before: NumberedCut, visit: Visit) -> str:
    if rules.state_of(before.link, visit.now) == LinkState.INACTIVE:
        return _("Cut %(cut)s was switched off, so its comments are not shown.") % {"cut": before.number}
    return _("Nothing is open on cut %(cut)s.") % {"cut": before.number}


def _list_notes(visit: Visit, before: NumberedCut) -> tuple[str, ...]:
    """What saving cannot do on the cut before, said before anybody saves."""
    reason = rules.why_no_status(before.link, visit.now)
    values = {"cut": before.number}
    if reason == Reason.LINK_EXPIRED:
        return (_("Cut %(cut)s has closed: what is fixed is noted here and stays open there.") % values,)
    if reason == Reason.STATUS_LOCKED:
        return (_("On cut %(cut)s only the owner resolves comments: what is fixed is noted here.") % values,)
    return ()


def _describe_missed(rows: Sequence[CheckRow]) -> str:
    """Whose comments somebody else answered between the form and its sending."""
    names = [f"{row.author} ({row.clock})" for row in rows if row.is_missed]
    if not names:
        return ""
    return _("Somebody else answered first, so your answer was not saved: %(comments)s.") % {
        "comments": ", ".join(names)
    }


def _describe_room(visit: Visit, number: int) -> str:
    left = max(0, MAIN_COMMENTS_MAX - threads.count_main_comments(visit.link))
    values = {"left": formats.number(left), "cut": number, "most": MAIN_COMMENTS_MAX}
    if not left:
        return _("Cut %(cut)s has %(most)s comments, the most the platform allows: nothing more can be added.") % values
    if left > MAIN_COMMENTS_MAX - rules.METER_FROM:
        return ""
    return (
        ngettext("Cut %(cut)s can take %(left)s more comment.", "Cut %(cut)s can take %(left)s more comments.", left)
        % values
    )


def _build_row(
    visit: Visit,
    before: NumberedCut,
    item: CheckItem,
    errors: Mapping[str, tuple[str, ...]],
    *,
    asks: bool,
    beside: bool,
) -> CheckRow:
    comment, data, answer = item.comment, visit.request.POST, item.answer
    key = str(comment.comment_id)
    seconds = _get_seconds(visit, item)
    query = f"?with={before.link.pk}&t={seconds}" if beside else f"?t={seconds}"
    values = {"name": comment.user_name, "time": formats.clock(comment.time), "cut": before.number + 1}
    return CheckRow(
        id=key,
        kind={Answer.FIXED: "resolved", Answer.NOT_FIXED: "open"}.get(answer, "none"),
        shape={Answer.FIXED: "resolved", Answer.NOT_FIXED: "open"}.get(answer, "draft"),
        state=describe_answer(answer),
        clock=formats.clock(seconds),
        seconds=seconds,
        watch=f"/{visit.link.pk}/{'compare' if beside else 'from-cut'}{query}#check-{key}",
        author=comment.user_name,
        origin=_describe_origin(before, comment, seconds),
        text=item.words,
        still=stills.render_picture(item.drawing.sketch) if item.drawing else stills.NOTHING,
        shapes=tuple(describe_shapes(item.drawing.sketch)) if item.drawing else (),
        drawing=f"/{before.link.pk}/d/{item.drawing.short}" if item.drawing else "",
        replies=_describe_replies(before, comment),
        thread=f"/{before.link.pk}/comments/{key}",
        by=_describe_checker(visit, item),
        notes=tuple(_list_row_notes(visit, before, item)),
        added=f"/{visit.link.pk}/comments/{item.check.added_id}" if item.check and item.check.added_id else "",
        question=_("Is the comment of %(name)s at %(time)s fixed in cut %(cut)s?") % values,
        is_asked=asks and answer != Answer.NOT_FIXED,
        was=answer.value,
        chosen=data.get(f"answer-{key}", answer.value),
        time=data.get(f"time-{key}", formats.clock(seconds)),
        time_error=" ".join(errors.get(f"time-{key}", ())),
        is_pending=item.write is not None and item.write.state in (State.HELD, State.SENDING),
        is_missed=key in visit.request.GET.get("missed", "").split(","),
    )


def describe_answer(answer: Answer) -> str:
    """The answer in words."""
    return {Answer.FIXED: _("Fixed"), Answer.NOT_FIXED: _("Not fixed")}.get(answer, _("Not checked"))


def _get_seconds(visit: Visit, item: CheckItem) -> int:
    """Where in this cut the comment stands: where it was added, else at the same time."""
    if item.write is not None and "time" in item.write.request:
        return int(item.write.request["time"])
    return cut_checks.get_time(visit.link, item.comment)


def _describe_origin(before: NumberedCut, comment: Comment, seconds: int) -> str:
    values = {"time": formats.clock(comment.time), "cut": before.number}
    return _("same time") if seconds == comment.time else _("%(time)s in cut %(cut)s") % values


def _describe_replies(before: NumberedCut, comment: Comment) -> str:
    count: int = getattr(comment, "replies", 0)
    if not count:
        return ""
    values = {"count": formats.number(count), "cut": before.number}
    return ngettext("%(count)s reply on cut %(cut)s", "%(count)s replies on cut %(cut)s", count) % values


def _describe_checker(visit: Visit, item: CheckItem) -> str:
    """Ana Prado, 2 min ago."""
    if item.check is None or item.answer == Answer.NONE:
        return ""
    own = visit.reviewer is not None and item.check.reviewer_id == visit.reviewer.pk
    name = _("%(name)s (you)") % {"name": item.check.name} if own else item.check.name
    return f"{name}, {formats.ago(item.check.checked_at, visit.now)}"


def _list_row_notes(visit: Visit, before: NumberedCut, item: CheckItem) -> Sequence[str]:
    """What became of an answer; for a comment without one, what adding it would change of its words."""
    values = {"cut": before.number + 1, "before": before.number}
    if item.answer == Answer.FIXED:
        resolved = item.comment.status == CommentStatus.RESOLVED
        return [
            _("Resolved on cut %(before)s") % values
            if resolved
            else _("Noted here, still open on cut %(before)s") % values
        ]
    if item.answer == Answer.NOT_FIXED:
        waiting = messages.describe_write(item.write) if item.write and item.write.state != State.DONE else ""
        if item.check and item.check.added_id:
            return []
        return [_("Being added to cut %(cut)s.") % values, *filter(None, [waiting])]
    notes = [messages.describe_write(item.write)] if item.write is not None else []
    return [*notes, *_list_changes(visit, before, item)]


def _list_changes(visit: Visit, before: NumberedCut, item: CheckItem) -> list[str]:
    """How the comment differs when it is added, because of what the platform takes, and of another video."""
    sender, notes = read_sender(visit.request, visit.link), []
    added = cut_checks.build_added(before, item, sender.stills)
    if added.left_out:
        notes.append(
            ngettext(
                "If it is added, the last %(count)s character is left out: a comment has 500 at most.",
                "If it is added, the last %(count)s characters are left out: a comment has 500 at most.",
                added.left_out,
            )
            % {"count": formats.number(added.left_out)}
        )
    for wrong, right in added.replaced:
        signs = {"wrong": wrong, "right": right}
        notes.append(
            _("If it is added, “%(wrong)s” becomes “%(right)s”: the platform does not take it.") % signs
            if right
            else _("If it is added, “%(wrong)s” is left out: the platform does not take it.") % signs
        )
    if cut_checks.get_time(visit.link, item.comment) != item.comment.time:
        notes.append(_("This cut ends before that time."))
    elif item.frame and cut_checks.find_frame(visit.link, item, item.comment.time, sender.rate) is None:
        notes.append(_("If it is added, it keeps its second but not its frame: the cuts have different frame rates."))
    return notes
