"""A form that saves a whole record: it carries what was loaded, and only what the person changed is compared and sent."""

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, ClassVar

from django import forms
from django.utils.translation import gettext as _

LOADED = "loaded"
"""The hidden field with the record as the person saw it."""


class LoadedField(forms.JSONField):
    """What was loaded, by field name; None for what is not readable as that."""

    def clean(self, value: Any) -> dict[str, Any] | None:
        try:
            cleaned = super().clean(value)
        except forms.ValidationError:
            return None
        return cleaned if isinstance(cleaned, dict) else None


class RecordForm(forms.Form):
    """The base of every such form. `now` is the record as it is at this moment, by the names of `record`; None for a new one.

    A field that the person left alone never writes over what somebody else saved meanwhile. One that both changed is not saved:
    its error says what is there now, the form carries that from then on, and a second press is on purpose.
    A form that comes without what was loaded saves everything it has.
    """

    record: ClassVar[Sequence[str]]
    loaded = LoadedField(required=False, widget=forms.HiddenInput)

    def __init__(self, data: Any = None, *, now: Mapping[str, Any] | None = None, **kwargs: Any) -> None:
        self.there = dict(now or {})
        super().__init__(data, initial={**self.there, **(kwargs.pop("initial", None) or {})}, **kwargs)
        self.now = {name: self.comparable(name, self.there.get(name)) for name in self.record}
        self.initial.setdefault(LOADED, self.now)
        self.changed: dict[str, Any] = {}
        """Cleaned values of what the person changed; filled by `is_valid`, also where somebody else changed it too."""

    def comparable(self, name: str, value: Any) -> Any:
        """A value as JSON carries it, without what browsers and forms change in it."""
        if isinstance(value, (list, tuple)):
            return [self.comparable(name, element) for element in value]
        if isinstance(value, Decimal):
            return f"{value.normalize():f}"
        if isinstance(value, str):
            text = value.replace("\r\n", "\n")
            return text.strip() if getattr(self.fields[name], "strip", True) else text
        return "" if value is None else value

    def typed(self, name: str, value: Any) -> Any:
        """A value of `now` as its control shows it."""
        return value

    def describe(self, name: str, value: Any) -> str:
        """A value of `now` in words, for the person who is asked."""
        return str(self.typed(name, value))

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        values = {name: cleaned[name] for name in self.record if name in cleaned}
        loaded = cleaned.get(LOADED)
        if loaded is None:
            self.changed = values
            return cleaned
        overtaken = []
        for name, value in values.items():
            mine, loaded_value = self.comparable(name, value), self.comparable(name, loaded.get(name))
            if mine != loaded_value:
                self.changed[name] = value
                if self.now[name] not in (mine, loaded_value):
                    overtaken.append(name)
        if overtaken:
            self._ask_about(overtaken)
        return cleaned

    def _ask_about(self, overtaken: list[str]) -> None:
        """An error at each field that both changed. Those that only somebody else changed are shown as they are now."""
        data: Any = self.data.copy()  # type: ignore[attr-defined]  # a QueryDict
        data[self.add_prefix(LOADED)] = self.fields[LOADED].prepare_value(self.now)
        for name in self.record:
            if name not in self.changed and name not in self.errors:
                _put(data, self.add_prefix(name), self.typed(name, self.now[name]))
        self.data = data
        for name in overtaken:
            there = self.describe(name, self.now[name])
            if there:
                sentence = _(
                    "Somebody else changed this to “%(value)s” meanwhile. Save again to replace it with yours."
                )
                self.add_error(name, sentence % {"value": there})
            else:
                self.add_error(name, _("Somebody else emptied this meanwhile. Save again to replace it with yours."))


def _put(data: Any, name: str, value: Any) -> None:
    if isinstance(value, list):
        data.setlist(name, value)
    else:
        data[name] = value


def describe_unused(choice: str) -> str:
    """What is said at a field that is filled in while something else is chosen. `choice`: the one that goes with it.

    Such a field counts only with one choice beside it, as a date under "At another time". In the page `data-chooses="closes=custom"`
    on the field lets `js/other.js` choose it while somebody types. What comes filled in with another choice all the same is asked
    about with this sentence, at the field: nothing that was typed is left out silently.
    """
    return _("You filled this in, but something else is chosen. Choose “%(choice)s”, or empty this field.") % {
        "choice": choice
    }
