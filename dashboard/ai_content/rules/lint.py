"""Problems of a quiz: what the platform would refuse [7], and advice."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dashboard.ai_content.rules.package import Package, normalize_text
from dashboard.ai_content.rules.quiz import CONFIG, QuizQuestion, get_questions, parse_question, parse_settings
from dashboard.platform_api.values import JSON

QUESTION_LONG: Final = 300
OPTION_LONG: Final = 160
"""Characters that fit on a phone: our advice, the specification sets no limit."""


class FindingCode(StrEnum):
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


WRONG: Final = frozenset({FindingCode.BROKEN, FindingCode.NO_TEXT, FindingCode.NO_OPTIONS})
"""PUT /aiworkflow/aipackage responds with 400: question without enunciate, malformed options [7]."""


@dataclass(frozen=True, slots=True)
class Finding:
    """`question` and `option` are places; `other` is another place or a count, as the code has it."""

    code: FindingCode
    question: int | None = None
    option: int | None = None
    other: int | None = None

    @property
    def wrong(self) -> bool:
        """Whether the platform would refuse it."""
        return self.code in WRONG


def lint_quiz(values: Package) -> tuple[Finding, ...]:
    """List the findings of a quiz, in the order of its questions."""
    questions = [parse_question(question) for question in get_questions(values)]
    findings: list[Finding] = []
    first: dict[str, int] = {}
    number = parse_settings(values.get(CONFIG)).number
    for place, question in enumerate(questions):
        findings += lint_question(question, place, number)
        text = normalize_text(question.text)
        if text and text in first:
            findings.append(Finding(FindingCode.SAME_QUESTION, place, other=first[text]))
        elif text:
            first[text] = place
    return tuple(findings)


def lint_question(question: QuizQuestion, place: int, number: int | None) -> list[Finding]:
    """List the findings of one question; `number` is num_answers, the intended count of answers."""
    if question.broken:
        return [Finding(FindingCode.BROKEN, place)]
    findings = []
    if not question.text.strip():
        findings.append(Finding(FindingCode.NO_TEXT, place))
    elif len(question.text) > QUESTION_LONG:
        findings.append(Finding(FindingCode.LONG_QUESTION, place, other=len(question.text)))
    count, correct = len(question.options), len(question.correct)
    if count < 2:
        findings.append(Finding(FindingCode.ONE_OPTION if count else FindingCode.NO_OPTIONS, place))
    if count and not correct:
        findings.append(Finding(FindingCode.NO_CORRECT, place))
    elif correct > 1:
        code = FindingCode.ALL_CORRECT if correct == count else FindingCode.SEVERAL_CORRECT
        findings.append(Finding(code, place, question.correct[0], correct))
    if number is not None and 0 < count < number:
        findings.append(Finding(FindingCode.TOO_FEW, place, other=number))
    return findings + _lint_options(question, place)


def _lint_options(question: QuizQuestion, place: int) -> list[Finding]:
    findings = []
    first: dict[str, int] = {}
    for at, option in enumerate(question.options):
        text = normalize_text(option.text)
        if not text:
            findings.append(Finding(FindingCode.EMPTY_OPTION, place, at))
        elif text in first:
            findings.append(Finding(FindingCode.SAME_OPTION, place, at, first[text]))
        else:
            first[text] = at
        if len(option.text) > OPTION_LONG:
            findings.append(Finding(FindingCode.LONG_OPTION, place, at, len(option.text)))
    return findings


def group_by_question(findings: Sequence[Finding]) -> dict[int, list[Finding]]:
    """Group findings by the place of their question."""
    grouped: dict[int, list[Finding]] = {}
    for finding in findings:
        if finding.question is not None:
            grouped.setdefault(finding.question, []).append(finding)
    return grouped


def list_blocking(values: Package) -> tuple[Finding, ...]:
    """List the findings that the platform would refuse."""
    return tuple(finding for finding in lint_quiz(values) if finding.wrong)


def find_refused_question(message: str, questions: Sequence[JSON]) -> int | None:
    """Return the place of the question that a refusal names by index or text, else of the first one with a problem."""
    place = _find_named_question(message, questions)
    if place is not None:
        return place
    return next((f.question for f in lint_quiz({"questions": list(questions)}) if f.wrong), None)


def _find_named_question(message: str, questions: Sequence[JSON]) -> int | None:
    for pattern, shift in ((r"questions?\s*[\[.]\s*(\d+)", 0), (r"questions?\s*(?:#|n[o°º.]*\s*)?(\d+)", 1)):
        match = re.search(pattern, message, re.IGNORECASE)
        if match and 0 <= int(match.group(1)) - shift < len(questions):
            return int(match.group(1)) - shift
    normalized = normalize_text(message)
    texts = ((place, normalize_text(parse_question(question).text)) for place, question in enumerate(questions))
    return next((place for place, text in texts if len(text) > 8 and text in normalized), None)
