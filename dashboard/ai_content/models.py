"""Documents of AI content: their versions, drafts and undo steps."""

import json
import uuid
import zlib
from functools import lru_cache
from typing import Any

from django.db import IntegrityError, models, transaction
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from dashboard.ai_content.rules.package import Block, Package, format_json, get_fingerprint, get_part
from dashboard.platform_api.values import JSON


class Document(models.Model):
    """The content of one video in one language, as one account knows it.

    A row exists only after the platform has returned the video for this account: finding it by account and video is the
    permission check.
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
    """Counts changes that other windows show: edits of drafts, saves, versions read."""
    refusal = models.JSONField(null=True, blank=True)
    """The platform's last refusal, until something is changed: {"message", "status", "handle"}."""

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["account_id", "video_id", "lang"], name="one_document_per_language")
        ]

    def __str__(self) -> str:
        return f"{self.title or self.video_id} ({self.lang or 'legacy'})"


class Blob(models.Model):
    """One content, stored once per account."""

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

        LOADED = "loaded", _("Read from the platform")
        """Read from the public file; written by somebody else, or before Reelroom was used."""
        SAVED = "saved", _("Saved")
        """Sent, and confirmed by the platform."""
        SENDING = "sending", _("Sent, not confirmed")
        """Sent, or about to be: its write has not ended, or a newer one replaced it."""
        REFUSED = "refused", _("Refused")
        """Sent, and refused by the platform: it was never there."""
        ASIDE = "aside", _("Discarded")
        """A draft that was discarded."""
        IMPORTED = "imported", _("Imported file")
        """Imported from a file, to be compared before it is restored."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="versions")
    blob = models.ForeignKey(Blob, models.PROTECT, related_name="versions")
    kind = models.CharField(max_length=8, choices=Kind)
    label = models.CharField(max_length=200, blank=True)
    """The name of an imported file."""
    at = models.DateTimeField(default=timezone.now)
    actor = models.CharField(max_length=120, blank=True)
    changes = models.JSONField(default=list)
    """Changes since the version before, shortened: see `rules.difference.dump_summaries`."""
    changes_count = models.PositiveIntegerField(default=0)
    handles = models.JSONField(default=list)
    """Handles of the questions: their addresses stay the same after a save."""
    sent = models.JSONField(default=dict)
    """The drafts that were sent in it: {block: [draft, revision]}."""
    public_at = models.DateTimeField(null=True, blank=True)
    """When the public file was first seen to be this one."""
    checked_at = models.DateTimeField(null=True, blank=True)
    """When the public file was last looked at while it was not."""

    class Meta:
        indexes = [models.Index(fields=["document", "-id"], name="ai_content_versions")]

    def __str__(self) -> str:
        return f"{self.kind} {self.at:%Y-%m-%d %H:%M}"

    @property
    def shape(self) -> str:
        """The shape of its badge."""
        kinds = Version.Kind
        shapes = {kinds.LOADED: "exists", kinds.SAVED: "finished", kinds.SENDING: "unknown", kinds.REFUSED: "error"}
        return shapes.get(kinds(self.kind), "draft")


class Draft(models.Model):
    """What was typed in one block and not sent yet, shared by everybody in the account."""

    document = models.ForeignKey(Document, models.CASCADE, related_name="drafts")
    block = models.CharField(max_length=8)
    base = models.ForeignKey(Blob, models.PROTECT, related_name="drafts")
    """The whole file that the draft started from."""
    body = models.BinaryField()
    """The keys of the block as they are now, JSON compressed with zlib."""
    handles = models.JSONField(default=list)
    choice = models.CharField(max_length=10, blank=True)
    """Which of text and HTML the eBook is made from: see `ebook_html`."""
    revision = models.PositiveIntegerField(default=1)
    """Counts its edits, as an optimistic lock."""
    actor = models.CharField(max_length=120, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["document", "block"], name="one_draft_per_block")]

    def __str__(self) -> str:
        return f"draft of {self.block}"

    @property
    def values(self) -> Package:
        """The keys of the block as they are typed."""
        values = unpack(self.body)
        return values if isinstance(values, dict) else {}

    @property
    def values_before(self) -> Package:
        """The keys of the block that the draft started from."""
        return get_part(get_content(self.base), Block(self.block))


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
    """Compress the JSON text of a value."""
    return zlib.compress(format_json(value).encode("utf-8", "surrogatepass"), 6)


def unpack(body: bytes | memoryview) -> JSON:
    """Return the value of `pack`."""
    value: JSON = json.loads(zlib.decompress(body).decode("utf-8", "surrogatepass"))
    return value


def get_blob(document: Document, package: Package, digest: str = "") -> Blob:
    """Return the blob with this content, created where there is none. `digest` is its fingerprint, if known."""
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
    """Return the package of a blob. It is cached and shared: never change it in place."""
    return _load_content(blob.pk, blob.digest)


@lru_cache(maxsize=16)
def _load_content(pk: int, digest: str) -> Package:
    value = unpack(Blob.objects.values_list("body", flat=True).get(pk=pk))
    return value if isinstance(value, dict) else {}


def get_file_key(document: Document) -> str:
    """Return the cache key of a read of the file."""
    return f"ai-content:file:{document.account_id}:{document.video_id}:{document.lang}"
