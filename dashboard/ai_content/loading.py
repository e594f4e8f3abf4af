"""Opening a language: what the platform has, what Reelroom knows better, and what could not be read.

The public file follows a save late and says nothing about whose it is. It is told by its digest:

- the newest version known here: nothing has changed;
- what was sent, with ids that the platform gave to new questions: ours, as the platform keeps it. Where its save was not
  confirmed, this settles it;
- an older version, while what was saved last is spreading: a late copy of our own;
- anything else: somebody else has changed it. It is kept as a version before anybody edits on top of it.
"""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b
from typing import Final
from uuid import UUID

from django.db import IntegrityError, transaction

from dashboard import clients
from dashboard.ai_content import drafts, store, writes
from dashboard.ai_content.models import Document, Version
from dashboard.ai_content.rules.package import NotAPackage, Package, checked
from dashboard.platform_api.errors import BadToken, Missing, PlatformError
from dashboard.platform_api.records import Video, VideoPage
from dashboard.shared.http import OwnerRequest
from dashboard.shared.single_flight import shared_read

LEGACY: Final = "legacy"
VIDEO_SECONDS: Final = 30.0
"""How long what is known of a video serves everybody in the account: titles and languages change rarely."""
LIBRARY_SECONDS: Final = 300.0
"""The same for the library, which needs a question for each of its rows: the platform's list does not say what there is."""
LIST_SECONDS: Final = 60.0
FILE_SECONDS: Final = 1.0
PUBLIC_SECONDS: Final = 2.0
"""For how long one look at the public file, as viewers get it, serves everybody who waits for it."""


class State(StrEnum):
    """How the platform's file stands to what is known here."""

    SETTLED = "settled"
    """What is edited is what the platform has."""
    SPREADING = "spreading"
    """Saved; viewers still get the version before."""
    UNCONFIRMED = "unconfirmed"
    """Sent, and no answer came; the file does not show it (yet)."""
    UNREAD = "unread"
    """The file could not be read now: what is edited is the last version known."""


@dataclass(frozen=True)
class Opened:
    """A language, ready to be edited. `trouble` is why the file could not be read; `waiting` what was sent last."""

    document: Document
    version: Version
    state: State
    waiting: Version | None = None
    trouble: PlatformError | None = None

    @property
    def package(self) -> Package:
        """The whole file that editing starts from."""
        return store.content(self.version.blob)


def video_of(request: OwnerRequest, video_id: UUID, seconds: float = VIDEO_SECONDS) -> Video:
    """The video, as this account sees it, read at most `seconds` ago. Raises a `PlatformError`."""
    key = f"ai-content:video:{request.account.pk}:{video_id}"
    return shared_read(key, seconds, lambda: clients.platform(request).videos.get(video_id))


def listed(request: OwnerRequest, page: int, title: str, limit: int) -> VideoPage:
    """One page of the library. Raises a `PlatformError`."""
    typed = blake2b(title.encode(), digest_size=16).hexdigest()  # a key has neither spaces nor any length
    read = clients.platform(request).videos.list
    key = f"ai-content:list:{request.account.pk}:{page}:{limit}:{typed}"
    return shared_read(key, LIST_SECONDS, lambda: read(page=page, limit=limit, title=title or None))


def lang_of(word: str) -> str | None:
    """The language an address names; None for the legacy file."""
    return None if word == LEGACY else word


def word_of(lang: str) -> str:
    """The word in an address for a language as it is stored, empty for the legacy file."""
    return lang or LEGACY


def pullzone_of(request: OwnerRequest, video: Video) -> str:
    """The CDN zone: from the video's player, from what is known of the account, else from any answer on A/B tests [2.5].

    Raises `Missing` where none of them says.
    """
    found = video.pullzone or request.account.pullzone or clients.platform(request).comparisons.list().pullzone
    if not found:
        raise Missing("ai_workflow.read_package", message="")
    return found


def document_of(request: OwnerRequest, video_id: UUID, lang: str | None) -> Document | None:
    """What is kept of this language, without asking the platform."""
    return Document.objects.filter(account_id=request.account.pk, video_id=video_id, lang=lang or "").first()


def open_language(request: OwnerRequest, video_id: UUID, lang: str | None) -> Opened:
    """Read the file past the CDN's cache and settle what it is.

    Where it cannot be read, the last version known is opened with the trouble beside it. Raises the `PlatformError` when
    there is none, and `package.NotAPackage` for a file that cannot be edited without losing something.
    """
    document = document_of(request, video_id, lang)
    try:
        video = video_of(request, video_id)
        document = document or _new_document(request, video, video_id, lang)
        _refresh(document, video)
        package = _read(request, document)
    except BadToken:
        raise
    except PlatformError as error:
        known = None if document is None or document._state.adding else store.settled(document)
        if document is None or known is None:
            raise
        return Opened(document, known, State.UNREAD, store.last_write(document), error)
    return settle(document, package)


def look(request: OwnerRequest, opened: Opened) -> Opened:
    """Look whether viewers have what was saved last. Trouble on the way is no news.

    Whether an unconfirmed save has arrived is read by the worker.
    """
    waiting = opened.waiting
    if waiting is None or waiting.public_at is not None or waiting.kind == Version.Kind.SENDING:
        return opened
    document = opened.document
    try:
        read = clients.platform(request).ai_workflow.read_package
        found = shared_read(
            f"{store.file_key(document)}:public",
            PUBLIC_SECONDS,
            lambda: read(document.pullzone, document.external_id, document.lang or None),
        )
        package = checked(dict(found.data))
    except (PlatformError, NotAPackage):
        return opened
    if store.holds(waiting, package, store.fingerprint(package)):
        store.seen_public(waiting)
    return opened


def _new_document(request: OwnerRequest, video: Video, video_id: UUID, lang: str | None) -> Document:
    """Unsaved: it is stored with the first file that is read."""
    return Document(
        account_id=request.account.pk,
        video_id=video_id,
        lang=lang or "",
        title=video.title[:300],
        external_id=video.external_id,
        pullzone=pullzone_of(request, video),
    )


def _refresh(document: Document, video: Video) -> None:
    if not document._state.adding and video.title and document.title != video.title[:300]:
        document.title = video.title[:300]
        document.save(update_fields=["title"])


def _read(request: OwnerRequest, document: Document) -> Package:
    read = clients.platform(request).ai_workflow.read_package
    found = shared_read(
        store.file_key(document),
        FILE_SECONDS,
        lambda: read(document.pullzone, document.external_id, document.lang or None, fresh=True),
    )
    if not found.text.lstrip().startswith("{"):  # the client reads anything but an object as an empty one
        raise NotAPackage("not_object")
    return checked(dict(found.data))


def settle(document: Document, package: Package) -> Opened:
    """Say what a file read past the cache is, and write down what is new about it."""
    document = _stored(document)
    for version in store.unsettled(document):
        writes.note_arrival(version, package)
    known, last = store.settled(document), store.last_write(document)
    mark = store.fingerprint(package)
    if known is None:
        return Opened(document, _found(document, package, mark, None), State.SETTLED)
    if known.kind == Version.Kind.SAVED:
        if store.holds(known, package, mark):
            drafts.adopt(known, package, mark)
            return opened_at(document, known, last)
        if _is_late(document, known, mark):
            return opened_at(document, known, last)
    elif known.blob.digest == mark:
        return opened_at(document, known, last)
    return Opened(document, _found(document, package, mark, known), State.SETTLED)


def opened_at(document: Document, version: Version, last: Version | None) -> Opened:
    """The language as it is known to be, `version`; `last` is what was sent last, which may be unconfirmed."""
    if last is None or last.pk < version.pk:
        return Opened(document, version, State.SETTLED)
    if last.pk > version.pk:
        return Opened(document, version, State.UNCONFIRMED, last)
    return Opened(document, version, State.SETTLED if last.public_at else State.SPREADING, last)


def _stored(document: Document) -> Document:
    if not document._state.adding:
        return document
    try:
        with transaction.atomic():
            document.save()
    except IntegrityError:  # opened twice at the same moment
        return Document.objects.get(account_id=document.account_id, video_id=document.video_id, lang=document.lang)
    return document


def _found(document: Document, package: Package, mark: str, before: Version | None) -> Version:
    """A version somebody else wrote, or the first one seen."""
    parent = store.content(before.blob) if before else None
    version = store.remember(document, package, Version.Kind.LOADED, parent=parent, known=mark)
    if before is not None:
        drafts.changed(document, place="file")
    return version


def _is_late(document: Document, known: Version, mark: str) -> bool:
    """An older version, while ours is spreading or has only just arrived."""
    if not store.is_followed_late(known):
        return False
    older = document.versions.filter(pk__lt=known.pk, blob__digest=mark)
    return older.exclude(kind__in=store.NOT_THERE).exists()
