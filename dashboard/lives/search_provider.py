"""Lives in the search: by title."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.search.registry import Found, find_by_name, finds, read_rows
from dashboard.shared.addresses import address, find_thing
from dashboard.shared.http import OwnerRequest


@finds("lives", title=gettext_noop("Lives"), order=70)
def lives(request: OwnerRequest, query: str) -> Iterator[Found]:
    """By title, or by an id that was pasted. Nothing else where the platform has no list of them."""
    thing = find_thing(query)
    if thing is not None and thing.kind == "live":
        yield Found(thing.address, "live", _("Live with this id"))
    rows = read_rows(request, lambda platform: [(live.id, live.title or live.id, "") for live in platform.lives.list()])
    yield from find_by_name((Found(address("lives:live", key), "live", name) for key, name, _note in rows), query)
