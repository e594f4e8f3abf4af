"""What subtitles tell in the notices: plans whose jobs have all ended."""

from collections.abc import Iterator
from datetime import datetime

from django.db.models import Count, Max, Q
from django.utils.translation import gettext as _

from dashboard.accounts.models import Account
from dashboard.notices.registry import Told, tells
from dashboard.shared import formats
from dashboard.shared.addresses import address
from dashboard.subtitles import tracking
from dashboard.subtitles.models import Batch
from dashboard.subtitles.tracking import Status

MOST = 20


@tells("subtitles")
def finished_jobs(account: Account, since: datetime) -> Iterator[Told]:
    """Of each plan that ended: how many of its jobs finished."""
    recent = Batch.objects.filter(account=account, sent_at__isnull=False, cells__ended_at__gt=since)
    if not (batches := set(recent.values_list("pk", flat=True))):
        return  # as nearly always, and every page asks
    sent = Batch.objects.filter(pk__in=batches).annotate(
        last=Max("cells__ended_at"),
        open=Count("cells", filter=Q(cells__status__in=[status for status in Status if tracking.is_open(status)])),
        count=Count("cells", filter=~Q(cells__status__in=tracking.NOT_SENT)),
        finished=Count("cells", filter=Q(cells__status=Status.FINISHED)),
    )
    for batch in sent.filter(open=0).order_by("-last")[:MOST]:
        values = {"finished": formats.number(batch.finished), "count": formats.number(batch.count)}
        title = _("%(what)s: %(finished)s of %(count)s finished") % {"what": batch.label or _("Subtitles"), **values}
        kind = "finished" if batch.finished == batch.count else "error"
        yield Told(batch.last, kind, kind, title, address("subtitles:batch", batch.pk))
