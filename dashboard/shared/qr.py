"""QR codes of addresses."""

import segno
from django.utils.safestring import SafeString, mark_safe

BORDER = 4
"""Modules of white around the code; with less, scanners miss it."""


def code(address: str, title: str) -> SafeString:
    """The QR code as SVG for a page: black on white in both themes, no style attributes, its name as `title`."""
    svg = segno.make(address, error="m").svg_inline(
        border=BORDER, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True, title=title
    )
    return mark_safe(svg)  # noqa: S308  (drawn here; the address is only in its modules, the title is escaped)
