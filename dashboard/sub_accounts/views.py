"""Sub-accounts: those created from here, a new one, and what can be known of it."""

import uuid

from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard import clients
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.shared import dry_run, refusals
from dashboard.shared.http import OwnerRequest, go, unchanged
from dashboard.shared.listing import listing
from dashboard.sub_accounts import pages, writes
from dashboard.sub_accounts.forms import SubAccountForm
from dashboard.upstream import reads
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.requests import is_current


@require_safe
def sub_accounts(request: OwnerRequest) -> HttpResponse:
    """What was created from here, the connected accounts that belong to this one, and what all of them use."""
    creations = list(writes.list_creations(request.account).exclude(state=State.REFUSED))
    usage = None
    if request.account.parent is None:
        usage = listing(lambda: reads.of(request).get(lambda platform: platform.organizations.usage()))
    page = pages.build_sub_accounts_page(request.account, creations, list(request.account.children.connected()), usage)
    return render(request, "sub_accounts/sub_accounts.html", {"page": page})


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
    if dry_run.asked(request):
        preview = clients.platform(request).preview(lambda p: p.organizations.create_sub_account(payload))
        return render(request, "sub_accounts/create.html", {"form": form, "dry_run": dry_run.show(preview)})
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
    return render(
        request, "sub_accounts/sub_account.html", {"page": _build_page(request, _get_creation_or_404(request, key))}
    )


@require_safe
def progress(request: OwnerRequest, key: uuid.UUID) -> HttpResponse:
    """The polled part: 204 while nothing changed; the whole page anew once it has ended."""
    page = _build_page(request, _get_creation_or_404(request, key))
    if request.GET.get("v") == page.version:
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


def _build_page(request: OwnerRequest, creation: Write) -> pages.SubAccountPage:
    return pages.build_sub_account_page(creation, list(request.account.children.connected()))


def _get_creation_or_404(request: OwnerRequest, key: uuid.UUID) -> Write:
    return get_object_or_404(writes.list_creations(request.account), pk=key)
