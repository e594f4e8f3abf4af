"""Models of the portal: its copy of links and comments, and the reviewers who wrote through it.

The specification documents no read of a link or of its comments, so everything that passes through Reelroom is stored
and read here. One `Comment` row belongs to one link's copy: two links of a video may show different people
different things, and neither copy may leak into the other.
"""

import uuid
from typing import ClassVar

from django.db import models
from django.utils import timezone
from django.utils.functional import cached_property

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import USER_NAME_MAX, CommentStatus, LinkStatus
from dashboard.shared import vault


class ReviewLink(models.Model):
    """The copy of a review link [2.3]; `id` is the platform's own.

    `version` grows with every change of the link or of its comments: it is what a poll compares.
    """

    id = models.UUIDField(primary_key=True, editable=False)
    video_id = models.UUIDField(db_index=True)
    name = models.CharField(max_length=255)
    status = models.CharField(max_length=40, default=LinkStatus.ACTIVE.value)
    expires_at = models.DateTimeField(null=True)
    allow_comment = models.BooleanField(default=True)
    allow_status_edit = models.BooleanField(default=True)
    show_resolved = models.BooleanField(default=True)
    created_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(null=True)

    accounts = models.ManyToManyField(Account, related_name="review_links", blank=True)
    """Accounts that the platform confirmed as the owner's: several tokens can belong to one organization."""
    video = models.JSONField(default=dict)
    """What is shown of the video: see `videos.LinkVideo`."""
    video_read_at = models.DateTimeField(null=True)
    known_since = models.DateTimeField(auto_now_add=True)
    read_at = models.DateTimeField(null=True)
    """When the link itself was last read or answered by the platform."""
    merged_at = models.DateTimeField(null=True)
    """When a read of its comments last brought something new; None: never read, the copy holds what passed through."""
    merged_digest = models.CharField(max_length=64, blank=True)
    version = models.PositiveBigIntegerField(default=1)
    confirmed = models.BooleanField(default=True, db_default=True)
    """Whether the platform said that it exists and which video it shows. False only for imports from before claims."""

    noticed_version = models.PositiveBigIntegerField(default=0, db_default=0)
    """The version up to which notices have told of what is new."""
    allow_preview = models.BooleanField(default=False, db_default=False)
    """Whether chats and mails may show its title and a still: an owner's choice, which the platform does not know."""
    send_decisions = models.BooleanField(default=False, db_default=False)
    """Whether decisions are posted as comments where the video ends: an owner's choice as well."""

    address_drawings = models.BooleanField(default=True, db_default=True)
    """Whether a comment with a drawing ends, on the platform, with the address of its still: an owner's choice."""

    def __str__(self) -> str:
        return f"ReviewLink {self.name}"

    def __repr__(self) -> str:
        return f"<ReviewLink {self.pk}>"


class Claim(models.Model):
    """What one account says of a link made elsewhere, while the platform has not confirmed it: see `sync`.

    Accounts claim a link side by side. No row here says anything about the link itself, nor about another account.
    """

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    link_id = models.UUIDField(db_index=True)
    video_id = models.UUIDField()
    """The video that it shows, as the account says: one that its token can get."""
    video = models.JSONField(default=dict)
    """What is shown of that video: see `videos.LinkVideo`."""
    claimed_at = models.DateTimeField(default=timezone.now)

    name = models.CharField(max_length=255, blank=True, default="", db_default="")
    """What the account says the link is called; "" where it does not say. The same holds for the four below."""
    expires_at = models.DateTimeField(null=True)
    allow_comment = models.BooleanField(null=True)
    allow_status_edit = models.BooleanField(null=True)
    show_resolved = models.BooleanField(null=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "link_id"], name="one_claim_per_account")]

    def __str__(self) -> str:
        return f"Claim {self.link_id}"


class Reviewer(models.Model):
    """Somebody who wrote through one link. The session token [5] is minted here and leaves only towards the platform.

    The browser holds the signed `id`, never the token.
    """

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    link = models.ForeignKey(ReviewLink, models.CASCADE, related_name="reviewers")
    sealed_token = vault.SealedField()
    name = models.CharField(max_length=USER_NAME_MAX, blank=True)
    account = models.ForeignKey(Account, models.CASCADE, null=True, related_name="+")
    """Set where the owner's desk acts on the link."""
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["link", "account"], name="one_owner_per_account")]

    def __str__(self) -> str:
        return f"Reviewer {self.pk}"

    @cached_property
    def token(self) -> str:
        """The session token. Raises `vault.Unreadable` when its key is gone from TOKEN_KEYS."""
        return vault.unseal(self.sealed_token)


class Passage(models.Model):
    """A code that lets one more device go on as a reviewer: see `reviewers`. Of the code itself only a keyed hash is kept."""

    reviewer = models.ForeignKey(Reviewer, models.CASCADE, related_name="passages")
    code_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True)

    def __str__(self) -> str:
        return f"Passage {self.pk}"


class Comment(models.Model):
    """The copy of a comment [2.4] as one link shows it."""

    link = models.ForeignKey(ReviewLink, models.CASCADE, related_name="comments")
    comment_id = models.UUIDField()
    user_name = models.CharField(max_length=255)
    text = models.TextField()
    status = models.CharField(max_length=20, default=CommentStatus.OPEN.value)
    time = models.PositiveIntegerField()
    reply_to = models.UUIDField(null=True)
    """`comment_id` of the parent; None for a top-level comment."""
    created_at = models.DateTimeField(null=True)
    updated_at = models.DateTimeField(null=True)

    reviewer = models.ForeignKey(Reviewer, models.SET_NULL, null=True, related_name="comments")
    """Whose token made it; None where that was not through Reelroom."""
    born = models.PositiveBigIntegerField()
    """The link's version that brought it."""
    version = models.PositiveBigIntegerField()
    """The link's version that last changed it."""
    written_at = models.DateTimeField()
    """When it was last written here, by our clock."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["link", "comment_id"], name="one_copy_per_link")]
        indexes: ClassVar = [models.Index(fields=["comment_id"])]

    def __str__(self) -> str:
        return f"Comment {self.comment_id}"


class Decision(models.Model):
    """What a reviewer decided about the video of a link. Of each reviewer the newest counts; earlier ones are kept."""

    class Verdict(models.TextChoices):
        APPROVED = "approve"
        CHANGES = "changes"
        ROUND = "round"
        WITHDRAWN = "none"

    link = models.ForeignKey(ReviewLink, models.CASCADE, related_name="decisions")
    reviewer = models.ForeignKey(Reviewer, models.CASCADE, related_name="decisions")
    key = models.UUIDField()
    """Of the form that it came with: sent twice, it is one decision."""
    verdict = models.CharField(max_length=10, choices=Verdict.choices)
    note = models.TextField(blank=True)
    name = models.CharField(max_length=USER_NAME_MAX)
    version = models.PositiveBigIntegerField()
    """The link's version that brought it: comments of later versions came after it."""
    made_at = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(null=True)
    """When an owner of the link opened the page that shows it."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["link", "key"], name="one_decision_per_form")]

    def __str__(self) -> str:
        return f"Decision {self.verdict}"


class CutSeries(models.Model):
    """The cuts of one film, as an account declared them: see `cuts`."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")

    def __str__(self) -> str:
        return f"CutSeries {self.pk}"


class Cut(models.Model):
    """A link that shows one cut of a series. Its number is its position among those that count, which `cuts` counts."""

    series = models.ForeignKey(CutSeries, models.CASCADE, related_name="cuts")
    link = models.OneToOneField(ReviewLink, models.CASCADE, related_name="cut")
    place = models.PositiveIntegerField()

    def __str__(self) -> str:
        return f"Cut {self.place} of {self.series_id}"


class CutCheck(models.Model):
    """What somebody answered about a comment of the cut before: fixed in this cut, or not and so added to it."""

    link = models.ForeignKey(ReviewLink, models.CASCADE, related_name="checks")
    """The cut that was looked at."""
    comment = models.ForeignKey(Comment, models.CASCADE, related_name="checks")
    """The comment as the link of the cut before shows it."""
    fixed = models.BooleanField()
    reviewer = models.ForeignKey(Reviewer, models.SET_NULL, null=True, related_name="checks")
    name = models.CharField(max_length=USER_NAME_MAX)
    checked_at = models.DateTimeField(default=timezone.now)
    key = models.UUIDField(null=True, db_index=True)
    """Of the write that adds the comment to this cut."""
    opening = models.TextField(blank=True)
    """What the added comment begins with: the time, the cut and the writer of the first one."""
    added_id = models.UUIDField(null=True)
    """The comment that the write made."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["link", "comment"], name="one_check_per_cut")]

    def __str__(self) -> str:
        return f"CutCheck {self.comment_id} ({'fixed' if self.fixed else 'not fixed'})"


class CommentFrame(models.Model):
    """The exact frame of a comment, which the platform keeps to the second: see `videos`."""

    link = models.ForeignKey(ReviewLink, models.CASCADE, related_name="+")
    """The link it was written through: every link of the video shows the comment."""
    comment_id = models.UUIDField(unique=True)
    microseconds = models.PositiveBigIntegerField()
    rate = models.CharField(max_length=8, blank=True)

    def __str__(self) -> str:
        return f"CommentFrame {self.microseconds}"


class CommentDrawing(models.Model):
    """The drawing of a comment: see `drawings`. Its still is at `/<link>/d/<short>`."""

    link = models.ForeignKey(ReviewLink, models.CASCADE, related_name="+")
    comment_id = models.UUIDField(unique=True, null=True)
    """None where its writer says that the comment arrived, and nothing tells which it is."""
    short = models.CharField(max_length=16)
    sketch = models.JSONField()
    name = models.CharField(max_length=USER_NAME_MAX)
    time = models.PositiveIntegerField()
    made_at = models.DateTimeField(default=timezone.now)

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["link", "short"], name="one_drawing_per_address")]

    def __str__(self) -> str:
        return f"CommentDrawing {self.short}"


class Viewing(models.Model):
    """What a reviewer lets others know of their watching. Whoever stops sharing has `spans` emptied in the same moment."""

    reviewer = models.OneToOneField(Reviewer, models.CASCADE, related_name="viewing")
    is_seen = models.BooleanField(default=False)
    """Whether others in the room see that they are here, and where."""
    shares = models.BooleanField(default=True)
    """Whether the owner sees what they watched: said in the room beside the switch."""
    spans = models.JSONField(default=list)
    """What was watched, in whole seconds, joined: see `viewings`. Not when: the room promises it."""

    def __str__(self) -> str:
        return f"Viewing {self.pk}"
