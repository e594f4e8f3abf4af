"""What the desk sends: new review links [4.4]. `Write.subject` is the video, where Activity leads."""

import uuid
from dataclasses import replace
from typing import Final

from django.db import transaction
from django.db.models import QuerySet

from dashboard.accounts.models import Account
from dashboard.platform_api.reviews import ReviewLink
from dashboard.review_links import rules
from dashboard.upstream import clients
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, Operation, register
from review_portal import cuts, imports, owner_queries, sync

CREATE: Final = "review_links.create"


def list_creations(account: Account) -> QuerySet[Write]:
    """The links that the account asked for, newest first, whatever became of them."""
    return Write.objects.filter(account=account, operation=CREATE).order_by("-created_at")


def get_link_id(write: Write) -> uuid.UUID | None:
    """The link that `write` made; None where there is none, or where only its owner knows which."""
    link_id = (write.result or {}).get("link_id")
    return uuid.UUID(link_id) if link_id else None


def _send_created(write: Write) -> ReviewLink:
    platform = clients.platform_for(write.owner)
    return platform.review_links.create(uuid.UUID(write.request["video_id"]), write.request["payload"])


def _keep_created(write: Write, answer: ReviewLink) -> None:
    """The link is known, and the account's own. `ValueError` where the answer does not say which link it is."""
    account = write.owner
    link = imports.save_link(account, answer, video_fields=write.request.get("video"))
    transaction.on_commit(lambda: imports.complete_video(account, link), robust=True)
    write.result = {"link_id": str(link.pk)}
    if next_of := write.request.get("next_of", ""):
        earlier = owner_queries.find_link(account, uuid.UUID(next_of))
        write.result["cut_refusal"] = (cuts.place_after(account, link, earlier) if earlier else None) or ""
    choices = write.request.get("choices", {})
    if choices:
        type(link).objects.filter(pk=link.pk).update(**choices)
    write.after = {**write.request["payload"], **choices, "id": str(link.pk)}


def _settle_created(write: Write) -> Found | Absence:
    """Look for a link with exactly what was sent among the video's links, where they can be read."""
    if not sync.is_readable():
        return UNKNOWN
    video_id = write.request["video_id"]
    rows = clients.platform_for(write.owner).review_links.list(uuid.UUID(video_id))
    records = [replace(row, video_id=video_id) for row in rows if row.video_id.lower() in ("", video_id.lower())]
    others = list_creations(write.owner).filter(subject=write.subject, state=State.DONE).exclude(pk=write.pk)
    taken = {str(get_link_id(other)) for other in others}
    free = [link for link in records if link.id not in taken]
    link = rules.find_created(write.request["payload"], write.created_at, free)
    return ABSENT if link is None else Found(link)


register(Operation(CREATE, _send_created, _keep_created, _settle_created))
