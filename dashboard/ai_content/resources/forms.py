"""What is to be generated or deleted."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from dashboard.ai_content import messages
from dashboard.platform_api.vocabulary import LANGUAGES, AiKind
from dashboard.shared import formats


class CheckboxGroup(forms.CheckboxSelectMultiple):
    """Several to choose from, with an identifier of the whole to which an error leads."""

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        return id_ if index is None else super().id_for_label(id_, index)


class GenerateForm(forms.Form):
    """A language, and the kinds to make in it where the platform's call says them."""

    lang = forms.ChoiceField(
        label=_("Language"),
        error_messages={"required": _("Choose a language."), "invalid_choice": _("Choose a language.")},
    )
    kinds = forms.MultipleChoiceField(
        label=_("What to generate"),
        widget=CheckboxGroup,
        error_messages={"required": _("Choose at least one.")},
    )

    def __init__(self, *args: Any, has_kinds: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        named = sorted(
            ((code, f"{formats.language_name(code)}, {code}") for code in LANGUAGES), key=lambda choice: choice[1]
        )
        self._choose("lang", [("", _("Choose a language")), *named])
        if has_kinds:
            self._choose("kinds", [(str(kind), messages.get_block_name(str(kind))) for kind in AiKind])
        else:
            del self.fields["kinds"]

    def _choose(self, name: str, choices: list[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = choices


class DeleteResourcesForm(forms.Form):
    """Which of the kinds that are there are deleted."""

    kinds = forms.MultipleChoiceField(
        label=_("What to delete"),
        widget=CheckboxGroup,
        error_messages={
            "required": _("Choose at least one."),
            "invalid_choice": _("This language no longer has it."),
        },
    )

    def __init__(self, *args: Any, there: Iterable[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["kinds"]
        assert isinstance(field, forms.MultipleChoiceField)  # noqa: S101
        field.choices = [(kind, messages.get_block_name(kind)) for kind in there]
