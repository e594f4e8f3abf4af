"""What playlists say to the owner: deletions that wait for a word, or whose answer never came."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from dashboard.playlists.models import Deletion, State
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.shared.todo import Rank, Todo, provides

MOST = 5


@provides("playlists")
def playlists(request: OwnerRequest) -> Iterator[Todo]:
    """Held and unconfirmed deletions."""
    open_states = [State.HELD, State.UNCONFIRMED]
    for deletion in Deletion.objects.filter(account_id=request.account.pk, state__in=open_states)[:MOST]:
        held = deletion.state == State.HELD
        here = address("playlists:deletion", deletion.pk)
        yield Todo(
            rank=Rank.ASKED if held else Rank.BROKEN,
            shape="queue" if held else "unknown",
            word=_("Waiting") if held else _("Not confirmed"),
            title=_("Deletion of the playlist “%(name)s”") % {"name": deletion.name or deletion.playlist_id},
            address=here,
            why=_("Nothing has been sent. Take it back or delete it now.") if held else deletion.message,
            action=_("Decide") if held else _("Look"),
            action_address=here,
            at=deletion.due_at,
        )
