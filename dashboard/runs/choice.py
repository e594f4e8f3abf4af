"""The videos that a form names: one by one, or as everything that a search finds."""

from django.http import QueryDict
from django.utils.translation import gettext as _

from dashboard.activity.recorder import actor_of
from dashboard.runs.creation import Choice
from dashboard.runs.models import EVERYTHING
from dashboard.shared.entries import Wanted
from dashboard.shared.http import OwnerRequest
from dashboard.shared.text import parse_uuid
from dashboard.upstream import library, reads
from dashboard.upstream.library import find_titles, load_selection

ALL = "1"
"""The value of `all` that means every video that `query` finds."""


class NoChoice(Exception):
    """There is nothing to do it to; the message is a sentence for people."""


def read_choice(request: OwnerRequest, data: QueryDict) -> Choice:
    """The chosen videos with their titles, those of other accounts left out. Raises `NoChoice`."""
    choice = _read_search(request, data.get("query", "")) if data.get("all") == ALL else _read_ids(request, data)
    if not choice.titles:
        raise NoChoice(_("Choose at least one video."))
    return choice


def _read_search(request: OwnerRequest, query: str) -> Choice:
    selection = load_selection(request.account, query, actor_of(request, request.account))
    if selection.problem:
        raise NoChoice(selection.problem)
    if not selection.complete:
        raise NoChoice(_("Your library is still being read. Everything that matches can be chosen when that is done."))
    titles = {video_id: selection.titles.get(video_id, "") for video_id in selection.ids}
    return Choice(titles, query or EVERYTHING, selection.missing)


def _read_ids(request: OwnerRequest, data: QueryDict) -> Choice:
    missing = _read_missing(request, data.get("query", ""))
    ids = [video_id for video_id in dict.fromkeys(data.getlist("video")) if parse_uuid(video_id)]
    entries = library.known_entries(reads.of(request), Wanted())
    if entries is None:
        titles = find_titles(request.account, ids)
        return Choice({video_id: titles.get(video_id, "") for video_id in ids}, missing=missing)
    known = {entry.id: entry.title for entry in entries}
    return Choice({video_id: known[video_id] for video_id in ids if video_id in known}, missing=missing)


def _read_missing(request: OwnerRequest, query: str) -> tuple[str, ...]:
    """The languages that the list's search asks to be missing, where single videos of it were chosen."""
    return load_selection(request.account, query, actor_of(request, request.account)).missing if query else ()
