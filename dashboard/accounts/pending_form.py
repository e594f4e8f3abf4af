"""Work that was typed when the session or the token ended: offered again after sign-in.

Of somebody who is signed out nothing is stored: the browser sends the form once more, to sign-in, whose page carries it as
one signed field, and it reaches the session with the account that signed in. Of an account whose token ended in the middle
of work it is kept in its session at once.
"""

from dataclasses import asdict, dataclass
from typing import Any
from urllib.parse import urlencode

from django.core import signing
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django_htmx.http import HttpResponseClientRedirect

from dashboard.accounts import identity
from dashboard.shared.http import own_path

KEPT = "kept"
"""The entry of the session, and the field of the sign-in page."""
FORM = "form"
"""In the address of sign-in: where the form was going that is sent along."""
TYPED_BY = "typed_by"
"""A signed cookie: the account that this browser used last, so that its words are offered to no other."""
MOST = 2_500_000
"""Characters kept at most: an AI package of 2 MB fits."""
LASTS = 60 * 60 * 24 * 14
"""Seconds for which a sign-in page can hand over what it carries."""
SALT = "dashboard.accounts.pending_form"

NEVER_KEPT = frozenset({"csrfmiddlewaretoken", "token", KEPT})


class Sent(HttpResponseRedirect):
    """Leads on with the whole form: the browser sends it again to where this leads."""

    status_code = 307


@dataclass(frozen=True)
class Kept:
    """A form that did not leave: where it was going, on which page it stood, its fields in order, and who typed it."""

    action: str
    page: str
    fields: tuple[tuple[str, str], ...]
    account: str | None

    @property
    def readable(self) -> tuple[tuple[str, str], ...]:
        """The fields a person wrote, for reading before sending again."""
        return tuple((name, value) for name, value in self.fields if value and not name.startswith("_"))


def to_sign_in(request: HttpRequest, *, refused: bool = False) -> HttpResponse:
    """Lead to sign-in and back, with what a POST carried; `refused` says that the platform turned the token down."""
    posts, account = request.method == "POST", request.session.get("account")
    query = {"next": _page_of(request)}
    if refused:
        query["refused"] = account or ""
    if posts and refused and account:
        keep(request, _kept_of(request, request.get_full_path(), query["next"], account))
    elif posts:
        query[FORM] = request.get_full_path()
    target = f"{reverse('accounts:sign_in')}?{urlencode(query)}"
    if getattr(request, "htmx", False):
        return HttpResponseClientRedirect(target)
    return Sent(target) if FORM in query else HttpResponseRedirect(target)


def keep(request: HttpRequest, form: Kept | None) -> None:
    """Keep a form in the session of who is signed in."""
    if form:
        request.session[KEPT] = asdict(form)


def load_form(request: HttpRequest) -> Kept | None:
    """What is kept for the account in use, if anything."""
    form = _read(request.session.get(KEPT))
    return form if form and form.account in {None, request.session.get("account")} else None


def let_go(request: HttpRequest) -> None:
    """Forget the kept work: it was sent, or the person discarded it."""
    request.session.pop(KEPT, None)


def carried(request: HttpRequest) -> Kept | None:
    """The form that came to sign-in along with this request: sent there by its browser, or out of the page's own field."""
    if request.method != "POST":
        return None
    if action := own_path(request, request.GET.get(FORM, "")):
        page = own_path(request, request.GET.get("next", "")) or "/"
        return _kept_of(request, action, page, _typed_by(request))
    try:
        return _read(_loads(request.POST.get(KEPT, "")))
    except signing.BadSignature:
        return None


def packed(form: Kept | None) -> str:
    """The form as one field of the sign-in page, which nobody can change on its way."""
    return signing.dumps(asdict(form), key=identity.key(), salt=SALT, compress=True) if form else ""


def remember_who_types(request: HttpRequest, response: HttpResponse, account_id: str) -> None:
    """Let the browser know, signed, whose words it sends when its session is over."""
    if _typed_by(request) != account_id:
        response.set_cookie(
            TYPED_BY,
            identity.cookie_signer(TYPED_BY + SALT).sign(account_id),
            max_age=LASTS * 2,
            httponly=True,
            samesite="Lax",
            secure=request.is_secure(),
        )


def _typed_by(request: HttpRequest) -> str | None:
    try:
        return identity.cookie_signer(TYPED_BY + SALT).unsign(request.COOKIES.get(TYPED_BY, "")) or None
    except signing.BadSignature:
        return None


def _loads(text: str) -> Any:
    """What `packed` made. Raises `signing.BadSignature`."""
    key, *others = identity.all_keys()
    return signing.loads(text, key=key, salt=SALT, max_age=LASTS, fallback_keys=others)


def _kept_of(request: HttpRequest, action: str, page: str, account: str | None) -> Kept | None:
    fields = [(name, str(value)) for name, values in request.POST.lists() for value in values if name not in NEVER_KEPT]
    if sum(len(name) + len(value) for name, value in fields) > MOST:
        return None
    return Kept(action, page, tuple(fields), account)


def _read(stored: Any) -> Kept | None:
    if not stored:
        return None
    return Kept(stored["action"], stored["page"], tuple((n, str(v)) for n, v in stored["fields"]), stored["account"])


def _page_of(request: HttpRequest) -> str:
    """The page on which the person was: of a form and of a part, the one they stand on."""
    if getattr(request, "htmx", False) and (page := own_path(request, request.headers.get("HX-Current-URL", ""))):
        return page
    if request.method == "POST":
        return own_path(request, request.headers.get("Referer", "")) or request.path
    return request.get_full_path()
