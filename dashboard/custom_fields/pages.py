"""Problems of fields, lines and files as sentences that say what to do; how far an imported file is, and what came of it."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.custom_fields.models import Change, Line, LineState, Stage
from dashboard.custom_fields.rules import BYTES_MAX, LINES_MAX, FieldProblem, FileProblem
from dashboard.custom_fields.writes import UPDATE
from dashboard.platform_api import errors
from dashboard.platform_api.vocabulary import FIELD_KEY, FIELD_KEY_MAX, FIELD_VALUE_MAX
from dashboard.shared import formats, refusals
from dashboard.writes.failures import LOST, rebuild_error


def format_problem(kind: FieldProblem, text: str = "") -> str:
    """What is wrong with `text`, and what to do."""
    match kind:
        case FieldProblem.KEY_EMPTY:
            return _("Enter a key.")
        case FieldProblem.KEY_LONG | FieldProblem.VALUE_LONG:
            most = FIELD_KEY_MAX if kind is FieldProblem.KEY_LONG else FIELD_VALUE_MAX
            over = max(len(text) - most, 1)
            return ngettext(
                "Remove %(over)s character. The limit is %(most)s.",
                "Remove %(over)s characters. The limit is %(most)s.",
                over,
            ) % {"over": formats.number(over), "most": most}
        case FieldProblem.KEY_CHARACTERS:
            return _format_characters(text)
        case FieldProblem.KEY_TAKEN:
            return _("Another field of this video has this key. Choose a different one.")
        case FieldProblem.VALUE_EMPTY:
            return _("Enter a value. It can't be empty.")
        case FieldProblem.NO_VIDEO_ID:
            return _("Enter the id of the video in the column video_id.")
        case FieldProblem.NO_VIDEO:
            return _("No video of this account has this id.")
        case FieldProblem.NO_FIELD:
            return _("The video has no field with this key. Create the field on the platform.")
        case FieldProblem.TWICE:
            return _("An earlier line has the same video and key. Keep one of them.")
        case FieldProblem.CHANGED_SINCE:
            return _("The field was changed in the meantime. It was not changed again.")


def _format_characters(text: str) -> str:
    for place, character in enumerate(text, start=1):
        if not FIELD_KEY.fullmatch(character):
            name = _("the space") if character.isspace() else f"“{character}”"
            return _("Remove %(character)s (character %(place)s). A key can only have letters and digits.") % {
                "character": name,
                "place": place,
            }
    return _("A key can only have letters and digits.")


def format_file_problem(kind: FileProblem, column: str = "") -> str:
    """Why a file cannot be read, and what to do."""
    return {
        FileProblem.EMPTY: _("This file has no lines. Choose another."),
        FileProblem.TOO_LARGE: _("The file is larger than %(size)s. Split it.")
        % {"size": formats.file_size(BYTES_MAX)},
        FileProblem.TOO_LONG: _("The file has more than %(count)s lines. Split it.")
        % {"count": formats.number(LINES_MAX)},
        FileProblem.NOT_TEXT: _("This isn't a CSV file in UTF-8. Save it from the spreadsheet as “CSV UTF-8”."),
        FileProblem.COLUMNS: _("The first line has to name the columns video_id, key and value."),
        FileProblem.COLUMN_TWICE: _("The first line names the column %(column)s twice. Delete or rename one of them.")
        % {"column": column},
    }[kind]


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
        return format_problem(problem, (line.new_key or line.key) if wrong_key else line.value)
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
