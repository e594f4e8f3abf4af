"""Signed-in browsers: what they say they are (their name and system, no more of it is kept), who is where, and signing out browsers from another one.

Sessions give access, and their rows in `Device` say whose they are: signing a browser out deletes its session. What one
process does all others see at once, because both are in the database.
"""

import contextlib
import uuid
from collections.abc import Callable, Collection, Iterator
from datetime import timedelta
from typing import Any, Final

from django.contrib.sessions.models import Session
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.db.models import Exists, F, OuterRef, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from dashboard.accounts.models import Account, Device
from dashboard.accounts.sessions import hash_key

BROWSERS: Final = (
    ("Edg", "Edge"),
    ("OPR/", "Opera"),
    ("SamsungBrowser/", "Samsung Internet"),
    ("Vivaldi/", "Vivaldi"),
    ("YaBrowser/", "Yandex Browser"),
    ("Firefox/", "Firefox"),
    ("FxiOS/", "Firefox"),
    ("CriOS/", "Chrome"),
    ("Chromium/", "Chromium"),
    ("Chrome/", "Chrome"),
    ("Version/", "Safari"),
)
"""Part of the header, and whose it is. Most browsers also name those that they resemble, so the first one found counts."""
SAFARI: Final = "Safari/"
"""Also in the header of Safari itself; older browsers of other makers say `Version/` without it."""
SYSTEMS: Final = (
    ("Windows", "Windows"),
    ("iPhone", "iPhone"),
    ("iPad", "iPad"),
    ("CrOS", "ChromeOS"),
    ("Android", "Android"),
    ("Macintosh", "macOS"),
    ("Linux", "Linux"),
)


def name_browser(user_agent: str) -> str:
    """Firefox, Chrome, Safari …; "" for one that is not known."""
    name = _first(BROWSERS, user_agent)
    return "" if name == "Safari" and SAFARI not in user_agent else name


def name_system(user_agent: str) -> str:
    """Windows, macOS, Android …; "" for one that is not known."""
    return _first(SYSTEMS, user_agent)


def _first(names: tuple[tuple[str, str], ...], user_agent: str) -> str:
    return next((name for part, name in names if part in user_agent), "")


SEEN_EVERY: Final = timedelta(minutes=5)
"""How exact "last seen" is: a request writes it only where it is older."""


def list_devices(account: Account) -> QuerySet[Device]:
    """The browsers in which `account` is signed in, the one seen last first."""
    alive = Session.objects.filter(session_key=OuterRef("session_key"), expire_date__gt=timezone.now())
    return Device.objects.filter(Exists(alive), account=account).order_by("-seen_at", "pk")


def add(request: HttpRequest, account: Account, *, session_before: str | None, person: str) -> None:
    """List this browser for an account that it has just signed in to, or switched to.

    Signing in changes the key of the session: what is known of the one before goes on under the new key.
    """
    key = hash_key(request.session.session_key)
    described = _describe(request) | {"seen_at": timezone.now()}
    Device.objects.filter(session_key=hash_key(session_before)).update(session_key=key)
    Device.objects.update_or_create(
        session_key=key,
        account=account,
        defaults=described | {"person": person[:100]},
        create_defaults=described | {"person": person[:100], "signed_in_at": timezone.now()},
    )


def note_seen(request: HttpRequest, account: Account, list_connected: Callable[[], list[Account]]) -> None:
    """Keep that this browser was here, at most every few minutes; one that signed in before devices were listed is added.

    No page waits or fails for it: what cannot be written now is written by a later request.
    """
    key, now = hash_key(request.session.session_key), timezone.now()
    noted = f"device-noted:{account.pk}:{key}"
    if not key or cache.get(noted):
        return
    with contextlib.suppress(DatabaseError):
        seen_at = Device.objects.filter(session_key=key, account=account).values_list("seen_at", flat=True).first()
        if seen_at is not None and now - seen_at < SEEN_EVERY:
            cache.set(noted, 1, (SEEN_EVERY - (now - seen_at)).total_seconds())
            return
        described = _describe(request) | {"seen_at": now}
        with _without_waiting():
            if seen_at is None:
                rows = [Device(session_key=key, account=account_row, **described) for account_row in list_connected()]
                Device.objects.bulk_create(rows, ignore_conflicts=True)
            Device.objects.filter(session_key=key, seen_at__lt=now).update(**described)
        cache.set(noted, 1, SEEN_EVERY.total_seconds())


def sign_out(device: Device) -> None:
    """End the session of a browser, whatever accounts it is signed in to."""
    _end([device.session_key])


def sign_out_everywhere(account: Account, *, but: str | None = None) -> int:
    """Sign every browser out of `account`, also one that is not listed yet; `but` is the session that stays.

    The session that stays has to learn of `account.disconnections`. Returns how many listed browsers were signed out.
    """
    keys = list(list_devices(account).exclude(session_key=hash_key(but)).values_list("session_key", flat=True))
    Account.objects.filter(pk=account.pk).update(disconnections=F("disconnections") + 1)
    account.refresh_from_db(fields=["disconnections"])
    _end(keys)
    return len(keys)


def sign_out_everybody() -> None:
    """End every session: of a restored backup nobody knows which have been ended since."""
    Session.objects.all().delete()
    Device.objects.all().delete()


def forget(session_key: str | None, account: Account | None = None) -> None:
    """A session ended, or left `account`: it is listed no longer."""
    rows = Device.objects.filter(session_key=hash_key(session_key))
    (rows.filter(account=account) if account else rows).delete()


def prune() -> None:
    """Delete the rows of sessions that are over."""
    Device.objects.exclude(Exists(Session.objects.filter(session_key=OuterRef("session_key")))).delete()


def find(account: Account, device_id: uuid.UUID) -> Device | None:
    """A browser in which this very account is signed in."""
    return list_devices(account).filter(pk=device_id).first()


def _end(keys: Collection[str]) -> None:
    """End sessions, by their keys as they are stored."""
    for rows in (Session.objects, Device.objects):
        rows.filter(session_key__in=keys).delete()


def _describe(request: HttpRequest) -> dict[str, Any]:
    user_agent = request.headers.get("User-Agent", "")
    return {"browser": name_browser(user_agent), "system": name_system(user_agent)}


@contextlib.contextmanager
def _without_waiting() -> Iterator[None]:
    """While another process holds SQLite's lock, a page that only shows something is not held up by what is noted here."""
    if connection.vendor != "sqlite" or connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        (patience,) = cursor.execute("PRAGMA busy_timeout").fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
        try:
            yield
        finally:
            cursor.execute(f"PRAGMA busy_timeout = {int(patience)}")
