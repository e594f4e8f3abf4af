"""The notices of an account and their settings, its webhook, the demo's mailbox, and what the links in e-mails open.

A visit of such a link changes nothing: mail scanners open every link.
"""

import uuid

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.accounts import access
from dashboard.accounts.access import public
from dashboard.notices import history, letters, mailing, pages, subscriptions, webhooks
from dashboard.notices.forms import AddressForm, RhythmForm, WebhookForm
from dashboard.notices.models import Mail, Subscription, Webhook
from dashboard.notices.pages import MailRow
from dashboard.notices.registry import find_place
from dashboard.notices.rules import Every
from dashboard.notices.subscriptions import Asked, Audience
from dashboard.notices.webhooks import WrongAddress
from dashboard.overview import registry
from dashboard.shared import formats, refusals
from dashboard.shared.http import OwnerRequest, unchanged, way_back
from dashboard.upstream import clients
from dashboard.writes.models import State, Write


@require_http_methods(["GET", "POST"])
def settings(request: OwnerRequest) -> HttpResponse:
    """The addresses of the account; POST adds one, which gets a confirmation."""
    if request.method == "GET":
        return _render_settings(request, AddressForm())
    if not subscriptions.is_offered():
        raise Http404
    form = AddressForm(request.POST)
    if not form.is_valid():
        return _render_settings(request, form, status=422)
    every = Every(form.cleaned_data["every"])
    asked = subscriptions.ask(request, Audience(request.account), form.cleaned_data["address"], every)
    if asked == Asked.TOO_OFTEN:
        form.add_error("address", _("Too many confirmations were asked for. Nothing was sent; try again in an hour."))
        return _render_settings(request, form, status=429)
    messages.success(request, _("Open the e-mail that was just sent and press “Confirm address”."))
    return redirect("notices:settings")


def _render_settings(request: OwnerRequest, form: AddressForm, *, status: int = 200) -> HttpResponse:
    context = {
        "form": form,
        "addresses": pages.list_addresses(request.account),
        "rhythms": subscriptions.RHYTHMS,
        "is_offered": subscriptions.is_offered(),
        "is_demo": clients.embedded(),
        "zone": formats.zone_name().replace("_", " "),
    }
    return render(request, "notices/settings.html", context, status=status)


@require_POST
def address(request: OwnerRequest, subscription_id: uuid.UUID) -> HttpResponse:
    """Change how often an address gets e-mails, send it a test, or delete it."""
    subscription = Subscription.objects.filter(pk=subscription_id, account=request.account, stopped_at=None).first()
    if subscription is None:
        raise Http404
    if request.POST.get("do") == "delete":
        subscriptions.stop(subscription)
        messages.success(request, _("The address was deleted. It gets no further e-mails."))
    elif request.POST.get("do") == "test":
        _send_test(request, subscription)
    elif not (form := RhythmForm(request.POST)).is_valid():
        messages.error(request, _("Choose how often. Nothing was changed."))
    else:
        subscriptions.change_rhythm(subscription, Every(form.cleaned_data["every"]))
        messages.success(request, _("Saved."))
    return redirect("notices:settings")


def _send_test(request: OwnerRequest, subscription: Subscription) -> None:
    """One test for each form, and only to an address that was confirmed."""
    if subscriptions.get_state(subscription) != subscriptions.State.ON:
        messages.error(request, _("Confirm the address first."))
        return
    mailing.begin(subscription, Mail.Kind.TEST, request.POST.get("key", "")[:64])
    messages.success(request, _("A test e-mail is being sent."))


@require_POST
def link(request: OwnerRequest, link_id: uuid.UUID) -> HttpResponse:
    """How often the account hears of one of its review links, where that differs from the rest."""
    scope = str(link_id)
    place = find_place(scope, request.account)
    rhythm = request.POST.get("every", "")
    if place is None or rhythm not in {"", *Every}:
        raise Http404
    subscriptions.choose_for_link(request.account, scope, Every(rhythm) if rhythm else None)
    messages.success(request, _("Saved."))
    return redirect(way_back(request, place.address))


IN_BELL = 6
"""Lines of the list behind the bell."""


@require_safe
def notices(request: OwnerRequest) -> HttpResponse:
    """What needs somebody, what runs, what happened."""
    lines = history.list_lines(request.account, _get_person(request))
    collected = registry.collect(request)
    sentences = dict.fromkeys(refusals.explain(error).sentence for error in collected.failed.values())
    context = {"collected": collected, "lines": lines, "trouble": " ".join(sentences), "new": _has_new(lines)}
    return render(request, "notices/notices.html", context)


@require_safe
def latest(request: OwnerRequest) -> HttpResponse:
    """The newest lines, for the list behind the bell; opened by hand it leads to the page."""
    if not request.htmx:
        return redirect("notices:notices")
    lines = history.list_lines(request.account, _get_person(request), IN_BELL)
    return render(request, "notices/_latest.html", {"lines": lines, "new": _has_new(lines)})


@require_safe
def count(request: OwnerRequest) -> HttpResponse:
    """How many lines are new: 204 while that is what the page says."""
    new = history.count_new(request.account, _get_person(request))
    if request.GET.get("n") == str(new):
        return unchanged()
    return render(request, "notices/_bell_count.html", {"new": new})


@require_POST
def seen(request: OwnerRequest) -> HttpResponse:
    """Mark everything as read, for this person and account."""
    history.mark_seen(request.account, _get_person(request))
    return redirect(way_back(request, "/dashboard/notices/"))


def _has_new(lines: list[history.Line]) -> bool:
    return any(line.is_new for line in lines)


def _get_person(request: OwnerRequest) -> str:
    return str(request.session.get(access.PERSON) or "")


@require_http_methods(["GET", "POST"])
def webhook(request: OwnerRequest) -> HttpResponse:
    """The page; POST saves the address, makes a new secret, sends a test, or deletes it all."""
    if request.method == "GET":
        return _render(request, WebhookForm())
    stored = webhooks.find(request.account)
    act = request.POST.get("do", "")
    if not act:
        return _save(request)
    if stored is None:
        messages.error(request, _("Save an address first."))
    elif act == "secret":
        return _render(request, WebhookForm(), secret=webhooks.renew_secret(stored))
    else:
        _act(request, stored, act)
    return redirect("notices:webhook")


def _act(request: OwnerRequest, stored: Webhook, act: str) -> None:
    if act == "delete":
        webhooks.delete(stored)
        messages.success(request, _("The webhook was deleted."))
    elif act == "test":
        webhooks.send_test(stored, request.POST.get("key", "")[:64])
        messages.success(request, _("A test is being posted. Load the page again to see the answer."))


def _save(request: OwnerRequest) -> HttpResponse:
    form = WebhookForm(request.POST)
    if not form.is_valid():
        return _render(request, form, status=422)
    try:
        _webhook, secret = webhooks.save(request.account, form.cleaned_data["address"].strip())
    except WrongAddress as problem:
        form.add_error("address", pages.describe_reason(problem.reason))
        return _render(request, form, status=422)
    if secret:  # shown this once, so the answer is no redirect
        return _render(request, WebhookForm(), secret=secret)
    messages.success(request, _("Saved."))
    return redirect("notices:webhook")


def _render(request: OwnerRequest, form: WebhookForm, *, secret: str = "", status: int = 200) -> HttpResponse:
    stored = webhooks.find(request.account)
    context = {
        "form": form,
        "secret": secret,
        "host": pages.get_host(stored) if stored else "",
        "attempts": pages.list_attempts(stored) if stored else [],
        "ask": request.GET.get("ask", "") if stored else "",
        "is_demo": clients.embedded(),
        "sample": pages.SAMPLE,
    }
    return render(request, "notices/webhook.html", context, status=status)


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
    rows = pages.list_rows(request.account)
    visible = [row for row in rows if row.write and row.write.state != State.CANCELLED]
    of_mail = next((row for row in rows if row.mail == requested), MailRow(requested, None) if requested else None)
    context = {
        "rows": visible,
        "late": pages.describe_late(rows),
        "current": of_mail or next(iter(visible), None),
    }
    return render(request, "notices/mailbox.html", context)


@require_safe
def mail_html(request: OwnerRequest, mail_id: uuid.UUID) -> HttpResponse:
    """The e-mail's HTML, in a document that may do nothing: it is shown in a frame of the mailbox."""
    stored = _get_mail(request, mail_id)
    letter = pages.load_letter(stored)
    if letter is None:
        raise Http404
    response = HttpResponse(letter.html.replace("<head>", '<head><base target="_top">', 1))
    response.headers["Content-Security-Policy"] = (
        f"default-src 'none'; style-src {letters.SOURCE}; sandbox {ALLOWED}; base-uri 'none'; "
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
    return get_object_or_404(pages.list_mails(request.account), pk=mail_id)


@public
@require_http_methods(["GET", "POST"])
def confirm(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a press; with it, the address is confirmed."""
    subscription = letters.find_confirmed(token)
    if subscription is None or letters.is_expired(subscription):
        page = pages.build_expired_page(subscription)
        return render(request, "notices/public.html", {"page": page}, status=410)
    is_first = subscription.confirmed_at is None
    if request.method == "POST":
        subscriptions.confirm(subscription)
    elif is_first:
        return render(request, "notices/public.html", {"page": pages.build_confirm_page(subscription)})
    return render(request, "notices/public.html", {"page": pages.build_confirmed_page(subscription)})


@csrf_exempt
@public
@require_http_methods(["GET", "POST"])
def stop(request: HttpRequest, token: str) -> HttpResponse:
    """Ask for a press; with it, or when a mail program posts for its reader (RFC 8058), nothing is sent any more.

    It needs no cookie, so a forged form would have to know the token. Without anything to stop, it says so all the same.
    """
    subscription = letters.find_stopped(token)
    if subscription is None or subscription.stopped_at is not None:
        return render(request, "notices/public.html", {"page": pages.build_stopped_page(subscription)})
    if request.method == "GET":
        return render(request, "notices/public.html", {"page": pages.build_stop_page(subscription)})
    if request.POST.get("every") == Every.DAY:
        subscriptions.change_rhythm(subscription, Every.DAY)
        return render(request, "notices/public.html", {"page": pages.build_daily_page(subscription)})
    page = pages.build_stopped_page(subscription)
    subscriptions.stop(subscription)
    return render(request, "notices/public.html", {"page": page})
