"""Forms of the desk: what a new link shall be, which link to take in, and what a list shall show."""

import uuid
import zoneinfo
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from dashboard.platform_api.vocabulary import LINK_NAME_MAX
from dashboard.review_links import rules
from dashboard.review_links.rules import Problem, Reason
from dashboard.shared import record_form
from dashboard.shared.text import parse_link_id
from review_portal.models import Claim, ReviewLink

CUSTOM = "custom"
LOCAL_FORMATS = ("%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S", "%Y-%m-%d %H:%M", "%d/%m/%Y %H:%M")
OLDEST_FORM = timedelta(days=2)
YES_NO = (("", gettext_lazy("Not known")), ("on", gettext_lazy("Yes")), ("off", gettext_lazy("No")))


class LinkForm(forms.Form):
    """A new link. `form_at` and `zone` fix the moment and the zone it was shown with, so that it sends what it showed."""

    form_at = forms.IntegerField(widget=forms.HiddenInput, required=False)
    zone = forms.CharField(widget=forms.HiddenInput, required=False)
    name = forms.CharField(
        label=gettext_lazy("Name of the link"),
        help_text=gettext_lazy("Reviewers see it. Letters, digits, spaces and - _ . are possible."),
        required=False,
        widget=forms.TextInput(attrs={"maxlength": str(LINK_NAME_MAX)}),
    )
    closes = forms.CharField(label=gettext_lazy("Closes"), required=False)
    closes_at = forms.CharField(
        label=gettext_lazy("Date and time"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local", "data-chooses": f"closes={CUSTOM}"}),
    )
    allow_comment = forms.BooleanField(label=gettext_lazy("Reviewers may comment"), required=False)
    allow_status_edit = forms.BooleanField(label=gettext_lazy("Reviewers may resolve and reopen"), required=False)
    show_resolved = forms.BooleanField(label=gettext_lazy("Resolved comments stay visible"), required=False)
    allow_preview = forms.BooleanField(label=gettext_lazy("Preview in chats and emails"), required=False)
    send_decisions = forms.BooleanField(label=gettext_lazy("Post decisions as comments"), required=False)

    @property
    def shown_at(self) -> datetime:
        """The moment its closing times count from: when the form was first shown, unless that is days ago."""
        now = timezone.now()
        try:
            moment = datetime.fromtimestamp(int(self["form_at"].value() or 0), UTC)
        except (ValueError, OverflowError, OSError):
            return now
        return moment if now - OLDEST_FORM < moment <= now else now

    @property
    def zone_in_use(self) -> zoneinfo.ZoneInfo:
        """The zone it was shown in: the reader's may have become known only since."""
        name = str(self["zone"].value() or "") or timezone.get_current_timezone_name()
        try:
            return zoneinfo.ZoneInfo(name)
        except (ValueError, zoneinfo.ZoneInfoNotFoundError, OSError):
            return zoneinfo.ZoneInfo("UTC")

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        problems = rules.check_name(name)
        if problems:
            raise ValidationError([describe_problem(problem) for problem in problems])
        return name

    def clean(self) -> dict[str, Any]:
        """Turn the choice into the moment the link closes."""
        cleaned = super().clean() or self.cleaned_data
        closes, problem = self._closes()
        field = "closes_at" if cleaned.get("closes") == CUSTOM else "closes"
        problem = problem or (rules.check_closes(closes, timezone.now()) if closes else None)
        if problem:
            self.add_error(field, describe_problem(problem))
        if cleaned.get("closes") != CUSTOM and cleaned.get("closes_at", "").strip():
            self.add_error("closes_at", record_form.describe_unused(_("At another time")))
        cleaned["closes_moment"] = closes
        return cleaned

    def _closes(self) -> tuple[datetime | None, Problem | None]:
        choice = self.cleaned_data.get("closes", "")
        offered = {str(days): at for days, at in rules.list_presets(self.shown_at)}
        if choice != CUSTOM:
            at = offered.get(choice)
            return (at, None) if at else (None, Problem(Reason.CLOSES_UNREADABLE))
        return parse_moment(self.zone_in_use, self.cleaned_data.get("closes_at", ""))

    def to_payload(self) -> dict[str, Any]:
        """The body of the call [4.4]."""
        cleaned = self.cleaned_data
        switches = {name: bool(cleaned[name]) for name in rules.SWITCHES}
        return rules.build_payload(cleaned["name"], cleaned["closes_moment"], switches)


class NextCutForm(forms.Form):
    """Which link of the account another one is the next cut of. `candidates`: those links, each with what it is called."""

    next_of = forms.ChoiceField(
        label=gettext_lazy("This is the next cut of"),
        required=False,
        error_messages={"invalid_choice": gettext_lazy("Choose one of your links.")},
    )

    def __init__(self, candidates: Mapping[ReviewLink, str], data: Mapping[str, str] | None = None) -> None:
        super().__init__(data)
        self._links = {str(link.pk): link for link in candidates}
        choices = [(str(link.pk), name) for link, name in candidates.items()]
        self.fields["next_of"].choices = [("", _("No earlier cut")), *choices]  # type: ignore[attr-defined]  # a ChoiceField

    @property
    def has_choices(self) -> bool:
        return bool(self._links)

    def get_earlier(self) -> ReviewLink:
        """The link that was chosen, of a form that is valid and has a choice."""
        return self._links[self.cleaned_data["next_of"]]


class ImportForm(forms.Form):
    """A link made elsewhere."""

    link = forms.CharField(
        label=gettext_lazy("Address or id of the link"),
        required=False,
        max_length=4000,  # scanners of mail make an address ten times as long
        help_text=gettext_lazy("Paste the whole address that reviewers got, or only the id at its end."),
        widget=forms.TextInput(attrs={"autocomplete": "off", "spellcheck": "false"}),
    )

    def clean_link(self) -> uuid.UUID:
        link_id = parse_link_id(self.cleaned_data["link"])
        if link_id is None:
            raise ValidationError(describe_problem(Problem(Reason.LINK_UNREADABLE)))
        return uuid.UUID(link_id)


class KnownForm(forms.Form):
    """What the owner knows of a link that the platform does not show. Everything may be left out."""

    name = forms.CharField(
        label=gettext_lazy("Name of the link"),
        required=False,
        max_length=LINK_NAME_MAX,
        error_messages={
            "max_length": gettext_lazy("Shorten the name: it can have at most %(limit_value)s characters.")
        },
        widget=forms.TextInput(attrs={"autocomplete": "off"}),
    )
    closes_at = forms.CharField(
        label=gettext_lazy("Closes"),
        required=False,
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )
    allow_comment = forms.ChoiceField(label=gettext_lazy("Reviewers may comment"), choices=YES_NO, required=False)
    allow_status_edit = forms.ChoiceField(
        label=gettext_lazy("Reviewers may resolve and reopen"), choices=YES_NO, required=False
    )
    show_resolved = forms.ChoiceField(
        label=gettext_lazy("Resolved comments stay visible"), choices=YES_NO, required=False
    )

    def clean_closes_at(self) -> datetime | None:
        """The moment in the zone of the page."""
        typed = self.cleaned_data["closes_at"].strip()
        if not typed:
            return None
        at, problem = parse_moment(zoneinfo.ZoneInfo(timezone.get_current_timezone_name()), typed)
        if problem:
            raise ValidationError(describe_problem(problem))
        return at

    def to_claim(self) -> dict[str, Any]:
        """The fields of the import that it fills; what was left out is not known."""
        cleaned = self.cleaned_data
        switches = {name: {"on": True, "off": False}.get(cleaned[name]) for name in rules.SWITCHES}
        return {"name": cleaned["name"].strip(), "expires_at": cleaned["closes_at"], **switches}


def build_known_form(claim: Claim) -> KnownForm:
    """The form with what the owner has said before."""
    at = timezone.localtime(claim.expires_at).strftime(LOCAL_FORMATS[0]) if claim.expires_at else ""
    switches = {name: {True: "on", False: "off"}.get(getattr(claim, name), "") for name in rules.SWITCHES}
    return KnownForm(initial={"name": claim.name, "closes_at": at, **switches})


def parse_moment(zone: zoneinfo.ZoneInfo, typed: str) -> tuple[datetime | None, Problem | None]:
    """What a date-time field holds, as a moment in `zone`; an hour that the clocks leave out is refused."""
    for form in LOCAL_FORMATS:
        try:
            naive = datetime.strptime(typed.strip(), form)  # noqa: DTZ007  (the zone is added below)
        except ValueError:
            continue
        local = naive.replace(tzinfo=zone)
        if local.astimezone(UTC).astimezone(zone).replace(tzinfo=None) != naive:
            return None, Problem(Reason.CLOSES_NEVER_IS)
        return local.astimezone(UTC), None
    return None, Problem(Reason.CLOSES_UNREADABLE)


def describe_problem(problem: Problem) -> str:
    """What to do about a problem, then why."""
    values = {"character": format_character(problem.character), "place": problem.place, "limit": problem.limit}
    values["over"] = problem.place - problem.limit
    return _sentences()[problem.reason] % values


def format_character(character: str) -> str:
    """A character as it can be named: what nobody sees by its number."""
    if not character:
        return ""
    return f"“{character}”" if character.isprintable() and not character.isspace() else f"U+{ord(character):04X}"


def _sentences() -> dict[Reason, str]:
    return {
        Reason.NAME_EMPTY: _("Give the link a name. Reviewers see it above the video."),
        Reason.NAME_TOO_LONG: _("Shorten the name by %(over)s characters. It can have %(limit)s."),
        Reason.NAME_FORBIDDEN: _("Remove %(character)s (character %(place)s)."),
        Reason.CLOSES_UNREADABLE: _("Choose when the link closes, as date and time."),
        Reason.CLOSES_NEVER_IS: _("Choose another hour. This one does not exist on that day: the clocks change."),
        Reason.CLOSES_PAST: _("Choose a time at least 5 minutes from now. A closed link cannot be opened again."),
        Reason.CLOSES_TOO_FAR: _("Choose a time within the next %(limit)s days. Links cannot be open for longer."),
        Reason.LINK_UNREADABLE: _("Paste the address of the link. It ends with an id of 36 characters."),
        Reason.ALL_CLOSED: _("No link of this video is open, and changes go through an open link. Create one first."),
        Reason.STATUS_LOCKED: _(
            "No open link of this video allows resolving comments. Create one where reviewers may resolve."
        ),
    }
