"""The form that sorts and searches the comments of a room."""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from review_portal import first_view
from review_portal.context import Visit
from review_portal.rules import Show, Sort


@dataclass(frozen=True)
class SelectOption:
    """One of a select."""

    value: str
    label: str
    chosen: bool


@dataclass(frozen=True)
class Finder:
    """The form that sorts and searches."""

    query: str
    show: str
    sorts: tuple[SelectOption, ...]
    people: tuple[SelectOption, ...]


def build_finder(visit: Visit) -> Finder:
    """The form beside the filters; people are those who wrote, with how much."""
    choice = visit.choice
    labels = {Sort.TIME: _("Time in video"), Sort.NEWEST: _("Newest"), Sort.ACTIVITY: _("Last reply")}
    names = first_view.list_people(visit.reading, visit.threads_at_first)
    people = [SelectOption(name, f"{name} ({count})", name == choice.by) for name, count in names]
    if choice.by and choice.by not in dict(names):
        people.append(SelectOption(choice.by, choice.by, True))
    return Finder(
        query=choice.query,
        show="" if choice.show == Show.ALL else choice.show.value,
        sorts=tuple(SelectOption(sort.value, label, sort == choice.sort) for sort, label in labels.items()),
        people=tuple(people),
    )
