"""The versions of a language: what is stored of a document, and reading its file.

Stored are the versions, the writes that save them, the drafts (what is typed and not sent, one per block) and which windows
have a document open. The public file may be older than the last save, and does not name its author: it is recognised by
its digest (see `FileContent`). An unconfirmed save is settled when the file shows it.
"""

import time
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from functools import partial
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.db.models import F, QuerySet
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.activity.recorder import actor_of
from dashboard.ai_content.models import Blob, Document, Draft, Step, Version, get_blob, get_content, get_file_key, pack
from dashboard.ai_content.rules import package as packages
from dashboard.ai_content.rules import quiz
from dashboard.ai_content.rules.difference import dump_summaries, list_changes, merge_packages
from dashboard.ai_content.rules.package import NotAPackage, Package, check_package, get_fingerprint
from dashboard.ai_content.rules.quiz import QUESTIONS
from dashboard.platform_api.ai_workflow import PackageFile
from dashboard.platform_api.errors import BadToken, CallError, Missing
from dashboard.platform_api.videos import Video
from dashboard.shared.http import OwnerRequest
from dashboard.shared.locks import forget, shared_read
from dashboard.upstream import clients, library, page_sources, reads
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Query
from dashboard.writes import outbox
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
    happened = WindowChange(document.revision, tab=tab, actor=actor, place=place, at=time.time())
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
        return OpenedLanguage(document, version, FileState.UNREAD, waiting=last, trouble=trouble)
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


LEGACY: Final = "legacy"


def get_lang(word: str) -> str | None:
    """The language an address names; None for the legacy file."""
    return None if word == LEGACY else word


def get_word(lang: str) -> str:
    """The word in an address for a language as it is stored, empty for the legacy file."""
    return lang or LEGACY


def list_languages(video: Video, also: str = "") -> list[str]:
    """Words of the languages that have AI content, in the order the platform lists them, the legacy file last."""
    languages = dict.fromkeys(resource.lang for resource in video.ai_resources if resource.lang)
    listed = list(languages)
    if also and also != LEGACY and also not in languages:
        listed.append(also)
    return [*listed, LEGACY] if video.ai_url or also == LEGACY else listed


VIDEO_SECONDS: Final = 30.0
"""Age up to which a read of a video is used again in the account: titles and languages change rarely."""
LIBRARY_SECONDS: Final = 300.0
"""The same for the library, which needs one read per row: the platform's list does not contain AI content."""
LIST_SECONDS: Final = 60.0
FILE_SECONDS: Final = 1.0
TROUBLE_SECONDS: Final = 60
"""How long pages show why the file could not be read in the background, unless a later read succeeds."""
PUBLIC_SECONDS: Final = 2.0
"""Age up to which one read of the public file, as viewers get it, is used for everybody who waits for it."""


class FileContent(StrEnum):
    """What a file contains, compared with the newest version that the platform is known to have."""

    UNCHANGED = "unchanged"
    """The version that was read before."""
    OUR_SAVE = "our_save"
    """Our last save, as the platform stores it: with ids of new questions and keys of its own."""
    LATE_COPY = "late_copy"
    """An older version, while our last save is spreading."""
    FOREIGN = "foreign"
    """Somebody else's change: stored as a version, so that drafts are merged with it."""


def get_video(request: OwnerRequest, video_id: UUID, seconds: float = VIDEO_SECONDS) -> Video:
    """Return the video, read at most `seconds` ago. Raises a `CallError`."""
    return reads.of(request).get(build_video_query(video_id, seconds))


def get_told_video(request: OwnerRequest, video_id: UUID) -> Video:
    """Return the video, its AI content by the player's file where the video does not say. Raises a `CallError`."""
    video = get_video(request, video_id)
    return library.load_ai_resources(reads.of(request), request.account.pullzone, [video])[video.id]


def build_video_query(video_id: UUID | str, seconds: float) -> Query[Video]:
    """Build the query of one video, at most `seconds` old."""
    return Query(lambda platform: platform.videos.get(video_id), seconds)


def get_pullzone(request: OwnerRequest, video: Video) -> str:
    """Return the CDN zone: from the video's player, from the account, else from the list of A/B tests [2.5].

    Raises `Missing` where none of them has it.
    """
    known = video.pullzone or request.account.pullzone
    pullzone = known or reads.of(request).get(lambda platform: platform.comparisons.list()).pullzone
    if not pullzone:
        raise Missing("ai_workflow.read_package", message="")
    return pullzone


def get_document(request: OwnerRequest, video_id: UUID, lang: str | None) -> Document | None:
    """Return the stored document of this language, or None. Does not read the platform."""
    return Document.objects.filter(account_id=request.account.pk, video_id=video_id, lang=lang or "").first()


def open_language(request: OwnerRequest, video_id: UUID, lang: str | None) -> OpenedLanguage:
    """Open the language at its newest stored version, or at its file where no version is stored.

    A page is rendered from the stored version while the file is read in the background; other requests wait for the file.
    Where it cannot be read, the newest version is opened together with the error. Raises the `CallError` when there is
    none, and `package.NotAPackage` for a file that cannot be edited without losing something.
    """
    document = get_document(request, video_id, lang)
    if document is None or get_settled(document) is None:
        video = get_video(request, video_id)
        document = document or _build_document(request, video, video_id, lang)
        return settle(document, _read_file(request.account, document))
    trouble = _update_title(request, document)
    if trouble is None and reads.is_page(request):
        page_sources.begin_work(request.account.pk, partial(_read_and_settle, request.account, document))
    elif trouble is None:
        _read_and_settle(request.account, document)
    return _open_known(document, trouble or cache.get(_get_trouble_key(document)))


def check_public(request: OwnerRequest, opened: OpenedLanguage) -> None:
    """Read in the background whether viewers get the last save. Unconfirmed saves are read by the worker."""
    waiting = opened.waiting
    if waiting is not None and waiting.public_at is None and waiting.kind != Version.Kind.SENDING:
        page_sources.begin_work(request.account.pk, partial(_read_public, request.account, opened.document, waiting))


def _read_public(account: Account, document: Document, waiting: Version) -> bool:
    """Whether viewers get `waiting` now; False where the file cannot be read."""
    try:
        key = f"{get_file_key(document)}:public"
        file = shared_read(key, PUBLIC_SECONDS, lambda: read_file(account, document, fresh=False))
        package = check_package(dict(file.data))
    except (CallError, NotAPackage) as error:
        rest = get_emptied(document) if isinstance(error, Missing) else None
        if rest is None:
            return False
        package = rest
    if not is_version(waiting, package, get_fingerprint(package)):
        return False
    if waiting.public_at is None:
        waiting.public_at = timezone.now()
        waiting.save(update_fields=["public_at"])
    return True


def _build_document(request: OwnerRequest, video: Video, video_id: UUID, lang: str | None) -> Document:
    """Build a document that is not saved: it is stored with the first file that is read."""
    return Document(
        account_id=request.account.pk,
        video_id=video_id,
        lang=lang or "",
        title=video.title[:300],
        external_id=video.external_id,
        pullzone=get_pullzone(request, video),
    )


def _open_known(document: Document, trouble: CallError | NotAPackage | None) -> OpenedLanguage:
    """Open the newest version, with the error of the file. Raises errors after which nothing can be edited."""
    if isinstance(trouble, BadToken | NotAPackage):
        raise trouble
    version = get_settled(document)
    assert version is not None, "called only where a version is stored"  # noqa: S101
    return build_opened(document, version, trouble)


def _update_title(request: OwnerRequest, document: Document) -> CallError | None:
    """Store the title of the video; returns the error of a video that could not be read."""
    query = build_video_query(document.video_id, VIDEO_SECONDS)
    outcome = reads.of(request).spare(video=query)["video"]
    if isinstance(outcome, Failed):
        return outcome.error
    if isinstance(outcome, Ready) and outcome.value.title and document.title != outcome.value.title[:300]:
        document.title = outcome.value.title[:300]
        document.save(update_fields=["title"])
    return outcome.error if isinstance(outcome, Ready) else None


def _read_and_settle(account: Account, document: Document) -> bool:
    """Read the file and settle it; returns whether pages of the language change by it."""
    key = _get_trouble_key(document)
    before = _get_mark(document, cache.get(key))
    trouble: CallError | NotAPackage | None = None
    try:
        settle(document, _read_file(account, document))
    except (CallError, NotAPackage) as error:
        trouble = error
    cache.set(key, trouble, TROUBLE_SECONDS)
    return _get_mark(document, trouble) != before


def _get_mark(document: Document, trouble: CallError | NotAPackage | None) -> tuple[object, ...]:
    """Return what pages of the language depend on, to notice a change."""
    version, last = get_settled(document), get_last_sent(document)
    return (version and version.pk, last and (last.pk, last.kind, last.public_at), type(trouble))


def _get_trouble_key(document: Document) -> str:
    return f"{get_file_key(document)}:trouble"


def _read_file(account: Account, document: Document) -> Package:
    try:
        file = shared_read(get_file_key(document), FILE_SECONDS, lambda: read_file(account, document))
    except Missing:
        if (rest := get_emptied(document)) is None:
            raise
        return rest
    if not file.text.lstrip().startswith("{"):  # the client reads anything but an object as an empty one
        raise NotAPackage("not_object")
    return check_package(dict(file.data))


def settle(document: Document, package: Package) -> OpenedLanguage:
    """Compare a file that was read past the cache with the versions known here, and store what is new about it."""
    document = _save_document(document)
    for version in list_unsettled(document):
        note_arrival(version, package)
    known = get_settled(document)
    fingerprint = get_fingerprint(package)
    if known is None:
        return OpenedLanguage(document, _add_loaded(document, package, fingerprint, None), FileState.SETTLED)
    match _classify_file(document, known, package, fingerprint):
        case FileContent.OUR_SAVE:
            adopt_content(known, package, fingerprint)
            return build_opened(document, known)
        case FileContent.UNCHANGED | FileContent.LATE_COPY:
            return build_opened(document, known)
        case FileContent.FOREIGN:
            return OpenedLanguage(document, _add_loaded(document, package, fingerprint, known), FileState.SETTLED)


def _classify_file(document: Document, known: Version, package: Package, fingerprint: str) -> FileContent:
    """What a file is, compared with `known`, the newest version that the platform is known to have."""
    match Version.Kind(known.kind):
        case Version.Kind.SAVED if is_version(known, package, fingerprint):
            return FileContent.OUR_SAVE
        case Version.Kind.SAVED if _is_late(document, known, fingerprint):
            return FileContent.LATE_COPY
        case Version.Kind.LOADED if known.blob.digest == fingerprint:
            return FileContent.UNCHANGED
        case _:
            return FileContent.FOREIGN


def _save_document(document: Document) -> Document:
    if not document._state.adding:
        return document
    try:
        with transaction.atomic():
            document.save()
    except IntegrityError:  # opened twice at the same moment
        return Document.objects.get(account_id=document.account_id, video_id=document.video_id, lang=document.lang)
    return document


def _add_loaded(document: Document, package: Package, mark: str, before: Version | None) -> Version:
    """Store a version that somebody else wrote, or the first one."""
    parent = get_content(before.blob) if before else None
    version = add_version(document, package, Version.Kind.LOADED, parent=parent, known=mark)
    if before is not None:
        note_change(document, place="file")
    return version


def _is_late(document: Document, known: Version, mark: str) -> bool:
    """Whether the file is an older version that may still be read after our save."""
    if not is_followed_late(known):
        return False
    older = document.versions.filter(pk__lt=known.pk, blob__digest=mark)
    return older.exclude(kind__in=NOT_THERE).exists()


def note_arrival(version: Version, package: Package) -> None:
    """Settle the save of `version` if this file shows it."""
    if not is_proof(version, package):
        return
    write = find_open(version.document)
    if write is not None and write.request["version"] == version.pk:
        outbox.note_found(write, package)
        return
    with transaction.atomic():  # another version took its place, or the previous release sent it
        keep_version(version, package)
