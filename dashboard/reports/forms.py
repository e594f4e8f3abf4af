"""Forms of the report."""

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.notices.subscriptions import ADDRESS_MOST, is_address


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
