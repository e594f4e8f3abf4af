"""Overview items of the reports: those that cannot be sent any more."""

from collections.abc import Iterator
from typing import Final

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from dashboard.overview.registry import Rank, Todo, provides
from dashboard.reports import weekly
from dashboard.reports.models import WeeklyReport
from dashboard.reports.weekly import Trouble
from dashboard.shared.http import OwnerRequest

MOST = 5
WHYS: Final = {
    Trouble.DISCONNECTED: gettext_noop("“%(name)s” is not connected. Once it is, the report is sent again."),
    Trouble.GONE: gettext_noop("Its folder is gone. If it comes back, so does the report."),
    Trouble.REFUSED: gettext_noop(
        "The platform no longer accepts the token of “%(name)s”. Once it has a new one, the report is sent again."
    ),
}
"""By what keeps a report from being sent (a msgid)."""


@provides("reports", asks_platform=False)
def reports(request: OwnerRequest) -> Iterator[Todo]:
    """Weekly reports whose folder is gone, and those of sub-accounts that cannot be read."""
    for report, trouble in weekly.list_unsent(request.account)[:MOST]:
        yield _build_todo(report, trouble)


def _build_todo(report: WeeklyReport, trouble: Trouble) -> Todo:
    stop = reverse("reports:stop", args=[weekly.build_stop_token(report)])
    return Todo(
        rank=Rank.BROKEN,
        shape="warning",
        word=_("Not sent"),
        title=_("The weekly report “%(name)s” is no longer sent") % {"name": report.name},
        address=stop if trouble is Trouble.GONE else reverse("reports:sub_accounts"),
        why=_(WHYS[trouble]) % {"name": report.account.name},
        action=_("Stop this report"),
        action_address=stop,
        at=report.gone_at,
    )
