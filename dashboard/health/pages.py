"""What templates/health/health.html gets."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from math import ceil
from time import time

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.shared import formats
from dashboard.shared.addresses import address as address_of
from dashboard.upstream import budget
from dashboard.upstream.models import Capability, CapabilityState
from dashboard.upstream.pages import STATES
from dashboard.upstream.platform_health import Pulse, Whole

ERRORS = {
    "Unreachable": gettext_noop("no answer"),
    "PlatformDown": gettext_noop("trouble of its own"),
    "RateLimited": gettext_noop("asked for a pause"),
}


@dataclass(frozen=True)
class OperationRow:
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
    "assistants.get": gettext_noop("One assistant"),
    "organizations.usage": gettext_noop("Use of sub-accounts"),
    "credits.history": gettext_noop("AI credits"),
    "public_files.video": gettext_noop("Public file of a video"),
    "public_files.subtitle": gettext_noop("Public subtitle file"),
    "ai_workflow.read_package": gettext_noop("Public file of AI content"),
    "public_files.comparison": gettext_noop("Public file of an A/B test"),
    "public_files.live": gettext_noop("Public file of a live"),
}


@dataclass(frozen=True)
class CapabilityRow:
    """One read that the platform may have, and whether it has it for this account."""

    name: str
    state: str
    shape: str
    path: str
    answer: str
    """What the answer is made of."""


@dataclass(frozen=True)
class HealthPage:
    """Every operation called in the last hour, the platform as a whole, its call budget, and what it has for this account.

    `pause`: until when it asked for one.
    """

    trouble: str
    pause: str
    cache_away: bool
    rows: tuple[OperationRow, ...]
    background: str
    """How much was read in the background in this minute; "" where that is not limited."""
    address: str
    offers: tuple[CapabilityRow, ...]
    checked: str
    """How long ago they were tried."""
    start: str
    """The page of what to check first."""


def build_health_page(
    pulses: list[Pulse],
    whole: Whole,
    calls: budget.Budget,
    *,
    trouble: bool,
    address: str,
    cache_away: bool,
    capabilities: Mapping[str, Capability],
) -> HealthPage:
    """`calls`: what the account's may do now. `address` is where the platform lives, for reading; `cache_away`: Redis is.

    `capabilities`: what trying its reads showed, by operation.
    """
    since = formats.ago(datetime.fromtimestamp(whole.since, UTC)) if trouble else ""
    return HealthPage(
        trouble=_("Calls have been failing since %(when)s.") % {"when": since} if trouble else "",
        pause=_format_pause(calls.paused_until()),
        cache_away=cache_away,
        rows=tuple(_build_row(pulse) for pulse in pulses),
        background=_format_background(calls.count_background()) if settings.PLATFORM_CALLS_PER_MINUTE else "",
        address=address,
        offers=tuple(
            _build_capability_row(capabilities[name], _(label)) for name, label in READS.items() if name in capabilities
        ),
        checked=formats.ago(max(row.checked_at for row in capabilities.values())) if capabilities else "",
        start=address_of("getting_started:getting_started"),
    )


def _build_capability_row(row: Capability, name: str) -> CapabilityRow:
    shape, state = STATES[CapabilityState(row.state)]
    return CapabilityRow(name, _(state), shape, row.path, row.shape)


def _format_pause(until: float) -> str:
    if until <= time():
        return ""
    at = formats.time_of_day(datetime.fromtimestamp(ceil(until), UTC), seconds=True)
    sentence = _("The platform received too many requests. Pages show what is known until %(time)s.") % {"time": at}
    return f"{sentence} {_('What you change meanwhile is saved here and sent afterwards.')}"


def _format_background(count: int) -> str:
    limit = budget.background_calls()
    return _("Background requests this minute: %(count)s of %(limit)s") % {
        "count": formats.number(min(count, limit)),
        "limit": formats.number(limit),
    }


def _build_row(pulse: Pulse) -> OperationRow:
    failing = pulse.last_failure is not None and (pulse.last_success or 0) < pulse.last_failure
    state = _("Answering")
    if failing:
        state = _(ERRORS.get(pulse.last_error, pulse.last_error)).capitalize()
    return OperationRow(
        operation=pulse.operation,
        healthy=not failing,
        state=state,
        last_success=formats.ago(datetime.fromtimestamp(pulse.last_success, UTC))
        if pulse.last_success
        else _("not yet"),
        latency=_("%(count)s ms") % {"count": formats.number(pulse.median, 0)} if pulse.median is not None else "",
        failed=_("%(failed)s of %(all)s")
        % {"failed": formats.number(pulse.failures), "all": formats.number(pulse.calls)},
    )
