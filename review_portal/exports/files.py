"""One file per extension; CSV, plain text and JSON have the comments in the order of the page."""

import json as json_format
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from dashboard.shared.csv import Cell, written
from review_portal.exports import markers
from review_portal.exports.markers import first_frame
from review_portal.exports.notes import Decided, Note, Options, clean, one_line
from review_portal.exports.timecode import label


def csv(notes: Sequence[Note], options: Options) -> str:
    """One row per main comment, its replies folded into one cell, then one per decision, which has no time.

    Cells that would run as a formula begin with '.
    """
    words = options.words
    links = any(note.link for note in notes)
    heads = [words.time, words.until, words.seconds, words.timecode, words.author, words.status, words.text]
    heads += [words.replies, words.created, *([words.link] if links else [])]
    rows = [_build_row(note, options, links) for note in notes]
    return written(heads, rows + [_build_decision_row(decided, links) for decided in options.decisions])


def text(notes: Sequence[Note], options: Options) -> str:
    """For mail and paper: time, name and state on one line, the words below it, replies indented."""
    head = (options.title, options.subtitle, options.cut.label if options.cut else "")
    lines = [*(one_line(part) for part in head if part), ""]
    if not options.whole:
        lines += [options.words.missing, ""]
    if options.decisions:
        lines += [
            options.words.decisions,
            *(line for decision in options.decisions for line in _decision(decision)),
            "",
        ]
    for note in notes:
        when = clock(note.time) if note.end is None else f"{clock(note.time)} - {clock(note.end)}"
        when += "" if note.microseconds is None else f" ({_timecode(note, options)})"
        lines.append(
            "  ".join(
                one_line(part)
                for part in (when, options.words.writer(note), options.words.state(note), note.link)
                if part
            )
        )
        lines += [f"    {line}" for line in clean(note.text).splitlines()]
        lines += [f"    [{one_line(note.drawing)}]"] if note.drawing else []
        for reply in note.replies:
            first, *rest = clean(reply.text).splitlines() or [""]
            lines += [f"      {one_line(options.words.writer(reply))}: {first}", *(f"        {line}" for line in rest)]
        lines.append("")
    if not notes and options.whole:
        lines += [options.words.none, ""]
    return "\n".join(lines)


def _decision(decided: Decided) -> list[str]:
    lines = [f"    {line}" for line in clean(decided.note).splitlines()]
    return ["  ".join((one_line(decided.name), one_line(decided.label))), *lines]


def json(notes: Sequence[Note], options: Options) -> str:
    """An object whose keys and states are never translated."""
    about = {
        "title": options.title,
        "subtitle": options.subtitle,
        **({"cut": {"number": options.cut.number, "of": options.cut.total}} if options.cut else {}),
        "duration": options.duration,
        "frame_rate": options.rate.key,
        "start_timecode": options.start,
        "exported_at": _stamp(options.exported_at),
        **({} if options.whole else {"complete": False}),
        "decisions": [
            {
                "name": decision.name,
                "verdict": decision.verdict,
                "note": decision.note,
                "made_at": _stamp(decision.made_at),
            }
            for decision in options.decisions
        ],
        "comments": [_record(note, options) for note in notes],
    }
    return json_format.dumps(about, ensure_ascii=False, indent=2) + "\n"


def clock(seconds: int) -> str:
    """75 as 0:01:15: with hours always, so that spreadsheets do not read minutes as hours."""
    minutes, second = divmod(seconds, 60)
    return f"{minutes // 60}:{minutes % 60:02}:{second:02}"


def _build_row(note: Note, options: Options, links: bool) -> list[Cell]:
    replies = "\n".join(f"{options.words.writer(reply)}: {reply.text}" for reply in note.replies)
    end = None if note.end is None else clock(note.end)
    row: list[Cell] = [clock(note.time), end, note.time, _timecode(note, options)]
    row += [
        clean(options.words.writer(note)),
        options.words.state(note),
        clean(f"{note.text}\n[{note.drawing}]" if note.drawing else note.text),
        clean(replies),
        _stamp(note.created_at),
    ]
    return [*row, note.link] if links else row


def _build_decision_row(decided: Decided, links: bool) -> list[Cell]:
    row: list[Cell] = [None, None, None, None, clean(decided.name), decided.label, clean(decided.note), None]
    return [*row, _stamp(decided.made_at), *([None] if links else [])]


def _record(note: Note, options: Options) -> dict[str, object]:
    return {
        "id": note.id,
        "time": note.time,
        "until": note.end,
        "timecode": _timecode(note, options),
        **({} if note.microseconds is None else {"microseconds": note.microseconds}),
        "author": note.author,
        "by_owner": note.by_owner,
        **({"namesake": True} if note.namesake else {}),
        "text": note.text,
        **({"drawing": {"words": note.drawing, **note.sketch}} if note.sketch else {}),
        "status": note.status,
        "created_at": _stamp(note.created_at),
        "link": note.link,
        "replies": [
            {
                "author": reply.author,
                "by_owner": reply.by_owner,
                **({"namesake": True} if reply.namesake else {}),
                "text": reply.text,
                "created_at": _stamp(reply.created_at),
            }
            for reply in note.replies
        ],
    }


def _timecode(note: Note, options: Options) -> str:
    return label(options.start_frame + first_frame(note, options.rate), options.rate)


def _stamp(moment: datetime | None) -> str | None:
    return None if moment is None else moment.astimezone(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


Writer = Callable[[Sequence[Note], Options], str]

_WRITERS: Final[dict[str, tuple[Writer, str]]] = {
    "csv": (csv, "text/csv; charset=utf-8"),
    "txt": (text, "text/plain; charset=utf-8"),
    "json": (json, "application/json"),
    "edl": (markers.write_edl, "text/plain; charset=utf-8"),
    "fcpxml": (markers.write_fcpxml, "application/xml"),
    "xml": (markers.write_xmeml, "application/xml"),
}
EXTENSIONS: Final = tuple(_WRITERS)
CONTENT_TYPES: Final = {extension: content_type for extension, (_writer, content_type) in _WRITERS.items()}
MARKERS: Final = ("edl", "fcpxml", "xml")
"""Those that depend on frame rate and start timecode."""

_NOT_IN_NAMES = '<>:"/\\|?*'


@dataclass(frozen=True, slots=True)
class File:
    """A file to hand over; `name` is fit for every file system."""

    name: str
    content_type: str
    content: bytes


def write(extension: str, notes: Sequence[Note], options: Options) -> File:
    """The notes as a file of `extension`: lists keep the order they come in, markers are in the order of time.

    Raises `KeyError` for an extension that is not in `EXTENSIONS`.
    """
    writer, content_type = _WRITERS[extension]
    return File(f"{_name(options)}.{extension}", content_type, writer(notes, options).encode("utf-8", "replace"))


def _name(options: Options) -> str:
    words = " - ".join(part for part in (options.title, options.subtitle) if part)
    name = "".join(" " if char in _NOT_IN_NAMES else char for char in one_line(words))
    return " ".join(name.split()).strip(". ")[:100].strip(". ") or "comments"
