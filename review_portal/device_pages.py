"""View model of the page to continue on another device."""

from collections.abc import Callable
from dataclasses import dataclass

from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from dashboard.shared import qr
from review_portal import device_codes, pages
from review_portal.context import Visit
from review_portal.device_codes import Refusal
from review_portal.models import Passage, Reviewer
from review_portal.pages import Head

SENTENCES: dict[Refusal, Callable[[], str]] = {
    Refusal.UNKNOWN: lambda: _(
        "This code does not work on this link. Check it, or show a new code on the other device."
    ),
    Refusal.USED: lambda: _("This code was already used. Show a new code on the other device."),
    Refusal.OVER: lambda: _("This code has expired after 10 minutes. Show a new code on the other device."),
    Refusal.TOO_OFTEN: lambda: _("Too many codes were requested. Wait 10 minutes, then try again."),
}


@dataclass(frozen=True)
class DevicePage:
    """Here somebody is known (`known`, as `name`) or not. `code` with `qr` and `address` is shown once, for the other device;
    `goes_on_as` is whose the typed code is, and `gives_up` who this device would not be any more."""

    head: Head
    back: str
    action: str
    address: str
    known: bool
    name: str
    code: str
    qr: SafeString | str
    goes_on_as: str
    is_here: bool
    gives_up: str
    typed: str
    problem: str


def page(visit: Visit, *, code: str, passage: Passage | None, refusal: Refusal | None, typed: str) -> DevicePage:
    """The page as it stands: with a fresh code, a code that was looked at, or a reason why one leads nowhere."""
    action, me = f"/{visit.link.pk}/device", visit.reviewer
    address = visit.request.build_absolute_uri(action)
    other = passage.reviewer if passage else None
    return DevicePage(
        head=pages.build_head(visit.link, visit.shown, visit.now),
        back=f"/{visit.link.pk}",
        action=action,
        address=address,
        known=me is not None,
        name=_name(me) if me else "",
        code=device_codes.format_code(code) if code else "",
        qr=qr.code(f"{address}?code={code}", _("QR code to continue as you on another device")) if code else "",
        goes_on_as=_name(other) if other else "",
        is_here=other is not None and other == me,
        gives_up=_name(me) if me and other and other != me else "",
        typed=typed[:40],
        problem=SENTENCES[refusal]() if refusal else "",
    )


def _name(reviewer: Reviewer) -> str:
    return reviewer.name or _("a reviewer without a name")
