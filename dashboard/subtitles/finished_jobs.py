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
    open_states = [status.value for status in Status if tracking.is_open(status.value)]
    not_sent = [status.value for status in tracking.NOT_SENT]
    sent = Batch.objects.filter(account=account, sent_at__isnull=False).annotate(
        last=Max("cells__ended_at"),
        open=Count("cells", filter=Q(cells__status__in=open_states)),
        count=Count("cells", filter=~Q(cells__status__in=not_sent)),
        finished=Count("cells", filter=Q(cells__status=Status.FINISHED.value)),
    )
    for batch in sent.filter(open=0, last__gt=since).order_by("-last")[:MOST]:
        values = {"finished": formats.number(batch.finished), "count": formats.number(batch.count)}
        title = _("%(what)s: %(finished)s of %(count)s finished") % {"what": batch.label or _("Subtitles"), **values}
        kind = "finished" if batch.finished == batch.count else "error"
        yield Told(batch.last, kind, kind, title, address("subtitles:batch", batch.pk))
