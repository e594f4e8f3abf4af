"""Queries of the writes that save a language."""

from typing import Final
from uuid import UUID

from django.db.models import QuerySet

from dashboard.accounts.models import Account
from dashboard.ai_content.models import Document, Version
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.requests import next_key

SAVE: Final = "ai_workflow.save_package"
INSTEAD = "instead"
"""Hidden form field: the unconfirmed save that this one replaces, and its attempt."""


def list_saves(document: Document) -> "QuerySet[Write]":
    """List every save of this language."""
    saves = Write.objects.select_related("account").filter(account_id=document.account_id, operation=SAVE)
    return saves.filter(subject=str(document.video_id), request__document=str(document.pk))


def find_open(document: Document) -> Write | None:
    """Return the save of this language that has not ended, or None."""
    return list_saves(document).filter(state__in=OPEN).order_by("created_at").last()


def find_by_form(document: Document, form: UUID) -> Write | None:
    """Return the save that this form began, or None."""
    mine = list_saves(document).filter(request__form=str(form)).exclude(state=State.CANCELLED)
    return mine.order_by("created_at").last()


def get_next_key(account: Account, document: Document) -> UUID:
    """Build the key of the next save, so that only one per language is open. Call it before reading anything."""
    return next_key(account, SAVE, str(document.video_id), document=str(document.pk))


def get_version(write: Write) -> Version | None:
    """Return the version that is sent; None where it was deleted because it was never sent, or refused."""
    versions = Version.objects.select_related("document", "blob")
    return versions.filter(pk=write.request["version"]).first()


def get_instead(write: Write) -> str:
    """Build the value of `INSTEAD` for this write."""
    return f"{write.pk}.{write.attempt}"
