"""Marks drawn as HTML: a symbol of the sprite and how a figure changed, as tables have them in each of a hundred rows; QR codes."""

import html
from functools import lru_cache
from typing import Final

import segno
from django.core.signals import setting_changed
from django.templatetags.static import static
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from dashboard.shared.charts.figures import Change

ICONS: Final = {"up": "up", "down": "dn"}


@lru_cache(maxsize=512)
def draw_icon(name: str, block: str = "icon") -> SafeString:
    """A symbol of the sprite: "plus", or "open" with the block "shape" for a state's shape. Decoration only.

    Made once: a long table has hundreds, and where the sprite lies is asked of the storage each time.
    """
    prefix = "s" if block == "shape" else "i"
    return format_html(
        '<svg class="{}" aria-hidden="true"><use href="{}#{}-{}"/></svg>', block, static("img/icons.svg"), prefix, name
    )


def _forget(**kwargs: object) -> None:
    draw_icon.cache_clear()


setting_changed.connect(_forget)


def draw_change(moved: Change | None, why: str = "", what: str = "", *, neutral: bool = False) -> SafeString:
    """An arrow, a word for those who do not see it, and the share; nothing for None.

    `why`: the address that splits it; `what`: what changed, for those who hear the link alone. `neutral`: up is neither good
    nor bad.
    """
    if not moved or not moved.words:
        return SafeString("")
    direction = "up" if moved.up else "down" if moved.down else ""
    words = _words(get_language() or "en")
    look = f" change--{direction}" if direction and not neutral else ""
    lead = (
        f'{draw_icon(ICONS[direction])} <span class="visually-hidden">{words[direction]} </span>' if direction else ""
    )
    share = f'<span class="change{look}">{lead}{_escape(moved.words)}</span>'
    if not why or not direction:
        return SafeString(share)
    named = f'<span class="visually-hidden"> {_escape(what)}</span>' if what else ""
    link = f'<a class="change__why" href="{_escape(why)}">{words["why"]}{named}</a>'
    return SafeString(f'<span class="change-why">{share} {link}</span>')


@lru_cache(maxsize=4)
def _words(language: str) -> dict[str, str]:
    """What every change says, looked up once for each language."""
    return {name: _escape(word) for name, word in (("up", _("up")), ("down", _("down")), ("why", _("Why?")))}


def _escape(text: str) -> str:
    """What Django's own conditional escape does, which asks of every text first whether it is lazy."""
    return text if isinstance(text, SafeString) else html.escape(text)


QR_BORDER = 4
"""Modules of white around the code; with less, scanners miss it."""


def draw_qr_code(address: str, title: str) -> SafeString:
    """The QR code of an address as SVG for a page: black on white in both themes, no style attributes, its name as `title`."""
    svg = segno.make(address, error="m").svg_inline(
        border=QR_BORDER, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True, title=title
    )
    return mark_safe(svg)  # noqa: S308  (drawn here; the address is only in its modules, the title is escaped)
