"""Forms of analytics."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.shared.record_form import RecordForm


class CommaDecimal(forms.DecimalField):
    """A number with a point or a comma: half of our readers write decimals with one."""

    def clean(self, value: object) -> Decimal | None:
        number: Decimal | None = super().clean(value.strip().replace(",", ".") if isinstance(value, str) else value)
        return number


class PriceForm(RecordForm):
    """The owner's price of traffic. An empty price deletes it."""

    record: ClassVar[Sequence[str]] = ("per_gigabyte", "currency")
    per_gigabyte = CommaDecimal(
        label=_("Price per GB"),
        required=False,
        min_value=Decimal(0),
        max_digits=12,
        decimal_places=6,
        error_messages={
            "invalid": _("Write the price as a number, like 0.12."),
            "min_value": _("Write a price of zero or more."),
            "max_digits": _("Write a price with at most 12 digits."),
            "max_decimal_places": _("Write a price with at most 6 decimals."),
            "max_whole_digits": _("Write a price below one million."),
        },
        widget=forms.TextInput(attrs={"inputmode": "decimal", "autocomplete": "off", "class": "input--short"}),
    )
    currency = forms.ChoiceField(label=_("Currency"), choices=[(code, code) for code in ("BRL", "USD", "EUR")])

    def saved(self) -> dict[str, Any]:
        """The price to store: the changed fields and the current rest."""
        return {"per_gigabyte": None, "currency": self.cleaned_data["currency"], **self.there, **self.changed}
