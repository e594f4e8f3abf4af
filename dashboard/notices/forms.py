"""Forms of an account's notices."""

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.notices.rules import Every
from dashboard.notices.subscriptions import ADDRESS_MOST, is_address

RHYTHMS = [
    (Every.NOW.value, _("At once (bundled over 5 minutes)")),
    (Every.HOUR.value, _("Every hour")),
    (Every.DAY.value, _("Once a day, in the morning")),
    (Every.NONE.value, _("Never")),
]
"""How often an address gets e-mails, as choices."""


class AddressForm(forms.Form):
    """An e-mail address of the account's people."""

    address = forms.CharField(
        label=_("E-mail address"),
        max_length=ADDRESS_MOST,
        widget=forms.EmailInput(attrs={"autocomplete": "email"}),
        error_messages={"required": _("Write an e-mail address, such as ana@example.com.")},
        help_text=_(
            "It gets one e-mail with a button to confirm, and nothing else before that. It is stored encrypted and shown "
            "to nobody."
        ),
    )
    every = forms.ChoiceField(label=_("How often"), choices=RHYTHMS, initial=Every.NOW.value)

    def clean_address(self) -> str:
        """An address that e-mails can be sent to."""
        address: str = self.cleaned_data["address"].strip()
        if not is_address(address):
            raise forms.ValidationError(_("This is no e-mail address. Write one such as ana@example.com."))
        return address


class RhythmForm(forms.Form):
    """How often."""

    every = forms.ChoiceField(choices=RHYTHMS)
