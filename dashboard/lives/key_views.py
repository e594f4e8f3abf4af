"""The stream key of a live: read from the platform on each POST, never cached or stored."""

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
    """The ingest address and the stream key of a live. A GET redirects to the live."""
    paths = capabilities.load(request.account.pk).places()
    platform = clients.platform_at(request.account, paths)  # past the cache: a key is not stored
    try:
        data = record(platform.ask(lambda groups: groups.lives.get(live_id)).json(), "live")
    except Unreadable:
        page = pages.build_key_page(live_id, live_id, Ingest("", ""))
    except PlatformError as error:
        if speaks_of(error, LIVES.name):
            raise
        if not is_untold(error):
            page = pages.build_key_page(live_id, live_id, None, refusals.explain(error, reading=True).sentence)
            return render(request, "lives/key.html", {"page": page}, status=refusals.status_of(error))
        page = pages.build_key_page(live_id, live_id, Ingest("", ""))
    else:
        page = pages.build_key_page(Live.from_json(data).title or live_id, live_id, Ingest.from_json(data))
    return render(request, "lives/key.html", {"page": page})
