"""Store what the platform answered about links and comments, merge what a read shows, and prove whose a link is.

Two rules keep the copy equal to the platform:

- What is newer wins, by the platform's own `updated_at`. A read that left before one of our writes came back cannot
  undo it.
- Nothing is deleted. The interface has no delete, so a comment that a read lacks is hidden (a link without resolved
  comments hides those) or the read is partial; it is never gone.

Every change raises the link's `version` in the same transaction, under that row's lock, so a poll that has seen a version
has seen everything up to it.

An account owns a link by proof, never because it typed the id first. Proof is what the platform answers to the account's
own token: that it created the link [4.4], that it lists the link among those of a video, or, where the link's own record
names a video, that the account can get this video. A comment that the platform takes through a link proves that the link
exists, not whose it is.

Without proof an import is a `Claim`, visible only to the account that made it. It opens no page to visitors, shows nothing
of other accounts, and does not block them.
"""

import hashlib
import uuid
from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from django.db.models import CharField, F, Model, QuerySet
from django.utils import timezone

from dashboard.accounts.models import Account
from dashboard.platform_api.errors import CallError, Missing, OverBudget
from dashboard.platform_api.public_files import Bookmark
from dashboard.platform_api.reviews import Comment as CommentRecord
from dashboard.platform_api.reviews import ReviewLink as ReviewLinkRecord
from dashboard.platform_api.videos import Video
from dashboard.platform_api.vocabulary import CommentStatus, LinkStatus
from dashboard.shared.text import parse_uuid
from dashboard.upstream import budget, clients
from dashboard.upstream.parallel import needed, start
from review_portal.models import Claim, Comment, Cut, Reviewer, ReviewLink
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


def prove(account: Account, link: ReviewLink) -> None:
    """Make the account an owner of the link; its claim to it is settled."""
    link.accounts.add(account)
    Claim.objects.filter(account=account, link_id=link.pk).delete()


def claim(account: Account, link_id: uuid.UUID, video: Video) -> Claim:
    """Note that the account says the link is its own and shows this video, which its token can get."""
    fields = {"video_id": uuid.UUID(video.id), "video": LinkVideo.keep_record(video, {})}
    return Claim.objects.update_or_create(account=account, link_id=link_id, defaults=fields)[0]


def list_claims(account: Account, video_id: uuid.UUID | None = None) -> QuerySet[Claim]:
    """The account's imports that the platform has not confirmed, newest first."""
    claims = Claim.objects.filter(account=account).order_by("-claimed_at", "pk")
    return claims if video_id is None else claims.filter(video_id=video_id)


def get_claim(account: Account, claim_id: int) -> Claim:
    """One import of the account. Raises `Claim.DoesNotExist`."""
    return Claim.objects.get(account=account, pk=claim_id)


def update_claim(claim: Claim, fields: Mapping[str, Any]) -> None:
    """Save what the account says about its import: name, closing time, switches; None for what it does not say."""
    Claim.objects.filter(pk=claim.pk).update(**fields)


def settle_claims(link: ReviewLink) -> None:
    """The platform has said which video the link shows: accounts that claimed it by this very video own it."""
    for claimed in Claim.objects.filter(link_id=link.pk, video_id=link.video_id).select_related("account"):
        prove(claimed.account, link)


def correct_video(link: ReviewLink, video_id: uuid.UUID) -> None:
    """The platform names another video than the copy holds, or is the first to name one: who owned the link by the
    wrong video only claims it from now on."""
    if link.video_id != video_id:
        for account in link.accounts.all():
            fields = {"video_id": link.video_id, "video": link.video}
            Claim.objects.get_or_create(account=account, link_id=link.pk, defaults=fields)
        link.accounts.clear()
        Cut.objects.filter(link=link).delete()
        link.video, link.video_read_at = {}, None
    link.video_id, link.confirmed = video_id, True
    link.save(update_fields=["video_id", "confirmed", "video", "video_read_at"])


MERGE_SECONDS = 3
"""A link's comments are read at most this often, however many people watch."""
LINK_SECONDS = 60
"""The same for the link itself and its video."""
PAUSE_SECONDS = 15
"""After a read that failed nobody tries again for this long."""
MARGIN = timedelta(seconds=1)
"""How far the clocks of two of our machines may differ."""


@contextmanager
def new_version(link_id: uuid.UUID) -> Iterator[int]:
    """A transaction that raises the link's version and yields it. The row stays locked until the block ends.

    The next read is compared with the copy even when it equals the one before: where resolved comments are hidden, a comment
    that was resolved elsewhere before anybody read it is missing from both.
    """
    with transaction.atomic():
        raise_version(link_id)
        yield ReviewLink.objects.values_list("version", flat=True).get(pk=link_id)


def raise_version(link_id: uuid.UUID) -> None:
    """Raise the link's version: the next poll of everybody who follows it brings what has changed beside its comments."""
    ReviewLink.objects.filter(pk=link_id).update(version=F("version") + 1, merged_digest="")


def lock(link_ids: Collection[uuid.UUID]) -> None:
    """Lock links until the transaction ends, before anything of them changes: the same order everywhere avoids deadlocks."""
    list(ReviewLink.objects.select_for_update().filter(pk__in=link_ids).order_by("pk").values_list("pk", flat=True))


def store_link(record: ReviewLinkRecord, video: Video | None = None) -> ReviewLink:
    """Keep what the platform answered about a link. An older answer changes nothing.

    It is the platform's word on which video the link shows: what was believed before is corrected, and claims are settled.
    Raises `ValueError` when its identifiers are no uuids [2.3].
    """
    video_id = uuid.UUID(record.video_id)
    video_record = video or _find_video(record)
    fields = list_link_columns(record, video_record, {}) | {"read_at": timezone.now()}
    if video_record is not None:
        fields["video_read_at"] = timezone.now()
    with transaction.atomic():
        link, created = ReviewLink.objects.select_for_update().get_or_create(
            pk=uuid.UUID(record.id), defaults=fields | {"video_id": video_id}
        )
        other = not link.confirmed or link.video_id != video_id
        if other:
            correct_video(link, video_id)
        if other or (not created and not _is_older(record.updated_at, link.updated_at)):
            if video_record is not None:
                fields["video"] = LinkVideo.keep_record(video_record, link.video)
            _save_link(link, fields)
        if other or created:
            settle_claims(link)
    return link


def _save_link(link: ReviewLink, fields: dict[str, Any]) -> None:
    unseen = {"read_at", "updated_at", "created_at", "video_read_at"}
    visible = any(getattr(link, name) != value for name, value in fields.items() if name not in unseen)
    for name, value in fields.items():
        setattr(link, name, value)
    if visible:
        link.version += 1
    link.save(update_fields=[*fields, "version"])


def store_video(link: ReviewLink, video: Video, bookmarks: tuple[Bookmark, ...] | None = None) -> None:
    """Keep what is shown of the link's video, read apart; of its `bookmarks` what is known, where they were not read."""
    store_video_fields(link, LinkVideo.keep_record(video, link.video, bookmarks))


def store_video_fields(link: ReviewLink, fields: Mapping[str, Any]) -> None:
    """The same from what was written down of the video before the link was known."""
    _save_link(link, {"video": dict(fields), "video_read_at": timezone.now()})


def _find_video(record: ReviewLinkRecord) -> Video | None:
    """The video inside the answer about a link, where the platform adds it."""
    inside = record.extra.get("video")
    return Video.from_json(inside) if isinstance(inside, dict) else None


def _is_older(moment: datetime | None, other: datetime | None) -> bool:
    return moment is not None and other is not None and moment < other


def get_link(link_id: uuid.UUID) -> ReviewLink:
    """The link, from the copy; one that was never seen is read from the platform where it can be read.

    Raises `ReviewLink.DoesNotExist` for a link that neither knows, and the `PlatformError` of a read that failed.
    """
    link = ReviewLink.objects.filter(pk=link_id, confirmed=True).first()
    if link is not None:
        return link
    try:
        link = store_link(read_link(link_id))
    except (Missing, ValueError) as error:
        raise ReviewLink.DoesNotExist from error
    cache.add(_link_key(link.pk), 1, LINK_SECONDS)  # its first merge reads the comments alone
    return link


def read_link(link_id: uuid.UUID) -> ReviewLinkRecord:
    """The link as the platform shows it. Raises `PlatformError`; `Missing` where reads are off."""
    return clients.reviewer_platform().public_review.read_link(link_id, uuid.uuid4())


def is_readable() -> bool:
    """Whether links and comments can be read from the platform at all (PLATFORM_REVIEW_READS)."""
    return clients.config().review_reads


def is_complete(link: ReviewLink) -> bool:
    """Whether all comments of the link are known here: they were read. Else there may be others, written elsewhere."""
    return is_readable() and link.merged_at is not None


def merge(link: ReviewLink, *, at_once: bool = False) -> CallError | None:
    """Bring in what is new on the platform, unless somebody did so a moment ago (`at_once`: even then).

    Never waits for another reader. Returns the error of a read that failed; `link` is refreshed where it changed.
    """
    if not is_readable() or not (_take_turn(link) or at_once):
        return None
    return _merge(link)


def merge_in_background(link: ReviewLink, patience: float = 0.0) -> None:
    """Let what is new on the platform be brought in beside this request, unless somebody does so or did a moment ago.

    Waits for it no longer than `patience` seconds: whoever watches is told by a later poll. `link` is refreshed.
    """
    if not is_readable() or not _take_turn(link):
        return
    with nullcontext() if patience else budget.background():  # who waits for it is a person, who does not is a poll
        start(lambda: _merge(ReviewLink.objects.get(pk=link.pk)), patience)
    link.refresh_from_db()


def get_standing(link: ReviewLink) -> tuple[bool, bool]:
    """Whether nobody needs to read the link now, and whether the last read failed: one read of the cache, as every poll asks."""
    turn, failed = _turn_key(link), _error_key(link.pk)
    known = cache.get_many([turn, failed])
    return turn in known or not is_readable(), failed in known


def _take_turn(link: ReviewLink) -> bool:
    """Whether the caller reads the link now. The turn of a process that dies ends when none of its calls can be out."""
    longest = 2 * settings.PLATFORM_TIMEOUT + MERGE_SECONDS  # the link and its comments, one after the other
    return bool(cache.add(_turn_key(link), 1, longest))


def _turn_key(link: ReviewLink) -> str:
    return f"review-merge:{link.pk}"


def _merge(link: ReviewLink) -> CallError | None:
    gate = _turn_key(link)
    try:
        started = timezone.now()
        with budget.can_wait() if link.merged_at else nullcontext():
            answers = needed(link=partial(_merge_link, link), comments=partial(_read_comments, link))
        if answers["link"]:
            link.refresh_from_db()
        _merge_comments(link, answers["comments"], started)
    except CallError as error:
        cache.set(gate, 1, PAUSE_SECONDS)
        if not isinstance(error, OverBudget):  # a poll that was held back is no trouble
            cache.set(_error_key(link.pk), error, PAUSE_SECONDS * 4)
        return error
    except Exception:
        cache.delete(gate)
        raise
    cache.set(gate, 1, MERGE_SECONDS)
    cache.delete(_error_key(link.pk))
    return None


def get_last_error(link: ReviewLink) -> CallError | None:
    """Why the link's comments could not be read when that was last tried; None where they could."""
    error: CallError | None = cache.get(_error_key(link.pk))
    return error


def _error_key(link_id: uuid.UUID) -> str:
    return f"review-trouble:{link_id}"


def _merge_link(link: ReviewLink) -> bool:
    """Flags, state and expiry, and the video, now and then; whether they were brought in."""
    if not cache.add(_link_key(link.pk), 1, LINK_SECONDS):
        return False
    try:
        store_link(read_link(link.pk))
    except ValueError:
        return False  # an answer about something that is no link tells nothing about this one
    except CallError:
        cache.delete(_link_key(link.pk))
        raise
    return True


def expire_link_read(link: ReviewLink) -> None:
    """Let the next merge read the link itself anew: a refusal said that it is not what the copy holds."""
    cache.delete(_link_key(link.pk))


def _link_key(link_id: uuid.UUID) -> str:
    """Whoever adds this key reads the link itself; nobody else does until it is gone."""
    return f"review-link:{link_id}"


def _read_comments(link: ReviewLink) -> Collection[CommentRecord]:
    return clients.reviewer_platform().public_review.comments(link.pk, uuid.uuid4())


def _merge_comments(link: ReviewLink, comments: Collection[CommentRecord], started: datetime) -> None:
    """Bring in an answer whose read left at `started`."""
    digest = hashlib.sha256(repr(sorted(comments, key=lambda comment: comment.id)).encode()).hexdigest()
    if digest != link.merged_digest:
        _merge_answer(link, comments, started, digest)
    # Only now: whoever settles a write by the copy must not find it read before it holds what was read.
    cache.set(f"review-read:{link.pk}", started, None)


@transaction.atomic
def _merge_answer(link: ReviewLink, comments: Collection[CommentRecord], started: datetime, digest: str) -> None:
    """All at once: a poll in between would show the comments and still say that they are being read."""
    if link.merged_at is None:  # pages say that nothing has been read
        raise_version(link.pk)
    changed, equal = merge_comments(link, comments, started)
    if changed:
        link.refresh_from_db()
    link.merged_digest, link.merged_at = (digest if equal else ""), started
    ReviewLink.objects.filter(pk=link.pk).update(merged_digest=link.merged_digest, merged_at=started)


def get_read_at(link: ReviewLink) -> datetime | None:
    """When the comments of the link were last read from the platform; None when they never were."""
    moment: datetime | None = cache.get(f"review-read:{link.pk}")
    return moment or link.merged_at


def merge_comments(link: ReviewLink, comments: Iterable[CommentRecord], started: datetime) -> tuple[bool, bool]:
    """Merge an answer whose read left at `started`: whether anything changed, and whether the copy equals it now."""
    with transaction.atomic():
        ReviewLink.objects.select_for_update().get(pk=link.pk)
        rows = {comment.comment_id: comment for comment in link.comments.all()}
        answer = dict(_iter_valid(comments))
        new = [_build_comment(link, record) for key, record in answer.items() if key not in rows]
        differing = [
            (rows[key], record) for key, record in answer.items() if key in rows and not _is_same(rows[key], record)
        ]
        updated = [_update_comment(row, record) for row, record in differing if _is_newer(row, record, started)]
        absent = _list_absent(link, rows, answer)
        hidden = [_mark_resolved(row) for row in absent if row.written_at < started - MARGIN]
        changed = updated + hidden
        if new or changed:
            _write_merged(link, new, changed, started)
    return bool(new or changed), len(updated) == len(differing) and len(hidden) == len(absent)


def _write_merged(link: ReviewLink, new: list[Comment], changed: list[Comment], started: datetime) -> None:
    with new_version(link.pk) as version:
        for row in new:
            row.born = row.version = version
        for row in changed:
            row.version, row.written_at = version, started
        Comment.objects.bulk_create(new, batch_size=200)
        Comment.objects.bulk_update(changed, [*COMMENT_FIELDS, "version", "written_at"], batch_size=100)


def _iter_valid(comments: Iterable[CommentRecord]) -> Iterator[tuple[uuid.UUID, CommentRecord]]:
    for record in comments:
        try:
            yield uuid.UUID(record.id), record
        except ValueError:
            continue  # a comment without a uuid can neither be changed nor linked to [2.4]


def _build_comment(link: ReviewLink, record: CommentRecord) -> Comment:
    columns = list_comment_columns(record)
    return Comment(link=link, comment_id=uuid.UUID(record.id), written_at=timezone.now(), born=0, version=0, **columns)


def _is_same(row: Comment, record: CommentRecord) -> bool:
    return all(getattr(row, name) == value for name, value in list_comment_columns(record).items())


def _is_newer(row: Comment, record: CommentRecord, started: datetime) -> bool:
    """Whether the record is newer than the kept row; where the platform's times give no order, ours decide."""
    if record.updated_at is None or row.updated_at is None or record.updated_at == row.updated_at:
        return row.written_at < started
    return record.updated_at > row.updated_at


def _update_comment(row: Comment, record: CommentRecord) -> Comment:
    for name, value in list_comment_columns(record).items():
        setattr(row, name, value)
    return row


def _list_absent(
    link: ReviewLink, rows: dict[uuid.UUID, Comment], answer: dict[uuid.UUID, CommentRecord]
) -> list[Comment]:
    """Open comments that a read lacks, on a link that hides resolved ones: they have been resolved elsewhere, or were
    written after the read left."""
    if link.show_resolved:
        return []
    tops = (row for key, row in rows.items() if key not in answer and row.reply_to is None)
    return [row for row in tops if row.status == CommentStatus.OPEN]


def _mark_resolved(row: Comment) -> Comment:
    row.status = CommentStatus.RESOLVED.value
    return row


def store_comment(link: ReviewLink, record: CommentRecord, reviewer: Reviewer | None = None) -> Comment:
    """Write through what the platform answered to a write of ours; with `reviewer`, as theirs.

    Raises `ValueError` when the answer's identifier is no uuid.
    """
    key = uuid.UUID(record.id)
    with new_version(link.pk) as version:
        row = Comment.objects.filter(link=link, comment_id=key).first() or _build_comment(link, record)
        if row.pk is None:
            row.born = version
        elif not _is_older(record.updated_at, row.updated_at):
            _update_comment(row, record)
        row.version, row.written_at = version, timezone.now()
        row.reviewer = reviewer or row.reviewer
        row.save()
    link.version = version
    return row
