"""Sending an arrangement exactly once (section 4.10), and settling an answer that never came by reading."""

from collections.abc import Sequence
from datetime import timedelta
from enum import StrEnum

from django.db.models import Q
from django.utils import timezone

from dashboard import clients
from dashboard.activity.recorder import ambiguous, recorded
from dashboard.funnels import rules
from dashboard.funnels.models import Draft, State
from dashboard.funnels.rules import Card
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.platform_api.records.funnels import Funnel
from dashboard.shared.http import OwnerRequest

STALE = timedelta(seconds=90)


class Sent(StrEnum):
    """How a press ended."""

    DONE = "done"
    ALREADY = "already"
    """It was on its way: nothing was sent again."""
    UNCONFIRMED = "unconfirmed"


def send(request: OwnerRequest, funnel: Funnel, draft: Draft, cards: Sequence[Card]) -> Sent:
    """Send what differs. Of two presses at once, one does. Raises the `PlatformError` of a clear refusal."""
    mine = Draft.objects.filter(pk=draft.pk, state=State.EDITING)
    if not mine.update(state=State.SENDING, sent_at=timezone.now()):
        return Sent.ALREADY
    sent = rules.to_send(cards)
    before = {"entry": rules.entry_of(funnel), "videos": rules.payload([_before(card) for card in sent if card.was])}
    try:
        with recorded(
            request,
            "funnels.add_videos",
            target=funnel.id,
            label=funnel.name,
            before=before,
            after={"entry": next(card.id for card in sent if card.entry), "videos": rules.payload(cards)},
        ):
            clients.platform(request).funnels.add_videos(funnel.id, rules.payload(cards))
    except PlatformError as error:
        if not ambiguous(error):
            _move(draft, State.EDITING)
            raise
        return settle(request, draft, sent)
    Draft.objects.filter(pk=draft.pk).delete()
    return Sent.DONE


def _before(card: Card) -> Card:
    x, y = card.was or (card.x, card.y)
    return Card(card.id, card.title, x, y, card.was_entry, None, False, True)


def settle(request: OwnerRequest, draft: Draft, sent: Sequence[Card]) -> Sent:
    """Look whether it arrived. Nothing is sent again; a funnel that cannot be read leaves it unconfirmed."""
    try:
        now = clients.platform(request).funnels.get(draft.funnel_id)
    except BadToken:
        raise
    except PlatformError:
        _move(draft, State.UNCONFIRMED)
        return Sent.UNCONFIRMED
    if rules.arrived(now, sent):
        Draft.objects.filter(pk=draft.pk).delete()
        return Sent.DONE
    _move(draft, State.UNCONFIRMED)
    return Sent.UNCONFIRMED


def again(draft: Draft) -> None:
    """After a person has looked: what was not confirmed may be sent once more, on purpose."""
    cut = Q(state=State.SENDING, sent_at__lt=timezone.now() - STALE)
    Draft.objects.filter(Q(pk=draft.pk) & (Q(state=State.UNCONFIRMED) | cut)).update(state=State.EDITING)


def _move(draft: Draft, state: State) -> None:
    Draft.objects.filter(pk=draft.pk).update(state=state)
