"""What is said of one imported file: why a line was not sent, how far the file is, what came of it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from dashboard.custom_fields import messages
from dashboard.custom_fields.models import Change, Line, LineState, Stage
from dashboard.custom_fields.rules import FieldProblem
from dashboard.custom_fields.writes import UPDATE
from dashboard.platform_api import errors
from dashboard.shared import formats, refusals
from dashboard.writes.failures import LOST, rebuild_error

ROWS = 100
NOT_DONE = (LineState.REFUSED, LineState.FAILED, LineState.UNCONFIRMED)
PROBLEMS = frozenset(problem.value for problem in FieldProblem)
GROUPS = {
    "differences": (LineState.CHANGE, LineState.SENDING, LineState.DONE),
    "refused": NOT_DONE,
    "same": (LineState.SAME,),
}


@dataclass(frozen=True)
class ChangeProgress:
    """How far a file that is compared or sent is, and why it pauses."""

    sentence: str
    count: int
    total: int
    trouble: str
    version: str


def format_reason(line: Line) -> str:
    """Why a line was not sent, or what became of it."""
    if line.state == LineState.UNCONFIRMED:
        return _("Not confirmed. We keep checking automatically.")
    if line.reason in PROBLEMS:
        problem = FieldProblem(line.reason)
        wrong_key = problem in {FieldProblem.KEY_LONG, FieldProblem.KEY_CHARACTERS}
        return messages.format_problem(problem, (line.new_key or line.key) if wrong_key else line.value)
    if line.reason in LOST:
        return _("It did not reach the platform. Nothing was changed.")
    error = _rebuild_error(line.reason, line.message)
    return refusals.explain(error).whole if error is not None else line.message


def _rebuild_error(reason: str, message: str = "") -> errors.CallError | None:
    """The error that was kept by the name of its class; None for another word."""
    return rebuild_error(reason, UPDATE, None, message, sent=False)


def build_progress(change: Change, counts: dict[str, int]) -> ChangeProgress | None:
    """The progress of a file that is compared or sent; None when nothing moves."""
    total = sum(counts.values())
    if change.stage == Stage.CHECKING:
        count = total - counts.get(LineState.UNCHECKED, 0)
        sentence = _("%(done)s of %(total)s lines compared.")
    elif change.stage == Stage.SENDING:
        total = sum(counts.get(s, 0) for s in (*GROUPS["differences"], LineState.FAILED, LineState.UNCONFIRMED))
        count = total - counts.get(LineState.CHANGE, 0) - counts.get(LineState.SENDING, 0)
        sentence = _("%(done)s of %(total)s changes sent.")
    else:
        return None
    return ChangeProgress(
        sentence=sentence % {"done": formats.number(count), "total": formats.number(total)},
        count=count,
        total=max(total, 1),
        trouble=_format_pause(change),
        version=f"{count}{change.reason}",
    )


def _format_pause(change: Change) -> str:
    """Why it pauses, and how it goes on; "" while it does not."""
    error = _rebuild_error(change.reason)
    if error is None:
        return ""
    explained = refusals.explain(error)
    if isinstance(error, errors.BadToken):
        return f"{explained.sentence} " + _("Sign in with a new one: it continues from where it stopped.")
    return f"{explained.sentence} " + _("It continues automatically.")


def build_groups(counts: dict[str, int]) -> list[tuple[str, str, int]]:
    """Each group of lines: its name in addresses, its words, how many lines are in it."""
    words = {"differences": _("Differences"), "refused": _("Refused lines"), "same": _("Without difference")}
    return [(name, words[name], sum(counts.get(state, 0) for state in states)) for name, states in GROUPS.items()]


def format_summary(change: Change, counts: dict[str, int]) -> str:
    """What will change, or what was changed; "" while it is compared or sent."""
    wrong = sum(counts.get(state, 0) for state in NOT_DONE)
    names = {
        "changes": formats.number(counts.get(LineState.CHANGE, 0)),
        "done": formats.number(counts.get(LineState.DONE, 0)),
        "same": formats.number(counts.get(LineState.SAME, 0)),
        "wrong": formats.number(wrong),
    }
    if change.stage == Stage.DONE:
        return _("Changed: %(done)s. Without difference: %(same)s. Not changed: %(wrong)s.") % names
    if change.stage == Stage.READY:
        return _("Will change: %(changes)s. Without difference: %(same)s. Cannot be sent: %(wrong)s.") % names
    return ""
