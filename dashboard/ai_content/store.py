"""Versions: contents kept once, compressed, addressed by their digest; and the history that points at them."""

import json
import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard.ai_content import summaries
from dashboard.ai_content.models import Blob, Document, Draft, Version
from dashboard.ai_content.rules.difference import difference
from dashboard.ai_content.rules.package import JSON, Package, digest, without_address, written

NOT_THERE: Final = (Version.Kind.REFUSED, Version.Kind.ASIDE, Version.Kind.IMPORTED)
"""Versions that the platform never had."""
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


def newest(document: Document) -> Version | None:
    """The newest version that is, or may be, the platform's."""
    real = document.versions.exclude(kind__in=NOT_THERE)
    return real.select_related("blob").order_by("-id").first()


def settled(document: Document) -> Version | None:
    """The newest version that is known to be, or have been, the platform's: what new drafts start from."""
    sure = document.versions.filter(kind__in=(Version.Kind.LOADED, Version.Kind.SAVED))
    return sure.select_related("blob").order_by("-id").first()


def last_write(document: Document) -> Version | None:
    """The newest version that was sent from here."""
    sent = document.versions.filter(kind__in=(Version.Kind.SAVED, Version.Kind.SENDING))
    return sent.select_related("blob").order_by("-id").first()


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
