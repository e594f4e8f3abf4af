"""The inbox of an account: an index of what reviewers wrote and decided, what each person has read, and saved answers."""

from typing import ClassVar

from django.db import models

from dashboard.accounts.models import Account
from dashboard.platform_api.vocabulary import COMMENT_TEXT_MAX
from dashboard.writes.library_refresh import ReadOn
from review_portal.models import Decision, ReviewLink

PERSON_MAX = 120
TITLE_MAX = 200


class InboxIndex(models.Model):
    """Which versions of the account's links its `InboxItem` rows show: `inbox_items` compares and brings them up to date."""

    account = models.OneToOneField(Account, models.CASCADE, primary_key=True, related_name="+")
    version = models.CharField(max_length=120, blank=True)
    videos = models.JSONField(default=dict)
    """The same by video, so that only what changed is read again."""
    heard = models.CharField(max_length=60, blank=True)
    """What changes with every word of others and with nothing that the owner does: by it pages tell that there is news."""
    counted = models.CharField(max_length=120, blank=True, default="", db_default="")
    """The version that the next three were counted for: a version before this one of Reelroom writes none."""
    waiting = models.PositiveIntegerField(default=0, db_default=0)
    """How many comments wait for the owner."""
    closes = models.DateTimeField(null=True)
    """When the next link closes through which one of them can be answered: from then on fewer wait."""
    totals = models.JSONField(null=True)
    """`totals.Totals`: what a page shows of all rows, counted when they change and not for every page."""

    def __str__(self) -> str:
        return f"InboxIndex {self.version}"


class LinkReading(ReadOn):
    """An account whose library the worker looks through for review links and their comments.

    `read` of its `videos` have all links and comments known here; `left` is how many videos and links are not read.
    """

    account = models.OneToOneField(Account, models.CASCADE, related_name="+", primary_key=True)
    videos = models.PositiveIntegerField(db_default=0)
    read = models.PositiveIntegerField(db_default=0)
    left = models.PositiveIntegerField(db_default=0)

    def __str__(self) -> str:
        return f"review links of {self.account_id}"

    @property
    def is_done(self) -> bool:
        """Whether counts are of everything. An account without a video was looked through once it was listed."""
        return not self.left and (self.videos > 0 or (self.next_at is not None and not self.reason))


class InboxItem(models.Model):
    """A row of an account's inbox: a main comment of a video over all links, or a reviewer's decision.

    Everything here follows from the portal's own rows and can be made again at any time.
    """

    class State(models.TextChoices):
        UNANSWERED = "unanswered"
        """Open, and the last word is not the owner's."""
        ANSWERED = "answered"
        RESOLVED = "resolved"
        APPROVED = Decision.Verdict.APPROVED.value
        CHANGES = Decision.Verdict.CHANGES.value
        ROUND = Decision.Verdict.ROUND.value

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    item_id = models.UUIDField()
    """The comment's identifier, or that of the reviewer who decided."""
    link = models.ForeignKey(ReviewLink, models.CASCADE, related_name="+")
    """The link it was written through, else one of the video that shows it."""
    video_id = models.UUIDField()
    title = models.CharField(max_length=TITLE_MAX)
    """The video's title as lists are ordered by it: without case and accents."""
    author = models.CharField(max_length=255)
    text = models.TextField(blank=True)
    words = models.TextField(blank=True)
    """Everything that a search looks through, without case and accents."""
    time = models.IntegerField(default=-1)
    """Seconds; -1 for a decision, which is about the whole video."""
    state = models.CharField(max_length=12, choices=State.choices)
    replies = models.PositiveIntegerField(default=0)
    created_at = models.DateTimeField()
    heard = models.PositiveBigIntegerField(default=0)
    """Grows with every word of others: what tells news from changes of the owner's own."""
    news_at = models.DateTimeField()
    """When the newest of those words came: it is unread for everybody who read it before."""
    until = models.DateTimeField(null=True)
    """How long the owner can answer or resolve it through a link of the video; None: not any more."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "item_id"], name="one_row_per_item")]
        indexes: ClassVar = [
            models.Index(
                fields=["account", "state", "title", "video_id", "time", "item_id", "until"], name="inbox_waiting_video"
            ),
            models.Index(fields=["account", "state", "-created_at", "item_id", "until"], name="inbox_waiting_newest"),
            models.Index(fields=["account", "title", "video_id", "time", "item_id"], name="inbox_video"),
            models.Index(fields=["account", "-created_at"], name="inbox_newest"),
            models.Index(fields=["account", "author"], name="inbox_author"),
        ]

    def __str__(self) -> str:
        return f"InboxItem {self.item_id} ({self.state})"

    @property
    def is_decision(self) -> bool:
        """Whether it is a reviewer's decision and not a comment."""
        return self.state in Decision.Verdict.values


class InboxReader(models.Model):
    """One person at an account's desk, by the name given at sign-in, and until when everything counts as read."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    person = models.CharField(max_length=PERSON_MAX, blank=True)
    read_until = models.DateTimeField()
    unread = models.PositiveIntegerField(null=True)
    """How many rows are unread; None: not counted since this person marked some."""
    counted = models.CharField(max_length=120, blank=True, default="", db_default="")
    """The version of the index, and the `read_until`, that they were counted for."""
    marks = models.PositiveIntegerField(default=0, db_default=0)
    """Grows with every mark, so that a count that began before one is not kept."""

    class Meta:
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "person"], name="one_inbox_reader")]

    def __str__(self) -> str:
        return f"InboxReader {self.person}"


class InboxReading(models.Model):
    """Up to which news a person has read an item; long ago for one that was marked as unread."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    person = models.CharField(max_length=PERSON_MAX, blank=True)
    item_id = models.UUIDField()
    read_at = models.DateTimeField()

    class Meta:
        constraints: ClassVar = [
            models.UniqueConstraint(fields=["account", "person", "item_id"], name="one_inbox_reading")
        ]
        indexes: ClassVar = [models.Index(fields=["account", "person", "item_id", "read_at"], name="inbox_read")]

    def __str__(self) -> str:
        return f"InboxReading {self.item_id}"


class SavedAnswer(models.Model):
    """Words that an account answers with again and again."""

    account = models.ForeignKey(Account, models.CASCADE, related_name="+")
    text = models.CharField(max_length=COMMENT_TEXT_MAX)
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering: ClassVar = ["pk"]
        constraints: ClassVar = [models.UniqueConstraint(fields=["account", "text"], name="one_saved_answer")]

    def __str__(self) -> str:
        return f"SavedAnswer {self.text[:40]}"
