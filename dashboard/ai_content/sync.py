"""Open a language: read its file and compare it with the versions that are stored here.

The public file may be older than the last save, and does not name its author: it is recognised by its digest (see
`FileContent`). An unconfirmed save is settled when the file shows it.
"""

from enum import StrEnum
from functools import partial
from typing import Final
from uuid import UUID

from django.core.cache import cache
from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.ai_content import versions
from dashboard.ai_content.models import Document, Version, get_content, get_file_key
from dashboard.ai_content.rules.package import NotAPackage, Package, check_package, get_fingerprint
from dashboard.ai_content.versions import FileState, OpenedLanguage, build_opened, find_open, keep_version, read_file
from dashboard.platform_api.errors import BadToken, CallError, Missing
from dashboard.platform_api.videos import Video
from dashboard.shared.http import OwnerRequest
from dashboard.shared.locks import shared_read
from dashboard.upstream import clients, library, page_sources, reads
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Query
from dashboard.writes import outbox

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
    if document is None or versions.get_settled(document) is None:
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
        rest = versions.get_emptied(document) if isinstance(error, Missing) else None
        if rest is None:
            return False
        package = rest
    if not versions.is_version(waiting, package, get_fingerprint(package)):
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
    version = versions.get_settled(document)
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
    version, last = versions.get_settled(document), versions.get_last_sent(document)
    return (version and version.pk, last and (last.pk, last.kind, last.public_at), type(trouble))


def _get_trouble_key(document: Document) -> str:
    return f"{get_file_key(document)}:trouble"


def _read_file(account: Account, document: Document) -> Package:
    try:
        file = shared_read(get_file_key(document), FILE_SECONDS, lambda: read_file(account, document))
    except Missing:
        if (rest := versions.get_emptied(document)) is None:
            raise
        return rest
    if not file.text.lstrip().startswith("{"):  # the client reads anything but an object as an empty one
        raise NotAPackage("not_object")
    return check_package(dict(file.data))


def settle(document: Document, package: Package) -> OpenedLanguage:
    """Compare a file that was read past the cache with the versions known here, and store what is new about it."""
    document = _save_document(document)
    for version in versions.list_unsettled(document):
        note_arrival(version, package)
    known = versions.get_settled(document)
    fingerprint = get_fingerprint(package)
    if known is None:
        return OpenedLanguage(document, _add_loaded(document, package, fingerprint, None), FileState.SETTLED)
    match _classify_file(document, known, package, fingerprint):
        case FileContent.OUR_SAVE:
            versions.adopt_content(known, package, fingerprint)
            return build_opened(document, known)
        case FileContent.UNCHANGED | FileContent.LATE_COPY:
            return build_opened(document, known)
        case FileContent.FOREIGN:
            return OpenedLanguage(document, _add_loaded(document, package, fingerprint, known), FileState.SETTLED)


def _classify_file(document: Document, known: Version, package: Package, fingerprint: str) -> FileContent:
    """What a file is, compared with `known`, the newest version that the platform is known to have."""
    match Version.Kind(known.kind):
        case Version.Kind.SAVED if versions.is_version(known, package, fingerprint):
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
    version = versions.add_version(document, package, Version.Kind.LOADED, parent=parent, known=mark)
    if before is not None:
        versions.note_change(document, place="file")
    return version


def _is_late(document: Document, known: Version, mark: str) -> bool:
    """Whether the file is an older version that may still be read after our save."""
    if not versions.is_followed_late(known):
        return False
    older = document.versions.filter(pk__lt=known.pk, blob__digest=mark)
    return older.exclude(kind__in=versions.NOT_THERE).exists()


def note_arrival(version: Version, package: Package) -> None:
    """Settle the save of `version` if this file shows it."""
    if not versions.is_proof(version, package):
        return
    write = find_open(version.document)
    if write is not None and write.request["version"] == version.pk:
        outbox.note_found(write, package)
        return
    with transaction.atomic():  # another version took its place, or the previous release sent it
        keep_version(version, package)
