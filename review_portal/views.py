"""Views of what stands beside the room: files, paper, transcript, stills, who watched, e-mail, other devices, decisions."""

import json
import uuid
from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.notices import subscriptions
from dashboard.notices.subscriptions import Asked
from dashboard.shared import formats, marks
from dashboard.shared.callers import address_of, caller_of, network_of, wait_for, wait_for_all
from dashboard.shared.http import unchanged
from dashboard.shared.vault import Unreadable
from dashboard.upstream.parallel import page_patience
from review_portal import (
    decisions,
    export_files,
    forms,
    pages,
    responses,
    reviewers,
    rules,
    sync,
    threads,
    transcripts,
    viewings,
)
from review_portal.access import KNOWN, READABLE, load_visit, render_refusal
from review_portal.comment_views import check_rate
from review_portal.context import Visit
from review_portal.drawings import Sketch, build_phrases
from review_portal.exports.files import EXTENSIONS
from review_portal.models import CommentDrawing, Decision, Passage, Reviewer, ReviewLink
from review_portal.pages import get_audience
from review_portal.reviewers import Refusal
from review_portal.rules import Problem, Reason
from review_portal.threads import select_threads

SENTENCES: dict[Refusal, Callable[[], str]] = {
    Refusal.UNKNOWN: lambda: _(
        "This code does not work on this link. Check it, or show a new code on the other device."
    ),
    Refusal.USED: lambda: _("This code was already used. Show a new code on the other device."),
    Refusal.OVER: lambda: _("This code has expired after 10 minutes. Show a new code on the other device."),
    Refusal.TOO_OFTEN: lambda: _("Too many codes were requested. Wait 10 minutes, then try again."),
}


@require_safe
def export(request: HttpRequest, link_id: uuid.UUID, extension: str) -> HttpResponse:
    """A file; an invalid timeline shows the export form again."""
    if extension not in EXTENSIONS:
        raise Http404
    visit = load_visit(request, link_id, READABLE, _read_news)
    if isinstance(visit, HttpResponse):
        return visit
    timeline = export_files.parse_timeline(request)
    if timeline.problem:
        base, query = f"/{visit.link.pk}/export", export_files.build_query(visit.choice)
        menu = export_files.build_menu(request, base, query, printed=f"/{visit.link.pk}/print")
        head, back = (
            pages.build_head(visit.link, visit.shown, visit.now),
            f"/{visit.link.pk}{pages.build_query(visit.choice)}",
        )
        context = {"link": visit.link, "menu": menu, "head": head, "back": back}
        return render(request, "review_portal/export.html", context, status=422)
    whole = sync.is_complete(visit.link)
    decisions = export_files.list_decisions(visit.link)
    cut = export_files.find_cut(visit.link)
    about = export_files.ExportSubject(
        visit.shown.title, visit.link.name, visit.shown.length, whole=whole, decisions=decisions, cut=cut
    )
    file = export_files.render_file(extension, select_threads(visit.threads, visit.choice), about, timeline, visit.now)
    return export_files.build_download(file, timeline)


@require_safe
def print_list(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The list for paper, or to save as PDF."""
    visit = load_visit(request, link_id, READABLE, _read_news)
    if isinstance(visit, HttpResponse):
        return visit
    threads = select_threads(visit.threads, visit.choice)
    context = {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "threads": threads,
        "place": visit.shown,
        "cut": export_files.find_cut(visit.link),
        "drawn": any(thread.first.drawing for thread in threads),
        "decisions": export_files.list_decisions(visit.link),
        "summary": export_files.format_summary(visit.threads, threads, whole=sync.is_complete(visit.link)),
        "back": f"/{visit.link.pk}{pages.build_query(visit.choice)}",
    }
    return render(request, "review_portal/print.html", context)


def _read_news(request: HttpRequest, link: ReviewLink) -> None:
    sync.merge_in_background(link, page_patience())


@require_safe
def transcript(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The part that script asks for; everybody else is led to the room that shows it. `?print=` has every line for paper."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    if "print" in request.GET:
        return _render_sheet(visit)
    if responses.wants_part(request):
        return responses.render_transcript(visit)
    return _redirect_to_room(visit)


def _render_sheet(visit: Visit) -> HttpResponse:
    context = transcripts.build_sheet_context(visit)
    if context is None:
        return _redirect_to_room(visit)
    return render(visit.request, "review_portal/transcript_print.html", context)


def _redirect_to_room(visit: Visit) -> HttpResponse:
    query = visit.request.GET.copy()
    query.pop("print", None)
    query["tab"] = "transcript"
    return redirect(f"/{visit.link.pk}?{query.urlencode()}#transcript")


@require_safe
def still(request: HttpRequest, link_id: uuid.UUID, short: str) -> HttpResponse:
    """The page of one drawing: who drew it, when, and the words. What the link does not show is not found."""
    visit = load_visit(request, link_id, READABLE)
    if isinstance(visit, HttpResponse):
        return visit
    drawing = CommentDrawing.objects.filter(link__video_id=visit.link.video_id, short=short).first()
    if drawing is None:
        raise Http404
    thread = threads.load_thread(visit.reading, drawing.comment_id) if drawing.comment_id else None
    is_alone = drawing.comment_id is None and drawing.link_id == visit.link.pk
    if thread is None and not is_alone:
        raise Http404
    first = thread.first if thread else None
    at, name = (first.timecode, first.user_name) if first else (formats.clock(drawing.time), drawing.name)
    context = {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "drawing": drawing,
        "sketch": Sketch.from_kept(drawing.sketch),
        "first": first,
        "posted_at": (first.created_at if first else None) or drawing.made_at,
        "place": threads.Place(visit.shown.last_second, f"/{visit.link.pk}?"),
        "title": _("Drawing at %(at)s by %(name)s") % {"at": at, "name": name},
    }
    return render(request, "review_portal/still.html", context)


@require_safe
def tools(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The tools, and the words that script says while somebody draws: a part of the room, fetched when it is needed."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    return render(request, "review_portal/_drawing_tools.html", _build_tools(visit))


def _build_tools(visit: Visit) -> dict[str, object]:
    names = {
        "pen": _("Pen"), "arrow": _("Arrow"), "rect": _("Rectangle"), "ellipse": _("Ellipse"),
        "number": _("Number"),
    }  # fmt: skip
    colours = {"white": _("White"), "yellow": _("Yellow"), "red": _("Red"), "green": _("Green"), "blue": _("Blue")}
    return {
        "tools": [(kind, name, kind[0].upper()) for kind, name in names.items()],
        "inks": [(colour, name, number) for number, (colour, name) in enumerate(colours.items(), 1)],
        "phrases": json.dumps(build_phrases(), ensure_ascii=False),
        "fixed": _("The frame is fixed while something is drawn on it. Delete the shapes to choose another."),
        "no_frame": _(
            "You can't draw here: the platform's player does not give this page its picture. "
            "You can comment at any second."
        ),
    }


@require_http_methods(["GET", "POST"])
def people(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Who is here and what the reader chose; POST chooses. Without script there is nothing to choose: it leads to the room."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    if request.method == "POST" and visit.reviewer is not None and visit.reviewer.name:
        limit, seconds = rules.CHOICES_PER_REVIEWER
        if wait := wait_for(f"review-people:{visit.reviewer.pk}", limit=limit, seconds=seconds):
            return responses.render_problems(request, [Problem("", Reason.TOO_OFTEN, limit=wait)])
        choices = {name: request.POST[name] == "on" for name in ("is_seen", "shares") if name in request.POST}
        viewings.choose(visit.reviewer, **choices)
    if not responses.wants_part(request):
        return redirect(f"/{visit.link.pk}")
    context = {
        "link": visit.link,
        "people": viewings.load_people(visit),
        "viewing": viewings.get_viewing(visit.reviewer),
    }
    return render(request, "review_portal/_people.html", context)


@require_POST
def watched(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Take what a browser played since it said so last: with every half minute, at a pause, and when the page is left."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    reviewer = visit.reviewer
    if reviewer is None or not reviewer.name:
        return unchanged()  # nobody is known here who could have watched anything
    limit, seconds = rules.WATCHED_PER_REVIEWER
    if not wait_for(f"review-watched:{reviewer.pk}", limit=limit, seconds=seconds):
        viewings.add_watched(reviewer, viewings.parse_spans(request.POST.get("spans", ""), visit.shown.last_second))
    if "left" in request.POST:
        viewings.leave(reviewer)
    return unchanged()


@require_http_methods(["GET", "POST"])
def email(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """POST asks or stops; everything else leads to the page that has the form."""
    visit = load_visit(request, link_id, READABLE)
    if isinstance(visit, HttpResponse):
        return visit
    if request.method == "GET" or visit.reviewer is None or not subscriptions.is_offered():
        return _redirect(visit)
    if request.POST.get("do") == "stop":
        subscription = subscriptions.find(get_audience(visit))
        if subscription is not None:
            subscriptions.stop(subscription)
        return _redirect(visit)
    if rules.why_no_writing(visit.link, visit.now) is not None:
        return _redirect(visit)
    return _ask(visit)


def _ask(visit: Visit) -> HttpResponse:
    typed = request_address(visit)
    asked = subscriptions.ask(visit.request, get_audience(visit), typed)
    if asked == Asked.WRONG:
        return _render_error(visit, typed, _("This is no e-mail address. Write one such as ana@example.com."), 422)
    if asked == Asked.TOO_OFTEN:
        error = _("Too many confirmations were asked for. Nothing was sent; try again in an hour.")
        return _render_error(visit, typed, error, 429)
    return _redirect(visit)


def request_address(visit: Visit) -> str:
    """The address of the form; of "send again", the one that was left."""
    if visit.request.POST.get("do") != "again":
        return visit.request.POST.get("address", "")
    subscription = subscriptions.find(get_audience(visit))
    try:
        return subscription.address if subscription else ""
    except Unreadable:
        return ""


def _render_error(visit: Visit, typed: str, error: str, status: int) -> HttpResponse:
    page = responses.build_finish_page(visit, email=(typed, error))
    context = {"link": visit.link, "page": page, "on_its_way": visit.on_its_way}
    return render(visit.request, "review_portal/finish.html", context, status=status)


def _redirect(visit: Visit) -> HttpResponse:
    return redirect(f"/{visit.link.pk}/finish#email")


STATUS_OF = {Refusal.UNKNOWN: 422, Refusal.USED: 410, Refusal.OVER: 410, Refusal.TOO_OFTEN: 429}


@require_http_methods(["GET", "HEAD", "POST"])
def device(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Show a code (`do=show`), look whose a typed or scanned one is, and with `do=go` go on as that person."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    do, typed = request.POST.get("do", ""), request.POST.get("code", request.GET.get("code", ""))
    if do == "show":
        return _show(visit)
    if not typed and not do:
        return _render_page(visit)
    passage = _find_passage(visit, typed)
    if isinstance(passage, Refusal):
        return _render_page(visit, refusal=passage, typed=typed)
    return _go(visit, passage) if do == "go" else _render_page(visit, passage=passage, typed=typed)


def _find_passage(visit: Visit, typed: str) -> Passage | Refusal:
    """Look up a code. Tries are limited per address and network: wrong codes of one person never lock out others."""
    address = address_of(visit.request)
    if wait_for_all(
        (f"review-codes:{caller_of(address)}", reviewers.TRIES_PER_ADDRESS),
        (f"review-codes-of:{network_of(address)}", reviewers.TRIES_PER_NETWORK),
    ):
        return Refusal.TOO_OFTEN
    return reviewers.find_passage(visit.link, typed, visit.now)


def _show(visit: Visit) -> HttpResponse:
    if visit.reviewer is None:
        return _render_page(visit)
    limit, seconds = reviewers.CODES_PER_REVIEWER
    if wait_for(f"review-code:{visit.reviewer.pk}", limit=limit, seconds=seconds):
        return _render_page(visit, refusal=Refusal.TOO_OFTEN)
    return _render_page(visit, code=reviewers.create_code(visit.reviewer, visit.now))


def _go(visit: Visit, passage: Passage) -> HttpResponse:
    if not reviewers.use_passage(passage, visit.now):
        return _render_page(visit, refusal=Refusal.USED)
    response = redirect(f"/{visit.link.pk}?device=new#talk")
    reviewers.set_cookie(response, passage.reviewer)
    return response


def _render_page(
    visit: Visit, *, code: str = "", passage: Passage | None = None, refusal: Refusal | None = None, typed: str = ""
) -> HttpResponse:
    """The page with a fresh `code` for the other device, a code that was looked at (`passage`), or why one leads nowhere."""
    address = visit.request.build_absolute_uri(f"/{visit.link.pk}/device")
    context = {
        "link": visit.link,
        "head": pages.build_head(visit.link, visit.shown, visit.now),
        "address": address,
        "me": visit.reviewer,
        "other": passage.reviewer if passage else None,
        "code": reviewers.format_code(code) if code else "",
        "qr": marks.draw_qr_code(f"{address}?code={code}", _("QR code to continue as you on another device"))
        if code
        else "",
        "typed": typed[:40],
        "problem": SENTENCES[refusal]() if refusal else "",
    }
    status = STATUS_OF[refusal] if refusal else 200
    response = render(visit.request, "review_portal/device.html", context, status=status)
    response.headers["Referrer-Policy"] = "same-origin"  # "no-referrer" would take the origin from the form's own post
    if refusal == Refusal.TOO_OFTEN:
        response.headers["Retry-After"] = str(reviewers.TRIES_PER_NETWORK[1])
    return response


@require_http_methods(["GET", "POST"])
def decision(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """POST decides; everything else leads to the page that has the form."""
    if request.method == "POST":
        return _decide(request, link_id)
    visit = load_visit(request, link_id, READABLE)
    return visit if isinstance(visit, HttpResponse) else _redirect_to_form(visit)


def _decide(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Save the decision. A form that was sent before gets its result, before anything is checked."""
    visit = load_visit(request, link_id, KNOWN)
    if isinstance(visit, HttpResponse):
        return visit
    verdict = request.POST.get("verdict", "")
    key = forms.read_key(request.POST, "decision", verdict)
    first = decisions.find_decision(visit.link, key)
    if visit.state not in READABLE:
        return render_refusal(visit, visit.state)
    reason = rules.why_no_writing(visit.link, visit.now)
    if first is not None:
        if reason is None:
            decisions.send_decision(first)  # the first press may have ended between the two
        return _render_with_cookie(visit, first.reviewer)
    if reason is not None:
        return responses.render_closed(visit, visit.state, text=request.POST.get("text", ""))
    if verdict == Decision.Verdict.WITHDRAWN:
        return _withdraw(visit, key)
    post = forms.read_decision(visit.link, request.POST)
    problems = post.problems or check_rate(visit, is_decision=True)
    if problems:
        return _render_problems(visit, problems)
    reviewer = visit.reviewer or reviewers.create_reviewer(visit.link, post.name, key)
    reviewers.rename(reviewer, post.name)
    decisions.send_decision(decisions.save_decision(visit.link, reviewer, key, post.verdict, post.note))
    return _render_with_cookie(visit, reviewer)


def _withdraw(visit: Visit, key: uuid.UUID) -> HttpResponse:
    """Withdraw the decision; without one, nothing changes."""
    latest = visit.reviewer.decisions.order_by("pk").last() if visit.reviewer else None
    if visit.reviewer is None or latest is None or latest.verdict == Decision.Verdict.WITHDRAWN:
        return _redirect_to_form(visit)
    withdrawn = decisions.save_decision(visit.link, visit.reviewer, key, Decision.Verdict.WITHDRAWN, "")
    decisions.send_decision(withdrawn)
    return _render_with_cookie(visit, visit.reviewer)


def _render_with_cookie(visit: Visit, reviewer: Reviewer) -> HttpResponse:
    response = _redirect_to_form(visit)
    reviewers.set_cookie(response, reviewer)
    return response


def _redirect_to_form(visit: Visit) -> HttpResponse:
    return redirect(f"/{visit.link.pk}/finish#decision-title")  # it takes the focus


def _render_problems(visit: Visit, problems: list[Problem]) -> HttpResponse:
    """The page with everything typed, and what is wrong at each field."""
    page = responses.build_finish_page(visit, typed=visit.request.POST.dict(), problems=problems)
    context = {"link": visit.link, "page": page, "on_its_way": visit.on_its_way}
    response = render(
        visit.request, "review_portal/finish.html", context, status=responses.STATUS_OF.get(problems[0].reason, 422)
    )
    if problems[0].reason == Reason.TOO_OFTEN:
        response.headers["Retry-After"] = str(problems[0].limit)
    return response
