"""Creating a link once: what a form of the desk asks for, as a write of `dashboard.writes`."""

import json
import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.utils import timezone

from dashboard.platform_api.videos import Video
from dashboard.review_links import rules
from dashboard.review_links.writes import CREATE, list_creations
from dashboard.shared.http import OwnerRequest
from dashboard.writes import outbox
from dashboard.writes.models import OPEN, State, Write
from dashboard.writes.requests import form_intent, form_key, scope_of
from review_portal import imports

SAME_WORDS = timedelta(seconds=60)
"""The same link asked for again within this, from another form, is asked about first."""
TWICE = "twice"
"""The button that creates it all the same."""
NOT_TYPED = frozenset({"csrfmiddlewaretoken", TWICE})


def build_key(request: OwnerRequest) -> uuid.UUID:
    """The key of the form in `request`: the same form with other words asks for another link."""
    typed = sorted((name, request.POST.getlist(name)) for name in request.POST if name not in NOT_TYPED)
    return uuid.uuid5(form_key(request), json.dumps(typed))


def find_attempt(request: OwnerRequest) -> Write | None:
    """What the same form began already and is not over; None where it has to be checked and sent."""
    write = outbox.find(scope_of(request.account), build_key(request))
    if write is not None:
        outbox.wait_for_answer(write)
    return None if write is None or write.state in (State.HELD, State.REFUSED) else write


def create(
    request: OwnerRequest,
    video: Video,
    payload: dict[str, Any],
    next_of: str = "",
    choices: Mapping[str, bool] | None = None,
) -> Write:
    """Send it. `next_of`: the link that it is the next cut of, once it is there; `choices` are kept here alone.

    Raises the `PlatformError` of a refusal.
    """
    intent = form_intent(
        request,
        CREATE,
        subject=video.id,
        sends={
            "video_id": video.id,
            "title": video.title,
            "payload": payload,
            "video": imports.serialize_video(video),
            "next_of": next_of,
            "choices": dict(choices or {}),
        },
        label=str(payload["link_name"]),
        after=payload | dict(choices or {}),
    )
    return outbox.perform(replace(intent, key=build_key(request)))


def find_recent(request: OwnerRequest, video: Video, payload: dict[str, Any]) -> Write | None:
    """The same link, asked for a moment ago by another form: one that was loaded anew with its words put back."""
    recent = list_creations(request.account).filter(
        subject=video.id, created_at__gte=timezone.now() - SAME_WORDS, state__in=(*OPEN, State.DONE)
    )
    recent = recent.exclude(key=build_key(request))
    return next((write for write in recent if rules.is_same(write.request["payload"], payload)), None)


def send_again(write: Write) -> Write:
    """Send it once more because its owner says so: a refused one is another attempt under a key of its own.

    Raises the `PlatformError` of a refusal.
    """
    if write.state == State.UNCONFIRMED:
        outbox.send_again(write)
    elif write.state == State.HELD:
        outbox.deliver(write)
    elif write.state == State.REFUSED:
        fields = {name: getattr(write, name) for name in outbox.Intent.__dataclass_fields__}
        return outbox.perform(outbox.Intent(**fields | {"key": uuid.uuid5(write.key, "again")}))
    if write.raised is not None and write.state in (State.HELD, State.REFUSED):
        raise write.raised
    return write
