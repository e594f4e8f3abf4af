"""Overview item of getting started: an account that nobody has checked yet."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from dashboard.getting_started.models import Setup
from dashboard.overview.registry import Rank, Todo, provides
from dashboard.shared.addresses import address
from dashboard.shared.http import OwnerRequest
from dashboard.upstream import clients


@provides("getting_started", asks_platform=False)
def getting_started(request: OwnerRequest) -> Iterator[Todo]:
    """Until somebody finishes it. The embedded platform plays its videos everywhere."""
    if clients.embedded() or Setup.objects.filter(account=request.account, finished_at__isnull=False).exists():
        return
    page = address("getting_started:getting_started")
    sentence = _("The platform may play videos only on addresses that its account allows.")
    yield Todo(Rank.ASKED, "queue", _("To do"), _("Set up this account"), page, sentence, _("Get started"), page)
