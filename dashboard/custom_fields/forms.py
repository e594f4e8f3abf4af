"""Forms of custom fields: one field (section 4.6), and a file of changes."""

from collections.abc import Sequence
from typing import ClassVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy

from dashboard.custom_fields import pages, rules
from dashboard.platform_api.videos import CustomField
from dashboard.shared.record_form import RecordForm


class FieldForm(RecordForm):
    """Key and value of one field."""

    record: ClassVar[Sequence[str]] = ("key", "value")
    key = forms.CharField(
        label=gettext_lazy("Key"),
        strip=True,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    value = forms.CharField(
        label=gettext_lazy("Value"), strip=False, required=False, widget=forms.Textarea(attrs={"rows": 1})
    )

    def __init__(self, data: QueryDict | None = None, *, field: CustomField, fields: tuple[CustomField, ...]) -> None:
        super().__init__(data, now={"key": field.key, "value": field.value}, auto_id=f"id_{field.id}_%s")
        self.field, self.all = field, fields

    def clean_key(self) -> str:
        """A key that stays is never sent, so it may be what the rules of today would refuse."""
        key: str = self.cleaned_data["key"]
        if key == self.field.key:
            return key
        problem = rules.key_problem(key)
        if problem is None and rules.is_taken(key, self.field.id, self.all):
            problem = rules.FieldProblem.KEY_TAKEN
        if problem:
            raise forms.ValidationError(pages.format_problem(problem, key))
        return key

    def clean_value(self) -> str:
        """Always sent, so always checked. A browser writes line ends as two characters; the platform keeps one."""
        value: str = self.cleaned_data["value"].replace("\r\n", "\n")
        if problem := rules.value_problem(value):
            raise forms.ValidationError(pages.format_problem(problem, value))
        return value

    def changed_key(self) -> str | None:
        """The key to send, None where it stays."""
        key: str = self.changed.get("key", self.field.key)
        return None if key == self.field.key else key

    def sent_value(self) -> str:
        """The value to send: the platform always wants one."""
        value: str = self.changed.get("value", self.field.value)
        return value


class FileForm(forms.Form):
    """A CSV file of changes."""

    file = forms.FileField(
        label=gettext_lazy("CSV file"),
        help_text=gettext_lazy(
            "Columns video_id, key and value; new_key if keys are to change. UTF-8, with commas, semicolons or tabs."
        ),
        widget=forms.FileInput(attrs={"accept": ".csv,text/csv,text/plain"}),
        error_messages={
            "required": gettext_lazy("Choose a file."),
            "empty": gettext_lazy("This file has no lines. Choose another."),
        },
    )

    def clean_file(self) -> list[rules.FileLine]:
        """The lines, each with what is wrong with it."""
        sent = self.cleaned_data["file"]
        try:
            if sent.size > rules.BYTES_MAX:
                raise rules.Unreadable(rules.FileProblem.TOO_LARGE)
            return list(rules.parse_lines(sent.read()))
        except rules.Unreadable as error:
            raise forms.ValidationError(pages.format_file_problem(*error.args)) from None
