"""View models of one imported file: differences, refused lines, progress and report."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.custom_fields import messages
from dashboard.custom_fields.models import SENT, Change, Line, LineState, Stage
from dashboard.custom_fields.pages import ImportedFile, build_imported_file
from dashboard.custom_fields.rules import FieldProblem
from dashboard.custom_fields.writes import UPDATE
from dashboard.platform_api import errors
from dashboard.shared import formats, refusals
from dashboard.writes.failures import LOST, rebuild_error

ROWS = 100
NOT_DONE = (LineState.REFUSED, LineState.FAILED, LineState.UNCONFIRMED)
PROBLEMS = frozenset(problem.value for problem in FieldProblem)
SHAPES = {
    LineState.UNCHECKED: "queue",
    LineState.SAME: "none",
    LineState.CHANGE: "planned",
    LineState.REFUSED: "error",
    LineState.SENDING: "running",
    LineState.DONE: "finished",
    LineState.FAILED: "error",
    LineState.UNCONFIRMED: "unknown",
}
GROUPS = {
    "differences": (LineState.CHANGE, LineState.SENDING, LineState.DONE),
    "refused": NOT_DONE,
    "same": (LineState.SAME,),
}


def state_label(state: LineState) -> str:
    """The state of a line as a word."""
    return {
        LineState.UNCHECKED: _("Not compared yet"),
        LineState.SAME: _("No difference"),
        LineState.CHANGE: _("Will change"),
        LineState.REFUSED: _("Not sent"),
        LineState.SENDING: _("Sending"),
        LineState.DONE: _("Changed"),
        LineState.FAILED: _("Refused"),
        LineState.UNCONFIRMED: _("Not confirmed"),
    }[state]


@dataclass(frozen=True)
class LineRow:
    """One line of the file."""

    number: int
    video: str
    title: str
    """Of the video; "" where it is not known."""
    address: str
    key: str
    new_key: str
    before: str
    value: str
    unchanged: bool
    """The value stays: it is shown once."""
    state: str
    shape: str
    reason: str


@dataclass(frozen=True)
class LineGroup:
    """One group of lines."""

    words: str
    count: str
    address: str
    current: bool


@dataclass(frozen=True)
class ChangeProgress:
    """templates/custom_fields/_progress.html: comparing or sending."""

    sentence: str
    count: int
    total: int
    action: str
    trouble: str
    poll: str
    version: str
    here: str


@dataclass(frozen=True)
class ChangePage:
    """templates/custom_fields/change.html."""

    former: ImportedFile
    rows: tuple[LineRow, ...]
    chips: tuple[LineGroup, ...]
    before: str
    after: str
    progress: ChangeProgress | None
    send: str
    send_words: str
    summary: str
    report: str
    undo: str
    undone: str
    of: str


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


def _build_row(line: Line, titles: Mapping[str, str]) -> LineRow:
    known = line.reason not in {FieldProblem.NO_VIDEO_ID, FieldProblem.NO_VIDEO}
    return LineRow(
        number=line.number,
        video=line.video_id,
        title=titles.get(line.video_id, ""),
        address=reverse("custom_fields:video", args=[line.video_id]) if known else "",
        key=line.key,
        new_key=line.new_key if line.new_key != line.key else "",
        before=line.before,
        value=line.value,
        unchanged=bool(line.before) and line.before == line.value and line.state != LineState.REFUSED,
        state=state_label(LineState(line.state)),
        shape=SHAPES[LineState(line.state)],
        reason=format_reason(line),
    )


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
    version = f"{count}{change.reason}"
    query = urlencode({"stage": change.stage, "v": version})
    return ChangeProgress(
        sentence=sentence % {"done": formats.number(count), "total": formats.number(total)},
        count=count,
        total=max(total, 1),
        action=reverse("custom_fields:step", args=[change.pk]),
        trouble=_format_pause(change),
        poll=f"{reverse('custom_fields:progress', args=[change.pk])}?{query}",
        version=version,
        here=reverse("custom_fields:change", args=[change.pk]),
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


def build_change_page(
    change: Change,
    counts: dict[str, int],
    lines: list[Line],
    group: str,
    page: int,
    back: Change | None = None,
    *,
    titles: Mapping[str, str],
) -> ChangePage:
    """`lines` are those of page number `page` (from 1) of `group`; `back` undoes this change; `titles` are by video."""
    ready = counts.get(LineState.CHANGE, 0)
    of_group = sum(counts.get(state, 0) for state in GROUPS[group])
    sending = change.stage == Stage.READY and ready
    return ChangePage(
        former=build_imported_file(change),
        rows=tuple(_build_row(line, titles) for line in lines),
        chips=tuple(_build_group(change, counts, name, group) for name in GROUPS),
        before=_build_address(change, group, page - 1) if page > 1 else "",
        after=_build_address(change, group, page + 1) if page * ROWS < of_group else "",
        progress=build_progress(change, counts),
        send=reverse("custom_fields:send", args=[change.pk]) if sending else "",
        send_words=ngettext("Send %(count)s change", "Send %(count)s changes", ready)
        % {"count": formats.number(ready)},
        summary=_format_summary(change, counts),
        report=reverse("custom_fields:report", args=[change.pk]),
        **_build_undo(change, counts, back),
    )


def _build_undo(change: Change, counts: dict[str, int], back: Change | None) -> dict[str, str]:
    """Where what was sent is undone, where that was done, and what it undoes itself."""
    sent = change.stage == Stage.DONE and any(counts.get(state) for state in SENT)
    return {
        "undo": reverse("custom_fields:undo", args=[change.pk]) if sent and not back else "",
        "undone": reverse("custom_fields:change", args=[back.pk]) if back else "",
        "of": reverse("custom_fields:change", args=[change.undoes_id]) if change.undoes_id else "",
    }


def _format_summary(change: Change, counts: dict[str, int]) -> str:
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


def _build_group(change: Change, counts: dict[str, int], name: str, group: str) -> LineGroup:
    words = {"differences": _("Differences"), "refused": _("Refused lines"), "same": _("Without difference")}[name]
    count = sum(counts.get(state, 0) for state in GROUPS[name])
    return LineGroup(words, formats.number(count), _build_address(change, name, 1), name == group)


def _build_address(change: Change, group: str, page: int) -> str:
    query = {"lines": "" if group == "differences" else group, "page": str(page) if page > 1 else ""}
    text = urlencode({name: value for name, value in query.items() if value})
    return reverse("custom_fields:change", args=[change.pk]) + (f"?{text}" if text else "")
