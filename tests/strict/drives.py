"""One drive per documented operation: find the page, fill the form that it has, press, look at what arrived and is shown."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from typing import Any

from tests.presses.browser import Answer
from tests.strict.answers import Call
from tests.strict.person import Person
from tests.strict.platform import StrictPlatform

HERE = "/dashboard"


@dataclass
class Desk:
    """Where a drive happens: the owner's browser and the platform."""

    owner: Person
    platform: StrictPlatform

    def arrived(self, operation: str, body: Any = None, **asked: str | None) -> Call:
        """The one write that has arrived: of this operation, with this body and query and nothing else."""
        assert self.platform.wrong == []
        left = [f"{call.operation} {call}" for call in self.platform.writes]
        assert len(left) == 1 and left[0].startswith(f"{operation} "), f"arrived: {left}"
        call = self.platform.writes[0]
        assert call.body == body, f"{call}: {call.body}"
        assert call.asked == asked, str(call)
        return call

    def read(self, operation: str, **asked: str | None) -> Call:
        """A call of a read that has arrived with this query (others may have, too)."""
        assert self.platform.wrong == []
        calls = [call for call in self.platform.called(operation) if asked.items() <= call.asked.items()]
        assert calls, f"{operation} did not arrive: {[str(call) for call in self.platform.calls]}"
        return calls[0]


Drive = Callable[[Desk], None]
DRIVES: list[tuple[str, Drive]] = []
"""Each drive with the documented operation that it is about."""


def drive(operation: str) -> Callable[[Drive], Drive]:
    """Register a drive."""

    def register(function: Drive) -> Drive:
        DRIVES.append((operation, function))
        return function

    return register


def words(answer: Answer) -> str:
    """What the main part of a page says, in one line."""
    main = re.sub(r"(?s)<(script|style|template)\b.*?</\1>", " ", answer.text.partition("<main")[2] or answer.text)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]+>", " ", main)))


def says(answer: Answer, *parts: str) -> None:
    """The page says all of this."""
    said = words(answer)
    missing = [part for part in parts if part not in said]
    assert not missing, f"{answer.status} does not say {missing}: {said[:1500]}"
