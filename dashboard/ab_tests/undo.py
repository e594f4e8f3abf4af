"""Undo of a change of name or description: the platform has none, but the old texts can be sent again."""

from typing import TYPE_CHECKING, cast

from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard.ab_tests.writes import UPDATE
from dashboard.activity.recorder import NotUndone, undoes
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.writes import outbox
from dashboard.writes.requests import form_intent

if TYPE_CHECKING:
    from dashboard.activity.models import Entry
    from dashboard.writes.models import Write

TEXTS = ("name", "description")


@undoes(UPDATE)
def undo_update(request: HttpRequest, entry: "Entry") -> "Write":
    """Send the name and description of before. Variants are left alone: they may be fixed by now.

    Raises `NotUndone` where one of the two was changed again since.
    """
    asker = cast(OwnerRequest, request)
    before = {name: value for name, value in (entry.before or {}).items() if name in TEXTS}
    after = {name: value for name, value in (entry.after or {}).items() if name in TEXTS}
    intent = form_intent(
        asker,
        UPDATE,
        subject=entry.target,
        sends={"comparison_id": entry.target, "changes": before},
        label=entry.label,
        before=after,
        after=before,
        undoes=entry,
    )
    if outbox.find(intent.scope, intent.key) is None:
        test = clients.platform(request).comparisons.get(entry.target)
        if any((getattr(test, name) or "") != (value or "") for name, value in after.items()):
            raise NotUndone(_("The test was changed again since: change it on its page."))
    return outbox.perform(intent)
