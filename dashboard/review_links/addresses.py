"""The public address of a link, and the same as a QR code."""

import io
import uuid

import segno
from django.http import HttpRequest

from dashboard.shared.qr import BORDER
from dashboard.upstream import clients


def public(request: HttpRequest, link_id: uuid.UUID) -> str:
    """`{review_url}/{id}` where one is configured [2.3], else this installation's own portal."""
    elsewhere = clients.config().review_url
    return f"{elsewhere}/{link_id}" if elsewhere else request.build_absolute_uri(f"/{link_id}")


def code_file(address: str, kind: str) -> bytes:
    """The QR code as a file, `svg` or `png`, big enough for print."""
    out = io.BytesIO()
    segno.make(address, error="m").save(out, kind=kind, scale=16, border=BORDER, dark="#000", light="#fff")
    return out.getvalue()
