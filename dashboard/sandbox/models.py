"""Everything the embedded platform remembers [2].

Times that the platform promises for later (`starts_at`, `ends_at`, `ready_at`, `online_at`) are stored when the work is
accepted; a reader compares them with the clock. Nothing runs in the background.
"""

import uuid
from datetime import datetime

from django.db import models
from django.db.models.functions import Lower
from django.utils import timezone

from dashboard.platform_api.vocabulary import (
    COMPARISON_ID_PREFIX,
    LIVE_ID_PREFIX,
    CommentStatus,
    CreditStatus,
    JobStatus,
    LinkStatus,
    LiveStatus,
    TestStatus,
    VideoStatus,
)


def comparison_id() -> str:
    """Return a new A/B test id: a uuid whose first group is the fixed prefix [2.5]."""
    return COMPARISON_ID_PREFIX + str(uuid.uuid4())[9:]


def live_id(number: uuid.UUID | None = None) -> uuid.UUID:
    """A new id of a live: a uuid whose first group is the fixed prefix (gaps 15, A8)."""
    return uuid.UUID(LIVE_ID_PREFIX + str(number or uuid.uuid4())[9:])


class Record(models.Model):
    """What every record can do: name itself in a log or a debugger."""

    class Meta:
        abstract = True

    def __str__(self) -> str:
        return f"{type(self).__name__} {self.pk}"


class Stamped(Record):
    """What nearly every record has: a uuid and two times."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)

    class Meta:
        abstract = True


class Organization(Stamped):
    """An account, or a sub-account when it has a parent [2.2, 5]."""

    name = models.CharField(max_length=255)
    plan = models.CharField(max_length=20, default="active")
    """Subscription: trial, active, past_due, canceled; empty means that it cannot be read [7, live start 500]."""
    active = models.BooleanField(default=True)
    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="children")
    pullzone = models.CharField(max_length=20)
    """`vz-` + 8 hexadecimal digits + `-` + 3."""
    library_id = models.UUIDField(default=uuid.uuid4)
    ready_at = models.DateTimeField(default=timezone.now)
    """A sub-account is `creating` before, usable after."""
    currency = models.CharField(max_length=3, default="brl")
    phone = models.CharField(max_length=40, blank=True)
    tax_id = models.CharField(max_length=20, blank=True)


class User(Stamped):
    """A person of an organization; without one the platform says "Organization not found for user" [7]."""

    organization = models.ForeignKey(Organization, models.CASCADE, null=True, blank=True, related_name="users")
    name = models.CharField(max_length=255)
    email = models.CharField(max_length=255)
    permissions = models.JSONField(default=list)
    """Names, among them get-subaccount and put-subaccount [5]."""


class Token(Record):
    """An API token. Demo data: it is stored as it is."""

    value = models.CharField(primary_key=True, max_length=120)
    user = models.ForeignKey(User, models.CASCADE, related_name="tokens")
    note = models.CharField(max_length=80, blank=True)
    """What the demo's page calls it."""


class Folder(Stamped):
    """A folder [2.7]. `active` is the specification's `status`: false is soft-deleted."""

    organization = models.ForeignKey(Organization, models.CASCADE, related_name="folders")
    user = models.ForeignKey(User, models.CASCADE, related_name="folders")
    parent = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="children")
    name = models.CharField(max_length=255)
    active = models.BooleanField(default=True)


class Live(Stamped):
    """A live broadcast [2.9, 3]."""

    organization = models.ForeignKey(Organization, models.CASCADE, related_name="lives")
    title = models.CharField(max_length=255)
    status = models.CharField(max_length=20, default=LiveStatus.OFFLINE)
    scheduled_at = models.DateTimeField(null=True, blank=True)
    online_at = models.DateTimeField(null=True, blank=True)
    """Set when a start is accepted: the live is online from then on, unless it was finished."""
    finished_at = models.DateTimeField(null=True, blank=True)
    ingest_broken = models.BooleanField(default=False)
    """The ingest channel of this live fails to start: 500 [7]."""
    options = models.JSONField(null=True)
    """What else it was created with, by the names of gaps 6."""

    def status_at(self, now: datetime) -> str:
        """Return offline, online or finished at this time."""
        if self.status == LiveStatus.OFFLINE and self.online_at and self.online_at <= now:
            return LiveStatus.ONLINE
        return self.status


class Video(Stamped):
    """A video, in the public shape of `gaps.md` section 1."""

    class Audio(models.TextChoices):
        """What a transcription finds in it: decides how the job ends."""

        SPEECH = "speech", "speech: FINISHED"
        SILENT = "silent", "silent: SKIPPED"
        BROKEN = "broken", "broken: ERROR"

    external_id = models.UUIDField(default=uuid.uuid4, unique=True)
    organization = models.ForeignKey(Organization, models.CASCADE, related_name="videos")
    user = models.ForeignKey(User, models.CASCADE, related_name="videos")
    folder = models.ForeignKey(Folder, models.SET_NULL, null=True, blank=True, related_name="videos")
    live = models.ForeignKey(Live, models.SET_NULL, null=True, blank=True, related_name="videos")
    title = models.CharField(max_length=255)
    description = models.TextField(blank=True)
    status = models.CharField(max_length=20, default=VideoStatus.CONVERTED)
    length = models.FloatField(default=0)
    """Seconds; may be fractional."""
    width = models.PositiveIntegerField(default=640)
    height = models.PositiveIntegerField(default=360)
    storage_size = models.PositiveBigIntegerField(default=0)
    playable = models.BooleanField(default=True)
    converted_at = models.DateTimeField(null=True, blank=True)
    spoken_lang = models.CharField(max_length=8, default="pt-BR")
    """What `auto` detects."""
    audio = models.CharField(max_length=8, choices=Audio, default=Audio.SPEECH)
    bookmarks = models.JSONField(default=list)
    """Chapters that the player shows: `[{"time": seconds, "title": …}]` (gaps 15, A6)."""

    class Meta:
        indexes = [models.Index(fields=["organization", "-created_at"])]


class Subtitle(Stamped):
    """A subtitle of a video: one per language, compared without case."""

    video = models.ForeignKey(Video, models.CASCADE, related_name="subtitles")
    lang = models.CharField(max_length=8)
    label = models.CharField(max_length=80)
    source = models.CharField(max_length=8, default="uploaded")
    """uploaded or ai."""
    vtt = models.TextField()

    class Meta:
        constraints = [models.UniqueConstraint("video", Lower("lang"), name="one_subtitle_per_language")]


class Job(Record):
    """An AI subtitle job [2.1]: its state is a matter of the clock, its outcome was settled when it was accepted."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    video = models.ForeignKey(Video, models.CASCADE, related_name="jobs")
    type = models.CharField(max_length=20)
    from_lang = models.CharField(max_length=8)
    to_lang = models.CharField(max_length=8, blank=True)
    """Empty for a transcription; answered as null."""
    additional_langs = models.JSONField(default=list)
    """Codes that become translations of their own when the transcription has finished."""
    resources = models.JSONField(default=list)
    """Kinds of AI content that it makes; none for subtitles."""
    created_at = models.DateTimeField()
    starts_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    outcome = models.CharField(max_length=10, default=JobStatus.FINISHED)
    reason = models.CharField(max_length=200, blank=True)
    """Why it ended in ERROR or SKIPPED, shown in `metadata` from then on."""
    settled = models.BooleanField(default=False)
    """Its effects (the subtitle, the follow-on jobs) are written."""

    class Meta:
        indexes = [
            models.Index(fields=["settled", "ends_at"]),
            models.Index(fields=["video", "settled"]),
        ]

    def status_at(self, now: datetime) -> str:
        """Return QUEUE, RUNNING or the outcome at this time [3]."""
        if now < self.starts_at:
            return JobStatus.QUEUE
        return JobStatus.RUNNING if now < self.ends_at else self.outcome


class AiFile(Record):
    """One version of the AI content of a video in a language [2.8]; the public file shows the newest published one."""

    video = models.ForeignKey(Video, models.CASCADE, related_name="ai_files")
    lang = models.CharField(max_length=8, blank=True)
    """Empty: the legacy single file [9]."""
    content = models.JSONField()
    """Keys as in 4.3: questions, questions_config, mindmap, abstract, abstract_html, abstract_summary, …"""
    written_at = models.DateTimeField()
    published_at = models.DateTimeField()
    """When the CDN starts to answer with this version."""

    class Meta:
        indexes = [models.Index(fields=["video", "lang", "-id"])]


class ReviewLink(Stamped):
    """A review link [2.3]."""

    video = models.ForeignKey(Video, models.CASCADE, related_name="review_links")
    name = models.CharField(max_length=255)
    status = models.CharField(max_length=20, default=LinkStatus.ACTIVE)
    expires_at = models.DateTimeField()
    allow_comment = models.BooleanField(default=True)
    allow_status_edit = models.BooleanField(default=True)
    show_resolved = models.BooleanField(default=True)

    def usable_at(self, now: datetime) -> bool:
        """Say whether it is active and not expired [4.7, 4.8]."""
        return self.status == LinkStatus.ACTIVE and now < self.expires_at


class ReviewComment(Stamped):
    """A reviewer's comment [2.4]. It belongs to the video; the token binds it to its writer."""

    video = models.ForeignKey(Video, models.CASCADE, related_name="comments")
    token = models.UUIDField()
    user_name = models.CharField(max_length=100)
    text = models.CharField(max_length=500)
    status = models.CharField(max_length=20, default=CommentStatus.OPEN)
    time = models.PositiveIntegerField()
    reply_to = models.ForeignKey("self", models.CASCADE, null=True, blank=True, related_name="replies")

    class Meta:
        indexes = [models.Index(fields=["video", "created_at"])]


class Comparison(Record):
    """An A/B test [2.5, 3]."""

    id = models.CharField(primary_key=True, max_length=36, default=comparison_id, editable=False)
    organization = models.ForeignKey(Organization, models.CASCADE, related_name="comparisons")
    name = models.CharField(max_length=255)
    description = models.TextField(blank=True)
    status = models.CharField(max_length=20, default=TestStatus.DRAFT)
    winner = models.ForeignKey(Video, models.SET_NULL, null=True, blank=True, related_name="won")
    created_at = models.DateTimeField(default=timezone.now)
    updated_at = models.DateTimeField(default=timezone.now)
    started_at = models.DateTimeField(null=True, blank=True)
    finished_at = models.DateTimeField(null=True, blank=True)


class ComparisonVideo(Record):
    """A variant of an A/B test, in the order it was sent."""

    comparison = models.ForeignKey(Comparison, models.CASCADE, related_name="variants")
    video = models.ForeignKey(Video, models.CASCADE, related_name="compared_in")
    position = models.PositiveIntegerField(default=0)
    play_rate = models.FloatField(default=0.4)
    """The truth behind this variant's analytics: how many of its viewers press play (0 to 1). Never answered."""

    class Meta:
        ordering = ["position"]
        constraints = [models.UniqueConstraint("comparison", "video", name="one_variant_per_video")]


class CustomField(Stamped):
    """A key and a value of a video [2.6]."""

    video = models.ForeignKey(Video, models.CASCADE, related_name="custom_fields")
    key = models.CharField(max_length=200)
    value = models.CharField(max_length=500)

    class Meta:
        constraints = [models.UniqueConstraint("video", "key", name="one_value_per_key")]


class Funnel(Stamped):
    """A funnel of videos on a canvas [2.9, 4.10]."""

    organization = models.ForeignKey(Organization, models.CASCADE, related_name="funnels")
    name = models.CharField(max_length=255)
    folder = models.ForeignKey(Folder, models.SET_NULL, null=True, blank=True, related_name="funnels")


class FunnelVideo(Record):
    """A video's place in a funnel."""

    funnel = models.ForeignKey(Funnel, models.CASCADE, related_name="placed")
    video = models.ForeignKey(Video, models.CASCADE, related_name="funnels")
    x = models.FloatField()
    y = models.FloatField()
    is_first = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint("funnel", "video", name="one_place_per_video")]


class Playlist(Stamped):
    """A playlist [2.9, 4.14]; its owner is a user."""

    user = models.ForeignKey(User, models.CASCADE, related_name="playlists")
    name = models.CharField(max_length=255)
    description = models.CharField(max_length=1000, blank=True)
    access_type = models.CharField(max_length=30, default="public")


class PlaylistVideo(Record):
    """A video's place in a playlist."""

    playlist = models.ForeignKey(Playlist, models.CASCADE, related_name="links")
    video = models.ForeignKey(Video, models.CASCADE, related_name="playlists")
    position = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["position"]


class Assistant(Stamped):
    """An assistant whose chat can be shown or hidden for a video [4.13]."""

    organization = models.ForeignKey(Organization, models.CASCADE, related_name="assistants")
    name = models.CharField(max_length=255)


class ChatVisibility(Record):
    """Whether an assistant's chat is visible for a video; hidden where there is no row."""

    assistant = models.ForeignKey(Assistant, models.CASCADE, related_name="chats")
    video = models.ForeignKey(Video, models.CASCADE, related_name="chats")
    visible = models.BooleanField()

    class Meta:
        constraints = [models.UniqueConstraint("assistant", "video", name="one_visibility_per_video")]


class CreditEntry(Record):
    """What used or added AI credits of an organization (`gaps.md` section 2)."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    organization = models.ForeignKey(Organization, models.CASCADE, related_name="credit_entries")
    video = models.ForeignKey(Video, models.SET_NULL, null=True, blank=True, related_name="credit_entries")
    type = models.CharField(max_length=8)
    status = models.CharField(max_length=12, default=CreditStatus.COMPLETED)
    amount = models.PositiveIntegerField()
    description = models.CharField(max_length=200, blank=True)
    created_at = models.DateTimeField()


class Referral(Record):
    """The referral summary of a user [2.9]; money in cents."""

    user = models.OneToOneField(User, models.CASCADE, primary_key=True, related_name="referral")
    link = models.CharField(max_length=300)
    currency = models.CharField(max_length=3, default="brl")
    pending_estimate = models.PositiveBigIntegerField(default=0)
    total_received = models.PositiveBigIntegerField(default=0)
    balance = models.PositiveBigIntegerField(default=0)


class Fault(Record):
    """What one operation (or `*`, every one) was told to do wrong."""

    operation = models.CharField(primary_key=True, max_length=60)
    latency_ms = models.PositiveIntegerField(default=0)
    jitter_ms = models.PositiveIntegerField(default=0)
    status = models.PositiveIntegerField(null=True, blank=True)
    """An answer of 400 to 599 in place of the real one."""
    retry_after = models.PositiveIntegerField(null=True, blank=True)
    """Seconds, sent as Retry-After."""
    broken = models.CharField(max_length=10, blank=True)
    """How the connection ends: see `faults.Broken`."""
    remaining = models.PositiveIntegerField(null=True, blank=True)
    """How many more calls it hits; null means until it is cleared."""


class Option(Record):
    """A number that the fault panel sets, such as the CDN delay in seconds."""

    name = models.CharField(primary_key=True, max_length=40)
    value = models.FloatField()
