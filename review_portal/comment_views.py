"""Views of the room: its page, its poll, and what is written in it: post, reply, edit, resolve, withdraw, settle."""

import uuid

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.shared.callers import address_of, caller_of, network_of, wait_for_all
from dashboard.shared.http import unchanged
from dashboard.upstream.parallel import page_patience
from dashboard.writes import outbox as writes
from dashboard.writes.models import State, Write
from review_portal import (
    forms,
    messages,
    outbox,
    pages,
    responses,
    reviewers,
    rules,
    sync,
    threads,
    transcripts,
    videos,
    viewings,
)
from review_portal.access import KNOWN, READABLE, is_up_to_date, load_visit, render_refusal
from review_portal.context import Visit, parse_version
from review_portal.models import Comment, Reviewer, ReviewLink
from review_portal.outbox import NOBODY, read_sender
from review_portal.rules import LinkState, Problem, Reason
from review_portal.writes import get_comment_id


@require_safe
def room(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """The page. It opens from the copy; a link whose comments were never read waits for them as long as any page does."""
    visit = load_visit(request, link_id, READABLE, _read_first)
    if isinstance(visit, HttpResponse):
        return visit
    if visit.state == LinkState.OPEN:
        return responses.render_room(visit, forms=responses.render_open_forms(visit))
    return responses.render_reading(visit) if "read" in request.GET else responses.render_closed(visit, visit.state)


def _read_first(request: HttpRequest, link: ReviewLink) -> None:
    if link.merged_at is None or "fresh" in request.GET:
        sync.merge_in_background(link, page_patience())


def poll(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """What a poll asks for: 204 while nothing is new, else the part that changes.

    Whoever polls also has the platform read when nobody did for a while, and does not wait for it.
    """
    token = request.GET.get("v", "")
    if is_up_to_date(link_id, token):
        return viewings.add_people(request, link_id, unchanged())
    visit = load_visit(request, link_id, READABLE, _read_what_is_new)
    if isinstance(visit, HttpResponse):
        return visit
    closed = visit.state != LinkState.OPEN
    if token == visit.token and not closed:
        return viewings.add_people(request, link_id, unchanged())
    response = responses.render_live(visit, parse_version(request.GET.get("after", "") or token), polls=not closed)
    return response if closed else viewings.add_people(request, link_id, response)


def _read_what_is_new(request: HttpRequest, link: ReviewLink) -> None:
    sync.merge_in_background(link)


def permalink(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """The lasting address of one comment: leads to its place in the room."""
    visit = load_visit(request, link_id, READABLE, _read_first)
    if isinstance(visit, HttpResponse):
        return visit
    thread = threads.load_thread(visit.reading, comment_id)
    if thread is None:
        raise Http404
    entry = next(entry for entry in thread.entries if entry.comment_id == comment_id)
    whole = f"&thread={entry.reply_to}" if entry.reply_to else ""
    at = videos.format_middle(entry.frame) if entry.frame else entry.time
    return redirect(f"/{link_id}?t={at}{whole}#{entry.anchor}")


@require_safe
def replies(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Replies of a thread that a first view left out: `rest` of them, beginning with number `from`."""
    visit = load_visit(request, link_id, READABLE)
    if isinstance(visit, HttpResponse):
        return visit
    begun, count = (parse_version(request.GET.get(name, "")) for name in ("from", "rest"))
    thread = threads.load_thread(visit.reading, comment_id) if count else None
    if thread is None or thread.first.comment_id != comment_id:
        raise Http404
    pieces = thread.list_next(begun, begun + count)
    context = {"thread": thread, "pieces": pieces, "around": pages.build_surroundings(visit)}
    return render(request, "review_portal/_rest.html", context)


@require_safe
def finish(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """My notes, what is open, what I never watched. Opened as the very first page, it waits for the comments as the room."""
    visit = load_visit(request, link_id, READABLE, _read_first)
    if isinstance(visit, HttpResponse):
        return visit
    context = {"link": visit.link, "page": responses.build_finish_page(visit), "on_its_way": visit.on_its_way}
    return render(request, "review_portal/finish.html", context)


@require_safe
def subtitles(request: HttpRequest, link_id: uuid.UUID, lang: str) -> HttpResponse:
    """A subtitle file that the platform keeps on another host."""
    visit = load_visit(request, link_id)
    if isinstance(visit, HttpResponse):
        return visit
    try:
        text = transcripts.read_captions(visit.link, lang)
    except (KeyError, errors.CallError):
        raise Http404 from None
    response = HttpResponse(text, content_type="text/vtt; charset=utf-8")
    response.headers["Cache-Control"] = "private, max-age=600"
    return response


@require_http_methods(["GET", "POST"])
def comments(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """One address: POST posts, everything else asks what is new."""
    return _post(request, link_id) if request.method == "POST" else poll(request, link_id)


@require_http_methods(["GET", "POST"])
def comment(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """One address: POST changes the comment, everything else leads to it."""
    if request.method == "POST":
        return _change(request, link_id, comment_id)
    return permalink(request, link_id, comment_id)


def _post(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Post a comment or a reply: held for a few seconds where script asks for it, else sent at once.

    A form that was sent before gets its result, before anything is checked.
    """
    visit = load_visit(request, link_id, KNOWN)
    if isinstance(visit, HttpResponse):
        return visit
    first, key = outbox.find_attempt(visit.link, forms.read_key(request.POST))
    if first is not None:
        return _render_earlier_post(visit, first)
    if visit.state not in READABLE:
        return render_refusal(visit, visit.state)
    sender = read_sender(request, visit.link) if request.POST.get("frame") or request.POST.get("drawing") else NOBODY
    post = forms.read_post(visit.link, request.POST, sender=sender)
    reason = rules.why_no_comment(visit.link, visit.now)
    problems = [Problem("", reason)] if reason else post.problems or check_rate(visit)
    if not problems and post.words and request.POST.get("repeat") != "1":
        is_repeat = outbox.is_repeated(visit.link, visit.reviewer, post.words)
        problems = [Problem("", Reason.SAME_WORDS, sets=("repeat", "1"))] if is_repeat else []
    if problems or post.words is None:
        first, _key = outbox.find_attempt(visit.link, key)  # another press of this form may have begun it meanwhile
        if first is not None:
            return _render_earlier_post(visit, first)
        return _render_post_problems(visit, forms.Post(post.typed, problems, None, post.hold))
    reviewer = visit.reviewer or reviewers.create_reviewer(visit.link, post.words.user_name, key)
    reviewers.rename(reviewer, post.words.user_name)
    write = outbox.submit(visit.link, reviewer, key, post.words, hold=post.hold)
    return _render_with_cookie(visit, reviewer, write)


def _render_earlier_post(visit: Visit, write: Write) -> HttpResponse:
    """The response to a form that was sent before; a browser without a cookie gets its reviewer's cookie again."""
    if responses.wants_part(visit.request):  # script asks for a hold, which is not over
        writes.wait_for_answer(write)
    else:
        outbox.finish_attempt(write)
    if visit.state not in READABLE:
        return _add_headers(responses.render_outcome(visit, write), write)
    return _render_with_cookie(visit, _get_writer(visit, write), write)


def _get_writer(visit: Visit, write: Write) -> Reviewer:
    """The reviewer who sent the write."""
    return visit.reviewer or Reviewer.objects.select_related("link").get(pk=write.author)


def _render_with_cookie(visit: Visit, reviewer: Reviewer, write: Write) -> HttpResponse:
    visit.reviewer = reviewer
    response = _render_posted(visit.again(), write)
    reviewers.set_cookie(response, reviewer)
    return response


def check_rate(visit: Visit, *, is_decision: bool = False) -> list[Problem]:
    """Check the limits per reviewer and per network, which keep a script from using up the video's 30 comments.

    Of decisions and of new reviewers, a network has so many on a link in a day.
    """
    link, network = visit.link.pk, network_of(address_of(visit.request))
    caller = visit.reviewer.pk if visit.reviewer else caller_of(address_of(visit.request))
    limits = [
        (f"review-post:{link}:{caller}", rules.POSTS_PER_REVIEWER),
        (f"review-posts:{network}", rules.POSTS_PER_NETWORK),
    ]
    if visit.reviewer is None:
        limits.append((f"review-new:{link}:{network}", rules.NEW_REVIEWERS_PER_NETWORK))
    if is_decision:
        if visit.reviewer is not None:
            limits.append((f"review-decide:{visit.reviewer.pk}", rules.DECISIONS_PER_REVIEWER))
        limits.append((f"review-decide:{link}:{network}", rules.DECISIONS_PER_NETWORK))
        limits.append((f"review-decide:{link}", rules.DECISIONS_PER_LINK))
    wait = wait_for_all(*limits)
    return [Problem("", Reason.TOO_OFTEN, limit=wait)] if wait else []


def _render_post_problems(visit: Visit, post: forms.Post) -> HttpResponse:
    if responses.wants_part(visit.request):
        return responses.render_problems(visit.request, post.problems)
    status = responses.STATUS_OF.get(post.problems[0].reason, 422)
    if post.problems[0].reason in (Reason.LINK_EXPIRED, Reason.LINK_INACTIVE):
        return responses.render_closed(visit, visit.state, text=post.typed.get("text", ""))
    composer = responses.build_refused_composer(visit, post)
    parent = responses.find_thread(visit, composer.reply_to)
    if parent is not None:
        return responses.render_room(visit, status=status, forms={parent: responses.render_reply_form(visit, composer)})
    return responses.render_room(visit, status=status, composer=composer)


def _render_posted(visit: Visit, write: Write) -> HttpResponse:
    if responses.wants_part(visit.request):
        is_sent = write.state == State.DONE and visit.state == LinkState.OPEN
        part = (
            responses.render_live(visit, parse_version(visit.request.POST.get("v", "")))
            if is_sent
            else responses.render_outbox(visit)
        )
        return _add_headers(part, write)
    return redirect(f"/{visit.link.pk}#{_get_anchor(write)}")


def _add_headers(response: HttpResponse, write: Write) -> HttpResponse:
    """Add the write's key and state to the response headers."""
    response.headers[responses.ATTEMPT] = str(write.key)
    response.headers[responses.STATE] = str(write.state)
    return response


def _get_anchor(write: Write) -> str:
    """The fragment of the write on the page: its comment once there is one, else the outbox."""
    comment_id = get_comment_id(write)
    if comment_id is None or write.state != State.DONE:
        return "outbox"
    whole = not write.request.get("reply_to")
    return f"c-{comment_id}" if whole else f"c-{str(comment_id)[:8]}"


def _change(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Resolve, reopen, edit or withdraw one comment of this link.

    A form that was sent before gets its result, before anything is checked.
    """
    visit = load_visit(request, link_id, KNOWN)
    if isinstance(visit, HttpResponse):
        return visit
    first, key = outbox.find_attempt(visit.link, forms.read_key(request.POST, comment_id))
    if visit.state != LinkState.OPEN and first is None:
        return render_refusal(visit, visit.state)
    comment = Comment.objects.select_related("link").filter(link=visit.link, comment_id=comment_id).first()
    if comment is None:
        raise Http404
    if first is not None:
        return _render_earlier_change(visit, comment, first)
    status = forms.read_status(request.POST)
    if status is not None:
        return _set_status(visit, comment, key, status)
    return _edit(visit, comment, key)


def _render_earlier_change(visit: Visit, comment: Comment, write: Write) -> HttpResponse:
    """The answer to a form that was sent before."""
    outbox.finish_attempt(write)
    if visit.state not in READABLE:
        return _add_headers(responses.render_outcome(visit, write), write)
    return _render_change_with_cookie(visit, _get_writer(visit, write), comment, write)


def _render_refused_change(
    visit: Visit, comment: Comment, key: uuid.UUID, problems: list[Problem], edited: Comment | None
) -> HttpResponse:
    """What is wrong with a change, unless another press of its form has begun it meanwhile. `asked`: its form is open."""
    first, _key = outbox.find_attempt(visit.link, key)
    return (
        _render_change_problems(visit, problems, edited)
        if first is None
        else _render_earlier_change(visit, comment, first)
    )


def _render_change_with_cookie(visit: Visit, reviewer: Reviewer, comment: Comment, write: Write) -> HttpResponse:
    following = _find_next_open(visit, comment) if visit.request.POST.get("status", "").endswith("-next") else None
    visit.reviewer = reviewer
    response = _render_changed(visit.again(), comment, write, following)
    reviewers.set_cookie(response, reviewer)
    return response


def _set_status(visit: Visit, comment: Comment, key: uuid.UUID, status: CommentStatus) -> HttpResponse:
    reason = rules.why_no_status(visit.link, visit.now)
    problems = [Problem("", reason)] if reason else check_rate(visit)
    if problems:
        return _render_refused_change(visit, comment, key, problems, None)
    reviewer = visit.reviewer or reviewers.create_reviewer(visit.link, "", key)
    write = outbox.change(comment, reviewer, key, {"status": status.value})
    return _render_change_with_cookie(visit, reviewer, comment, write)


def _find_next_open(visit: Visit, comment: Comment) -> uuid.UUID | None:
    """The next open thread after this one, in the order of time; the first one after the last."""
    others = [t.first for t in visit.threads if t.is_open and t.first.comment_id != comment.comment_id]
    later = [first for first in others if first.time >= comment.time]
    return next((first.comment_id for first in later or others), None)


def _edit(visit: Visit, comment: Comment, key: uuid.UUID) -> HttpResponse:
    reason = rules.why_no_writing(visit.link, visit.now)
    if reason is None and not forms.is_by(comment, visit.reviewer):
        reason = Reason.NOT_YOURS
    if reason is not None or visit.reviewer is None:
        return _render_change_problems(visit, [Problem("", reason or Reason.NOT_YOURS)])
    edit = _read_changes(visit, comment)
    if edit.problems:
        return _render_refused_change(visit, comment, key, edit.problems, comment)
    write = outbox.change(comment, visit.reviewer, key, edit.changes, beside=edit.beside)
    return _render_change_with_cookie(visit, visit.reviewer, comment, write)


def _read_changes(visit: Visit, comment: Comment) -> forms.EditPost:
    data = visit.request.POST
    if problems := check_rate(visit):
        return forms.EditPost(data, problems)
    if data.get("withdraw") == "1":
        may_resolve = rules.why_no_status(visit.link, visit.now) is None
        changes = forms.build_withdrawal(comment, messages.get_withdrawal_text(), may_resolve=may_resolve)
        return forms.EditPost(data, [], changes, {"drawing": None})
    return forms.read_edit(comment, data, stills=outbox.get_stills_address(visit.request, visit.link))


def _render_change_problems(visit: Visit, problems: list[Problem], comment: Comment | None = None) -> HttpResponse:
    """The response to a change with problems: nothing was sent."""
    if responses.wants_part(visit.request):
        return responses.render_problems(visit.request, problems)
    status = responses.STATUS_OF.get(problems[0].reason, 422)
    if problems[0].reason in (Reason.LINK_EXPIRED, Reason.LINK_INACTIVE):
        return responses.render_closed(visit, visit.state, text=visit.request.POST.get("text", ""))
    message = " ".join(messages.describe_problem(problem) for problem in problems)
    forms_html = responses.render_edit(visit, comment, message) if comment else {}
    return responses.render_room(visit, status=status, forms=forms_html, message="" if forms_html else message)


def _render_changed(visit: Visit, comment: Comment, write: Write, following: uuid.UUID | None) -> HttpResponse:
    """The response to a change; one that did not arrive is explained at its form, with everything typed."""
    message = messages.describe_write(write) if write.state != State.DONE else ""
    status = _get_status(write)
    open_here = visit.state == LinkState.OPEN
    if responses.wants_part(visit.request) and not open_here:
        return _add_headers(responses.render_outbox(visit, status=status), write)
    if responses.wants_part(visit.request):
        part = responses.render_live(
            visit, parse_version(visit.request.POST.get("v", "")), status=status, errors=(message,) if message else ()
        )
        return _add_headers(part, write)
    if write.state == State.REFUSED and open_here:
        writes.dismiss(write)  # the form is open again with everything typed: its card would be the same once more
        visit = visit.again()
        forms_html = responses.render_edit(visit, comment, message) if "text" in visit.request.POST else {}
        return responses.render_room(visit, status=status, forms=forms_html, message="" if forms_html else message)
    resolved = write.request["changes"] == {"status": CommentStatus.RESOLVED}
    hidden = write.state == State.DONE and resolved and not visit.link.show_resolved
    query = f"?resolved={comment.comment_id}" if hidden else ""
    anchor = following or (None if hidden else comment.reply_to or comment.comment_id)
    return redirect(f"/{visit.link.pk}{query}" + (f"#c-{anchor}" if anchor else "#talk"))


def _get_status(write: Write) -> int:
    """The status of an answer about a change: 202 while its end is not known."""
    if write.state == State.DONE:
        return 200
    if write.state != State.REFUSED:
        return 202
    return {"NotAllowed": 403, "Missing": 404}.get(write.reason, 422)


@require_POST
def submission(request: HttpRequest, link_id: uuid.UUID, key: uuid.UUID) -> HttpResponse:
    """Send a held write now, undo it, send it once more, say that it arrived, or discard it."""
    visit = load_visit(request, link_id, READABLE)
    if isinstance(visit, HttpResponse):
        return visit
    write = writes.find(str(visit.link.pk), key)
    if write is None or visit.reviewer is None or write.author != str(visit.reviewer.pk):
        raise Http404
    attempt = request.POST.get("attempt", "")  # a second press of a form is about an attempt that is over
    if not attempt or attempt == str(write.attempt) or request.POST.get("do") != "again":
        write = _act(write, request.POST.get("do", ""))
    writes.wait_for_answer(write)  # of the press that sends it
    visit = visit.again()
    if responses.wants_part(request):
        return _add_headers(responses.render_live(visit, parse_version(request.POST.get("v", ""))), write)
    if write.state == State.CANCELLED:
        return redirect(f"/{link_id}?again={write.key}#composer")
    return redirect(f"/{link_id}#{_get_anchor(write)}")


def _act(write: Write, what: str) -> Write:
    if what == "send":
        return writes.deliver(write)
    if what == "again":
        return outbox.send_again(write)
    acts = {"undo": writes.cancel, "confirm": writes.confirm, "dismiss": writes.dismiss}
    if what not in acts:
        raise Http404
    acts[what](write)
    return write
