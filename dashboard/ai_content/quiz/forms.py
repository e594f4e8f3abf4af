"""Forms of the quiz: a question with its answers, and the settings."""

from dataclasses import dataclass, replace
from typing import Final

from django.http import QueryDict

from dashboard.ai_content.rules.quiz import QuizSettings, TypedOption, normalize_line_ends
from dashboard.shared.http import whole_number

OPTIONS_MOST: Final = 100
"""Answers that a player can be told to show."""
PLACE_MOST: Final = 999_999
"""The last place in a list that a form can name."""
ACTIONS: Final = ("keep", "add", "delete", "up", "down", "copy", "only", "first")


@dataclass(frozen=True)
class QuestionForm:
    """A question as it was sent. `mark` is the mark of the question the form was made from."""

    text: str
    options: tuple[TypedOption, ...]
    mark: str
    action: str
    at: int
    """The alternative an action is about."""
    explanation: str | None = None
    """None: the form does not have it."""

    @property
    def new_options(self) -> tuple[TypedOption, ...]:
        """The alternatives after the action."""
        listed = list(self.options)
        if self.action == "add":
            return (*listed, TypedOption(None, "", correct=not listed))
        if not 0 <= self.at < len(listed):
            return self.options
        if self.action == "delete":
            del listed[self.at]
        elif self.action == "copy":
            listed.insert(self.at + 1, TypedOption(None, listed[self.at].text, correct=False))
        elif self.action == "only":
            return tuple(replace(option, correct=at == self.at) for at, option in enumerate(listed))
        elif self.action == "first":
            listed.insert(0, listed.pop(self.at))
        elif self.action in ("up", "down"):
            to = self.at + (1 if self.action == "down" else -1)
            if 0 <= to < len(listed):
                listed.insert(to, listed.pop(self.at))
        return tuple(listed)

    @property
    def focus(self) -> int | None:
        """The answer to focus after the action."""
        if self.action == "add":
            return len(self.options)
        moves = {
            "first": 0,
            "only": self.at,
            "delete": max(0, self.at - 1),
            "copy": self.at + 1,
            "up": max(0, self.at - 1),
            "down": self.at + 1,
        }
        return moves.get(self.action)


def parse_question_form(posted: QueryDict) -> QuestionForm:
    """Read a question form. The order of the alternatives is that of their fields `option`."""
    action, _, at = posted.get("do", "keep").partition(":")
    rows = posted.getlist("option")
    correct = set(posted.getlist("correct"))
    texts = posted.getlist("text")
    options = tuple(
        TypedOption(_parse_origin(row), normalize_line_ends(text), row in correct)
        for row, text in zip(rows, texts, strict=False)
    )
    return QuestionForm(
        text=normalize_line_ends(posted.get("enunciate", "")),
        options=options,
        mark=posted.get("seen", "")[:64],
        action=action if action in ACTIONS else "keep",
        explanation=posted.get("explanation"),
        at=-1 if (place := whole_number(at, PLACE_MOST)) is None else place,
    )


def _parse_origin(row: str) -> int | None:
    """Rows are called by their place when the form was made; new ones begin with n."""
    return whole_number(row, PLACE_MOST)


@dataclass(frozen=True)
class SettingsForm:
    """Quiz settings as they were sent; `error` when num_answers is no number of answers."""

    number: int | None
    switches: dict[str, bool]
    typed: str
    error: bool


def parse_settings_form(posted: QueryDict, known: QuizSettings) -> SettingsForm:
    """Read the settings; only switches that the page showed count."""
    typed = posted.get("num_answers", "").strip()
    number = whole_number(typed, OPTIONS_MOST) or None
    on = set(posted.getlist("on"))
    return SettingsForm(
        number=number,
        switches={switch.key: switch.key in on for switch in known.switches},
        typed=typed,
        error=bool(typed) and number is None,
    )
