"""The form above a report: what it is about, and which week."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from dashboard.activity.recorder import actor_of
from dashboard.reports.pages import build_address, format_about
from dashboard.reports.queries import Subject
from dashboard.reports.rules import Week
from dashboard.shared.charts import figures
from dashboard.shared.entries import Shelf
from dashboard.shared.http import OwnerRequest
from dashboard.upstream.library import FOLDERS, folders_of, list_saved_queries
from dashboard.upstream.reads import Reads

MOST_FOLDERS: Final = 300
"""Folders to choose from; the others lead here from their own page."""


@dataclass(frozen=True)
class Choice:
    """One thing that a report can be about."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class Chooser:
    """templates/reports/_chooser.html. `later` is empty for the last week that is over."""

    about: str
    week: str
    folders: tuple[Choice, ...]
    saved: tuple[Choice, ...]
    period: str
    earlier: str
    later: str
    file: str


def build_chooser(request: OwnerRequest, subject: Subject, week: Week, last: Week) -> Chooser:
    """The form, with what the address chose."""
    about = format_about(subject)
    return Chooser(
        about=about,
        week="" if week == last else week.monday.isoformat(),
        folders=_list_folders(request, about),
        saved=_list_saved(request, subject, about),
        period=figures.period(week.days.start, week.days.end),
        earlier=build_address(subject, week.before),
        later="" if week == last else build_address(subject, week.after),
        file=build_address(subject, week, name="file"),
    )


def find_folder_name(request: OwnerRequest, folder: str) -> str:
    """The name of a folder; "" for one that is not listed."""
    return next((shelf.name for shelf in _load_shelves(request) if shelf.id == folder), "")


def find_saved_name(request: OwnerRequest, subject: Subject) -> str:
    """The name under which the person saved the search of a report; "" for another one."""
    saved = list_saved_queries(request.account, actor_of(request, request.account)) if subject.query else []
    return next((each.name for each in saved if each.query == subject.query), "")


def _load_shelves(request: OwnerRequest) -> tuple[Shelf, ...]:
    """The folders as far as they are known: the report reads them."""
    return folders_of(Reads(request.account).known(folders=FOLDERS)["folders"])[0]


def _list_folders(request: OwnerRequest, about: str) -> tuple[Choice, ...]:
    """The first folders of the tree, each with its way, and the one that is asked for."""
    shelves = _load_shelves(request)
    ways = _list_ways(shelves)
    current = next((shelf for shelf in shelves if f"folder:{shelf.id}" == about and shelf.id not in ways), None)
    if current is not None:
        ways[current.id] = current.name
    return tuple(Choice(f"folder:{folder}", way, f"folder:{folder}" == about) for folder, way in ways.items())


def _list_ways(shelves: Iterable[Shelf]) -> dict[str, str]:
    """The names from the root down to each of the first folders, by id, siblings by name."""
    children: dict[str, list[Shelf]] = {}
    for shelf in shelves:
        children.setdefault(shelf.parent, []).append(shelf)
    ways: dict[str, str] = {}
    waiting = [(shelf, "") for shelf in _sort_last_first(children.get("", ()))]
    while waiting and len(ways) < MOST_FOLDERS:
        shelf, above = waiting.pop()
        if shelf.id not in ways:
            ways[shelf.id] = f"{above} / {shelf.name}" if above else shelf.name
            waiting += [(child, ways[shelf.id]) for child in _sort_last_first(children.get(shelf.id, ()))]
    return ways


def _sort_last_first(shelves: Iterable[Shelf]) -> list[Shelf]:
    return sorted(shelves, key=lambda shelf: shelf.name.casefold(), reverse=True)


def _list_saved(request: OwnerRequest, subject: Subject, about: str) -> tuple[Choice, ...]:
    """The person's saved views that have a query, and the query of the address where it is none of them."""
    saved = [each for each in list_saved_queries(request.account, actor_of(request, request.account)) if each.query]
    choices = [Choice(f"search:{each.query}", each.name, f"search:{each.query}" == about) for each in saved]
    if subject.query and not any(choice.chosen for choice in choices):
        choices.append(Choice(about, subject.query, chosen=True))
    return tuple(choices)
