"""The deliberate act before a playlist is deleted."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform_api.playlists import Playlist


class DeleteForm(forms.Form):
    """The playlist's name, typed; its id, where the platform does not tell the name."""

    name = forms.CharField(
        label=gettext_lazy("Type the name of the playlist"),
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Type the name to delete the playlist.")},
    )

    def __init__(self, *args: Any, playlist: Playlist, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected_name = playlist.name or playlist.id
        self.mismatch_message = _("Type the name as shown: “%(name)s”.")
        if not playlist.name:
            field = self.fields["name"]
            field.label = _("Type the id of the playlist")
            field.error_messages["required"] = _("Type the id to delete the playlist.")
            self.mismatch_message = _("Type the id as shown: “%(id)s”.")

    def clean_name(self) -> str:
        """The name, or the id, as the page shows it."""
        text: str = self.cleaned_data["name"]
        if not name_matches(text, self.expected_name):
            raise forms.ValidationError(self.mismatch_message % {"name": self.expected_name, "id": self.expected_name})
        return text


def name_matches(text: str, name: str) -> bool:
    """The name has to be typed as it stands; spaces around it and letter case are not the point."""
    return " ".join(text.split()).casefold() == " ".join(name.split()).casefold()
