"""Which style sheets a page loads: what all pages share, and what those of its feature show besides."""

from functools import lru_cache
from pathlib import Path

from django import template
from django.conf import settings
from django.template.context import Context
from django.templatetags.static import static
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag(takes_context=True)
def style_sheets(context: Context) -> SafeString:
    """The links to `css/app.css` and to the sheet that is named like the page's feature, where there is one.

    Two files, not one: the shared one is two thirds of both, and stays in the browser from page to page.
    """
    request = context.get("request")
    match = getattr(request, "resolver_match", None)
    names = ["app", *([match.app_name] if match and match.app_name in _entries() else [])]
    addresses = ((static(f"css/{name}.css"),) for name in names)
    return format_html_join("\n  ", '<link rel="stylesheet" href="{}">', addresses)


@lru_cache(maxsize=1)
def _entries() -> frozenset[str]:
    return frozenset(path.stem for folder in settings.STATICFILES_DIRS for path in Path(folder).glob("css/*.css"))
