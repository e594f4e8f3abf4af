"""View models of the review: every change and its consequences, before anything is sent."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.funnels import rules
from dashboard.funnels.folders import FolderMoves
from dashboard.funnels.markup import format_coordinate
from dashboard.funnels.rules import Card, FunnelProblem
from dashboard.platform_api.funnels import Funnel
from dashboard.shared import formats
from dashboard.writes.failures import LOST
from dashboard.writes.models import State, Write
from dashboard.writes.pages import OpenWrite, open_write


@dataclass(frozen=True)
class CardDifference:
    """One video and what happens to it."""

    title: str
    what: tuple[str, ...]


@dataclass(frozen=True)
class SendingPart:
    """templates/funnels/_sending.html: a sending that has not ended. It polls until it has."""

    open: OpenWrite
    progress: str
    arrived: str
    again: str
    version: str


def build_sending_part(write: Write) -> SendingPart:
    """What is said of a sending that has not ended."""
    notice = open_write(write) or OpenWrite("", write.attempt, decide=False)
    return SendingPart(
        open=notice,
        progress=reverse("funnels:progress", args=[write.subject]),
        arrived=reverse("funnels:arrived", args=[write.subject]),
        again=reverse("funnels:again", args=[write.subject]),
        version=f"{write.state}-{write.attempt}-{notice.decide:d}",
    )


@dataclass(frozen=True)
class ReviewPage:
    """templates/funnels/review.html."""

    name: str
    back: str
    send: str
    differences: tuple[CardDifference, ...]
    consequences: tuple[str, ...]
    moving: tuple[str, ...]
    problems: list[str]
    sending: SendingPart | None
    lost: bool
    """The last sending never reached the platform."""
    allowed: bool
    size: str


def build_review_page(
    funnel: Funnel, cards: Sequence[Card], moves: FolderMoves | None, last: Write | None, unplayable: list[str]
) -> ReviewPage:
    """Everything that sending changes, here and elsewhere; `moves` is None where nothing can be sent.

    `last` is the last sending of this funnel; `unplayable` says which of its new videos viewers cannot play.
    """
    problem = rules.find_problem(cards)
    problems = [format_problem(problem)] if problem else unplayable
    sending = build_sending_part(last) if last and last.state in (State.SENDING, State.UNCONFIRMED) else None
    return ReviewPage(
        name=funnel.name or funnel.id,
        back=reverse("funnels:funnel", args=[funnel.id]),
        send=reverse("funnels:send", args=[funnel.id]),
        differences=tuple(_build_difference(card) for card in cards if card.changed),
        consequences=tuple(_format_consequences(cards, moves)) if moves else (),
        moving=tuple(_format_move(title, now, moves.folder) for title, now in moves.moving) if moves else (),
        problems=problems,
        sending=sending,
        lost=last is not None and last.state == State.REFUSED and last.reason in LOST,
        allowed=not problems and sending is None,
        size=formats.videos(len(rules.select_cards_to_send(cards))),
    )


def format_problem(problem: FunnelProblem) -> str:
    """Why it cannot be sent."""
    return {
        FunnelProblem.NOTHING: _("There are no changes to send."),
        FunnelProblem.NO_ENTRY: _("Mark one video as the entry of the funnel first."),
    }[problem]


def _build_difference(card: Card) -> CardDifference:
    place = {"x": format_coordinate(card.x), "y": format_coordinate(card.y)}
    changes = []
    if card.added:
        changes.append(_("comes into the funnel at %(x)s, %(y)s") % place)
    elif card.moved and card.was:
        was = {"was_x": format_coordinate(card.was[0]), "was_y": format_coordinate(card.was[1])}
        changes.append(_("moves from %(was_x)s, %(was_y)s to %(x)s, %(y)s") % {**place, **was})
    elif card.moved:
        changes.append(_("is placed at %(x)s, %(y)s") % place)
    if card.entry and not card.was_entry:
        changes.append(_("becomes the entry"))
    if card.was_entry and not card.entry:
        changes.append(_("stops being the entry"))
    return CardDifference(card.title or card.id, tuple(changes))


def _format_consequences(cards: Sequence[Card], moves: FolderMoves) -> Iterable[str]:
    sent_count = len(rules.select_cards_to_send(cards))
    yield ngettext(
        "%(count)s video is sent. Videos that are not listed stay where they are.",
        "%(count)s videos are sent. Videos that are not listed stay where they are.",
        sent_count,
    ) % {"count": formats.number(sent_count)}
    entry = next((card.title or card.id for card in cards if card.entry), "")
    yield _("“%(title)s” is the entry. Every other video of the funnel stops being it.") % {"title": entry}
    if not moves.is_target_told:
        yield _("The funnel’s folder is not known: every video that is sent moves there.")
    elif not moves.moving and not moves.unknown:
        yield _("No video changes folder.")
    if moves.unknown:
        names = ", ".join(moves.unknown[:5]) + (" …" if len(moves.unknown) > 5 else "")
        yield ngettext(
            "The folder of %(count)s video is not known; it moves to the funnel’s folder if it is elsewhere: %(names)s",
            "The folders of %(count)s videos are not known; they move to the funnel’s folder if they are elsewhere: %(names)s",
            len(moves.unknown),
        ) % {"count": formats.number(len(moves.unknown)), "names": names}
    for title in moves.missing:
        yield _("“%(title)s” is not in this account any more: the platform will refuse. Take it out.") % {
            "title": title
        }


def _format_move(title: str, now: str, folder: str) -> str:
    names = {
        "title": title,
        "now": now or _("no folder or one that is not listed"),
        "folder": folder or _("the funnel’s folder"),
    }
    return _("“%(title)s” leaves %(now)s and moves to %(folder)s.") % names
