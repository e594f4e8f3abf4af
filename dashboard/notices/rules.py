"""When e-mails leave, who may ask for one, and how an address is shown. Times in, times out."""

from datetime import datetime, time, timedelta
from enum import StrEnum
from typing import Final

BUNDLE: Final = timedelta(minutes=5)
"""What happens within this time is one e-mail."""
MORNING: Final = time(8)
"""When a daily e-mail leaves, in the zone of its reader."""
CONFIRMABLE: Final = timedelta(days=2)
"""How long the link in a confirmation works."""
GIVE_UP: Final = timedelta(days=1)
"""An e-mail that the mail server could not take for so long is not sent any more."""
FORGET: Final = timedelta(days=30)
"""So long after a review link has closed, the addresses left there are deleted."""

ASKS_PER_PERSON: Final = (10, 3600)
"""Confirmations: attempts, seconds."""
ASKS_PER_NETWORK: Final = (30, 3600)
ASKS_PER_LINK: Final = (200, 3600)
ADDRESS_PER_PERSON: Final = (3, 24 * 3600)
"""Confirmations to one address. Beyond it nothing is sent, and nothing says so: nobody learns whether it is known here."""
ADDRESS_PER_NETWORK: Final = (3, 24 * 3600)
ADDRESS_BY_ALL: Final = (24, 24 * 3600)
PAUSES: Final = (10, 60, 300)
"""Seconds between attempts while the mail server does not take an e-mail; the last one repeats."""


class Every(StrEnum):
    """How often somebody hears of things."""

    NOW = "now"
    HOUR = "hour"
    DAY = "day"
    NONE = "none"


def get_due_time(every: Every, local_now: datetime) -> datetime | None:
    """When an e-mail about what happens now leaves; None for never. `local_now` is in the reader's zone."""
    if every == Every.NOW:
        return local_now + BUNDLE
    if every == Every.HOUR:
        return local_now.replace(minute=0, second=0, microsecond=0) + timedelta(hours=1)
    if every == Every.DAY:
        today = local_now.replace(hour=MORNING.hour, minute=0, second=0, microsecond=0)
        return today if today > local_now else today + timedelta(days=1)
    return None


def get_pause(attempt: int) -> int:
    """Seconds until the next attempt, after `attempt` of them failed."""
    return PAUSES[min(max(attempt, 1), len(PAUSES)) - 1]


def mask_address(address: str) -> str:
    """`priya@agency.example` as `p…@agency.example`: enough to recognise one's own."""
    name, _at, host = address.rpartition("@")
    return f"{name[:1]}…@{host}"
