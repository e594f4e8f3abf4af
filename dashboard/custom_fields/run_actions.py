"""Setting one custom field of many videos to one value: the action that becomes a run [4.6]."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.accounts.models import Account
from dashboard.custom_fields import pages, rules
from dashboard.custom_fields.models import Field
from dashboard.custom_fields.writes import UPDATE, cancel_earlier
from dashboard.platform_api import Operations
from dashboard.shared.addresses import address
from dashboard.writes.models import Write
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import scope_of
from dashboard.writes.run_actions import RunAction, RunOrder, Target, register

NO_FIELD: Final = "no_field"
SAME: Final = "same"


class FieldValueForm(forms.Form):
    """Which field gets which value."""

    key = forms.ChoiceField(label=gettext_lazy("Field"), error_messages={"required": gettext_lazy("Choose a field.")})
    value = forms.CharField(
        label=gettext_lazy("New value"), strip=False, required=False, widget=forms.Textarea(attrs={"rows": 1})
    )

    def __init__(self, data: QueryDict | None = None, *, keys: Sequence[str]) -> None:
        super().__init__(data)
        field = self.fields["key"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [("", _("Choose a field")), *((key, key) for key in keys)]
        if not keys:
            field.help_text = _("No fields are known here yet. Open the page Custom fields first: it reads them.")

    def clean_value(self) -> str:
        """A browser writes line ends as two characters; the platform keeps one."""
        value: str = self.cleaned_data["value"].replace("\r\n", "\n")
        if problem := rules.value_problem(value):
            raise forms.ValidationError(pages.format_problem(problem, value))
        return value


class SetField(RunAction):
    """One value in the field of the same key, video by video."""

    name = "set_field"
    label = gettext_lazy("Set custom field")

    def build_form(self, account: Account, data: QueryDict | None = None) -> FieldValueForm:
        """The keys that the account's videos have."""
        keys = Field.objects.filter(account_id=account.pk).exclude(key="").order_by("key")
        return FieldValueForm(data, keys=list(keys.values_list("key", flat=True).distinct()))

    def read_options(self, form: FieldValueForm) -> dict[str, Any]:
        """Key and value."""
        return {"key": form.cleaned_data["key"], "value": form.cleaned_data["value"]}

    def format_title(self, options: Mapping[str, Any]) -> str:
        """Set custom field “level” to “Beginner”."""
        return _("Set custom field “%(key)s” to “%(value)s”") % {"key": options["key"], "value": options["value"][:60]}

    def find_reasons(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, str]:
        """Videos without this field, which only the platform can create, and those that have the value."""
        values = {
            video_id: field.value for video_id, field in _load_fields(order, [t.video_id for t in targets]).items()
        }
        reasons = {target.video_id: NO_FIELD for target in targets if target.video_id not in values}
        return reasons | {video_id: SAME for video_id, value in values.items() if value == order.options["value"]}

    def explain(self, reason: str) -> str:
        """Why the field is left alone."""
        if reason == SAME:
            return _("The field has this value already.")
        return _("No field with this key is known for the video. Fields are created on the platform.")

    def list_next_steps(self, order: RunOrder, reasons: Sequence[tuple[Target, str]]) -> dict[str, tuple[str, str]]:
        """The fields of each video that has none with the key."""
        return {
            target.video_id: (_("Open fields"), address("custom_fields:video", target.video_id))
            for target, reason in reasons
            if reason == NO_FIELD
        }

    def prepare(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, dict[str, Any]]:
        """The field of each video as it is known now."""
        fields = _load_fields(order, [target.video_id for target in targets])
        return {
            video_id: {"field_id": field.field_id, "key": field.key, "value": field.value}
            for video_id, field in fields.items()
        }

    def build_intent(self, order: RunOrder, target: Target, attempt: int) -> Intent:
        """The change of one field."""
        place = {"video_id": target.video_id, "field_id": target.data["field_id"], "key": target.data["key"]}
        after = {**place, "value": order.options["value"]}
        return Intent(
            operation=UPDATE,
            scope=scope_of(order.account),
            key=uuid.uuid5(uuid.UUID(order.key), f"{target.video_id} {attempt}"),
            request=after,
            account=order.account,
            actor=order.actor,
            subject=target.video_id,
            label=f"{target.data['key']}, {target.title or target.video_id}",
            before={**place, "value": target.data["value"]},
            after=after,
        )

    def supersede(self, write: Write) -> None:
        """An earlier change of the field that still waits is not sent any more."""
        cancel_earlier(write)

    def preview(self, order: RunOrder, target: Target) -> Callable[[Operations], object]:
        """The change of one field."""
        field = _load_fields(order, [target.video_id])[target.video_id]
        return lambda platform: platform.custom_fields.update(
            target.video_id, field.field_id, value=order.options["value"], key=None
        )


def _load_fields(order: RunOrder, videos: Sequence[str]) -> dict[str, Field]:
    """The field with the key of the order, by video, as it was last read."""
    rows = Field.objects.filter(account_id=order.account.pk, key=order.options["key"], video_id__in=videos)
    return {row.video_id: row for row in rows}


register(SetField())
