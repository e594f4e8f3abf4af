"""What a feature says of an action on many videos. It becomes a run (`dashboard.runs`), which sends it video by video.

A feature registers its actions in its module `run_actions` and names that in its `apps.py`.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.platform_api import Operations
from dashboard.platform_api.errors import CallError, Refused
from dashboard.shared import refusals
from dashboard.writes.failures import LOST
from dashboard.writes.models import State, Write
from dashboard.writes.outbox import Intent


class ItemState(StrEnum):
    """Where one video of a run stands. What is `PLANNED` has not been sent yet; `NOT_SENT` and below it are ends."""

    PLANNED = "planned"
    WAITING = "waiting"
    """It is sent, or the platform works on it."""
    UNCONFIRMED = "unconfirmed"
    NOT_SENT = "not_sent"
    DONE = "done"
    REFUSED = "refused"


ITEM_STATES = {
    State.HELD: ItemState.WAITING,
    State.SENDING: ItemState.WAITING,
    State.UNCONFIRMED: ItemState.UNCONFIRMED,
    State.DONE: ItemState.DONE,
    State.REFUSED: ItemState.REFUSED,
    State.CANCELLED: ItemState.NOT_SENT,
}
"""The state of a video of which nothing is known but its write."""


@dataclass(frozen=True)
class Target:
    """One video of a run. `data` is what the action's `prepare` keeps of it."""

    video_id: str
    title: str
    data: Mapping[str, Any] = field(default_factory=dict)
    write: Write | None = None


@dataclass(frozen=True)
class RunOrder:
    """What a person asked for: for whom, who, and the options of the action's form. `key` is the run's own."""

    account: Account
    actor: str
    options: Mapping[str, Any]
    title: str
    key: str


class RunAction(ABC):
    """One action that can be done to many videos."""

    name: ClassVar[str]
    """The word in the address."""
    label: ClassVar[str | Promise]
    """The button: a verb and its object."""
    options_template: ClassVar[str] = "runs/_options.html"
    """The template of its form's fields."""
    uses_credits: ClassVar[bool] = False
    size: ClassVar[int] = 1
    """How many videos one write takes: more than one where all of them change one record."""

    @abstractmethod
    def build_form(self, account: Account, data: QueryDict | None = None) -> forms.Form:
        """The form of its options."""

    @abstractmethod
    def read_options(self, form: Any) -> dict[str, Any]:
        """The options of a valid form, as JSON."""

    @abstractmethod
    def format_title(self, options: Mapping[str, Any]) -> str:
        """What the run is called: the verb and its object, such as "Hide chat"."""

    @abstractmethod
    def find_reasons(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, str]:
        """Of these videos those that cannot be done, with a word for the reason, out of what is known here. Reads nothing."""

    @abstractmethod
    def explain(self, reason: str) -> str:
        """The sentence for a reason of `find_reasons`."""

    @abstractmethod
    def build_intent(self, order: RunOrder, target: Target, attempt: int) -> Intent:
        """The write of one video. `attempt` counts from 0; another attempt has another key."""

    @abstractmethod
    def preview(self, order: RunOrder, target: Target) -> Callable[[Operations], object]:
        """The call for one video, to show its request before it is sent."""

    def build_joint_intent(self, order: RunOrder, targets: Sequence[Target], attempt: int) -> Intent:
        """The write of at most `size` videos. `attempt`: the highest of theirs."""
        return self.build_intent(order, targets[0], attempt)

    def preview_joint(self, order: RunOrder, targets: Sequence[Target]) -> Callable[[Operations], object]:
        """The call for at most `size` videos."""
        return self.preview(order, targets[0])

    def may_concern_one(self, error: CallError) -> bool:
        """Whether a refusal of several videos may be about one of them: the others are then sent without it."""
        return isinstance(error, Refused)

    def is_named_by_others(self, target: Target) -> bool:
        """Whether the requests of other videos name this one, so that they need another where it is refused."""
        return False

    def replace_refused(self, refused: Target, planned: Sequence[Target]) -> dict[str, dict[str, Any]]:
        """What videos that are still planned need instead of a refused one: changes of their `Target.data` by video."""
        return {}

    def suggest(self, form: Any, missing: Sequence[str]) -> None:
        """Set what a form begins with where the search that chose the videos says it: languages that are `missing`."""
        return

    def format_warning(self, options: Mapping[str, Any]) -> str:
        """What the check says of an effect that nobody expects; "" where there is none."""
        return ""

    def read_again(self, order: RunOrder) -> None:
        """Read what `find_reasons` and `prepare` look at, before videos are planned again. A failure leaves what is known."""
        return

    def prepare(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, dict[str, Any]]:
        """Store what has to be there before these videos are sent. Returns `Target.data` by video."""
        return {}

    def supersede(self, write: Write) -> None:
        """Cancel earlier writes that still wait and would change back what `write` changes."""
        return

    def list_next_steps(self, order: RunOrder, reasons: Sequence[tuple[Target, str]]) -> dict[str, tuple[str, str]]:
        """A verb and an address for videos that were not sent, by id, where there is one. `reasons`: "" after the check."""
        return {}

    def read_states(self, targets: Iterable[Target]) -> dict[str, ItemState]:
        """The state of each video that has been sent, by its id."""
        return {target.video_id: ITEM_STATES[State(target.write.state)] for target in targets if target.write}

    def explain_ends(self, targets: Sequence[Target]) -> dict[str, str]:
        """Why videos were refused or not sent after all, as sentences by id."""
        return {target.video_id: _explain_write(target.write) for target in targets}


def _explain_write(write: Write | None) -> str:
    if write is None or write.state == State.CANCELLED:
        return _("It had changed since the check.")
    if write.reason in LOST:
        return _("It never reached the platform.")
    return refusals.explain(error).whole if (error := write.error) is not None else ""


_actions: dict[str, RunAction] = {}


def register(action: RunAction) -> None:
    """Offer `action` for many videos at once."""
    _actions[action.name] = action


def list_actions() -> list[RunAction]:
    """The actions in the order in which they were registered."""
    return list(_actions.values())


def find_action(name: str) -> RunAction | None:
    """The action with this name, or None."""
    return _actions.get(name)
