"""What is stored of a document: its versions, the writes that save it, its drafts, and which windows have it open.

Drafts are what is typed and not sent, one per block; here is what versions that arrive do to them.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.db.models import F, QuerySet
from django.utils import timezone

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.ai_content.models import (
    Blob,
    Document,
    Draft,
    Step,
    Version,
    get_blob,
    get_content,
    get_file_key,
    pack,
)
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.difference import dump_summaries, list_changes
from dashboard.ai_content.rules.merge import merge_packages
from dashboard.ai_content.rules.quiz import QUESTIONS
from dashboard.platform_api.errors import CallError
from dashboard.platform_api.records.ai_workflow import PackageFile
from dashboard.shared.http import OwnerRequest
from dashboard.shared.locks import forget
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.requests import next_key

WINDOWS: Final = "ai-content:windows:{}"
CHANGES: Final = "ai-content:window-changes:{}"
"""Keys in the cache of a document's windows, and of what was changed in them."""
NOTED: Final = 30
STAYS: Final = 75.0
"""Seconds after its last poll in which a window counts as open; the slowest poll is half of it."""


def get_tab(request: OwnerRequest) -> str:
    """Return the name of the requesting window; "" without JavaScript."""
    return (request.headers.get("X-Tab", "") or request.POST.get("tab", ""))[:40]


def note_window(request: OwnerRequest, document: UUID, tab: str) -> None:
    """Note that a window shows the document. Two at the same instant may miss each other until the next poll."""
    if not tab:
        return
    alive = {**_load_windows(document), tab[:40]: (actor_of(request, request.account), time.time())}
    cache.set(WINDOWS.format(document), alive, STAYS * 2)


def list_others(document: UUID, tab: str) -> list[str]:
    """List who has it open in other windows, one entry per window; none for a window without a name."""
    return [actor for name, (actor, _at) in sorted(_load_windows(document).items()) if name != tab] if tab else []


def _load_windows(document: UUID) -> dict[str, tuple[str, float]]:
    """Who has it open in which window, and when they polled last."""
    known: dict[str, tuple[str, float]] = cache.get(WINDOWS.format(document)) or {}
    return {name: entry for name, entry in known.items() if time.time() - entry[1] < STAYS}


@dataclass(frozen=True)
class WindowChange:
    """A change: its revision, the window it came from ("" for one without a name), who, where, and when (epoch seconds)."""

    revision: int
    tab: str
    actor: str
    place: str
    at: float


def note_change(document: Document, *, tab: str = "", actor: str = "", place: str = "") -> None:
    """Count a change of the document, and note it for the windows that poll."""
    Document.objects.filter(pk=document.pk).update(revision=F("revision") + 1)
    document.refresh_from_db(fields=["revision"])
    known: list[WindowChange] = cache.get(CHANGES.format(document.pk)) or []
    happened = WindowChange(document.revision, tab, actor, place, time.time())
    cache.set(CHANGES.format(document.pk), [*known, happened][-NOTED:], STAYS * 20)


def get_foreign_change(document: UUID, tab: str, since: int) -> WindowChange | None:
    """Return the last change after revision `since` that was made in another window, or None."""
    known: list[WindowChange] = cache.get(CHANGES.format(document)) or []
    foreign = [each for each in known if each.revision > since and (each.tab != tab or not tab)]
    return foreign[-1] if foreign else None


THERE: Final = (Version.Kind.LOADED, Version.Kind.SAVED)
"""Versions that the platform is known to have had."""
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
    def package(self) -> packages.Package:
        """The whole file that editing starts from."""
        return get_content(self.version.blob)


def build_opened(document: Document, version: Version, trouble: CallError | None = None) -> OpenedLanguage:
    """The language as it is known to be, `version`; what was sent last may be unconfirmed."""
    last = get_last_sent(document)
    if trouble is not None:
        return OpenedLanguage(document, version, FileState.UNREAD, last, trouble)
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


def add_version(
    document: Document,
    package: packages.Package,
    kind: Version.Kind,
    *,
    actor: str = "",
    parent: packages.Package | None = None,
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
    return document.versions.filter(kind__in=THERE).select_related("blob").order_by("-id").first()


def get_emptied(document: Document) -> packages.Package | None:
    """Return what is left of a language whose resources were all deleted here, and which has no file then. Else None."""
    version = get_settled(document)
    if version is None or version.kind != Version.Kind.SAVED:
        return None
    package = get_content(version.blob)
    return None if packages.list_blocks(package) else package


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


def is_version(version: Version, package: packages.Package, mark: str) -> bool:
    """Whether a file is this version, also with ids and keys that the platform added."""
    return version.blob.digest == mark or is_kept_as(get_content(version.blob), package)


def is_kept_as(sent: packages.Package, received: packages.Package) -> bool:
    """Whether `received` is how a platform stores `sent`: with added keys and its own ids of questions [4.3].

    A whole resource is no key that a platform adds: a file that has one more is older than its deletion, or somebody else's.
    """
    return packages.list_blocks(received) <= packages.list_blocks(sent) and packages.is_extended(
        _remove_ids(packages.remove_address(sent)), _remove_ids(packages.remove_address(received))
    )


def _remove_ids(package: packages.Package) -> packages.Package:
    questions = package.get(QUESTIONS)
    if not isinstance(questions, list):
        return package
    stripped = [{k: v for k, v in q.items() if k != "id"} if isinstance(q, dict) else q for q in questions]
    return package | {QUESTIONS: list(stripped)}


def is_proof(version: Version, package: packages.Package) -> bool:
    """Whether a file that was read now shows that `version` arrived.

    It does not where an older version was the same, as after an undo, and may still be what a corner of the CDN has.
    """
    mark = packages.get_fingerprint(package)
    if not is_version(version, package, mark):
        return False
    there = version.document.versions.filter(kind__in=THERE, pk__lt=version.pk)
    if not there.filter(blob__digest=mark).exists():
        return True
    before = there.order_by("-id")[:1].get()
    return not is_followed_late(before)


def is_followed_late(version: Version) -> bool:
    """Whether a read may still show what was there before this version: it is not public yet, or only just."""
    since = version.at if version.kind == Version.Kind.LOADED else version.public_at
    return since is None or timezone.now() - since <= LATE


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


def find_save_by_form(document: Document, form: UUID) -> Write | None:
    """Return the save that this form began, or None."""
    mine = list_saves(document).filter(request__form=str(form)).exclude(state=State.CANCELLED)
    return mine.order_by("created_at").last()


def get_next_key(account: Account, document: Document) -> UUID:
    """Build the key of the next save, so that only one per language is open. Call it before reading anything."""
    return next_key(account, SAVE, str(document.video_id), document=str(document.pk))


def get_version(write: Write) -> Version | None:
    """Return the version that is sent; None where it was deleted because it was never sent, or refused."""
    versions = Version.objects.select_related("document", "blob").filter(document__account_id=write.owner.pk)
    return versions.filter(pk=write.request["version"]).first()


def read_file(account: Account, document: Document, *, fresh: bool = True) -> PackageFile:
    """Read the file of a language from the platform, past the CDN's cache or with it. Raises a `CallError`."""
    read = clients.platform_for(account).ai_workflow.read_package
    return read(document.pullzone, document.external_id, document.lang or None, fresh=fresh)


def get_instead(write: Write) -> str:
    """Build the value of `INSTEAD` for this write."""
    return f"{write.pk}.{write.attempt}"


def list_drafts(document: Document) -> dict[packages.Block, Draft]:
    """Return the drafts of a language, by block."""
    return {packages.Block(draft.block): draft for draft in document.drafts.select_related("base")}


def get_last_step(draft: Draft | None) -> Step | None:
    """Return the step that is undone next."""
    return draft.steps.order_by("-id").first() if draft is not None else None


def list_deleted_questions(draft: Draft | None) -> list[Step]:
    """List the deleted questions that can be put back, newest first."""
    return list(draft.steps.filter(code="question_deleted").order_by("-id")[:20]) if draft is not None else []


def adopt_content(version: Version, package: packages.Package, mark: str) -> None:
    """Replace the content of our version by how the platform stores it, and move the drafts that started from it."""
    if version.blob.digest != mark:
        before = version.blob
        version.blob = get_blob(version.document, package, mark)
        version.save(update_fields=["blob"])
        for draft in version.document.drafts.select_related("base").filter(base=before):
            rebase_draft(draft, version.blob)


def finish_drafts(document: Document, version: Version) -> None:
    """Delete the drafts that were sent in `version`; those edited after it was sent are rebased on it.

    Call it in a transaction, so that no edit comes between.
    """
    for draft in document.drafts.select_for_update(of=("self",)).select_related("base"):
        pk, revision = version.sent.get(draft.block, (None, None))
        if (pk, revision) == (draft.pk, draft.revision):
            draft.delete()
        elif pk == draft.pk:
            rebase_draft(draft, version.blob)


def rebase_draft(draft: Draft, onto: Blob, values: packages.Package | None = None) -> None:
    """Move a draft to another version, with `values`, or merged where None."""
    block, mine = packages.Block(draft.block), draft.values
    new = packages.get_part(get_content(onto), block)
    merged = merge_packages(draft.values_before, mine, new).value if values is None else values
    if block is packages.Block.QUIZ:
        draft.handles = quiz.carry_handles(quiz.get_questions(mine), draft.handles, quiz.get_questions(merged))
    draft.base, draft.body, draft.revision = onto, pack(merged), draft.revision + 1
    if packages.is_same(merged, new):
        draft.delete()
    else:
        draft.save(update_fields=["base", "body", "handles", "revision"])


def keep_version(version: Version, package: packages.Package | None, tab: str = "") -> None:
    """Mark `version` as saved, finish its drafts and note it for other windows. `package`: the file, where it was read."""
    document = version.document
    if package is not None:
        adopt_content(version, package, packages.get_fingerprint(package))
    version.kind = Version.Kind.SAVED
    version.save(update_fields=["kind"])
    forget(get_file_key(document))
    finish_drafts(document, version)
    Document.objects.filter(pk=document.pk).update(refusal=None)
    note_change(document, tab=tab, actor=version.actor, place="saved")
