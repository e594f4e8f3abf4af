"""View models of the notices: what needs somebody, what runs, what happened."""

from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from dashboard.notices.history import Line
from dashboard.overview.registry import ItemCollection, Moving, Todo
from dashboard.shared import formats, refusals
from dashboard.shared.addresses import address

IN_BELL = 6


@dataclass(frozen=True)
class NoticeLine:
    """A line of the list."""

    kind: str
    shape: str
    title: str
    address: str
    when: str
    at_iso: str
    is_new: bool


@dataclass(frozen=True)
class NoticesPage:
    """notices/notices.html. `title` says how many things need somebody."""

    title: str
    todos: tuple[Todo, ...]
    moving: tuple[Moving, ...]
    lines: tuple[NoticeLine, ...]
    new: int
    late: bool
    trouble: str
    settings: str
    overview: str


def build_notices_page(collected: ItemCollection, lines: list[Line]) -> NoticesPage:
    """Everything in one place."""
    count = len(collected.todos)
    needs = ngettext("%(count)s needs you", "%(count)s need you", count) % {"count": formats.number(count)}
    return NoticesPage(
        title=f"{needs} · {_('Notices')}" if count else _("Notices"),
        todos=collected.todos,
        moving=collected.moving,
        lines=tuple(map(build_line, lines)),
        new=sum(line.is_new for line in lines),
        late=bool(collected.late),
        trouble=" ".join(dict.fromkeys(refusals.explain(error).sentence for error in collected.failed.values())),
        settings=address("notices:settings"),
        overview=address("overview:waiting"),
    )


def build_line(line: Line) -> NoticeLine:
    """A line in words."""
    told = line.told
    return NoticeLine(
        kind=told.kind,
        shape=told.shape,
        title=told.title,
        address=told.address,
        when=formats.moment_or_time(told.at),
        at_iso=told.at.isoformat(),
        is_new=line.is_new,
    )
