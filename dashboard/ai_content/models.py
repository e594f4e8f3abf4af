"""What Reelroom keeps of AI content so that none is ever lost: every version, and everything typed that was not sent."""

import json
import uuid
import zlib
from functools import lru_cache
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils import timezone

from dashboard.ai_content.rules.package import (
    Package,
    format_json,
    get_fingerprint,
)
from dashboard.platform_api.values import JSON


class Document(models.Model):
    """The content of one video in one language, as one account knows it.

    A row exists only after the platform has shown the video to this account, so whoever asks for a row by account and
    video needs no further permission.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    account_id = models.UUIDField()
    video_id = models.UUIDField()
    lang = models.CharField(max_length=20, blank=True)
    """Empty: the legacy single file."""
    title = models.CharField(max_length=300, blank=True)
    external_id = models.CharField(max_length=100)
    pullzone = models.CharField(max_length=100)
    revision = models.PositiveIntegerField(default=1)
    """Counts every change that windows should hear of: edits of drafts, saves, versions found."""
    refusal = models.JSONField(null=True, blank=True)
    """The platform's last refusal, until something is changed: {"message", "status", "handle"}."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account_id", "video_id", "lang"], name="one_document_per_language")
        ]

    def __str__(self) -> str:
        return f"{self.title or self.video_id} ({self.lang or 'legacy'})"


class Blob(models.Model):
    """One content, once per account however many versions have it."""

    account_id = models.UUIDField()
    digest = models.CharField(max_length=64)
    """SHA-256 of the canonical JSON."""
    body = models.BinaryField()
    """The JSON text, compressed with zlib."""
    size = models.PositiveIntegerField()
    """Bytes of the JSON text."""

    class Meta:
        constraints = [models.UniqueConstraint(fields=["account_id", "digest"], name="one_blob_per_content")]

    def __str__(self) -> str:
        return self.digest[:12]


class Version(models.Model):
    """One state of a document: found on the platform, sent to it, or put aside."""

    class Kind(models.TextChoices):
        """Where it comes from."""

        LOADED = "loaded"
        """Read from the public file; written by somebody else, or before Reelroom was used."""
        SAVED = "saved"
        """Sent, and confirmed by the platform."""
        SENDING = "sending"
        """Sent, or about to be; its write in the outbox has not ended, or a newer one took its place."""
        REFUSED = "refused"
        """Sent, and refused by the platform: it was never there."""
        ASIDE = "aside"
        """A draft that was let go of: kept so that nothing typed is lost."""
        IMPORTED = "imported"
        """Read from somebody's own file, to be compared before it is taken over."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="versions")
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="versions")
    kind = models.CharField(max_length=8, choices=Kind)
    label = models.CharField(max_length=200, blank=True)
    """The name of an imported file."""
    at = models.DateTimeField(default=timezone.now)
    actor = models.CharField(max_length=120, blank=True)
    changes = models.JSONField(default=list)
    """What changed against the version before, shortened: see `changes.py`."""
    changes_count = models.PositiveIntegerField(default=0)
    handles = models.JSONField(default=list)
    """Handles of the questions, so that an address of a question outlives a save."""
    sent = models.JSONField(default=dict)
    """The drafts that went into it: {block: [draft, revision]}. What was typed after is not in it."""
    public_at = models.DateTimeField(null=True, blank=True)
    """When the public file was first seen to be this one."""
    checked_at = models.DateTimeField(null=True, blank=True)
    """When the public file was last looked at while it was not."""

    class Meta:
        indexes = [models.Index(fields=["document", "-id"], name="ai_content_versions")]

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M}"


class Draft(models.Model):
    """What was typed in one block and not sent yet. One row per block: whoever works in the account shares it."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="drafts")
    block = models.CharField(max_length=8)
    base = models.ForeignKey(Blob, models.PROTECT, related_name="drafts")
    """The whole file that the draft started from."""
    body = models.BinaryField()
    """The keys of the block as they are now, JSON compressed with zlib."""
    handles = models.JSONField(default=list)
    choice = models.CharField(max_length=10, blank=True)
    """How the eBook's HTML is settled: see `ebook.texts`."""
    revision = models.PositiveIntegerField(default=1)
    """Counts its edits: two at once are applied one after the other, never one over the other."""
    actor = models.CharField(max_length=120, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "block"], name="one_draft_per_block")]

    def __str__(self) -> str:
        return f"draft of {self.block}"


class Step(models.Model):
    """One edit of a draft and what was there before, so that it can be undone."""

    draft = models.ForeignKey(Draft, models.CASCADE, related_name="steps")
    code = models.CharField(max_length=30)
    """What was done: question_deleted, node_indented, …"""
    label = models.CharField(max_length=200, blank=True)
    """To what, in the author's words."""
    place: Any = models.JSONField(default=dict)
    """Where: {"handle", "index"} for a question."""
    before = models.BinaryField(null=True)
    """The value that was there, JSON compressed; null for nothing."""
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        indexes = [models.Index(fields=["draft", "-id"], name="ai_content_steps")]

    def __str__(self) -> str:
        return f"{self.code} {self.label}"


def pack(value: JSON) -> bytes:
    """JSON text of a value, compressed."""
    return zlib.compress(format_json(value).encode("utf-8", "surrogatepass"), 6)


def unpack(body: bytes | memoryview) -> JSON:
    """The value of `packed`."""
    value: JSON = json.loads(zlib.decompress(body).decode("utf-8", "surrogatepass"))
    return value


def get_blob(document: Document, package: Package, digest: str = "") -> Blob:
    """The blob with this content, made where there is none. `known` is its fingerprint, if somebody has it."""
    fingerprint = digest or get_fingerprint(package)
    blob = Blob.objects.filter(account_id=document.account_id, digest=fingerprint).first()
    if blob is not None:
        return blob
    text = format_json(package).encode("utf-8", "surrogatepass")
    try:
        with transaction.atomic():
            return Blob.objects.create(
                account_id=document.account_id, digest=fingerprint, body=zlib.compress(text, 6), size=len(text)
            )
    except IntegrityError:  # the same content at the same moment, elsewhere
        return Blob.objects.get(account_id=document.account_id, digest=fingerprint)


def get_content(blob: Blob) -> Package:
    """The package of a blob. It is shared between callers: edit by making new values, never in place."""
    return _load_content(blob.pk, blob.digest)


@lru_cache(maxsize=16)
def _load_content(pk: int, digest: str) -> Package:
    value = unpack(Blob.objects.values_list("body", flat=True).get(pk=pk))
    return value if isinstance(value, dict) else {}


def get_file_key(document: Document) -> str:
    """Under which one read of the file serves everybody for a moment."""
    return f"ai-content:file:{document.account_id}:{document.video_id}:{document.lang}"
