"""Review links in the search: by name, by the title of their video, or by a pasted id or address."""

from collections.abc import Iterator

from django.utils import timezone
from django.utils.translation import gettext, gettext_noop

from dashboard.review_links import import_pages, pages, rules, tasks
from dashboard.search.registry import Found, finds, matches
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from review_portal import owner_queries, ownership


@finds("review_links", title=gettext_noop("Review links"), order=60)
def review_links(request: OwnerRequest, query: str) -> Iterator[Found]:
    """Out of the portal's own copy: no call of the platform. While that is not whole yet, it says so."""
    now = timezone.now()
    for link in owner_queries.list_links(request.account):
        if matches(f"{link.name} {pages.get_video_title(link)}", query) or str(link.pk) in query.lower():
            note = f"{pages.get_video_title(link)}, {pages.format_state(rules.state_of(link, now))}"
            yield Found(address("review_links:link", link.pk), "talk", link.name or str(link.pk), note)
    for claim in ownership.list_claims(request.account):
        title = import_pages.get_video_title(claim)
        if matches(title, query) or str(claim.link_id) in query.lower():
            note = f"{title}, {gettext('Not confirmed')}"
            yield Found(address("review_links:claim", claim.pk), "talk", str(claim.link_id), note)
    if (reading := tasks.begin(request.account)) is not None:
        here = address("review_links:review_links")
        yield Found(here, "talk", gettext("Reading your review links"), pages.format_read(reading))
