"""Forms of the report."""

from collections.abc import Collection
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.accounts.models import Account
from dashboard.notices.subscriptions import ADDRESS_MOST, is_address

ALL: Final = "all"


class WeeklyForm(forms.Form):
    """An address that gets the report every Monday."""

    address = forms.CharField(
        label=_("E-mail address"),
        max_length=ADDRESS_MOST,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": _("Write an e-mail address, such as ana@example.com.")},
        help_text=_("A new address first gets one e-mail with a button to confirm."),
    )

    def clean_address(self) -> str:
        """An address that e-mails can be sent to."""
        address: str = self.cleaned_data["address"].strip()
        if not is_address(address):
            raise forms.ValidationError(_("This is no e-mail address. Write one such as ana@example.com."))
        return address


class ChildrenForm(WeeklyForm):
    """The same for the reports of one of the `children`, or of all of them."""

    which = forms.ChoiceField(label=_("Sub-account"))
    field_order = ("which", "address")

    def __init__(self, *args: Any, children: Collection[Account], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.children = {str(child.pk): child for child in children}
        names = [(key, child.name) for key, child in self.children.items()]
        field = self.fields["which"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (it is declared so)
        field.choices = [(ALL, _("All connected sub-accounts")), *names] if names else []

    def get_chosen(self) -> list[Account]:
        """The sub-accounts whose reports are wanted."""
        which = self.cleaned_data["which"]
        return list(self.children.values()) if which == ALL else [self.children[which]]
