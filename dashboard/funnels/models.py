"""What was arranged and not sent yet: saved at every change, and deleted once all of it is on the platform."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import models, transaction

from dashboard.funnels.rules import Card, Changes
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.videos import Video


class Draft(models.Model):
    """What differs from the platform's funnel: places, added videos, another entry. Gone once it has arrived."""

    account_id = models.UUIDField()
    funnel_id = models.CharField(max_length=64)
    places = models.JSONField(default=dict)
    """By video: `[x, y]`."""
    added = models.JSONField(default=dict)
    """By video: `{"title", "thumbnail", "length"}`, in the order of adding."""
    entry = models.CharField(max_length=64, blank=True)
    """The video that is to be the entry; "" leaves it as it is."""
    updated_at = models.DateTimeField(auto_now=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=["account_id", "funnel_id"], name="one_draft_of_a_funnel"),)

    def __str__(self) -> str:
        return f"draft of {self.funnel_id}"


def get_draft(account_id: UUID, funnel_id: str) -> Draft | None:
    """The draft, None when nothing is unsent."""
    return Draft.objects.filter(account_id=account_id, funnel_id=funnel_id).first()


def parse_changes(draft: Draft | None) -> Changes:
    """What the draft asks for."""
    if draft is None:
        return Changes({}, {})
    return Changes({key: (float(x), float(y)) for key, (x, y) in draft.places.items()}, draft.added, draft.entry)


def save_draft(account_id: UUID, funnel_id: str, cards: Sequence[Card]) -> Draft | None:
    """Save what differs from the platform; without differences, delete the draft."""
    if not any(card.changed for card in cards):
        discard_draft(account_id, funnel_id)
        return None
    draft, _made = Draft.objects.update_or_create(
        account_id=account_id,
        funnel_id=funnel_id,
        defaults={
            "places": {card.id: [card.x, card.y] for card in cards if card.moved or card.added},
            "added": {
                card.id: {"title": card.title, "thumbnail": card.thumbnail, "length": card.length}
                for card in cards
                if card.added
            },
            "entry": next((card.id for card in cards if card.entry and not card.was_entry), ""),
        },
    )
    return draft


def add_to_draft(account_id: UUID, funnel: Funnel, videos: Sequence[Video]) -> int:
    """Add videos to the draft, except those already on the board. Returns how many were added."""
    draft, _made = Draft.objects.get_or_create(account_id=account_id, funnel_id=funnel.id)
    ids_on_board = {video.id for video in funnel.videos} | set(draft.added)
    new_videos: Mapping[str, dict[str, Any]] = {
        video.id: {"title": video.title, "thumbnail": video.thumbnail or "", "length": video.length}
        for video in videos
        if video.id not in ids_on_board
    }
    draft.added = {**draft.added, **new_videos}
    if funnel.are_videos_told and not ids_on_board and new_videos and not draft.entry:
        draft.entry = next(iter(new_videos))  # the first video of an empty funnel can only be its entry
    draft.save()
    if not (draft.added or draft.places or draft.entry):
        draft.delete()
    return len(new_videos)


def discard_draft(account_id: UUID, funnel_id: str) -> None:
    """Delete the draft."""
    Draft.objects.filter(account_id=account_id, funnel_id=funnel_id).delete()


@transaction.atomic
def discard_sent_items(account_id: UUID, funnel_id: str, sent_items: Sequence[Mapping[str, Any]]) -> None:
    """Remove what was sent from the draft; changes made after it stay."""
    draft = Draft.objects.select_for_update().filter(account_id=account_id, funnel_id=funnel_id).first()
    if draft is None:
        return
    places = {item["id"]: [item["front_coordinates"]["x"], item["front_coordinates"]["y"]] for item in sent_items}
    draft.places = {key: place for key, place in draft.places.items() if places.get(key) != list(place)}
    draft.added = {key: about for key, about in draft.added.items() if key not in places}
    if any(item["id"] == draft.entry and item["is_first"] for item in sent_items):
        draft.entry = ""
    if draft.places or draft.added or draft.entry:
        draft.save()
    else:
        draft.delete()
