"""Views of cuts: what was open on the cut before, and two cuts compared."""

import uuid
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.shared.http import allow_media
from dashboard.shared.text import parse_uuid
from dashboard.upstream.parallel import page_patience
from review_portal import (
    captions,
    compare_pages,
    cut_check_pages,
    cut_checks,
    cuts,
    forms,
    messages,
    pages,
    responses,
    reviewers,
    rules,
    shortcuts,
    sync,
)
from review_portal.access import KNOWN, READABLE, load_visit, render_refusal
from review_portal.comment_views import check_rate
from review_portal.context import Visit
from review_portal.cuts import NumberedCut
from review_portal.rules import LinkState, Problem, Reason
from review_portal.senders import read_sender


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
        saved = before is not None and cut_checks.are_kept(visit.link, visit.reviewer, forms.read_answers(request.POST))
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
    items = cut_checks.list_items(visit.link, before.link, visit.now)
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
    left = cut_checks.save_answers(visit.link, before, post.answers, reviewer, form, sender)
    missed += [given.item for given in left]
    response = _redirect(visit, missed, saved=len(post.answers) > 0)
    reviewers.set_cookie(response, reviewer)
    return response


def _redirect(visit: Visit, missed: list[cut_checks.CheckItem], *, saved: bool = False) -> HttpResponse:
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
    page = cut_check_pages.build_page(visit, before, problems)
    stage = pages.build_stage(
        visit.shown, captions.list_captions(visit.link, visit.shown), responses.parse_start(visit)
    )
    context = {"link": visit.link, "head": page.head, "page": page, "checks": page.checks, "stage": stage}
    context["keys_sheet"] = shortcuts.list_check_shortcuts()
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
    page = compare_pages.build_page(visit, other, int(responses.parse_start(visit)), timezone.now())
    before = cuts.find_before(visit.link)
    has_checks = before is not None and before.link.pk == other.link.pk
    checks = cut_check_pages.build_checks(visit, other, problems, beside=True) if has_checks else None
    keys = shortcuts.list_compare_shortcuts(is_exact=page.is_exact, has_checks=checks is not None)
    context = {"link": visit.link, "head": page.head, "page": page, "checks": checks, "keys_sheet": keys}
    response = render(visit.request, "review_portal/compare.html", context, status=status)
    videos = [side.video for side in page.sides]
    return allow_media(
        response, *(at for video in videos for at in (video.poster, video.mp4_url, video.hls_url, video.player_url))
    )
