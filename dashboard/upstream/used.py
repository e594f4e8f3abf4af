"""What a page has used of what was known, noted while it is made: its frame says how old that is, and follows it."""

from collections.abc import Mapping
from contextvars import ContextVar
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from dashboard.platform_api.errors import CallError
from dashboard.platform_api.questions import Question
from dashboard.upstream.parallel import Outcome, Ready


@dataclass
class Used:
    """What a page has used of what was known: the oldest reading, which are read anew, and errors of that."""

    oldest: datetime | None = None
    refreshing: dict[str, datetime] = field(default_factory=dict)
    """When the answers were read that the page shows, by the digests of their questions."""
    errors: list[CallError] = field(default_factory=list)
    works: list[str] = field(default_factory=list)
    """Pieces of work that go on beside the page (`background`)."""

    def note(self, answer: Ready[Any], question: Question) -> None:
        """One answer that the page shows."""
        if answer.at is not None and (self.oldest is None or answer.at < self.oldest):
            self.oldest = answer.at
        if answer.is_refreshing and answer.at is not None:
            self.refreshing[question.digest] = answer.at
        if answer.error is not None:
            self.errors.append(answer.error)


_used: ContextVar[Used | None] = ContextVar("used", default=None)


def watch() -> Used:
    """From now on everything that this request uses is noted in what is returned."""
    fresh = Used()
    _used.set(fresh)
    return fresh


def current() -> Used | None:
    """What this request has used so far; None outside a request."""
    return _used.get()


def note(outcomes: Mapping[str, Outcome], questions: Mapping[str, Question]) -> None:
    """Outcomes that a page shows, and the questions of those that were asked, by name."""
    noted = current()
    if noted is None:
        return
    for name, outcome in outcomes.items():
        if isinstance(outcome, Ready) and outcome.at is not None:
            noted.note(outcome, questions[name])
