"""View model of two compared cuts."""

import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.platform_api.vocabulary import MAIN_COMMENTS_MAX, CommentStatus
from dashboard.shared import formats
from dashboard.shared.http import allow_media
from dashboard.shared.text import parse_uuid
from dashboard.upstream.parallel import page_patience
from dashboard.writes.models import State
from review_portal import cuts, forms, messages, pages, responses, reviewers, rules, sync, threads, transcripts
from review_portal.access import KNOWN, READABLE, load_visit, render_refusal
from review_portal.comment_views import check_rate
from review_portal.context import Visit, create_key
from review_portal.cuts import Answer, CheckItem, NumberedCut
from review_portal.drawings import Sketch, describe_shapes
from review_portal.models import Comment
from review_portal.outbox import read_sender
from review_portal.pages import Head, Stage, is_open
from review_portal.rules import LinkState, Problem, Reason
from review_portal.videos import LinkVideo, get_rate_of


@dataclass(frozen=True)
class CutSide:
    """One of the two cuts. `alone`: its own page at the same moment. `closed`: why it cannot be played, else ""."""

    number: int
    title: str
    video: LinkVideo
    stage: Stage
    alone: str
    rate: str
    closed: str
    is_after: bool


@dataclass(frozen=True)
class Moment:
    """A comment of one of the cuts, as a place to go to in both."""

    address: str
    seconds: int
    at: str
    clock: str
    kind: str
    label: str


@dataclass(frozen=True)
class OtherCut:
    """A cut that this one can be compared with."""

    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True)
class ComparePage:
    """templates/review_portal/compare.html."""

    head: Head
    title: str
    sides: tuple[CutSide, CutSide]
    others: tuple[OtherCut, ...]
    action: str
    back: str
    start: int
    length: int
    moments: tuple[Moment, ...]
    caution: str
    lengths: str
    shift: str
    """What the frame buttons do."""
    rates: str
    """What is said of different frame rates, which the browser measures."""
    is_exact: bool
    """Whether both can play in the browser itself: else nothing keeps them in step to the frame."""


def build_compare_page(visit: Visit, other: NumberedCut, start: int, now: datetime) -> ComparePage:
    """This cut and another of its series; the earlier one first."""
    numbered = cuts.list_cuts(visit.link)
    own = NumberedCut(cuts.find_number(numbered, visit.link), visit.link)
    first, second = sorted((own, other), key=lambda cut: cut.number)
    sides = (_build_side(visit, first, start, now), _build_side(visit, second, start, now, is_after=True))
    numbers = {"before": first.number, "after": second.number}
    playable = [side for side in sides if not side.closed]
    lengths = [side.video.last_second or 0 for side in playable]
    head = pages.build_head(visit.link, visit.shown, now)
    return ComparePage(
        head=replace(head, subtitle=_("Comparing cut %(before)s and cut %(after)s") % numbers),
        title=_("Compare cut %(before)s and cut %(after)s") % numbers,
        sides=sides,
        others=tuple(_build_other(cut, other) for cut in numbered if cut.link.pk != visit.link.pk),
        action=f"/{visit.link.pk}/compare",
        back=f"/{visit.link.pk}" + (f"?t={start}" if start else ""),
        start=start,
        length=max(lengths, default=0),
        moments=tuple(_list_moments(visit, other, max(lengths, default=0))),
        caution=_describe_caution(sides),
        lengths=_describe_lengths(*sides) if len(playable) == 2 else "",
        shift=_("Shift cut %(before)s by frames") % numbers,
        rates=_(
            "The cuts have different frame rates ({before} and {after}). They are kept in step by time, not by frame."
        ),
        is_exact=all(side.stage.kind == "native" for side in playable),
    )


def _build_side(visit: Visit, cut: NumberedCut, start: int, now: datetime, *, is_after: bool = False) -> CutSide:
    closed, video = "", LinkVideo.from_kept(cut.link.video)
    if not is_open(cut.link, now):
        closed, video = _("Cut %(cut)s has closed, so it cannot be played.") % {"cut": cut.number}, LinkVideo()
    return CutSide(
        number=cut.number,
        title=_("Cut %(cut)s") % {"cut": cut.number},
        video=video,
        stage=pages.build_stage(video, transcripts.list_captions(cut.link, video), start),
        alone=f"/{cut.link.pk}" + (f"?t={start}" if start else ""),
        rate=get_rate_of(visit.request, str(cut.link.pk)),
        closed=closed,
        is_after=is_after,
    )


def _build_other(cut: NumberedCut, current: NumberedCut) -> OtherCut:
    return OtherCut(str(cut.link.pk), _("Cut %(cut)s") % {"cut": cut.number}, cut.number == current.number)


def _list_moments(visit: Visit, other: NumberedCut, length: int) -> list[Moment]:
    """The visible top-level comments of this cut, by time."""
    link, results = visit.link, []
    for thread in visit.threads_at_first:
        entry, state = thread.first, _("Open") if thread.is_open else _("Resolved")
        query = urlencode({"with": other.link.pk, "t": entry.time})
        at = f"{min(100, entry.time / length * 100):.2f}%" if length else "0%"
        values = {"time": formats.clock(entry.time), "name": entry.user_name, "state": state}
        label = _("%(time)s, %(name)s, %(state)s") % values
        kind = "open" if thread.is_open else "resolved"
        results.append(
            Moment(f"/{link.pk}/compare?{query}", entry.time, at=at, clock=values["time"], kind=kind, label=label)
        )
    return results


def _describe_caution(sides: Sequence[CutSide]) -> str:
    """What cannot be kept in step where a cut plays in the platform's player."""
    numbers = [side.number for side in sides if side.stage.kind == "embedded"]
    if not numbers:
        return ""
    end = _("Play, pause and seek are shared; frames can differ by up to 1 second.")
    if len(numbers) > 1:
        return _("Both cuts play in the platform's player.") + f" {end}"
    return _("Cut %(cut)s plays in the platform's player.") % {"cut": numbers[0]} + f" {end}"


def _describe_lengths(first: CutSide, second: CutSide) -> str:
    """Cut 3 is 4 s longer than cut 2."""
    if first.video.length is None or second.video.length is None:
        return ""
    seconds = round(second.video.length - first.video.length)
    values = {"before": first.number, "after": second.number, "time": formats.duration(abs(seconds))}
    if not seconds:
        return ""
    if seconds > 0:
        return _("Cut %(after)s is %(time)s longer than cut %(before)s.") % values
    return _("Cut %(after)s is %(time)s shorter than cut %(before)s.") % values


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
    sketch: Sketch | None
    """Its drawing as the cut before shows it."""
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


def build_checks_page(visit: Visit, before: NumberedCut, problems: list[Problem] | None = None) -> FromCutPage:
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
    items = cuts.list_items(visit.link, before.link, visit.now)
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
        drawn=any(row.sketch is not None for row in rows),
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
        sketch=item.drawing.sketch if item.drawing else None,
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
    return cuts.get_time(visit.link, item.comment)


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
    added = cuts.build_added(before, item, sender.stills)
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
    if cuts.get_time(visit.link, item.comment) != item.comment.time:
        notes.append(_("This cut ends before that time."))
    elif item.frame and cuts.find_frame(visit.link, item, item.comment.time, sender.rate) is None:
        notes.append(_("If it is added, it keeps its second but not its frame: the cuts have different frame rates."))
    return notes


@require_http_methods(["GET", "POST"])
def from_cut(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """What was open on the cut before: GET lists it, POST answers what is fixed. 404 where there is no cut before."""
    visit = load_visit(request, link_id, KNOWN if request.method == "POST" else READABLE)
    if isinstance(visit, HttpResponse):
        return visit
    if visit.state not in READABLE:
        return render_refusal(visit, visit.state)
    before = cuts.find_before(visit.link)
    if request.method == "POST" and _has_moved(visit, before):
        saved = before is not None and cuts.are_kept(visit.link, visit.reviewer, forms.read_answers(request.POST))
        return _redirect(visit, [], saved=True) if saved else _render_moved(visit, before)
    if before is None:
        raise Http404
    if request.method == "POST":
        return _save(visit, before)
    _read(before, visit)
    return _render_checks(visit, before)


def _has_moved(visit: Visit, before: NumberedCut | None) -> bool:
    """Whether the form lists another cut than the one that is before this one now."""
    listed = parse_uuid(visit.request.POST.get("before", ""))
    return listed is not None and (before is None or before.link.pk != listed)


def _render_moved(visit: Visit, before: NumberedCut | None) -> HttpResponse:
    """Nothing is saved: the list as it is now, or the room where there is no cut before, says so."""
    moved = Problem("", Reason.CUTS_MOVED)
    status = responses.STATUS_OF[moved.reason]
    if before is None:
        return responses.render_room(visit, status=status, message=messages.describe_problem(moved))
    return _render_checks(visit, before, [moved], status)


def _read(before: NumberedCut, visit: Visit) -> None:
    """Have the comments of the cut before read; wait for them where they never were, as its own room does."""
    if rules.state_of(before.link, visit.now) in READABLE:
        sync.merge_in_background(before.link, page_patience() if before.link.merged_at is None else 0)


def _save(visit: Visit, before: NumberedCut) -> HttpResponse:
    """Keep the answers, add what is not fixed and resolve what is. The same form sent twice does so once."""
    reason = rules.why_no_comment(visit.link, visit.now)
    if reason in (Reason.LINK_EXPIRED, Reason.LINK_INACTIVE):
        return responses.render_closed(visit, visit.state)
    items = cuts.list_items(visit.link, before.link, visit.now)
    post = forms.read_checks(visit.link, items, visit.request.POST)
    problems = [Problem("", reason)] if reason else post.problems
    if not problems and post.answers:
        problems = check_rate(visit)
    if problems:
        status = responses.STATUS_OF.get(problems[0].reason, 422)
        return _render_checks(visit, before, problems, status)
    missed = list(post.stale)
    if not post.answers:
        return _redirect(visit, missed, saved=post.agrees)
    form = forms.read_key(visit.request.POST, "from cut")
    reviewer = visit.reviewer or reviewers.create_reviewer(visit.link, post.name, form)
    reviewers.rename(reviewer, post.name)
    sender = read_sender(visit.request, visit.link)
    left = cuts.save_answers(visit.link, before, post.answers, reviewer, form, sender)
    missed += [given.item for given in left]
    response = _redirect(visit, missed, saved=len(post.answers) > 0)
    reviewers.set_cookie(response, reviewer)
    return response


def _redirect(visit: Visit, missed: list[cuts.CheckItem], *, saved: bool = False) -> HttpResponse:
    """Lead back to where the form was: the list alone, or beside two compared cuts."""
    query = {"saved": "1"} if saved else {}
    if missed:
        query["missed"] = ",".join(str(item.comment.comment_id) for item in missed)
    beside = parse_uuid(visit.request.POST.get("with", ""))
    address, query = (f"/{visit.link.pk}/compare", {"with": str(beside)} | query) if beside else (
        f"/{visit.link.pk}/from-cut", query
    )  # fmt: skip
    return redirect(address + (f"?{urlencode(query)}" if query else "") + "#checks")


def _render_checks(
    visit: Visit, before: NumberedCut, problems: list[Problem] | None = None, status: int = 200
) -> HttpResponse:
    if parse_uuid(visit.request.POST.get("with", "")) == before.link.pk:
        return _render_compare(visit, before, problems, status)
    page = build_checks_page(visit, before, problems)
    stage = pages.build_stage(
        visit.shown, transcripts.list_captions(visit.link, visit.shown), responses.parse_start(visit)
    )
    context = {"link": visit.link, "head": page.head, "page": page, "checks": page.checks, "stage": stage}
    context["keys_sheet"] = responses.list_check_shortcuts()
    response = render(visit.request, "review_portal/from_cut.html", context, status=status)
    video = visit.shown
    return allow_media(response, video.poster, video.mp4_url, video.hls_url, video.player_url)


@require_safe
def compare(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Two cuts of one series beside each other: this one and `?with=`, else the one before or after it."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    other = _get_other(visit)
    if rules.state_of(other.link, visit.now) == LinkState.OPEN:
        _read(other, visit)
    return _render_compare(visit, other)


def _get_other(visit: Visit) -> NumberedCut:
    """The cut that the address names, of the same series. Raises 404 for every other link."""
    numbered = cuts.list_cuts(visit.link)
    others = [cut for cut in numbered if cut.link.pk != visit.link.pk]
    named = visit.request.GET.get("with", "")
    if not others:
        raise Http404
    if not named:
        number = cuts.find_number(numbered, visit.link)
        return next((cut for cut in reversed(others) if cut.number < number), others[0])
    for cut in others:
        if cut.link.pk == parse_uuid(named):
            return cut
    raise Http404


def _render_compare(
    visit: Visit, other: NumberedCut, problems: list[Problem] | None = None, status: int = 200
) -> HttpResponse:
    page = build_compare_page(visit, other, int(responses.parse_start(visit)), timezone.now())
    before = cuts.find_before(visit.link)
    has_checks = before is not None and before.link.pk == other.link.pk
    checks = build_checks(visit, other, problems, beside=True) if has_checks else None
    keys = responses.list_compare_shortcuts(is_exact=page.is_exact, has_checks=checks is not None)
    context = {"link": visit.link, "head": page.head, "page": page, "checks": checks, "keys_sheet": keys}
    response = render(visit.request, "review_portal/compare.html", context, status=status)
    videos = [side.video for side in page.sides]
    return allow_media(
        response, *(at for video in videos for at in (video.poster, video.mp4_url, video.hls_url, video.player_url))
    )
