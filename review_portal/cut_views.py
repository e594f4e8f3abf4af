"""Views of cuts: what was open on the cut before, and two cuts compared."""

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
from review_portal.outbox import read_sender
from review_portal.pages import Head, Stage, is_open
from review_portal.rules import LinkState, Problem, Reason
from review_portal.threads import Thread
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
class ComparePage:
    """templates/review_portal/compare.html: this cut and the `other`, the earlier one first; `others`: any to compare with."""

    head: Head
    sides: tuple[CutSide, CutSide]
    other: NumberedCut
    others: list[NumberedCut]
    threads: list[Thread]
    start: int
    last_second: int
    """Of the longer one."""
    caution: str
    lengths: str
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
    head = pages.build_head(visit.link, visit.shown, now)
    return ComparePage(
        head=replace(head, subtitle=_("Comparing cut %(before)s and cut %(after)s") % numbers),
        sides=sides,
        other=other,
        others=[cut for cut in numbered if cut.link.pk != visit.link.pk],
        threads=visit.threads_at_first,
        start=start,
        last_second=max((side.video.last_second or 0 for side in playable), default=0),
        caution=_describe_caution(sides),
        lengths=_describe_lengths(*sides) if len(playable) == 2 else "",
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
    """One comment of the cut before. `seconds`: where it stands in this cut; `chosen`: the answer that the form shows."""

    item: CheckItem
    seconds: int
    is_own: bool
    """The reader gave the answer that stands."""
    notes: Sequence[str]
    is_asked: bool
    chosen: str
    time: str
    time_error: str
    is_missed: bool
    """Somebody else answered first."""

    @property
    def is_pending(self) -> bool:
        return self.item.write is not None and self.item.write.state in (State.HELD, State.SENDING)


@dataclass(frozen=True)
class Checks:
    """templates/review_portal/_checks.html. `before`: whose comments these are; `beside`: that it is compared as well."""

    before: NumberedCut
    rows: tuple[CheckRow, ...]
    notes: tuple[str, ...]
    why_not: str
    left: int
    """How many comments this cut can still take."""
    is_nearly_full: bool
    is_off: bool
    """The cut before was switched off."""
    beside: bool
    key: str
    name: str
    named: bool
    saved: bool
    errors: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    most = MAIN_COMMENTS_MAX

    @property
    def number(self) -> int:
        return self.before.number + 1

    @property
    def answered(self) -> int:
        return sum(row.item.answer != Answer.NONE for row in self.rows)

    @property
    def missed(self) -> str:
        """Whose comments somebody else answered between the form and its sending."""
        missed = [row for row in self.rows if row.is_missed]
        return ", ".join(f"{row.item.comment.user_name} ({formats.clock(row.seconds)})" for row in missed)

    @property
    def drawn(self) -> bool:
        """Whether a row shows a drawing, which needs its own style sheet."""
        return any(row.item.drawing for row in self.rows)

    @property
    def is_pending(self) -> bool:
        return any(row.is_pending for row in self.rows)


def build_checks(
    visit: Visit, before: NumberedCut, problems: list[Problem] | None = None, *, beside: bool = False
) -> Checks:
    """The list with its form; `problems` of a form that was refused, whose answers are kept."""
    items = cuts.list_items(visit.link, before.link, visit.now)
    errors: dict[str, tuple[str, ...]] = {}
    for problem in problems or ():
        errors[problem.field] = (*errors.get(problem.field, ()), messages.describe_problem(problem))
    why_not = rules.why_no_comment(visit.link, visit.now)
    name = visit.reviewer.name if visit.reviewer else ""
    left = max(0, MAIN_COMMENTS_MAX - threads.count_main_comments(visit.link))
    return Checks(
        before=before,
        rows=tuple(_build_row(visit, before, item, errors, asks=why_not is None) for item in items),
        notes=_list_notes(visit, before) if items else (),
        why_not=messages.describe_problem(Problem("", why_not)) if why_not and items else "",
        left=left,
        is_nearly_full=left <= MAIN_COMMENTS_MAX - rules.METER_FROM,
        is_off=rules.state_of(before.link, visit.now) == LinkState.INACTIVE,
        beside=beside,
        key=create_key(),
        name=visit.request.POST.get("user_name", name),
        named=bool(name) and "user_name" not in errors,
        saved="saved" in visit.request.GET and not errors,
        errors=errors,
    )


def _list_notes(visit: Visit, before: NumberedCut) -> tuple[str, ...]:
    """What saving cannot do on the cut before, said before anybody saves."""
    reason = rules.why_no_status(before.link, visit.now)
    values = {"cut": before.number}
    if reason == Reason.LINK_EXPIRED:
        return (_("Cut %(cut)s has closed: what is fixed is noted here and stays open there.") % values,)
    if reason == Reason.STATUS_LOCKED:
        return (_("On cut %(cut)s only the owner resolves comments: what is fixed is noted here.") % values,)
    return ()


def _build_row(
    visit: Visit, before: NumberedCut, item: CheckItem, errors: Mapping[str, tuple[str, ...]], *, asks: bool
) -> CheckRow:
    data, key, seconds = visit.request.POST, str(item.comment.comment_id), _get_seconds(visit, item)
    reviewer = visit.reviewer
    return CheckRow(
        item=item,
        seconds=seconds,
        is_own=reviewer is not None and item.check is not None and item.check.reviewer_id == reviewer.pk,
        notes=_list_row_notes(visit, before, item),
        is_asked=asks and item.answer != Answer.NOT_FIXED,
        chosen=data.get(f"answer-{key}", item.answer.value),
        time=data.get(f"time-{key}", formats.clock(seconds)),
        time_error=" ".join(errors.get(f"time-{key}", ())),
        is_missed=key in visit.request.GET.get("missed", "").split(","),
    )


def _get_seconds(visit: Visit, item: CheckItem) -> int:
    """Where in this cut the comment stands: where it was added, else at the same time."""
    if item.write is not None and "time" in item.write.request:
        return int(item.write.request["time"])
    return cuts.get_time(visit.link, item.comment)


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
    both_open = rules.state_of(visit.link, visit.now) == rules.state_of(before.link, visit.now) == LinkState.OPEN
    captions = transcripts.list_captions(visit.link, visit.shown)
    context = {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "both_open": both_open,
        "checks": build_checks(visit, before, problems),
        "stage": pages.build_stage(visit.shown, captions, responses.parse_start(visit)),
    }
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
