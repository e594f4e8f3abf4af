"""The specification's own words and numbers: states, codes, patterns, limits.

Everything that decides "is this allowed" compares against a name of this module, so that the client, the embedded
platform and the forms can never disagree. Sections in brackets are those of the platform's specification.
"""

import re
from enum import StrEnum
from typing import Final


class JobType(StrEnum):
    """Kinds of an AI subtitle job [2.1]."""

    TRANSCRIPTION = "TRANSCRIPTION"
    TRANSLATION = "TRANSLATION"


ALL_TEXT_ITEMS: Final = "ALL_TEXT_ITEMS"
"""The type of a job that makes AI content, in older public documentation (gaps 2); others are shown as they come."""


class AiKind(StrEnum):
    """AI resources of a video in a language [2.8]. The specification names them, not how they are spelled."""

    EBOOK = "ebook"
    MINDMAP = "mindmap"
    QUIZ = "quiz"


class JobStatus(StrEnum):
    """States of an AI subtitle job [3]."""

    QUEUE = "QUEUE"
    RUNNING = "RUNNING"
    FINISHED = "FINISHED"
    ERROR = "ERROR"
    SKIPPED = "SKIPPED"


JOB_ACTIVE: Final = frozenset({JobStatus.QUEUE, JobStatus.RUNNING})
JOB_FINAL: Final = frozenset({JobStatus.FINISHED, JobStatus.ERROR, JobStatus.SKIPPED})


class Tier(StrEnum):
    """Quality tiers of an AI subtitle job [4.1]."""

    ESSENTIAL = "essential"
    PRO = "pro"
    ADVANCED = "advanced"


AUTO_LANGUAGE: Final = "auto"
"""Language auto-detection: TRANSCRIPTION only, on pro and advanced [4.1]."""

TIERS_WITH_AUTO: Final = frozenset({Tier.PRO, Tier.ADVANCED})
ESSENTIAL_LANGUAGES: Final = ("pt-BR", "es", "en")
"""The only source languages of tier essential [4.1, 8]."""

_LANGUAGES: Final = (
    "en pt es en-UK pt-BR es-MX en-US it it-ch fr fr-be fr-ca fr-lu fr-ch de de-at de-li de-lu de-ch ja zh hi ko vi th "
    "no hu sw sr id nl tr fil pl sv bg ro ar cs el fi hr sk da uk ru ta ms uz"
)
LANGUAGES: Final = tuple(_LANGUAGES.split())
"""Codes accepted for from_lang, to_lang and additional_langs[].lang, in the specification's order [4.1]."""


class TestStatus(StrEnum):
    """States of an A/B test [3]."""

    __test__ = False  # the name starts with Test: keep pytest from collecting it

    DRAFT = "DRAFT"
    IN_PROGRESS = "IN_PROGRESS"
    COMPLETED = "COMPLETED"


REQUEST_BYTES_MOST: Final = 10_485_760
"""A body with more is refused with 413, in plain text (gaps 15, A11)."""
COMPARISON_ID_PREFIX: Final = "636f6d70-"
"""Every A/B test id starts with it [2.5]."""
LIVE_ID_PREFIX: Final = "6c697665-"
"""Every id of a live starts with it (gaps 15, A8)."""


class ComparisonAction(StrEnum):
    """Values of the query parameter `type` that every PUT of an A/B test needs [4.5]."""

    START = "start"
    UPDATE = "update"
    FINISH = "finish"


class LinkStatus(StrEnum):
    """States of a review link [2.3]; only `active` is named, anything else counts as inactive."""

    ACTIVE = "active"
    INACTIVE = "inactive"


class CommentStatus(StrEnum):
    """States of a review comment [2.4]."""

    OPEN = "open"
    RESOLVED = "resolved"


class LiveStatus(StrEnum):
    """States of a live; the specification names two [2.9], public material adds the finished ones."""

    OFFLINE = "offline"
    ONLINE = "online"
    FINISHED = "finished"
    FINISHED_IMPORTED = "finished_imported"


class Latency(StrEnum):
    """How far a live is behind its camera; publicly documented with creating one (gaps 6)."""

    ULTRA_LOW = "ultra_low"
    LOW = "low"
    NORMAL = "normal"


LIVE_BITRATES: Final = ("240p", "360p", "480p", "720p", "1080p", "1440p", "2160p")
"""Sizes of a picture that public material names, for videos and for creating a live."""


class VideoStatus(StrEnum):
    """Video states known publicly; the specification names none, so unknown ones are shown as they came."""

    DRAFT = "DRAFT"
    CONVERTING = "CONVERTING"
    CONVERTED = "CONVERTED"
    FAILED = "FAILED"
    DELETING = "DELETING"


class Granularity(StrEnum):
    """Buckets of an analytics answer [4.15]."""

    TOTAL = "total"
    DAY = "day"
    HOUR = "hour"


class CreditType(StrEnum):
    """What an entry of the credits' history did, as far as is publicly known."""

    SUB = "SUB"
    ADD = "ADD"


class CreditStatus(StrEnum):
    """States of such an entry that are publicly known; others are shown as they came."""

    COMPLETED = "COMPLETED"
    REFUNDED = "REFUNDED"


class Currency(StrEnum):
    """Currencies of a sub-account [4.2]."""

    BRL = "brl"
    USD = "usd"


SUB_ACCOUNT_CREATING: Final = "creating"
PERMISSIONS_FOR_SUB_ACCOUNTS: Final = ("get-subaccount", "put-subaccount")
SUBSCRIPTIONS_FOR_SUB_ACCOUNTS: Final = ("active", "past_due")

# The limits of section 8.
LINK_MAX_DAYS: Final = 30
LINK_NAME_MAX: Final = 255
MAIN_COMMENTS_MAX: Final = 30
REPLIES_MAX: Final = 30
COMMENT_TEXT_MAX: Final = 500
USER_NAME_MAX: Final = 100
SUB_ACCOUNT_NAME_MAX: Final = 255
EMAIL_MAX: Final = 255
FIELD_KEY_MAX: Final = 200
FIELD_VALUE_MAX: Final = 500

# Patterns. "Letters" is not defined by the specification: see assumptions.LETTERS.
LINK_NAME: Final = re.compile(r"(?:[^\W_]|[ \-_.])+", re.UNICODE)
USER_NAME: Final = re.compile(r"(?:[^\W_]|[ \-_.@])+", re.UNICODE)
FIELD_KEY: Final = re.compile(r"[^\W_]+", re.UNICODE)
COMMENT_FORBIDDEN: Final = "<>{}[]"


class Message(StrEnum):
    """The platform's own sentences, character for character [7]."""

    FROM_LANG_REQUIRED = "from_lang is required"
    TO_LANG_REQUIRED = "to_lang is required for TRANSLATION"
    TIER_REQUIRED = "tier is required"
    SOURCE_SUBTITLE_MISSING = "You need to create a from_lang subtitle first"
    TARGET_SUBTITLE_EXISTS = "You need to delete the to_lang subtitle first"
    SUBTITLE_EXISTS = "Subtitles already exist for this lang, please delete them first"
    TRANSCRIPTION_RUNNING = "There is already a transcription work in progress for video {video_id}"
    TRANSLATION_RUNNING = "There is already a translation in progress for this video"
    NO_ORGANIZATION = "Organization not found for user"
    AUTO_NOT_ON_ESSENTIAL = "Language 'auto' is not available for the Essential tier"
    VIDEO_NOT_FOUND = "Video with id {video_id} not found"
    SUB_ACCOUNT_OF_SUB_ACCOUNT = "Sub-accounts cannot create sub-accounts."
    ORGANIZATION_NOT_ACTIVE = "Organization is not active to create sub-accounts."
    ORGANIZATION_IN_TRIAL = "Organization in trial or inactive subscription cannot create sub-accounts."
    VERIFY_PERMISSIONS = "Verify permissions for the action"
    EXPIRY_TOO_FAR = "expires_at cannot be greater than 30 days"
    ROUTE_NOT_FOUND = "Route not found"
    LIVE_ALREADY_STARTED = "live already started"
    LIVE_NOT_FOR_TRIAL = "live is not available for trial accounts"
    LIVE_ID_INVALID = "invalid live id: {live_id}"
    LIVE_NOT_FOUND = "Live with id: {live_id} was not found"
    LIVE_SUBSCRIPTION_UNREAD = "Subscription status could not be read"
    LIVE_INGEST_FAILED = "Ingest channel failed to start"
    FUNNEL_NEEDS_FIRST = "At least one video must be setted as first."
    FUNNEL_ONE_FIRST = "Only one video can be setted as first."
    FUNNEL_VIDEO_UNKNOWN = "Video does not exist."
    TYPE_NOT_SPECIFIED = "Type not specified"
    PLAYLIST_NOT_FOUND = "Playlist not found"
    PLAYLIST_NOT_OWNED = "Unauthorized: You do not own this playlist"
    UNAUTHORIZED = "Unauthorized"
    INTERNAL = "Internal server error"
