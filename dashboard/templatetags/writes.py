"""The key of a form that writes."""

import uuid

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from dashboard.writes.requests import KEY_FIELD

register = template.Library()


@register.simple_tag
def write_key(name: str = KEY_FIELD) -> SafeString:
    """The hidden field of a form that writes: new with every rendering, the same when the form is sent twice."""
    return format_html('<input type="hidden" name="{}" value="{}">', name, uuid.uuid4())
