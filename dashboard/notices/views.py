"""An account's settings of notices: which addresses hear of its review links, and how often."""

import uuid

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST

from dashboard.notices import mailing, pages, subscriptions
from dashboard.notices.forms import AddressForm, RhythmForm
from dashboard.notices.models import Mail, Subscription
from dashboard.notices.registry import find_place
from dashboard.notices.rules import Every
from dashboard.notices.subscriptions import Asked, Audience, State
from dashboard.shared.http import OwnerRequest, way_back


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
    context = {"page": pages.build_settings_page(request.account), "form": form}
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
    if subscriptions.get_state(subscription) != State.ON:
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
