"""Taking back a change of name or description: the platform has no undo, but the old words can be sent again."""

from typing import TYPE_CHECKING

from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard import clients
from dashboard.ab_tests.reading import test_ask
from dashboard.activity.recorder import NotUndone, recorded, undoes
from dashboard.shared.single_flight import forget

if TYPE_CHECKING:
    from dashboard.activity.models import Entry

TEXTS = ("name", "description")


@undoes("comparisons.update")
def undo_update(request: HttpRequest, entry: "Entry") -> None:
    """Send the name and description that stood before. Variants are left alone: they may be fixed by now.

    Raises `NotUndone` where one of the two was changed again since.
    """
    before = {name: value for name, value in (entry.before or {}).items() if name in TEXTS}
    now = {name: value for name, value in (entry.after or {}).items() if name in TEXTS}
    found = clients.platform(request).comparisons.get(entry.target)
    if any((getattr(found, name) or "") != (value or "") for name, value in now.items()):
        raise NotUndone(_("The test was changed again since: change it on its page."))
    with recorded(
        request, "comparisons.update", target=entry.target, label=entry.label, before=now, after=before, undoes=entry
    ):
        clients.platform(request).comparisons.update(entry.target, before)
    forget(test_ask(entry.target).key(entry.account_id))
