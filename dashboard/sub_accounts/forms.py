"""The form of a new sub-account (section 4.2)."""

from typing import Any

from django import forms
from django.core.validators import RegexValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform_api.vocabulary import EMAIL_MAX, SUB_ACCOUNT_NAME_MAX, Currency
from dashboard.sub_accounts.rules import TaxIdProblem, compact_tax_id, find_tax_id_problem

CURRENCIES = ((Currency.BRL.value, gettext_lazy("Brazilian real")), (Currency.USD.value, gettext_lazy("US dollar")))
PHONE = RegexValidator(
    r"^[+0-9 ().-]*[0-9][+0-9 ().-]*$", gettext_lazy("Write a phone number: digits, spaces and + ( ) - . only.")
)


def _build_length_message(most: int) -> dict[str, Any]:
    return {"max_length": gettext_lazy("Write at most %(limit_value)d characters. It has %(show_value)d.")}


class SubAccountForm(forms.Form):
    """A new sub-account with its administrator. No other field may be sent, `status` included."""

    name = forms.CharField(
        label=gettext_lazy("Name of the sub-account"),
        max_length=SUB_ACCOUNT_NAME_MAX,
        error_messages={"required": gettext_lazy("Write a name."), **_build_length_message(SUB_ACCOUNT_NAME_MAX)},
    )
    tax_id = forms.CharField(
        label=gettext_lazy("Tax id (CPF or CNPJ)"),
        max_length=30,
        help_text=gettext_lazy("With or without punctuation. A CNPJ may have letters."),
        error_messages={"required": gettext_lazy("Write the CPF or CNPJ of the sub-account.")},
    )
    phone = forms.CharField(
        label=gettext_lazy("Phone"),
        max_length=40,
        validators=[PHONE],
        widget=forms.TextInput(attrs={"type": "tel", "autocomplete": "off"}),
        error_messages={"required": gettext_lazy("Write a contact phone.")},
    )
    currency = forms.ChoiceField(
        label=gettext_lazy("Billed in"),
        choices=CURRENCIES,
        error_messages={
            "required": gettext_lazy("Choose a currency."),
            "invalid_choice": gettext_lazy("Choose a currency."),
        },
    )
    user_name = forms.CharField(
        label=gettext_lazy("Name of its administrator"),
        max_length=SUB_ACCOUNT_NAME_MAX,
        error_messages={
            "required": gettext_lazy("Write the administrator's name."),
            **_build_length_message(SUB_ACCOUNT_NAME_MAX),
        },
    )
    user_email = forms.EmailField(
        label=gettext_lazy("E-mail of its administrator"),
        max_length=EMAIL_MAX,
        error_messages={
            "required": gettext_lazy("Write the administrator's e-mail."),
            "invalid": gettext_lazy("Write a whole e-mail address, such as ana@example.com."),
            **_build_length_message(EMAIL_MAX),
        },
    )

    def clean_tax_id(self) -> str:
        """Punctuation goes; the check digits must fit."""
        compact = compact_tax_id(self.cleaned_data["tax_id"])
        match find_tax_id_problem(compact):
            case TaxIdProblem.LENGTH:
                raise forms.ValidationError(
                    _("A CPF has 11 digits, a CNPJ 14 characters. This has %(count)s.") % {"count": len(compact)}
                )
            case TaxIdProblem.CHECK_DIGITS:
                raise forms.ValidationError(
                    _("The check digits do not fit. Compare it with the document, digit by digit.")
                )
        return compact

    def to_payload(self) -> dict[str, Any]:
        """The body of 4.2."""
        data = self.cleaned_data
        return {
            "name": data["name"],
            "currency": data["currency"],
            "phone": data["phone"],
            "tax_id": data["tax_id"],
            "user": {"name": data["user_name"], "email": data["user_email"]},
        }
