"""Review links of every kind, and what was said in them."""

import tomllib
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from dashboard.platform_api.vocabulary import CommentStatus, LinkStatus
from dashboard.sandbox.models import ReviewComment, ReviewLink
from dashboard.sandbox.seed.identity import known

FILES: Final = ("reviews.toml", "review_full.toml")


def plant(now: datetime) -> None:
    """Write links and comments. A person keeps one reviewer token per link, as a browser does."""
    links = [link for name in FILES for link in _read(name)]
    ReviewLink.objects.bulk_create(_link(link, now) for link in links)
    mains = [(link, number, text) for link in links for number, text in enumerate(link.get("comment", []))]
    ReviewComment.objects.bulk_create(_comment(link, f"{number}", text, now) for link, number, text in mains)
    ReviewComment.objects.bulk_create(
        _reply(link, number, place, text, now)
        for link, number, text in mains
        for place in range(len(text.get("replies", [])))
    )


def reviewer(link: str, name: str) -> str:
    """The token with which somebody wrote in a link."""
    return str(known("reviewer", f"{link} {name}"))


def _read(name: str) -> Iterator[dict[str, Any]]:
    text = (Path(__file__).parent / "content" / name).read_text("utf-8")
    yield from tomllib.loads(text)["link"]


def _link(link: dict[str, Any], now: datetime) -> ReviewLink:
    created = now - timedelta(minutes=link["created"])
    return ReviewLink(
        id=known("link", link["key"]),
        video_id=known("video", link["video"]),
        name=link["name"],
        status=link.get("status", LinkStatus.ACTIVE),
        expires_at=now + timedelta(days=link["closes"]),
        allow_comment=link.get("allow_comment", True),
        allow_status_edit=link.get("allow_status_edit", True),
        show_resolved=link.get("show_resolved", True),
        created_at=created,
        updated_at=created,
    )


def _comment(link: dict[str, Any], key: str, source: dict[str, Any], now: datetime) -> ReviewComment:
    written_at = now - timedelta(minutes=source["ago"])
    last = min((reply[1] for reply in source.get("replies", [])), default=source["ago"])
    resolved = source.get("status") == CommentStatus.RESOLVED
    return ReviewComment(
        id=known("comment", f"{link['key']} {key}"),
        video_id=known("video", link["video"]),
        token=reviewer(link["key"], source["who"]),
        user_name=source["who"],
        text=source["text"],
        status=source.get("status", CommentStatus.OPEN),
        time=source["at"],
        created_at=written_at,
        updated_at=now - timedelta(minutes=last - 2) if resolved else written_at,
    )


def _reply(link: dict[str, Any], number: int, place: int, source: dict[str, Any], now: datetime) -> ReviewComment:
    who, ago, text = source["replies"][place]
    reply = {"who": who, "ago": ago, "text": text, "at": source["at"]}
    comment = _comment(link, f"{number} {place}", reply, now)
    comment.reply_to_id = known("comment", f"{link['key']} {number}")
    return comment
