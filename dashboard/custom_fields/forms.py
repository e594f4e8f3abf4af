"""Forms of custom fields: one field (section 4.6), and a file of changes."""

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.custom_fields import rules, sentences
from dashboard.platform_api.records.custom_fields import CustomField


class FieldForm(forms.Form):
    """Key and value of one field. What they were when the page was made comes along, so that nobody's work is lost."""

    key = forms.CharField(
        label=gettext_lazy("Key"),
        strip=True,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )
    value = forms.CharField(
        label=gettext_lazy("Value"), strip=False, required=False, widget=forms.Textarea(attrs={"rows": 1})
    )
    was_key = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)
    was_value = forms.CharField(required=False, strip=False, widget=forms.HiddenInput)

    def __init__(self, data: QueryDict | None = None, *, field: CustomField, fields: tuple[CustomField, ...]) -> None:
        was = {"key": field.key, "value": field.value, "was_key": field.key, "was_value": field.value}
        super().__init__(data, auto_id=f"id_{field.id}_%s", initial=was)
        self.field, self.all = field, fields

    def clean_key(self) -> str:
        """A key that stays is never sent, so it may be what the rules of today would refuse."""
        key: str = self.cleaned_data["key"]
        if key == self.field.key:
            return key
        problem = rules.key_problem(key)
        if problem is None and rules.taken(key, self.field.id, self.all):
            problem = rules.Problem.KEY_TAKEN
        if problem:
            raise forms.ValidationError(sentences.problem(problem, key))
        return key

    def clean_value(self) -> str:
        """Always sent, so always checked. A browser writes line ends as two characters; the platform keeps one."""
        value: str = self.cleaned_data["value"].replace("\r\n", "\n")
        if problem := rules.value_problem(value):
            raise forms.ValidationError(sentences.problem(problem, value))
        return value

    def clean(self) -> dict[str, Any]:
        """Refuse to write over what somebody else wrote meanwhile; a second press is on purpose."""
        data = super().clean() or {}
        was = (data.get("was_key", ""), data.get("was_value", "").replace("\r\n", "\n"))
        now = (self.field.key, self.field.value.replace("\r\n", "\n"))
        if was != now and was != ("", ""):
            self.data = {**self.data.dict(), "was_key": now[0], "was_value": now[1]}  # type: ignore[attr-defined]  # a QueryDict
            raise forms.ValidationError(
                _("It was changed meanwhile to “%(key)s: %(value)s”. Press again to write yours over it.")
                % {"key": self.field.key, "value": self.field.value}
            )
        return data

    def changed_key(self) -> str | None:
        """The key to send, None where it stays."""
        key: str = self.cleaned_data["key"]
        return None if key == self.field.key else key


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

    def clean_file(self) -> list[rules.Read]:
        """The lines, each with what is wrong with it."""
        sent = self.cleaned_data["file"]
        try:
            if sent.size > rules.BYTES_MAX:
                raise rules.Unreadable(rules.FileProblem.TOO_LARGE)
            return list(rules.lines_of(sent.read()))
        except rules.Unreadable as error:
            raise forms.ValidationError(sentences.file_problem(error.args[0])) from None
