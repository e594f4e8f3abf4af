"""The deliberate act before a playlist is deleted."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.playlists.rules import name_matches


class DeleteForm(forms.Form):
    """The playlist's name, typed."""

    name = forms.CharField(
        label=gettext_lazy("Type the name of the playlist"),
        max_length=300,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Type the name to delete the playlist.")},
    )

    def __init__(self, *args: Any, wanted: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.wanted = wanted

    def clean_name(self) -> str:
        """The name as the page shows it."""
        typed: str = self.cleaned_data["name"]
        if not name_matches(typed, self.wanted):
            raise forms.ValidationError(_("Type the name as shown: “%(name)s”.") % {"name": self.wanted})
        return typed
