"""Send the arrangement of a funnel (section 4.10) once, settle it by reading, and clear the draft of what arrived."""

import json
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, Final
from uuid import UUID, uuid5

from django import forms
from django.conf import settings
from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop, ngettext

from dashboard.accounts.models import Account
from dashboard.funnels import models, rules
from dashboard.funnels.rules import Card, Changes
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import (
    BadToken,
    CallError,
    Missing,
    NotAllowed,
    PlatformError,
    RateLimited,
    Refused,
    Unreachable,
)
from dashboard.platform_api.funnels import Funnel, FunnelVideo
from dashboard.platform_api.vocabulary import Message
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.refusals import Refusal
from dashboard.shared.refusals import register as register_refusals
from dashboard.shared.vault import Unreadable
from dashboard.upstream import capabilities, clients, reads
from dashboard.upstream.library import find_titles
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Reads
from dashboard.upstream.single_records import Kind, Read, open_thing, read_with
from dashboard.upstream.video_options import describe_unplayable, find_unplayable
from dashboard.writes import outbox
from dashboard.writes.models import State, Write
from dashboard.writes.operations import ABSENT, UNKNOWN, Absence, Found, NotWanted, Operation, register
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import form_intent, next_key, scope_of
from dashboard.writes.run_actions import RunAction, RunOrder, Target
from dashboard.writes.run_actions import register as register_action

MESSAGES = {
    Message.FUNNEL_NEEDS_FIRST: Refusal(gettext_noop("Mark one video as the entry of the funnel."), "", "is_first"),
    Message.FUNNEL_ONE_FIRST: Refusal(gettext_noop("Only one video can be the entry of the funnel."), "", "is_first"),
    Message.FUNNEL_VIDEO_UNKNOWN: Refusal(
        gettext_noop("One of the videos is not in this account."), gettext_noop("Remove it and send again."), "videos"
    ),
}

register_refusals(
    messages=MESSAGES,
    conditions=(
        (
            "funnels.add_videos",
            Refused,
            r"\bvideos\b(?=.*\b(?:empty|at least|required)\b)|\bempty\W+videos\b",
            Refusal(gettext_noop("There is no video to add."), gettext_noop("Choose at least one video."), "videos"),
        ),
        (
            "funnels.add_videos",
            NotAllowed,
            r"\borgani[sz]ation\b",
            Refusal(
                gettext_noop("This funnel belongs to another organization."),
                gettext_noop("Sign in with an account of that organization."),
            ),
        ),
        (
            "funnels.add_videos",
            Missing,
            r"\bfunnel\b",
            Refusal(gettext_noop("This funnel was not found in this account."), gettext_noop("Go back to the list.")),
        ),
    ),
)


SEND = "funnels.add_videos"
IN_FLIGHT = (State.SENDING, State.UNCONFIRMED)
FUNNELS = Kind[Funnel](
    "funnel",
    get=lambda platform, funnel_id: platform.funnels.get(funnel_id),
    list=lambda platform: platform.funnels.list(),
    blank=lambda funnel_id: Funnel.from_json({"id": funnel_id}),
)
FOLDERS_MOST = 40
"""Folders whose funnels are read at most."""
SENT_MOST = 50
"""Sendings that are looked through for the videos of a funnel that the platform does not show."""


def get_next_key(account: Account, funnel_id: str) -> UUID:
    """The key of the next sending. Take it before reading the funnel: the same arrangement is sent once at a time."""
    return next_key(account, SEND, funnel_id)


def send_funnel(request: OwnerRequest, funnel: Funnel, cards: Sequence[Card], key: UUID) -> Write:
    """Send what differs, or wait for the press that sends the same. Raises the `PlatformError` of a refusal."""
    changed_cards, videos = rules.select_cards_to_send(cards), rules.build_payload(cards)
    intent = form_intent(
        request,
        SEND,
        subject=funnel.id,
        sends={"funnel_id": funnel.id, "videos": videos, "titles": {card.id: card.title for card in changed_cards}},
        label=funnel.name,
        before={
            "entry": rules.get_entry_id(funnel),
            "videos": rules.build_payload([_build_card_before(card) for card in changed_cards if card.is_placed]),
        }
        if funnel.are_videos_told
        else None,
        after={"entry": next(card.id for card in changed_cards if card.entry), "videos": videos},
    )
    intent = replace(intent, key=uuid5(key, json.dumps(videos, sort_keys=True)))
    for waiting in (
        _list_writes(request.account, funnel.id).filter(state=State.HELD).exclude(reason="").exclude(key=intent.key)
    ):
        outbox.cancel(waiting)  # an older arrangement, kept over a sign-in: this one is wanted now
    return outbox.perform(intent)


def open_funnel(read: Read, account: Account, funnel_id: str) -> Funnel:
    """What is known of a funnel. Of one whose videos the platform does not show, those that were sent from here.

    Raises like `open_thing`.
    """
    lookup = open_thing(read, FUNNELS, funnel_id)
    funnel = lookup.record
    if lookup.is_unknown:
        matches = (
            candidate for candidate in list_in_folders(account, read) if candidate.id.casefold() == funnel_id.casefold()
        )
        funnel = next(matches, funnel)
    return _add_titles(account, _add_places(account, funnel))


def _add_places(account: Account, funnel: Funnel) -> Funnel:
    """The funnel with what was sent from here: its videos, or the places of those of which only the place is not told."""
    if funnel.are_places_told:
        return funnel
    sent_videos = {video.id: video for video in _list_sent_videos(account, funnel.id)}
    if not funnel.are_videos_told:
        return replace(funnel, videos=tuple(sent_videos.values()))
    return replace(funnel, videos=tuple(_add_place(video, sent_videos.get(video.id)) for video in funnel.videos))


def _add_place(video: FunnelVideo, sent_video: FunnelVideo | None) -> FunnelVideo:
    if sent_video is None or video.is_place_told:
        return video
    return replace(video, x=sent_video.x, y=sent_video.y, title=video.title or sent_video.title)


def _add_titles(account: Account, funnel: Funnel) -> Funnel:
    """The funnel with the titles that are known here of the videos that it names by id."""
    unnamed = [video.id for video in funnel.videos if not video.title]
    if not unnamed:
        return funnel
    titles = find_titles(account, unnamed)
    videos = (replace(video, title=video.title or titles.get(video.id, "")) for video in funnel.videos)
    return replace(funnel, videos=tuple(videos))


def list_in_folders(account: Account, read: Read) -> list[Funnel]:
    """The funnels of the account's folders, where those were found to name theirs; else none."""
    if not capabilities.load(account.pk).has("folders.funnels"):
        return []
    try:
        folders = read(lambda platform: platform.folders.list())[:FOLDERS_MOST]
    except PlatformError:
        return []
    calls = {folder.id: partial(_read_folder, folder.id) for folder in folders}
    outcomes = reads.Reads(account).gather(settings.PLATFORM_TIMEOUT, **calls)
    return [funnel for outcome in outcomes.values() if isinstance(outcome, Ready) for funnel in outcome.value]


def _read_folder(folder_id: str, platform: Operations) -> tuple[Funnel, ...]:
    return platform.folders.funnels(folder_id)


def _list_sent_videos(account: Account, funnel_id: str) -> tuple[FunnelVideo, ...]:
    """The videos of the sendings that are done, each as it was last sent."""
    writes = _list_writes(account, funnel_id).filter(state=State.DONE).order_by("-settled_at")[:SENT_MOST]
    items: dict[str, dict[str, Any]] = {}
    for place, write in enumerate(writes):
        titles = write.request.get("titles", {})
        for item in write.request["videos"]:
            latest = {"is_first": item["is_first"] and place == 0, "title": titles.get(item["id"], "")}
            items.setdefault(item["id"], item | latest)
    return tuple(FunnelVideo.from_json(item) for item in items.values())


def _build_card_before(card: Card) -> Card:
    x, y = card.was or (card.x, card.y)
    return Card(card.id, card.title, x, y=y, entry=card.was_entry, was=None, was_entry=False, added=True)


def _list_writes(account: Account, funnel_id: str) -> QuerySet[Write]:
    return Write.objects.select_related("account").filter(account=account, operation=SEND, subject=funnel_id)


def find_open_write(account: Account, funnel_id: str) -> Write | None:
    """The sending of this funnel that has not ended, or None."""
    return _list_writes(account, funnel_id).filter(state__in=IN_FLIGHT).order_by("created_at").last()


def find_last_write(account: Account, funnel_id: str) -> Write | None:
    """The last sending of this funnel, however it ended, or None."""
    return _list_writes(account, funnel_id).exclude(state=State.CANCELLED).order_by("created_at").last()


def send_arrangement(write: Write) -> str:
    """Put the videos onto the funnel. What nobody looked over on a board is read again first: `NotWanted` at a difference."""
    if "entry_before" in write.request:
        _check_addition(write)
    return clients.platform_for(write.owner).funnels.add_videos(write.request["funnel_id"], write.request["videos"])


def _check_addition(write: Write) -> None:
    read = reads.Reads(write.owner, seconds=0.0).get
    try:
        funnel = open_funnel(read, write.owner, write.request["funnel_id"])
    except (BadToken, RateLimited, Missing):
        raise
    except CallError as error:  # a read that fails says nothing about the call: nothing was sent
        raise Unreachable(SEND, error.status, error.message, sent=False) from error
    if not rules.can_still_add(funnel, write.request["videos"], write.request["entry_before"]):
        raise NotWanted


def discard_sent_draft(write: Write, answer: Any) -> None:
    """Clear the draft of what was sent; later changes stay in it."""
    models.discard_sent_items(write.owner.pk, write.subject, write.request["videos"])


def discard_confirmed_draft(write: Write) -> None:
    """Clear the draft of what was sent after its author confirmed the write."""
    discard_sent_draft(write, None)


def settle_arrangement(write: Write) -> Found | Absence:
    """Found if the funnel reads as sent, absent if it reads as before, else unknown."""
    try:
        funnel = open_thing(read_with(clients.platform_for(write.owner)), FUNNELS, write.request["funnel_id"]).record
    except Missing:
        return UNKNOWN
    if not funnel.are_videos_told:
        return UNKNOWN
    videos = write.request["videos"]
    if rules.is_as_sent(funnel, videos):
        return Found()
    return ABSENT if write.before and rules.is_as_before(funnel, write.before, videos) else UNKNOWN


def get_page(write: Write) -> str:
    """Address of the page that shows the write."""
    return address("funnels:review", write.subject)


register(
    Operation(
        SEND,
        send=send_arrangement,
        keep=discard_sent_draft,
        settle=settle_arrangement,
        page=get_page,
        confirmed=discard_confirmed_draft,
        longest_reads=4 * settings.PLATFORM_TIMEOUT,  # the funnel, else the list, the folders and what they name
    )
)


PART: Final = 100
"""Videos of one request: the platform names no limit. A refusal of one of them refuses all, and is looked for in halves."""
ON_BOARD: Final = "on_board"
UNKNOWN_BOARD: Final = "unknown_board"
NO_ENTRY: Final = "no_entry"


class FunnelForm(forms.Form):
    """Which funnel gets the videos. Checking it reads the funnel."""

    def __init__(self, account: Account, data: QueryDict | None = None) -> None:
        super().__init__(data)
        self.account = account
        self.funnel: Funnel | None = None
        self.fields["funnel"] = _build_field(account)

    def clean_funnel(self) -> str:
        """The id of a funnel that videos can be added to now."""
        funnel_id: str = self.cleaned_data["funnel"].strip()
        try:
            self.funnel = open_funnel(Reads(self.account, seconds=0.0).get, self.account, funnel_id)
        except PlatformError as error:
            raise forms.ValidationError(refusals.explain(error, reading=True).whole) from error
        if problem := _find_problem(self.account, self.funnel):
            raise forms.ValidationError(problem)
        return self.funnel.id


def _build_field(account: Account) -> forms.Field:
    """The funnels to choose from; the id of one where the platform doesn't list them."""
    words: dict[str, Any] = {"label": _("Funnel"), "error_messages": {"required": _("Choose a funnel.")}}
    try:
        funnels = Reads(account).get(lambda platform: platform.funnels.list())
    except PlatformError:
        return forms.CharField(
            **words, help_text=_("The funnels couldn't be listed. Paste the id of one."), max_length=64
        )
    choices = [(funnel.id, _format_choice(funnel)) for funnel in funnels]
    help_text = "" if choices else _("No funnels yet. Funnels are made on the platform.")
    return forms.ChoiceField(**words, choices=choices, help_text=help_text)


def _format_choice(funnel: Funnel) -> str:
    name = funnel.name or funnel.id
    if not funnel.are_videos_told:
        return name
    count = len(funnel.videos)
    words = ngettext("%(name)s, %(count)s video", "%(name)s, %(count)s videos", count)
    return words % {"name": name, "count": formats.number(count)}


def _find_problem(account: Account, funnel: Funnel) -> str:
    """Why nothing can be added to the funnel now, with what to do; "" where it can."""
    if models.get_draft(account.pk, funnel.id):
        return _("This funnel has changes that are not sent. Send or discard them on its board first.")
    if find_open_write(account, funnel.id):
        return _("An earlier change of this funnel is not confirmed yet. Open the funnel and settle it first.")
    cards = rules.build_board(funnel, Changes({}, {}))
    if not funnel.are_videos_told:
        return _("The platform doesn't show what is in this funnel. Add the videos on its board.")
    if any(card.entry and not card.is_placed for card in cards):
        return _("The platform doesn't say where the entry of this funnel stands. Add the videos on its board.")
    if cards and not _find_entry(cards):
        return _("Mark one video as the entry of the funnel.")
    return ""


class AddToFunnel(RunAction):
    """Videos below everything else on the board of one funnel; in an empty one the first of them is its entry."""

    name = "add_to_funnel"
    label = gettext_lazy("Add to funnel")
    size = PART

    def build_form(self, account: Account, data: QueryDict | None = None) -> FunnelForm:
        """The account's funnels."""
        return FunnelForm(account, data)

    def read_options(self, form: FunnelForm) -> dict[str, Any]:
        """The funnel and its name."""
        funnel_id = form.cleaned_data["funnel"]
        return {"funnel_id": funnel_id, "name": (form.funnel.name if form.funnel else "") or funnel_id}

    def format_title(self, options: Mapping[str, Any]) -> str:
        """Add to funnel “Launch”."""
        return _("Add to funnel “%(name)s”") % {"name": options["name"]}

    def format_warning(self, options: Mapping[str, Any]) -> str:
        """What else a request changes."""
        return _("The videos move to the folder of the funnel. They stand below the other videos on its board.")

    def find_reasons(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, str]:
        """Videos in the funnel already and those that viewers cannot play; all where it cannot be told what is in it."""
        cards = _load_board(order)
        if cards is None:
            return {target.video_id: UNKNOWN_BOARD for target in targets}
        if cards and not _find_entry(cards):
            return {target.video_id: NO_ENTRY for target in targets}
        on_board = {card.id for card in cards}
        unplayable = find_unplayable(Reads(order.account), {target.video_id for target in targets})
        return unplayable | {target.video_id: ON_BOARD for target in targets if target.video_id in on_board}

    def explain(self, reason: str) -> str:
        """Why a video is left out."""
        if reason == ON_BOARD:
            return _("The video is in this funnel already.")
        if reason == NO_ENTRY:
            return _("The funnel has no entry. Mark one of its videos as the entry.")
        return describe_unplayable(reason) or _("It couldn't be read what is in the funnel.")

    def list_next_steps(self, order: RunOrder, reasons: Sequence[tuple[Target, str]]) -> dict[str, tuple[str, str]]:
        """The funnel."""
        step = (_("Open funnel"), address("funnels:funnel", order.options["funnel_id"]))
        return {target.video_id: step for target, _reason in reasons}

    def read_again(self, order: RunOrder) -> None:
        """The funnel: what is known of it may be older than what the run itself added."""
        with suppress(CallError, Unreadable):
            open_funnel(Reads(order.account, seconds=0.0).get, order.account, order.options["funnel_id"])

    def prepare(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, dict[str, Any]]:
        """The place of each video, and the entry, which every request names: as the funnel was last read."""
        cards = _load_board(order)
        if cards is None or not targets:
            return {}
        places = rules.list_places_below(cards, len(targets))
        entry = _find_entry(cards)
        first = (entry.id, (entry.x, entry.y)) if entry else (targets[0].video_id, places[0])
        common = {"entry": rules.build_item(*first, is_first=True), "entry_before": entry.id if entry else ""}
        return {target.video_id: {"place": place, **common} for target, place in zip(targets, places, strict=True)}

    def may_concern_one(self, error: CallError) -> bool:
        """Not what the platform says of the entry, which every request names."""
        return super().may_concern_one(error) and error.message not in (
            Message.FUNNEL_NEEDS_FIRST,
            Message.FUNNEL_ONE_FIRST,
        )

    def is_named_by_others(self, target: Target) -> bool:
        """Whether it is to be the entry of an empty funnel."""
        entry, was = target.data.get("entry"), target.data.get("entry_before")
        return not was and entry is not None and entry["id"] == target.video_id

    def replace_refused(self, refused: Target, planned: Sequence[Target]) -> dict[str, dict[str, Any]]:
        """Another entry for an empty funnel, for those of the planned videos whose requests would name the refused one."""
        naming = [target for target in planned if target.data["entry"]["id"] == refused.video_id]
        if not naming:
            return {}
        first = naming[0]
        new = rules.build_item(first.video_id, first.data["place"], is_first=True)
        return {target.video_id: {"entry": new} for target in naming}

    def build_intent(self, order: RunOrder, target: Target, attempt: int) -> Intent:
        """The request with one video."""
        return self.build_joint_intent(order, [target], attempt)

    def build_joint_intent(self, order: RunOrder, targets: Sequence[Target], attempt: int) -> Intent:
        """One request for all of these."""
        videos, entry, entry_before = _build_videos(targets, {target.video_id: target.data for target in targets})
        was = [entry] if entry_before else []
        return Intent(
            operation=SEND,
            scope=scope_of(order.account),
            key=uuid.uuid5(uuid.UUID(order.key), f"{' '.join(target.video_id for target in targets)} {attempt}"),
            request={
                "funnel_id": order.options["funnel_id"],
                "videos": videos,
                "titles": {target.video_id: target.title for target in targets},
                "entry_before": entry_before,
            },
            account=order.account,
            actor=order.actor,
            subject=order.options["funnel_id"],
            label=order.options["name"],
            before={"entry": entry_before, "videos": was},
            after={"entry": entry["id"], "videos": videos},
        )

    def preview(self, order: RunOrder, target: Target) -> Callable[[Operations], object]:
        """The request with one video."""
        return self.preview_joint(order, [target])

    def preview_joint(self, order: RunOrder, targets: Sequence[Target]) -> Callable[[Operations], object]:
        """The first request."""
        videos, _entry, _before = _build_videos(targets, self.prepare(order, targets))
        return lambda platform: platform.funnels.add_videos(order.options["funnel_id"], videos)

    def explain_ends(self, targets: Sequence[Target]) -> dict[str, str]:
        """Why videos were refused; those that were not sent after all, because others changed the funnel."""
        changed = _("The funnel has changed since the check: nothing was added. Look at it, then check again.")
        cancelled = (target for target in targets if target.write and target.write.state == State.CANCELLED)
        return super().explain_ends(targets) | {target.video_id: changed for target in cancelled}


def _build_videos(
    targets: Sequence[Target], data: Mapping[str, Mapping[str, Any]]
) -> tuple[list[dict[str, Any]], dict[str, Any], str]:
    """The `videos` of a request, the entry among them, and which video was the entry before."""
    common = data[targets[0].video_id]
    entry: dict[str, Any] = common["entry"]
    added = [
        rules.build_item(target.video_id, data[target.video_id]["place"], is_first=False)
        for target in targets
        if target.video_id != entry["id"]
    ]
    return [entry, *added], entry, common["entry_before"]


def _find_entry(cards: Sequence[Card]) -> Card | None:
    return next((card for card in cards if card.entry and card.is_placed), None)


def _load_board(order: RunOrder) -> tuple[Card, ...] | None:
    """The cards as the funnel was last read; None where that tells nothing. Reads nothing."""
    try:
        funnel = open_funnel(_read_known(order.account), order.account, order.options["funnel_id"])
    except CallError:
        return None
    return rules.build_board(funnel, Changes({}, {})) if funnel.are_videos_told else None


def _read_known(account: Account) -> Read:
    def read(call: Callable[[Operations], Any]) -> Any:
        outcome = Reads(account).known(it=call)["it"]
        if isinstance(outcome, Ready):
            return outcome.value
        raise outcome.error if isinstance(outcome, Failed) else Missing("funnels.get")

    return read


register_action(AddToFunnel())
