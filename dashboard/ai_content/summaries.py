"""Changes, shortened so that a version can carry them: enough to be put into words in any language, later."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from dashboard.ai_content.rules.difference import Change
from dashboard.ai_content.rules.package import JSON, written
from dashboard.ai_content.rules.quiz import reading

MOST: Final = 12
EXCERPT: Final = 90


@dataclass(frozen=True, slots=True)
class Summary:
    """One change, short: see `rules.difference.Change`. `before` and `after` are excerpts for reading."""

    block: str
    what: str
    kind: str
    question: int
    option: int
    path: tuple[str, ...]
    before: str
    after: str


def summary(change: Change) -> Summary:
    """A change, shortened."""
    return Summary(
        str(change.block),
        str(change.what),
        str(change.kind),
        change.question,
        change.option,
        change.path,
        excerpt(change.before),
        excerpt(change.after),
    )


def excerpt(value: JSON) -> str:
    """The beginning of a value, as a person would recognise it."""
    if isinstance(value, dict) and ("enunciate" in value or "options" in value):
        return _cut(reading(value).text)
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return _cut(str(value["text"]))
    if value is None:
        return ""
    return _cut(value if isinstance(value, str) else written(value))


def _cut(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= EXCERPT else line[: EXCERPT - 1] + "…"


def shortened(changes: Iterable[Change]) -> list[dict[str, Any]]:
    """The first changes as JSON."""
    listed = [summary(change) for change in list(changes)[:MOST]]
    return [
        {
            "block": each.block,
            "what": each.what,
            "kind": each.kind,
            "question": each.question,
            "option": each.option,
            "path": list(each.path),
            "before": each.before,
            "after": each.after,
        }
        for each in listed
    ]


def lengthened(kept: Iterable[dict[str, Any]]) -> list[Summary]:
    """The summaries of a version again."""
    return [Summary(**{**each, "path": tuple(each["path"])}) for each in kept]
