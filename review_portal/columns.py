"""What the columns of links and comments hold of the platform's answers."""

from collections.abc import Mapping
from typing import Any

from django.db.models import CharField, Model

from dashboard.platform_api.reviews import Comment as CommentRecord
from dashboard.platform_api.reviews import ReviewLink as ReviewLinkRecord
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import LinkStatus
from dashboard.shared.text import parse_uuid
from review_portal.models import Comment, ReviewLink
from review_portal.rules import show_name
from review_portal.videos import LinkVideo

LINK_FIELDS = ("name", "status", "expires_at", "allow_comment", "allow_status_edit", "show_resolved")
COMMENT_FIELDS = ("user_name", "text", "status", "time", "reply_to", "created_at", "updated_at")
TIME_MOST = 2**31 - 1
"""The last second that a column of the database has."""


def list_link_columns(record: ReviewLinkRecord, video: Video | None, known_video: Mapping[str, Any]) -> dict[str, Any]:
    """Those of an answer about a link, and of one about its video; `known_video`: what is known of that."""
    columns: dict[str, Any] = {name: getattr(record, name) for name in LINK_FIELDS}
    columns = _truncate(ReviewLink, columns | {"status": record.status or LinkStatus.ACTIVE.value})
    columns |= {"created_at": record.created_at, "updated_at": record.updated_at}
    return columns if video is None else columns | {"video": LinkVideo.keep_record(video, known_video)}


def list_comment_columns(record: CommentRecord) -> dict[str, Any]:
    """Those of an answer about a comment."""
    columns = {name: getattr(record, name) for name in COMMENT_FIELDS} | {"user_name": show_name(record.user_name)}
    return _truncate(Comment, columns) | {"time": min(record.time, TIME_MOST), "reply_to": parse_uuid(record.reply_to)}


def _truncate(model: type[Model], columns: dict[str, Any]) -> dict[str, Any]:
    """The columns with texts as long as they take them: the platform bounds none."""
    most = {column.name: column.max_length for column in model._meta.fields if isinstance(column, CharField)}
    return {name: value[: most[name]] if name in most else value for name, value in columns.items()}
