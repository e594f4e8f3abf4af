"""The public address of a link, and the same as a QR code."""

import io
import uuid

import segno
from django.http import HttpRequest
from django.utils.safestring import SafeString, mark_safe

from dashboard import clients

BORDER = 4
"""Modules of white around the code; with less, scanners miss it."""


def public(request: HttpRequest, link_id: uuid.UUID) -> str:
    """`{review_url}/{id}` where one is configured [2.3], else this installation's own portal."""
    elsewhere = clients.config().review_url
    return f"{elsewhere}/{link_id}" if elsewhere else request.build_absolute_uri(f"/{link_id}")


def code(address: str, title: str) -> SafeString:
    """The QR code as SVG for a page: black on white in both themes, no style attributes, its name as `title`."""
    made = segno.make(address, error="m").svg_inline(
        border=BORDER, dark="#000", light="#fff", svgclass="qr", lineclass=None, omitsize=True, title=title
    )
    return mark_safe(made)  # noqa: S308  (drawn here; the address is only in its modules, the title is escaped)


def code_file(address: str, kind: str) -> bytes:
    """The QR code as a file, `svg` or `png`, big enough for print."""
    out = io.BytesIO()
    segno.make(address, error="m").save(out, kind=kind, scale=16, border=BORDER, dark="#000", light="#fff")
    return out.getvalue()
