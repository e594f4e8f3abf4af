"""Links that the platform answered to an account, and links made elsewhere that an account imports.

A link that the platform confirms is saved as the account's own; an import that it neither confirms nor denies becomes a
`Claim` (see `sync`).
"""

import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api import errors
from dashboard.platform_api.public_files import Bookmark
from dashboard.platform_api.reviews import ReviewLink as ReviewLinkRecord
from dashboard.platform_api.videos import Video
from dashboard.upstream import clients
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Query, Reads
from review_portal import sync
from review_portal.models import Claim, ReviewLink
from review_portal.sync import list_link_columns
from review_portal.videos import LinkVideo

VIDEO_SECONDS: Final = 60
"""How old what is known of a video may be for its links."""


class ImportProblem(StrEnum):
    """Why a link cannot be taken in."""

    VIDEO_MISSING = "video-missing"
    """The account has no such video."""
    LINK_MISSING = "link-missing"
    """The platform can be read and has no such link."""
    OTHER_VIDEO = "other-video"
    """The link belongs to another video."""


class ImportRefused(Exception):
    """Raised by `import_link`; `reason` says why."""

    def __init__(self, reason: ImportProblem) -> None:
        super().__init__(reason.value)
        self.reason = reason


def save_link(
    account: Account,
    record: ReviewLinkRecord,
    video: Video | None = None,
    *,
    video_fields: Mapping[str, Any] | None = None,
) -> ReviewLink:
    """Keep a link that the platform answered to this account's token, and that it is theirs.

    With `video`, what is shown of it is kept as well; without it and without any yet, `video_fields` are (see
    `serialize_video`). What is then missing of it, `complete_video` reads.
    Raises `ValueError` when the answer's identifiers are no uuids.
    """
    link = sync.store_link(record, video)
    sync.prove(account, link)
    if not link.video and video_fields:
        sync.store_video_fields(link, video_fields)
    return link


def save_links(account: Account, answered: Sequence[ReviewLinkRecord], video: Video) -> tuple[list[ReviewLink], bool]:
    """The same for what the platform lists of one video; and whether anything of that is new.

    Most of it is not. Of such links only the time of reading is written down, of all in one step.
    """
    if not answered:
        return [], False
    own = ReviewLink.objects.filter(accounts=account, video_id=video.id, confirmed=True)
    known = {str(link.pk): link for link in own}
    same = {record.id: link for record in answered if (link := known.get(record.id)) and _is_kept(link, record, video)}
    now = timezone.now()
    own.filter(pk__in=[link.pk for link in same.values()]).update(read_at=now, video_read_at=now)
    links = [same.get(record.id) or save_link(account, record, video) for record in answered]
    return links, len(same) < len(answered)


def _is_kept(link: ReviewLink, record: ReviewLinkRecord, video: Video) -> bool:
    columns = list_link_columns(record, video, link.video)
    return all(getattr(link, name) == value for name, value in columns.items())


def serialize_video(video: Video) -> dict[str, Any]:
    """What a link keeps of its video, as JSON: for a link that will be known only later."""
    return LinkVideo.keep_record(video, {})


def is_video_complete(link: ReviewLink) -> bool:
    """Whether captions and bookmarks of the link's video are known: links that were kept long ago may lack them."""
    return {"captions", "bookmarks"} <= set(link.video)


def complete_video(account: Account, link: ReviewLink) -> None:
    """Read the link's video by itself while its captions or bookmarks are not known: a list of videos leaves them out.

    Best effort: a link whose video cannot be read now opens without its picture and tries again later. It waits for the
    platform, so it is never called in a transaction.
    """
    if is_video_complete(link):
        return
    query = Query(lambda platform: platform.videos.get(link.video_id), VIDEO_SECONDS)
    try:
        video = Reads(account).get(query)
    except errors.PlatformError:
        return
    bookmarks = _read_bookmarks(account, video)
    with transaction.atomic():  # the link may have changed while its video was read
        sync.lock([link.pk])
        link.refresh_from_db()
        sync.store_video(link, video, bookmarks)


def _read_bookmarks(account: Account, video: Video) -> tuple[Bookmark, ...] | None:
    """The bookmarks in the video's public file (gaps 15, A6): none where it has no file, None where it cannot be read now."""
    outcome = Reads(account).gather(
        settings.PLATFORM_TIMEOUT,
        file=lambda platform: platform.public_files.video(video.pullzone or "", video.external_id),
    )["file"]
    if isinstance(outcome, Ready):
        bookmarks: tuple[Bookmark, ...] = outcome.value.bookmarks
        return bookmarks
    return () if isinstance(outcome, Failed) and isinstance(outcome.error, errors.Missing) else None


def import_link(account: Account, link_id: uuid.UUID, video_id: uuid.UUID) -> ReviewLink | Claim:
    """Take in a link made elsewhere. The account must own the video, and the platform must say that the link shows it;
    where nothing can be known of the link, the import is a claim: a note on the account's own desk.

    Raises `ImportRefused`, and the `PlatformError` of a call that brought no answer.
    """
    try:
        video = clients.platform_for(account).videos.get(video_id)
    except errors.Missing as error:
        raise ImportRefused(ImportProblem.VIDEO_MISSING) from error
    known = _read_again(account, link_id, video) if sync.is_readable() else None
    known = known or ReviewLink.objects.filter(pk=link_id, confirmed=True).first()
    if known is None:
        return sync.claim(account, link_id, video)
    if known.video_id != video_id:
        raise ImportRefused(ImportProblem.OTHER_VIDEO)
    sync.store_video(known, video)
    sync.prove(account, known)
    return known


def _read_again(account: Account, link_id: uuid.UUID, video: Video) -> ReviewLink | None:
    """The link as its own record says; where that cannot be had, as the video's list of links says.

    None where the platform shows neither. Raises `ImportRefused` where it lists the video's links without this one.
    """
    try:
        return sync.store_link(sync.read_link(link_id))
    except (errors.Missing, errors.NotAllowed, ValueError) as error:
        records_of_video = _listed(account, video)
        if records_of_video is None:
            return None
        for record in records_of_video:
            if record.id == str(link_id):
                return sync.store_link(record)
        raise ImportRefused(ImportProblem.LINK_MISSING) from error


def _listed(account: Account, video: Video) -> list[ReviewLinkRecord] | None:
    """The video's links; None where the platform does not list them."""
    try:
        return select_links_of_video(clients.platform_for(account).review_links.list(video.id), video)
    except (errors.Missing, errors.NotAllowed):
        return None


def select_links_of_video(rows: Iterable[ReviewLinkRecord], video: Video) -> list[ReviewLinkRecord]:
    """What a list of the video's links says of this video: a row that names another one says nothing about its owner."""
    return [replace(row, video_id=video.id) for row in rows if row.video_id.lower() in ("", video.id.lower())]
