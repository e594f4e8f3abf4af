"""The form of a saved view's name."""

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.videos.models import SavedView

NAME_MOST = SavedView._meta.get_field("name").max_length


class ViewNameForm(forms.Form):
    """A name of a saved view."""

    name = forms.CharField(
        label=_("Name of the view"),
        max_length=NAME_MOST,
        error_messages={"required": _("Type a name.")},
        widget=forms.TextInput(attrs={"class": "input", "autocomplete": "off"}),
    )
