"""Forms of sign-in and of the connected accounts."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.accounts.models import Account
from dashboard.shared.ranges import list_zone_names
from dashboard.shared.record_form import RecordForm

TOKEN_MAX = 4096


class SignInForm(forms.Form):
    """An API token, and what to call the account."""

    token = forms.CharField(
        label=_("API token"),
        max_length=TOKEN_MAX,
        widget=forms.PasswordInput(attrs={"autocomplete": "off", "spellcheck": "false"}, render_value=False),
        error_messages={"required": _("Paste the API token of your account.")},
        help_text=_("You find it in the settings of your video account. It is stored encrypted and never shown again."),
    )
    name = forms.CharField(
        label=_("Name of the account"),
        max_length=100,
        required=False,
        help_text=_("Optional: how the account is called in Reelroom."),
    )
    person = forms.CharField(
        label=_("Your name"),
        max_length=100,
        required=False,
        help_text=_("Optional: written beside what you do, in Activity."),
    )

    def clean_token(self) -> str:
        """A token is one word: what surrounds it came with the clipboard."""
        token: str = self.cleaned_data["token"].strip().removeprefix("Bearer ").strip()
        if not token.isascii() or any(character.isspace() for character in token):
            raise forms.ValidationError(_("Paste the token alone: it has no spaces, line breaks or accents inside."))
        return token


class AccountForm(RecordForm):
    """Name of a connected account, its time zone, and its parent if it is a sub-account."""

    record: ClassVar[Sequence[str]] = ("name", "parent", "zone")
    name = forms.CharField(
        label=_("Name"), max_length=100, error_messages={"required": _("Write a name for the account.")}
    )
    parent = forms.ModelChoiceField(
        label=_("Sub-account of"),
        queryset=Account.objects.none(),
        required=False,
        empty_label=_("None: a parent account"),
        help_text=_("AI subtitles of a sub-account are made with the token of its parent account."),
    )

    zone = forms.ChoiceField(
        label=_("Time zone"),
        required=False,
        help_text=_("Every page of this account shows its times and days in it."),
    )

    def __init__(self, *args: Any, parents: list[Account], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        names = sorted(name for name in list_zone_names() if "/" in name and not name.startswith("Etc/"))
        zones: forms.ChoiceField = self.fields["zone"]  # type: ignore[assignment]  # declared above
        zones.choices = [
            ("", _("The reader’s own")),
            ("UTC", "UTC"),
            *((name, name.replace("_", " ")) for name in names),
        ]
        field: forms.ModelChoiceField[Account] = self.fields["parent"]  # type: ignore[assignment]  # declared above
        field.queryset = Account.objects.filter(pk__in=[parent.pk for parent in parents], parent=None)

    def comparable(self, name: str, value: Any) -> Any:
        """A parent by its key."""
        return super().comparable(name, str(value.pk) if isinstance(value, Account) else value)

    def describe(self, name: str, value: Any) -> str:
        """A parent by its name."""
        there = self.there.get("parent")
        return str(there) if name == "parent" and there else super().describe(name, value)
