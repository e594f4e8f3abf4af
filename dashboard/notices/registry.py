"""Registry of what notices are about: a feature whose things happen registers who tells of them.

    register("review_portal", NewsSource(load_news, load_place))
    register_letters("reports", LetterSource(write, list_subjects))

Notices keep only what happened; its words come from here when they are shown or sent, and only as far as they may be.
"""

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from uuid import UUID

from dashboard.accounts.models import Account


class NewsKind(StrEnum):
    """What happened."""

    COMMENT = "comment"
    REPLY = "reply"
    DECISION = "decision"
    WITHDRAWAL = "withdrawal"
    """A decision that was told, and does not hold any more."""


@dataclass(frozen=True)
class News:
    """One thing that happened, in words. `ref` is that of its notice.

    `quote` is what it answers, with its writer. `moment` is the second of the video, `address` a path of this site.
    """

    ref: str
    kind: NewsKind
    at: datetime
    author: str
    text: str
    address: str
    by_owner: bool = False
    mark: str = ""
    """What the name does not say of its writer: that it is the owner, or a second person of this name."""
    verdict: str = ""
    """Of a decision: Approved; of a withdrawal, what was withdrawn."""
    shape: str = ""
    """Of a decision: the class and shape of its mark."""
    quote: str = ""
    quoted: str = ""
    is_own_quote: bool = False
    drawing: str = ""
    """The drawing of a comment in words."""
    moment: int | None = None

    @property
    def writer(self) -> str:
        """The name with its mark."""
        return f"{self.author} ({self.mark})" if self.mark else self.author


@dataclass(frozen=True)
class Place:
    """Where things happen: a review link with its video."""

    scope: str
    title: str
    name: str
    address: str
    closes_at: datetime | None = None
    is_open: bool = True
    """Whether its words may leave: never those of a link that is switched off."""


@dataclass(frozen=True)
class NewsSource:
    """`load_news(scope, refs, account, person)` returns what of `refs` can be shown to an account's people, or to a reviewer.

    `load_place(scope, account)` returns where they happened, or None for what is not there any more.
    """

    load_news: Callable[[str, Collection[str], Account | None, str], list[News]]
    load_place: Callable[[str, Account | None], Place | None]


SOURCES: dict[str, NewsSource] = {}


def register(name: str, source: NewsSource) -> None:
    """Let `source` tell of what notices of `name` are about."""
    SOURCES[name] = source


def find_place(scope: str, account: Account | None) -> Place | None:
    """Where things of `scope` happen, whoever has them; for an account only its own."""
    places = (source.load_place(scope, account) for source in SOURCES.values())
    return next((place for place in places if place is not None), None)


@dataclass(frozen=True)
class Letter:
    """What a feature writes to an address: sentences, then lists under titles, and a button to a path of this site.

    `stop` is the path that stops these letters and needs no sign-in.
    """

    title: str
    sentences: tuple[str, ...]
    lists: tuple[tuple[str, tuple[str, ...]], ...]
    button: str
    address: str
    reason: str
    stop_label: str
    stop: str


class NotKnownYet(Exception):
    """What a letter says could not be read now: it is written again later."""


@dataclass(frozen=True)
class LetterSource:
    """`write(ref)` returns the letter as it is now, in the reader's language; None where nothing is left to say. Raises
    `NotKnownYet`.

    `list_subjects(subscription_id)` says what an address gets of it, each as an object of "gets e-mails about".
    """

    write: Callable[[str], Letter | None]
    list_subjects: Callable[[UUID], list[str]]


LETTERS: dict[str, LetterSource] = {}


def register_letters(name: str, source: LetterSource) -> None:
    """Let `source` write letters of its own."""
    LETTERS[name] = source


def list_subjects(subscription_id: UUID) -> list[str]:
    """What an address gets beside the news."""
    return [subject for source in LETTERS.values() for subject in source.list_subjects(subscription_id)]


@dataclass(frozen=True)
class Told:
    """A line of the notices: what happened, with the class and shape of its mark, and where it leads."""

    at: datetime
    kind: str
    shape: str
    title: str
    address: str
    noted_at: datetime | None = None
    """When it was written down here, where that was later: what is new is judged by it."""


Teller = Callable[[Account, datetime], Iterable[Told]]
TELLERS: dict[str, Teller] = {}


def tells(feature: str) -> Callable[[Teller], Teller]:
    """Register what `feature` has to tell an account since a moment, out of its own tables: a poll asks nothing upstream."""

    def register_teller(teller: Teller) -> Teller:
        TELLERS[feature] = teller
        return teller

    return register_teller
