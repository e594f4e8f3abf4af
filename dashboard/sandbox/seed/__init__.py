"""The demo's account: a coffee cooperative with a library, a course, a campaign, and colleagues who disagree about cuts.

Ids and tokens are always the same; times are relative to the moment of seeding. The same moment gives the same bytes.
"""

from datetime import datetime
from typing import Any, Final

from django.apps import apps
from django.db import transaction

from dashboard.sandbox import clock
from dashboard.sandbox.models import Organization
from dashboard.sandbox.seed import folders, people, publishing, reviewing, roles, working
from dashboard.sandbox.seed.identity import known

DATABASE: Final = "sandbox"


def seed(reset: bool = False, now: datetime | None = None) -> bool:
    """Write the demo's records in one transaction, and say whether anything was written.

    `reset`: forget everything the embedded platform holds first, also what people made. Without it, an account that is
    there stays as it is.
    """
    now = now or clock.now()
    with transaction.atomic(using=DATABASE):
        if reset:
            _forget()
        elif _seeded():
            return False
        for part in (people, folders, reviewing, working, publishing):
            part.plant(now)
    return True


def ensure_seeded() -> None:
    """Seed the demo unless it is there."""
    if not _seeded():
        seed()


def cast() -> dict[str, Any]:
    """Tokens and identifiers by role, of records that are certainly there."""
    ensure_seeded()
    return roles.cast()


def _seeded() -> bool:
    return Organization.objects.filter(pk=known("organization", "owner")).exists()


def _forget() -> None:
    """Empty every table. In which order does not matter: references are checked when the transaction ends."""
    for model in apps.get_app_config("sandbox").get_models():
        model._default_manager.using(DATABASE).all()._raw_delete(DATABASE)
