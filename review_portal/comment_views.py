"""Writing on a link: post, answer, edit, resolve, withdraw, and what becomes of an attempt on its way."""

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.shared.proxies import address_of
from dashboard.shared.rate_limit import caller_of, network_of, wait_for
from dashboard.writes import outbox as writes
from dashboard.writes.models import State, Write
from review_portal import forms, inline_forms, messages, outbox, responses, reviewers, rules, views
from review_portal.access import KNOWN, READABLE, load_visit, render_refusal
from review_portal.context import Visit, parse_filter, parse_version
from review_portal.models import Comment, Reviewer
from review_portal.rules import LinkState, Problem, Reason
from review_portal.writes import get_comment_id


@require_http_methods(["GET", "POST"])
def comments(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """One address: POST posts, everything else asks what is new."""
    return _post(request, link_id) if request.method == "POST" else views.poll(request, link_id)


@require_http_methods(["GET", "POST"])
def comment(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """One address: POST changes the comment, everything else leads to it."""
    if request.method == "POST":
        return _change(request, link_id, comment_id)
    return views.permalink(request, link_id, comment_id)


def _post(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Post a comment or a reply: held for a few seconds where script asks for it, else sent at once.

    A form that was sent before is answered with what became of it, before anything is checked.
    """
    here = load_visit(request, link_id, KNOWN)
    if isinstance(here, HttpResponse):
        return here
    here.choice = parse_filter(request.POST)
    first, key = outbox.find_attempt(here.link, forms.read_key(request.POST))
    if first is not None:
        return _render_earlier_post(here, first)
    if here.state not in READABLE:
        return render_refusal(here, here.state)
    sent = forms.read_post(here.link, request.POST)
    stopped = rules.why_no_comment(here.link, here.now)
    problems = [Problem("", stopped)] if stopped else sent.problems or check_rate(here)
    if not problems and sent.words and request.POST.get("repeat") != "1":
        said_before = outbox.is_repeated(here.link, here.reviewer, sent.words)
        problems = [Problem("", Reason.SAME_WORDS, sets=("repeat", "1"))] if said_before else []
    if problems or sent.words is None:
        first, _key = outbox.find_attempt(here.link, key)  # another press of this form may have begun it meanwhile
        if first is not None:
            return _render_earlier_post(here, first)
        return _render_post_problems(here, forms.Post(sent.typed, problems, None, sent.hold))
    reviewer = here.reviewer or reviewers.create_reviewer(here.link, sent.words.user_name, key)
    reviewers.rename(reviewer, sent.words.user_name)
    write = outbox.submit(here.link, reviewer, key, sent.words, hold=sent.hold)
    return _render_with_cookie(here, reviewer, write)


def _render_earlier_post(here: Visit, write: Write) -> HttpResponse:
    """The answer to a form that was sent before; whoever has no cookie yet gets the one that its answer carried."""
    if responses.wants_part(here.request):  # script asks for a hold, which is not over
        writes.wait_for_answer(write)
    else:
        outbox.finish_attempt(write)
    if here.state not in READABLE:
        return _add_headers(responses.render_outcome(here, write), write)
    return _render_with_cookie(here, _get_writer(here, write), write)


def _get_writer(here: Visit, write: Write) -> Reviewer:
    """Who sent a form before."""
    return here.reviewer or Reviewer.objects.select_related("link").get(pk=write.author)


def _render_with_cookie(here: Visit, reviewer: Reviewer, write: Write) -> HttpResponse:
    here.reviewer = reviewer
    response = _render_posted(here.again(), write)
    reviewers.set_cookie(response, reviewer)
    return response


def check_rate(here: Visit) -> list[Problem]:
    """Per reviewer and per network: a script gone wild does not use up the video's thirty comments."""
    who = here.reviewer.pk if here.reviewer else caller_of(address_of(here.request))
    network = network_of(address_of(here.request))
    for key, (limit, seconds) in (
        (f"review-post:{here.link.pk}:{who}", rules.POSTS_PER_REVIEWER),
        (f"review-posts:{network}", rules.POSTS_PER_NETWORK),
    ):
        wait = wait_for(key, limit=limit, seconds=seconds)
        if wait:
            return [Problem("", Reason.TOO_OFTEN, limit=wait)]
    return []


def _render_post_problems(here: Visit, post: forms.Post) -> HttpResponse:
    if responses.wants_part(here.request):
        return responses.render_problems(here.request, post.problems)
    status = responses.STATUS_OF.get(post.problems[0].reason, 422)
    if post.problems[0].reason in (Reason.LINK_EXPIRED, Reason.LINK_INACTIVE):
        return responses.render_closed(here, rules.state_of(here.link, here.now), kept=post.typed.get("text", ""))
    composer = responses.build_refused_composer(here, post)
    parent = inline_forms.find_thread(here, composer.reply_to)
    if parent is not None:
        return responses.render_room(here, status=status, forms={parent: responses.render_reply_form(here, composer)})
    return responses.render_room(here, status=status, composer=composer)


def _render_posted(here: Visit, write: Write) -> HttpResponse:
    if responses.wants_part(here.request):
        sent = write.state == State.DONE and here.state == LinkState.OPEN
        part = (
            responses.render_live(here, parse_version(here.request.POST.get("v", "")))
            if sent
            else responses.render_outbox(here)
        )
        return _add_headers(part, write)
    return redirect(f"/{here.link.pk}#{_get_anchor(write)}")


def _add_headers(response: HttpResponse, write: Write) -> HttpResponse:
    """The attempt and how it stands, in the answer's headers."""
    response.headers[responses.ATTEMPT] = str(write.key)
    response.headers[responses.STATE] = str(write.state)
    return response


def _get_anchor(write: Write) -> str:
    """Where on the page it is: its comment once there is one, else the outbox."""
    comment_id = get_comment_id(write)
    if comment_id is None or write.state != State.DONE:
        return "outbox"
    whole = not write.request.get("reply_to")
    return f"c-{comment_id}" if whole else f"c-{str(comment_id)[:8]}"


def _change(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Resolve, reopen, edit or withdraw one comment of this link.

    A form that was sent before is answered with what became of it, before anything is checked.
    """
    here = load_visit(request, link_id, KNOWN)
    if isinstance(here, HttpResponse):
        return here
    here.choice = parse_filter(request.POST)
    first, key = outbox.find_attempt(here.link, forms.read_key(request.POST, comment_id))
    if here.state != LinkState.OPEN and first is None:
        return render_refusal(here, here.state)
    comment = Comment.objects.select_related("link").filter(link=here.link, comment_id=comment_id).first()
    if comment is None:
        raise Http404
    if first is not None:
        return _render_earlier_change(here, comment, first)
    status = forms.read_status(request.POST)
    if status is not None:
        return _set_status(here, comment, key, status)
    return _edit(here, comment, key)


def _render_earlier_change(here: Visit, comment: Comment, write: Write) -> HttpResponse:
    """The answer to a form that was sent before."""
    outbox.finish_attempt(write)
    if here.state not in READABLE:
        return _add_headers(responses.render_outcome(here, write), write)
    return _render_change_with_cookie(here, _get_writer(here, write), comment, write)


def _render_refused_change(
    here: Visit, comment: Comment, key: uuid.UUID, problems: list[Problem], asked: Comment | None
) -> HttpResponse:
    """What is wrong with a change, unless another press of its form has begun it meanwhile. `asked`: its form is open."""
    first, _key = outbox.find_attempt(here.link, key)
    return (
        _render_change_problems(here, problems, asked)
        if first is None
        else _render_earlier_change(here, comment, first)
    )


def _render_change_with_cookie(here: Visit, reviewer: Reviewer, comment: Comment, write: Write) -> HttpResponse:
    following = _find_next_open(here, comment) if here.request.POST.get("status", "").endswith("-next") else None
    here.reviewer = reviewer
    response = _render_changed(here.again(), comment, write, following)
    reviewers.set_cookie(response, reviewer)
    return response


def _set_status(here: Visit, comment: Comment, key: uuid.UUID, status: CommentStatus) -> HttpResponse:
    stopped = rules.why_no_status(here.link, here.now)
    problems = [Problem("", stopped)] if stopped else check_rate(here)
    if problems:
        return _render_refused_change(here, comment, key, problems, None)
    reviewer = here.reviewer or reviewers.create_reviewer(here.link, "", key)
    write = outbox.change(comment, reviewer, key, {"status": status.value})
    return _render_change_with_cookie(here, reviewer, comment, write)


def _find_next_open(here: Visit, comment: Comment) -> uuid.UUID | None:
    """The next open thread after this one, in the order of time; the first one after the last."""
    others = [t.first for t in here.threads if t.is_open and t.first.comment_id != comment.comment_id]
    later = [first for first in others if first.time >= comment.time]
    return next((first.comment_id for first in later or others), None)


def _edit(here: Visit, comment: Comment, key: uuid.UUID) -> HttpResponse:
    stopped = rules.why_no_writing(here.link, here.now)
    if stopped is None and not forms.is_by(comment, here.reviewer):
        stopped = Reason.NOT_YOURS
    if stopped is not None or here.reviewer is None:
        return _render_change_problems(here, [Problem("", stopped or Reason.NOT_YOURS)])
    problems, sent = _read_changes(here, comment)
    if problems:
        return _render_refused_change(here, comment, key, problems, comment)
    return _render_change_with_cookie(here, here.reviewer, comment, outbox.change(comment, here.reviewer, key, sent))


def _read_changes(here: Visit, comment: Comment) -> tuple[list[Problem], dict[str, Any]]:
    data = here.request.POST
    if problems := check_rate(here):
        return problems, {}
    if data.get("withdraw") == "1":
        may_resolve = rules.why_no_status(here.link, here.now) is None
        return [], forms.build_withdrawal(comment, messages.get_withdrawal_text(), may_resolve=may_resolve)
    edit = forms.read_edit(comment, data)
    return edit.problems, edit.changes


def _render_change_problems(here: Visit, problems: list[Problem], comment: Comment | None = None) -> HttpResponse:
    """A refusal before anything left."""
    if responses.wants_part(here.request):
        return responses.render_problems(here.request, problems)
    status = responses.STATUS_OF.get(problems[0].reason, 422)
    if problems[0].reason in (Reason.LINK_EXPIRED, Reason.LINK_INACTIVE):
        return responses.render_closed(
            here, rules.state_of(here.link, here.now), kept=here.request.POST.get("text", "")
        )
    said = " ".join(messages.describe_problem(problem) for problem in problems)
    opened = inline_forms.render_edit(here, comment, said) if comment else {}
    return responses.render_room(here, status=status, forms=opened, said="" if opened else said)


def _render_changed(here: Visit, comment: Comment, write: Write, following: uuid.UUID | None) -> HttpResponse:
    """How a change ended; what did not arrive is said where it was asked, with what was typed."""
    said = messages.describe_write(write) if write.state != State.DONE else ""
    status = _get_status(write)
    open_here = here.state == LinkState.OPEN
    if responses.wants_part(here.request) and not open_here:
        return _add_headers(responses.render_outbox(here, status=status), write)
    if responses.wants_part(here.request):
        part = responses.render_live(
            here, parse_version(here.request.POST.get("v", "")), status=status, errors=(said,) if said else ()
        )
        return _add_headers(part, write)
    if write.state == State.REFUSED and open_here:
        writes.dismiss(write)  # the form is open again with everything typed: its card would be the same once more
        here = here.again()
        opened = inline_forms.render_edit(here, comment, said) if "text" in here.request.POST else {}
        return responses.render_room(here, status=status, forms=opened, said="" if opened else said)
    resolved = write.request["changes"] == {"status": CommentStatus.RESOLVED}
    hidden = write.state == State.DONE and resolved and not here.link.show_resolved
    query = f"?resolved={comment.comment_id}" if hidden else ""
    anchor = following or (None if hidden else comment.reply_to or comment.comment_id)
    return redirect(f"/{here.link.pk}{query}" + (f"#c-{anchor}" if anchor else "#talk"))


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
    here = load_visit(request, link_id, READABLE)
    if isinstance(here, HttpResponse):
        return here
    here.choice = parse_filter(request.POST)
    write = writes.find(str(here.link.pk), key)
    if write is None or here.reviewer is None or write.author != str(here.reviewer.pk):
        raise Http404
    seen = request.POST.get("attempt", "")  # a second press of a form is about an attempt that is over
    if not seen or seen == str(write.attempt) or request.POST.get("do") != "again":
        write = _act(write, request.POST.get("do", ""))
    writes.wait_for_answer(write)  # of the press that sends it
    here = here.again()
    if responses.wants_part(request):
        return _add_headers(responses.render_live(here, parse_version(request.POST.get("v", ""))), write)
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
