"""The demo's mailbox: every e-mail that it would send. There is none with a real platform."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST, require_safe

from dashboard.notices import mail_style, mailbox_pages, mailing
from dashboard.notices.mailbox_pages import MailRow
from dashboard.notices.models import Mail
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.writes.models import State, Write

ALLOWED = "allow-top-navigation-by-user-activation"
"""Links in an e-mail open, and nothing else in it does anything."""


@require_safe
def mailbox(request: OwnerRequest) -> HttpResponse:
    """What was sent, what waits and until when, and what is tried again."""
    _check_is_demo()
    return _render_mailbox(request, None)


@require_safe
def mail(request: OwnerRequest, mail_id: uuid.UUID) -> HttpResponse:
    """The same with one e-mail, as HTML and as text."""
    return _render_mailbox(request, _get_mail(request, mail_id))


def _render_mailbox(request: OwnerRequest, requested: Mail | None) -> HttpResponse:
    """The list, and the requested e-mail or the newest."""
    rows = mailbox_pages.list_rows(request.account)
    visible = [row for row in rows if row.write and row.write.state != State.CANCELLED]
    of_mail = next((row for row in rows if row.mail == requested), MailRow(requested, None) if requested else None)
    context = {
        "rows": visible,
        "late": mailbox_pages.describe_late(rows),
        "current": of_mail or next(iter(visible), None),
    }
    return render(request, "notices/mailbox.html", context)


@require_safe
def mail_html(request: OwnerRequest, mail_id: uuid.UUID) -> HttpResponse:
    """The e-mail's HTML, in a document that may do nothing: it is shown in a frame of the mailbox."""
    stored = _get_mail(request, mail_id)
    letter = mailbox_pages.load_letter(stored)
    if letter is None:
        raise Http404
    response = HttpResponse(letter.html.replace("<head>", '<head><base target="_top">', 1))
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; style-src {mail_style.SOURCE}; sandbox {ALLOWED}; base-uri 'none'; "
        "form-action 'none'; frame-ancestors 'self'"
    )
    response.headers["X-Frame-Options"] = "SAMEORIGIN"
    return response


@require_POST
def send(request: OwnerRequest, mail_id: uuid.UUID) -> HttpResponse:
    """Let an e-mail that waits leave now."""
    stored = _get_mail(request, mail_id)
    write = Write.objects.filter(operation=mailing.SEND, key=stored.pk).first()
    if write is not None and mailing.send_now(write):
        messages.success(request, _("The e-mail leaves in a moment."))
    return redirect("notices:mail", mail_id)


def _check_is_demo() -> None:
    if not clients.embedded():
        raise Http404


def _get_mail(request: OwnerRequest, mail_id: uuid.UUID) -> Mail:
    _check_is_demo()
    return get_object_or_404(mailbox_pages.list_mails(request.account), pk=mail_id)
