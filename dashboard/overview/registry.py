"""Registry of overview items: what waits for the owner, what is in progress, and limits.

A feature registers a provider in its `overview_items.py`, imported at start. What one action made is one item with its
count.

    @provides("lives", query=Query(lambda platform: platform.lives.list()))
    def lives(request: OwnerRequest, all_lives: tuple[Live, ...]) -> Iterator[Todo | Moving | NextStep | Limit | Owned]:
        for live in all_lives: …

What it needs of the platform it names as its `query`, whose answer it is given: the page reads those of all providers at once.
One that reads otherwise (through `reads`: the overview is opened often) runs on a thread of its own; one that reads nothing but
our own database says so (`asks_platform=False`) and keeps no call of the others from leaving. A provider may raise a
`PlatformError`; one that is late or fails takes only its own lines away.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import IntEnum
from functools import partial
from typing import Any, Final

from dashboard.platform_api.errors import BadToken, CallError, Missing
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import parallel, reads
from dashboard.upstream.parallel import Failed, Late, Outcome, Ready, beside
from dashboard.upstream.reads import Query


class Rank(IntEnum):
    """What comes first, by what it costs to wait: what ends soon and cannot be had afterwards, then broken things, then a test
    that is decided and still sends viewers to what loses, then people who wait.
    """

    TODAY = 0
    CLOSING = 1
    BROKEN = 2
    VERDICT = 3
    ASKED = 4
    QUOTA = 5


@dataclass(frozen=True)
class Todo:
    """One thing that waits. `word` and `shape` make its badge; `title` is a sentence that leads to `address`.

    `action` is a verb for a button that leads to `action_address`; both may be empty.
    """

    rank: Rank
    shape: str
    word: str
    title: str
    address: str
    why: str = ""
    action: str = ""
    action_address: str = ""
    at: datetime | None = None
    """When it happened, or ends: within a rank the most pressing first, so an end that is near or a failure just now."""


@dataclass(frozen=True)
class Moving:
    """One thing in progress that nobody needs to do anything about.

    `counted`: `done` of `total` parts have ended, a number that is known. Else it is in the step after `done` of `total`
    steps: a state, drawn as steps, because nobody measured how far it is.
    """

    title: str
    address: str
    sentence: str
    done: int
    total: int
    counted: bool = False
    note: str = ""
    """What is to be known beside the count: how long the rest takes, or why it pauses."""
    is_reading: bool = False
    """Whether more things that wait may be found by it."""

    @property
    def steps(self) -> tuple[str, ...]:
        """done, now or later for each step."""
        return tuple("done" if n < self.done else "now" if n == self.done else "later" for n in range(self.total))


@dataclass(frozen=True)
class NextStep:
    """What one press would complete or explain, though nothing waits: `title` leads to `address`, the press to
    `action_address`. With `fields` it posts a form, whose page asks before anything is sent.
    """

    title: str
    address: str
    why: str
    action: str
    action_address: str
    fields: tuple[tuple[str, str], ...] = ()


NEAR_SHARE: Final = 25 / 30


@dataclass(frozen=True)
class Limit:
    """One limit of the account: `used` of `most`, or with `most` 0 what is known instead of a number nobody tells."""

    title: str
    address: str
    sentence: str
    used: int = 0
    most: int = 0

    @property
    def share(self) -> float:
        """How much of it is used; 0 where nobody knows."""
        return self.used / self.most if self.most else 0.0

    @property
    def is_near(self) -> bool:
        """From five sixths on (25 of 30 comments)."""
        return self.share >= NEAR_SHARE


@dataclass(frozen=True)
class Owned:
    """The account has some of this already ("subtitles", "review_links"), whoever made them, and wherever."""

    name: str


@dataclass(frozen=True)
class ItemCollection:
    """Everything the features said. `failed` and `late` name the features that could not, or not yet."""

    todos: tuple[Todo, ...]
    moving: tuple[Moving, ...]
    limits: tuple[Limit, ...]
    failed: dict[str, CallError]
    late: tuple[str, ...]
    owned: frozenset[str] = frozenset()
    next_steps: tuple[NextStep, ...] = ()

    @property
    def is_reading(self) -> bool:
        """Whether more may be found to wait, because something is read for the first time."""
        return any(one.is_reading for one in self.moving)


Item = Todo | Moving | NextStep | Limit | Owned
Source = Callable[..., Iterable[Item]]
"""Takes the request, and the answer to its query where it has one."""


@dataclass(frozen=True)
class Provider:
    """What lists the items of a feature. `query`: what it asks the platform, where that is one question.

    `asks_platform`: where it does not, the page's own thread runs it while the calls of the others are out. `is_optional`: it
    has nothing to say where the platform does not have that read; another one could not be read then.
    """

    source: Source
    asks_platform: bool = True
    query: Query[Any] | None = None
    is_optional: bool = False


PROVIDERS: dict[str, Provider] = {}


def provides(
    feature: str, *, asks_platform: bool = True, query: Query[Any] | None = None, is_optional: bool = False
) -> Callable[[Source], Source]:
    """Register what `feature` (its word) has to say. A second provider of the same feature replaces the first."""

    def register(source: Source) -> Source:
        PROVIDERS[feature] = Provider(source, asks_platform, query, is_optional)
        return source

    return register


def collect(request: OwnerRequest, patience: float | None = None) -> ItemCollection:
    """Ask every provider, side by side, within the page's patience. Raises `BadToken`: then the person signs in again."""
    return build_collection(load_outcomes(request, {}, patience))


def load_outcomes(
    request: OwnerRequest, queries: Mapping[str, Query[Any]], patience: float | None = None
) -> dict[str, Outcome]:
    """What every provider says, for `build_collection`, and the answers to a page's own queries beside them, by name."""
    local = [name for name, provider in PROVIDERS.items() if not provider.asks_platform]
    for name in local:
        parallel.meanwhile(partial(_load_local, request, name))
    on_threads = {
        f"todo {name}": partial(_list_items, provider, request)
        for name, provider in PROVIDERS.items()
        if provider.asks_platform and provider.query is None
    }
    answers, outcomes = beside(partial(_read, request, queries, patience), patience, **on_threads)
    return {**answers, **outcomes, **{f"todo {name}": Ready(_load_local(request, name)) for name in local}}


def _read(request: OwnerRequest, queries: Mapping[str, Query[Any]], patience: float | None) -> dict[str, Outcome]:
    """The answers to these queries, and what providers make of the answers to theirs, each as soon as that is there."""
    asked = {f"todo {name}": provider for name, provider in PROVIDERS.items() if provider.query is not None}
    items: dict[str, Outcome] = {}

    def make(name: str, outcome: Outcome) -> None:
        if name in asked:
            items[name] = _make_items(request, asked[name], outcome)

    all_queries = {**queries, **{name: provider.query for name, provider in asked.items() if provider.query}}
    answers = reads.of(request).gather_each(all_queries, patience, make)
    for name in asked.keys() - items.keys():
        make(name, answers[name])
    return {**answers, **items}


def _make_items(request: OwnerRequest, provider: Provider, outcome: Outcome) -> Outcome:
    """What a provider makes of the answer to its query."""
    if provider.is_optional and isinstance(outcome, Failed) and isinstance(outcome.error, Missing):
        return Ready([])
    if not isinstance(outcome, Ready):
        return outcome
    try:
        return Ready(_list_items(provider, request, outcome.value))
    except CallError as error:
        return Failed(error)


def build_collection(outcomes: Mapping[str, Outcome]) -> ItemCollection:
    """What the providers said, in the order of the registry. `outcomes` may hold more than theirs. Raises `BadToken`."""
    order = {f"todo {name}": place for place, name in enumerate(PROVIDERS)}
    ours = {
        name.removeprefix("todo "): outcomes[name]
        for name in sorted(outcomes, key=lambda name: order.get(name, len(order)))
        if name.startswith("todo ")
    }
    items = [entry for outcome in ours.values() if isinstance(outcome, Ready) for entry in outcome.value]
    failed = {name: outcome.error for name, outcome in ours.items() if isinstance(outcome, Failed)}
    for error in failed.values():
        if isinstance(error, BadToken):
            raise error
    return ItemCollection(
        todos=tuple(sorted((entry for entry in items if isinstance(entry, Todo)), key=_get_sort_key)),
        moving=tuple(entry for entry in items if isinstance(entry, Moving)),
        limits=tuple(
            sorted(
                (entry for entry in items if isinstance(entry, Limit)),
                key=lambda outcome_of_feature: -outcome_of_feature.share,
            )
        ),
        failed=failed,
        late=tuple(name for name, outcome in ours.items() if isinstance(outcome, Late)),
        owned=frozenset(entry.name for entry in items if isinstance(entry, Owned)),
        next_steps=tuple(entry for entry in items if isinstance(entry, NextStep)),
    )


def load_items(request: OwnerRequest, name: str) -> list[Item]:
    """What a provider says that asks the platform nothing, for a page that shows it as well; nothing where there is none."""
    return _load_local(request, name) if name in PROVIDERS else []


def _load_local(request: OwnerRequest, name: str) -> list[Item]:
    """What a local provider says, once for a page."""
    return parallel.made_once(("items", name), partial(_list_items, PROVIDERS[name], request))


def _list_items(provider: Provider, request: OwnerRequest, *answer: object) -> list[Item]:
    return list(provider.source(request, *answer))


def _get_sort_key(todo: Todo) -> tuple[int, float]:
    """Ends are in the future, nearest first; what happened is in the past, newest first: both are nearest to now."""
    return todo.rank, abs((todo.at - datetime.now(UTC)).total_seconds()) if todo.at else float("inf")
