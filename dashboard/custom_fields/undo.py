"""A changed field is changed back (section 4.6 allows the opposite call)."""

from typing import TYPE_CHECKING, Any, cast

from django.http import HttpRequest
from django.utils.translation import gettext as _

from dashboard import clients
from dashboard.activity.recorder import NotUndone, undoes
from dashboard.custom_fields import editing
from dashboard.platform_api.errors import Missing
from dashboard.shared.http import OwnerRequest

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


@undoes("custom_fields.update")
def undo(request: HttpRequest, entry: "Entry") -> None:
    """Send key and value as they were.

    Raises the `PlatformError` of a refusal, `Missing` where the field is gone, `NotUndone` where it was changed again since.
    """
    was: dict[str, Any] = entry.before or {}
    became: dict[str, Any] = entry.after or was
    asker = cast(OwnerRequest, request)
    fields = clients.platform(request).custom_fields.list(was["video_id"])
    field = next((one for one in fields if one.id == was["field_id"]), None)
    if field is None:
        raise Missing("custom_fields.update")
    if (field.key, field.value) != (became["key"], became["value"]):
        raise NotUndone(_("The field was changed again since: change it at its video."))
    key = None if was["key"] == field.key else was["key"]
    editing.save(asker, was["video_id"], field, value=was["value"], key=key, label=entry.label, undoes=entry)
