"""Changes for reading: each as a sentence, with what was and what is, marked."""

from collections.abc import Iterable
from dataclasses import dataclass

from dashboard.ai_content import messages, summaries
from dashboard.ai_content.rules.difference import Change
from dashboard.ai_content.rules.package import JSON, Block, written
from dashboard.ai_content.rules.quiz import reading
from dashboard.ai_content.text_diff import Piece, marked

SHOWN = 300


@dataclass(frozen=True)
class Shown:
    """One change."""

    sentence: str
    pieces: tuple[Piece, ...]


@dataclass(frozen=True)
class Group:
    """The changes of one block."""

    name: str
    changes: tuple[Shown, ...]
    more: int


def grouped(found: Iterable[Change]) -> tuple[Group, ...]:
    """Changes by block, in the blocks' order."""
    listed = list(found)
    groups = []
    for block in Block:
        own = [change for change in listed if change.block is block]
        if own:
            shown = tuple(Shown(messages.change(summaries.summary(each)), _pieces(each)) for each in own[:SHOWN])
            groups.append(Group(messages.block_name(block), shown, len(own) - len(shown)))
    return tuple(groups)


def _pieces(change: Change) -> tuple[Piece, ...]:
    if change.kind == "moved":
        return ()
    return marked(shown(change.before), shown(change.after))


def shown(value: JSON) -> str:
    """A value as people read it: text as it is, a question as its text and answers, the rest as JSON."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, dict) and "options" in value:
        question = reading(value)
        if question.broken is None:
            answers = [f"{'☑' if option.correct else '☐'} {option.text}" for option in question.options]
            return "\n".join([question.text, *answers])
    return written(value, indent=2)
