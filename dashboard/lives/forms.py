"""The form of a new live, with the publicly known fields of its creation."""

import re
import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final

from django import forms
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform_api.vocabulary import LIVE_BITRATES, Latency

LOCAL_FORMATS: Final = ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%d/%m/%Y %H:%M")
DEFAULT: Final = ("", gettext_lazy("Platform default"))
"""A field without a choice is not sent."""
LATENCIES: Final = (
    DEFAULT,
    (Latency.ULTRA_LOW.value, gettext_lazy("Ultra low: 5 to 7 seconds")),
    (Latency.LOW.value, gettext_lazy("Low: 15 to 20 seconds")),
    (Latency.NORMAL.value, gettext_lazy("Normal: 60 to 70 seconds")),
)
DVR: Final = (DEFAULT, ("on", gettext_lazy("Yes")), ("off", gettext_lazy("No")))
UNREADABLE_TIME: Final = gettext_lazy("Choose a date and a time.")


class LiveForm(forms.Form):
    """A new live. `zone` is the time zone the form was rendered in: the time is read in the same zone."""

    zone = forms.CharField(widget=forms.HiddenInput, required=False)
    title = forms.CharField(
        label=gettext_lazy("Title"), error_messages={"required": gettext_lazy("Write a title for the live.")}
    )
    scheduled_time = forms.DateTimeField(
        label=gettext_lazy("Scheduled for"),
        required=False,
        input_formats=LOCAL_FORMATS,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
        error_messages={"invalid": UNREADABLE_TIME},
    )
    latency_type = forms.ChoiceField(
        label=gettext_lazy("Latency"),
        choices=LATENCIES,
        required=False,
        help_text=gettext_lazy("How far viewers are behind the camera."),
        error_messages={"invalid_choice": gettext_lazy("Choose a latency from the list.")},
    )
    active_dvr = forms.ChoiceField(
        label=gettext_lazy("Rewind while live (DVR)"),
        choices=DVR,
        required=False,
        error_messages={"invalid_choice": gettext_lazy("Choose Yes, No or the default.")},
    )
    bitrate = forms.MultipleChoiceField(
        label=gettext_lazy("Resolutions"),
        choices=[(size, size) for size in LIVE_BITRATES],
        required=False,
        error_messages={"invalid_choice": gettext_lazy("Choose resolutions from the list.")},
    )
    folder_id = forms.ChoiceField(
        label=gettext_lazy("Folder for the recording"),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("This folder is not there any more. Choose another one.")},
    )

    def __init__(self, *args: Any, folders: Mapping[str, str], **kwargs: Any) -> None:
        """`folders`: paths by folder id."""
        super().__init__(*args, **kwargs)
        self.fields["folder_id"].choices = [("", _("No folder")), *folders.items()]  # type: ignore[attr-defined]
        help_text = _("Optional, in the time zone %(zone)s. Only a scheduled live can be started early.")
        self.fields["scheduled_time"].help_text = help_text % {"zone": self.zone_in_use.key.replace("_", " ")}

    @property
    def zone_in_use(self) -> zoneinfo.ZoneInfo:
        """The time zone the form was rendered in, else the current one."""
        name = self.data.get("zone") or timezone.get_current_timezone_name()
        try:
            return zoneinfo.ZoneInfo(name)
        except (ValueError, zoneinfo.ZoneInfoNotFoundError, OSError):
            return zoneinfo.ZoneInfo("UTC")

    def full_clean(self) -> None:
        """Validate with the time zone of the form."""
        with timezone.override(self.zone_in_use):
            super().full_clean()

    def clean_scheduled_time(self) -> datetime | None:
        at: datetime | None = self.cleaned_data["scheduled_time"]
        if at is not None and at <= timezone.now():
            raise forms.ValidationError(_("Choose a time in the future."))
        return at

    def to_payload(self) -> dict[str, Any]:
        """The body of the request, without fields that have no choice."""
        cleaned = self.cleaned_data
        at: datetime | None = cleaned["scheduled_time"]
        values = {
            "title": cleaned["title"],
            "scheduled_time": at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%SZ") if at else None,
            "active_dvr": {"on": True, "off": False}.get(cleaned["active_dvr"]),
            "bitrate": cleaned["bitrate"] or None,
            "folder_id": cleaned["folder_id"] or None,
            "latency_type": cleaned["latency_type"] or None,
        }
        return {name: value for name, value in values.items() if value is not None}


FIELD_PATTERNS: Final = (
    ("scheduled_time", re.compile("schedul", re.IGNORECASE)),
    ("active_dvr", re.compile("dvr", re.IGNORECASE)),
    ("bitrate", re.compile("bitrate|resolution", re.IGNORECASE)),
    ("folder_id", re.compile("folder", re.IGNORECASE)),
    ("latency_type", re.compile("latency", re.IGNORECASE)),
    ("title", re.compile("title", re.IGNORECASE)),
)


def find_field(message: str) -> str | None:
    """The form field that a message of the platform names, or None."""
    return next((field for field, pattern in FIELD_PATTERNS if pattern.search(message)), None)
