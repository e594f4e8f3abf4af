"""The inbox over all links: its list, one row of it, what is sent from there, and the replies that an account saved."""

import json
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Final
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.core.exceptions import ObjectDoesNotExist
from django.http import Http404, HttpResponse, HttpResponseBadRequest
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.accounts import access
from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.platform_api.vocabulary import COMMENT_TEXT_MAX, CommentStatus
from dashboard.review_links import inbox_items, inbox_pages, tasks
from dashboard.review_links.inbox_items import PER_PAGE, Desk, InboxFilter, InboxShow, is_unread, parse_filter
from dashboard.review_links.inbox_pages import AnswerResult, InboxNotice, InboxUndo, StatusResult
from dashboard.review_links.models import PERSON_MAX, InboxItem, SavedAnswer
from dashboard.review_links.pages import format_so_far
from dashboard.review_links.tasks import NOTHING_LEFT, ImportProgress
from dashboard.shared.http import ROW_MOST, OwnerRequest, allow_media, unchanged, way_back, whole_number
from dashboard.shared.text import parse_uuid
from review_portal import decisions, owners, sync
from review_portal.messages import describe_problem
from review_portal.rules import check_text, normalize

SAVED_MOST = 50
"""Answers that an account can save: more than a menu can show helps nobody."""


class SavedAnswerForm(forms.Form):
    """A saved answer: what can be posted as a reply. One that was not changed since its page was opened is left as it is."""

    text = forms.CharField(
        label=gettext_lazy("Saved reply"),
        required=False,
        show_hidden_initial=True,
        widget=forms.Textarea(attrs={"rows": "3", "dir": "auto", "maxlength": str(COMMENT_TEXT_MAX)}),
    )

    def __init__(
        self, account: Account, data: Mapping[str, str] | None = None, answer: SavedAnswer | None = None
    ) -> None:
        initial = {"text": answer.text} if answer else None
        super().__init__(data, prefix=str(answer.pk) if answer else None, initial=initial)
        self.account, self.answer = account, answer

    @property
    def is_changed(self) -> bool:
        """Whether somebody typed here: a form that its page did not have is not changed."""
        return self.add_prefix("text") in self.data and self.has_changed()

    def clean_text(self) -> str:
        text = normalize(self.cleaned_data["text"])
        problems = check_text(text)
        if problems:
            raise forms.ValidationError([describe_problem(problem) for problem in problems])
        others = SavedAnswer.objects.filter(account=self.account)
        others = others.exclude(pk=self.answer.pk) if self.answer else others
        if others.filter(text=text).exists():
            raise forms.ValidationError(_("This reply is saved already."))
        if self.answer is None and others.count() >= SAVED_MOST:
            raise forms.ValidationError(_("Delete a saved reply first: there can be %(most)s.") % {"most": SAVED_MOST})
        return text

    def save(self) -> SavedAnswer:
        """Keep it, once though it is pressed twice at the same moment; what was changed stays in its place."""
        text = self.cleaned_data["text"]
        if self.answer is None:
            return SavedAnswer.objects.get_or_create(account=self.account, text=text)[0]
        self.answer.text = text
        self.answer.save()
        return self.answer


DELETED = "deleted_answer"
"""In the session: the words of the answer that was deleted last, which its page offers to put back."""


def change_text(request: OwnerRequest) -> tuple[str, str]:
    """The words of a reply's form after "insert" or "save" was pressed, and what to say of it."""
    typed = request.POST.get("text", "")
    if "insert" in request.POST:
        answer = _get_answer_or_404(request, whole_number(request.POST["insert"], ROW_MOST) or 0)
        return f"{typed.rstrip()} {answer.text}".strip(), ""
    form = SavedAnswerForm(request.account, {"text": typed})
    if not form.is_valid():
        return typed, " ".join(map(str, form.errors["text"]))
    form.save()
    return typed, _("Saved. You find it under “Saved replies”.")


@require_http_methods(["GET", "POST"])
def saved_answers(request: OwnerRequest) -> HttpResponse:
    """Every saved answer and a new one, in one form: whichever button is pressed, what was typed anywhere is kept.

    "delete" names one that goes, "restore" has the words of one that comes back.
    """
    if request.method == "GET":
        return _render(request, _build_forms(request.account))
    forms = _build_forms(request.account, request.POST)
    leaving = whole_number(request.POST.get("delete", ""), ROW_MOST)
    changed = [form for form in forms if form.is_changed and (form.answer is None or form.answer.pk != leaving)]
    if not changed and not {"delete", "restore"} & set(request.POST):
        changed = forms[:1]  # nothing was typed: the new one says what is missing
    if not _are_valid(changed):
        return _render(request, forms, changed, status=422)
    for form in changed:
        form.save()
    if "restore" in request.POST:
        _restore(request)
    if leaving is not None:
        _delete(request, leaving)
    elif changed:
        messages.success(request, _("Replies saved.") if len(changed) > 1 else _("Reply saved."))
    back = way_back(request, "")
    return redirect(reverse("review_links:saved_answers") + (f"?{urlencode({'next': back})}" if back else ""))


def _build_forms(account: Account, data: Mapping[str, str] | None = None) -> list[SavedAnswerForm]:
    """The form of a new answer, and one for each that is saved."""
    saved = SavedAnswer.objects.filter(account=account)
    return [SavedAnswerForm(account, data), *(SavedAnswerForm(account, data, answer) for answer in saved)]


def _are_valid(changed: list[SavedAnswerForm]) -> bool:
    """Whether all can be saved together: no two of them with the same words."""
    seen: set[str] = set()
    for form in changed:
        if form.is_valid() and form.cleaned_data["text"] in seen:
            form.add_error("text", _("This reply is saved already."))
        seen.add(form.cleaned_data.get("text", ""))
    return not any(form.errors for form in changed)


def _restore(request: OwnerRequest) -> None:
    form = SavedAnswerForm(request.account, {"text": request.POST["restore"]})
    if form.is_valid():  # it may be back already, or there is no room any more
        form.save()


def _delete(request: OwnerRequest, answer_id: int) -> None:
    answer = SavedAnswer.objects.filter(account=request.account, pk=answer_id).first()
    if answer is not None:  # a second press finds it gone
        answer.delete()
        request.session[DELETED] = answer.text


def _render(
    request: OwnerRequest, forms: list[SavedAnswerForm], changed: list[SavedAnswerForm] | None = None, status: int = 200
) -> HttpResponse:
    wrong = changed or []
    rows = [(form, list(form.errors.get("text", [])) if form in wrong else []) for form in forms]
    context = {
        "new": rows[0],
        "answers": rows[1:],
        "deleted": request.POST.get("restore", "") or request.session.pop(DELETED, ""),
        "back": way_back(request, reverse("review_links:inbox")),
        "most": COMMENT_TEXT_MAX,
    }
    return render(request, "review_links/saved_answers.html", context, status=status)


def _get_answer_or_404(request: OwnerRequest, answer_id: int) -> SavedAnswer:
    answer = SavedAnswer.objects.filter(account=request.account, pk=answer_id).first()
    if answer is None:
        raise Http404
    return answer


MERGED: Final = 4
"""Links whose comments are read anew beside a page, those not read for longest first."""
NOTICE: Final = "inbox_notice"
"""In the session: what the last action did, for the page it leads to."""
STATUSES: Final = {"resolve": CommentStatus.RESOLVED, "reopen": CommentStatus.OPEN}
OPPOSITE: Final = {"resolve": "reopen", "reopen": "resolve", "read": "unread", "unread": "read"}


@require_safe
def inbox(request: OwnerRequest) -> HttpResponse:
    """Comments and decisions of all links, as the address asks for them."""
    _refresh_some(request)
    progress = tasks.load_progress(request)
    return _render_inbox(request, _open_desk(request), parse_filter(request.GET), progress=progress)


@require_safe
def item(request: OwnerRequest, item_id: uuid.UUID) -> HttpResponse:
    """One row with its video and everything that was written; opening it is reading it."""
    if not request.htmx:
        _refresh_some(request)
    desk, criteria = _open_desk(request), parse_filter(request.GET)
    opened = _get_item_or_404(desk, item_id)
    _read(desk, opened)
    if request.htmx:
        return _render_detail(request, desk, criteria, opened, [opened])
    return _render_inbox(request, desk, criteria, opened)


@require_POST
def act(request: OwnerRequest) -> HttpResponse:
    """Resolve, reopen, or mark as read or unread: the rows that the form names."""
    name = request.POST.get("act", "")
    if name not in OPPOSITE:
        return HttpResponseBadRequest()
    desk, criteria = _open_desk(request), parse_filter(request.GET)
    picks = [pick for text in request.POST.getlist("pick")[:PER_PAGE] if (pick := parse_uuid(text))]
    items = list(desk.items().filter(item_id__in=picks).select_related("link"))
    if name in STATUSES:
        result = inbox_pages.set_statuses(
            request.account, items, STATUSES[name], request.POST.dict(), actor_of(request, request.account)
        )
        desk.mark_read(items)
        nothing = _("Nothing was changed.") if items else _("Select a comment first.")
        notice = _build_notice(name, result, nothing=nothing)
        inbox_items.refresh(request.account)
    else:
        (desk.mark_read if name == "read" else desk.mark_unread)(items)
        undo = InboxUndo(OPPOSITE[name], tuple(str(entry.item_id) for entry in items))
        notice = InboxNotice(_describe_marks(name, len(items)), undo if items else None)
    if request.htmx:
        return _render_changed(request, desk, criteria, items, notice)
    request.session[NOTICE] = asdict(notice)
    return redirect(_get_address_after(desk, criteria, name, parse_uuid(request.POST.get("from", ""))))


@require_POST
def answer(request: OwnerRequest, item_id: uuid.UUID) -> HttpResponse:
    """Answer a comment, answer and resolve it, or put a saved answer into the form; what is wrong comes back with it."""
    desk, criteria = _open_desk(request), parse_filter(request.GET)
    answered = _get_item_or_404(desk, item_id)
    if "insert" in request.POST or "save" in request.POST:
        text, message = change_text(request)
        return _render_typed(request, desk, criteria, answered, text, message)
    link = inbox_pages.find_answer_link(request.account, answered, request.POST.dict())
    if link is None:
        return _render_refused(request, desk, criteria, answered, {})
    actor = actor_of(request, request.account)
    result = inbox_pages.send_answer(request.account, answered, link, request.POST.dict(), actor)
    if result.problems:
        return _render_refused(request, desk, criteria, answered, result.problems)
    desk.mark_read([answered])
    inbox_items.refresh(request.account)
    return _lead_on(request, desk, criteria, _get_item_or_404(desk, item_id), result)


@require_POST
def read_all(request: OwnerRequest) -> HttpResponse:
    """Mark everything as read that the page of the form could know."""
    desk, criteria = _open_desk(request), parse_filter(request.GET)
    until = parse_datetime(request.POST.get("until", "")[:40])
    if until is None or timezone.is_naive(until):
        return HttpResponseBadRequest()
    desk.mark_all_read(until)
    request.session[NOTICE] = asdict(InboxNotice(_("Everything is marked as read.")))
    return redirect(criteria.address())


@require_safe
def news(request: OwnerRequest) -> HttpResponse:
    """204 while nobody else wrote anything; else a line that loads the list anew."""
    _refresh_some(request)
    inbox_items.refresh(request.account)
    if request.GET.get("v") == inbox_items.load_heard(request.account):
        return unchanged()
    criteria = parse_filter(request.GET)
    return render(request, "review_links/_news.html", {"address": criteria.address(page=criteria.page), "poll": ""})


def _open_desk(request: OwnerRequest) -> Desk:
    inbox_items.refresh(request.account)
    person = str(request.session.get(access.PERSON) or "")[:PERSON_MAX]
    return Desk(request.account, person, timezone.now())


def _get_item_or_404(desk: Desk, item_id: uuid.UUID) -> InboxItem:
    try:
        return desk.find_item(item_id)
    except ObjectDoesNotExist as error:
        raise Http404 from error


def _read(desk: Desk, opened: InboxItem) -> None:
    """Opened is read; a reviewer whose decision it is will see that the owner saw it."""
    if is_unread(opened):
        desk.mark_read([opened])
        opened.read_at = opened.news_at  # type: ignore[attr-defined]  # as the query would say now
    if opened.is_decision:
        decisions.mark_seen(opened.link, opened.item_id)


def _lead_on(
    request: OwnerRequest, desk: Desk, criteria: InboxFilter, answered: InboxItem, result: AnswerResult
) -> HttpResponse:
    """After an answer: the next row where it was resolved too, else the same with the answer in it."""
    following = desk.find_next(criteria, answered) if result.status else answered
    message = _("Reply posted.") if result.arrived else _("Your reply is saved here and will be sent automatically.")
    status = _build_notice("resolve", result.status) if result.status else InboxNotice("")
    notice = InboxNotice(f"{message} {status.said}".strip(), status.undo, str(answered.item_id))
    address = criteria.item_address(following.item_id) if following else criteria.address()
    if not request.htmx:
        request.session[NOTICE] = asdict(notice)
        return redirect(f"{address}#thread")
    if following is not None:
        _read(desk, following)
    changed = [answered, *([following] if following and following is not answered else [])]
    response = _render_detail(request, desk, criteria, following, changed, notice)
    response.headers["HX-Trigger"] = json.dumps({"inbox:sent": {"item": str(answered.item_id)}})
    return response


def _get_address_after(desk: Desk, criteria: InboxFilter, name: str, opened: uuid.UUID | None) -> str:
    """Where an action leads without script: from an open row to the next one, to itself, or back to the list."""
    if opened is None or name == "unread":
        return criteria.address(page=criteria.page)
    opened_item = _get_item_or_404(desk, opened)
    if name != "resolve":
        return criteria.item_address(opened)
    following = desk.find_next(criteria, opened_item)
    return criteria.item_address(following.item_id) if following else criteria.address()


def _build_notice(name: str, result: StatusResult, *, nothing: str = "") -> InboxNotice:
    """What became of resolving or reopening several, in sentences, with its undo; `nothing`: what is said if it was none."""
    parts = []
    if count := len(result.changed):
        parts.append(
            ngettext("Resolved %(count)s comment.", "Resolved %(count)s comments.", count) % {"count": count}
            if name == "resolve"
            else ngettext("Reopened %(count)s comment.", "Reopened %(count)s comments.", count) % {"count": count}
        )
    if count := len(result.waiting):
        sentence = ngettext(
            "%(count)s change is saved here and will be sent automatically.",
            "%(count)s changes are saved here and will be sent automatically.",
            count,
        )
        parts.append(sentence % {"count": count})
    for reason, count in result.reasons.items():
        sentence = ngettext("%(count)s not changed: %(reason)s", "%(count)s not changed: %(reason)s", count)
        parts.append(sentence % {"count": count, "reason": reason})
    undo = InboxUndo(OPPOSITE[name], tuple(str(entry.item_id) for entry in result.sent)) if result.sent else None
    return InboxNotice(" ".join(parts) or nothing, undo)


def _describe_marks(name: str, count: int) -> str:
    values = {"count": count}
    if not count:
        return _("Select a comment first.")
    if name == "read":
        return ngettext("Marked %(count)s as read.", "Marked %(count)s as read.", count) % values
    return ngettext("Marked %(count)s as unread.", "Marked %(count)s as unread.", count) % values


def _render_inbox(
    request: OwnerRequest,
    desk: Desk,
    criteria: InboxFilter,
    opened: InboxItem | None = None,
    part: "inbox_pages.ItemDetail | None" = None,
    message: str = "",
    status: int = 200,
    progress: ImportProgress = NOTHING_LEFT,
) -> HttpResponse:
    """The whole page; `opened` is its open row, `part` what is shown of it where that is not as it was read."""
    counts = desk.count(criteria)
    totals = desk.count(InboxFilter()) if criteria.narrows else counts
    last_page = max(1, -(-counts[criteria.show] // PER_PAGE))
    place = desk.count_before(criteria, opened) if opened and not criteria.page else 0
    page = min(criteria.page or place // PER_PAGE + 1, last_page)
    rows = desk.load_page(criteria, page)
    part = part or (inbox_pages.build_detail(request, desk, criteria, opened) if opened else None)
    so_far = format_so_far(tasks.begin(request.account))
    page_of_rows = inbox_pages.build_list(
        desk, criteria, rows, counts, totals, page, opened, *inbox_items.load_choices(request.account), progress, so_far
    )
    notice = request.session.pop(NOTICE, None) or asdict(InboxNotice(message))
    context = {"list": page_of_rows, "detail": part, "notice": notice, "poll": _build_poll(request, criteria)}
    response = render(request, "review_links/inbox.html", context, status=status)
    stills = {row.still for row in page_of_rows.rows}
    return allow_media(response, *stills, *(part.film.addresses if part else ()))


def _refresh_some(request: OwnerRequest) -> None:
    """Have new comments of a few links brought in beside this page, whose poll tells of them."""
    if sync.is_readable():
        tasks.refresh_some(owners.list_quiet_links(request.account, MERGED * MERGED), MERGED)


def _build_poll(request: OwnerRequest, criteria: InboxFilter) -> str:
    query = criteria.build_query(page=criteria.page)
    return f"{inbox_items.get_news_address()}{query}{'&' if query else '?'}v={inbox_items.load_heard(request.account)}"


def _render_detail(
    request: OwnerRequest,
    desk: Desk,
    criteria: InboxFilter,
    opened: InboxItem | None,
    changed: Sequence[InboxItem],
    notice: InboxNotice | None = None,
    status: int = 200,
    part: "inbox_pages.ItemDetail | None" = None,
) -> HttpResponse:
    """The open row for a script, with the rows and counts that changed."""
    part = part or (inbox_pages.build_detail(request, desk, criteria, opened) if opened else None)
    context = {"detail": part, "list": None, **_build_changes(desk, criteria, changed, opened), "notice": notice}
    response = render(request, "review_links/_inbox_opened.html", context, status=status)
    return allow_media(response, *(part.film.addresses if part else ()))


def _render_changed(
    request: OwnerRequest, desk: Desk, criteria: InboxFilter, items: Sequence[InboxItem], notice: InboxNotice
) -> HttpResponse:
    """What an action changed, each part for its own place in the page."""
    opened_id = parse_uuid(request.POST.get("open", ""))
    ids = [entry.item_id for entry in items]
    rows = list(desk.items().filter(item_id__in=ids).select_related("link"))
    opened = next((entry for entry in rows if entry.item_id == opened_id), None)
    context = {
        **_build_changes(desk, criteria, rows, opened),
        "notice": notice,
        "detail": inbox_pages.build_detail(request, desk, criteria, opened) if opened else None,
        "undone": "undo" in request.POST,
    }
    return render(request, "review_links/_inbox_changed.html", context)


def _build_changes(
    desk: Desk, criteria: InboxFilter, items: Sequence[InboxItem], current: InboxItem | None
) -> Mapping[str, object]:
    counts = desk.count(criteria)
    totals = desk.count(InboxFilter()) if criteria.narrows else counts
    reading = tasks.begin(desk.account)
    return {
        "rows": tuple(inbox_pages.build_row(entry, criteria, desk.now, current) for entry in items),
        "chips": inbox_pages.build_chips(criteria, counts, is_partial=reading is not None),
        "act": inbox_pages.get_act_address(criteria),
        "meta": inbox_pages.format_totals(totals, format_so_far(reading)),
        "unanswered": inbox_pages.build_count(totals[InboxShow.UNANSWERED], is_partial=reading is not None),
    }


def _render_typed(
    request: OwnerRequest, desk: Desk, criteria: InboxFilter, opened: InboxItem, text: str, message: str
) -> HttpResponse:
    """The same row with other words in its form."""
    part = inbox_pages.build_detail(request, desk, criteria, opened, inserted=text)
    if request.htmx:
        return _render_detail(request, desk, criteria, opened, [], InboxNotice(message) if message else None, part=part)
    return _render_inbox(request, desk, criteria, opened, part, message)


def _render_refused(
    request: OwnerRequest,
    desk: Desk,
    criteria: InboxFilter,
    opened: InboxItem,
    problems: Mapping[str, Sequence[str]],
) -> HttpResponse:
    """The form with everything typed and what is wrong with it."""
    message = " ".join(problems.get("", ())) or _("The reply was not sent yet.")
    part = inbox_pages.build_detail(request, desk, criteria, opened, problems or {"": (message,)})
    if request.htmx:
        return _render_detail(request, desk, criteria, opened, [], None, 422, part)
    return _render_inbox(request, desk, criteria, opened, part, message, status=422)
