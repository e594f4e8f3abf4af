"""A quiz: its questions and answers [4.3], what the platform would refuse [7], and the same quiz in two languages.

Questions are parsed tolerantly and edited in place; unknown keys stay. A question is addressed by its handle, which stays
the same while it is edited and moved: from its `id`, or from its content where the file gives no id. The functions that
edit take and return whole values and change nothing in place.
"""

import hashlib
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from dashboard.ai_content.rules.package import (
    Package,
    Pairs,
    find_moved,
    format_canonical,
    get_identifier,
    get_mark,
    get_text,
    is_same,
    name_by_keys,
    normalize_text,
    pair_elements,
)
from dashboard.platform_api.values import JSON

QUESTIONS: Final = "questions"
CONFIG: Final = "questions_config"
EXPLANATION: Final = "explanation"
SWITCHES: Final = ("show_results",)
"""Booleans of `questions_config` in the specification; absent ones are on."""
NUMBER: Final = "num_answers"
HANDLE: Final = re.compile(r"[a-z0-9]{1,40}")


class Broken(StrEnum):
    """Why a question cannot be edited as a form, but as JSON."""

    NOT_AN_OBJECT = "not_an_object"
    TEXT = "text"
    OPTIONS = "options"
    OPTION = "option"


@dataclass(frozen=True, slots=True)
class QuizOption:
    """One answer, for the form."""

    text: str
    correct: bool


@dataclass(frozen=True, slots=True)
class QuizQuestion:
    """One question, for the form. `broken` is None where it can be edited as a form."""

    text: str
    options: tuple[QuizOption, ...]
    broken: Broken | None
    explanation: str = ""
    """What the player may show once the question is answered (gaps 15, A5)."""

    @property
    def correct(self) -> tuple[int, ...]:
        """Places of the correct answers."""
        return tuple(place for place, option in enumerate(self.options) if option.correct)


@dataclass(frozen=True, slots=True)
class TypedOption:
    """One answer of a sent form; `origin` is its place when the form was rendered, None for a new one."""

    origin: int | None
    text: str
    correct: bool


def get_questions(values: Package) -> list[JSON]:
    """Return the list of questions; empty where the file has no list."""
    questions = values.get(QUESTIONS)
    return questions if isinstance(questions, list) else []


def is_readable(values: Package) -> bool:
    """Whether `questions` is a list or absent, and `questions_config` an object or absent: else it is edited as JSON."""
    questions, config = values.get(QUESTIONS), values.get(CONFIG)
    return (questions is None or isinstance(questions, list)) and (config is None or isinstance(config, dict))


def parse_question(question: JSON) -> QuizQuestion:
    """Parse a question, also a broken one."""
    if not isinstance(question, dict):
        return QuizQuestion("", (), Broken.NOT_AN_OBJECT)
    text, options = question.get("enunciate"), question.get("options")
    broken: Broken | None = None
    if not isinstance(text, str) and text is not None:
        broken = Broken.TEXT
    if not isinstance(options, list) and options is not None:
        broken = broken or Broken.OPTIONS
    listed = options if isinstance(options, list) else []
    if broken is None and not all(_is_option_sound(option) for option in listed):
        broken = Broken.OPTION
    explanation = get_text(question.get(EXPLANATION))
    return QuizQuestion(get_text(text), tuple(_parse_option(option) for option in listed), broken, explanation)


def _is_option_sound(option: JSON) -> bool:
    if not isinstance(option, dict):
        return False
    text, correct = option.get("text"), option.get("correct")
    return (text is None or isinstance(text, str)) and (correct is None or isinstance(correct, bool))


def _parse_option(option: JSON) -> QuizOption:
    if isinstance(option, dict):
        return QuizOption(get_text(option.get("text")), option.get("correct") is True)
    return QuizOption(get_text(option), False)


def build_handles(questions: Sequence[JSON]) -> list[str]:
    """Build one unique handle per question."""
    names = [get_identifier(question) for question in questions]
    counts = Counter(names)
    handles: list[str] = []
    counter: Counter[str] = Counter()
    for question, name in zip(questions, names, strict=True):
        basis = name if name and counts[name] == 1 else format_canonical(question)
        short = ("q" if basis is name else "p") + hashlib.sha256(basis.encode("utf-8", "replace")).hexdigest()[:10]
        counter[short] += 1
        handles.append(short if counter[short] == 1 else f"{short}n{counter[short]}")
    return handles


def carry_handles(before: Sequence[JSON], known: Sequence[str], after: Sequence[JSON]) -> list[str]:
    """Build handles for `after`: those of the same questions in `before` (`known`), new ones for the others."""
    partner = {
        new: old
        for old, new in pair_elements(before, after, name_by_keys("enunciate"))
        if old is not None and new is not None
    }
    fresh = build_handles(after)
    taken = {known[old] for old in partner.values() if old < len(known)}
    handles: list[str] = []
    for place in range(len(after)):
        old = partner.get(place)
        if old is not None and old < len(known):
            handles.append(known[old])
        else:
            handles.append(_find_free_handle(fresh[place], taken))
            taken.add(handles[-1])
    return handles


def _find_free_handle(handle: str, taken: set[str]) -> str:
    number = 1
    while handle in taken:
        number += 1
        handle = f"{handle.split('n')[0]}n{number}"
    return handle


def get_question_mark(question: JSON) -> str:
    """Return the mark of a question for its form, without the id, which the platform may add."""
    return get_mark({k: v for k, v in question.items() if k != "id"} if isinstance(question, dict) else question)


def normalize_line_ends(text: str) -> str:
    """Text as a form gives it back: line ends as \\n."""
    return text.replace("\r\n", "\n").replace("\r", "\n")


def apply_typed_text(before: JSON, typed: str) -> JSON:
    """Return the typed text, or `before` where only line ends differ."""
    typed = normalize_line_ends(typed)
    if isinstance(before, str) and normalize_line_ends(before) == typed:
        return before
    return before if before is None and not typed else typed


def edit_question(question: JSON, text: str, options: Iterable[TypedOption], explanation: str | None = None) -> JSON:
    """Return the question with this text, these answers and this explanation (None: its own); other keys stay."""
    before = question if isinstance(question, dict) else {}
    listed = before.get("options")
    origin = listed if isinstance(listed, list) else []
    changed = dict(before)
    set_key(changed, "enunciate", apply_typed_text(before.get("enunciate"), text))
    typed = [_edit_option(_get_origin(origin, option.origin), option) for option in options]
    if typed or listed is not None:
        changed["options"] = typed
    kept = before.get(EXPLANATION)
    if explanation is not None and apply_typed_text(kept, explanation) != kept:
        if explanation.strip():
            changed[EXPLANATION] = normalize_line_ends(explanation)
        elif isinstance(kept, str):
            del changed[EXPLANATION]
    return changed if not is_same(changed, question) else question


def set_key(target: Package, key: str, value: JSON) -> None:
    """Set a key, except that an absent one does not become null."""
    if value is not None or key in target:
        target[key] = value


def _get_origin(origin: list[JSON], place: int | None) -> JSON:
    return origin[place] if place is not None and 0 <= place < len(origin) else None


def _edit_option(before: JSON, typed: TypedOption) -> JSON:
    known = before if isinstance(before, dict) else {}
    parsed = _parse_option(before) if before is not None else None
    if (
        parsed is not None
        and parsed.correct == typed.correct
        and normalize_line_ends(parsed.text) == normalize_line_ends(typed.text)
    ):
        return before
    changed = dict(known)
    changed["text"] = get_text(apply_typed_text(known.get("text"), typed.text))
    if "correct" not in known or (known["correct"] is True) != typed.correct:
        changed["correct"] = typed.correct
    return changed


def build_question() -> Package:
    """Build an empty question with two answers, the first correct. The platform adds the id [4.3]."""
    return {"enunciate": "", "options": [{"text": "", "correct": True}, {"text": "", "correct": False}]}


def copy_question(question: JSON) -> JSON:
    """Copy a question without ids."""
    if not isinstance(question, dict):
        return question
    copied = {key: value for key, value in question.items() if key != "id"}
    listed = copied.get("options")
    if isinstance(listed, list):
        copied["options"] = [
            {key: value for key, value in option.items() if key != "id"} if isinstance(option, dict) else option
            for option in listed
        ]
    return copied


@dataclass(frozen=True, slots=True)
class QuizSwitch:
    """A boolean of `questions_config`. `explicit` is False where the file does not have it: the default is on."""

    key: str
    on: bool
    explicit: bool


@dataclass(frozen=True, slots=True)
class QuizSettings:
    """`questions_config`, for the form. `other` are the keys that are neither switches nor the number."""

    number: int | None
    number_odd: bool
    switches: tuple[QuizSwitch, ...]
    other: Package


def parse_settings(config: JSON) -> QuizSettings:
    """Parse the settings; `number_odd`: num_answers is there, but not a whole number."""
    values = config if isinstance(config, dict) else {}
    value = values.get(NUMBER)
    number = value if isinstance(value, int) and not isinstance(value, bool) else None
    keys = [*SWITCHES, *(key for key, inner in values.items() if isinstance(inner, bool) and key not in SWITCHES)]
    switches = tuple(
        QuizSwitch(key, values.get(key) is not False, key in values)
        for key in keys
        if key not in values or isinstance(values[key], bool)
    )
    known = {NUMBER, *(switch.key for switch in switches)}
    other = {key: inner for key, inner in values.items() if key not in known}
    return QuizSettings(number, value is not None and number is None, switches, other)


def apply_settings(config: JSON, number: int | None, switches: dict[str, bool], *, set_number: bool = True) -> Package:
    """Return `questions_config` with every switch; `set_number` False leaves num_answers unchanged."""
    changed = dict(config) if isinstance(config, dict) else {}
    if set_number:
        if number is None:
            changed.pop(NUMBER, None)
        else:
            changed[NUMBER] = number
    return {**changed, **switches}


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


class StructureDifference(StrEnum):
    """Differences of a question's structure between two languages."""

    MISSING = "missing"
    """Missing in the other language."""
    EXTRA = "extra"
    """Missing in this language."""
    MOVED = "moved"
    OPTIONS = "options"
    """A different number of answers."""
    CORRECT = "correct"
    """Different correct answers."""
    SAME_TEXT = "same_text"
    """Identical text, probably not translated."""


@dataclass(frozen=True, slots=True)
class ComparedQuestion:
    """One question in both languages; places, None where a side lacks it."""

    ours: int | None
    theirs: int | None
    apart: tuple[StructureDifference, ...]


def align_questions(ours: Sequence[JSON], theirs: Sequence[JSON]) -> Pairs:
    """Match the questions of two languages: by id where the files share ids, else by order."""
    ids = {get_identifier(question) for question in ours} & {get_identifier(question) for question in theirs} - {""}
    if ids:
        return pair_elements(ours, theirs, name_by_keys("enunciate"), by_place=False)
    shared = min(len(ours), len(theirs))
    rest: list[tuple[int | None, int | None]] = [(place, None) for place in range(shared, len(ours))]
    rest += [(None, place) for place in range(shared, len(theirs))]
    return (*((place, place) for place in range(shared)), *rest)


def compare_questions(ours: Sequence[JSON], theirs: Sequence[JSON]) -> tuple[ComparedQuestion, ...]:
    """Compare two languages, one row per question, in the order of `ours`; those that only `theirs` has come last."""
    pairs = align_questions(ours, theirs)
    wandered = find_moved([old for old, new in pairs if old is not None and new is not None])
    rows = [ComparedQuestion(old, new, _list_differences(ours, theirs, old, new, wandered)) for old, new in pairs]
    return tuple(sorted(rows, key=lambda row: (row.ours is None, row.ours or 0, row.theirs or 0)))


def _list_differences(
    ours: Sequence[JSON], theirs: Sequence[JSON], old: int | None, new: int | None, wandered: set[int]
) -> tuple[StructureDifference, ...]:
    if old is None or new is None:
        return (StructureDifference.EXTRA if old is None else StructureDifference.MISSING,)
    question, counterpart = parse_question(ours[old]), parse_question(theirs[new])
    differences = []
    if old in wandered:
        differences.append(StructureDifference.MOVED)
    if len(question.options) != len(counterpart.options):
        differences.append(StructureDifference.OPTIONS)
    elif question.correct != counterpart.correct:
        differences.append(StructureDifference.CORRECT)
    if question.text.strip() and question.text == counterpart.text:
        differences.append(StructureDifference.SAME_TEXT)
    return tuple(differences)


def copy_structure(source: Sequence[JSON], target: Sequence[JSON]) -> list[JSON]:
    """`target` with the questions, order, number of alternatives and correct places of `source`.

    Texts of `target` stay wherever it has the question and the alternative; what it lacks comes over in the language of
    `source`, to be translated. Questions that only `target` has go last: nothing is dropped.
    """
    pairs = align_questions(source, target)
    partner = {old: new for old, new in pairs if old is not None and new is not None}
    shared_ids = any(
        get_identifier(source[old]) and get_identifier(source[old]) == get_identifier(target[new])
        for old, new in partner.items()
    )
    copied: list[JSON] = []
    for place, question in enumerate(source):
        if place in partner:
            copied.append(_apply_structure(question, target[partner[place]]))
        else:
            copied.append(question if shared_ids else copy_question(question))
    return copied + [target[new] for old, new in pairs if old is None and new is not None]


def _apply_structure(source: JSON, target: JSON) -> JSON:
    """One question of `target` with the alternatives' number and correct places of `source`."""
    if not isinstance(source, dict) or not isinstance(target, dict):
        return target
    source_options, target_options = source.get("options"), target.get("options")
    if not isinstance(source_options, list) or not isinstance(target_options, list):
        return target
    options: list[JSON] = []
    for place, option in enumerate(source_options):
        mine = target_options[place] if place < len(target_options) else option
        if isinstance(mine, dict) and isinstance(option, dict) and "correct" in option:
            mine = mine if mine.get("correct") is option["correct"] else mine | {"correct": option["correct"]}
        options.append(mine)
    return target | {"options": options}
