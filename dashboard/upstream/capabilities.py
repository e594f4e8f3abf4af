"""Which of the assumed reads the platform has for an account, and where: learnt once, kept, asked by every page."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext_noop

from dashboard.platform_api import PlatformConfig
from dashboard.platform_api.config import ALTERNATIVES, ASSUMED, PUBLIC_FILES, Place
from dashboard.platform_api.errors import CallError, Missing, NotAllowed
from dashboard.upstream.models import Capability, CapabilityState, KnownAnswer

KEPT_SECONDS: Final = 3600
"""How long processes go by what they read of the table; whoever changes it makes them forget."""
OLD_AFTER: Final = timedelta(days=7)
"""After this a read is tried again by itself: platforms grow."""
PATH_MOST: Final = Capability._meta.get_field("path").max_length
REFUSED: Final[Mapping[str, type[CallError]]] = {
    CapabilityState.ABSENT: Missing,
    CapabilityState.FORBIDDEN: NotAllowed,
}

STATES: Final = {
    CapabilityState.FOUND: ("healthy", gettext_noop("Available")),
    CapabilityState.FORBIDDEN: ("blocked", gettext_noop("Not allowed for this account")),
    CapabilityState.ABSENT: ("none", gettext_noop("Not on this platform")),
    CapabilityState.UNTRIED: ("unknown", gettext_noop("Not known yet")),
}
"""Whether the platform has a read for an account: shape and words, what says most first."""


@dataclass(frozen=True)
class Tried:
    """What trying one read showed."""

    operation: str
    state: CapabilityState
    path: str
    shape: str = ""


@dataclass(frozen=True)
class Capabilities:
    """What is known of an account's reads: state and path, by operation."""

    states: Mapping[str, tuple[str, str]] = field(default_factory=dict)

    def error(self, operation: str, path: str) -> CallError | None:
        """The error that a read would bring, which was tried at this path and is absent or forbidden; else None."""
        state, tried = self.states.get(operation, ("", ""))
        kind = REFUSED.get(state)
        return kind(operation) if kind is not None and tried == path else None

    def has(self, operation: str) -> bool:
        """Whether the read was tried and found."""
        return self.states.get(operation, ("", ""))[0] == CapabilityState.FOUND

    def places(self) -> dict[str, Place]:
        """Where reads were found that are elsewhere than assumed."""
        places = {name: path for name, (state, path) in self.states.items() if state == CapabilityState.FOUND}
        return {name: Place.parse(path) for name, path in places.items() if path == ALTERNATIVES.get(name)}


def path_of(operation: str, config: PlatformConfig) -> str:
    """Where an operation is tried first, as it is written down; "" for a public file whose host is not set."""
    if operation not in PUBLIC_FILES:
        return config.paths[operation].path if operation in config.paths else ASSUMED[operation]
    host, path = PUBLIC_FILES[operation][1:].split("}", 1)
    address: str = getattr(config, host)
    return address and (address + path)[:PATH_MOST]


def load(account_id: UUID) -> Capabilities:
    """What is known of the account's reads; nothing where they were never tried."""
    capabilities: Capabilities | None = cache.get(_key(account_id))
    if capabilities is None:
        rows = Capability.objects.filter(account_id=account_id).values_list("operation", "state", "path")
        capabilities = Capabilities({operation: (state, path) for operation, state, path in rows})
        cache.set(_key(account_id), capabilities, KEPT_SECONDS)
    return capabilities


def keep(account_id: UUID, tried: Iterable[Tried]) -> None:
    """Write down what trying showed; what could not be tried changes nothing that is known.

    Answers of a read that is not there any more are dropped.
    """
    rows = [
        Capability(
            account_id=account_id,
            operation=trial.operation,
            state=trial.state,
            path=trial.path,
            shape=trial.shape[:400],
            checked_at=timezone.now(),
        )
        for trial in tried
    ]
    gone = [row.operation for row in rows if row.state in REFUSED]
    untried = [row for row in rows if row.state == CapabilityState.UNTRIED]
    with transaction.atomic():
        Capability.objects.bulk_create(untried, ignore_conflicts=True)
        Capability.objects.bulk_create(
            [row for row in rows if row.state != CapabilityState.UNTRIED],
            update_conflicts=True,
            unique_fields=["account", "operation"],
            update_fields=["state", "path", "shape", "checked_at"],
        )
        KnownAnswer.objects.filter(account_id=account_id, operation__in=gone).delete()
    cache.delete(_key(account_id))


def rows_of(account_id: UUID) -> dict[str, Capability]:
    """What trying the account's reads showed, by operation."""
    return {row.operation: row for row in Capability.objects.filter(account_id=account_id)}


def forget_account(account_id: UUID) -> None:
    """Drop what is known: its token is gone."""
    Capability.objects.filter(account_id=account_id).delete()
    cache.delete(_key(account_id))


def _key(account_id: UUID) -> str:
    return f"capabilities:{account_id}"
