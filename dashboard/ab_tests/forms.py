"""Forms of A/B tests. `payload()` is what is sent to the platform."""

import re
from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import Any, ClassVar, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.ab_tests.rules import LEVELS
from dashboard.shared.record_form import RecordForm

NAME_MAX: Final = 255
DESCRIPTION_MAX: Final = 5000
VARIANTS_MOST: Final = 8
VIDEO_ID: Final = re.compile(r"[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}", re.ASCII | re.IGNORECASE)
COMMA = {"inputmode": "decimal", "autocomplete": "off", "class": "input--short"}


class VideoIds(forms.Field):
    """Identifiers of videos in the order they were sent, each once."""

    widget = forms.SelectMultiple

    def clean(self, value: Any) -> list[str]:
        video_ids = list(dict.fromkeys(text.strip().lower() for text in value or ()))
        if not all(VIDEO_ID.fullmatch(text) for text in video_ids):
            raise forms.ValidationError(_("Choose videos from the list."))
        if len(video_ids) > VARIANTS_MOST:
            raise forms.ValidationError(
                _("Choose at most %(count)s videos. The charts can't show more lines.") % {"count": VARIANTS_MOST}
            )
        return video_ids


class CommaNumber(forms.DecimalField):
    """A number with a point or a comma."""

    def clean(self, value: Any) -> Decimal | None:
        number: Decimal | None = super().clean(value.strip().replace(",", ".") if isinstance(value, str) else value)
        return number


class TextForm(RecordForm):
    """What can change in every state [4.5]."""

    record: ClassVar[Sequence[str]] = ("name", "description")
    name = forms.CharField(
        label=gettext_lazy("Name"),
        max_length=NAME_MAX,
        error_messages={
            "required": gettext_lazy("Give the test a name."),
            "max_length": gettext_lazy("Shorten the name: it can have %(limit_value)s characters."),
        },
    )
    description = forms.CharField(
        label=gettext_lazy("Description, optional"),
        help_text=gettext_lazy("What do you want to find out? It helps people who read the result later."),
        max_length=DESCRIPTION_MAX,
        required=False,
        widget=forms.Textarea(attrs={"rows": 3}),
    )

    def payload(self) -> dict[str, Any]:
        """The whole record as the platform takes it."""
        return {"name": self.cleaned_data["name"], "description": self.cleaned_data["description"]}


class TestForm(TextForm):
    """All fields of a draft."""

    __test__ = False  # the name starts with Test: keep pytest from collecting it
    record: ClassVar[Sequence[str]] = (*TextForm.record, "video_ids")

    def __init__(self, *args: Any, titles: Mapping[str, str] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.titles = titles or {}

    video_ids = VideoIds(label=gettext_lazy("Variants"), required=False)

    def payload(self) -> dict[str, Any]:
        return {**super().payload(), "video_ids": self.cleaned_data["video_ids"]}

    def comparable(self, name: str, value: Any) -> Any:
        """Variants in any order: the platform may list them in another one."""
        comparable_value = super().comparable(name, value)
        return (
            sorted(map(str, comparable_value))
            if name == "video_ids" and isinstance(comparable_value, list)
            else comparable_value
        )

    def describe(self, name: str, value: Any) -> str:
        """Variants by their titles."""
        return (
            ", ".join(self.titles.get(video_id, video_id) for video_id in value) if name == "video_ids" else str(value)
        )

    def list_video_ids(self) -> list[str]:
        """The video ids in the form, valid or not."""
        if self.is_bound:
            return [str(value) for value in self["video_ids"].value() or ()]
        return [str(value) for value in self.initial.get("video_ids", ())]


class StartForm(forms.Form):
    """Confirms the start, which cannot be undone: the variants are fixed from then on."""

    sure = forms.BooleanField(
        label=gettext_lazy("I have checked the variants. Start the test."),
        error_messages={"required": gettext_lazy("Tick the box to start the test.")},
    )


class FinishForm(forms.Form):
    """The winner, without a default, and a reason if it does not follow from the read-out."""

    winner = forms.ChoiceField(
        label=gettext_lazy("Declare the winner"),
        widget=forms.RadioSelect,
        error_messages={
            "required": gettext_lazy("Choose the winner."),
            "invalid_choice": gettext_lazy("Choose one of the variants."),
        },
    )
    reason = forms.CharField(
        label=gettext_lazy("Why now"),
        max_length=2000,
        required=False,
        widget=forms.Textarea(attrs={"rows": 2}),
        help_text=gettext_lazy("Required if the numbers don't show this winner. It is saved with the result."),
    )

    def __init__(self, *args: Any, winners: list[tuple[str, str]], disagreeing: set[str], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.disagreeing = disagreeing
        field = self.fields["winner"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101  (declared above)
        field.choices = winners

    def clean(self) -> dict[str, Any]:
        cleaned: dict[str, Any] = super().clean() or {}
        if cleaned.get("winner") in self.disagreeing and not cleaned.get("reason"):
            sentence = _("Give a reason: the numbers don't show this winner, or not yet.")
            self.add_error("reason", sentence)
        return cleaned


class DeleteForm(forms.Form):
    """Confirms the deletion, which cannot be undone, by the typed name."""

    name = forms.CharField(
        label=gettext_lazy("Type the name of the test"),
        error_messages={"required": gettext_lazy("Type the name of the test to delete it.")},
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, test_name: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.test_name = test_name

    def clean_name(self) -> str:
        typed: str = self.cleaned_data["name"]
        if " ".join(typed.split()) != " ".join(self.test_name.split()):
            raise forms.ValidationError(
                _("This is not the name of the test. It is “%(name)s”.") % {"name": self.test_name}
            )
        return typed


class TermsForm(RecordForm):
    """How the test is judged."""

    record: ClassVar[Sequence[str]] = ("level", "equal_points")
    level = forms.TypedChoiceField(
        label=gettext_lazy("Certainty"),
        coerce=int,
        choices=[(level, f"{level}%") for level in LEVELS],
        help_text=gettext_lazy("At 95%, at most 5 of 100 tests without a real difference will show a winner."),
    )
    equal_points = CommaNumber(
        label=gettext_lazy("Count as equal, in points"),
        help_text=gettext_lazy("A difference smaller than this does not matter to you. 0 switches it off."),
        min_value=Decimal(0),
        max_value=Decimal(50),
        decimal_places=2,
        widget=forms.TextInput(attrs=COMMA),
        error_messages={"invalid": gettext_lazy("Write a number, like 0.5.")},
    )


class PlanForm(forms.Form):
    """Inputs of the planner; an empty field uses the account's own figures."""

    base = CommaNumber(
        label=gettext_lazy("Play rate, percent"),
        required=False,
        min_value=Decimal("0.01"),
        max_value=Decimal("99.99"),
        widget=forms.TextInput(attrs=COMMA),
        error_messages={"invalid": gettext_lazy("Write a number between 0 and 100.")},
    )
    daily = CommaNumber(
        label=gettext_lazy("Page loads a day, all variants together"),
        required=False,
        min_value=Decimal("0.01"),
        max_value=Decimal(10**9),
        widget=forms.TextInput(attrs=COMMA),
        error_messages={"invalid": gettext_lazy("Write a number of page loads.")},
    )
    lift = CommaNumber(
        label=gettext_lazy("A lift of your own, percent"),
        required=False,
        min_value=Decimal("0.1"),
        max_value=Decimal(1000),
        widget=forms.TextInput(attrs=COMMA),
        error_messages={"invalid": gettext_lazy("Write a number, like 12.")},
    )
