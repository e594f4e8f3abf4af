"""Changing one field (section 4.6), and settling an answer that never came by reading."""

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from dashboard import clients
from dashboard.activity.recorder import ambiguous, recorded
from dashboard.custom_fields.models import Field
from dashboard.platform_api.errors import BadToken, PlatformError
from dashboard.platform_api.records.custom_fields import CustomField
from dashboard.shared.http import OwnerRequest

if TYPE_CHECKING:
    from dashboard.activity.models import Entry


@dataclass(frozen=True)
class Saved:
    """A field after its change."""

    field: CustomField
    settled: bool
    """The answer never came, but reading showed the new value."""


def save(
    request: OwnerRequest,
    video_id: str,
    field: CustomField,
    *,
    value: str,
    key: str | None = None,
    label: str = "",
    undoes: "Entry | None" = None,
) -> Saved:
    """Send one change; `value` always, `key` only where it changes. Setting the same twice is harmless.

    Raises the `PlatformError` of a refusal, or of an answer that never came and that reading could not settle.
    """
    place = {"video_id": video_id, "field_id": field.id}
    wanted = replace(field, key=field.key if key is None else key, value=value)
    try:
        with recorded(
            request,
            "custom_fields.update",
            target=video_id,
            label=label or field.key,
            before={**place, "key": field.key, "value": field.value},
            after={**place, "key": wanted.key, "value": wanted.value},
            undoes=undoes,
        ):
            saved = clients.platform(request).custom_fields.update(video_id, field.id, value=value, key=key)
    except PlatformError as error:
        if not ambiguous(error) or not is_there(request, video_id, wanted):
            raise
        remember(request, wanted)
        return Saved(wanted, settled=True)
    remember(request, replace(wanted, key=saved.key or wanted.key, value=saved.value or wanted.value))
    return Saved(saved, settled=False)


def is_there(request: OwnerRequest, video_id: str, wanted: CustomField) -> bool:
    """Whether the field reads as wanted now; False also where it cannot be read."""
    try:
        found = clients.platform(request).custom_fields.list(video_id)
    except BadToken:
        raise
    except PlatformError:
        return False
    return any((one.id, one.key, one.value) == (wanted.id, wanted.key, wanted.value) for one in found)


def remember(request: OwnerRequest, field: CustomField) -> None:
    """Keep the searchable copy true."""
    rows = Field.objects.filter(account_id=request.account.pk, field_id=field.id)
    rows.update(key=field.key[:300], value=field.value)
