"""What templates/health/health.html gets."""

import time
from dataclasses import dataclass
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.shared import words
from dashboard.shared.pulse import Pulse, Whole

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


@dataclass(frozen=True)
class HealthPage:
    """Every operation called in the last hour, and the platform as a whole."""

    trouble: str
    cache_away: bool
    rows: tuple[Row, ...]
    address: str


def health_page(pulses: list[Pulse], whole: Whole, *, trouble: bool, address: str, cache_away: bool) -> HealthPage:
    """`address` is where the platform lives, for reading; `cache_away`: whether Redis does not answer."""
    since = words.ago(datetime.fromtimestamp(whole.since, UTC)) if trouble else ""
    return HealthPage(
        trouble=_("Calls have been failing since %(when)s.") % {"when": since} if trouble else "",
        cache_away=cache_away,
        rows=tuple(_row(pulse) for pulse in pulses),
        address=address,
    )


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
