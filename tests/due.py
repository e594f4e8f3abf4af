"""Time for writes: what is due is done as the worker does it, without a worker."""

from datetime import timedelta

from dashboard.writes import recovery
from dashboard.writes.models import Write

MOMENTS = ("due_at", "sent_at", "ended_at", "created_at")


def pass_by(seconds: float) -> None:
    """Let `seconds` pass for every write."""
    for write in Write.objects.all():
        for name in MOMENTS:
            if getattr(write, name) is not None:
                setattr(write, name, getattr(write, name) - timedelta(seconds=seconds))
        write.save(update_fields=MOMENTS)


def run_due(seconds: float = 0) -> None:
    """Let `seconds` pass, and the worker do what is due then."""
    pass_by(seconds)
    recovery.recover()
    for write in Write.objects.exclude(due_at=None).select_related("account").order_by("created_at"):
        recovery.follow(write)
