"""The request a form would send, shown instead of sent: tokens masked, as text and as `curl`.

A form offers it with `components/_dry_run_button.html`; its view asks `asked(request)`, and if so renders the form again with
`dry_run=show(platform.preview(…))`, which `components/_dry_run.html` prints. Nothing is sent and nothing typed is lost.
"""

import json
from dataclasses import dataclass

from django.http import HttpRequest

from dashboard.platform_api.request import Preview

BUTTON = "_dry_run"


@dataclass(frozen=True)
class DryRun:
    """One request for reading: its first line, its headers, its body indented, and the same as a shell command."""

    operation: str
    line: str
    headers: tuple[str, ...]
    body: str
    curl: str


def asked(request: HttpRequest) -> bool:
    """Whether the person pressed “Show the request” instead of sending."""
    return request.method == "POST" and BUTTON in request.POST


def show(preview: Preview) -> DryRun:
    """A preview of the platform client, ready to be printed."""
    return DryRun(
        operation=preview.operation,
        line=f"{preview.method} {preview.url}",
        headers=tuple(f"{name}: {value}" for name, value in preview.headers.items()),
        body="" if preview.body is None else json.dumps(json.loads(preview.body), ensure_ascii=False, indent=2),
        curl=preview.curl(),
    )
