"""Versions: contents kept once, compressed, addressed by their digest; and the history that points at them."""

import json
import zlib
from collections.abc import Iterable
from datetime import timedelta
from functools import lru_cache
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.ai_content import summaries
from dashboard.ai_content.models import Blob, Document, Draft, Version
from dashboard.ai_content.rules.difference import difference
from dashboard.ai_content.rules.package import (
    JSON,
    Package,
    blocks_of,
    digest,
    grown,
    without_address,
    written,
)
from dashboard.ai_content.rules.quiz import QUESTIONS

NOT_THERE: Final = (Version.Kind.REFUSED, Version.Kind.ASIDE, Version.Kind.IMPORTED)
"""Versions that the platform never had."""
LATE: Final = timedelta(minutes=10)
"""How long after it was public a version may still be followed by an older copy from another corner of the CDN."""
KEPT: Final = 250
"""Versions kept of a document; the oldest go first. The promise is 100."""


def packed(value: JSON) -> bytes:
    """JSON text of a value, compressed."""
    return zlib.compress(written(value).encode("utf-8", "surrogatepass"), 6)


def unpacked(body: bytes | memoryview) -> JSON:
    """The value of `packed`."""
    value: JSON = json.loads(zlib.decompress(body).decode("utf-8", "surrogatepass"))
    return value


def fingerprint(package: Package) -> str:
    """What a content is known by: its digest, without the address a platform may write into it."""
    return digest(without_address(package))


def blob_of(document: Document, package: Package, known: str = "") -> Blob:
    """The blob with this content, made where there is none. `known` is its fingerprint, if somebody has it."""
    mark = known or fingerprint(package)
    found = Blob.objects.filter(account_id=document.account_id, digest=mark).first()
    if found is not None:
        return found
    text = written(package).encode("utf-8", "surrogatepass")
    try:
        with transaction.atomic():
            return Blob.objects.create(
                account_id=document.account_id, digest=mark, body=zlib.compress(text, 6), size=len(text)
            )
    except IntegrityError:  # the same content at the same moment, elsewhere
        return Blob.objects.get(account_id=document.account_id, digest=mark)


def content(blob: Blob) -> Package:
    """The package of a blob. It is shared between callers: edit by making new values, never in place."""
    return _content(blob.pk, blob.digest)


@lru_cache(maxsize=16)
def _content(pk: int, digest: str) -> Package:
    value = unpacked(Blob.objects.values_list("body", flat=True).get(pk=pk))
    return value if isinstance(value, dict) else {}


def remember(
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
    changes = () if parent is None else difference(parent, package)
    version = Version.objects.create(
        document=document,
        blob=blob_of(document, package, known),
        kind=kind,
        actor=actor[:120],
        changes=summaries.shortened(changes),
        changes_count=len(changes),
        handles=list(handles),
        label=label[:200],
    )
    _prune(document)
    return version


def history(document: Document) -> list[Version]:
    """Every version, newest first."""
    return list(document.versions.select_related("blob").order_by("-id"))


def settled(document: Document) -> Version | None:
    """The newest version that is known to be, or have been, the platform's: what new drafts start from."""
    sure = document.versions.filter(kind__in=(Version.Kind.LOADED, Version.Kind.SAVED))
    return sure.select_related("blob").order_by("-id").first()


def emptied(document: Document) -> Package | None:
    """What is left of a language all of whose resources were deleted from here: no file is what its file is. Else None."""
    version = settled(document)
    if version is None or version.kind != Version.Kind.SAVED:
        return None
    package = content(version.blob)
    return None if blocks_of(package) else package


def last_write(document: Document) -> Version | None:
    """The newest version that was sent from here."""
    sent = document.versions.filter(kind__in=(Version.Kind.SAVED, Version.Kind.SENDING))
    return sent.select_related("blob").order_by("-id").first()


def unsettled(document: Document) -> list[Version]:
    """Versions that were sent after the newest one known to be the platform's, and not confirmed; newest first."""
    sent = document.versions.filter(kind=Version.Kind.SENDING).select_related("blob").order_by("-id")
    known = settled(document)
    return list(sent if known is None else sent.filter(pk__gt=known.pk))


def holds(version: Version, package: Package, mark: str) -> bool:
    """Whether a file with this fingerprint is this version, also after the platform gave ids or keys of its own."""
    return version.blob.digest == mark or written_as(content(version.blob), package)


def written_as(sent: Package, seen: Package) -> bool:
    """Whether `seen` is how a platform keeps `sent`: keys added, and ids of questions its own [4.3].

    A whole resource is no key that a platform adds: a file that has one more is older than its deletion, or somebody else's.
    """
    return blocks_of(seen) <= blocks_of(sent) and grown(
        _without_ids(without_address(sent)), _without_ids(without_address(seen))
    )


def _without_ids(package: Package) -> Package:
    questions = package.get(QUESTIONS)
    if not isinstance(questions, list):
        return package
    stripped = [{k: v for k, v in q.items() if k != "id"} if isinstance(q, dict) else q for q in questions]
    return package | {QUESTIONS: list(stripped)}


def proves(version: Version, package: Package) -> bool:
    """Whether a file that was read now shows that `version` arrived.

    It does not where an older version was the same, as after an undo, and may still be what a corner of the CDN has.
    """
    mark = fingerprint(package)
    if not holds(version, package, mark):
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


def file_key(document: Document) -> str:
    """Under which one read of the file serves everybody for a moment."""
    return f"ai-content:file:{document.account_id}:{document.video_id}:{document.lang}"


def put_aside(document: Document, package: Package, actor: str, parent: Package) -> Version:
    """Keep a draft that is being let go of."""
    return remember(document, package, Version.Kind.ASIDE, actor=actor, parent=parent)


def seen_public(version: Version) -> None:
    """The public file was found to be this version."""
    if version.public_at is None:
        version.public_at = timezone.now()
        version.save(update_fields=["public_at"])


def forget(version: Version) -> None:
    """Take back a version that the platform never had; its content stays in the draft it was made from."""
    blob = version.blob_id
    version.delete()
    _drop_unused({blob})


def _prune(document: Document) -> None:
    old = list(document.versions.order_by("-id").values_list("pk", "blob_id")[KEPT : KEPT + 50])
    if not old:
        return
    Version.objects.filter(pk__in=[pk for pk, _ in old]).delete()
    _drop_unused({blob for _, blob in old})


def _drop_unused(blobs: set[int]) -> None:
    used = set(Version.objects.filter(blob__in=blobs).values_list("blob_id", flat=True))
    used |= set(Draft.objects.filter(base__in=blobs).values_list("base_id", flat=True))
    Blob.objects.filter(pk__in=blobs - used).delete()
