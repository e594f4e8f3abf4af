"""Sub-accounts: those created from here, a new one, and what can be known of it."""

import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from dashboard import clients
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest
from dashboard.sub_accounts import creating, pages
from dashboard.sub_accounts.forms import SubAccountForm
from dashboard.sub_accounts.models import Creation


@require_safe
def sub_accounts(request: OwnerRequest) -> HttpResponse:
    """What was created from here, and the connected accounts that belong to this one."""
    creations = list(Creation.objects.filter(account_id=request.account.pk))
    page = pages.sub_accounts_page(request.account, creations, list(request.account.children.connected()))
    return render(request, "sub_accounts/sub_accounts.html", {"page": page})


@require_http_methods(["GET", "POST"])
def create(request: OwnerRequest) -> HttpResponse:
    """A new sub-account. The preconditions are said before anything is typed."""
    if request.method == "GET":
        form = SubAccountForm(initial={"key": uuid.uuid4(), "currency": "brl"})
        return render(request, "sub_accounts/create.html", {"form": form})
    form = SubAccountForm(request.POST)
    if not form.is_valid():
        return render(request, "sub_accounts/create.html", {"form": form}, status=422)
    payload = form.to_payload()
    if dry_run.asked(request):
        preview = clients.platform(request).preview(lambda p: p.organizations.create_sub_account(payload))
        return render(request, "sub_accounts/create.html", {"form": form, "dry_run": dry_run.show(preview)})
    try:
        creation = creating.create(request, form.cleaned_data["key"], payload)
    except BadToken:
        raise
    except PlatformError as error:
        explained = refusals.explain(error)
        form.add_error(None, f"{explained.sentence} {explained.next_step}")
        return render(request, "sub_accounts/create.html", {"form": form}, status=422)
    return redirect("sub_accounts:sub_account", creation.key)


@require_safe
def sub_account(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """One creation: creating, or not confirmed; then connect its token."""
    found = get_object_or_404(Creation, key=key, account_id=request.account.pk)
    page = pages.sub_account_page(found, list(request.account.children.connected()))
    return render(request, "sub_accounts/sub_account.html", {"page": page})
