"""Overview items of the reports: those that cannot be sent any more."""

from collections.abc import Iterator

from django.urls import reverse
from django.utils.translation import gettext as _

from dashboard.overview.registry import Rank, Todo, provides
from dashboard.reports import weekly
from dashboard.shared.http import OwnerRequest

MOST = 5


@provides("reports")
def reports(request: OwnerRequest) -> Iterator[Todo]:
    """Weekly reports whose folder is gone."""
    for report in weekly.list_gone(request.account)[:MOST]:
        stop = reverse("reports:stop", args=[weekly.build_stop_token(report)])
        yield Todo(
            rank=Rank.BROKEN,
            shape="warning",
            word=_("Not sent"),
            title=_("The weekly report “%(name)s” is no longer sent") % {"name": report.name},
            address=stop,
            why=_("Its folder is gone. If it comes back, so does the report."),
            action=_("Stop this report"),
            action_address=stop,
            at=report.gone_at,
        )
