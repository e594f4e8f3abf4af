"""Adding many videos to one funnel: the action that becomes a run [4.10].

A funnel is one record, and every request names its entry: so many videos share one request, and what was read of the funnel
is compared with the platform before it leaves.
"""

import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.accounts.models import Account
from dashboard.funnels import drafts, rules
from dashboard.funnels.rules import Card, Changes
from dashboard.funnels.writes import SEND, find_open_write, open_funnel
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import CallError, Missing, PlatformError
from dashboard.platform_api.funnels import Funnel
from dashboard.platform_api.vocabulary import Message
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address
from dashboard.shared.vault import Unreadable
from dashboard.upstream.parallel import Failed, Ready
from dashboard.upstream.reads import Reads
from dashboard.upstream.single_records import Read
from dashboard.upstream.video_options import describe_unplayable, find_unplayable
from dashboard.writes.models import State
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import scope_of
from dashboard.writes.run_actions import RunAction, RunOrder, Target, register

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
    if drafts.get_draft(account.pk, funnel.id):
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


register(AddToFunnel())
