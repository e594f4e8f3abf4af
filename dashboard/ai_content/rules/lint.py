"""What a quiz's author wants to know before viewers do: what the platform would refuse [7], and advice."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dashboard.ai_content.rules.package import JSON, Package
from dashboard.ai_content.rules.pairing import normalised
from dashboard.ai_content.rules.quiz import CONFIG, Question, questions_of, reading, settings_of

QUESTION_LONG: Final = 300
OPTION_LONG: Final = 160
"""Characters beyond which a player on a phone shows little else: our advice, the specification sets no limit."""


class Code(StrEnum):
    """Findings."""

    BROKEN = "broken"
    NO_TEXT = "no_text"
    NO_OPTIONS = "no_options"
    ONE_OPTION = "one_option"
    EMPTY_OPTION = "empty_option"
    NO_CORRECT = "no_correct"
    SEVERAL_CORRECT = "several_correct"
    ALL_CORRECT = "all_correct"
    SAME_OPTION = "same_option"
    SAME_QUESTION = "same_question"
    LONG_QUESTION = "long_question"
    LONG_OPTION = "long_option"
    TOO_FEW = "too_few"


WRONG: Final = frozenset({Code.BROKEN, Code.NO_TEXT, Code.NO_OPTIONS})
"""What PUT /aiworkflow/aipackage answers with 400: question without enunciate, malformed options [7]."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`question` and `option` are places; `other` is another place or a count, as the code has it."""

    code: Code
    question: int | None = None
    option: int | None = None
    other: int | None = None

    @property
    def wrong(self) -> bool:
        """Whether the platform would refuse it."""
        return self.code in WRONG


def lint(values: Package) -> tuple[Finding, ...]:
    """Everything worth saying about the quiz, in the order of its questions."""
    questions = [reading(question) for question in questions_of(values)]
    found: list[Finding] = []
    first: dict[str, int] = {}
    number = settings_of(values.get(CONFIG)).number
    for place, question in enumerate(questions):
        found += findings(question, place, number)
        text = normalised(question.text)
        if text and text in first:
            found.append(Finding(Code.SAME_QUESTION, place, other=first[text]))
        elif text:
            first[text] = place
    return tuple(found)


def findings(question: Question, place: int, number: int | None) -> list[Finding]:
    """What can be said of one question alone; `number` is num_answers, the alternatives a question is meant to have."""
    if question.broken:
        return [Finding(Code.BROKEN, place)]
    found = []
    if not question.text.strip():
        found.append(Finding(Code.NO_TEXT, place))
    elif len(question.text) > QUESTION_LONG:
        found.append(Finding(Code.LONG_QUESTION, place, other=len(question.text)))
    count, correct = len(question.options), len(question.correct)
    if count < 2:
        found.append(Finding(Code.ONE_OPTION if count else Code.NO_OPTIONS, place))
    if count and not correct:
        found.append(Finding(Code.NO_CORRECT, place))
    elif correct > 1:
        found.append(Finding(Code.ALL_CORRECT if correct == count else Code.SEVERAL_CORRECT, place, other=correct))
    if number is not None and 0 < count < number:
        found.append(Finding(Code.TOO_FEW, place, other=number))
    return found + _option_findings(question, place)


def _option_findings(question: Question, place: int) -> list[Finding]:
    found = []
    first: dict[str, int] = {}
    for at, option in enumerate(question.options):
        text = normalised(option.text)
        if not text:
            found.append(Finding(Code.EMPTY_OPTION, place, at))
        elif text in first:
            found.append(Finding(Code.SAME_OPTION, place, at, first[text]))
        else:
            first[text] = at
        if len(option.text) > OPTION_LONG:
            found.append(Finding(Code.LONG_OPTION, place, at, len(option.text)))
    return found


def by_question(found: Sequence[Finding]) -> dict[int, list[Finding]]:
    """Findings under the place of their question."""
    grouped: dict[int, list[Finding]] = {}
    for finding in found:
        if finding.question is not None:
            grouped.setdefault(finding.question, []).append(finding)
    return grouped


def blocking(values: Package) -> tuple[Finding, ...]:
    """What the platform would refuse, so that it is said before sending."""
    return tuple(finding for finding in lint(values) if finding.wrong)


def place_of(message: str, questions: Sequence[JSON]) -> int | None:
    """The question a refusal means: named by index or text, else the first one that is wrong by our rules."""
    place = _named(message, questions)
    if place is not None:
        return place
    return next((f.question for f in lint({"questions": list(questions)}) if f.wrong), None)


def _named(message: str, questions: Sequence[JSON]) -> int | None:
    for pattern, shift in ((r"questions?\s*[\[.]\s*(\d+)", 0), (r"questions?\s*(?:#|n[o°º.]*\s*)?(\d+)", 1)):
        match = re.search(pattern, message, re.IGNORECASE)
        if match and 0 <= int(match.group(1)) - shift < len(questions):
            return int(match.group(1)) - shift
    said = normalised(message)
    texts = ((place, normalised(reading(question).text)) for place, question in enumerate(questions))
    return next((place for place, text in texts if len(text) > 8 and text in said), None)
