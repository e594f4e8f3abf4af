"""Creating a link once: claimed in the database before the call leaves, looked for when no answer came back."""

import json
import time
import uuid
from datetime import timedelta
from typing import Any

from django.db import IntegrityError, transaction
from django.utils import timezone

from dashboard import clients
from dashboard.activity.recorder import ambiguous, recorded
from dashboard.platform_api import errors
from dashboard.platform_api.records import ReviewLink, Video
from dashboard.review_links import rules
from dashboard.review_links.models import Attempt, Progress
from dashboard.shared.http import OwnerRequest
from review_portal import links

DEAD_AFTER = timedelta(seconds=150)
"""Longer than any PLATFORM_TIMEOUT: an attempt that is still sending then will never say how it ended."""
SAME_WORDS = timedelta(seconds=60)
"""The same link asked for within this is one link."""
WAIT = 4.0
"""Seconds that a second press waits for the first one's answer."""


def create(request: OwnerRequest, key: uuid.UUID, video: Video, payload: dict[str, Any]) -> Attempt:
    """Send the attempt, or return the one that the same form with the same words already began.

    Raises the `PlatformError` of a refusal: the attempt is then free to be sent again.
    """
    own_key = uuid.uuid5(key, f"{request.account.pk} {video.id} {json.dumps(payload, sort_keys=True)}")
    same = _same_words(request, video, payload)
    if same is not None and same.pk != own_key:
        return _ended(same.pk)
    attempt = _claimed(request, own_key, video, payload)
    return _send(request, attempt) if attempt else _ended(own_key)


def _same_words(request: OwnerRequest, video: Video, payload: dict[str, Any]) -> Attempt | None:
    """What was sent a moment ago under another key: the form was loaded anew by the back button, with its words put back."""
    recent = Attempt.objects.filter(
        account=request.account, video_id=video.id, started_at__gte=timezone.now() - SAME_WORDS
    ).exclude(progress=Progress.REFUSED)
    return next((attempt for attempt in recent if rules.is_same(attempt.payload, payload)), None)


def again(request: OwnerRequest, attempt: Attempt) -> Attempt:
    """Send an unconfirmed attempt once more, because its owner says so. Raises the `PlatformError` of a refusal."""
    now = timezone.now()
    mine = Attempt.objects.filter(pk=attempt.pk, progress=Progress.UNCONFIRMED)
    claimed = mine.update(progress=Progress.SENDING, started_at=now, looked_at=None)
    attempt.refresh_from_db()
    return _send(request, attempt) if claimed else attempt


def look(request: OwnerRequest, attempt: Attempt) -> Attempt:
    """Look for an unconfirmed link among the video's links, where they can be read. Raises `PlatformError`."""
    if attempt.progress != Progress.UNCONFIRMED or not links.can_be_read():
        return attempt
    taken = set(
        Attempt.objects.filter(account=request.account, video_id=attempt.video_id, link_id__isnull=False).values_list(
            "link_id", flat=True
        )
    )
    listed = clients.platform(request).review_links.list(attempt.video_id)
    free = [link for link in listed if link.id not in {str(pk) for pk in taken}]
    found = rules.made_by(attempt.payload, attempt.started_at, free)
    attempt.looked_at = timezone.now()
    if found is None:
        attempt.save(update_fields=["looked_at"])
        return attempt
    return _created(request, attempt, found)


def of(request: OwnerRequest, key: uuid.UUID) -> Attempt:
    """An attempt of the account, one whose process died counted as unconfirmed. Raises `Attempt.DoesNotExist`."""
    dead = timezone.now() - DEAD_AFTER
    mine = Attempt.objects.filter(pk=key, account=request.account)
    mine.filter(progress=Progress.SENDING, started_at__lt=dead).update(progress=Progress.UNCONFIRMED)
    return mine.get()


def _claimed(request: OwnerRequest, key: uuid.UUID, video: Video, payload: dict[str, Any]) -> Attempt | None:
    """The attempt, if it is this request that sends it."""
    now = timezone.now()
    fields = {"video_id": video.id, "video_title": video.title[:500], "payload": payload, "started_at": now}
    try:
        with transaction.atomic():
            return Attempt.objects.create(key=key, account=request.account, **fields)
    except IntegrityError:
        refused = Attempt.objects.filter(pk=key, progress=Progress.REFUSED)
        free = refused.update(progress=Progress.SENDING, started_at=now)
        return Attempt.objects.get(pk=key) if free else None


def _ended(key: uuid.UUID) -> Attempt:
    """The attempt that another request sends, waited for a moment so that its answer can be shown."""
    deadline = time.monotonic() + WAIT
    attempt = Attempt.objects.get(pk=key)
    while attempt.progress == Progress.SENDING and time.monotonic() < deadline:
        time.sleep(0.1)
        attempt.refresh_from_db()
    return attempt


def _send(request: OwnerRequest, attempt: Attempt) -> Attempt:
    name = str(attempt.payload["link_name"])
    try:
        with recorded(
            request, "review_links.create", target=str(attempt.video_id), label=name, after=attempt.payload
        ) as entry:
            link = clients.platform(request).review_links.create(attempt.video_id, attempt.payload)
            entry.after = {**attempt.payload, "id": link.id}
    except errors.PlatformError as error:
        return _without_answer(request, attempt, error)
    return _created(request, attempt, link)


def _without_answer(request: OwnerRequest, attempt: Attempt, error: errors.PlatformError) -> Attempt:
    unclear = ambiguous(error)
    attempt.progress = Progress.UNCONFIRMED if unclear else Progress.REFUSED
    attempt.save(update_fields=["progress"])
    if not unclear:
        raise error
    try:
        return look(request, attempt)
    except errors.PlatformError:
        return attempt  # the page of the attempt says that it is not confirmed, and offers to look again


def _created(request: OwnerRequest, attempt: Attempt, link: ReviewLink) -> Attempt:
    try:
        attempt.progress, attempt.link_id = Progress.CREATED, links.remember(request.account, link).pk
    except ValueError:  # an answer without usable identifiers: the link may exist, but not under a name we know
        attempt.progress = Progress.UNCONFIRMED
    attempt.save(update_fields=["progress", "link_id", "looked_at"])
    return attempt
