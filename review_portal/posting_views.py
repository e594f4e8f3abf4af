"""Writing on a link: post, answer, edit, resolve, withdraw, and what becomes of an attempt on its way."""

import uuid
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import CommentStatus
from dashboard.shared.proxies import address_of
from dashboard.shared.rate_limit import caller_of, network_of, wait_for
from review_portal import answers, asked_forms, changes, forms, outbox, reviewers, rules, sentences, views
from review_portal.models import Comment, State, Submission
from review_portal.rules import Problem, Reason
from review_portal.views import arrive
from review_portal.visits import Visit, choice_of, version_of


@require_http_methods(["GET", "POST"])
def comments(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """One address: POST posts, everything else asks what is new."""
    return post(request, link_id) if request.method == "POST" else views.poll(request, link_id)


@require_http_methods(["GET", "POST"])
def comment(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """One address: POST changes the comment, everything else leads to it."""
    if request.method == "POST":
        return change(request, link_id, comment_id)
    return views.permalink(request, link_id, comment_id)


def post(request: HttpRequest, link_id: uuid.UUID) -> HttpResponse:
    """Post a comment or a reply: held for a few seconds where script asks for it, else sent at once."""
    here = arrive(request, link_id)
    if isinstance(here, HttpResponse):
        return here
    here.choice = choice_of(request.POST)
    sent = forms.read_post(here.link, request.POST)
    stopped = rules.why_no_comment(here.link, here.now)
    problems = [Problem("", stopped)] if stopped else sent.problems or _too_often(here)
    if problems or sent.words is None:
        return _not_posted(here, forms.Post(sent.typed, problems, None, sent.key, sent.hold))
    reviewer = here.reviewer or reviewers.welcome(here.link, sent.words.user_name)
    reviewers.rename(reviewer, sent.words.user_name)
    submission = outbox.submit(here.link, reviewer, sent.key, sent.words, hold=sent.hold)
    here.reviewer = reviewer
    response = _posted(here.again(), submission)
    reviewers.introduce(response, reviewer)
    return response


def _too_often(here: Visit) -> list[Problem]:
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


def _not_posted(here: Visit, post: forms.Post) -> HttpResponse:
    if answers.wants_part(here.request):
        return answers.problems_part(here.request, post.problems)
    status = answers.STATUS_OF.get(post.problems[0].reason, 422)
    if post.problems[0].reason in (Reason.LINK_EXPIRED, Reason.LINK_INACTIVE):
        return answers.closed(here, rules.state_of(here.link, here.now), kept=post.typed.get("text", ""))
    composer = answers.refused(here, post)
    parent = asked_forms.parent_of(here, composer.reply_to)
    if parent is not None:
        return answers.room(here, status=status, forms={parent: answers.reply_form(here, composer)})
    return answers.room(here, status=status, composer=composer)


def _posted(here: Visit, submission: Submission) -> HttpResponse:
    if answers.wants_part(here.request):
        sent = submission.state == State.SENT
        part = answers.live(here, version_of(here.request.POST.get("v", ""))) if sent else answers.outbox(here)
        part.headers[answers.ATTEMPT] = str(submission.key)
        return part
    return redirect(f"/{here.link.pk}#{_place(submission)}")


def _place(submission: Submission) -> str:
    """Where on the page the attempt is: its comment once there is one, else the outbox."""
    if submission.comment_id is None:
        return "outbox"
    whole = submission.reply_to is None
    return f"c-{submission.comment_id}" if whole else f"c-{str(submission.comment_id)[:8]}"


def change(request: HttpRequest, link_id: uuid.UUID, comment_id: uuid.UUID) -> HttpResponse:
    """Resolve, reopen, edit or withdraw one comment of this link."""
    here = arrive(request, link_id)
    if isinstance(here, HttpResponse):
        return here
    here.choice = choice_of(request.POST)
    comment = Comment.objects.select_related("link").filter(link=here.link, comment_id=comment_id).first()
    if comment is None:
        raise Http404
    status = forms.read_status(request.POST)
    if status is not None:
        return _set_status(here, comment, status)
    return _edit(here, comment)


def _set_status(here: Visit, comment: Comment, status: CommentStatus) -> HttpResponse:
    stopped = rules.why_no_status(here.link, here.now)
    problems = [Problem("", stopped)] if stopped else _too_often(here)
    if problems:
        return _not_changed(here, problems)
    reviewer = here.reviewer or reviewers.welcome(here.link, "")
    following = _next_open(here, comment) if here.request.POST.get("status", "").endswith("-next") else None
    try:
        changes.update(comment, reviewer, {"status": status.value})
    except errors.PlatformError as error:
        return _refused(here, error)
    here.reviewer = reviewer
    response = _changed(here.again(), comment, following, resolved=status == CommentStatus.RESOLVED)
    reviewers.introduce(response, reviewer)
    return response


def _next_open(here: Visit, comment: Comment) -> uuid.UUID | None:
    """The next open thread after this one, in the order of time; the first one after the last."""
    others = [t.first for t in here.threads if t.is_open and t.first.comment_id != comment.comment_id]
    later = [first for first in others if first.time >= comment.time]
    return next((first.comment_id for first in later or others), None)


def _edit(here: Visit, comment: Comment) -> HttpResponse:
    stopped = rules.why_no_writing(here.link, here.now)
    if stopped is None and not forms.is_by(comment, here.reviewer):
        stopped = Reason.NOT_YOURS
    if stopped is not None or here.reviewer is None:
        return _not_changed(here, [Problem("", stopped or Reason.NOT_YOURS)])
    problems, sent = _wanted(here, comment)
    if problems:
        return _not_changed(here, problems, comment)
    try:
        changes.update(comment, here.reviewer, sent)
    except errors.PlatformError as error:
        return _refused(here, error, comment)
    return _changed(here.again(), comment, None)


def _wanted(here: Visit, comment: Comment) -> tuple[list[Problem], dict[str, Any]]:
    data = here.request.POST
    too_often = _too_often(here)
    if too_often:
        return too_often, {}
    if data.get("withdraw") == "1":
        may_resolve = rules.why_no_status(here.link, here.now) is None
        return [], forms.withdrawal(comment, sentences.withdrawal(), may_resolve=may_resolve)
    edit = forms.read_edit(comment, data)
    return edit.problems, edit.changes


def _not_changed(here: Visit, problems: list[Problem], comment: Comment | None = None) -> HttpResponse:
    """A refusal before anything left."""
    if answers.wants_part(here.request):
        return answers.problems_part(here.request, problems)
    status = answers.STATUS_OF.get(problems[0].reason, 422)
    if problems[0].reason in (Reason.LINK_EXPIRED, Reason.LINK_INACTIVE):
        return answers.closed(here, rules.state_of(here.link, here.now), kept=here.request.POST.get("text", ""))
    said = " ".join(sentences.sentence(problem) for problem in problems)
    opened = asked_forms.edit(here, comment, said) if comment else {}
    return answers.room(here, status=status, forms=opened, said="" if opened else said)


def _refused(here: Visit, error: errors.PlatformError, comment: Comment | None = None) -> HttpResponse:
    """A refusal of the platform, or no answer: said where it was asked, with what was typed."""
    said, status = sentences.of_error(error), 502
    if isinstance(error, errors.NotAllowed | errors.Missing):
        status = 403 if isinstance(error, errors.NotAllowed) else 404
    elif isinstance(error, errors.Refused):
        status = 422
    elif isinstance(error, errors.Unreachable | errors.RateLimited):
        status = 503
    here = here.again()
    if answers.wants_part(here.request):
        return answers.live(here, version_of(here.request.POST.get("v", "")), status=status, errors=(said,))
    opened = asked_forms.edit(here, comment, said) if comment else {}
    return answers.room(here, status=status, forms=opened, said="" if opened else said)


def _changed(here: Visit, comment: Comment, following: uuid.UUID | None, *, resolved: bool = False) -> HttpResponse:
    if answers.wants_part(here.request):
        return answers.live(here, version_of(here.request.POST.get("v", "")))
    hidden = resolved and not here.link.show_resolved
    query = f"?resolved={comment.comment_id}" if hidden else ""
    anchor = following or (None if hidden else comment.reply_to or comment.comment_id)
    return redirect(f"/{here.link.pk}{query}" + (f"#c-{anchor}" if anchor else "#talk"))


@require_POST
def submission(request: HttpRequest, link_id: uuid.UUID, key: uuid.UUID) -> HttpResponse:
    """Send a held attempt now, take it back, look after an unconfirmed one, post it once more, or let it go."""
    here = arrive(request, link_id)
    if isinstance(here, HttpResponse):
        return here
    here.choice = choice_of(request.POST)
    mine = Submission.objects.select_related("link", "reviewer").filter(link=here.link, key=key)
    found = mine.filter(reviewer=here.reviewer).first() if here.reviewer else None
    if found is None:
        raise Http404
    _act(found, request.POST.get("do", ""))
    here = here.again()
    if answers.wants_part(request):
        return answers.live(here, version_of(request.POST.get("v", "")))
    if found.state == State.TAKEN_BACK:
        return redirect(f"/{link_id}?again={found.key}#composer")
    return redirect(f"/{link_id}#{_place(found)}")


def _act(found: Submission, what: str) -> None:
    if what == "send":
        outbox.send(found)
    elif what == "undo":
        outbox.take_back(found)
    elif what == "check":
        outbox.check(found)
    elif what == "again":
        outbox.again(found)
    elif what == "dismiss":
        outbox.dismiss(found)
    else:
        raise Http404
