"""The webhook of an account: its address, its secret, a test, and the log of attempts."""

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from dashboard.notices import webhook_pages, webhooks
from dashboard.notices.forms import WebhookForm
from dashboard.notices.models import Webhook
from dashboard.notices.webhook_client import WrongAddress
from dashboard.shared.http import OwnerRequest


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
        form.add_error("address", webhook_pages.describe_reason(problem.reason))
        return _render(request, form, status=422)
    if secret:  # shown this once, so the answer is no redirect
        return _render(request, WebhookForm(), secret=secret)
    messages.success(request, _("Saved."))
    return redirect("notices:webhook")


def _render(request: OwnerRequest, form: WebhookForm, *, secret: str = "", status: int = 200) -> HttpResponse:
    page = webhook_pages.build_webhook_page(webhooks.find(request.account), secret, request.GET.get("ask", ""))
    return render(request, "notices/webhook.html", {"page": page, "form": form}, status=status)
