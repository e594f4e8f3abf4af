"""Deny by default: every address that is not public leads to sign-in and back to where the person was going."""

from collections.abc import Callable, Sequence
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from dashboard.accounts import access, pending_form
from dashboard.accounts.models import Account
from dashboard.shared.ranges import list_zone_names
from dashboard.shared.vault import Unreadable
from dashboard.upstream import parallel

Answer = Callable[[HttpRequest], HttpResponse]


class AccountRequiredMiddleware:
    """Sets `request.account` (or None) and guards every view not marked with `access.public`."""

    def __init__(self, get_response: Answer) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        request.account = access.current(request)  # type: ignore[attr-defined]  # read through OwnerRequest
        activate_zone(request.account)  # type: ignore[attr-defined]  # set above
        session_key = request.session.session_key
        response = self.get_response(request)
        if request.account:  # type: ignore[attr-defined]  # set above
            pending_form.remember_who_types(request, response, str(request.account.pk))  # type: ignore[attr-defined]  # set above
        if request.account and request.session.session_key == session_key:  # type: ignore[attr-defined]  # set above
            parallel.afterwards(_note_seen, (request, request.account))  # type: ignore[attr-defined]  # set above
        pending_form.settle(request, response)
        return response

    def process_view(
        self, request: HttpRequest, view: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
    ) -> HttpResponse | None:
        """Let public views through, and signed-in people; everybody else signs in first."""
        match = request.resolver_match
        if getattr(view, "public", False) or (match and set(match.app_names) & settings.PUBLIC_APPS):
            return None
        account = request.account  # type: ignore[attr-defined]  # set above
        if account is None:
            return pending_form.to_sign_in(request)
        try:
            _ = account.token
        except Unreadable:
            return pending_form.to_sign_in(request, refused=True)
        return None


def activate_zone(account: Account | None) -> None:
    """Show times in the account's zone, where it has one; else in the reader's, which is active already."""
    if account is not None and account.zone in list_zone_names():
        timezone.activate(ZoneInfo(account.zone))


def _note_seen(requests: Sequence[tuple[HttpRequest, Account]]) -> None:
    """Keep that the people who sent these requests were here: nobody waits for it."""
    for request, account in requests:
        access.note_seen(request, account)
