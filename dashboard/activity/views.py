"""The activity log: who did what, before and after, and how it ended."""

import uuid
from datetime import date
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dashboard.activity import log, pages
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.pages import LoggedWrite
from dashboard.activity.recorder import UNDO, NotUndone, can_undo, list_names, name_of
from dashboard.platform_api import Rehearsed
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import csv, http, refusals
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.pages import WriteNotice, build_notice, version
from dashboard.writes.requests import is_current

EXPORTED_AT_MOST = 50_000


@require_safe
def activity(request: OwnerRequest) -> HttpResponse:
    """The log, filtered by the address, newest first."""
    log_filter = _parse_filter(request)
    after = log.find_entry(request.account.pk, request.GET.get("after", "")) if request.GET.get("after") else None
    rows, more = log.get_page(log.list_entries(request.account.pk, log_filter), after)
    context = {
        "rows": [LoggedWrite(row) for row in rows],
        "filter": log_filter,
        "query": urlencode(pages.build_query(log_filter)),
        "older": rows[-1].pk if more else None,
        "operations": [(operation, name_of(operation)) for operation in sorted(list_names(), key=name_of)],
        "outcomes": [(outcome, word) for outcome, (word, _shape) in pages.list_outcomes().items()],
        "people": [(name, name) for name in log.list_people(request.account.pk)],
        "days": settings.RETENTION_DAYS,
    }
    return render(request, "activity/activity.html", context)


@require_safe
def export(request: OwnerRequest) -> HttpResponse:
    """The same rows as a file."""
    log_filter = _parse_filter(request)
    rows = log.list_entries(request.account.pk, log_filter)[:EXPORTED_AT_MOST]
    text = csv.written(pages.CSV_HEADS, (pages.build_csv_row(entry) for entry in rows))
    return csv.download(text, csv.file_name("activity", log_filter.day.isoformat() if log_filter.day else ""))


@require_safe
def entry(request: OwnerRequest, entry_id: uuid.UUID) -> HttpResponse:
    """One write, field by field."""
    log_entry = _get_entry_or_404(request, entry_id)
    logged = LoggedWrite(log_entry)
    context = {"logged": logged, "write": None if logged.page else _build_open_notice(request, log_entry)}
    return render(request, "activity/entry.html", context)


def _build_open_notice(request: OwnerRequest, log_entry: Entry) -> WriteNotice | None:
    """What can still be done about a write that its feature has no page for; None where it is over."""
    write = pages.get_write(log_entry)
    if write is None or not write.shown or write.state in (State.DONE, State.CANCELLED):
        return None
    return build_notice(write, request.path)


@require_safe
def progress(request: OwnerRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The polled part of an open write: 204 while nothing changed, then its page anew."""
    logged = LoggedWrite(_get_entry_or_404(request, entry_id))
    return unchanged() if request.GET.get("v") == logged.version else go(request, "activity:entry", entry_id)


@require_http_methods(["GET", "POST"])
def undo(request: OwnerRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Send the opposite of a write, where the platform allows it; opened as an address, it leads to the entry."""
    log_entry = _get_entry_or_404(request, entry_id)
    if request.method == "GET":
        return redirect("activity:entry", log_entry.pk)
    if not can_undo(log_entry):
        raise Http404
    rehearse = http.is_dry_run(request)
    try:
        if rehearse:
            return _render_rehearsal(request, log_entry)
        undo_write = UNDO[log_entry.operation](request, log_entry)
    except NotUndone as why:
        messages.error(request, str(why))
    except PlatformError as error:
        explained = refusals.explain(error)
        messages.error(request, explained.whole)
    else:
        if undo_write is None or undo_write.state == State.DONE:
            messages.success(request, _("Undone: %(what)s.") % {"what": name_of(log_entry.operation)})
        elif undo_write.state == State.REFUSED and undo_write.error is not None:
            explained = refusals.explain(undo_write.error)
            messages.error(request, explained.whole)
        else:
            messages.warning(request, build_notice(undo_write, request.path).sentence)
    return redirect("activity:entry", log_entry.pk) if rehearse else redirect("activity:activity")


@require_http_methods(["GET", "POST"])
def write(request: OwnerRequest, write_id: uuid.UUID) -> HttpResponse:
    """The notice of one write, for the page that shows it; posted: what its author says became of it."""
    record = get_object_or_404(Write.objects.select_related("account"), pk=write_id, account=request.account)
    if request.method == "POST":
        return _decide(request, record)
    if not request.htmx:
        return redirect("activity:entry", record.entry_id) if record.entry_id else redirect("activity:activity")
    if request.GET.get("v") == version(record):
        return unchanged()
    notice = build_notice(record, _get_local_address(request, request.GET.get("back", "")))
    return render(request, "components/_write.html", {"write": notice})


def _decide(request: OwnerRequest, record: Write) -> HttpResponse:
    match request.POST.get("act"):
        case "confirm":
            outbox.confirm(record)
        case "dismiss":
            outbox.dismiss(record)
        case "send_again" if is_current(request, record):
            resent = outbox.send_again(record)
            if isinstance(resent.raised, BadToken):
                raise resent.raised
            if resent.state == State.DONE:
                messages.success(request, _("Sent."))
            elif resent.state == State.REFUSED and resent.error is not None:
                explained = refusals.explain(resent.error)
                messages.error(request, explained.whole)
    return redirect(_get_local_address(request, request.POST.get("next", "")))


def _get_local_address(request: OwnerRequest, back: str) -> str:
    """`back` if it is an address of ours, else the log."""
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}) and back.startswith("/")
    return back if safe else reverse("activity:activity")


def _render_rehearsal(request: OwnerRequest, log_entry: Entry) -> HttpResponse:
    """The entry with the request that its undo would send. What the undo stored is rolled back."""
    preview = None
    with transaction.atomic(), clients.rehearsing():
        try:
            UNDO[log_entry.operation](request, log_entry)
        except Rehearsed as stopped:
            preview = http.show_request(stopped.preview)
        transaction.set_rollback(True)
    if preview is None:
        messages.info(request, _("Nothing would be sent: it is as it was."))
        return redirect("activity:entry", log_entry.pk)
    return render(request, "activity/entry.html", {"logged": LoggedWrite(log_entry), "dry_run": preview})


def _get_entry_or_404(request: OwnerRequest, entry_id: uuid.UUID) -> Entry:
    entries = Entry.objects.select_related("write", "write__account")
    return get_object_or_404(entries, pk=entry_id, account_id=request.account.pk)


def _parse_filter(request: OwnerRequest) -> log.LogFilter:
    """The filter the address asks for; a day nobody can read is no filter."""
    text = request.GET
    try:
        day = date.fromisoformat(text.get("day", ""))
    except ValueError:
        day = None
    return log.LogFilter(
        operation=text.get("operation", "")[:60],
        person=text.get("person", "")[:120],
        thing=text.get("thing", "").strip()[:200].replace("\0", ""),
        outcome=text["outcome"] if text.get("outcome") in Outcome.values else "",
        day=day,
    )
