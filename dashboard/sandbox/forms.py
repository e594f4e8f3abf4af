"""What a person can tell the embedded platform on its own page."""

from typing import Any, Final

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from dashboard.sandbox import clock, faults
from dashboard.sandbox.faults import Broken
from dashboard.sandbox.models import Fault
from dashboard.sandbox.routes import NAMES

STATUSES: Final = (400, 401, 403, 404, 429, 500, 502, 503)
_MINUTE_MS: Final = 60_000


def answers() -> list[tuple[str, str]]:
    """What an operation can be told to answer, as values and words."""
    statuses = [(str(status), _("Answers %(status)d") % {"status": status}) for status in STATUSES]
    return [
        ("", _("Answers normally")),
        *statuses,
        (Broken.REFUSED, _("Refuses the connection")),
        (Broken.DROPPED, _("Drops the connection before anything happens")),
        (Broken.LOST, _("Carries it out, then drops the connection")),
        (Broken.HANGS, _("Never answers, and nothing happens")),
        (Broken.STALLS, _("Carries it out, but never answers")),
    ]


def operations() -> list[tuple[str, str]]:
    """What can go wrong."""
    return [(faults.EVERY, _("Every operation")), *((name, name) for name in NAMES)]


class FaultForm(forms.Form):
    """One operation and what it does wrong."""

    operation = forms.ChoiceField(
        label=gettext_lazy("Operation"),
        choices=operations,
        help_text=gettext_lazy("A problem set for one operation takes precedence over one set for every operation."),
    )
    answer = forms.ChoiceField(label=gettext_lazy("What it does"), choices=answers, required=False)
    latency_ms = forms.IntegerField(
        label=gettext_lazy("Latency (ms)"), min_value=0, max_value=_MINUTE_MS, required=False
    )
    jitter_ms = forms.IntegerField(
        label=gettext_lazy("Give or take (ms)"), min_value=0, max_value=_MINUTE_MS, required=False
    )
    retry_after = forms.IntegerField(label=gettext_lazy("Retry-After (s)"), min_value=0, max_value=3600, required=False)
    times = forms.IntegerField(
        label=gettext_lazy("How many times"),
        help_text=gettext_lazy("Empty: until you clear it."),
        min_value=1,
        max_value=10_000,
        required=False,
    )

    def clean(self) -> dict[str, Any]:
        """A fault that changes nothing is a mistake."""
        cleaned = super().clean() or {}
        if not self.errors and not any(cleaned.get(name) for name in ("answer", "latency_ms", "jitter_ms")):
            self.add_error("answer", _("Choose a problem or a latency."))
        return cleaned

    def save(self) -> str:
        """Set the fault; return its operation."""
        values: dict[str, Any] = self.cleaned_data
        answer = values["answer"]
        faults.set(
            values["operation"],
            latency_ms=values["latency_ms"] or 0,
            jitter_ms=values["jitter_ms"] or 0,
            status=int(answer) if answer.isdigit() else None,
            retry_after=values["retry_after"],
            broken="" if answer.isdigit() else answer,
            times=values["times"],
        )
        operation: str = values["operation"]
        return operation


class OptionsForm(forms.Form):
    """How the CDN of the public AI content files behaves."""

    cdn_delay = forms.FloatField(label=gettext_lazy("Old version answered for (s)"), min_value=0, max_value=3600)
    ignores_query = forms.BooleanField(label=gettext_lazy("Also when the address has a query string"), required=False)

    @classmethod
    def current(cls) -> "OptionsForm":
        """The form as things are."""
        return cls(
            initial={
                "cdn_delay": f"{clock.cdn_delay().total_seconds():g}",
                "ignores_query": clock.cdn_ignores_query(),
            }
        )

    def save(self) -> None:
        """Set both."""
        clock.set_option(clock.CDN_DELAY, self.cleaned_data["cdn_delay"])
        clock.set_option(clock.CDN_IGNORES_QUERY, float(self.cleaned_data["ignores_query"]))


def describe_fault(fault: Fault) -> tuple[str, str, str]:
    """Whom a fault hits, what it does, and for how long."""
    parts = []
    answer = str(fault.status or fault.broken)
    if answer:
        parts.append(dict(answers()).get(answer, answer))
    if fault.retry_after is not None:
        parts.append(_("Retry-After %(seconds)d s") % {"seconds": fault.retry_after})
    if fault.latency_ms or fault.jitter_ms:
        parts.append(_("%(ms)d ms late, give or take %(jitter)d") % {"ms": fault.latency_ms, "jitter": fault.jitter_ms})
    left = fault.remaining
    return (
        _("Every operation") if fault.operation == faults.EVERY else fault.operation,
        " · ".join(parts),
        _("Until cleared") if left is None else ngettext("%d more call", "%d more calls", left) % left,
    )
