"""What a page of why is about: all videos of the account, one, or those of a folder or of a search."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar
from uuid import UUID

from django.http import Http404
from django.utils.translation import gettext as _

from dashboard.activity.recorder import actor_of
from dashboard.analytics.pages import AnalyticsPanel
from dashboard.analytics.panel_kinds import Answers
from dashboard.analytics.state import AnalyticsState
from dashboard.platform_api.errors import BadToken, CallError
from dashboard.shared.entries import ROOT, Entry, Shelf, Wanted, below
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import library, parallel, reads
from dashboard.upstream.figures import FigureAnswer
from dashboard.upstream.library import KnownList, load_selection
from dashboard.upstream.parallel import Failed, Outcome, Ready

T = TypeVar("T")


@dataclass(frozen=True)
class Scope:
    """Some of the videos of the account. The value of `answer` is a frozenset of their ids; it may be late, or in trouble.

    `name`: whose numbers they are, as a sentence. `unknown`: why they cannot be told. `caution`: what is left out.
    """

    answer: FigureAnswer
    name: str = ""
    unknown: str = ""
    caution: str = ""

    @property
    def videos(self) -> frozenset[str]:
        return self.answer.value or frozenset()

    @property
    def is_known(self) -> bool:
        return self.answer.value is not None and not self.unknown


@dataclass(frozen=True)
class WhySubject:
    """The panel whose figures are split, the answers they are made of, whose they are, and the page's own address.

    `scope`: the videos that count; None for all.
    """

    panel: AnalyticsPanel
    answers: Answers
    name: str
    address: str
    account_id: UUID
    scope: Scope | None = None

    @property
    def is_known(self) -> bool:
        """Whether it is known which videos count."""
        return self.scope is None or self.scope.is_known

    def list_cautions(self) -> tuple[str, ...]:
        """What is to be said of the numbers and of the videos that count."""
        return self.panel.caution, self.scope.caution if self.scope else ""

    def select(self, sums: Mapping[str, float]) -> Mapping[str, float]:
        """Of numbers by video those that count."""
        if self.scope is None:
            return sums
        return {video: number for video, number in sums.items() if video in self.scope.videos}


def load_beside(
    request: OwnerRequest, state: AnalyticsState, patience: float | None, main: Callable[[], T]
) -> tuple[T, Scope | None]:
    """What `main` returns, and the videos of the address, which are read side by side with it; None for all videos.

    They are waited for `patience` seconds (None: the page's).
    Raises `Http404` for a folder that is not there, `BadToken` for a token that was refused, and what `main` raises.
    """
    if not state.folder and not state.search:
        return main(), None
    read = partial(library.read_list, reads.of(request), Wanted(), patience)
    loaded, outcomes = parallel.beside(main, patience, listed=read)
    return loaded, _build_scope(request, state, outcomes["listed"])


def _build_scope(request: OwnerRequest, state: AnalyticsState, outcome: Outcome) -> Scope:
    if isinstance(outcome, Failed):
        return _fail(outcome.error)
    listed: KnownList | None = outcome.value if isinstance(outcome, Ready) else None
    if listed is None or listed.folders is None:
        return Scope(FigureAnswer(None))
    if isinstance(listed.folders, Failed):
        return _fail(listed.folders.error)
    if not isinstance(listed.folders, Ready):
        return Scope(FigureAnswer(None))
    ids, name = _select_folder(listed.entries, state, listed.folders.value)
    return _select_search(request, state, ids, name)


def _fail(error: CallError) -> Scope:
    if isinstance(error, BadToken):
        raise error
    return Scope(FigureAnswer(None, error=error))


def _select_folder(
    entries: Sequence[Entry], state: AnalyticsState, shelves: Sequence[Shelf]
) -> tuple[frozenset[str], str]:
    """The videos in the folder of the address and below it, or directly in it, and what the page says of them; all where it
    names none.

    Raises `Http404` for a folder that is not there.
    """
    names = {shelf.id: shelf.name for shelf in shelves}
    if not state.folder:
        return frozenset(entry.id for entry in entries), ""
    if state.folder == ROOT:
        return frozenset(entry.id for entry in entries if entry.folder_id not in names), format_folder(state, "")
    if state.folder not in names:
        raise Http404
    places = {state.folder} if state.directly else below(state.folder, shelves).keys()
    ids = frozenset(entry.id for entry in entries if entry.folder_id in places)
    return ids, format_folder(state, names[state.folder])


def _select_search(request: OwnerRequest, state: AnalyticsState, ids: frozenset[str], name: str) -> Scope:
    """Of these videos those that match the search of the address, if it has one."""
    if not state.search:
        return Scope(FigureAnswer(ids), name)
    try:
        selection = load_selection(request.account, state.search, actor_of(request, request.account))
    except CallError as error:
        return _fail(error)
    caution = ""
    if not selection.complete:
        caution = _("Not all that the search asks for is known of every video yet. Videos that may match are left out.")
    name = " ".join(filter(None, (name, format_search(state))))
    return Scope(FigureAnswer(ids.intersection(selection.ids)), name, selection.problem, caution)


def format_search(state: AnalyticsState) -> str:
    """Whose numbers they are: those of a search."""
    return _("Videos that match “%(search)s”.") % {"search": state.search}


def format_folder(state: AnalyticsState, name: str) -> str:
    """Whose numbers they are: those of a folder called `name`."""
    if state.folder == ROOT:
        return _("Videos in no active folder.")
    text = _("Videos directly in “%(folder)s”.") if state.directly else _("Videos in “%(folder)s” and below it.")
    return text % {"folder": name}
