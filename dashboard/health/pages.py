"""How Platform health calls the reads that a platform may have, and what went wrong."""

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.upstream.capabilities import STATES
from dashboard.upstream.models import Capability, CapabilityState
from dashboard.upstream.platform_health import Pulse

ERRORS = {
    "Unreachable": gettext_noop("no answer"),
    "PlatformDown": gettext_noop("trouble of its own"),
    "RateLimited": gettext_noop("asked for a pause"),
}

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


def list_operations(pulses: Iterable[Pulse]) -> Iterator[tuple[Pulse, str, datetime | None]]:
    """Each operation, what is wrong with it ("": it answers), and when it last worked."""
    for pulse in pulses:
        is_failing = pulse.last_failure is not None and (pulse.last_success or 0) < pulse.last_failure
        worked_at = datetime.fromtimestamp(pulse.last_success, UTC) if pulse.last_success else None
        yield pulse, _(ERRORS.get(pulse.last_error, pulse.last_error)) if is_failing else "", worked_at


def list_reads(capabilities: Mapping[str, Capability]) -> Iterator[tuple[str, str, str, Capability]]:
    """Each read that was tried: its name, its state as shape and words, and what trying it showed."""
    for operation, name in READS.items():
        if capability := capabilities.get(operation):
            shape, state = STATES[CapabilityState(capability.state)]
            yield _(name), shape, _(state), capability
