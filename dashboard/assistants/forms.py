"""Forms of the assistants: one added by its id, and a switch of several chats."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.assistants import rules
from dashboard.platform_api.assistants import Assistant

EVERY = "*"
CHOSEN, PAGE, MATCHING = "chosen", "page", "matching"
"""Which videos: those with a tick, all of the page, or all that match the search and the folder."""
MATCHING_MOST = 500
"""Chats of so many videos are switched by one press; more are switched folder by folder."""
DIRECTIONS = (("1", gettext_lazy("Show")), ("0", gettext_lazy("Hide")))


class AddForm(forms.Form):
    """An assistant's id as the platform shows it, and a name to know it by."""

    assistant_id = forms.CharField(
        label=gettext_lazy("Id of the assistant"),
        help_text=gettext_lazy("It is in the address of the assistant’s page on the platform."),
        max_length=rules.ID_MAX,
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
        error_messages={"required": gettext_lazy("Enter the id of the assistant.")},
    )
    name = forms.CharField(
        label=gettext_lazy("Name in Reelroom"),
        max_length=200,
        required=False,
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )

    def clean_assistant_id(self) -> str:
        """One word."""
        typed: str = self.cleaned_data["assistant_id"]
        if not rules.is_possible_id(typed):
            raise forms.ValidationError(_("An id is one word. Remove spaces and slashes."))
        return typed


class SwitchForm(forms.Form):
    """Several chats at once: some videos, one assistant or all, shown or hidden."""

    video = forms.MultipleChoiceField(required=False)
    scope = forms.ChoiceField(label=gettext_lazy("Videos"), required=False)
    assistant = forms.ChoiceField(
        label=gettext_lazy("Assistant"),
        error_messages={
            "required": gettext_lazy("Choose an assistant."),
            "invalid_choice": gettext_lazy("Choose an assistant from the list."),
        },
    )
    visible = forms.ChoiceField(
        label=gettext_lazy("Chat"),
        choices=DIRECTIONS,
        error_messages={
            "required": gettext_lazy("Choose Show or Hide."),
            "invalid_choice": gettext_lazy("Choose Show or Hide."),
        },
    )

    def __init__(
        self,
        *args: Any,
        assistants: tuple[Assistant, ...],
        videos: dict[str, str],
        total: int | None = None,
        **kwargs: Any,
    ) -> None:
        """`total`: how many videos match the search and the folder, None where that is not known."""
        super().__init__(*args, **kwargs)
        scopes = [(CHOSEN, _("Chosen above")), (PAGE, _("All on this page (%(count)s)") % {"count": len(videos)})]
        if total is not None and len(videos) < total <= MATCHING_MOST:
            scopes.append((MATCHING, _("All that match (%(count)s)") % {"count": total}))
        self.fields["scope"].choices = scopes  # type: ignore[attr-defined]  # a ChoiceField, declared above
        self._ids = tuple(assistant.id for assistant in assistants)
        several = [(EVERY, _("All assistants"))] if len(assistants) > 1 else []
        choices = [(assistant.id, assistant.name or assistant.id) for assistant in assistants] + several
        self.fields["assistant"].choices = choices  # type: ignore[attr-defined]  # a ChoiceField, declared above
        self.fields["video"].choices = list(videos.items())  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        """Ticks are needed where the videos with a tick are meant."""
        cleaned: dict[str, Any] = super().clean() or {}
        if self.get_scope() == CHOSEN and not cleaned.get("video") and "video" not in self.errors:
            self.add_error("video", _("Choose at least one video."))
        return cleaned

    def get_scope(self) -> str:
        """Which videos are meant."""
        return self.cleaned_data.get("scope") or CHOSEN

    def chats(self, matching: Sequence[str] = ()) -> list[tuple[str, str]]:
        """Assistant and video of every chat to switch. `matching`: the videos that match, where those are meant."""
        selected = self.cleaned_data["assistant"]
        assistants = self._ids if selected == EVERY else (selected,)
        page = [value for value, _title in self.fields["video"].choices]  # type: ignore[attr-defined]
        videos = {CHOSEN: self.cleaned_data["video"], PAGE: page, MATCHING: matching}[self.get_scope()]
        return [(assistant, video) for video in videos for assistant in assistants]

    def is_visible(self) -> bool:
        """Whether they are to be shown."""
        return bool(self.cleaned_data["visible"] == "1")
