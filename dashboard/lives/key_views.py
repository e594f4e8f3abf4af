"""The stream key of a live: read anew for whoever presses for it, shown once, and kept nowhere."""

from django.http import HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST

from dashboard import clients
from dashboard.lives import pages
from dashboard.lives.writes import LIVES
from dashboard.platform_api.errors import PlatformError
from dashboard.platform_api.lists import record
from dashboard.platform_api.records.lives import Ingest, Live
from dashboard.platform_api.values import Unreadable
from dashboard.shared import refusals
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import capabilities
from dashboard.upstream.single_records import is_untold, speaks_of


@require_POST
def key(request: OwnerRequest, live_id: str) -> HttpResponse:
    """Where the encoder of this live sends to. A reading of this address leads to the live."""
    places = capabilities.load(request.account.pk).places()
    platform = clients.platform_at(request.account, places)  # what it answers is not kept
    try:
        found = record(platform.ask(lambda groups: groups.lives.get(live_id)).json(), "live")
    except Unreadable:
        page = pages.key_page(live_id, live_id, Ingest("", ""))
    except PlatformError as error:
        if speaks_of(error, LIVES.name):
            raise
        if not is_untold(error):
            page = pages.key_page(live_id, live_id, None, refusals.explain(error, reading=True).sentence)
            return render(request, "lives/key.html", {"page": page}, status=refusals.status_of(error))
        page = pages.key_page(live_id, live_id, Ingest("", ""))
    else:
        page = pages.key_page(Live.from_json(found).title or live_id, live_id, Ingest.from_json(found))
    return render(request, "lives/key.html", {"page": page})
