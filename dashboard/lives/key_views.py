"""The stream key of a live: read from the platform on each POST, never cached or stored."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from dashboard.lives.writes import LIVES
from dashboard.platform_api.errors import PlatformError
from dashboard.platform_api.lists import record
from dashboard.platform_api.lives import Ingest, Live
from dashboard.platform_api.values import Unreadable
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import capabilities, clients
from dashboard.upstream.single_records import is_untold, speaks_of


@require_POST
def key(request: OwnerRequest, live_id: str) -> HttpResponse:
    """The ingest address and the stream key of a live. A GET redirects to the live."""
    paths = capabilities.load(request.account.pk).places()
    platform = clients.platform_at(request.account, paths)  # past the cache: a key is not stored
    context: dict[str, Any] = {"live_id": live_id, "title": live_id}
    try:
        data = record(platform.ask(lambda groups: groups.lives.get(live_id)).json(), "live")
        context |= {"title": Live.from_json(data).title or live_id, "ingest": Ingest.from_json(data)}
    except Unreadable:
        pass
    except PlatformError as error:
        if speaks_of(error, LIVES.name):
            raise
        if not is_untold(error):
            context["trouble"] = refusals.explain(error, reading=True).sentence
            return render(request, "lives/key.html", context, status=refusals.status_of(error))
    return render(request, "lives/key.html", context)
