"""A changed field is changed back (section 4.6 allows the opposite call)."""

from typing import TYPE_CHECKING, Any, cast

from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard.activity.recorder import NotUndone, undoes
from dashboard.custom_fields import writes
from dashboard.platform_api.errors import Missing
from dashboard.platform_api.videos import CustomField
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients
from dashboard.writes import outbox

if TYPE_CHECKING:
    from dashboard.activity.models import Entry
    from dashboard.writes.models import Write


@undoes(writes.UPDATE)
def undo(request: HttpRequest, entry: "Entry") -> "Write":
    """Send key and value as they were.

    Raises the `PlatformError` of a refusal, `Missing` where the field is gone, `NotUndone` where it was changed again since.
    """
    was: dict[str, Any] = entry.before or {}
    became: dict[str, Any] = entry.after or was
    field = CustomField(was["field_id"], was["video_id"], became["key"], became["value"], None, None)
    asker = cast(OwnerRequest, request)
    intent = writes.field_intent(asker, field, key=was["key"], value=was["value"], label=entry.label, undoes=entry)
    if outbox.find(intent.scope, intent.key) is None:
        fields = clients.platform(request).custom_fields.list(was["video_id"])
        now = next((candidate for candidate in fields if candidate.id == was["field_id"]), None)
        if now is None:
            raise Missing(writes.UPDATE)
        if (now.key, now.value) != (became["key"], became["value"]):
            raise NotUndone(_("The field was changed in the meantime. Edit it on the page of its video."))
    return writes.save(intent)
