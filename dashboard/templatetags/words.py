"""`shared.formats` and `shared.marks` for templates. Hot lists use prepared strings instead."""

from collections.abc import Callable
from typing import Any

from django import template
from django.forms import BoundField
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.shared import addresses, formats, marks

register = template.Library()


@register.filter
def number(value: float | None, digits: int | None = None) -> str:
    """12,480; nothing for None. `digits` fixes the decimals."""
    return "" if value is None else formats.number(value, digits)


def write_known(write: Callable[[Any], str]) -> Callable[[Any], str]:
    """`write`, and nothing for None."""
    return lambda value: "" if value is None else write(value)


THINGS = {
    "live": gettext_noop("a live"),
    "ab_test": gettext_noop("an A/B test"),
    "video": gettext_noop("a video"),
    "playlist": gettext_noop("a playlist"),
    "funnel": gettext_noop("a funnel"),
}


@register.filter
def with_article(kind: str) -> str:
    """A live; nothing for a kind of things that has no name here."""
    return _(THINGS[kind]) if kind in THINGS else ""


for name in ("clock", "day", "moment", "moment_or_time", "ago"):
    register.filter(name, write_known(getattr(formats, name)))
register.filter("language_name", formats.language_name)
register.filter("videos", formats.videos)
register.filter("duration", formats.duration)
register.filter("video_address", addresses.video_address)
register.filter("thing_named", addresses.find_thing)
register.simple_tag(addresses.address, name="address")
register.simple_tag(marks.draw_icon, name="icon")
register.simple_tag(marks.draw_change, name="change")


@register.simple_tag
def badge(word: str, kind: str, shape: str = "", *, plain: bool = False) -> SafeString:
    """A state: its word, its kind ("finished", "error" …), which colours it, and its shape where that is not the kind's own.

    `plain`: without a ground, as rows of tables have it.
    """
    look = f"badge badge--plain is-{kind}" if plain else f"badge is-{kind}"
    return format_html('<span class="{}">{}{}</span>', look, marks.draw_icon(shape or kind, "shape"), word)


CONTROL_CLASSES = {"select": "select", "textarea": "textarea", "checkbox": "", "radio": ""}


@register.filter
def control(field: BoundField) -> SafeString:
    """A form field's control with its class and, when it is wrong, what assistive technology needs to know."""
    widget = field.field.widget
    kind = getattr(widget, "input_type", "textarea" if "Textarea" in type(widget).__name__ else "input")
    names = [field.css_classes(), str(widget.attrs.get("class", "")), CONTROL_CLASSES.get(kind, "input")]
    attrs: dict[str, str | bool] = {"class": " ".join(name for name in names if name)}
    described = [f"{field.auto_id}_helptext"] if field.help_text else []
    if field.errors:
        attrs["aria-invalid"] = "true"
        described.append(f"{field.auto_id}_error")
    if described:
        attrs["aria-describedby"] = " ".join(described)
    return field.as_widget(attrs=attrs)


@register.filter
def language_name_local(code: str) -> str:
    """A language of the interface in its own words: Português. There is one of each, and phones have no room for regions."""
    return formats.language_name(code.partition("-")[0], own=True)
