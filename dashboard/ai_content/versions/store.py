"""Versions of a document: storing, listing, and recognising them in the platform's file."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from django.utils import timezone

from dashboard.ai_content.models import Blob, Document, Draft, Version, get_blob, get_content
from dashboard.ai_content.rules.difference import dump_summaries, list_changes
from dashboard.ai_content.rules.package import (
    Package,
    get_fingerprint,
    is_extended,
    list_blocks,
    remove_address,
)
from dashboard.ai_content.rules.quiz import QUESTIONS
from dashboard.platform_api.errors import CallError

NOT_THERE: Final = (Version.Kind.REFUSED, Version.Kind.ASIDE, Version.Kind.IMPORTED)
"""Versions that the platform never had."""
LATE: Final = timedelta(minutes=10)
"""How long after a version was public the CDN may still return an older one."""
VERSIONS_MOST: Final = 250
"""Versions kept of a document; the oldest go first. The promise is 100."""


class FileState(StrEnum):
    """Sync state of the platform's file relative to our newest version."""

    SETTLED = "settled"
    """The platform has the version that is edited."""
    SPREADING = "spreading"
    """Saved; viewers still get the version before."""
    UNCONFIRMED = "unconfirmed"
    """Sent without a response; the file does not show it yet."""
    UNREAD = "unread"
    """The file could not be read: the newest stored version is edited."""


@dataclass(frozen=True)
class OpenedLanguage:
    """A language, opened at a version. `trouble`: why the file could not be read; `waiting`: the version sent last."""

    document: Document
    version: Version
    state: FileState
    waiting: Version | None = None
    trouble: CallError | None = None

    @property
    def package(self) -> Package:
        """The whole file that editing starts from."""
        return get_content(self.version.blob)


def build_opened(document: Document, version: Version, last: Version | None) -> OpenedLanguage:
    """The language as it is known to be, `version`; `last` is what was sent last, which may be unconfirmed."""
    match last:
        case None:
            return OpenedLanguage(document, version, FileState.SETTLED)
        case Version(pk=pk) if pk < version.pk:
            return OpenedLanguage(document, version, FileState.SETTLED)
        case Version(pk=pk) if pk > version.pk:
            return OpenedLanguage(document, version, FileState.UNCONFIRMED, last)
        case Version(public_at=None):
            return OpenedLanguage(document, version, FileState.SPREADING, last)
        case _:
            return OpenedLanguage(document, version, FileState.SETTLED, last)


def build_spreading(opened: OpenedLanguage, version: Version) -> OpenedLanguage:
    """The language right after `version` was sent and confirmed."""
    return OpenedLanguage(opened.document, version, FileState.SPREADING, version)


def add_version(
    document: Document,
    package: Package,
    kind: Version.Kind,
    *,
    actor: str = "",
    parent: Package | None = None,
    handles: Iterable[str] = (),
    known: str = "",
    label: str = "",
) -> Version:
    """Add a version; `parent` is what it is described against. Old versions beyond `KEPT` go."""
    changes = () if parent is None else list_changes(parent, package)
    version = Version.objects.create(
        document=document,
        blob=get_blob(document, package, known),
        kind=kind,
        actor=actor[:120],
        changes=dump_summaries(changes),
        changes_count=len(changes),
        handles=list(handles),
        label=label[:200],
    )
    _prune(document)
    return version


def list_versions(document: Document) -> list[Version]:
    """Every version, newest first."""
    return list(document.versions.select_related("blob").order_by("-id"))


def get_settled(document: Document) -> Version | None:
    """Return the newest version that the platform is known to have had: new drafts start from it."""
    sure = document.versions.filter(kind__in=(Version.Kind.LOADED, Version.Kind.SAVED))
    return sure.select_related("blob").order_by("-id").first()


def get_emptied(document: Document) -> Package | None:
    """Return what is left of a language whose resources were all deleted here, and which has no file then. Else None."""
    version = get_settled(document)
    if version is None or version.kind != Version.Kind.SAVED:
        return None
    package = get_content(version.blob)
    return None if list_blocks(package) else package


def get_last_sent(document: Document) -> Version | None:
    """Return the newest version that was sent from here, or None."""
    sent = document.versions.filter(kind__in=(Version.Kind.SAVED, Version.Kind.SENDING))
    return sent.select_related("blob").order_by("-id").first()


def get_saved_at(document: Document) -> datetime | None:
    """Return when the newest version that was saved from here was sent, or None."""
    return document.versions.filter(kind=Version.Kind.SAVED).order_by("-id").values_list("at", flat=True).first()


def list_unsettled(document: Document) -> list[Version]:
    """List unconfirmed versions that were sent after the newest settled one, newest first."""
    sent = document.versions.filter(kind=Version.Kind.SENDING).select_related("blob").order_by("-id")
    known = get_settled(document)
    return list(sent if known is None else sent.filter(pk__gt=known.pk))


def is_version(version: Version, package: Package, mark: str) -> bool:
    """Whether a file is this version, also with ids and keys that the platform added."""
    return version.blob.digest == mark or is_kept_as(get_content(version.blob), package)


def is_kept_as(sent: Package, received: Package) -> bool:
    """Whether `received` is how a platform stores `sent`: with added keys and its own ids of questions [4.3].

    A whole resource is no key that a platform adds: a file that has one more is older than its deletion, or somebody else's.
    """
    return list_blocks(received) <= list_blocks(sent) and is_extended(
        _remove_ids(remove_address(sent)), _remove_ids(remove_address(received))
    )


def _remove_ids(package: Package) -> Package:
    questions = package.get(QUESTIONS)
    if not isinstance(questions, list):
        return package
    stripped = [{k: v for k, v in q.items() if k != "id"} if isinstance(q, dict) else q for q in questions]
    return package | {QUESTIONS: list(stripped)}


def is_proof(version: Version, package: Package) -> bool:
    """Whether a file that was read now shows that `version` arrived.

    It does not where an older version was the same, as after an undo, and may still be what a corner of the CDN has.
    """
    mark = get_fingerprint(package)
    if not is_version(version, package, mark):
        return False
    there = version.document.versions.filter(kind__in=(Version.Kind.LOADED, Version.Kind.SAVED), pk__lt=version.pk)
    if not there.filter(blob__digest=mark).exists():
        return True
    before = there.order_by("-id")[:1].get()
    return not is_followed_late(before)


def is_followed_late(version: Version) -> bool:
    """Whether a read may still show what was there before this version: it is not public yet, or only just."""
    since = version.at if version.kind == Version.Kind.LOADED else version.public_at
    return since is None or timezone.now() - since <= LATE


def keep_aside(document: Document, package: Package, actor: str, parent: Package) -> Version:
    """Store a discarded draft as a version."""
    return add_version(document, package, Version.Kind.ASIDE, actor=actor, parent=parent)


def note_public(version: Version) -> None:
    """Note that the public file is this version."""
    if version.public_at is None:
        version.public_at = timezone.now()
        version.save(update_fields=["public_at"])


def forget_version(version: Version) -> None:
    """Delete a version that the platform never had; its draft still has the content."""
    blob = version.blob_id
    version.delete()
    _delete_unused({blob})


def _prune(document: Document) -> None:
    old = list(document.versions.order_by("-id").values_list("pk", "blob_id")[VERSIONS_MOST : VERSIONS_MOST + 50])
    if not old:
        return
    Version.objects.filter(pk__in=[pk for pk, _ in old]).delete()
    _delete_unused({blob for _, blob in old})


def _delete_unused(blobs: set[int]) -> None:
    used = set(Version.objects.filter(blob__in=blobs).values_list("blob_id", flat=True))
    used |= set(Draft.objects.filter(base__in=blobs).values_list("base_id", flat=True))
    Blob.objects.filter(pk__in=blobs - used).delete()
