"""What playlists tell on other pages: deletions that have not been sent (Activity lists those that are not confirmed), and
what the search finds."""

from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.overview.registry import Rank, Todo, provides
from dashboard.playlists import writes
from dashboard.search.registry import Found, find_by_name, finds, read_rows
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.writes.models import State

MOST = 5


@provides("playlists", asks_platform=False)
def list_held_deletions(request: OwnerRequest) -> Iterator[Todo]:
    """Held deletions that nobody has tried to send yet: they have no row in Activity."""
    # Few are held: a database that sorts them itself would walk all that were ever made in their order.
    deletions = writes.list_deletions(request.account).filter(state=State.HELD, attempt=0).defer("before").order_by()
    for write in sorted(deletions, key=lambda write: write.created_at, reverse=True)[:MOST]:
        page = address("playlists:deletion", write.pk)
        needs_decision = write.due_at is None
        yield Todo(
            rank=Rank.ASKED,
            shape="queue",
            word=_("Waiting"),
            title=_("Deletion of the playlist “%(name)s”") % {"name": write.label or write.subject},
            address=page,
            why=_("Nothing was deleted. Delete the playlist now, or undo.")
            if needs_decision
            else _("It will be deleted in a few seconds. You can undo this until then."),
            action=_("Decide") if needs_decision else _("Undo"),
            action_address=page,
            at=write.created_at,
        )


@finds("playlists", title=gettext_noop("Playlists"), order=80)
def find_playlists(request: OwnerRequest, query: str) -> Iterator[Found]:
    """By name. Nothing where the platform has no list of them."""
    rows = read_rows(
        request,
        lambda platform: [(playlist.id, playlist.name or playlist.id, "") for playlist in platform.playlists.list()],
    )
    yield from find_by_name(
        (Found(address("playlists:playlist", key), "list", name) for key, name, _note in rows), query
    )
