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
from functools import partial
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.db import IntegrityError, transaction

from dashboard import clients
from dashboard.accounts.models import Account
from dashboard.ai_content import drafts, writes
from dashboard.ai_content.models import Document, Version
from dashboard.ai_content.rules.package import NotAPackage, Package, checked
from dashboard.ai_content.versions import store
from dashboard.platform_api.errors import BadToken, CallError, Missing
from dashboard.platform_api.records import Video
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import background, reads
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Query
from dashboard.upstream.single_flight import shared_read

LEGACY: Final = "legacy"
VIDEO_SECONDS: Final = 30.0
"""How long what is known of a video serves everybody in the account: titles and languages change rarely."""
LIBRARY_SECONDS: Final = 300.0
"""The same for the library, which needs a question for each of its rows: the platform's list does not say what there is."""
LIST_SECONDS: Final = 60.0
FILE_SECONDS: Final = 1.0
TROUBLE_SECONDS: Final = 60
"""How long pages say what kept the file from being read beside them, unless a later read succeeds."""
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
    trouble: CallError | None = None

    @property
    def package(self) -> Package:
        """The whole file that editing starts from."""
        return store.content(self.version.blob)


def video_of(request: OwnerRequest, video_id: UUID, seconds: float = VIDEO_SECONDS) -> Video:
    """The video, as this account sees it, read at most `seconds` ago. Raises a `PlatformError`."""
    return reads.of(request).get(video_query(video_id, seconds))


def video_query(video_id: UUID | str, seconds: float) -> Query[Video]:
    """The read of one video, at most `seconds` old."""
    return Query(lambda platform: platform.videos.get(video_id), seconds)


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
    known = video.pullzone or request.account.pullzone
    pullzone = known or reads.of(request).get(lambda platform: platform.comparisons.list()).pullzone
    if not pullzone:
        raise Missing("ai_workflow.read_package", message="")
    return pullzone


def document_of(request: OwnerRequest, video_id: UUID, lang: str | None) -> Document | None:
    """What is kept of this language, without asking the platform."""
    return Document.objects.filter(account_id=request.account.pk, video_id=video_id, lang=lang or "").first()


def open_language(request: OwnerRequest, video_id: UUID, lang: str | None) -> Opened:
    """The language as it is known here, or as its file says where nothing is known.

    A page is drawn from what is known, and follows the file that is read beside it. Everything else waits for the file.
    Where it cannot be read, the last version known is opened with the trouble beside it. Raises the `PlatformError` when
    there is none, and `package.NotAPackage` for a file that cannot be edited without losing something.
    """
    document = document_of(request, video_id, lang)
    if document is None or store.settled(document) is None:
        video = video_of(request, video_id)
        document = document or _new_document(request, video, video_id, lang)
        return settle(document, _read(request.account, document))
    trouble = _read_title(request, document)
    if trouble is None and reads.is_page(request):
        background.begin(request.account.pk, partial(_read_beside, request.account, document))
    elif trouble is None:
        _read_beside(request.account, document)
    return _as_known(document, trouble or cache.get(_trouble_key(document)))


def look(request: OwnerRequest, opened: Opened) -> None:
    """Have it looked, beside this request, whether viewers have what was saved last.

    Whether an unconfirmed save has arrived is read by the worker.
    """
    waiting = opened.waiting
    if waiting is not None and waiting.public_at is None and waiting.kind != Version.Kind.SENDING:
        background.begin(request.account.pk, partial(_look_beside, request.account, opened.document, waiting))


def _look_beside(account: Account, document: Document, waiting: Version) -> bool:
    """Whether viewers have it now. Trouble on the way is no news."""
    try:
        read = clients.platform_for(account).ai_workflow.read_package
        found = shared_read(
            f"{store.file_key(document)}:public",
            PUBLIC_SECONDS,
            lambda: read(document.pullzone, document.external_id, document.lang or None),
        )
        package = checked(dict(found.data))
    except (CallError, NotAPackage) as error:
        rest = store.emptied(document) if isinstance(error, Missing) else None
        if rest is None:
            return False
        package = rest
    if not store.holds(waiting, package, store.fingerprint(package)):
        return False
    store.seen_public(waiting)
    return True


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


def _as_known(document: Document, trouble: CallError | NotAPackage | None) -> Opened:
    """The newest version known, with what keeps the file from being read. Raises what leaves nothing to be edited."""
    if isinstance(trouble, BadToken | NotAPackage):
        raise trouble
    version, last = store.settled(document), store.last_write(document)
    assert version is not None, "only a language of which a version is known is opened so"  # noqa: S101
    if trouble is not None:
        return Opened(document, version, State.UNREAD, last, trouble)
    return opened_at(document, version, last)


def _read_title(request: OwnerRequest, document: Document) -> CallError | None:
    """Let the document follow the title of its video; returns the error of a video that could not be read."""
    query = video_query(document.video_id, VIDEO_SECONDS)
    outcome = reads.of(request).spare(video=query)["video"]
    if isinstance(outcome, Failed):
        return outcome.error
    if isinstance(outcome, Ready) and outcome.value.title and document.title != outcome.value.title[:300]:
        document.title = outcome.value.title[:300]
        document.save(update_fields=["title"])
    return outcome.error if isinstance(outcome, Ready) else None


def _read_beside(account: Account, document: Document) -> bool:
    """Read the file and settle what it is; whether a page shows something else for it."""
    key = _trouble_key(document)
    before = _mark(document, cache.get(key))
    trouble: CallError | NotAPackage | None = None
    try:
        settle(document, _read(account, document))
    except (CallError, NotAPackage) as error:
        trouble = error
    cache.set(key, trouble, TROUBLE_SECONDS)
    return _mark(document, trouble) != before


def _mark(document: Document, trouble: CallError | NotAPackage | None) -> tuple[object, ...]:
    """What a page shows of the language: another mark, another page."""
    version, last = store.settled(document), store.last_write(document)
    return (version and version.pk, last and (last.pk, last.kind, last.public_at), type(trouble))


def _trouble_key(document: Document) -> str:
    return f"{store.file_key(document)}:trouble"


def _read(account: Account, document: Document) -> Package:
    read = clients.platform_for(account).ai_workflow.read_package
    try:
        found = shared_read(
            store.file_key(document),
            FILE_SECONDS,
            lambda: read(document.pullzone, document.external_id, document.lang or None, fresh=True),
        )
    except Missing:
        if (rest := store.emptied(document)) is None:
            raise
        return rest
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
