"""What the embedded platform's own page shows."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.sandbox import faults
from dashboard.sandbox.forms import FaultForm, OptionsForm, answers
from dashboard.sandbox.models import Fault, Organization, Token


@dataclass(frozen=True)
class FaultRow:
    """One fault: whom it hits, what it does, for how long."""

    operation: str
    name: str
    sentence: str
    remaining: str


@dataclass(frozen=True)
class AccountRow:
    """One token: `token` only after somebody asked to see it."""

    name: str
    person: str
    kind: str
    ready: bool
    state: str
    key: str
    token: str


@dataclass(frozen=True)
class Address:
    """Where one of the specification's hosts is."""

    name: str
    url: str


@dataclass(frozen=True)
class Sandbox:
    """The page `/sandbox/`. `changeable`: whether whoever sees it may make the platform fail."""

    addresses: tuple[Address, ...]
    document: str
    faults: tuple[FaultRow, ...]
    accounts: tuple[AccountRow, ...]
    fault_form: FaultForm
    options_form: OptionsForm
    changeable: bool


def sandbox(root: str, now: datetime, fault_form: FaultForm, options_form: OptionsForm, revealed_key: str) -> Sandbox:
    """Return the page; `root` is the address of `/sandbox/`, `revealed_key` the key of the account whose token to show."""
    hosts = {"base_url": "api", "data_url": "data", "traffic_url": "traffic", "config_url": "config"}
    files = {"subtitles_url": "subtitles", "live_config_url": "live-config"}
    return Sandbox(
        addresses=tuple(Address(name, f"{root}{part}") for name, part in {**hosts, **files}.items()),
        document=f"{root}openapi.json",
        faults=tuple(_fault(fault) for fault in Fault.objects.order_by("operation")),
        accounts=_accounts(now, revealed_key),
        fault_form=fault_form,
        options_form=options_form,
        changeable=settings.LOCAL,
    )


def _fault(fault: Fault) -> FaultRow:
    parts = []
    answer = str(fault.status or fault.broken)
    if answer:
        parts.append(dict(answers()).get(answer, answer))
    if fault.retry_after is not None:
        parts.append(_("Retry-After %(seconds)d s") % {"seconds": fault.retry_after})
    if fault.latency_ms or fault.jitter_ms:
        parts.append(_("%(ms)d ms late, give or take %(jitter)d") % {"ms": fault.latency_ms, "jitter": fault.jitter_ms})
    left = fault.remaining
    return FaultRow(
        operation=fault.operation,
        name=_("Every operation") if fault.operation == faults.EVERY else fault.operation,
        sentence=" · ".join(parts),
        remaining=_("Until cleared") if left is None else ngettext("%d more call", "%d more calls", left) % left,
    )


def _accounts(now: datetime, revealed_key: str) -> tuple[AccountRow, ...]:
    tokens = (
        Token.objects.select_related("user__organization__parent")
        .annotate(videos=Count("user__organization__videos"))
        .order_by("-videos", "user__created_at", "value")
    )
    rows = []
    for token in tokens:
        organization = token.user.organization
        ready = organization is None or organization.ready_at <= now
        rows.append(
            AccountRow(
                name=organization.name if organization else _("No account"),
                person=token.user.name,
                kind=_kind(organization),
                ready=ready,
                state=_("Usable") if ready else _("Being created"),
                key=str(token.user_id),
                token=token.value if revealed_key == str(token.user_id) and ready else "",
            )
        )
    return tuple(rows)


def _kind(organization: Organization | None) -> str:
    if organization is None:
        return ""
    if not organization.active:
        return _("Inactive account")
    if organization.parent is not None:
        return _("Sub-account of %(name)s") % {"name": organization.parent.name}
    plans = {"trial": _("Trial account"), "past_due": _("Account with a payment due"), "active": _("Account")}
    return plans.get(organization.plan, _("Account without a subscription"))
