"""Showing and hiding the chat of an assistant on many videos: two opposite acts, two actions that become a run."""

import uuid
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.accounts.models import Account
from dashboard.assistants import rules
from dashboard.assistants.models import Added, Switch
from dashboard.assistants.rules import Chat, LastSwitch
from dashboard.assistants.writes import SWITCH, cancel_earlier
from dashboard.platform_api import Operations
from dashboard.platform_api.assistants import Assistant
from dashboard.upstream.parallel import Ready
from dashboard.upstream.reads import Query, Reads
from dashboard.writes.models import Write
from dashboard.writes.outbox import Intent
from dashboard.writes.requests import scope_of
from dashboard.writes.run_actions import RunAction, RunOrder, Target, register


class AssistantForm(forms.Form):
    """Whose chat."""

    assistant = forms.ChoiceField(
        label=gettext_lazy("Assistant"),
        error_messages={
            "required": gettext_lazy("Choose an assistant."),
            "invalid_choice": gettext_lazy("Choose an assistant from the list."),
        },
    )

    def __init__(self, data: QueryDict | None = None, *, assistants: Sequence[Assistant]) -> None:
        super().__init__(data)
        self.names = {assistant.id: assistant.name or assistant.id for assistant in assistants}
        field = self.fields["assistant"]
        assert isinstance(field, forms.ChoiceField)  # noqa: S101
        field.choices = list(self.names.items())
        if not self.names:
            field.help_text = _("No assistant is known here. Add yours by its id on the page Assistants.")


class SwitchChats(RunAction):
    """One direction of the switch."""

    is_shown: ClassVar[bool]
    title: ClassVar[Any]

    def build_form(self, account: Account, data: QueryDict | None = None) -> AssistantForm:
        """The assistants that are known here."""
        return AssistantForm(data, assistants=_list_assistants(account))

    def read_options(self, form: AssistantForm) -> dict[str, Any]:
        """The assistant and its name."""
        assistant_id = form.cleaned_data["assistant"]
        return {"assistant_id": assistant_id, "name": form.names[assistant_id]}

    def format_title(self, options: Mapping[str, Any]) -> str:
        """Hide chat of Bento."""
        return str(self.title) % {"assistant": options["name"]}

    def find_reasons(self, order: RunOrder, targets: Sequence[Target]) -> dict[str, str]:
        """Videos whose chat is as asked already."""
        states = _load_chats(order.account, order.options["assistant_id"], [target.video_id for target in targets])
        return {
            target.video_id: "same"
            for target in targets
            if rules.is_shown(states.get(target.video_id, Chat.UNKNOWN)) is self.is_shown
        }

    def explain(self, reason: str) -> str:
        """That nothing has to be changed."""
        return _("The chat is shown already.") if self.is_shown else _("The chat is hidden already.")

    def build_intent(self, order: RunOrder, target: Target, attempt: int) -> Intent:
        """The switch of one chat."""
        place = {"assistant_id": order.options["assistant_id"], "video_id": target.video_id}
        chats = _load_chats(order.account, place["assistant_id"], [target.video_id])
        was = rules.is_shown(chats.get(target.video_id, Chat.UNKNOWN))
        after = {**place, "chat_is_visible": self.is_shown}
        return Intent(
            operation=SWITCH,
            scope=scope_of(order.account),
            key=uuid.uuid5(uuid.UUID(order.key), f"{target.video_id} {attempt}"),
            request=after,
            account=order.account,
            actor=order.actor,
            subject=target.video_id,
            label=f"{order.options['name']}, {target.title or target.video_id}",
            before=None if was is None else {**place, "chat_is_visible": was},
            after=after,
        )

    def supersede(self, write: Write) -> None:
        """An earlier switch of the chat that still waits is not sent any more."""
        cancel_earlier(write)

    def preview(self, order: RunOrder, target: Target) -> Callable[[Operations], object]:
        """The switch of one chat."""
        return lambda platform: platform.assistants.update_chat_visibility(
            order.options["assistant_id"], target.video_id, self.is_shown
        )


class ShowChats(SwitchChats):
    """Show the chat to viewers."""

    name = "show_chat"
    label = gettext_lazy("Show chat")
    title = gettext_lazy("Show chat of %(assistant)s")
    is_shown = True


class HideChats(SwitchChats):
    """Hide the chat from viewers."""

    name = "hide_chat"
    label = gettext_lazy("Hide chat")
    title = gettext_lazy("Hide chat of %(assistant)s")
    is_shown = False


def _list_assistants(account: Account) -> tuple[Assistant, ...]:
    listed = Reads(account).known(assistants=ASSISTANTS)["assistants"]
    added = [Assistant(row.assistant_id, row.name, {}) for row in Added.objects.filter(account_id=account.pk)]
    return rules.merge_assistants(listed.value if isinstance(listed, Ready) else (), added)


ASSISTANTS: Query[tuple[Assistant, ...]] = Query(lambda platform: platform.assistants.list())


def _load_chats(account: Account, assistant_id: str, videos: Sequence[str]) -> dict[str, Chat]:
    """What is known of this assistant's chat, by video. Reads nothing."""
    listed = next((entry for entry in _list_assistants(account) if entry.id == assistant_id), None)
    rows = Switch.objects.filter(account_id=account.pk, assistant_id=assistant_id, video_id__in=videos)
    last = {row.video_id: LastSwitch(row.visible, row.confirmed) for row in rows}
    read = listed.chat if listed else {}
    return {video: rules.chat_state(read.get(video), last.get(video)) for video in videos}


register(ShowChats())
register(HideChats())
