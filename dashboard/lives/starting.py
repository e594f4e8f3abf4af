"""Starting a live exactly once (section 4.9), and what is remembered of it."""

from django.db import IntegrityError, transaction

from dashboard import clients
from dashboard.activity.recorder import ambiguous, recorded
from dashboard.lives.models import Start
from dashboard.lives.rules import Pressed
from dashboard.platform_api.errors import PlatformError
from dashboard.platform_api.records.lives import Live
from dashboard.shared.http import OwnerRequest


def press(request: OwnerRequest, live: Live) -> bool:
    """Ask the platform to start `live`; False when that was done already, here or in another tab.

    The row is written before the call: two presses at once meet at its unique key. A clear refusal takes it back; an
    answer that never came leaves it unconfirmed. Raises the `PlatformError` of a refusal.
    """
    try:
        with transaction.atomic():
            start = Start.objects.create(account_id=request.account.pk, live_id=live.id)
    except IntegrityError:
        return False
    before = {"scheduled_at": live.scheduled_at.isoformat() if live.scheduled_at else None}
    try:
        with recorded(request, "lives.start", target=live.id, label=live.title, before=before):
            clients.platform(request).lives.start(live.id)
    except PlatformError as error:
        if ambiguous(error):
            return True
        start.delete()
        raise
    start.confirmed = True
    start.save(update_fields=["confirmed"])
    return True


def pressed(request: OwnerRequest, live: Live) -> Pressed | None:
    """What is known of a start of `live`. A live that is scheduled again has a new start before it."""
    start = Start.objects.filter(account_id=request.account.pk, live_id=live.id).first()
    if start is None:
        return None
    if start.confirmed and live.scheduled_at is not None:
        start.delete()
        return None
    if not start.confirmed and live.scheduled_at is None:
        start.confirmed = True  # the platform clears the schedule when it accepts (section 3): reading settles it
        start.save(update_fields=["confirmed"])
    return Pressed(start.at, start.confirmed)
