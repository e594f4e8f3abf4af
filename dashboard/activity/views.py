"""The activity log: who did what, before and after, and how it ended."""

import uuid
from datetime import date

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from dashboard import clients
from dashboard.activity import log, pages
from dashboard.activity.models import Entry, Outcome
from dashboard.activity.recorder import UNDO, NotUndone, can_undo
from dashboard.platform_api import Rehearsed
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import csv, dry_run, refusals
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.pages import WriteNotice, build_notice, version
from dashboard.writes.requests import is_current

EXPORTED_AT_MOST = 50_000


@require_safe
def activity(request: OwnerRequest) -> HttpResponse:
    """The log, filtered by the address, newest first."""
    wanted = _wanted(request)
    after = log.entry_of(request.account.pk, request.GET.get("after", "")) if request.GET.get("after") else None
    rows, more = log.page_of(log.entries(request.account.pk, wanted), after)
    page = pages.activity_page(rows, wanted, log.people(request.account.pk), more=more)
    return render(request, "activity/activity.html", {"page": page})


@require_safe
def export(request: OwnerRequest) -> HttpResponse:
    """The same rows as a file."""
    wanted = _wanted(request)
    rows = log.entries(request.account.pk, wanted)[:EXPORTED_AT_MOST]
    text = csv.written(pages.CSV_HEADS, (pages.csv_row(entry) for entry in rows))
    return csv.download(text, csv.file_name("activity", wanted.day.isoformat() if wanted.day else ""))


@require_safe
def entry(request: OwnerRequest, entry_id: uuid.UUID) -> HttpResponse:
    """One write, field by field."""
    found = _entry_or_404(request, entry_id)
    page = pages.entry_page(found)
    return render(
        request, "activity/entry.html", {"page": page, "write": None if page.page else _notice(request, found)}
    )


def _notice(request: OwnerRequest, found: Entry) -> WriteNotice | None:
    """What can still be done about a write that its feature has no page for; None where it is over."""
    write = pages.write_of(found)
    if write is None or not write.shown or write.state in (State.DONE, State.CANCELLED):
        return None
    return build_notice(write, request.path)


@require_safe
def progress(request: OwnerRequest, entry_id: uuid.UUID) -> HttpResponse:
    """The polled part of an open write: 204 while nothing changed, then its page anew."""
    page = pages.entry_page(_entry_or_404(request, entry_id))
    return unchanged() if request.GET.get("v") == page.version else go(request, "activity:entry", entry_id)


@require_http_methods(["GET", "POST"])
def undo(request: OwnerRequest, entry_id: uuid.UUID) -> HttpResponse:
    """Send the opposite of a write, where the platform allows it; opened as an address, it leads to the entry."""
    found = _entry_or_404(request, entry_id)
    if request.method == "GET":
        return redirect("activity:entry", found.pk)
    if not can_undo(found):
        raise Http404
    rehearse = dry_run.asked(request)
    try:
        if rehearse:
            return _rehearsed(request, found)
        sent = UNDO[found.operation](request, found)
    except NotUndone as why:
        messages.error(request, str(why))
    except PlatformError as error:
        explained = refusals.explain(error)
        messages.error(request, explained.whole)
    else:
        if sent is None or sent.state == State.DONE:
            messages.success(request, _("Undone: %(what)s.") % {"what": pages.row(found).operation})
        elif sent.state == State.REFUSED and sent.error is not None:
            explained = refusals.explain(sent.error)
            messages.error(request, explained.whole)
        else:
            messages.warning(request, build_notice(sent, request.path).sentence)
    return redirect("activity:entry", found.pk) if rehearse else redirect("activity:activity")


@require_http_methods(["GET", "POST"])
def write(request: OwnerRequest, write_id: uuid.UUID) -> HttpResponse:
    """The notice of one write, for the page that shows it; posted: what its author says became of it."""
    found = get_object_or_404(Write.objects.select_related("account"), pk=write_id, account=request.account)
    if request.method == "POST":
        return _decided(request, found)
    if not request.htmx:
        return redirect("activity:entry", found.entry_id) if found.entry_id else redirect("activity:activity")
    if request.GET.get("v") == version(found):
        return unchanged()
    notice = build_notice(found, _local(request, request.GET.get("back", "")))
    return render(request, "components/_write.html", {"write": notice})


def _decided(request: OwnerRequest, found: Write) -> HttpResponse:
    match request.POST.get("act"):
        case "confirm":
            outbox.confirm(found)
        case "dismiss":
            outbox.dismiss(found)
        case "send_again" if is_current(request, found):
            sent = outbox.send_again(found)
            if isinstance(sent.raised, BadToken):
                raise sent.raised
            if sent.state == State.DONE:
                messages.success(request, _("Sent."))
            elif sent.state == State.REFUSED and sent.error is not None:
                explained = refusals.explain(sent.error)
                messages.error(request, explained.whole)
    return redirect(_local(request, request.POST.get("next", "")))


def _local(request: OwnerRequest, back: str) -> str:
    """`back` if it is an address of ours, else the log."""
    safe = url_has_allowed_host_and_scheme(back, allowed_hosts={request.get_host()}) and back.startswith("/")
    return back if safe else reverse("activity:activity")


def _rehearsed(request: OwnerRequest, found: Entry) -> HttpResponse:
    """The entry with the request that its undo would send. What the undo kept on its way there is taken back."""
    shown = None
    with transaction.atomic(), clients.rehearsing():
        try:
            UNDO[found.operation](request, found)
        except Rehearsed as stopped:
            shown = dry_run.show(stopped.preview)
        transaction.set_rollback(True)
    if shown is None:
        messages.info(request, _("Nothing would be sent: it is as it was."))
        return redirect("activity:entry", found.pk)
    return render(request, "activity/entry.html", {"page": pages.entry_page(found), "dry_run": shown})


def _entry_or_404(request: OwnerRequest, entry_id: uuid.UUID) -> Entry:
    entries = Entry.objects.select_related("write", "write__account")
    return get_object_or_404(entries, pk=entry_id, account_id=request.account.pk)


def _wanted(request: OwnerRequest) -> log.Filter:
    """The filter the address asks for; a day nobody can read is no filter."""
    text = request.GET
    try:
        day = date.fromisoformat(text.get("day", ""))
    except ValueError:
        day = None
    return log.Filter(
        operation=text.get("operation", "")[:60],
        person=text.get("person", "")[:120],
        thing=text.get("thing", "").strip()[:200].replace("\0", ""),
        outcome=text["outcome"] if text.get("outcome") in Outcome.values else "",
        day=day,
    )
