"""Custom fields of a video [4.6]. The flag leaves without `=`."""

from dashboard.platform_api.lists import identified, record
from dashboard.platform_api.records.custom_fields import CustomField
from dashboard.platform_api.request import Flag, Identifier, Request
from dashboard.platform_api.sending import Send


class CustomFields:
    """Key and value pairs of a video."""

    def __init__(self, send: Send) -> None:
        self._send = send

    def list(self, video_id: Identifier) -> tuple[CustomField, ...]:
        """GET {base_url}/videos/{video_id}?custom_fields [4.16]; the path is publicly known."""
        return self._send(
            Request("custom_fields.list", "GET", ("videos", video_id), [("custom_fields", Flag.SET)]),
            lambda answer: identified(answer.json(), CustomField.from_json, "custom_fields", needs=("key",)),
        )

    def update(self, video_id: Identifier, field_id: Identifier, *, value: str, key: str | None = None) -> CustomField:
        """PUT {base_url}/videos/{video_id}?custom_fields&id={field_id} [4.6]; `value` is validated on every call."""
        body = {"value": value} if key is None else {"key": key, "value": value}
        return self._send(
            Request(
                "custom_fields.update",
                "PUT",
                ("videos", video_id),
                [("custom_fields", Flag.SET), ("id", field_id)],
                body,
            ),
            lambda answer: CustomField.from_json(record(answer.json(), "custom_field", requested_id=field_id)),
        )
