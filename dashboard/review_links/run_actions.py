"""A review link for each of many videos: the action that becomes a run [4.4]."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.accounts.models import Account
from dashboard.platform_api import Operations
from dashboard.platform_api.vocabulary import LINK_NAME_MAX
from dashboard.review_links import rules
from dashboard.review_links.forms import describe_problem
from dashboard.review_links.writes import CREATE
from dashboard.shared import formats
from dashboard.upstream.reads import Reads
from dashboard.upstream.video_options import describe_unplayable, find_unplayable
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import scope_of
from dashboard.writes.run_actions import RunAction, RunOrder, Target, register


class ManyLinksForm(forms.Form):
    """What the links have in common."""

    name = forms.CharField(
        label=gettext_lazy("Name of the links"),
        help_text=gettext_lazy("Leave it empty to give each link the title of its video."),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": str(LINK_NAME_MAX), "autocomplete": "off"}),
    )
    days = forms.TypedChoiceField(
        label=gettext_lazy("Closes"),
        coerce=int,
        error_messages={"required": gettext_lazy("Choose when the links close.")},
    )
    allow_comment = forms.BooleanField(label=gettext_lazy("Reviewers may comment"), required=False)
    allow_status_edit = forms.BooleanField(label=gettext_lazy("Reviewers may resolve and reopen"), required=False)
    show_resolved = forms.BooleanField(label=gettext_lazy("Resolved comments stay visible"), required=False)

    def __init__(self, data: QueryDict | None = None) -> None:
        super().__init__(data, initial={**dict.fromkeys(rules.SWITCHES, True), "days": rules.PRESET_FIRST})
        field = self.fields["days"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = [(days, _format_days(days)) for days, _at in rules.list_presets(timezone.now())]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if name and (problems := rules.check_name(name)):
            raise ValidationError([describe_problem(problem) for problem in problems])
        return name


def _format_days(days: int) -> str:
    return ngettext("In %(days)s day", "In %(days)s days", days) % {"days": formats.number(days)}


class CreateReviewLinks(RunAction):
    """One link a video; its days count from the moment it is created."""

    name = "review_links"
    label = gettext_lazy("Create review links")

    def build_form(self, account: Account, data: QueryDict | None = None) -> ManyLinksForm:
        """Name, closing time and permissions."""
        return ManyLinksForm(data)

    def read_options(self, form: ManyLinksForm) -> dict[str, Any]:
        """The form's values."""
        return {name: form.cleaned_data[name] for name in ("name", "days", *rules.SWITCHES)}

    def format_title(self, options: Mapping[str, Any]) -> str:
        """Create review links."""
        return _("Create review links: %(name)s") % {"name": options["name"]} if options["name"] else str(self.label)

    def find_reasons(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, str]:
        """Videos that viewers cannot play, by their status."""
        return find_unplayable(Reads(order.account), {target.video_id for target in targets})

    def explain(self, reason: str) -> str:
        """Why a video is left out."""
        return describe_unplayable(reason)

    def build_intent(self, order: RunOrder, target: Target, attempt: int) -> Intent:
        """The link of one video."""
        payload = _build_payload(order, target)
        return Intent(
            operation=CREATE,
            scope=scope_of(order.account),
            key=uuid.uuid5(uuid.UUID(order.key), f"{target.video_id} {attempt}"),
            request={"video_id": target.video_id, "title": target.title, "payload": payload},
            account=order.account,
            actor=order.actor,
            subject=target.video_id,
            label=payload["link_name"],
            after=payload,
        )

    def preview(self, order: RunOrder, target: Target) -> Callable[[Operations], object]:
        """The link of one video."""
        return lambda platform: platform.review_links.create(uuid.UUID(target.video_id), _build_payload(order, target))


def _build_payload(order: RunOrder, target: Target) -> dict[str, Any]:
    options = order.options
    days = dict(rules.list_presets(timezone.now()))
    closes = days.get(options["days"], timezone.now() + timedelta(days=options["days"]))
    switches = {name: bool(options[name]) for name in rules.SWITCHES}
    return rules.build_payload(options["name"] or rules.suggest_name(target.title) or target.video_id, closes, switches)


register(CreateReviewLinks())
