"""Sub-accounts: all of them side by side, a new one, and what can be known of it."""

import uuid
from typing import TypeVar

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import csv, http, refusals
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.sub_accounts import writes
from dashboard.sub_accounts.forms import SubAccountForm
from dashboard.sub_accounts.pages import Creation, build_usage
from dashboard.sub_accounts.portfolio_pages import build_csv, build_portfolio, build_report
from dashboard.sub_accounts.queries import load_portfolio
from dashboard.sub_accounts.rules import Show, Sort
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.requests import is_current

Choice = TypeVar("Choice", Show, Sort)


@require_safe
def sub_accounts(request: OwnerRequest) -> HttpResponse:
    """All sub-accounts, a row each; those that were created from here; and what all of them use."""
    creations = list(writes.list_creations(request.account).exclude(state=State.REFUSED))
    data = load_portfolio(request) if request.account.parent is None else None
    children = list(request.account.children.connected())
    portfolio: dict[str, object] = {}
    if data is not None and data.states:
        show, sort = _parse(request.GET.get("show", ""), Show), _parse(request.GET.get("sort", ""), Sort)
        portfolio = build_portfolio(request.account, data, show, sort)
    context = {
        "parent": request.account.parent,
        "creations": [Creation(creation, children) for creation in creations],
        "usage": build_usage(data.usage, creations) if data else None,
        **portfolio,
    }
    return render(request, "sub_accounts/sub_accounts.html", context)


@require_safe
def report(request: OwnerRequest) -> HttpResponse:
    """The same on paper: sentences, numbers, next steps."""
    if request.account.parent is not None:
        return redirect("sub_accounts:sub_accounts")
    return render(request, "sub_accounts/report.html", build_report(request.account, load_portfolio(request)))


@require_safe
def export(request: OwnerRequest) -> HttpResponse:
    """The same as CSV."""
    if request.account.parent is not None:
        return redirect("sub_accounts:sub_accounts")
    return csv.download(*build_csv(load_portfolio(request)))


def _parse(text: str, kind: type[Choice]) -> Choice:
    """What an address chooses; the usual choice for anything else."""
    return kind(text) if text in set(kind) else kind("")


@require_http_methods(["GET", "POST"])
def create(request: OwnerRequest) -> HttpResponse:
    """A new sub-account. The preconditions are said before anything is typed."""
    if request.method == "GET":
        form = SubAccountForm(initial={"currency": "brl"})
        return render(request, "sub_accounts/create.html", {"form": form})
    form = SubAccountForm(request.POST)
    if not form.is_valid():
        return render(request, "sub_accounts/create.html", {"form": form}, status=422)
    payload = form.to_payload()
    if http.is_dry_run(request):
        preview = clients.platform(request).preview(lambda p: p.organizations.create_sub_account(payload))
        return render(request, "sub_accounts/create.html", {"form": form, "dry_run": http.show_request(preview)})
    try:
        creation = writes.create_sub_account(request, payload)
    except PlatformError as error:
        explained = refusals.explain(error)
        form.add_error(explained.field if explained.field in form.fields else None, explained.whole)
        return render(request, "sub_accounts/create.html", {"form": form}, status=422)
    return redirect("sub_accounts:sub_account", creation.pk)


@require_safe
def sub_account(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """One creation: creating, or not confirmed; then connect its token."""
    creation = Creation(_get_creation_or_404(request, key), list(request.account.children.connected()))
    return render(request, "sub_accounts/sub_account.html", {"creation": creation})


@require_safe
def progress(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """The polled part: 204 while nothing changed; the whole page anew once it has ended."""
    creation = Creation(_get_creation_or_404(request, key), list(request.account.children.connected()))
    if request.GET.get("v") == creation.version:
        return unchanged()
    return go(request, "sub_accounts:sub_account", key)


@require_POST
def arrived(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """The person says that the sub-account exists."""
    write = _get_creation_or_404(request, key)
    if is_current(request, write):
        outbox.confirm(write)
    return go(request, "sub_accounts:sub_account", key)


@require_POST
def again(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """The person says that the sub-account does not exist: its creation is sent once more."""
    write = _get_creation_or_404(request, key)
    if is_current(request, write):
        outbox.send_again(write)
        if isinstance(write.raised, BadToken):
            raise write.raised
    return go(request, "sub_accounts:sub_account", key)


def _get_creation_or_404(request: OwnerRequest, key: uuid.UUID) -> Write:
    return get_object_or_404(writes.list_creations(request.account), pk=key)
