"""Forms of an account's notices."""

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.notices.rules import Every
from dashboard.notices.subscriptions import ADDRESS_MOST, RHYTHMS, is_address
from dashboard.notices.webhooks import LONGEST_ADDRESS


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


class WebhookForm(forms.Form):
    """Where news are posted."""

    address = forms.CharField(
        label=_("Address"),
        max_length=LONGEST_ADDRESS,
        widget=forms.URLInput(attrs={"autocomplete": "off", "spellcheck": "false", "placeholder": "https://"}),
        error_messages={"required": _("Write an address that begins with https://.")},
        help_text=_("It must begin with https:// and be reachable from the internet. It is stored encrypted."),
    )


class RhythmForm(forms.Form):
    """How often."""

    every = forms.ChoiceField(choices=RHYTHMS)
