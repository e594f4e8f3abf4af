"""Sign-in, sign-out, and the connected accounts."""

import uuid

from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.module_loading import import_string
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from dashboard.accounts import access, pending_form
from dashboard.accounts import devices as signed_in
from dashboard.accounts.forms import AccountForm, SignInForm
from dashboard.accounts.models import Account
from dashboard.accounts.sessions import hash_key
from dashboard.accounts.tokens import TokenRefused, connect, find_account
from dashboard.platform_api.errors import CallError
from dashboard.shared import refusals
from dashboard.shared.addresses import address
from dashboard.shared.callers import address_of, caller_of, network_of, wait_for_all
from dashboard.shared.http import OwnerRequest, own_path, way_back
from dashboard.shared.text import parse_uuid
from dashboard.upstream import capabilities, clients, store

ATTEMPTS_PER_ADDRESS = 10
ATTEMPTS_PER_NETWORK = 60
CONNECTS_PER_ADDRESS = 40
"""Of people who are signed in already and connect the sub-accounts of their account one after the other."""
ATTEMPT_WINDOW = 300
"""Seconds."""


def refused_sentence(words: str) -> str:
    """Why the token does not work, with the platform's own words."""
    sentence = _(
        "The platform does not know this token. Copy it again, whole, from the settings of your video account."
    )
    return f"{sentence} " + _("The platform says: “%(words)s”.") % {"words": words} if words else sentence


def other_sentence(name: str) -> str:
    """Why the token of another account, which is connected already, connects no sub-account."""
    return _("This is the token of “%(name)s”. Paste the token of the sub-account itself.") % {"name": name}


def wait_sentence(seconds: int) -> str:
    """How long to wait after too many attempts."""
    minutes = max(1, -(-seconds // 60))
    return ngettext(
        "Too many attempts. Wait %(count)s minute, then try again.",
        "Too many attempts. Wait %(count)s minutes, then try again.",
        minutes,
    ) % {"count": minutes}


HOME = "/dashboard/"
"""Where people without another way land."""
ORGANIZATION_MOST = 64
"""Characters of an id of the platform that are kept."""


@access.public
@sensitive_post_parameters("token")
@require_http_methods(["GET", "POST"])
def sign_in(request: HttpRequest) -> HttpResponse:
    """Paste a token; it is checked with a read of the platform before it is stored.

    A form whose session had ended is sent here along with its person: it goes on through this page.
    """
    if request.method == "GET" or pending_form.FORM in request.GET:
        return _sign_in_page(request, SignInForm(initial={"name": request.GET.get("called", "")[:100]}))
    form = SignInForm(request.POST)
    if wait := _wait(request):
        form.full_clean()
        form.add_error(None, wait_sentence(wait))
        return _sign_in_page(request, form, status=429)
    if not form.is_valid():
        return _sign_in_page(request, form, status=422)
    if other := _find_other(request, form.cleaned_data["token"]):
        form.add_error("token", other_sentence(other.name))
        return _sign_in_page(request, form, status=422)
    try:
        account, is_new = connect(form.cleaned_data["token"], form.cleaned_data["name"], renew=_renewed(request))
    except TokenRefused as refused:
        form.add_error("token", refused_sentence(refused.words))
        return _sign_in_page(request, form, status=422)
    except CallError as error:
        form.add_error(None, refusals.explain(error).sentence)
        return _sign_in_page(request, form, status=refusals.status_of(error))
    _take_in(request, account)
    if person := form.cleaned_data["person"]:
        request.session[access.PERSON] = person
    access.use(request, account)
    if "stay" in request.POST and (parent := _parent(request)):
        access.use(request, parent)
    pending_form.keep(request, pending_form.carried(request))
    return HttpResponseRedirect(_first_page(request, is_new=is_new))


def _first_page(request: HttpRequest, *, is_new: bool) -> str:
    """Where the person was going; an account that is new here begins with what to check on its platform."""
    next_page = way_back(request, HOME)
    begins = is_new and next_page == HOME and not clients.embedded()
    return (address("getting_started:getting_started") or HOME) if begins else next_page


@access.public
@require_POST
def demo(request: HttpRequest) -> HttpResponse:
    """Sign in to the embedded platform's demo account, its sub-account connected too."""
    if not (settings.SANDBOX and clients.embedded()):
        raise Http404
    cast = import_string(settings.SANDBOX_CAST)()
    try:
        owner, child = (connect(cast["tokens"][role], cast["names"][role])[0] for role in ("owner", "sub_account"))
    except TokenRefused as refused:  # the panel of faults lets any call fail
        messages.error(request, refused_sentence(refused.words))
        return _sign_in_page(request, SignInForm(), status=422)
    if child.parent is None:
        child.parent = owner
        child.save(update_fields=["parent"])
    access.use(request, child)
    access.use(request, owner)
    pending_form.keep(request, pending_form.carried(request))
    return HttpResponseRedirect(way_back(request, HOME))


@access.public
@require_POST
def sign_out(request: HttpRequest) -> HttpResponse:
    """Forget who is signed in, in this browser. The stored tokens stay until they are disconnected."""
    access.sign_out(request)
    return redirect("accounts:sign_in")


@require_safe
def accounts(request: OwnerRequest) -> HttpResponse:
    """The connected accounts."""
    return render(request, "accounts/accounts.html", {"accounts": access.connected(request), "in_use": request.account})


@require_http_methods(["GET", "POST"])
def account(request: OwnerRequest, account_id: uuid.UUID) -> HttpResponse:
    """Name a connected account, say in which time zone it works, and whose sub-account it is."""
    account = _connected_or_404(request, account_id)
    others = [entry for entry in access.connected(request) if entry.pk != account.pk]
    parents = [*others, account.parent] if account.parent else others
    now = {"name": account.name, "parent": account.parent, "zone": account.zone}
    form = AccountForm(request.POST or None, now=now, parents=parents)
    if request.method == "POST" and form.is_valid():
        for name, value in form.changed.items():
            setattr(account, name, value)
        account.save(update_fields=list(form.changed))
        messages.success(request, _("Saved “%(name)s”.") % {"name": account.name})
        return redirect("accounts:accounts")
    status = 422 if form.is_bound else 200
    return render(request, "accounts/account.html", {"form": form, "found": account}, status=status)


@require_POST
def use(request: OwnerRequest, account_id: uuid.UUID) -> HttpResponse:
    """Switch to another connected account, and lead to `next`; without it to the overview, the one page both have."""
    access.use(request, _connected_or_404(request, account_id))
    return HttpResponseRedirect(way_back(request, HOME))


@require_http_methods(["GET", "POST"])
def disconnect(request: OwnerRequest, account_id: uuid.UUID) -> HttpResponse:
    """Delete a stored token, after a page that says what goes and what stays."""
    account = _connected_or_404(request, account_id)
    if request.method == "GET":
        return render(request, "accounts/disconnect.html", {"found": account})
    access.leave(request, account)
    account.forget_token()
    account.save(update_fields=["sealed_token", "disconnections"])
    account.devices.all().delete()
    store.forget_account(account.pk)
    capabilities.forget_account(account.pk)
    messages.success(request, _("Disconnected “%(name)s”. Its token is deleted.") % {"name": account.name})
    return redirect("accounts:accounts" if access.current(request) else "accounts:sign_in")


@require_safe
def devices(request: OwnerRequest) -> HttpResponse:
    """The browsers in which the account in use is signed in."""
    access.note_seen(request, request.account)  # so that one of before is on the list as well
    here = hash_key(request.session.session_key)
    rows = sorted(signed_in.list_devices(request.account), key=lambda device: device.session_key != here)
    context = {"name": request.account.name, "devices": rows, "here": here}
    return render(request, "accounts/devices.html", context)


@require_POST
def sign_out_device(request: OwnerRequest, device_id: uuid.UUID) -> HttpResponse:
    """Sign one browser out."""
    device = signed_in.find(request.account, device_id)
    if device is None:
        raise Http404
    if device.session_key == hash_key(request.session.session_key):
        return sign_out(request)
    signed_in.sign_out(device)
    messages.success(request, _("Signed out: %(device)s.") % {"device": device.name})
    return redirect("accounts:devices")


@require_http_methods(["GET", "POST"])
def sign_out_devices(request: OwnerRequest, *, here: bool) -> HttpResponse:
    """Sign every other browser out, and `here` this one too, after a page that says what that means."""
    if request.method == "GET":
        return render(request, "accounts/sign_out_devices.html", {"name": request.account.name, "here": here})
    access.sign_out_elsewhere(request, request.account)
    if here:
        return sign_out(request)
    messages.success(request, _("Signed out everywhere else."))
    return redirect("accounts:devices")


@require_POST
def discard_kept(request: OwnerRequest) -> HttpResponse:
    """Drop the form that was kept over the sign-in."""
    page = form.page if (form := pending_form.load_form(request)) else "/"
    pending_form.let_go(request)
    return redirect(page)


def _sign_in_page(request: HttpRequest, form: SignInForm, status: int = 200) -> HttpResponse:
    carried = pending_form.carried(request)
    context = {
        "form": form,
        "next": _next(request, carried),
        "has_kept": bool(carried) or pending_form.KEPT in request.session,
        "carried": pending_form.packed(carried),
        "is_lost": pending_form.FORM in request.GET and request.method == "POST" and carried is None,
        "refused": _renewed(request),
        "demo": settings.SANDBOX and clients.embedded(),
        "parent": _parent(request),
        "organization": _organization(request),
        "stays": bool(_either(request, "stay")),
    }
    return render(request, "accounts/sign_in.html", context, status=status)


def _next(request: HttpRequest, carried: pending_form.Kept | None) -> str:
    """Where sign-in leads. What a form carries in a field of that name is the form's own."""
    if pending_form.FORM in request.GET:
        return carried.page if carried else own_path(request, request.GET.get("next", "")) or HOME
    return way_back(request, HOME)


def _renewed(request: HttpRequest) -> Account | None:
    """The account whose token the platform turned down, if this browser was using it."""
    return _named(request, request.POST.get("renew") or request.GET.get("refused"))


def _parent(request: HttpRequest) -> Account | None:
    """The account whose sub-account is being connected, if this browser uses it and it is none itself."""
    parent = _named(request, _either(request, "parent"))
    return parent if parent and parent.parent_id is None else None


def _either(request: HttpRequest, name: str) -> str:
    """A word that the address brought, or the form that was filled in after it."""
    return request.POST.get(name) or request.GET.get(name) or ""


def _organization(request: HttpRequest) -> str:
    """The platform's id of the sub-account that is being connected; "" for what can be none."""
    text = _either(request, "organization")
    return text if text.isprintable() and len(text) <= ORGANIZATION_MOST else ""


def _find_other(request: HttpRequest, token: str) -> Account | None:
    """Whose token it is, where a sub-account is connected with that of its parent, or with that of another of its parent."""
    parent = _parent(request)
    known = find_account(token) if parent else None
    if parent is None or known is None or known.pk == parent.pk:
        return known
    renewed, organization = _renewed(request), _organization(request)
    is_other = known != renewed if renewed else organization and known.organization_id not in ("", organization)
    return known if is_other and known.parent_id == parent.pk else None


def _take_in(request: HttpRequest, account: Account) -> None:
    """A sub-account that is connected from its parent's pages belongs to it from the first moment."""
    parent = _parent(request)
    if parent is None or parent.pk == account.pk:
        return
    if account.parent_id is None and not account.children.exists():
        account.parent = parent
    if account.parent_id == parent.pk:
        account.organization_id = _organization(request) or account.organization_id
        account.save(update_fields=["parent", "organization_id"])


def _named(request: HttpRequest, text: str | None) -> Account | None:
    account_id = parse_uuid(text)
    return Account.objects.filter(pk=account_id).first() if account_id and access.may_use(request, account_id) else None


def _wait(request: HttpRequest) -> int:
    """Seconds to wait before the next attempt: per address, and per network so that changing addresses helps little.

    Connecting sub-accounts to an account of this browser has a limit of its own.
    """
    address = address_of(request)
    window = ATTEMPT_WINDOW
    kind, limit = "sign-in", ATTEMPTS_PER_ADDRESS
    if _parent(request) is not None:
        kind, limit = "connect", CONNECTS_PER_ADDRESS
    return wait_for_all(
        (f"{kind}:{caller_of(address)}", (limit, window)),
        (f"sign-in-network:{network_of(address)}", (ATTEMPTS_PER_NETWORK, window)),
    )


def _connected_or_404(request: HttpRequest, account_id: uuid.UUID) -> Account:
    if not access.may_use(request, account_id):
        raise Http404
    return get_object_or_404(Account.objects.select_related("parent"), pk=account_id)
