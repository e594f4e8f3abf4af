"""What templates/health/health.html gets."""

import time
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.shared import words
from dashboard.shared.pulse import Pulse, Whole
from dashboard.upstream.models import Capability, CapabilityState

ERRORS = {
    "Unreachable": gettext_noop("no answer"),
    "PlatformDown": gettext_noop("trouble of its own"),
    "RateLimited": gettext_noop("asked for a pause"),
}


@dataclass(frozen=True)
class Row:
    """One operation."""

    operation: str
    healthy: bool
    state: str
    last_success: str
    latency: str
    failed: str


READS = {
    "videos.list": gettext_noop("List of videos"),
    "videos.subtitles": gettext_noop("Subtitles of a video"),
    "custom_fields.list": gettext_noop("Custom fields of a video"),
    "review_links.list": gettext_noop("Review links of a video"),
    "public_review.read_link": gettext_noop("One review link"),
    "public_review.comments": gettext_noop("Comments of a review link"),
    "lives.list": gettext_noop("List of lives"),
    "lives.get": gettext_noop("One live"),
    "folders.funnels": gettext_noop("Funnels of a folder"),
    "funnels.list": gettext_noop("List of funnels"),
    "funnels.get": gettext_noop("One funnel"),
    "playlists.list": gettext_noop("List of playlists"),
    "playlists.get": gettext_noop("One playlist"),
    "assistants.list": gettext_noop("List of assistants"),
}
STATES = {
    CapabilityState.FOUND: ("healthy", gettext_noop("Available")),
    CapabilityState.ABSENT: ("none", gettext_noop("Not on this platform")),
    CapabilityState.FORBIDDEN: ("blocked", gettext_noop("Not allowed for this account")),
    CapabilityState.UNTRIED: ("unknown", gettext_noop("Not known yet")),
}


@dataclass(frozen=True)
class Offer:
    """One read that the platform may have, and whether it has it for this account."""

    name: str
    state: str
    shape: str
    path: str
    answer: str
    """What the answer is made of."""


@dataclass(frozen=True)
class HealthPage:
    """Every operation called in the last hour, the platform as a whole, and what it has for this account."""

    trouble: str
    cache_away: bool
    rows: tuple[Row, ...]
    address: str
    offers: tuple[Offer, ...]
    checked: str
    """How long ago they were tried."""


def health_page(
    pulses: list[Pulse],
    whole: Whole,
    *,
    trouble: bool,
    address: str,
    cache_away: bool,
    capabilities: Mapping[str, Capability],
) -> HealthPage:
    """`address` is where the platform lives, for reading; `cache_away`: whether Redis does not answer.

    `capabilities`: what trying its reads showed, by operation.
    """
    since = words.ago(datetime.fromtimestamp(whole.since, UTC)) if trouble else ""
    return HealthPage(
        trouble=_("Calls have been failing since %(when)s.") % {"when": since} if trouble else "",
        cache_away=cache_away,
        rows=tuple(_row(pulse) for pulse in pulses),
        address=address,
        offers=tuple(_offer(capabilities[name], _(said)) for name, said in READS.items() if name in capabilities),
        checked=words.ago(max(row.checked_at for row in capabilities.values())) if capabilities else "",
    )


def _offer(row: Capability, name: str) -> Offer:
    shape, state = STATES[CapabilityState(row.state)]
    return Offer(name, _(state), shape, row.path, row.shape)


def _row(pulse: Pulse) -> Row:
    paused = pulse.paused_until is not None and pulse.paused_until > time.time()
    failing = pulse.last_failure is not None and (pulse.last_success or 0) < pulse.last_failure
    state = _("Answering")
    if failing:
        state = _(ERRORS.get(pulse.last_error, pulse.last_error)).capitalize()
    if paused:
        state = _("Asked for a pause")
    return Row(
        operation=pulse.operation,
        healthy=not failing and not paused,
        state=state,
        last_success=words.ago(datetime.fromtimestamp(pulse.last_success, UTC)) if pulse.last_success else _("not yet"),
        latency=_("%(count)s ms") % {"count": words.number(pulse.median, 0)} if pulse.median is not None else "",
        failed=_("%(failed)s of %(all)s") % {"failed": words.number(pulse.failures), "all": words.number(pulse.calls)},
    )
